//! Vector forms of library functions: the rule by which a vectorizer finds the one for its lanes.
//!
//! The form of a scalar function for 2, 3, 4, 8 or 16 lanes has its name, and every parameter as a vector of that many lanes; a
//! result through a pointer becomes a vector at the pointer. Lane by lane it gives the scalar's bits. Only the mangling is
//! thought of here, and which functions of the same name mean something else. Not here: what a form costs, when to use it.

use crate::{MemberId, find};

/// The widths there are forms for.
pub const LANES: [u32; 5] = [2, 3, 4, 8, 16];

/// Functions whose vector overloads are not the scalar's lane by lane: those of geometry, of truth values (1 in scalars, -1 in lanes) and
/// `select` (which looks at the top bit in lanes).
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

/// Functions with a second result through their last parameter, a pointer.
const TWO_RESULTS: &[&str] = &["sincos", "fract", "modf", "frexp", "remquo", "lgamma_r"];

/// The symbol of the form of the scalar function `symbol` for so many lanes, and its member; `None` if `symbol` is no function
/// of scalars that works lane by lane, or there is no such form.
#[must_use]
pub fn vector_form(symbol: &str, lanes: u32) -> Option<(String, MemberId)> {
    let (name, parameters) = split(symbol)?;
    if OTHERWISE.contains(&name) {
        return None;
    }
    let mut form = symbol[..symbol.len() - parameters.len()].to_owned();
    // Types a later parameter may refer to, in the order of their appearance.
    let mut seen: Vec<&str> = Vec::new();
    let mut rest = parameters;
    while !rest.is_empty() {
        if rest.starts_with('P') {
            let pointee = rest.trim_start_matches('P').trim_start_matches("U3AS").trim_start_matches(char::is_numeric);
            // Nothing may follow: pointers, too, are types that could be referred to.
            if !TWO_RESULTS.contains(&name) || scalar(pointee)? != pointee {
                return None;
            }
            form.push_str(&rest[..rest.len() - pointee.len()]);
            rest = pointee;
        }
        let element = scalar(rest)?;
        match seen.iter().position(|other| *other == element) {
            Some(0) => form.push_str("S_"),
            Some(nth) => form.push_str(&format!("S{}_", nth - 1)),
            None => {
                form.push_str(&format!("Dv{lanes}_{element}"));
                seen.push(element);
            }
        }
        rest = &rest[element.len()..];
    }
    let member = find(&form)?;
    Some((form, member))
}

/// Name and parameters of a mangled function.
fn split(symbol: &str) -> Option<(&str, &str)> {
    let rest = symbol.strip_prefix("_Z")?;
    let digits = rest.find(|c: char| !c.is_ascii_digit())?;
    let length: usize = rest[..digits].parse().ok()?;
    rest[digits..].split_at_checked(length)
}

/// The scalar type `text` begins with.
fn scalar(text: &str) -> Option<&str> {
    let half = text.starts_with("Dh");
    (half || text.starts_with(['f', 'd', 'c', 'h', 's', 't', 'i', 'j', 'l', 'm']))
        .then(|| &text[..1 + usize::from(half)])
}
