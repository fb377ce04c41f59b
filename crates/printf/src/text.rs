//! Writes records as text.

use crate::format::{Conversion, Count, Piece, parse};
use crate::number::{Room, Value, write};
use muxcl_types::printf::{Arg, Class, Table};
use std::ffi::c_int;

/// Appends the text of every record in `bytes`, up to the first invalid record.
pub fn render_all(table: &Table, bytes: &[u8], out: &mut Vec<u8>) {
    let mut rest = bytes;
    while let Some(size) = word(rest, 0) {
        let size = size as usize;
        let Some((record, behind)) = rest.split_at_checked(size).filter(|_| size >= 8) else {
            return;
        };
        render(table, record, out);
        rest = behind;
    }
}

/// Appends the text of one record. An invalid record or argument gives no text.
pub fn render(table: &Table, record: &[u8], out: &mut Vec<u8>) {
    let Some(call) = word(record, 4).and_then(|n| table.calls.get(n as usize)) else { return };
    // The compiler checks every format, so this cannot fail for a table of the compiler's.
    let Ok(pieces) = parse(&call.format) else { return };
    let mut args = call.args.iter();
    let mut next = || args.next();
    for piece in &pieces {
        match piece {
            Piece::Text(text) => out.extend_from_slice(text),
            Piece::Conversion(c) => {
                let mut c = *c;
                let mut count = |count: Count| match count {
                    Count::None => None,
                    Count::Fixed(n) => c_int::try_from(n).ok(),
                    Count::Argument => {
                        next().and_then(|a| c_int::try_from(signed(element(record, a, 0)?, 4)).ok())
                    }
                };
                let width = count(c.width).map(|w| w.clamp(-(1 << 16), 1 << 16));
                // C ignores a negative precision.
                let precision = count(c.precision).filter(|p| *p >= 0).map(|p| p.min(1 << 16));
                if width.is_some_and(|w| w < 0) {
                    c.left = true;
                }
                let room = Room { width: width.map(c_int::abs), precision };
                if let Some(arg) = next() {
                    argument(table, record, &c, room, arg, out);
                }
            }
        }
    }
}

fn argument(
    table: &Table,
    record: &[u8],
    c: &Conversion,
    room: Room,
    arg: &Arg,
    out: &mut Vec<u8>,
) {
    if c.letter == b's' {
        let string = element(record, arg, 0).filter(|_| arg.class == Class::String);
        let string = string.and_then(|n| table.strings.get(usize::try_from(n).ok()?));
        text(c, room, string.map_or(b"(null)".as_slice(), Vec::as_slice), out);
        return;
    }
    // If the vector specifier is wrong, only the elements that exist are printed.
    let count = if c.vector == 0 { 1 } else { c.vector.min(arg.count) };
    for n in 0..count {
        if n > 0 {
            out.push(b',');
        }
        let Some(bits) = element(record, arg, n) else { return };
        write(c, room, value(c, arg, bits), out);
    }
}

/// The element as the type that the conversion prints. Another type is converted by C's rules.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_precision_loss,
    clippy::cast_sign_loss,
    reason = "the conversions are those of C"
)]
fn value(c: &Conversion, arg: &Arg, bits: u64) -> Value {
    let size = if c.length != 0 {
        c.length
    } else if c.vector != 0 || c.address_size {
        arg.size
    } else {
        4
    };
    let as_integer = || match arg.class {
        Class::Float => float(bits, arg.size) as i64 as u64,
        _ => signed(bits, arg.size) as u64,
    };
    match c.letter {
        b'p' => Value::Pointer(bits),
        b'c' => Value::Char(as_integer() as u8),
        b'd' | b'i' => Value::Signed(signed(as_integer(), size)),
        b'o' | b'u' | b'x' | b'X' => Value::Unsigned(unsigned(as_integer(), size)),
        _ => Value::Float(match arg.class {
            Class::Float => float(bits, arg.size),
            _ => signed(bits, arg.size) as f64,
        }),
    }
}

fn text(c: &Conversion, room: Room, string: &[u8], out: &mut Vec<u8>) {
    let end = string.iter().position(|&b| b == 0).unwrap_or(string.len());
    let most = room.precision.map_or(usize::MAX, |p| usize::try_from(p).unwrap_or(0));
    let string = string.get(..end.min(most)).unwrap_or_default();
    let width = usize::try_from(room.width.unwrap_or(0)).unwrap_or(0);
    let fill = std::iter::repeat_n(b' ', width.saturating_sub(string.len()));
    if c.left {
        out.extend_from_slice(string);
        out.extend(fill);
    } else {
        out.extend(fill);
        out.extend_from_slice(string);
    }
}

fn word(bytes: &[u8], at: usize) -> Option<u32> {
    bytes.get(at..at.checked_add(4)?).and_then(|b| b.try_into().ok()).map(u32::from_le_bytes)
}

