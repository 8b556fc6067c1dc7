//! A picture made to fit: decoded within limits, scaled into a square, turned upright, encoded small.

mod content;
mod cost;
mod decode;
mod jpeg;
mod ladder;
mod png;
mod raster;

use std::panic::{AssertUnwindSafe, catch_unwind};

use content::Content;
use ladder::{Attempt, Rung};
use raster::Raster;

use crate::error::Error;
use crate::probe::{Header, header};
use crate::sniff::{Format, sniff};

/// What the result must fit in, and what making it may cost.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Longest side of the result, in pixels.
    pub max_edge: u32,
    /// Size of the result, in bytes.
    pub target_raw_size: usize,
    /// Declared size of the source, in pixels.
    pub max_pixels: u64,
    /// Memory at the highest point, source and result not counted, in bytes.
    pub max_alloc: u64,
    /// Coefficients of a JPEG times its scans: small files can ask for minutes of passes.
    pub max_scan_work: u64,
}

/// How quality and size are given up, in this order, to fit the target.
#[derive(Clone, Copy, Debug)]
pub struct Ladder<'a> {
    /// JPEG qualities, 1 to 100, falling.
    pub qualities: &'a [u8],
    /// Longest side of the last resort, in pixels.
    pub last_edge: u32,
    /// JPEG quality of the last resort.
    pub last_quality: u8,
    /// Encodes in all, the last resort included.
    pub max_encodes: u32,
}

/// A picture that fits.
#[derive(Clone, Debug)]
pub struct Downsampled {
    /// The new bytes, or `None` where the source fits as it is.
    pub bytes: Option<Vec<u8>>,
    /// The format of the new bytes, or of the source.
    pub format: Format,
    /// The source's width and height as a viewer shows them.
    pub original: (u32, u32),
    /// The result's width and height.
    pub display: (u32, u32),
}

/// Whether bytes with this header fit as they are.
pub(crate) fn fits(bytes: &[u8], header: &Header, max_edge: u32, target_raw_size: usize) -> bool {
    header.width.max(header.height) <= max_edge && bytes.len() <= target_raw_size
}

/// Makes a picture fit; bytes that fit already are not decoded and come back as `None`.
///
/// # Errors
/// Sizes beyond the limits are refused from the header, before anything is allocated; truncated and
/// corrupt pictures, and codecs that panic, are errors too.
pub fn downsample(
    bytes: &[u8],
    limits: &Limits,
    ladder: &Ladder<'_>,
) -> Result<Downsampled, Error> {
    let format = match sniff(bytes) {
        None | Some(Format::Pdf) => return Err(Error::NotAnImage),
        Some(format) => format,
    };
    let header = header(bytes).ok_or(Error::NoHeader(format.media_type()))?;
    if fits(bytes, &header, limits.max_edge, limits.target_raw_size) {
        let original = header.oriented_size();
        return Ok(Downsampled { bytes: None, format, original, display: original });
    }
    let wanted = fitted(header.width, header.height, limits.max_edge);
    let spare = cost::check(bytes, &header, wanted, limits)?;
    contained(|| shrink(bytes, &header, wanted, spare, limits, ladder))
}

/// The largest size of the same shape inside a square, never larger than the source, no side below 1.
fn fitted(width: u32, height: u32, max_edge: u32) -> (u32, u32) {
    let (long, edge) = (u64::from(width.max(height)), u64::from(max_edge.max(1)));
    if long <= edge {
        return (width, height);
    }
    let side = |value: u32| {
        let rounded = (u64::from(value) * edge + long / 2) / long;
        u32::try_from(rounded).unwrap_or(max_edge).max(1)
    };
    (side(width), side(height))
}

/// A panic inside a codec as an error: what a hostile picture provokes must not leave this crate.
fn contained<T>(work: impl FnOnce() -> Result<T, Error>) -> Result<T, Error> {
    catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|panic| {
        let message = panic.downcast_ref::<String>().map(String::as_str);
        let message = message.or_else(|| panic.downcast_ref::<&str>().copied());
        Err(Error::Panicked(message.unwrap_or("no message").into()))
    })
}

fn shrink(
    bytes: &[u8],
    header: &Header,
    wanted: (u32, u32),
    spare: u64,
    limits: &Limits,
    ladder: &Ladder<'_>,
) -> Result<Downsampled, Error> {
    let picture = decode::decode(bytes, header, wanted, spare)?
        .without_idle_alpha()
        .resized(wanted.0, wanted.1)?
        .oriented(header.orientation);
    let encoded = climb_down(picture, limits, ladder)?;
    Ok(Downsampled {
        bytes: Some(encoded.bytes),
        format: encoded.format,
        original: header.oriented_size(),
        display: encoded.size,
    })
}

struct Encoded {
    bytes: Vec<u8>,
    format: Format,
    size: (u32, u32),
}

fn climb_down(mut picture: Raster, limits: &Limits, ladder: &Ladder<'_>) -> Result<Encoded, Error> {
    let target = limits.target_raw_size;
    let mut content = content::classify(&picture);
    let mut attempt = ladder::first(content, ladder);
    let mut smallest = usize::MAX;
    for left in (0..ladder.max_encodes).rev() {
        let encoded = encode(&picture, attempt, content)?;
        let size = encoded.bytes.len();
        if size <= target {
            return Ok(encoded);
        }
        smallest = smallest.min(size);
        attempt = ladder::next(content, attempt, size, target, ladder);
        let last_resort = ladder::last_resort(picture.width.max(picture.height), ladder);
        // A transparent picture gives up its alpha before it becomes smaller than the last resort.
        if content.transparent && (left == 1 || attempt.scale < last_resort.scale) {
            picture = picture.on_white();
            content.transparent = false;
            attempt = last_resort;
        } else if left == 1 {
            attempt = Attempt { scale: attempt.scale.min(last_resort.scale), ..last_resort };
        }
    }
    Err(Error::TooLarge { smallest, limit: target })
}

fn encode(picture: &Raster, attempt: Attempt, content: Content) -> Result<Encoded, Error> {
    let scaled;
    let picture = if attempt.scale < 1.0 {
        scaled = picture.clone().resized(
            scaled_side(picture.width, attempt.scale),
            scaled_side(picture.height, attempt.scale),
        )?;
        &scaled
    } else {
        picture
    };
    let (bytes, format) = match attempt.rung {
        Rung::Png => (png::encode(picture, png::Effort::Fast)?, Format::Png),
        Rung::SlowPng => (png::encode(picture, png::Effort::Slow)?, Format::Png),
        Rung::Palette => (png::encode_quantized(picture)?, Format::Png),
        Rung::Jpeg(quality) => (jpeg::encode(picture, quality, content)?, Format::Jpeg),
    };
    Ok(Encoded { bytes, format, size: (picture.width, picture.height) })
}

#[allow(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a fraction of a u32, which is neither negative nor larger"
)]
fn scaled_side(side: u32, scale: f64) -> u32 {
    ((f64::from(side) * scale) as u32).max(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panicking_codec_becomes_an_error() {
        let outcome = contained::<()>(|| panic!("index out of bounds"));
        assert_eq!(outcome, Err(Error::Panicked("index out of bounds".into())));
    }

    #[test]
    fn the_fitted_size_keeps_the_shape_and_no_side_vanishes() {
        assert_eq!(fitted(4000, 3000, 2000), (2000, 1500));
        assert_eq!(fitted(100, 50, 2000), (100, 50));
        assert_eq!(fitted(8000, 1, 2000), (2000, 1));
        assert_eq!(fitted(1, 100_000, 2000), (1, 2000));
    }
}
