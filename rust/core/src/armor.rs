//! Base64, which carries bytes inside JSON: lenient in, canonical out, linear in time both ways.

use base64::Engine as _;
use base64::engine::{DecodePaddingMode, GeneralPurposeConfig};

/// What a caller may leave out: the padding, and zeros in the bits that the last character does not need.
const LENIENT: GeneralPurposeConfig = GeneralPurposeConfig::new()
    .with_decode_padding_mode(DecodePaddingMode::Indifferent)
    .with_decode_allow_trailing_bits(true);

// The crate's ready-made `STANDARD` is its scalar engine; `Simd` exists on these two targets only.
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
fn engine() -> base64::engine::Simd {
    base64::engine::Simd::standard(LENIENT)
}

#[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
fn engine() -> base64::engine::GeneralPurpose {
    base64::engine::GeneralPurpose::new(&base64::alphabet::STANDARD, LENIENT)
}

/// The number of characters that `raw` bytes take, padding included; `None` beyond the address space.
#[must_use]
pub const fn encoded_length(raw: usize) -> Option<usize> {
    base64::encoded_len(raw, true)
}

/// The canonical encoding: standard alphabet, padded, one line; ASCII, written into `scratch`.
#[must_use]
pub fn encode<'a>(bytes: &[u8], scratch: &'a mut Vec<u8>) -> &'a [u8] {
    let length = base64::encoded_len(bytes.len(), true).unwrap_or(usize::MAX);
    if scratch.len() < length {
        scratch.resize(length, 0);
    }
    let written = engine().encode_slice(bytes, scratch).unwrap_or(0);
    scratch.get(..written).unwrap_or_default()
}

/// The bytes that `text` stands for, or `None` where it is not base64.
///
/// Both alphabets, missing padding, ASCII white space and a `data:…;base64,` prefix are read.
#[must_use]
pub fn decode(text: &str) -> Option<Vec<u8>> {
    let payload = payload(text.trim_ascii())?.as_bytes();
    if let Ok(bytes) = engine().decode(payload) {
        return Some(bytes);
    }
    let plain: Vec<u8> =
        payload.iter().filter(|byte| !is_space(**byte)).map(|byte| standard(*byte)).collect();
    engine().decode(plain).ok()
}

/// The number of bytes that `text` would decode to, without decoding it; `None` where it is not base64.
#[must_use]
pub fn decoded_length(text: &str) -> Option<usize> {
    let payload = payload(text.trim_ascii())?.as_bytes();
    let (mut digits, mut padding) = (0_usize, 0_usize);
    for byte in payload.iter().filter(|byte| !is_space(**byte)) {
        match *byte {
            b'=' => padding += 1,
            digit if padding == 0 && is_digit(digit) => digits += 1,
            _ => return None,
        }
    }
    let rest = digits % 4;
    // One digit holds six bits, which is no byte; padding only ever fills the last group of four.
    if rest == 1 || padding > (4 - rest) % 4 {
        return None;
    }
    Some(digits / 4 * 3 + rest * 3 / 4)
}

/// What follows a `data:` prefix, or the whole of a text that has none.
fn payload(text: &str) -> Option<&str> {
    match text.get(..5) {
        Some(scheme) if scheme.eq_ignore_ascii_case("data:") => {
            let (header, payload) = text.split_once(',')?;
            let marker = header.len().checked_sub(7).and_then(|start| header.get(start..))?;
            marker.eq_ignore_ascii_case(";base64").then_some(payload)
        }
        _ => Some(text),
    }
}

const fn standard(byte: u8) -> u8 {
    match byte {
        b'-' => b'+',
        b'_' => b'/',
        other => other,
    }
}

const fn is_digit(byte: u8) -> bool {
    matches!(byte, b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'+' | b'/' | b'-' | b'_')
}

const fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\r' | b'\n' | 0x0C)
}