/// The bits of element `n`.
fn element(record: &[u8], arg: &Arg, n: u8) -> Option<u64> {
    let size = usize::from(arg.size);
    let at = (arg.at as usize).checked_add(size * usize::from(n))?;
    let bytes = record.get(at..at.checked_add(size)?)?;
    Some(bytes.iter().rev().fold(0u64, |all, &b| all << 8 | u64::from(b)))
}

fn signed(bits: u64, size: u8) -> i64 {
    let unused = 64u32.saturating_sub(8 * u32::from(size)).min(63);
    (bits << unused).cast_signed() >> unused
}

fn unsigned(bits: u64, size: u8) -> u64 {
    let unused = 64u32.saturating_sub(8 * u32::from(size)).min(63);
    bits << unused >> unused
}

#[expect(clippy::cast_possible_truncation, reason = "the bits of a float of this size")]
fn float(bits: u64, size: u8) -> f64 {
    match size {
        2 => half(bits as u16),
        4 => f32::from_bits(bits as u32).into(),
        _ => f64::from_bits(bits),
    }
}

/// Converts a half to a double, which is exact.
fn half(bits: u16) -> f64 {
    let fraction = f64::from(bits & 0x3ff);
    let magnitude = match bits >> 10 & 31 {
        0 => fraction * 2f64.powi(-24),
        31 if bits & 0x3ff == 0 => f64::INFINITY,
        31 => f64::NAN,
        exponent => (1024.0 + fraction) * 2f64.powi(i32::from(exponent) - 25),
    };
    if bits & 0x8000 == 0 { magnitude } else { -magnitude }
}

#[cfg(test)]
mod tests {
    use super::*;
    use muxcl_types::printf::Call;
    use proptest::prelude::*;

