//! JPEG in, at the smallest scale that is not below what is wanted; JPEG out.

use std::io::Cursor;

use jpeg_decoder::{Decoder, PixelFormat};
use jpeg_encoder::{ChromaSubsamplingMethod, ColorType, Encoder, SamplingFactor};

use super::content::Content;
use super::raster::{Raster, Samples};
use crate::error::Error;
use crate::probe::{Coding, Header};

pub(super) fn decode(bytes: &[u8], header: &Header, wanted: (u32, u32)) -> Result<Raster, Error> {
    let mut decoder = Decoder::new(Cursor::new(bytes));
    decoder.read_info().map_err(Error::decode)?;
    let stated = decoder.info().ok_or_else(|| Error::decode("it has no frame"))?;
    header.agree(stated.width.into(), stated.height.into())?;
    let side = |value: u32| u16::try_from(value).unwrap_or(u16::MAX);
    let (width, height) = decoder.scale(side(wanted.0), side(wanted.1)).map_err(Error::decode)?;
    let pixels = decoder.decode().map_err(Error::decode)?;
    let (samples, pixels) = match stated.pixel_format {
        PixelFormat::L8 => (Samples::Grey, pixels),
        PixelFormat::L16 => (Samples::Grey, from_deep_grey(&pixels, header)),
        PixelFormat::RGB24 => (Samples::Rgb, pixels),
        PixelFormat::CMYK32 => (Samples::Rgb, from_cmyk(&pixels)),
    };
    // Scaled to a half, a quarter or an eighth, the last column and row are padded to whole pixels.
    let scaled = |by: &u16| (stated.width.div_ceil(*by), stated.height.div_ceil(*by));
    let scale = [1, 2, 4, 8].into_iter().find(|by| scaled(by) == (width, height));
    let mut picture = Raster::whole(width.into(), height.into(), samples, pixels);
    if let Some(scale) = scale.map(f64::from) {
        picture.reach = (f64::from(stated.width) / scale, f64::from(stated.height) / scale);
    }
    Ok(picture)
}

/// The upper 8 bits of each sample, whatever its precision.
fn from_deep_grey(pixels: &[u8], header: &Header) -> Vec<u8> {
    let depth = match header.coding {
        Coding::Jpeg { precision, .. } => u32::from(precision.clamp(8, 16)),
        _ => u16::BITS,
    };
    let upper = |sample: &[u8; 2]| {
        u8::try_from(u16::from_ne_bytes(*sample) >> (depth - 8)).unwrap_or(u8::MAX)
    };
    pixels.as_chunks::<2>().0.iter().map(upper).collect()
}

/// Ink to light, without a colour profile: what is left of white behind each ink and the black.
fn from_cmyk(pixels: &[u8]) -> Vec<u8> {
    let (inks, _) = pixels.as_chunks::<4>();
    let light = |ink: u8, black: u8| {
        let product = (255 - u32::from(ink)) * (255 - u32::from(black));
        u8::try_from((product + 127) / 255).unwrap_or(u8::MAX)
    };
    inks.iter().flat_map(|[c, m, y, k]| [light(*c, *k), light(*m, *k), light(*y, *k)]).collect()
}

/// Chroma at half resolution for photos, whole for flat pictures, whose coloured text it would smear.
pub(super) fn encode(raster: &Raster, quality: u8, content: Content) -> Result<Vec<u8>, Error> {
    let colour = match raster.samples {
        Samples::Grey => ColorType::Luma,
        Samples::Rgb => ColorType::Rgb,
        _ => return Err(Error::encode("JPEG has no alpha channel")),
    };
    let side = |value: u32| u16::try_from(value).map_err(Error::encode);
    let mut bytes = Vec::with_capacity(raster.pixels.len() / 8);
    let mut encoder = Encoder::new(&mut bytes, quality);
    let chroma = if content.flat { SamplingFactor::F_1_1 } else { SamplingFactor::F_2_2 };
    encoder.set_sampling_factor(chroma);
    // The crate's default takes one chroma sample of four, which costs 1.2 dB.
    encoder.set_chroma_subsampling_method(ChromaSubsamplingMethod::Average);
    encoder
        .encode(&raster.pixels, side(raster.width)?, side(raster.height)?, colour)
        .map_err(Error::encode)?;
    Ok(bytes)
}
