//! Conversion between pixels as bytes and as channels (OpenCL C, section 8.3).
//!
//! The conversion of an integer to a normalized float is one rounded operation: a division here, a
//! multiplication in kernels. The results differ by at most 1.5 units in the last place, as the
//! specification allows. The conversion of a float to a normalized integer follows the
//! specification's formula, as in kernels: `convert_char_sat_rte(f * 127.0f)` and the like, with
//! the product rounded to single precision; NaN becomes 0. Not here: where a pixel lies (`layout`).

use half::f16;

use crate::format::{Arrangement, Class, Format, channel as c};

/// The four channels of a pixel in a kernel: red, green, blue, alpha.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Color {
    /// A pixel of class [`Class::Float`].
    Float([f32; 4]),
    /// A pixel of class [`Class::Signed`].
    Signed([i32; 4]),
    /// A pixel of class [`Class::Unsigned`].
    Unsigned([u32; 4]),
}

/// The linear value of an sRGB byte.
#[must_use]
#[expect(clippy::cast_possible_truncation, reason = "rounded to the precision kernels have")]
pub fn srgb_to_linear(byte: u8) -> f32 {
    linear(f64::from(byte) / 255.0) as f32
}

fn linear(s: f64) -> f64 {
    if s <= 0.04045 { s / 12.92 } else { ((s + 0.055) / 1.055).powf(2.4) }
}

/// The sRGB byte nearest to a linear value.
#[must_use]
pub fn linear_to_srgb(value: f32) -> u8 {
    (0..255_u8)
        .take_while(|&b| f64::from(value) > linear((f64::from(b) + 0.5) / 255.0))
        .count()
        .try_into()
        .unwrap_or(255)
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_precision_loss,
    clippy::cast_sign_loss,
    reason = "in range by the clamp, and a bound of at most 16 bits"
)]
fn unorm(value: f32, most: u32) -> u32 {
    let most = most as f32;
    let scaled = value * most;
    if scaled.is_nan() { 0 } else { scaled.clamp(0.0, most).round_ties_even() as u32 }
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_precision_loss,
    reason = "in range by the clamp, and a bound of at most 16 bits"
)]
fn snorm(value: f32, most: i32) -> i32 {
    let most = most as f32;
    let scaled = value * most;
    if scaled.is_nan() { 0 } else { scaled.clamp(-most, most).round_ties_even() as i32 }
}

/// The fields of a packed type from red on: shift in bits, and greatest value.
fn fields(channel: u32) -> &'static [(u32, u32)] {
    match channel {
        c::UNORM_SHORT_565 => &[(11, 31), (5, 63), (0, 31)],
        c::UNORM_SHORT_555 => &[(10, 31), (5, 31), (0, 31)],
        c::UNORM_INT_101010 => &[(20, 1023), (10, 1023), (0, 1023)],
        c::UNORM_INT_101010_2 => &[(22, 1023), (12, 1023), (2, 1023), (0, 3)],
        _ => &[],
    }
}

/// Reorders channels from memory order to red, green, blue, alpha.
fn arranged<T: Copy>(arrangement: Arrangement, v: [T; 4], zero: T, one: T) -> [T; 4] {
    let [x, y, z, w] = v;
    match arrangement {
        Arrangement::Plain => v,
        Arrangement::A => [zero, zero, zero, x],
        Arrangement::Ra => [x, zero, zero, y],
        Arrangement::Bgra => [z, y, x, w],
        Arrangement::Argb => [y, z, w, x],
        Arrangement::Abgr => [w, z, y, x],
        Arrangement::Intensity => [x; 4],
        Arrangement::Luminance => [x, x, x, one],
    }
}

/// Reorders channels from red, green, blue, alpha to memory order.
fn in_memory<T: Copy>(arrangement: Arrangement, v: [T; 4]) -> [T; 4] {
    let [r, g, b, a] = v;
    match arrangement {
        Arrangement::Plain | Arrangement::Intensity | Arrangement::Luminance => v,
        Arrangement::A => [a; 4],
        Arrangement::Ra => [r, a, r, a],
        Arrangement::Bgra => [b, g, r, a],
        Arrangement::Argb => [a, r, g, b],
        Arrangement::Abgr => [a, b, g, r],
    }
}

fn word(bytes: &[u8]) -> u32 {
    bytes.iter().rev().fold(0, |all, &b| all << 8 | u32::from(b))
}

#[expect(clippy::cast_possible_wrap, reason = "the value is a bit pattern")]
fn signed(bytes: &[u8]) -> i32 {
    let shift = 32 - 8 * u32::try_from(bytes.len()).unwrap_or(4);
    (word(bytes) << shift) as i32 >> shift
}

