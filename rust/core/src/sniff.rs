//! What bytes are, by their signature alone.

/// A format that the media door knows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// Portable Network Graphics, animated or not.
    Png,
    /// JPEG, whatever its process.
    Jpeg,
    /// GIF87a and GIF89a.
    Gif,
    /// WebP in a RIFF container: lossy, lossless or extended.
    WebP,
    /// Portable Document Format.
    Pdf,
}

impl Format {
    /// The IANA media type.
    #[must_use]
    pub const fn media_type(self) -> &'static str {
        match self {
            Self::Png => "image/png",
            Self::Jpeg => "image/jpeg",
            Self::Gif => "image/gif",
            Self::WebP => "image/webp",
            Self::Pdf => "application/pdf",
        }
    }
}

/// The format whose whole signature stands at the start of `bytes`.
#[must_use]
pub const fn sniff(bytes: &[u8]) -> Option<Format> {
    match bytes {
        [0x89, b'P', b'N', b'G', b'\r', b'\n', 0x1A, b'\n', ..] => Some(Format::Png),
        [0xFF, 0xD8, 0xFF, ..] => Some(Format::Jpeg),
        [b'G', b'I', b'F', b'8', b'7' | b'9', b'a', ..] => Some(Format::Gif),
        [b'R', b'I', b'F', b'F', _, _, _, _, b'W', b'E', b'B', b'P', ..] => Some(Format::WebP),
        [b'%', b'P', b'D', b'F', b'-', ..] => Some(Format::Pdf),
        _ => None,
    }
}
