//! PNG out: true colour, or a palette where a few colours are all there is or must do.

use std::collections::HashMap;

use color_quant::NeuQuant;
use png::{BitDepth, ColorType, Compression, Encoder, Filter};

use super::raster::{Raster, Samples};
use crate::error::Error;

/// Colours that a palette can hold.
const PALETTE: usize = 256;

/// How long the encoder may look for a shorter form.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Effort {
    Fast,
    Slow,
}

pub(super) fn encode(raster: &Raster, effort: Effort) -> Result<Vec<u8>, Error> {
    if let Some(indexed) = exact_palette(raster) {
        return encode_indexed(raster, &indexed);
    }
    let colour = match raster.samples {
        Samples::Grey => ColorType::Grayscale,
        Samples::GreyAlpha => ColorType::GrayscaleAlpha,
        Samples::Rgb => ColorType::Rgb,
        Samples::Rgba => ColorType::Rgba,
    };
    let mut bytes = Vec::with_capacity(raster.pixels.len() / 4);
    let mut encoder = Encoder::new(&mut bytes, raster.width, raster.height);
    encoder.set_color(colour);
    encoder.set_depth(BitDepth::Eight);
    encoder.set_compression(match effort {
        Effort::Fast => Compression::Fast,
        Effort::Slow => Compression::Balanced,
    });
    encoder.set_filter(Filter::Adaptive);
    write(encoder, &raster.pixels)?;
    Ok(bytes)
}

/// The 256 colours that stand nearest to the picture's own.
pub(super) fn encode_quantized(raster: &Raster) -> Result<Vec<u8>, Error> {
    let pixels: Vec<u8> = match raster.samples {
        Samples::Rgba => raster.pixels.clone(),
        samples => {
            raster.pixels.chunks_exact(samples.count()).flat_map(|p| rgba(samples, p)).collect()
        }
    };
    let network = NeuQuant::new(10, PALETTE, &pixels);
    let mut known = HashMap::new();
    let (pixels, _) = pixels.as_chunks::<4>();
    let indices = pixels
        .iter()
        .map(|pixel| {
            *known
                .entry(*pixel)
                .or_insert_with(|| u8::try_from(network.index_of(pixel)).unwrap_or(0))
        })
        .collect();
    let colours = network.color_map_rgba();
    let (palette, _) = colours.as_chunks::<4>();
    encode_indexed(raster, &Indexed { palette: palette.to_vec(), indices })
}

struct Indexed {
    palette: Vec<[u8; 4]>,
    indices: Vec<u8>,
}

/// The picture's colours and where each stands, if there are no more than a palette holds.
fn exact_palette(raster: &Raster) -> Option<Indexed> {
    let count = raster.samples.count();
    let mut places = HashMap::new();
    let mut palette = Vec::with_capacity(PALETTE);
    let mut indices = Vec::with_capacity(raster.pixels.len() / count);
    let mut last: (&[u8], u8) = (&[], 0);
    for pixel in raster.pixels.chunks_exact(count) {
        if pixel != last.0 {
            let index = *places.entry(pixel).or_insert_with(|| {
                palette.push(rgba(raster.samples, pixel));
                u8::try_from(palette.len() - 1).unwrap_or(u8::MAX)
            });
            if palette.len() > PALETTE {
                return None;
            }
            last = (pixel, index);
        }
        indices.push(last.1);
    }
    Some(Indexed { palette, indices })
}

fn rgba(samples: Samples, pixel: &[u8]) -> [u8; 4] {
    match (samples, pixel) {
        (Samples::Grey, [grey]) => [*grey, *grey, *grey, u8::MAX],
        (Samples::GreyAlpha, [grey, alpha]) => [*grey, *grey, *grey, *alpha],
        (Samples::Rgb, [red, green, blue]) => [*red, *green, *blue, u8::MAX],
        (_, [red, green, blue, alpha]) => [*red, *green, *blue, *alpha],
        _ => [0; 4],
    }
}

fn encode_indexed(raster: &Raster, indexed: &Indexed) -> Result<Vec<u8>, Error> {
    let (bits, depth) = match indexed.palette.len() {
        0..=2 => (1, BitDepth::One),
        3..=4 => (2, BitDepth::Two),
        5..=16 => (4, BitDepth::Four),
        _ => (8, BitDepth::Eight),
    };
    let mut bytes = Vec::with_capacity(indexed.indices.len() / 8);
    let mut encoder = Encoder::new(&mut bytes, raster.width, raster.height);
    encoder.set_color(ColorType::Indexed);
    encoder.set_depth(depth);
    encoder.set_palette(
        indexed.palette.iter().flat_map(|[r, g, b, _]| [*r, *g, *b]).collect::<Vec<_>>(),
    );
    if raster.has_alpha() {
        encoder.set_trns(indexed.palette.iter().map(|[.., alpha]| *alpha).collect::<Vec<_>>());
    }
    encoder.set_compression(Compression::Balanced);
    encoder.set_filter(Filter::NoFilter);
    write(encoder, &packed(&indexed.indices, raster.width as usize, bits))?;
    Ok(bytes)
}

/// Indices of 1, 2, 4 or 8 bits, the first in the highest bits, each row from a byte of its own.
fn packed(indices: &[u8], width: usize, bits: u32) -> Vec<u8> {
    let in_byte = (u8::BITS / bits) as usize;
    let byte = |group: &[u8]| {
        let filled =
            group.iter().fold(0_u8, |byte, index| byte.checked_shl(bits).unwrap_or(0) | index);
        (group.len()..in_byte).fold(filled, |byte, _| byte.checked_shl(bits).unwrap_or(0))
    };
    indices.chunks_exact(width).flat_map(|row| row.chunks(in_byte).map(byte)).collect()
}

fn write(encoder: Encoder<'_, &mut Vec<u8>>, pixels: &[u8]) -> Result<(), Error> {
    let mut writer = encoder.write_header().map_err(Error::encode)?;
    writer.write_image_data(pixels).map_err(Error::encode)?;
    writer.finish().map_err(Error::encode)
}
