//! PNG: IHDR, and the chunks that change what is shown (tRNS, eXIf, acTL).

use super::bytes::be32;
use super::{Coding, Header, Orientation, exif};
use crate::sniff::Format;

const SIGNATURE: usize = 8;
/// What JPEG puts before the block, and some writers here too.
const EXIF: &[u8] = b"Exif\0\0";

/// Each chunk's name and data, as far as both lie within the bytes.
fn chunks(bytes: &[u8]) -> impl Iterator<Item = (&[u8], &[u8])> {
    let mut at = SIGNATURE;
    std::iter::from_fn(move || {
        let length = usize::try_from(be32(bytes, at)?).ok()?;
        let data = at.checked_add(8)?;
        let end = data.checked_add(length)?;
        let chunk = (bytes.get(at + 4..data)?, bytes.get(data..end)?);
        // Behind the data stands its checksum; behind IEND stands nothing that belongs to the picture.
        at = if chunk.0 == b"IEND" { bytes.len() } else { end.checked_add(4)? };
        Some(chunk)
    })
}

pub(super) fn header(bytes: &[u8]) -> Option<Header> {
    // IHDR must come first; Apple's CgBI variant, which begins otherwise, has no decoder but theirs.
    let (b"IHDR", ihdr) = chunks(bytes).next()? else { return None };
    let (width, height) = (be32(ihdr, 0)?, be32(ihdr, 4)?);
    if width == 0 || height == 0 {
        return None;
    }
    let mut channels = match ihdr.get(9)? {
        0 => 1,
        2 | 3 => 3,
        4 => 2,
        6 => 4,
        _ => return None,
    };
    let mut orientation = Orientation::Upright;
    for (name, data) in chunks(bytes) {
        match name {
            b"tRNS" if channels % 2 == 1 => channels += 1,
            b"eXIf" => orientation = exif::orientation(data.strip_prefix(EXIF).unwrap_or(data)),
            _ => {}
        }
    }
    Some(Header {
        format: Format::Png,
        width,
        height,
        orientation,
        coding: Coding::Png { channels },
    })
}

/// Frames by acTL; a picture without one is still.
pub(super) fn frames(bytes: &[u8]) -> u32 {
    let mut frames = 0;
    for (name, data) in chunks(bytes) {
        match name {
            b"acTL" => return be32(data, 0).unwrap_or(0),
            b"IDAT" => frames = 1,
            _ => {}
        }
    }
    frames
}
