//! WebP: the RIFF chunks.

use super::bytes::{array, le16, le24, le32};
use super::{Coding, Header, Orientation, exif};
use crate::sniff::Format;

const FIRST_CHUNK: usize = 12;
const EXIF: &[u8] = b"Exif\0\0";

/// Each chunk's name and as much of its data as there is.
fn chunks(bytes: &[u8]) -> impl Iterator<Item = (&[u8], &[u8])> {
    let mut at = FIRST_CHUNK;
    std::iter::from_fn(move || {
        let name = bytes.get(at..at.checked_add(4)?)?;
        let length = usize::try_from(le32(bytes, at + 4)?).ok()?;
        let data = bytes.get(at + 8..)?;
        at = at.checked_add(8)?.checked_add(length)?.checked_add(length & 1)?;
        Some((name, data.get(..length).unwrap_or(data)))
    })
}

pub(super) fn header(bytes: &[u8]) -> Option<Header> {
    let (name, data) = chunks(bytes).next()?;
    let (mut lossy, mut alpha, mut animated) = (name == b"VP8 ", false, false);
    let mut orientation = Orientation::Upright;
    let (width, height) = match name {
        b"VP8 " => vp8(data)?,
        b"VP8L" => vp8l(data)?,
        b"VP8X" => {
            animated = data.first()? & 0x02 != 0;
            for (name, data) in chunks(bytes) {
                match name {
                    b"VP8 " => lossy = true,
                    b"ALPH" => alpha = true,
                    b"EXIF" => {
                        orientation = exif::orientation(data.strip_prefix(EXIF).unwrap_or(data));
                    }
                    _ => {}
                }
            }
            (le24(data, 4)? + 1, le24(data, 7)? + 1)
        }
        _ => return None,
    };
    if width == 0 || height == 0 {
        return None;
    }
    let coding = Coding::WebP { lossy, alpha, animated };
    Some(Header { format: Format::WebP, width, height, orientation, coding })
}

fn vp8(data: &[u8]) -> Option<(u32, u32)> {
    let [0x9D, 0x01, 0x2A] = array(data, 3)? else { return None };
    let side = |at| le16(data, at).map(|value| u32::from(value & 0x3FFF));
    Some((side(6)?, side(8)?))
}

fn vp8l(data: &[u8]) -> Option<(u32, u32)> {
    if *data.first()? != 0x2F {
        return None;
    }
    let packed = le32(data, 1)?;
    Some(((packed & 0x3FFF) + 1, ((packed >> 14) & 0x3FFF) + 1))
}

pub(super) fn frames(bytes: &[u8]) -> u32 {
    let mut frames = 0_u32;
    for (name, _) in chunks(bytes) {
        match name {
            b"ANMF" => frames = frames.saturating_add(1),
            b"VP8 " | b"VP8L" => return 1,
            _ => {}
        }
    }
    frames
}
