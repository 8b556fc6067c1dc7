//! The orientation tag of an EXIF block (a TIFF file in small).

use super::Orientation;
use super::bytes::{be16, be32, le16, le32};

const ORIENTATION: u16 = 274;
const SHORT: u16 = 3;
const LONG: u16 = 4;

/// The orientation that a TIFF header and its first directory state, upright where they state none.
pub(super) fn orientation(tiff: &[u8]) -> Orientation {
    read(tiff).unwrap_or_default()
}

fn read(tiff: &[u8]) -> Option<Orientation> {
    let little = match tiff.get(..4)? {
        [b'I', b'I', 42, 0] => true,
        [b'M', b'M', 0, 42] => false,
        _ => return None,
    };
    let short = |at| if little { le16(tiff, at) } else { be16(tiff, at) };
    let long = |at| if little { le32(tiff, at) } else { be32(tiff, at) };

    let directory = usize::try_from(long(4)?).ok()?;
    for index in 0..usize::from(short(directory)?) {
        let entry = directory.checked_add(2 + 12 * index)?;
        if short(entry)? == ORIENTATION {
            return match short(entry + 2)? {
                SHORT => Some(Orientation::from_exif(short(entry + 8)?.into())),
                LONG => Some(Orientation::from_exif(long(entry + 8)?)),
                _ => None,
            };
        }
    }
    None
}
