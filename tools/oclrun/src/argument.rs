//! The language of kernel arguments; `--help` has its grammar.

use std::path::PathBuf;

use anyhow::{Context as _, Result, bail, ensure};
use muxcl_client::sys;
use muxcl_values::{Element, Expression, split};

use crate::kind::Kind;

/// An argument.
#[derive(Debug)]
pub(crate) enum Argument {
    /// A buffer.
    Buffer {
        /// Its initial contents.
        fill: Fill,
        /// The type of its elements; `None`: that of the kernel's parameter.
        kind: Option<Kind>,
        /// The number of elements; `None`: that of the work-items, or what the file has.
        count: Option<usize>,
    },
    /// An image.
    Image {
        /// Its initial contents, channel by channel.
        fill: Fill,
        /// Its channels.
        format: Format,
        /// Width, height and depth; `None`: those of the launch.
        size: Option<Vec<usize>>,
    },
    /// A sampler.
    Sampler {
        /// `CL_FILTER_*`
        filter: u32,
        /// `CL_ADDRESS_*`
        addressing: u32,
        /// Coordinates are in 0 to 1.
        normalized: bool,
    },
    /// Local memory of this many bytes.
    Local(usize),
    /// A number, or the components of a vector.
    Value(Option<Kind>, Vec<Expression>),
    /// The bytes of a value.
    Bytes(Vec<u8>),
    /// A null pointer.
    Null,
    /// The memory of an earlier argument, by its number.
    Same(usize),
}

/// The initial contents of memory, or its expected ones.
#[derive(Debug)]
pub(crate) enum Fill {
    /// Zeros.
    Zero,
    /// 0, 1, 2, ...
    Iota,
    /// Random numbers.
    Random {
        /// Equal seeds give equal numbers; `None`: the number of the argument.
        seed: Option<u64>,
        /// The smallest and largest number; `None`: all integers of the type, or 0 to 1.
        range: Option<[Expression; 2]>,
    },
    /// The content of a file.
    File(PathBuf),
    /// An expression in `i`.
    Each(Expression),
}

/// The channels of an image.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Format {
    /// `CL_R` to `CL_ARGB`
    pub(crate) order: u32,
    /// `CL_SIGNED_INT8` to `CL_FLOAT`
    pub(crate) channel: u32,
    /// A pixel in memory; numbers of normalised channels are integers there.
    pub(crate) pixel: Kind,
}

impl Format {
    fn parse(order: &str, channel: &str) -> Result<Self> {
        let (order, lanes) = match order {
            "r" => (sys::CL_R, 1),
            "rg" => (sys::CL_RG, 2),
            "rgba" => (sys::CL_RGBA, 4),
            "bgra" => (sys::CL_BGRA, 4),
            "argb" => (sys::CL_ARGB, 4),
            _ => bail!("`{order}` is no order of channels: r, rg, rgba, bgra, argb"),
        };
        let (channel, element) = match channel {
            "i8" => (sys::CL_SIGNED_INT8, Element::Int(1)),
            "i16" => (sys::CL_SIGNED_INT16, Element::Int(2)),
            "i32" => (sys::CL_SIGNED_INT32, Element::Int(4)),
            "u8" => (sys::CL_UNSIGNED_INT8, Element::Uint(1)),
            "u16" => (sys::CL_UNSIGNED_INT16, Element::Uint(2)),
            "u32" => (sys::CL_UNSIGNED_INT32, Element::Uint(4)),
            "f16" => (sys::CL_HALF_FLOAT, Element::Float(2)),
            "f32" => (sys::CL_FLOAT, Element::Float(4)),
            "un8" => (sys::CL_UNORM_INT8, Element::Uint(1)),
            "un16" => (sys::CL_UNORM_INT16, Element::Uint(2)),
            "sn8" => (sys::CL_SNORM_INT8, Element::Int(1)),
            "sn16" => (sys::CL_SNORM_INT16, Element::Int(2)),
            _ => bail!(
                "`{channel}` is no channel: i8 i16 i32, u8 u16 u32, f16 f32, un8 un16, sn8 sn16"
            ),
        };
        Ok(Self { order, channel, pixel: Kind { element, lanes } })
    }
}

