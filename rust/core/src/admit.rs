//! A whole admission of bytes that need no change, in one call.

use crate::downsample::fits;
use crate::{armor, header, sniff};

/// An admitted picture or document.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fitting<'a> {
    /// The bytes in base64, as ASCII.
    pub base64: &'a [u8],
    /// Width and height as a viewer shows them; only where a square was given.
    pub size: Option<(u32, u32)>,
}

/// The admission of bytes that carry the signature of `media_type`, fit as they are into the square
/// and bytes of `fit` (longest side in pixels, size in bytes), where given, and encode to at most
/// `max_base64_length` characters. `None` otherwise, and then nothing has been encoded.
#[must_use]
pub fn admit_fitting<'a>(
    bytes: &[u8],
    media_type: &str,
    max_base64_length: usize,
    fit: Option<(u32, usize)>,
    scratch: &'a mut Vec<u8>,
) -> Option<Fitting<'a>> {
    if sniff(bytes)?.media_type() != media_type {
        return None;
    }
    let size = match fit {
        None => None,
        Some((max_edge, target_raw_size)) => {
            let header = header(bytes)?;
            if !fits(bytes, &header, max_edge, target_raw_size) {
                return None;
            }
            Some(header.oriented_size())
        }
    };
    if armor::encoded_length(bytes.len())? > max_base64_length {
        return None;
    }
    Some(Fitting { base64: armor::encode(bytes, scratch), size })
}
