//! What decoding and fitting will cost, estimated before anything is allocated.

use super::{Limits, jpeg};
use crate::error::Error;
use crate::probe::{Coding, Header, scans};

/// Refuses a picture whose declared pixels, memory at the highest point, or passes are too many;
/// returns the memory that is left for what no header announces, in bytes.
pub(super) fn check(
    bytes: &[u8],
    header: &Header,
    wanted: (u32, u32),
    limits: &Limits,
) -> Result<u64, Error> {
    let (width, height) = (header.width, header.height);
    let frame = match header.coding {
        Coding::Gif { frame_width, frame_height } => area(frame_width.into(), frame_height.into()),
        _ => 0,
    };
    if area(width, height).max(frame) > limits.max_pixels {
        return Err(Error::TooManyPixels { width, height, limit: limits.max_pixels });
    }
    let needed = needed(header, wanted);
    if needed > limits.max_alloc {
        return Err(Error::TooMuchMemory { needed, limit: limits.max_alloc });
    }
    if let Coding::Jpeg { coefficients, .. } = header.coding {
        let scans = scans(bytes, header);
        let work = coefficients.saturating_add(SCAN).saturating_mul(scans.into());
        if work > limits.max_scan_work {
            return Err(Error::TooManyScans { scans, limit: limits.max_scan_work });
        }
    }
    Ok(limits.max_alloc - needed)
}

fn area(width: u32, height: u32) -> u64 {
    u64::from(width).saturating_mul(height.into())
}

/// What a scan costs before its first coefficient, in coefficients.
const SCAN: u64 = 16 * 1024;

/// What the resizer's table of weights holds for each row and column of the source, in bytes: six
/// 64-bit weights (Lanczos3 reaches three pixels to each side), and their 16-bit form.
const WEIGHTS: u64 = 64;

/// The highest of three moments: the decoder's own buffers beside the pixels; the resizer's (rows
/// already narrowed, then the result) beside the pixels; the result with the copies that encoding it
/// at another size or with a palette makes.
fn needed(header: &Header, wanted: (u32, u32)) -> u64 {
    let pixels = area(header.width, header.height);
    let (raster, decoder, samples) = match header.coding {
        Coding::Png { channels } => {
            let samples = u64::from(channels);
            // Two rows of up to 16 bits a sample.
            (pixels.saturating_mul(samples), u64::from(header.width) * samples * 4, samples)
        }
        Coding::Gif { frame_width, frame_height } => {
            (pixels.saturating_mul(4), area(frame_width.into(), frame_height.into()) * 4, 4)
        }
        // Bytes a pixel beside the raster: planes 1.5, a lossless buffer 4 (alpha is stored in one, and
        // takes 1 more when unpacked), a frame of an animation 4 with its own decoding.
        Coding::WebP { lossy, alpha, animated } => {
            let own = match (animated, lossy, alpha) {
                (true, ..) => 9,
                (_, true, true) => 7,
                (_, true, false) => 2,
                (_, false, _) => 4,
            };
            (pixels.saturating_mul(4), pixels.saturating_mul(own), 4)
        }
        Coding::Jpeg { components, coefficients, .. } => {
            jpeg_memory(header, wanted, components.into(), coefficients)
        }
    };
    let sides = u64::from(header.width) + u64::from(header.height);
    let narrowed = area(wanted.0, header.height).saturating_mul(samples) + sides * WEIGHTS;
    let result = area(wanted.0, wanted.1).saturating_mul(samples);
    let encoding = result.saturating_mul(3).saturating_add(area(wanted.0, wanted.1) * 5);
    raster.saturating_add(decoder.max(narrowed.saturating_add(result))).max(encoding)
}

fn jpeg_memory(
    header: &Header,
    wanted: (u32, u32),
    components: u64,
    coefficients: u64,
) -> (u64, u64, u64) {
    let by = jpeg::reduction(header, wanted);
    let raster = area(header.width.div_ceil(by), header.height.div_ceil(by)) * components;
    // Component planes at the decoded scale, and two bytes a coefficient: a progressive picture holds
    // all until its last scan, a baseline one those that wait for the decoder's helper threads.
    let planes = coefficients / u64::from(by * by);
    (raster, planes.saturating_add(coefficients.saturating_mul(2)), components.min(3))
}
