//! Encoded bytes to pixels: one function for each format, each within the limits checked before it.

use std::io::Cursor;

use image::codecs::{gif::GifDecoder, webp::WebPDecoder};
use image::{ColorType, ImageDecoder};

use super::jpeg;
use super::raster::{Raster, Samples};
use crate::error::Error;
use crate::probe::Header;
use crate::sniff::Format;

/// What a PNG's other chunks may always take, in bytes.
const CHUNKS: usize = 1024 * 1024;

/// The first picture in `bytes`, in 8-bit grey or RGB with or without alpha, not yet turned.
///
/// A JPEG may come out smaller than stored, but not smaller than `wanted`; `spare` is the memory for
/// what no header announces.
pub(super) fn decode(
    bytes: &[u8],
    header: &Header,
    wanted: (u32, u32),
    spare: u64,
) -> Result<Raster, Error> {
    match header.format {
        Format::Png => png(bytes, header, spare),
        Format::Jpeg => jpeg::decode(bytes, header, wanted),
        Format::Gif => whole(GifDecoder::new(Cursor::new(bytes)).map_err(Error::decode)?, header),
        Format::WebP => whole(WebPDecoder::new(Cursor::new(bytes)).map_err(Error::decode)?, header),
        Format::Pdf => Err(Error::NotAnImage),
    }
}

fn png(bytes: &[u8], header: &Header, spare: u64) -> Result<Raster, Error> {
    // The crate counts what it keeps of chunks beside the pixels, which a header does not announce.
    let spare = usize::try_from(spare).unwrap_or(usize::MAX).max(CHUNKS);
    let limits = ::png::Limits { bytes: spare };
    let mut decoder = ::png::Decoder::new_with_limits(Cursor::new(bytes), limits);
    decoder.set_transformations(::png::Transformations::normalize_to_color8());
    decoder.set_ignore_text_chunk(true);
    decoder.set_ignore_iccp_chunk(true);
    let mut reader = decoder.read_info().map_err(Error::decode)?;
    header.agree(reader.info().width, reader.info().height)?;
    let size = reader.output_buffer_size().ok_or_else(|| Error::decode("its size overflows"))?;
    let mut pixels = vec![0; size];
    let info = reader.next_frame(&mut pixels).map_err(Error::decode)?;
    let samples = match info.color_type {
        ::png::ColorType::Grayscale => Samples::Grey,
        ::png::ColorType::GrayscaleAlpha => Samples::GreyAlpha,
        ::png::ColorType::Rgb => Samples::Rgb,
        ::png::ColorType::Rgba => Samples::Rgba,
        ::png::ColorType::Indexed => return Err(Error::decode("its palette was not expanded")),
    };
    Raster::whole(info.width, info.height, samples, pixels)
}

fn whole(decoder: impl ImageDecoder, header: &Header) -> Result<Raster, Error> {
    let (width, height) = decoder.dimensions();
    header.agree(width, height)?;
    let samples = match decoder.color_type() {
        ColorType::Rgb8 => Samples::Rgb,
        ColorType::Rgba8 => Samples::Rgba,
        other => return Err(Error::decode(format!("{other:?} pixels are not expected here"))),
    };
    let size = usize::try_from(decoder.total_bytes()).map_err(Error::decode)?;
    let mut pixels = vec![0; size];
    decoder.read_image(&mut pixels).map_err(Error::decode)?;
    Raster::whole(width, height, samples, pixels)
}
