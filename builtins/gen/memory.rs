//! `vload`/`vstore` and their half forms (plain, rounded, aligned) in every address space.
//!
//! Invariant: an access touches exactly the elements that it names, never a fourth one for 3-wide
//! vectors. It requires no more alignment than the specification guarantees: that of the element,
//! or that of the vector for the `a` forms.

use super::{SCALARS, SPACES, VECTORS, WIDTHS, convert, lane, prologue};
use std::fmt::Write as _;

fn read(element: &str, width: u32, space: &str, align: u32, bytes: u32, at: &str) -> String {
    match width {
        1 => format!("*({at})"),
        3 => format!("({element}3)(({at})[0], ({at})[1], ({at})[2])"),
        _ if align == width * bytes => format!("*(const {space} {element}{width} *)({at})"),
        _ => format!("*(const {space} unaligned{width} *)({at})"),
    }
}

fn write(element: &str, width: u32, space: &str, align: u32, bytes: u32, at: &str) -> String {
    match width {
        1 => format!("*({at}) = v;"),
        3 => (0..3).map(|nth| format!("({at})[{nth}] = v.{}; ", lane(nth))).collect(),
        _ if align == width * bytes => format!("*({space} {element}{width} *)({at}) = v;"),
        _ => format!("*({space} unaligned{width} *)({at}) = v;"),
    }
}

fn unaligned(text: &mut String, element: &str, bytes: u32) {
    for width in VECTORS {
        let _ = writeln!(
            text,
            "typedef {element}{width} unaligned{width} __attribute__((aligned({bytes})));"
        );
    }
}

fn plain(all: &mut Vec<(String, String)>) {
    for element in SCALARS {
        let (name, bytes) = (element.name, element.bits / 8);
        let mut text = prologue();
        unaligned(&mut text, name, bytes);
        for width in VECTORS {
            for space in SPACES {
                let at = format!("p + offset * {width}");
                let load = read(name, width, space, bytes, bytes, &at);
                let _ = writeln!(
                    text,
                    "OVL {name}{width} vload{width}(size_t offset, const {space} {name} *p) {{ return {load}; }}"
                );
                if space != "__constant" {
                    let store = write(name, width, space, bytes, bytes, &at);
                    let _ = writeln!(
                        text,
                        "OVL void vstore{width}({name}{width} v, size_t offset, {space} {name} *p) {{ {store} }}"
                    );
                }
            }
        }
        all.push((format!("vload_vstore_{name}"), text));
    }
}

fn load_half(all: &mut Vec<(String, String)>) {
    let mut text = prologue();
    unaligned(&mut text, "half", 2);
    for width in WIDTHS {
        for space in SPACES {
            let suffix = if width == 1 { String::new() } else { width.to_string() };
            for aligned in [false, true] {
                let stride = if aligned { width.next_power_of_two() } else { width };
                let align = if aligned { 2 * stride } else { 2 };
                let load = read("half", width, space, align, 2, &format!("p + offset * {stride}"));
                let letter = if aligned { "a" } else { "" };
                let value = if width == 1 {
                    format!("(float)({load})")
                } else {
                    format!("__builtin_convertvector({load}, float{width})")
                };
                let _ = writeln!(
                    text,
                    "OVL float{suffix} vload{letter}_half{suffix}(size_t offset, const {space} half *p) {{ return {value}; }}"
                );
            }
        }
    }
    all.push(("vload_half".into(), text));
}

fn store_half(all: &mut Vec<(String, String)>) {
    for source in [SCALARS[9], SCALARS[10]] {
        for rounding in ["", "_rte", "_rtz", "_rtp", "_rtn"] {
            let mut text = prologue();
            unaligned(&mut text, "half", 2);
            for width in WIDTHS {
                let suffix = if width == 1 { String::new() } else { width.to_string() };
                let (result, argument) = (SCALARS[8].vector(width), source.vector(width));
                let body = convert::body(source, SCALARS[8], width, false, rounding);
                let _ = write!(text, "HELPER {result} to_half({argument} x) {{\n{body}}}\n");
                for space in SPACES {
                    if space == "__constant" {
                        continue;
                    }
                    for aligned in [false, true] {
                        let stride = if aligned { width.next_power_of_two() } else { width };
                        let align = if aligned { 2 * stride } else { 2 };
                        let store = write(
                            "half",
                            width,
                            space,
                            align,
                            2,
                            &format!("p + offset * {stride}"),
                        );
                        let letter = if aligned { "a" } else { "" };
                        let _ = writeln!(
                            text,
                            "OVL void vstore{letter}_half{suffix}{rounding}({argument} x, size_t offset, {space} half *p) \
                             {{ {result} v = to_half(x); {store} }}"
                        );
                    }
                }
            }
            all.push((format!("vstore_half{rounding}_{}", source.name), text));
        }
    }
}

/// The plain functions: one member per element type. The half functions: one per rounding and
/// source type.
pub(crate) fn members(all: &mut Vec<(String, String)>) {
    plain(all);
    load_half(all);
    store_half(all);
}
