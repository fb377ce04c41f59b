//! The element types of buffers and arguments: conversion between numbers and bytes.

use anyhow::{Context as _, Result, bail};
use half::f16;

use crate::expression::Number;

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
mod tests {
    use super::*;

    #[test]
    fn round_trips() {
        for name in ["i8", "i16", "i32", "i64"] {
            assert_eq!(Element::parse(name).unwrap().convert(Number::Int(-3)), Number::Int(-3));
        }
        assert_eq!(Element::parse("u8").unwrap().convert(Number::Int(-1)), Number::Int(255));
        assert_eq!(Element::parse("i8").unwrap().convert(Number::Int(200)), Number::Int(-56));
        assert_eq!(Element::parse("f16").unwrap().convert(Number::Float(0.5)), Number::Float(0.5));
        assert!(Element::parse("f8").is_err());
    }
}
