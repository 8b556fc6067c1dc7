//! What a picture shows, as far as the choice of its encoding depends on it.

use super::raster::Raster;

/// The two questions on which the encoding depends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Content {
    /// Some pixels are transparent.
    pub(super) transparent: bool,
    /// Text, charts, screenshots, line art: few main colours and sharp edges. Else it is a photo.
    pub(super) flat: bool,
}

/// Rows, and pixels of a row, that are looked at: about this many, evenly spread.
const SAMPLES: usize = 256;

/// Up to so many pixels a picture counts as flat: an icon is cheap to keep exact.
const ICON: usize = 64 * 64;

/// The colours that are counted as the picture's main ones.
const MAIN_COLOURS: usize = 8;

/// A picture is flat if its main colours cover this share of it, in percent, and it has sharp edges.
/// Of 120 pictures at 2000 pixels, text and screenshots lie at 37 to 100 % and photos at 0 to 42 %.
const MAIN_SHARE: usize = 30;

/// The share of the pixels that differ from their right neighbour, in percent, at which they differ
/// sharply: 13 to 100 % in text and screenshots, 0 to 11 % in photos whose main colours reach 30 %.
const SHARP_SHARE: usize = 12;

/// A picture is flat without edges too if its main colours cover this share.
const FLAT_SHARE: usize = 95;

/// A step of one sample between neighbours that makes an edge.
const EDGE: u8 = 40;

pub(super) fn classify(raster: &Raster) -> Content {
    Content { transparent: raster.has_alpha(), flat: is_flat(raster) }
}

fn is_flat(raster: &Raster) -> bool {
    let (width, height) = (raster.width as usize, raster.height as usize);
    if width * height <= ICON {
        return true;
    }
    let count = raster.samples.count();
    let (across, down) = ((width / SAMPLES).max(1), (height / SAMPLES).max(1));
    let (mut colours, mut edges, mut changes) = (Vec::new(), 0_usize, 0_usize);
    for (index, line) in raster.pixels.chunks_exact(width * count).step_by(down).enumerate() {
        // Each row starts one further, so that no column is looked at alone.
        let pixels = line.chunks_exact(count).zip(line.chunks_exact(count).skip(1));
        for (pixel, right) in pixels.skip(index % across).step_by(across) {
            colours.push(pixel);
            changes += usize::from(pixel != right);
            edges += usize::from(pixel.iter().zip(right).any(|(a, b)| a.abs_diff(*b) > EDGE));
        }
    }
    let all = colours.len();
    let main = main_colours(colours);
    let reaches = |part: usize, whole: usize, percent: usize| part * 100 >= whole * percent;
    reaches(main, all, FLAT_SHARE)
        || reaches(main, all, MAIN_SHARE) && reaches(edges, changes, SHARP_SHARE)
}

/// How many of the pixels have one of the most frequent colours.
fn main_colours(mut pixels: Vec<&[u8]>) -> usize {
    pixels.sort_unstable();
    let mut counts: Vec<usize> = pixels.chunk_by(|a, b| a == b).map(<[&[u8]]>::len).collect();
    counts.sort_unstable_by(|a, b| b.cmp(a));
    counts.iter().take(MAIN_COLOURS).sum()
}