    enum A<'a> {
        I(&'a [i64], u8),
        F(&'a [f64], u8),
        S(u32),
        P(u64),
    }

    fn print(format: &str, args: &[A<'_>]) -> String {
        let mut call = Call { format: format.as_bytes().to_vec(), ..Call::default() };
        let mut record = vec![0u8; 8];
        for a in args {
            let mut put = |class, size: u8, elements: Vec<u64>| {
                let at = u32::try_from(record.len()).unwrap();
                call.args.push(Arg {
                    at,
                    class,
                    size,
                    count: u8::try_from(elements.len()).unwrap(),
                });
                for e in elements {
                    record.extend(&e.to_le_bytes()[..usize::from(size)]);
                }
            };
            match a {
                A::I(v, size) => {
                    put(Class::Integer, *size, v.iter().map(|n| n.cast_unsigned()).collect())
                }
                #[expect(clippy::cast_possible_truncation, reason = "test values are floats")]
                A::F(v, 4) => put(
                    Class::Float,
                    4,
                    v.iter().map(|f| u64::from((*f as f32).to_bits())).collect(),
                ),
                A::F(v, size) => put(Class::Float, *size, v.iter().map(|f| f.to_bits()).collect()),
                A::S(n) => put(Class::String, 4, vec![u64::from(*n)]),
                A::P(n) => put(Class::Pointer, 8, vec![*n]),
            }
        }
        let bytes = u32::try_from(record.len().next_multiple_of(8)).unwrap();
        record.resize(bytes as usize, 0);
        record[..4].copy_from_slice(&bytes.to_le_bytes());
        call.bytes = bytes;
        let table = Table { calls: vec![call], strings: vec![b"string".to_vec()] };
        let mut out = Vec::new();
        render_all(&table, &record, &mut out);
        String::from_utf8_lossy(&out).into_owned()
    }

    #[test]
    fn integers() {
        let i = |n: i64| [n];
        let (a, b, c, d, e, f) = (i(-1), i(2), i(3), i(4), i(5), i(6));
        let args = [A::I(&a, 4), A::I(&b, 4), A::I(&c, 4), A::I(&d, 4), A::I(&e, 4), A::I(&f, 4)];
        assert_eq!(print("%d|%5d|%-5d|%05d|%+d|% d", &args), "-1|    2|3    |00004|+5| 6");
        assert_eq!(print("%u %x %#o %X", &args[..4]), "4294967295 2 03 4");
        assert_eq!(
            print("%hhd %hu %ld", &[A::I(&i(300), 4), A::I(&i(-1), 4), A::I(&i(i64::MIN), 8)]),
            "44 65535 -9223372036854775808"
        );
        let (low, high) = (i(i64::MIN), i(-1));
        assert_eq!(
            print("%zd %zu %tx", &[A::I(&low, 8), A::I(&high, 8), A::I(&high, 8)]),
            "-9223372036854775808 18446744073709551615 ffffffffffffffff"
        );
        assert_eq!(
            print("%ti %zu %#zo", &[A::I(&high, 4), A::I(&high, 4), A::I(&b, 4)]),
            "-1 4294967295 02",
            "a device with 32-bit addresses"
        );
        assert_eq!(print("%c%c", &[A::I(&i(65), 4), A::I(&i(66), 4)]), "AB");
        assert_eq!(print("%.3d|%8.3d", &[A::I(&i(7), 4), A::I(&i(7), 4)]), "007|     007");
        assert_eq!(
            print(
                "%*d|%-*d|%.*d",
                &[
                    A::I(&i(4), 4),
                    A::I(&i(1), 4),
                    A::I(&i(-3), 4),
                    A::I(&i(2), 4),
                    A::I(&i(-1), 4),
                    A::I(&i(5), 4)
                ]
            ),
            "   1|2  |5"
        );
    }

    #[test]
    fn floats() {
        let f = |v: f64| [v];
        assert_eq!(
            print(
                "%f %.2f %e %g",
                &[A::F(&f(1.5), 4), A::F(&f(2.345), 8), A::F(&f(1e10), 8), A::F(&f(1e-5), 8)]
            ),
            "1.500000 2.35 1.000000e+10 1e-05"
        );
        assert_eq!(
            print("%a %A", &[A::F(&f(1.0), 8), A::F(&f(-0.1), 8)]),
            "0x1p+0 -0X1.999999999999AP-4"
        );
        assert_eq!(
            print(
                "%f %F %08f|%+f",
                &[
                    A::F(&f(f64::INFINITY), 8),
                    A::F(&f(f64::NEG_INFINITY), 8),
                    A::F(&f(f64::INFINITY), 4),
                    A::F(&f(f64::INFINITY), 4)
                ]
            ),
            "inf -INF      inf|+inf"
        );
        assert!(print("%f", &[A::F(&f(f64::NAN), 8)]).contains("nan"));
        assert_eq!(print("%.300f", &[A::F(&f(0.5), 8)]).len(), 302);
    }

    #[test]
    fn vectors_strings_and_pointers() {
        assert_eq!(
            print("%v4hlf", &[A::F(&[1.0, 2.0, 3.0, 4.5], 4)]),
            "1.000000,2.000000,3.000000,4.500000"
        );
        assert_eq!(print("[%5.1v2lf]", &[A::F(&[1.0, -2.0], 8)]), "[  1.0, -2.0]");
        assert_eq!(
            print("%v3hhd %#v2hx", &[A::I(&[-1, 2, 3, 0], 1), A::I(&[-1, 16], 2)]),
            "-1,2,3 0xffff,0x10"
        );
        assert_eq!(print("%v16hhu", &[A::I(&[7; 16], 1)]), ["7"; 16].join(","));
        assert_eq!(
            print("<%s|%8s|%-8s|%.3s>", &[A::S(0), A::S(0), A::S(0), A::S(0)]),
            "<string|  string|string  |str>"
        );
        assert_eq!(print("%s %p", &[A::S(u32::MAX), A::P(0x1000)]), "(null) 0x1000");
    }

    #[test]
    fn mismatches_are_converted_and_missing_arguments_left_out() {
        assert_eq!(print("%d %f", &[A::F(&[2.7], 8), A::I(&[3], 4)]), "2 3.000000");
        assert_eq!(print("%d %d.", &[A::I(&[1], 4)]), "1 .");
        assert_eq!(print("%s", &[A::I(&[1], 4)]), "(null)");
        assert_eq!(print("%v8d", &[A::I(&[1, 2], 4)]), "1,2");
    }

    #[test]
    fn halves_are_exact() {
        for (bits, v) in
            [(0x3c00, 1.0), (0xc000, -2.0), (0x0001, 5.960_464_477_539_063e-8), (0x7bff, 65504.0)]
        {
            assert_eq!(half(bits), v);
        }
        assert!(half(0x7c00).is_infinite() && half(0x7e00).is_nan());
    }

    proptest! {
        #[test]
        fn any_bytes_are_survived(format in prop::collection::vec(any::<u8>(), 0..24),
            record in prop::collection::vec(any::<u8>(), 0..64), at in 0..80u32, size in 0..9u8,
            count in 0..20u8) {
            let mut record = record;
            for (i, b) in record.iter_mut().enumerate().take(8) {
                *b = if i == 0 { 64 } else { 0 };
            }
            let classes = [Class::Integer, Class::Float, Class::Pointer, Class::String];
            let args = classes.iter().map(|&class| Arg { at, class, size, count }).collect();
            let table = Table { calls: vec![Call { format, args, bytes: 64 }], strings: vec![] };
            let mut out = Vec::new();
            render_all(&table, &record, &mut out);
        }

        #[test]
        fn any_conversion_with_any_bits(flags in "[-+ #0]{0,3}", width in "[0-9]{0,2}", precision in "(\\.[0-9]{0,2})?", letter in "[diouxXfFeEgGaAcsp]", bits: u64) {
            let format = format!("%{flags}{width}{precision}{letter}");
            let text = print(&format, &[A::I(&[bits.cast_signed()], 8)]);
            prop_assert!(!text.is_empty() || precision.starts_with('.') || letter == "c");
        }
    }
}
