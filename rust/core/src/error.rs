//! Why a picture could not be made to fit. Each message says what was wrong and what was expected.

use std::fmt;

/// A failed downsample; the admission keeps the original bytes for each of these.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Error {
    /// The bytes carry none of the four image signatures.
    NotAnImage,
    /// The signature is right, but no size can be read behind it.
    NoHeader(&'static str),
    /// The header declares more pixels than the limit.
    TooManyPixels {
        /// Declared width in pixels.
        width: u32,
        /// Declared height in pixels.
        height: u32,
        /// The limit, in pixels.
        limit: u64,
    },
    /// Decoding and fitting would hold more memory than the limit.
    TooMuchMemory {
        /// What the header makes necessary, in bytes.
        needed: u64,
        /// The limit, in bytes.
        limit: u64,
    },
    /// A JPEG passes over its coefficients more often than the limit.
    TooManyScans {
        /// Scans in the file.
        scans: u32,
        /// The limit, in coefficients times scans.
        limit: u64,
    },
    /// The decoder refused the bytes: truncated, corrupt, or a variant that it does not know.
    Decode(String),
    /// An encoder or the resizer failed; a fault of ours, not of the bytes.
    Encode(String),
    /// No rung of the ladder, the last resort included, was small enough.
    TooLarge {
        /// The smallest result, in bytes.
        smallest: usize,
        /// The limit, in bytes.
        limit: usize,
    },
    /// A codec panicked; the panic was contained.
    Panicked(String),
}

impl Error {
    /// The decoder's refusal, for this cause.
    pub(crate) fn decode(cause: impl fmt::Display) -> Self {
        Self::Decode(cause.to_string())
    }

    /// An encoder's or the resizer's failure, for this cause.
    pub(crate) fn encode(cause: impl fmt::Display) -> Self {
        Self::Encode(cause.to_string())
    }
}

impl fmt::Display for Error {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotAnImage => {
                write!(out, "the bytes are no PNG, JPEG, GIF or WebP; give one of these four")
            }
            Self::NoHeader(format) => {
                write!(
                    out,
                    "no picture size can be read from the {format} header; the file is cut or corrupt"
                )
            }
            Self::TooManyPixels { width, height, limit } => write!(
                out,
                "the header declares {width}x{height} pixels, more than the limit of {limit}; raise max_pixels if this is wanted"
            ),
            Self::TooMuchMemory { needed, limit } => write!(
                out,
                "this picture needs {needed} bytes of memory, more than the limit of {limit}; raise max_alloc if this is wanted"
            ),
            Self::TooManyScans { scans, limit } => write!(
                out,
                "{scans} scans of this picture are more work than the limit of {limit}; save it with fewer scans"
            ),
            Self::Decode(cause) => write!(out, "the picture cannot be decoded: {cause}"),
            Self::Encode(cause) => write!(out, "the picture cannot be encoded: {cause}"),
            Self::TooLarge { smallest, limit } => write!(
                out,
                "the smallest version takes {smallest} bytes, more than the target of {limit}; raise target_raw_size"
            ),
            Self::Panicked(cause) => write!(out, "a codec failed on this picture: {cause}"),
        }
    }
}

impl std::error::Error for Error {}
