//! Decoded pixels: 8 bits a sample, rows from the top, samples interleaved.

use fast_image_resize::images::Image;
use fast_image_resize::{FilterType, MulDiv, PixelType, ResizeAlg, ResizeOptions, Resizer};

use crate::error::Error;
use crate::probe::Orientation;

const OPAQUE: u8 = 255;

/// From this alpha on a pixel hides nothing that an eye would find.
const NEARLY_OPAQUE: u8 = 250;

/// Rows that are transposed together.
const BAND: usize = 32;

/// What the samples of one pixel are; the discriminant is their number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Samples {
    Grey = 1,
    GreyAlpha = 2,
    Rgb = 3,
    Rgba = 4,
}

impl Samples {
    pub(super) const fn count(self) -> usize {
        self as usize
    }

    const fn has_alpha(self) -> bool {
        matches!(self, Self::GreyAlpha | Self::Rgba)
    }

    const fn without_alpha(self) -> Self {
        match self {
            Self::Grey | Self::GreyAlpha => Self::Grey,
            Self::Rgb | Self::Rgba => Self::Rgb,
        }
    }

    const fn pixel_type(self) -> PixelType {
        match self {
            Self::Grey => PixelType::U8,
            Self::GreyAlpha => PixelType::U8x2,
            Self::Rgb => PixelType::U8x3,
            Self::Rgba => PixelType::U8x4,
        }
    }
}

/// A picture in memory; `pixels` holds exactly width x height x samples bytes.
#[derive(Clone, Debug)]
pub(super) struct Raster {
    pub(super) width: u32,
    pub(super) height: u32,
    /// How far the picture reaches into its last column and row, in pixels: a decoder that halves 25
    /// columns gives 13, of which the last is half padding.
    pub(super) reach: (f64, f64),
    pub(super) samples: Samples,
    pub(super) pixels: Vec<u8>,
}

impl Raster {
    /// A picture that fills its pixels; refuses a buffer of another size than theirs.
    pub(super) fn whole(
        width: u32,
        height: u32,
        samples: Samples,
        pixels: Vec<u8>,
    ) -> Result<Self, Error> {
        if pixels.len() != width as usize * height as usize * samples.count() {
            return Err(Error::decode("its pixels do not fill its size"));
        }
        let reach = (f64::from(width), f64::from(height));
        Ok(Self { width, height, reach, samples, pixels })
    }

    pub(super) const fn has_alpha(&self) -> bool {
        self.samples.has_alpha()
    }

    /// The same picture without an alpha channel where every pixel is as good as opaque.
    pub(super) fn without_idle_alpha(self) -> Self {
        if !self.has_alpha() {
            return self;
        }
        let count = self.samples.count();
        let opaque = |pixel: &[u8]| pixel.last().is_some_and(|alpha| *alpha >= NEARLY_OPAQUE);
        if self.pixels.chunks_exact(count).all(opaque) { self.on_white() } else { self }
    }

    /// The picture on a white ground; as it is where it has no alpha channel.
    pub(super) fn on_white(self) -> Self {
        if !self.has_alpha() {
            return self;
        }
        self.map_colours(|colour, alpha| {
            let (colour, alpha) = (u32::from(colour), u32::from(alpha));
            let mixed = (colour * alpha + 255 * (255 - alpha) + 127) / 255;
            u8::try_from(mixed).unwrap_or(u8::MAX)
        })
    }

    /// Drops the alpha channel in place, each colour sample replaced by what it makes with its alpha.
    fn map_colours(mut self, mix: impl Fn(u8, u8) -> u8) -> Self {
        let (count, colours) = (self.samples.count(), self.samples.without_alpha().count());
        let mut sample = [0_u8; 4];
        for pixel in 0..self.pixels.len() / count {
            let from = pixel * count;
            let (Some(source), Some(copy)) =
                (self.pixels.get(from..from + count), sample.get_mut(..count))
            else {
                break;
            };
            copy.copy_from_slice(source);
            let alpha = copy.last().copied().unwrap_or(OPAQUE);
            let target = self.pixels.get_mut(pixel * colours..(pixel + 1) * colours);
            for (to, colour) in target.into_iter().flatten().zip(sample) {
                *to = mix(colour, alpha);
            }
        }
        self.pixels.truncate(self.pixels.len() / count * colours);
        self.samples = self.samples.without_alpha();
        self
    }

