//! Vector variants of library functions: the rule by which a vectorizer finds their names.
//!
//! The variant of a scalar function for 2, 3, 4, 8 or 16 lanes has the scalar's name, and each
//! parameter is a vector of that many lanes. A result through a pointer becomes a vector at the
//! pointer. Each lane of the result has the scalar's bits.
//!
//! The same functions have variants on scalable vectors. The library does not contain these: pass
//! `scalable-variants` (`muxcl-passes`) makes them from the variants of four lanes when they are
//! called. Their names follow RISC-V's vector function ABI.
//!
//! This module only maps names, and lists the functions whose vector overloads mean something else.
//! Not here: what a variant costs, when to use it, how it is made.

use crate::{MemberId, find};

/// The numbers of lanes of the fixed vector variants.
pub const LANES: [u32; 5] = [2, 3, 4, 8, 16];

/// The number of elements of a variant's vectors.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Lanes {
    /// This number; see [`LANES`].
    Fixed(u32),
    /// `vscale` times this power of two. `vscale` is the length of a vector register in units of 64
    /// bits.
    Scalable(u32),
}

/// A vector variant of a scalar function.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct VectorVariant {
    /// The symbol to declare and call.
    pub symbol: String,
    /// The number of lanes.
    pub lanes: Lanes,
    /// The library's function from which the variant is made: itself if the lanes are fixed.
    pub source: String,
    /// The member that defines that function.
    pub member: MemberId,
}

/// The lanes of the variants from which scalable variants are made.
pub const WIDENED: u32 = 4;

/// The letters for LMUL in names: from an eighth of a vector register to eight registers.
const REGISTERS: [&str; 7] = ["e", "q", "h", "1", "2", "4", "8"];

/// Functions whose vector overloads do not work lane by lane like the scalar: geometric functions,
/// truth values (1 in scalars, -1 in lanes), and `select`, which tests the top bit in lanes.
const OTHERWISE: &[&str] = &[
    "dot",
    "cross",
    "length",
    "distance",
    "normalize",
    "fast_length",
    "fast_distance",
    "fast_normalize",
    "isequal",
    "isnotequal",
    "isgreater",
    "isgreaterequal",
    "isless",
    "islessequal",
    "islessgreater",
    "isfinite",
    "isinf",
    "isnan",
    "isnormal",
    "isordered",
    "isunordered",
    "signbit",
    "any",
    "all",
    "select",
];

/// Functions with a second result at their last parameter, a pointer.
const TWO_RESULTS: &[&str] = &["sincos", "fract", "modf", "frexp", "remquo", "lgamma_r"];

/// The symbol and member of the variant of the scalar function `symbol` for `lanes` lanes; `None`
/// if `symbol` is not a function of scalars that works lane by lane, or has no such variant.
#[must_use]
pub fn fixed_variant(symbol: &str, lanes: u32) -> Option<(String, MemberId)> {
    let (name, parameters) = split(symbol)?;
    if OTHERWISE.contains(&name) {
        return None;
    }
    let mut variant = symbol[..symbol.len() - parameters.len()].to_owned();
    // Types that a later parameter may refer to, in the order of their appearance.
    let mut seen: Vec<&str> = Vec::new();
    let mut rest = parameters;
    while !rest.is_empty() {
        if rest.starts_with('P') {
            let pointee = rest
                .trim_start_matches('P')
                .trim_start_matches("U3AS")
                .trim_start_matches(char::is_numeric);
            // No parameter may follow, because it could refer to the pointer type.
            if !TWO_RESULTS.contains(&name) || scalar(pointee)? != pointee {
                return None;
            }
            variant.push_str(&rest[..rest.len() - pointee.len()]);
            rest = pointee;
        }
        let element = scalar(rest)?;
        match seen.iter().position(|other| *other == element) {
            Some(0) => variant.push_str("S_"),
            Some(nth) => variant.push_str(&format!("S{}_", nth - 1)),
            None => {
                variant.push_str(&format!("Dv{lanes}_{element}"));
                seen.push(element);
            }
        }
        rest = &rest[element.len()..];
    }
    let member = find(&variant)?;
    Some((variant, member))
}

