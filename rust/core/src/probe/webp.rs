//! WebP: the RIFF chunks.

use super::bytes::{array, le16, le24, le32};
use super::{Coding, Header, Orientation, exif};
use crate::sniff::Format;

const FIRST_CHUNK: usize = 12;
const EXIF: &[u8] = b"Exif\0\0";

/// Each chunk's name and as much of its data as there is.
fn chunks(bytes: &[u8]) -> impl Iterator<Item = (&[u8], &[u8])> {
    chunks_from(bytes, FIRST_CHUNK)
}

fn chunks_from(bytes: &[u8], mut at: usize) -> impl Iterator<Item = (&[u8], &[u8])> {
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
            let canvas = (le24(data, 4)? + 1, le24(data, 7)? + 1);
            for (name, chunk) in chunks(bytes) {
                match name {
                    b"VP8 " | b"VP8L" => {
                        lossy |= name == b"VP8 ";
                        holds(name, chunk, canvas)?;
                    }
                    b"ALPH" => alpha = true,
                    b"ANMF" => frame_holds(chunk, canvas)?,
                    b"EXIF" => {
                        orientation = exif::orientation(chunk.strip_prefix(EXIF).unwrap_or(chunk));
                    }
                    _ => {}
                }
            }
            canvas
        }
        _ => return None,
    };
    if width == 0 || height == 0 {
        return None;
    }
    let coding = Coding::WebP { lossy, alpha, animated };
    Some(Header { format: Format::WebP, width, height, orientation, coding })
}

/// Whether a chunk of pixels has this size; the decoder would decode another one whole.
fn holds(name: &[u8], data: &[u8], size: (u32, u32)) -> Option<()> {
    let stated = if name == b"VP8 " { vp8(data)? } else { vp8l(data)? };
    (stated == size).then_some(())
}

/// Whether a frame of an animation lies within the canvas, and its pixels have the frame's size.
fn frame_holds(data: &[u8], canvas: (u32, u32)) -> Option<()> {
    let size = (le24(data, 6)? + 1, le24(data, 9)? + 1);
    if size.0 > canvas.0 || size.1 > canvas.1 {
        return None;
    }
    for (name, chunk) in chunks_from(data, 16) {
        if name == b"VP8 " || name == b"VP8L" {
            holds(name, chunk, size)?;
        }
    }
    Some(())
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
