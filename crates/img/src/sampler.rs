//! Samplers: addressing and filtering by OpenCL C, section 8.2, in double precision.
//!
//! Tests compare the kernels' code (`builtins/src-cl/image`) with this reference. Only the numbers
//! of samplers are part of the driver.

/// The addressing mode: the result for a coordinate outside of the image. The numbers are OpenCL
/// C's `CLK_ADDRESS_*`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Addressing {
    /// Undefined: the application promises that every coordinate is inside.
    None = 0,
    /// The nearest pixel at the edge.
    ClampToEdge = 2,
    /// The border colour.
    Clamp = 4,
    /// The image is repeated.
    Repeat = 6,
    /// The image is repeated, every second time mirrored.
    MirroredRepeat = 8,
}

/// A sampler without its modes for mipmaps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sampler {
    /// Coordinates from 0 to 1 cover the image; else they are in pixels.
    pub normalized: bool,
    /// The addressing mode.
    pub addressing: Addressing,
    /// `CLK_FILTER_LINEAR`: the weighted mean of the 2, 4 or 8 nearest pixels; else the nearest
    /// pixel.
    pub linear: bool,
}

impl Sampler {
    /// The sampler's number in OpenCL C, which kernels read.
    #[must_use]
    pub fn bits(self) -> u32 {
        u32::from(self.normalized) | self.addressing as u32 | if self.linear { 0x20 } else { 0x10 }
    }

    /// The pixels that coordinate `s` reads along an axis of `n` pixels, with their weights. `None`
    /// means the border colour.
    #[must_use]
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_possible_wrap,
        clippy::cast_precision_loss,
        reason = "sizes of test images"
    )]
    pub fn axis(self, s: f64, n: usize) -> [(Option<usize>, f64); 2] {
        let size = n as f64;
        let u = match (self.normalized, self.addressing) {
            (false, _) => s,
            (true, Addressing::Repeat) => (s - s.floor()) * size,
            (true, Addressing::MirroredRepeat) => {
                (s - 2.0 * (0.5 * s).round_ties_even()).abs() * size
            }
            (true, _) => s * size,
        };
        let place = |i: i64| {
            let last = n as i64 - 1;
            let inside = match self.addressing {
                Addressing::Clamp if i < 0 || i > last => return None,
                Addressing::Repeat if self.normalized => i.rem_euclid(n as i64),
                _ => i.clamp(0, last),
            };
            usize::try_from(inside).ok()
        };
        if self.linear {
            let low = (u - 0.5).floor();
            let weight = u - 0.5 - low;
            [(place(low as i64), 1.0 - weight), (place(low as i64 + 1), weight)]
        } else {
            [(place(u.floor() as i64), 1.0), (None, 0.0)]
        }
    }

    /// The colour at the coordinates `at` of an image of `size` pixels, of up to three dimensions.
    /// `texel` returns the colour of a pixel, `border` is the border colour.
    #[must_use]
    pub fn sample(
        self,
        at: &[f64],
        size: &[usize],
        texel: &dyn Fn(&[usize]) -> [f32; 4],
        border: [f32; 4],
    ) -> [f64; 4] {
        let axes: Vec<_> = at.iter().zip(size).map(|(&s, &n)| self.axis(s, n)).collect();
        let mut sum = [0.0; 4];
        for corner in 0..1_usize << axes.len() {
            let mut weight = 1.0;
            let mut place = Some(Vec::new());
            for (n, axis) in axes.iter().enumerate() {
                let (i, w) = axis[corner >> n & 1];
                weight *= w;
                place = place.zip(i).map(|(mut list, i)| {
                    list.push(i);
                    list
                });
            }
            if weight != 0.0 {
                let color = place.map_or(border, |p| texel(&p));
                sum.iter_mut().zip(color).for_each(|(s, c)| *s += weight * f64::from(c));
            }
        }
        sum
    }
}

/// The modes by which a sampler chooses a level of a mipmapped image.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Lod {
    /// The weighted mean of the two nearest levels; else the nearest level.
    pub linear: bool,
    /// Lower bound of the level of detail.
    pub min: f32,
    /// Upper bound of the level of detail.
    pub max: f32,
}

impl Default for Lod {
    fn default() -> Self {
        Self { linear: false, min: 0.0, max: f32::MAX }
    }
}

/// Steps between two levels: a bound of the level of detail is stored in 12 bits.
const STEPS: f32 = 256.0;
/// The greatest bound in steps: a device has fewer than 16 levels.
const LAST: u32 = 0xfff;

/// A bound, rounded to the nearest step.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "between 0 and `LAST`")]
fn steps(bound: f32) -> u32 {
    (bound.clamp(0.0, LAST as f32 / STEPS) * STEPS).round_ties_even() as u32
}

