//! Which encoding comes next: each step is predicted from the size of the last one, so that rungs
//! that cannot fit are never tried.

use super::Ladder;
use super::content::Content;

/// What is encoded how.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Rung {
    /// True-colour PNG, or a palette where it is exact.
    Png,
    /// The same pixels, searched longer for a shorter form.
    SlowPng,
    /// PNG with the nearest 256 colours.
    Palette,
    /// JPEG of this quality.
    Jpeg(u8),
}

/// One encode: a rung, at a fraction of the fitted picture's sides.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Attempt {
    pub(super) rung: Rung,
    pub(super) scale: f64,
}

/// What slow compression leaves of a fast one's bytes (measured on screenshots: 0.72 to 0.91).
const SLOW_SHARE: f64 = 0.9;
/// What a palette leaves of true colour's bytes (measured on screenshots: 0.25 to 0.45).
const PALETTE_SHARE: f64 = 0.45;
/// JPEG bytes grow with this power of the quantizer's step (measured on photos).
const STEP_POWER: f64 = -0.65;
/// Predictions aim this far below the target, so that a small error costs no further encode.
const MARGIN: f64 = 0.95;

pub(super) fn first(content: Content, ladder: &Ladder<'_>) -> Attempt {
    let rung = if content.flat || content.transparent {
        Rung::Png
    } else {
        Rung::Jpeg(ladder.qualities.first().copied().unwrap_or(ladder.last_quality))
    };
    Attempt { rung, scale: 1.0 }
}

/// The attempt to make after `last` came out at `bytes`, more than the target.
pub(super) fn next(
    content: Content,
    last: Attempt,
    bytes: usize,
    target: usize,
    ladder: &Ladder<'_>,
) -> Attempt {
    let share = ratio(target, bytes) * MARGIN;
    let same_size = |rung| Attempt { rung, scale: last.scale };
    let smaller = Attempt { rung: last.rung, scale: last.scale * share.sqrt() };
    match last.rung {
        Rung::Png if SLOW_SHARE <= share => same_size(Rung::SlowPng),
        Rung::Png | Rung::SlowPng if content.flat && PALETTE_SHARE <= share => {
            same_size(Rung::Palette)
        }
        Rung::Jpeg(quality) => lower_quality(quality, share, ladder.qualities).map_or_else(
            || {
                let lowest = ladder.qualities.iter().copied().fold(quality, u8::min);
                let left = share / predicted(quality, lowest);
                Attempt { rung: Rung::Jpeg(lowest), scale: last.scale * left.sqrt() }
            },
            same_size,
        ),
        _ if content.transparent => smaller,
        _ => same_size(Rung::Jpeg(ladder.qualities.get(1).copied().unwrap_or(ladder.last_quality))),
    }
}

/// The attempt that gives up the most, for a picture with this longest side.
pub(super) fn last_resort(longest: u32, ladder: &Ladder<'_>) -> Attempt {
    let scale = (f64::from(ladder.last_edge) / f64::from(longest.max(1))).min(1.0);
    Attempt { rung: Rung::Jpeg(ladder.last_quality), scale }
}

/// The best of the lower qualities whose predicted size fits.
fn lower_quality(last: u8, share: f64, qualities: &[u8]) -> Option<Rung> {
    let lower = qualities.iter().copied().filter(|quality| *quality < last);
    lower.filter(|quality| predicted(last, *quality) <= share).max().map(Rung::Jpeg)
}

/// What a quality leaves of another one's bytes.
fn predicted(from: u8, to: u8) -> f64 {
    (step(to) / step(from)).powf(STEP_POWER)
}

/// The quantizer's step at a quality, relative to quality 50 (the scale that libjpeg made common).
fn step(quality: u8) -> f64 {
    let quality = f64::from(quality.clamp(1, 99));
    if quality < 50.0 { 50.0 / quality } else { 2.0 - quality / 50.0 }
}

#[allow(clippy::cast_precision_loss, reason = "sizes of files; far below 2^52")]
fn ratio(part: usize, whole: usize) -> f64 {
    part as f64 / whole.max(1) as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    const LADDER: Ladder<'_> =
        Ladder { qualities: &[80, 60, 40, 20], last_edge: 1000, last_quality: 20, max_encodes: 5 };

    const PHOTO: Content = Content { transparent: false, flat: false };
    const FLAT: Content = Content { transparent: false, flat: true };

    fn after(content: Content, rung: Rung, bytes: usize) -> Attempt {
        next(content, Attempt { rung, scale: 1.0 }, bytes, 1_000, &LADDER)
    }

    #[test]
    fn a_photo_skips_the_qualities_that_cannot_fit() {
        assert_eq!(after(PHOTO, Rung::Jpeg(80), 1_200).rung, Rung::Jpeg(60));
        assert_eq!(after(PHOTO, Rung::Jpeg(80), 2_500).rung, Rung::Jpeg(20));
    }

    #[test]
    fn pixels_go_only_when_no_quality_is_left() {
        let attempt = after(PHOTO, Rung::Jpeg(80), 10_000);
        assert_eq!(attempt.rung, Rung::Jpeg(20));
        assert!((0.5..0.7).contains(&attempt.scale), "{attempt:?}");
    }

    #[test]
    fn a_flat_picture_tries_shorter_pngs_first_and_a_transparent_one_stays_png() {
        assert_eq!(after(FLAT, Rung::Png, 1_030).rung, Rung::SlowPng);
        assert_eq!(after(FLAT, Rung::Png, 1_800).rung, Rung::Palette);
        assert_eq!(after(FLAT, Rung::Png, 9_000).rung, Rung::Jpeg(60));
        let transparent = after(Content { transparent: true, ..PHOTO }, Rung::Png, 1_800);
        assert_eq!(transparent.rung, Rung::Png);
        assert!(transparent.scale < 0.74, "{transparent:?}");
    }
}
