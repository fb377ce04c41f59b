//! The element types of buffers and arguments: conversion between numbers and bytes.

use anyhow::{Context as _, Result, bail};
use half::f16;

use crate::Number;

/// A scalar type of OpenCL C, by its Rust name.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Element {
    /// A signed integer of this many bytes.
    Int(usize),
    /// An unsigned integer of this many bytes.
    Uint(usize),
    /// A floating-point number of this many bytes.
    Float(usize),
}

impl Element {
    /// Parses `i8` to `f64`.
    pub fn parse(name: &str) -> Result<Self> {
        let bits: usize = name
            .get(1..)
            .and_then(|bits| bits.parse().ok())
            .with_context(|| format!("no type `{name}`"))?;
        Ok(match (&name[..1], bits) {
            ("i", 8 | 16 | 32 | 64) => Self::Int(bits / 8),
            ("u", 8 | 16 | 32 | 64) => Self::Uint(bits / 8),
            ("f", 16 | 32 | 64) => Self::Float(bits / 8),
            _ => bail!("no type `{name}`"),
        })
    }

    /// The name that [`Self::parse`] reads.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Int(1) => "i8",
            Self::Int(2) => "i16",
            Self::Int(4) => "i32",
            Self::Int(_) => "i64",
            Self::Uint(1) => "u8",
            Self::Uint(2) => "u16",
            Self::Uint(4) => "u32",
            Self::Uint(_) => "u64",
            Self::Float(2) => "f16",
            Self::Float(4) => "f32",
            Self::Float(_) => "f64",
        }
    }

    /// The smallest and the largest number of an integer type.
    #[must_use]
    pub fn range(self) -> Option<(i128, i128)> {
        match self {
            Self::Int(size) => Some((-1 << (8 * size - 1), (1 << (8 * size - 1)) - 1)),
            Self::Uint(size) => Some((0, (1 << (8 * size)) - 1)),
            Self::Float(_) => None,
        }
    }

    /// Size of an element in bytes.
    #[must_use]
    pub fn size(self) -> usize {
        match self {
            Self::Int(size) | Self::Uint(size) | Self::Float(size) => size,
        }
    }

    /// Appends `value`, wrapped or rounded to the type.
    pub fn put(self, value: Number, bytes: &mut Vec<u8>) {
        match self {
            Self::Int(size) | Self::Uint(size) => {
                bytes.extend(&value.integer().to_le_bytes()[..size])
            }
            Self::Float(2) => bytes.extend(f16::from_f64(value.float()).to_le_bytes()),
            #[expect(
                clippy::cast_possible_truncation,
                reason = "the result is rounded to the type"
            )]
            Self::Float(4) => bytes.extend((value.float() as f32).to_le_bytes()),
            Self::Float(_) => bytes.extend(value.float().to_le_bytes()),
        }
    }

    /// The element at `index` of `bytes`; `None` past the end.
    #[must_use]
    pub fn get(self, bytes: &[u8], index: usize) -> Option<Number> {
        let size = self.size();
        let bytes = bytes.get(index.checked_mul(size)?..)?.get(..size)?;
        let mut wide = [0_u8; 8];
        wide[..size].copy_from_slice(bytes);
        let raw = u64::from_le_bytes(wide);
        Some(match self {
            Self::Uint(_) => Number::Int(i128::from(raw)),
            Self::Int(size) => Number::Int(sign_extend(raw, size)),
            Self::Float(2) => Number::Float(f16::from_le_bytes([wide[0], wide[1]]).to_f64()),
            Self::Float(4) => {
                Number::Float(f64::from(f32::from_le_bytes([wide[0], wide[1], wide[2], wide[3]])))
            }
            Self::Float(_) => Number::Float(f64::from_le_bytes(wide)),
        })
    }

    /// The digits that distinguish `value` from the type's other numbers; an [`Expression`] reads
    /// them as the same number.
    ///
    /// [`Expression`]: crate::Expression
    #[must_use]
    #[expect(clippy::cast_possible_truncation, reason = "the number is one of the type")]
    pub fn text(self, value: Number) -> String {
        let digits = match (self, value) {
            (Self::Float(8), value) => format!("{:?}", value.float()),
            (Self::Float(_), value) => format!("{:?}", value.float() as f32),
            (_, value) => value.integer().to_string(),
        };
        digits.to_lowercase()
    }

    /// `value` after a round trip through this type.
    #[must_use]
    pub fn convert(self, value: Number) -> Number {
        let mut bytes = Vec::new();
        self.put(value, &mut bytes);
        self.get(&bytes, 0).unwrap_or(value)
    }
}

fn sign_extend(raw: u64, size: usize) -> i128 {
    let bits = size * 8;
    let value = i128::from(raw);
    if value >> (bits - 1) & 1 == 1 { value - (1_i128 << bits) } else { value }
}

#[cfg(test)]
#[expect(clippy::cast_possible_truncation, reason = "the numbers are floats")]
mod tests {
    use super::*;
    use crate::Scope;

    #[test]
    fn round_trips() {
        for name in ["i8", "i16", "i32", "i64"] {
            let element = Element::parse(name).unwrap();
            assert_eq!(element.convert(Number::Int(-3)), Number::Int(-3));
            assert_eq!(element.name(), name);
            let (low, high) = element.range().unwrap();
            assert_eq!(element.convert(Number::Int(low)), Number::Int(low));
            assert_eq!(element.convert(Number::Int(high + 1)), Number::Int(low));
        }
        assert_eq!(Element::parse("u8").unwrap().convert(Number::Int(-1)), Number::Int(255));
        assert_eq!(Element::parse("i8").unwrap().convert(Number::Int(200)), Number::Int(-56));
        assert_eq!(Element::parse("f16").unwrap().convert(Number::Float(0.5)), Number::Float(0.5));
        assert!(Element::parse("f8").is_err());
        for value in [0.1_f32, -1e30, 1.0, 5e-45, f32::INFINITY] {
            let text = Element::Float(4).text(Number::Float(value.into()));
            let back = crate::Expression::parse(&text).unwrap().value(&mut Scope::default());
            assert_eq!(back.map(|n| n.float() as f32).unwrap(), value, "{text}");
        }
        assert_eq!(Element::Float(2).text(Number::Float(f64::NAN)), "nan");
    }
}
