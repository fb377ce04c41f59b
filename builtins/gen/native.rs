//! `half_*` and `native_*`: float functions with implementation-defined accuracy.
//!
//! Invariant: each is the full-accuracy function, unless the CPU has an instruction for it or
//! `src-cl/families` defines it. They call the other member, which is linked with them.

use super::WIDTHS;
use std::fmt::Write as _;

const UNARY: [&str; 10] =
    ["sin", "cos", "tan", "exp", "exp2", "exp10", "log", "log2", "log10", "rsqrt"];

/// One member per function.
pub(crate) fn members(all: &mut Vec<(String, String)>) {
    for prefix in ["half", "native"] {
        for name in UNARY {
            if prefix == "native" && matches!(name, "sin" | "cos" | "tan") {
                continue;
            }
            let mut text = super::prologue();
            for width in WIDTHS {
                let kind = super::SCALARS[9].vector(width);
                let _ = writeln!(
                    text,
                    "OVL __attribute__((const)) {kind} {name}({kind});\nOVL {kind} {prefix}_{name}({kind} x) {{ return {name}(x); }}"
                );
            }
            all.push((format!("{prefix}_{name}"), text));
        }
        let mut text = super::prologue();
        for width in WIDTHS {
            let kind = super::SCALARS[9].vector(width);
            if prefix == "half" {
                let _ = writeln!(
                    text,
                    "OVL __attribute__((const)) {kind} powr({kind}, {kind});\n\
                     OVL {kind} half_powr({kind} x, {kind} y) {{ return powr(x, y); }}"
                );
            }
            let _ = writeln!(
                text,
                "OVL {kind} {prefix}_sqrt({kind} x) {{ return v_sqrt(x); }}\n\
                 OVL {kind} {prefix}_recip({kind} x) {{ return ({kind})1 / x; }}\n\
                 OVL {kind} {prefix}_divide({kind} x, {kind} y) {{ return x / y; }}"
            );
        }
        all.push((format!("{prefix}_arithmetic"), text));
    }
}