#[expect(clippy::cast_precision_loss, reason = "the channels have few enough bits")]
fn float(format: Format, nth: usize, bytes: &[u8]) -> f32 {
    let normal = |most: u32| word(bytes) as f32 / most as f32;
    match format.channel() {
        // The alpha of an sRGB format is linear.
        c::UNORM_INT8 if format.is_srgb() && nth != 3 => {
            srgb_to_linear(bytes.first().copied().unwrap_or(0))
        }
        c::UNORM_INT8 => normal(255),
        c::UNORM_INT16 => normal(65535),
        c::SNORM_INT8 => (signed(bytes) as f32 / 127.0).max(-1.0),
        c::SNORM_INT16 => (signed(bytes) as f32 / 32767.0).max(-1.0),
        c::HALF_FLOAT => f16::from_bits((word(bytes) & 0xffff) as u16).to_f32(),
        _ => f32::from_bits(word(bytes)),
    }
}

/// The number of low bits of a pixel in a block of `cl_ext_image_raw10_raw12`. Each pixel's top 8
/// bits are a byte; the low bits of all pixels share the last byte.
fn low_bits(channel: u32) -> usize {
    if channel == c::UNSIGNED_INT_RAW10 { 2 } else { 4 }
}

/// The channels of pixel `nth` of a [`crate::format::PixelBlock`]. Missing bytes count as 0.
#[must_use]
pub fn decode_in(format: Format, bytes: &[u8], nth: usize) -> Color {
    let block = format.block();
    if block.pixels == 1 {
        return decode(format, bytes);
    }
    let byte = |n: usize| bytes.get(n).copied().map_or(0, u32::from);
    let low = low_bits(format.channel());
    let rest = byte(block.bytes - 1) >> (nth * low) & ((1 << low) - 1);
    Color::Unsigned([byte(nth) << low | rest, 0, 0, 1])
}

/// The channels of the first pixel in `bytes`. Missing bytes count as 0.
#[must_use]
#[expect(clippy::cast_precision_loss, reason = "fields have at most 10 bits")]
pub fn decode(format: Format, bytes: &[u8]) -> Color {
    if format.block().pixels != 1 {
        return decode_in(format, bytes, 0);
    }
    let size = format.channel_size();
    let at = |nth: usize| bytes.get(nth * size..(nth + 1) * size).unwrap_or(&[]);
    let arrangement = format.arrangement();
    let count = format.channels();
    match format.class() {
        Class::Signed => {
            let mut v = [0, 0, 0, 1];
            (0..count).for_each(|n| v[n] = signed(at(n)));
            Color::Signed(arranged(arrangement, v, 0, 1))
        }
        Class::Unsigned => {
            let mut v = [0, 0, 0, 1];
            (0..count).for_each(|n| v[n] = word(at(n)));
            Color::Unsigned(arranged(arrangement, v, 0, 1))
        }
        Class::Float => {
            let mut v = [0.0, 0.0, 0.0, 1.0];
            if format.is_packed() {
                for (slot, (shift, most)) in v.iter_mut().zip(fields(format.channel())) {
                    *slot = (word(at(0)) >> shift & most) as f32 / *most as f32;
                }
            } else {
                (0..count).for_each(|n| v[n] = float(format, n, at(n)));
            }
            Color::Float(arranged(arrangement, v, 0.0, 1.0))
        }
    }
}

fn put(out: &mut [u8], size: usize, nth: usize, bits: u32) {
    if let Some(slot) = out.get_mut(nth * size..(nth + 1) * size) {
        slot.copy_from_slice(&bits.to_le_bytes()[..size]);
    }
}

/// The bytes of a block of pixels of one colour: the first [`crate::format::PixelBlock::bytes`] of
/// the result. A colour of another class than the format's is taken as bit patterns.
#[must_use]
#[expect(clippy::cast_sign_loss, reason = "the values are bit patterns")]
#[expect(clippy::cast_possible_wrap, reason = "the values are bit patterns")]
pub fn encode(format: Format, color: Color) -> [u8; 16] {
    let mut out = [0; 16];
    let size = format.channel_size();
    let bits: [u32; 4] = match color {
        Color::Float(v) => v.map(f32::to_bits),
        Color::Signed(v) => v.map(|n| n as u32),
        Color::Unsigned(v) => v,
    };
    let block = format.block();
    if block.pixels != 1 {
        let low = low_bits(format.channel());
        let value = bits[0].min((1 << (8 + low)) - 1);
        for n in 0..block.pixels {
            out[n] = (value >> low).to_le_bytes()[0];
            out[block.bytes - 1] |= ((value & ((1 << low) - 1)) << (n * low)).to_le_bytes()[0];
        }
        return out;
    }
    let bits = in_memory(format.arrangement(), bits);
    if format.is_packed() {
        let fields = fields(format.channel()).iter().zip(bits);
        let packed = fields
            .fold(0, |all, ((shift, most), v)| all | unorm(f32::from_bits(v), *most) << shift);
        put(&mut out, size, 0, packed);
        return out;
    }
    for (nth, v) in bits.into_iter().enumerate().take(format.channels()) {
        let f = f32::from_bits(v);
        let value = match format.channel() {
            c::UNORM_INT8 if format.is_srgb() && nth != 3 => u32::from(linear_to_srgb(f)),
            c::UNORM_INT8 => unorm(f, 255),
            c::UNORM_INT16 => unorm(f, 65535),
            c::SNORM_INT8 => snorm(f, 127) as u32,
            c::SNORM_INT16 => snorm(f, 32767) as u32,
            c::HALF_FLOAT => u32::from(f16::from_f32(f).to_bits()),
            c::SIGNED_INT8 => (v as i32).clamp(-128, 127) as u32,
            c::SIGNED_INT16 => (v as i32).clamp(-32768, 32767) as u32,
            c::UNSIGNED_INT8 => v.min(255),
            c::UNSIGNED_INT16 => v.min(65535),
            _ => v,
        };
        put(&mut out, size, nth, value);
    }
    out
}