    /// Resized with Lanczos3, colours weighted by their alpha; as it is where the size stays.
    pub(super) fn resized(self, width: u32, height: u32) -> Result<Self, Error> {
        if (width, height) == (self.width, self.height) {
            return Self::whole(width, height, self.samples, self.pixels);
        }
        let kind = self.samples.pixel_type();
        let mut source = Image::from_vec_u8(self.width, self.height, self.pixels, kind)
            .map_err(Error::encode)?;
        let mut target = Image::new(width, height, kind);
        // Multiplied in place: the resizer's own alpha handling would hold the source twice.
        let alpha = MulDiv::new();
        if self.samples.has_alpha() {
            alpha.multiply_alpha_inplace(&mut source).map_err(Error::encode)?;
        }
        let options = ResizeOptions::new()
            .resize_alg(ResizeAlg::Convolution(FilterType::Lanczos3))
            .crop(0.0, 0.0, self.reach.0, self.reach.1)
            .use_alpha(false);
        Resizer::new().resize(&source, &mut target, &options).map_err(Error::encode)?;
        drop(source);
        if self.samples.has_alpha() {
            alpha.divide_alpha_inplace(&mut target).map_err(Error::encode)?;
        }
        Self::whole(width, height, self.samples, target.into_vec())
    }

    /// The stored pixels moved to where a viewer shows them.
    pub(super) fn oriented(self, orientation: Orientation) -> Self {
        match self.samples {
            Samples::Grey => self.oriented_by::<1>(orientation),
            Samples::GreyAlpha => self.oriented_by::<2>(orientation),
            Samples::Rgb => self.oriented_by::<3>(orientation),
            Samples::Rgba => self.oriented_by::<4>(orientation),
        }
    }

    fn oriented_by<const N: usize>(mut self, orientation: Orientation) -> Self {
        let row = self.width as usize;
        let (pixels, _) = self.pixels.as_chunks_mut::<N>();
        let mirror_rows = |pixels: &mut [[u8; N]]| {
            pixels.chunks_exact_mut(row).for_each(<[[u8; N]]>::reverse);
        };
        match orientation {
            Orientation::Upright => return self,
            Orientation::MirrorHorizontal => mirror_rows(pixels),
            Orientation::Rotate180 => pixels.reverse(),
            Orientation::MirrorVertical => {
                pixels.reverse();
                mirror_rows(pixels);
            }
            // The four that swap the sides are a mirror or a half turn of the transposed picture.
            Orientation::Transpose => return self.transposed::<N>(),
            Orientation::Rotate90 => {
                return self.transposed::<N>().oriented_by::<N>(Orientation::MirrorHorizontal);
            }
            Orientation::Transverse => {
                return self.transposed::<N>().oriented_by::<N>(Orientation::Rotate180);
            }
            Orientation::Rotate270 => {
                return self.transposed::<N>().oriented_by::<N>(Orientation::MirrorVertical);
            }
        }
        self
    }

    fn transposed<const N: usize>(self) -> Self {
        let (width, height) = (self.width as usize, self.height as usize);
        let (pixels, _) = self.pixels.as_chunks::<N>();
        let mut turned = vec![0; self.pixels.len()];
        let (targets, _) = turned.as_chunks_mut::<N>();
        // Column by column within bands of rows, so that the cache holds what is read again next.
        for (band, rows) in pixels.chunks(width * BAND).enumerate() {
            for x in 0..width {
                let start = x * height + band * BAND;
                let column = rows.iter().skip(x).step_by(width);
                for (target, pixel) in targets.iter_mut().skip(start).zip(column) {
                    *target = *pixel;
                }
            }
        }
        let reach = (self.reach.1, self.reach.0);
        Self {
            width: self.height,
            height: self.width,
            reach,
            samples: self.samples,
            pixels: turned,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `abc` over `def`, one sample a pixel.
    fn letters() -> Raster {
        Raster::whole(3, 2, Samples::Grey, b"abcdef".to_vec()).unwrap()
    }

    #[test]
    fn each_orientation_puts_every_pixel_where_exif_says() {
        for (exif, size, expected) in [
            (1, (3, 2), b"abcdef"),
            (2, (3, 2), b"cbafed"),
            (3, (3, 2), b"fedcba"),
            (4, (3, 2), b"defabc"),
            (5, (2, 3), b"adbecf"),
            (6, (2, 3), b"daebfc"),
            (7, (2, 3), b"fcebda"),
            (8, (2, 3), b"cfbead"),
        ] {
            let turned = letters().oriented(Orientation::from_exif(exif));
            assert_eq!((turned.width, turned.height), size, "orientation {exif}");
            assert_eq!(turned.pixels, expected, "orientation {exif}");
        }
    }

    #[test]
    fn alpha_goes_where_it_is_idle_and_stays_where_it_is_used() {
        let pixels = vec![10, 20, 30, 255, 40, 50, 60, 255];
        let opaque = Raster::whole(2, 1, Samples::Rgba, pixels).unwrap();
        let mut glass = opaque.clone();
        glass.pixels[3] = 0;
        assert_eq!(opaque.without_idle_alpha().pixels, [10, 20, 30, 40, 50, 60]);
        assert_eq!(glass.clone().without_idle_alpha().samples, Samples::Rgba);
        assert_eq!(glass.on_white().pixels, [255, 255, 255, 40, 50, 60]);
    }
}