impl Fill {
    /// Reads a fill.
    pub(crate) fn parse(text: &str) -> Result<Self> {
        if let Some(path) = text.strip_prefix("file=") {
            return Ok(Self::File(path.into()));
        }
        if let Some(rest) = text.strip_prefix("rand=") {
            let parts = split(rest);
            let seed = parts[0].parse().with_context(|| format!("`{}` is no seed", parts[0]))?;
            let range = match parts[1..] {
                [] => None,
                [low, high] => Some([Expression::parse(low)?, Expression::parse(high)?]),
                _ => bail!("`{text}`: rand=SEED or rand=SEED,LOW,HIGH"),
            };
            return Ok(Self::Random { seed: Some(seed), range });
        }
        Ok(match text {
            "zero" => Self::Zero,
            "iota" => Self::Iota,
            "rand" => Self::Random { seed: None, range: None },
            "" => bail!("a fill is missing: zero, iota, rand, file=PATH or an expression"),
            text => Self::Each(Expression::parse(text)?),
        })
    }
}

impl Argument {
    /// Reads an argument.
    pub(crate) fn parse(text: &str) -> Result<Self> {
        let (word, rest) = text.split_once(':').unwrap_or((text, ""));
        Ok(match word {
            "buf" => buffer(rest)?,
            "image" => image(rest)?,
            "sampler" => sampler(rest)?,
            "local" => match rest.parse() {
                Ok(bytes @ 1..) => Self::Local(bytes),
                _ => bail!("`{rest}` is no number of bytes"),
            },
            "hex" => Self::Bytes(
                bytes(rest)
                    .with_context(|| format!("`{rest}`: two hexadecimal digits for each byte"))?,
            ),
            "null" => Self::Null,
            _ => {
                if let Some(number) = text.strip_prefix('@') {
                    let number = number.parse().ok();
                    return Ok(Self::Same(number.context("@N, the number of an argument before")?));
                }
                let (kind, values) = match Kind::parse(word) {
                    Ok(kind) if text.contains(':') => (Some(kind), rest),
                    _ => (None, text),
                };
                let values = split(values).into_iter().map(Expression::parse);
                Self::Value(kind, values.collect::<Result<_>>()?)
            }
        })
    }
}

/// Reads `FILL[:TYPE[:COUNT]]`. The fill may contain colons.
fn buffer(text: &str) -> Result<Argument> {
    let parts: Vec<&str> = text.rsplitn(3, ':').collect();
    let (fill, kind, count) = match parts[..] {
        [count, kind, fill] if Kind::parse(kind).is_ok() => (fill, Some(kind), Some(count)),
        _ => match text.rsplit_once(':') {
            Some((fill, kind)) if Kind::parse(kind).is_ok() => (fill, Some(kind), None),
            Some((_, count)) if count.parse::<usize>().is_ok() && !text.contains('?') => {
                bail!("a type precedes the number of elements: buf:zero:f32:{count}")
            }
            _ => (text, None, None),
        },
    };
    let count = count.map(|count| match count.parse() {
        Ok(count @ 1..) => Ok(count),
        _ => bail!("`{count}` is no number of elements"),
    });
    let kind = kind.map(Kind::parse).transpose()?;
    Ok(Argument::Buffer { fill: Fill::parse(fill)?, kind, count: count.transpose()? })
}

/// Reads `FILL:ORDER:CHANNEL[:SIZE]`. The fill may contain colons.
fn image(text: &str) -> Result<Argument> {
    let size = text.rsplit_once(':').and_then(|(_, last)| {
        let size: Option<Vec<usize>> = last.split('x').map(|part| part.parse().ok()).collect();
        size
    });
    let rest =
        if size.is_some() { text.rsplit_once(':').map_or("", |(rest, _)| rest) } else { text };
    let parts: Vec<&str> = rest.rsplitn(3, ':').collect();
    let [channel, order, fill] = parts[..] else {
        bail!("image:FILL:ORDER:CHANNEL[:WxHxD], such as image:iota:rgba:f32:64x64")
    };
    if let Some(size) = &size {
        ensure!(
            size.len() <= 3 && !size.contains(&0),
            "an image has one to three sizes of 1 or more"
        );
    }
    Ok(Argument::Image { fill: Fill::parse(fill)?, format: Format::parse(order, channel)?, size })
}

