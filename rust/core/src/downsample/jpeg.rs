//! JPEG in, at the smallest scale that is not below what is wanted; JPEG out.

use std::io::Cursor;

use jpeg_decoder::{ColorTransform, Decoder, PixelFormat};
use jpeg_encoder::{ChromaSubsamplingMethod, ColorType, Encoder, SamplingFactor};

use super::content::Content;
use super::raster::{Raster, Samples};
use crate::error::Error;
use crate::probe::{Coding, Header};

/// Sides below which a scaled decode is left alone: the decoder takes the scale that suits either
/// side, and a few columns of blocks suit many.
const NARROW: u32 = 64;

/// By how much a picture is reduced while it is decoded: 1, 2, 4 or 8, and never below `wanted`.
pub(super) fn reduction(header: &Header, wanted: (u32, u32)) -> u32 {
    if header.width.min(header.height) < NARROW {
        return 1;
    }
    let most = (header.width / wanted.0.max(1)).min(header.height / wanted.1.max(1));
    [8, 4, 2].into_iter().find(|by| *by <= most).unwrap_or(1)
}

pub(super) fn decode(bytes: &[u8], header: &Header, wanted: (u32, u32)) -> Result<Raster, Error> {
    let Coding::Jpeg { rgb, lossless, .. } = header.coding else { return Err(Error::NotAnImage) };
    if lossless {
        return Err(Error::decode("lossless JPEG is not supported; save it as PNG"));
    }
    let mut decoder = Decoder::new(Cursor::new(bytes));
    decoder.read_info().map_err(Error::decode)?;
    let stated = decoder.info().ok_or_else(|| Error::decode("it has no frame"))?;
    header.agree(stated.width.into(), stated.height.into())?;
    if stated.pixel_format == PixelFormat::RGB24 {
        // Left alone, the decoder asks for the components' names before it asks Adobe's marker.
        decoder.set_color_transform(if rgb { ColorTransform::RGB } else { ColorTransform::YCbCr });
    }
    let by = reduction(header, wanted);
    let (width, height) = (header.width.div_ceil(by), header.height.div_ceil(by));
    if by > 1 {
        let side = |value: u32| u16::try_from(value).map_err(Error::decode);
        decoder.scale(side(width)?, side(height)?).map_err(Error::decode)?;
    }
    let pixels = decoder.decode().map_err(Error::decode)?;
    let (samples, pixels) = match stated.pixel_format {
        PixelFormat::L8 => (Samples::Grey, pixels),
        PixelFormat::RGB24 => (Samples::Rgb, pixels),
        PixelFormat::CMYK32 => (Samples::Rgb, from_cmyk(&pixels)),
        PixelFormat::L16 => return Err(Error::decode("16-bit JPEG is not supported")),
    };
    // Reduced, the last column and row are padded to whole pixels.
    let mut picture = Raster::whole(width, height, samples, pixels)?;
    let reach = |side: u32| f64::from(side) / f64::from(by);
    picture.reach = (reach(header.width), reach(header.height));
    Ok(picture)
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