impl Lod {
    /// The bits to add to [`Sampler::bits`]; 0 for the default, which samplers in OpenCL C have.
    #[must_use]
    pub fn bits(self) -> u32 {
        u32::from(self.linear) << 6 | steps(self.min) << 8 | (LAST - steps(self.max)) << 20
    }

    /// The levels that `lod` reads in an image of `count` levels, with their weights.
    #[must_use]
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "between 0 and the number of levels"
    )]
    pub fn levels(self, lod: f32, count: u32) -> [(u32, f64); 2] {
        let last = count.max(1) - 1;
        let lod = lod.max(self.min).min(self.max).clamp(0.0, last as f32);
        if self.linear {
            let low = lod.floor();
            let weight = f64::from(lod - low);
            [(low as u32, 1.0 - weight), ((low as u32 + 1).min(last), weight)]
        } else {
            // A tie takes the larger image.
            [(((lod + 0.5).ceil() - 1.0) as u32, 1.0), (last, 0.0)]
        }
    }
}

/// The level of detail of gradients: `x` and `y` are the changes of the normalized coordinates per
/// screen pixel, `size` is the size of level 0 in pixels.
#[must_use]
pub fn gradient_lod(x: &[f32], y: &[f32], size: &[usize]) -> f32 {
    #[expect(clippy::cast_precision_loss, reason = "sizes of test images")]
    let length = |g: &[f32]| {
        g.iter().zip(size).map(|(g, n)| (f64::from(*g) * *n as f64).powi(2)).sum::<f64>().sqrt()
    };
    #[expect(clippy::cast_possible_truncation, reason = "kernels compute in single precision")]
    let lod = length(x).max(length(y)).log2() as f32;
    lod
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn levels_of_detail() {
        assert_eq!(Lod::default().bits(), 0);
        assert_eq!(
            Lod { linear: true, min: 1.5, max: 2.0 }.bits(),
            0x40 | 384 << 8 | (4095 - 512) << 20
        );
        assert_eq!(Lod { min: f32::NAN, max: -1.0, ..Lod::default() }.bits(), 4095 << 20);
        let nearest = |lod| Lod::default().levels(lod, 4)[0].0;
        assert_eq!([-1.0, 0.5, 0.51, 1.5, 2.9, 9.0, f32::NAN].map(nearest), [0, 0, 1, 1, 3, 3, 0]);
        let linear = Lod { linear: true, min: 0.25, max: 2.5 };
        assert_eq!(linear.levels(1.75, 4), [(1, 0.25), (2, 0.75)]);
        assert_eq!(linear.levels(0.0, 4), [(0, 0.75), (1, 0.25)]);
        assert_eq!(linear.levels(9.0, 4), [(2, 0.5), (3, 0.5)]);
        assert_eq!(linear.levels(9.0, 2), [(1, 1.0), (1, 0.0)]);
        assert_eq!(gradient_lod(&[0.5, 0.0], &[0.0, 0.25], &[8, 64]), 4.0);
    }

    fn sampler(normalized: bool, addressing: Addressing, linear: bool) -> Sampler {
        Sampler { normalized, addressing, linear }
    }

    #[test]
    fn numbers_are_opencl_cs() {
        assert_eq!(sampler(true, Addressing::Repeat, true).bits(), 0x27);
        assert_eq!(sampler(false, Addressing::Clamp, false).bits(), 0x14);
    }

    #[test]
    fn addresses() {
        let nearest = |addressing, s: f64| sampler(true, addressing, false).axis(s, 4)[0].0;
        assert_eq!(
            [-0.1, 0.0, 0.99, 1.1].map(|s| nearest(Addressing::ClampToEdge, s)),
            [0, 0, 3, 3].map(Some)
        );
        assert_eq!([-0.1, 0.3, 1.1].map(|s| nearest(Addressing::Clamp, s)), [None, Some(1), None]);
        assert_eq!(
            [-0.1, 0.3, 1.1, 5.6].map(|s| nearest(Addressing::Repeat, s)),
            [3, 1, 0, 2].map(Some)
        );
        assert_eq!(
            [-0.1, 0.3, 1.1, 1.9].map(|s| nearest(Addressing::MirroredRepeat, s)),
            [0, 1, 3, 0].map(Some)
        );
    }

    #[test]
    fn weights_add_up() {
        for addressing in [Addressing::ClampToEdge, Addressing::Repeat, Addressing::MirroredRepeat]
        {
            let s = sampler(true, addressing, true);
            for n in -40..40 {
                let v = s.sample(
                    &[f64::from(n) / 16.0, 0.3],
                    &[5, 3],
                    &|_| [1.0, 2.0, 3.0, 4.0],
                    [9.0; 4],
                );
                assert!(
                    v.iter().zip([1.0, 2.0, 3.0, 4.0]).all(|(a, b)| (a - b).abs() < 1e-9),
                    "{v:?}"
                );
            }
        }
    }
}
