//! JPEG: the frame header (SOFn), EXIF orientation, and the number of scans.

use super::bytes::be16;
use super::{Coding, Header, Orientation, exif};
use crate::sniff::Format;

const SOI: u8 = 0xD8;
const EOI: u8 = 0xD9;
const SOS: u8 = 0xDA;
const APP1: u8 = 0xE1;
const EXIF: &[u8] = b"Exif\0\0";

/// Each marker with its segment's payload (empty for markers without one), entropy-coded data skipped.
fn segments(bytes: &[u8]) -> impl Iterator<Item = (u8, &[u8])> {
    let mut at = 0;
    std::iter::from_fn(move || {
        loop {
            at += bytes.get(at..)?.iter().position(|byte| *byte == 0xFF)?;
            let marker = *bytes.get(at + 1)?;
            match marker {
                0x00 | 0x01 | 0xD0..=0xD7 => at += 2, // stuffed 0xFF, TEM, restarts
                0xFF => at += 1,                      // fill byte
                SOI | EOI => {
                    at += 2;
                    return Some((marker, [].as_slice()));
                }
                _ => {
                    let length = usize::from(be16(bytes, at + 2)?);
                    let payload = bytes.get(at + 4..(at + 2).checked_add(length)?)?;
                    at += 2 + length;
                    return Some((marker, payload));
                }
            }
        }
    })
}

pub(super) fn header(bytes: &[u8]) -> Option<Header> {
    let mut orientation = None;
    for (marker, payload) in segments(bytes) {
        match marker {
            APP1 if orientation.is_none() && payload.starts_with(EXIF) => {
                orientation = payload.get(EXIF.len()..).map(exif::orientation);
            }
            0xC4 | 0xC8 | 0xCC => {} // tables, not frames
            0xC0..=0xCF => return frame(payload, orientation.unwrap_or_default()),
            SOS | EOI => return None,
            _ => {}
        }
    }
    None
}

fn frame(payload: &[u8], orientation: Orientation) -> Option<Header> {
    let (height, width) = (be16(payload, 1)?, be16(payload, 3)?);
    let components = *payload.get(5)?;
    if width == 0 || height == 0 || components == 0 {
        return None;
    }
    let coding = Coding::Jpeg {
        precision: *payload.first()?,
        components,
        coefficients: coefficients(payload, width, height),
    };
    Some(Header {
        format: Format::Jpeg,
        width: width.into(),
        height: height.into(),
        orientation,
        coding,
    })
}

/// Coefficients of all components, by their sampling factors; a frame cut short has those it names.
fn coefficients(payload: &[u8], width: u16, height: u16) -> u64 {
    let factors = payload.get(6..).unwrap_or_default().as_chunks::<3>().0.iter();
    let factors = factors.map(|[_, sampling, _]| (sampling >> 4, sampling & 15));
    let largest =
        |side: fn((u8, u8)) -> u8| u64::from(factors.clone().map(side).max().unwrap_or(1));
    let (across, down) = (largest(|(across, _)| across).max(1), largest(|(_, down)| down).max(1));
    // The picture in whole units of 8x8 blocks of the component that is sampled most.
    let columns = u64::from(width).div_ceil(8 * across);
    let rows = u64::from(height).div_ceil(8 * down);
    let blocks: u64 = factors.map(|(across, down)| u64::from(across) * u64::from(down)).sum();
    columns * rows * blocks * 64
}

/// The scans up to the end of the first picture; a preview behind it does not count.
pub(super) fn scans(bytes: &[u8]) -> u32 {
    let mut scans = 0;
    for (marker, _) in segments(bytes) {
        match marker {
            SOS => scans += 1,
            EOI => break,
            _ => {}
        }
    }
    scans
}
