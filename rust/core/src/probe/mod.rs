//! What a container says of itself, read without decoding a pixel and without allocating.
//!
//! These walks stand before every decoder: a size that is too large is refused here, in microseconds.

mod bytes;
mod exif;
mod gif;
mod jpeg;
mod png;
mod webp;

use crate::error::Error;
use crate::sniff::{Format, sniff};

/// The turn and mirror that a viewer applies, as EXIF counts them (TIFF tag 274).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Orientation {
    /// 1: as stored.
    #[default]
    Upright,
    /// 2: mirrored left to right.
    MirrorHorizontal,
    /// 3: turned by 180 degrees.
    Rotate180,
    /// 4: mirrored top to bottom.
    MirrorVertical,
    /// 5: mirrored along the main diagonal.
    Transpose,
    /// 6: turned by 90 degrees clockwise.
    Rotate90,
    /// 7: mirrored along the other diagonal.
    Transverse,
    /// 8: turned by 90 degrees counter-clockwise.
    Rotate270,
}

impl Orientation {
    /// The orientation with this EXIF number; every other number means upright, as viewers take it.
    #[must_use]
    pub const fn from_exif(value: u32) -> Self {
        match value {
            2 => Self::MirrorHorizontal,
            3 => Self::Rotate180,
            4 => Self::MirrorVertical,
            5 => Self::Transpose,
            6 => Self::Rotate90,
            7 => Self::Transverse,
            8 => Self::Rotate270,
            _ => Self::Upright,
        }
    }

    /// The EXIF number, 1 to 8.
    #[must_use]
    pub const fn to_exif(self) -> u8 {
        match self {
            Self::Upright => 1,
            Self::MirrorHorizontal => 2,
            Self::Rotate180 => 3,
            Self::MirrorVertical => 4,
            Self::Transpose => 5,
            Self::Rotate90 => 6,
            Self::Transverse => 7,
            Self::Rotate270 => 8,
        }
    }

    /// Width and height as a viewer shows them.
    #[must_use]
    pub const fn turn(self, width: u32, height: u32) -> (u32, u32) {
        match self {
            Self::Transpose | Self::Rotate90 | Self::Transverse | Self::Rotate270 => {
                (height, width)
            }
            _ => (width, height),
        }
    }
}

/// How the pixels are stored, as far as memory and time depend on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Coding {
    /// PNG: channels once palettes and transparent colours are expanded.
    Png { channels: u8 },
    /// JPEG: components, and the coefficients of all of them, subsampled as they are; whether three
    /// components are RGB, not luma and chroma; whether the process is the lossless one.
    Jpeg { components: u8, coefficients: u64, rgb: bool, lossless: bool },
    /// GIF: the first frame's own size, which may exceed the screen's.
    Gif { frame_width: u16, frame_height: u16 },
    /// WebP: whether pixels are VP8 (lossy), alpha has a chunk of its own, the file is animated.
    WebP { lossy: bool, alpha: bool, animated: bool },
}

/// What the header alone says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Header {
    /// The format, by signature.
    pub format: Format,
    /// Stored width in pixels, at least 1.
    pub width: u32,
    /// Stored height in pixels, at least 1.
    pub height: u32,
    /// How a viewer turns the stored pixels.
    pub orientation: Orientation,
    pub(crate) coding: Coding,
}

impl Header {
    /// Width and height as a viewer shows them.
    #[must_use]
    pub const fn oriented_size(&self) -> (u32, u32) {
        self.orientation.turn(self.width, self.height)
    }

    /// Refuses a picture whose decoder reads another size: the limits were checked with this one.
    pub(crate) fn agree(&self, width: u32, height: u32) -> Result<(), Error> {
        if (width, height) == (self.width, self.height) {
            Ok(())
        } else {
            Err(Error::decode("it states two sizes"))
        }
    }
}

/// The header, and what a walk over the whole container adds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Probe {
    /// What the header says.
    pub header: Header,
    /// Pictures in the file: 1 for a still one, 0 where the container holds none.
    pub frames: u32,
    /// Scans of a JPEG; 0 for the others.
    pub scans: u32,
}

/// The header of an image, or `None` where none can be read; time grows with the number of chunks or
/// segments, not with their size.
#[must_use]
pub fn header(bytes: &[u8]) -> Option<Header> {
    let format = sniff(bytes)?;
    // A fault of these walks must not leave this crate either.
    let walk = || match format {
        Format::Png => png::header(bytes),
        Format::Jpeg => jpeg::header(bytes),
        Format::Gif => gif::header(bytes),
        Format::WebP => webp::header(bytes),
        Format::Pdf => None,
    };
    std::panic::catch_unwind(walk).unwrap_or(None)
}

/// The header with frames and scans counted; time grows with the bytes.
#[must_use]
pub fn probe(bytes: &[u8]) -> Option<Probe> {
    let header = header(bytes)?;
    let frames = match header.format {
        Format::Png => png::frames(bytes),
        Format::Jpeg => 1,
        Format::Gif => gif::frames(bytes),
        Format::WebP => webp::frames(bytes),
        Format::Pdf => return None,
    };
    Some(Probe { header, frames, scans: scans(bytes, &header) })
}

/// The scans of a JPEG; 0 for the others.
pub(crate) fn scans(bytes: &[u8], header: &Header) -> u32 {
    if header.format == Format::Jpeg { jpeg::scans(bytes) } else { 0 }
}