fn sampler(text: &str) -> Result<Argument> {
    let mut words = text.split(':');
    let filter = match words.next() {
        Some("nearest") => sys::CL_FILTER_NEAREST,
        Some("linear") => sys::CL_FILTER_LINEAR,
        _ => bail!("sampler:nearest or sampler:linear"),
    };
    let (mut addressing, mut normalized) = (sys::CL_ADDRESS_CLAMP_TO_EDGE, false);
    for word in words {
        match word {
            "none" => addressing = sys::CL_ADDRESS_NONE,
            "edge" => addressing = sys::CL_ADDRESS_CLAMP_TO_EDGE,
            "clamp" => addressing = sys::CL_ADDRESS_CLAMP,
            "repeat" => addressing = sys::CL_ADDRESS_REPEAT,
            "mirror" => addressing = sys::CL_ADDRESS_MIRRORED_REPEAT,
            "normalized" => normalized = true,
            _ => bail!("`{word}` is not one of none, edge, clamp, repeat, mirror, normalized"),
        }
    }
    Ok(Argument::Sampler { filter, addressing, normalized })
}

/// The bytes of hexadecimal digits; `None` for other text.
fn bytes(text: &str) -> Option<Vec<u8>> {
    let pairs = text.as_bytes().chunks(2);
    let bytes: Option<Vec<u8>> = pairs
        .map(|pair| match pair {
            [_, _] => u8::from_str_radix(std::str::from_utf8(pair).ok()?, 16).ok(),
            _ => None,
        })
        .collect();
    bytes.filter(|bytes| !bytes.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Argument {
        Argument::parse(text).unwrap()
    }

    #[test]
    fn types_and_counts_are_the_end_of_a_buffer() {
        let expect = |text: &str, kind: Option<&str>, count: Option<usize>| {
            let Argument::Buffer { kind: found, count: n, .. } = parse(text) else {
                panic!("{text}")
            };
            assert_eq!((found.map(|k| k.to_string()).as_deref(), n), (kind, count), "{text}");
        };
        expect("buf:iota", None, None);
        expect("buf:iota:i32", Some("i32"), None);
        expect("buf:zero:f32x3:7", Some("f32x3"), Some(7));
        expect("buf:i < 4 ? 1 : 2", None, None);
        expect("buf:i < 4 ? 1 : 2:u8:9", Some("u8"), Some(9));
        expect("buf:file=a:b.bin:f64", Some("f64"), None);
        expect("buf:rand=7,-1,1:i8", Some("i8"), None);
    }

    #[test]
    fn values_have_a_type_if_it_is_written() {
        let kind = |text: &str| match parse(text) {
            Argument::Value(kind, values) => (kind.map(|k| k.to_string()), values.len()),
            other => panic!("{other:?}"),
        };
        assert_eq!(kind("3.5f"), (None, 1));
        assert_eq!(kind("-1"), (None, 1));
        assert_eq!(kind("f32x4:1, min(2, 3), 3, 4"), (Some("f32x4".to_owned()), 4));
        assert_eq!(kind("gx > 4 ? 1 : 2"), (None, 1));
    }

    #[test]
    fn mistakes_name_what_is_wrong() {
        for (text, part) in [
            ("buf", "a fill is missing"),
            ("buf:zero:4096", "a type precedes"),
            ("buf:zero:f32:0", "`0` is no number of elements"),
            ("buf:rand=x", "`x` is no seed"),
            ("buf:rand=1,2", "rand=SEED,LOW,HIGH"),
            ("local:big", "`big` is no number of bytes"),
            ("hex:123", "two hexadecimal digits"),
            ("@a", "number of an argument before"),
            ("image:zero:rgba", "image:FILL:ORDER:CHANNEL"),
            ("image:zero:rgb:f32", "`rgb` is no order"),
            ("image:zero:rgba:f64:4x4", "`f64` is no channel"),
            ("image:zero:rgba:f32:4x0", "sizes of 1 or more"),
            ("sampler:cubic", "sampler:nearest"),
            ("sampler:linear:wrap", "`wrap` is not one of"),
            ("1+", "a value expected"),
        ] {
            let error = Argument::parse(text).map(|a| panic!("{text} is {a:?}")).unwrap_err();
            assert!(format!("{error:#}").contains(part), "{text}: {error:#}");
        }
    }
}