/// The colour of the `fill_color` of `clEnqueueFillImage`: four floats, signed or unsigned integers
/// by the format's class. For a depth format, only the first float counts.
#[must_use]
pub fn fill_color(format: Format, words: [u32; 4]) -> Color {
    match format.class() {
        Class::Float => Color::Float(words.map(f32::from_bits)),
        Class::Signed => Color::Signed(words.map(u32::cast_signed)),
        Class::Unsigned => Color::Unsigned(words),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::format::order as o;

    fn format(order: u32, channel: u32) -> Format {
        Format::new(order, channel).unwrap()
    }

    /// Every pattern of a channel of 8 or 16 bits is the same after decoding and encoding.
    /// Exceptions are NaNs, and the smallest signed normalized value: it decodes to -1, as does the
    /// next one.
    #[test]
    fn every_small_channel_comes_back() {
        for f in Format::supported()
            .filter(|f| f.channel_size() <= 2 && !f.is_packed() && f.is_writable())
        {
            let size = f.channel_size();
            for bits in 0..(1_u32 << (8 * size)) {
                let mut pixel = [0_u8; 16];
                for n in 0..f.channels() {
                    put(&mut pixel, size, n, bits.wrapping_add(u32::try_from(n).unwrap() * 77));
                }
                let back = encode(f, decode(f, &pixel[..f.pixel_size()]));
                for n in 0..f.channels() {
                    let (a, b) =
                        (&pixel[n * size..(n + 1) * size], &back[n * size..(n + 1) * size]);
                    let least = matches!(f.channel(), c::SNORM_INT8 | c::SNORM_INT16)
                        && signed(a) == -(1 << (8 * size - 1));
                    let nan = f.channel() == c::HALF_FLOAT
                        && u16::try_from(word(a)).is_ok_and(|bits| f16::from_bits(bits).is_nan());
                    assert!(
                        a == b || nan || (least && signed(b) == signed(a) + 1),
                        "{f:?} {a:?} {b:?}"
                    );
                }
            }
        }
    }

    /// The tables of `cl_ext_image_raw10_raw12`, which map each bit of a pixel to a bit of a byte.
    #[test]
    fn pixels_that_share_bytes() {
        for (channel, bits, low) in [(c::UNSIGNED_INT_RAW10, 10, 2), (c::UNSIGNED_INT_RAW12, 12, 4)]
        {
            let f = format(o::R, channel);
            let block = f.block();
            for pixel in 0..block.pixels {
                for bit in 0..bits {
                    let mut bytes = [0_u8; 5];
                    let (byte, at) = if bit >= low {
                        (pixel, bit - low)
                    } else {
                        (block.bytes - 1, pixel * low + bit)
                    };
                    bytes[byte] = 1 << at;
                    for other in 0..block.pixels {
                        let wanted = if other == pixel { 1 << bit } else { 0 };
                        assert_eq!(decode_in(f, &bytes, other), Color::Unsigned([wanted, 0, 0, 1]));
                    }
                }
            }
            for value in 0..(1_u32 << bits) + 9 {
                let bytes = encode(f, Color::Unsigned([value, 7, 7, 7]));
                let wanted = value.min((1 << bits) - 1);
                for pixel in 0..block.pixels {
                    assert_eq!(decode_in(f, &bytes, pixel), Color::Unsigned([wanted, 0, 0, 1]));
                }
                assert!(bytes[block.bytes..].iter().all(|b| *b == 0));
            }
        }
    }

    #[test]
    fn every_packed_pixel_comes_back() {
        for f in Format::supported().filter(|f| f.is_packed() && f.pixel_size() == 2) {
            let unused = if f.channel() == c::UNORM_SHORT_555 { 0x8000 } else { 0 };
            for bits in 0..=u16::MAX {
                let back = encode(f, decode(f, &bits.to_le_bytes()));
                assert_eq!(u16::from_le_bytes([back[0], back[1]]), bits & !unused, "{f:?}");
            }
        }
        let f = format(o::RGB, c::UNORM_INT_101010);
        for n in 0..1024_u32 {
            let bits = n << 20 | (1023 - n) << 10 | (n ^ 0x155);
            assert_eq!(word(&encode(f, decode(f, &bits.to_le_bytes()))[..4]), bits);
        }
    }

    /// Writes around every border between two values follow the formula of section 8.3.1.1 and keep
    /// its bound: at most 0.6 from the scaled value, saturated.
    #[test]
    fn normalized_writes_follow_the_formula() {
        for (channel, most) in [(c::UNORM_INT8, 255.0_f64), (c::UNORM_INT16, 65535.0)] {
            let f = format(o::R, channel);
            let mut n = -1.0;
            while n <= most + 1.0 {
                for nudge in [-1e-3, -1e-4, 0.0, 1e-4, 1e-3] {
                    #[expect(
                        clippy::cast_possible_truncation,
                        reason = "the test rounds its values to float"
                    )]
                    let value = ((n + 0.5 + nudge) / most) as f32;
                    let got =
                        word(&encode(f, Color::Float([value, 0.0, 0.0, 1.0]))[..f.pixel_size()]);
                    let exact = (f64::from(value) * most).clamp(0.0, most);
                    assert!((f64::from(got) - exact).abs() <= 0.6, "{value} {got}");
                    #[expect(
                        clippy::cast_possible_truncation,
                        reason = "the value is a small integer"
                    )]
                    let most = most as f32;
                    let formula = (value * most).clamp(0.0, most).round_ties_even();
                    assert_eq!(f64::from(got), f64::from(formula), "{value}");
                }
                n += 1.0;
            }
            let pixel = |v: f32| word(&encode(f, Color::Float([v; 4]))[..f.pixel_size()]);
            assert_eq!((pixel(f32::NAN), pixel(f32::INFINITY), pixel(-1.0)), (0, pixel(1.0), 0));
        }
        let f = format(o::R, c::SNORM_INT8);
        let pixel = |v: f32| signed(&encode(f, Color::Float([v; 4]))[..1]);
        assert_eq!([-2.0, -1.0, 0.0, 1.0, 7.0, f32::NAN].map(pixel), [-127, -127, 0, 127, 127, 0]);
        // The product in single precision is a tie; the exact product is above the tie.
        assert_eq!([62.5 / 127.0, -62.5 / 127.0].map(pixel), [62, -62]);
    }

    #[test]
    fn srgb_is_monotonic_and_exact_at_its_bytes() {
        for b in 0..=255_u8 {
            assert_eq!(linear_to_srgb(srgb_to_linear(b)), b);
        }
        assert_eq!(
            (linear_to_srgb(-1.0), linear_to_srgb(2.0), linear_to_srgb(f32::NAN)),
            (0, 255, 0)
        );
    }

    #[test]
    fn orders() {
        let bytes = [10, 20, 30, 40];
        let seen = |order| match decode(format(order, c::UNSIGNED_INT8), &bytes) {
            Color::Unsigned(v) => v,
            other => panic!("{other:?}"),
        };
        assert_eq!(seen(o::R), [10, 0, 0, 1]);
        assert_eq!(seen(o::A), [0, 0, 0, 10]);
        assert_eq!(seen(o::RG), [10, 20, 0, 1]);
        assert_eq!(seen(o::RA), [10, 0, 0, 20]);
        assert_eq!(seen(o::RGBA), [10, 20, 30, 40]);
        assert_eq!(seen(o::BGRA), [30, 20, 10, 40]);
        assert_eq!(seen(o::ARGB), [20, 30, 40, 10]);
        assert_eq!(seen(o::ABGR), [40, 30, 20, 10]);
        let Color::Float(v) = decode(format(o::LUMINANCE, c::UNORM_INT8), &[255]) else { panic!() };
        assert_eq!(v, [1.0; 4]);
        let Color::Float(v) = decode(format(o::INTENSITY, c::UNORM_INT8), &[0]) else { panic!() };
        assert_eq!(v, [0.0; 4]);
    }

    #[test]
    fn integers_saturate() {
        let f = format(o::RGBA, c::SIGNED_INT8);
        assert_eq!(encode(f, Color::Signed([-1000, 1000, -5, 5]))[..4], [0x80, 0x7f, 0xfb, 5]);
        let f = format(o::RGBA, c::UNSIGNED_INT16);
        assert_eq!(
            encode(f, Color::Unsigned([70000, 65535, 1, 0]))[..8],
            [0xff, 0xff, 0xff, 0xff, 1, 0, 0, 0]
        );
    }
}
