//! Types of elements: a scalar, or a vector of scalars.

use std::fmt;

use anyhow::{Context as _, Result, ensure};
use muxcl_values::{Element, Number};

/// A scalar or vector type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Kind {
    /// The type of each component.
    pub(crate) element: Element,
    /// Number of components.
    pub(crate) lanes: usize,
}

/// The numbers of components of OpenCL's vectors.
const LANES: [usize; 5] = [2, 3, 4, 8, 16];

impl Kind {
    /// Reads `f32` or `f32x4`.
    pub(crate) fn parse(text: &str) -> Result<Self> {
        let (element, lanes) = match text.split_once('x') {
            Some((element, lanes)) => {
                let lanes = lanes.parse().ok().filter(|lanes| LANES.contains(lanes));
                (element, lanes.with_context(|| format!("no type `{text}`"))?)
            }
            None => (text, 1),
        };
        Ok(Self { element: Element::parse(element)?, lanes })
    }

    /// The type that OpenCL C names `text`, such as `float4`; `None` for others, such as structs.
    pub(crate) fn of_opencl(text: &str) -> Option<Self> {
        let name = text.trim_end_matches(|c: char| c.is_ascii_digit());
        let lanes = match &text[name.len()..] {
            "" => 1,
            lanes => lanes.parse().ok().filter(|lanes| LANES.contains(lanes))?,
        };
        let element = match name {
            "char" => Element::Int(1),
            "uchar" | "unsigned char" => Element::Uint(1),
            "short" => Element::Int(2),
            "ushort" | "unsigned short" => Element::Uint(2),
            "int" => Element::Int(4),
            "uint" | "unsigned int" => Element::Uint(4),
            "long" => Element::Int(8),
            "ulong" | "unsigned long" => Element::Uint(8),
            "half" => Element::Float(2),
            "float" => Element::Float(4),
            "double" => Element::Float(8),
            _ => return None,
        };
        Some(Self { element, lanes })
    }

    /// Size of a value in memory, in bytes: a vector of three takes the space of four.
    pub(crate) fn size(self) -> usize {
        self.element.size() * self.lanes.next_power_of_two()
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.element.name())?;
        if self.lanes > 1 { write!(f, "x{}", self.lanes) } else { Ok(()) }
    }
}

/// Fails if `value` is not a number of the type, apart from rounding.
pub(crate) fn fits(element: Element, value: Number) -> Result<()> {
    let name = element.name();
    match (element.range(), value) {
        (Some(_), Number::Float(value)) if value.fract() != 0.0 => {
            anyhow::bail!("{value} is not an integer, which {name} needs")
        }
        (Some((low, high)), value) => {
            let value = value.integer();
            ensure!(
                (low..=high).contains(&value),
                "{value} is not in {name}, which has {low} to {high}"
            );
            Ok(())
        }
        (None, value) => {
            let (given, kept) = (value.float(), element.convert(value).float());
            ensure!(kept.is_finite() || !given.is_finite(), "{given} is too large for {name}");
            Ok(())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_have_two_names() {
        for (short, long) in [("f32x4", "float4"), ("u8", "uchar"), ("i64x16", "long16")] {
            let kind = Kind::parse(short).unwrap();
            assert_eq!(Kind::of_opencl(long), Some(kind));
            assert_eq!(kind.to_string(), short);
        }
        assert_eq!(Kind::parse("f32x3").unwrap().size(), 16);
        assert!(Kind::parse("f32x5").is_err() && Kind::parse("float").is_err());
        assert_eq!(Kind::of_opencl("image2d_t"), None);
        assert_eq!(Kind::of_opencl("int5"), None);
    }

    #[test]
    fn numbers_fit_or_a_sentence_says_why_not() {
        let message = |element, number| {
            fits(element, number).map_or_else(|error| error.to_string(), |()| String::new())
        };
        let (i8, f16) = (Element::Int(1), Element::Float(2));
        assert_eq!(message(i8, Number::Int(-128)), "");
        assert_eq!(message(i8, Number::Int(128)), "128 is not in i8, which has -128 to 127");
        assert_eq!(message(i8, Number::Float(1.5)), "1.5 is not an integer, which i8 needs");
        assert_eq!(message(i8, Number::Float(f64::NAN)), "NaN is not an integer, which i8 needs");
        assert_eq!(message(f16, Number::Float(0.1)), "");
        assert_eq!(message(f16, Number::Float(f64::INFINITY)), "");
        assert_eq!(message(f16, Number::Int(1_000_000)), "1000000 is too large for f16");
    }
}