/// The symbol of the scalar function that the function `symbol` computes in each lane. For a scalar
/// function it is `symbol` itself; for `_Z3powDv8_fS_`, a function on vectors, it is `_Z3powff`.
///
/// `None` if the scalar function has no vector variants, if the parameters do not all have the same
/// number of lanes, or if a function on vectors has a second result behind a pointer.
#[must_use]
pub fn scalar_of(symbol: &str) -> Option<String> {
    let (name, mut rest) = split(symbol)?;
    let mut out = symbol[..symbol.len() - rest.len()].to_owned();
    // The number of lanes of the parameters before this one: `Some(None)` if these are scalars.
    let mut lanes: Option<Option<u32>> = None;
    // The elements of the vector types so far, to which a substitution such as `S_` may refer.
    let mut seen: Vec<&str> = Vec::new();
    if fixed_variant(symbol, WIDENED).is_some() {
        return Some(symbol.to_owned());
    }
    if OTHERWISE.contains(&name) {
        return None;
    }
    while !rest.is_empty() {
        let this;
        if let Some(vector) = rest.strip_prefix("Dv") {
            let (count, element) = vector.split_once('_')?;
            let element = scalar(element)?;
            this = Some(count.parse().ok()?);
            rest = &rest["Dv_".len() + count.len() + element.len()..];
            seen.push(element);
            out.push_str(element);
        } else if let Some(again) = rest.strip_prefix('S') {
            let (nth, after) = again.split_once('_')?;
            let nth = if nth.is_empty() { 0 } else { nth.parse::<usize>().ok()? + 1 };
            out.push_str(seen.get(nth)?);
            this = lanes?;
            rest = after;
        } else {
            let element = scalar(rest)?;
            this = None;
            rest = &rest[element.len()..];
            out.push_str(element);
        }
        if lanes.is_some_and(|other| other != this) {
            return None;
        }
        lanes = Some(this);
    }
    fixed_variant(&out, WIDENED).map(|_| out)
}

/// The variant of the scalar function `symbol` for these lanes; `None` if `symbol` is not a
/// function of scalars that works lane by lane, has no such fixed variant, or its widest vector
/// would take less than an eighth of a register or more than eight.
#[must_use]
pub fn variant(symbol: &str, lanes: Lanes) -> Option<VectorVariant> {
    let count = match lanes {
        Lanes::Fixed(count) => {
            let (source, member) = fixed_variant(symbol, count)?;
            return Some(VectorVariant { symbol: source.clone(), lanes, source, member });
        }
        Lanes::Scalable(count) => count,
    };
    let (source, member) = fixed_variant(symbol, WIDENED)?;
    let (tokens, widest) = tokens(symbol)?;
    let bits = count.checked_mul(widest).filter(|bits| bits.is_power_of_two() && *bits >= 8)?;
    let registers = REGISTERS.get(bits.ilog2() as usize - 3)?;
    Some(VectorVariant {
        symbol: format!("_ZGVr{registers}Nx{tokens}_{symbol}"),
        lanes,
        source,
        member,
    })
}

/// The scalable variant with this symbol.
#[must_use]
pub fn scalable_variant(name: &str) -> Option<VectorVariant> {
    let rest = name.strip_prefix("_ZGVr")?;
    let registers = REGISTERS.iter().position(|r| rest.starts_with(r))?;
    let scalar = &rest[rest.find("__Z")? + 1..];
    let (_, widest) = tokens(scalar)?;
    let variant = variant(scalar, Lanes::Scalable((8 << registers) / widest))?;
    (variant.symbol == name).then_some(variant)
}

/// The parameters of a scalar function in the ABI's notation (`v`: a vector; `l4`: a pointer with a
/// stride of 4 bytes per lane), and the width in bits of the widest value that becomes a vector.
fn tokens(symbol: &str) -> Option<(String, u32)> {
    let (name, mut rest) = split(symbol)?;
    let (mut tokens, mut widest) = (String::new(), 0);
    while !rest.is_empty() {
        if rest.starts_with('P') {
            let pointee = rest
                .trim_start_matches('P')
                .trim_start_matches("U3AS")
                .trim_start_matches(char::is_numeric);
            // A pointer to the first parameter's type would need a substitution, which functions of
            // scalars never have.
            tokens.push_str(&format!("l{}", bits(scalar(pointee)?) / 8));
            break;
        }
        let element = scalar(rest)?;
        widest = widest.max(bits(element));
        tokens.push('v');
        rest = &rest[element.len()..];
    }
    // Functions whose result is wider than every parameter.
    let result = match name {
        "upsample" => 2 * widest,
        "ilogb" => 32,
        _ => 0,
    };
    (widest > 0).then(|| (tokens, widest.max(result)))
}

/// The width of a scalar type in bits.
fn bits(scalar: &str) -> u32 {
    match scalar {
        "c" | "h" => 8,
        "s" | "t" | "Dh" => 16,
        "i" | "j" | "f" => 32,
        _ => 64,
    }
}

/// The name and the parameters of a mangled function.
fn split(symbol: &str) -> Option<(&str, &str)> {
    let rest = symbol.strip_prefix("_Z")?;
    let digits = rest.find(|c: char| !c.is_ascii_digit())?;
    let length: usize = rest[..digits].parse().ok()?;
    rest[digits..].split_at_checked(length)
}

/// The scalar type at the start of `text`.
fn scalar(text: &str) -> Option<&str> {
    let half = text.starts_with("Dh");
    (half || text.starts_with(['f', 'd', 'c', 'h', 's', 't', 'i', 'j', 'l', 'm']))
        .then(|| &text[..1 + usize::from(half)])
}
