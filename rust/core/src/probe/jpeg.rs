//! JPEG: the frame header (SOFn), EXIF orientation, and the number of scans.

use super::bytes::be16;
use super::{Coding, Header, Orientation, exif};
use crate::sniff::Format;

const SOI: u8 = 0xD8;
const EOI: u8 = 0xD9;
const SOS: u8 = 0xDA;
const APP0: u8 = 0xE0;
const APP1: u8 = 0xE1;
const APP14: u8 = 0xEE;
const JFIF: &[u8] = b"JFIF\0";
const EXIF: &[u8] = b"Exif\0\0";
const ADOBE: &[u8] = b"Adobe";

/// Each marker with its segment's payload (empty for markers without one), entropy-coded data skipped.
fn segments(bytes: &[u8]) -> impl Iterator<Item = (u8, &[u8])> {
    let mut at = 0;
    std::iter::from_fn(move || {
        loop {
            at += bytes.get(at..)?.iter().position(|byte| *byte == 0xFF)?;
            let marker = *bytes.get(at + 1)?;
            match marker {
                0x00 | 0x01 | 0xD0..=0xD7 => at += 2, // stuffed 0xFF, TEM, restarts
                0xFF => at += 1,                      // fill byte
                SOI | EOI => {
                    at += 2;
                    return Some((marker, [].as_slice()));
                }
                _ => {
                    let length = usize::from(be16(bytes, at + 2)?);
                    let payload = bytes.get(at + 4..(at + 2).checked_add(length)?)?;
                    at += 2 + length;
                    return Some((marker, payload));
                }
            }
        }
    })
}

/// What stands before the first scan and bears on the picture; the first of each kind counts.
#[derive(Default)]
struct Preamble<'a> {
    frame: Option<(u8, &'a [u8])>,
    orientation: Option<Orientation>,
    jfif: bool,
    adobe_transform: Option<u8>,
}

impl<'a> Preamble<'a> {
    fn read(bytes: &'a [u8]) -> Self {
        let mut seen = Self::default();
        for (marker, payload) in segments(bytes) {
            match marker {
                APP0 => seen.jfif |= payload.starts_with(JFIF),
                APP1 if payload.starts_with(EXIF) => {
                    let tiff = payload.get(EXIF.len()..).unwrap_or_default();
                    seen.orientation = seen.orientation.or(Some(exif::orientation(tiff)));
                }
                APP14 if payload.starts_with(ADOBE) => {
                    seen.adobe_transform = seen.adobe_transform.or(payload.get(11).copied());
                }
                0xC4 | 0xC8 | 0xCC => {} // tables, not frames
                0xC0..=0xCF => seen.frame = seen.frame.or(Some((marker, payload))),
                SOS | EOI => break,
                _ => {}
            }
        }
        seen
    }

    /// Whether three components are red, green and blue as they stand, by the rules that libjpeg made
    /// common: JFIF is never so, Adobe says it, and without either the names of the components do.
    fn is_rgb(&self, names: [u8; 3]) -> bool {
        match self.adobe_transform {
            _ if self.jfif => false,
            Some(transform) => transform == 0,
            None => names == *b"RGB",
        }
    }
}

pub(super) fn header(bytes: &[u8]) -> Option<Header> {
    let seen = Preamble::read(bytes);
    let (marker, frame) = seen.frame?;
    let (height, width) = (be16(frame, 1)?, be16(frame, 3)?);
    let components = *frame.get(5)?;
    if width == 0 || height == 0 || components == 0 {
        return None;
    }
    let names = [6, 9, 12].map(|at| frame.get(at).copied().unwrap_or_default());
    let coding = Coding::Jpeg {
        components,
        coefficients: coefficients(frame, width, height),
        rgb: components == 3 && seen.is_rgb(names),
        lossless: matches!(marker, 0xC3 | 0xC7 | 0xCB | 0xCF),
    };
    Some(Header {
        format: Format::Jpeg,
        width: width.into(),
        height: height.into(),
        orientation: seen.orientation.unwrap_or_default(),
        coding,
    })
}

/// Coefficients of all components, by their sampling factors; a frame cut short has those it names.
fn coefficients(payload: &[u8], width: u16, height: u16) -> u64 {
    let factors = payload.get(6..).unwrap_or_default().as_chunks::<3>().0.iter();
    let factors = factors.map(|[_, sampling, _]| (sampling >> 4, sampling & 15));
    let largest =
        |side: fn((u8, u8)) -> u8| u64::from(factors.clone().map(side).max().unwrap_or(1));
    let (across, down) = (largest(|(across, _)| across).max(1), largest(|(_, down)| down).max(1));
    // The picture in whole units of 8x8 blocks of the component that is sampled most.
    let columns = u64::from(width).div_ceil(8 * across);
    let rows = u64::from(height).div_ceil(8 * down);
    let blocks: u64 = factors.map(|(across, down)| u64::from(across) * u64::from(down)).sum();
    columns * rows * blocks * 64
}

/// The scans up to the end of the first picture; a preview behind it does not count.
pub(super) fn scans(bytes: &[u8]) -> u32 {
    let mut scans = 0;
    for (marker, _) in segments(bytes) {
        match marker {
            SOS => scans += 1,
            EOI => break,
            _ => {}
        }
    }
    scans
}
