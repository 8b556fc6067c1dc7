//! GIF: the logical screen and the blocks behind it.

use super::bytes::le16;
use super::{Coding, Header, Orientation};
use crate::sniff::Format;

const SCREEN: usize = 6;
const IMAGE: u8 = 0x2C;
const EXTENSION: u8 = 0x21;

struct Frame {
    width: u16,
    height: u16,
}

/// Each image descriptor whose block begins within the bytes.
fn frames_of(bytes: &[u8]) -> impl Iterator<Item = Frame> {
    let mut at = bytes.get(SCREEN + 4).map(|flags| SCREEN + 7 + colour_table(*flags));
    std::iter::from_fn(move || {
        loop {
            let start = at?;
            at = None;
            match *bytes.get(start)? {
                EXTENSION => at = Some(skip_sub_blocks(bytes, start + 2)?),
                IMAGE => {
                    let frame =
                        Frame { width: le16(bytes, start + 5)?, height: le16(bytes, start + 7)? };
                    // Behind the descriptor and its table stands the LZW code size, then the data.
                    let data = start + 10 + colour_table(*bytes.get(start + 9)?) + 1;
                    at = skip_sub_blocks(bytes, data);
                    return Some(frame);
                }
                _ => return None, // the trailer, or a block that no decoder reads past
            }
        }
    })
}

const fn colour_table(flags: u8) -> usize {
    if flags & 0x80 == 0 { 0 } else { 3 << ((flags & 7) + 1) }
}

fn skip_sub_blocks(bytes: &[u8], mut at: usize) -> Option<usize> {
    loop {
        let length = usize::from(*bytes.get(at)?);
        at += 1 + length;
        if length == 0 {
            return Some(at);
        }
    }
}

pub(super) fn header(bytes: &[u8]) -> Option<Header> {
    let (width, height) = (le16(bytes, SCREEN)?, le16(bytes, SCREEN + 2)?);
    if width == 0 || height == 0 {
        return None;
    }
    let frame = frames_of(bytes).next().unwrap_or(Frame { width, height });
    let coding = Coding::Gif { frame_width: frame.width, frame_height: frame.height };
    Some(Header {
        format: Format::Gif,
        width: width.into(),
        height: height.into(),
        orientation: Orientation::Upright,
        coding,
    })
}

pub(super) fn frames(bytes: &[u8]) -> u32 {
    u32::try_from(frames_of(bytes).count()).unwrap_or(u32::MAX)
}
