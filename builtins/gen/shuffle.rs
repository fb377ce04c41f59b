//! `shuffle` and `shuffle2` for every element type and every pair of widths.
//!
//! Invariant: only the low bits of a mask lane count (OpenCL C, 6.15.13). 3-wide vectors have no
//! such functions.

use super::{SCALARS, Scalar, lane, prologue};
use std::fmt::Write as _;

const POWERS: [u32; 4] = [2, 4, 8, 16];

fn lanes(width: u32, one: impl Fn(u32) -> String) -> String {
    (0..width).map(one).collect::<Vec<_>>().join(", ")
}

fn shuffle(text: &mut String, element: Scalar, from: u32, to: u32) {
    let (source, result, mask) =
        (element.vector(from), element.vector(to), element.integer(false).vector(to));
    let limit = from - 1;
    let _ = writeln!(
        text,
        "OVL {result} shuffle({source} x, {mask} m) {{\n  m &= ({mask}){limit};\n  return ({result})({});\n}}",
        lanes(to, |nth| format!("x[m.{}]", lane(nth)))
    );
    let limit = 2 * from - 1;
    let all = format!("__builtin_shufflevector(x, y, {})", lanes(2 * from, |nth| nth.to_string()));
    let _ = writeln!(
        text,
        "OVL {result} shuffle2({source} x, {source} y, {mask} m) {{\n  m &= ({mask}){limit};\n  \
         typedef {} both __attribute__((ext_vector_type({})));\n  both z = {all};\n  return ({result})({});\n}}",
        element.name,
        2 * from,
        lanes(to, |nth| format!("z[m.{}]", lane(nth)))
    );
}

/// One member per element type.
pub(crate) fn members(all: &mut Vec<(String, String)>) {
    for element in SCALARS {
        let mut text = prologue();
        for from in POWERS {
            for to in POWERS {
                shuffle(&mut text, element, from, to);
            }
        }
        all.push((format!("shuffle_{}", element.name), text));
    }
}
