//! `convert_<type><width>[_sat][_<rounding>]` for every pair of types, width, saturation and
//! rounding mode.
//!
//! Invariant: every conversion is exact in its rounding mode and depends only on the default
//! rounding mode of the CPU (nearest even). Directed roundings convert to nearest and then step one
//! unit when the result lies on the wrong side.

use super::{SCALARS, Scalar, WIDTHS, prologue};
use std::fmt::Write as _;

const ROUNDINGS: [&str; 5] = ["", "_rte", "_rtz", "_rtp", "_rtn"];

fn value(to: &str, width: u32, text: &str) -> String {
    if width == 1 {
        format!("(({to})({text}))")
    } else {
        format!("__builtin_convertvector({text}, {to}{width})")
    }
}

/// `condition ? yes : no`. The condition's lanes are as wide as `from`, those of the arms as wide
/// as `arms`.
fn select(
    width: u32,
    from_bits: u32,
    arms: Scalar,
    condition: &str,
    yes: &str,
    no: &str,
) -> String {
    let vector = arms.vector(width);
    if width == 1 || from_bits == arms.bits {
        format!("(({condition}) ? ({vector})({yes}) : ({vector})({no}))")
    } else {
        let mask = arms.integer(true).name;
        format!(
            "({} ? ({vector})({yes}) : ({vector})({no}))",
            value(mask, width, &format!("({condition})"))
        )
    }
}

fn limits(to: Scalar) -> (String, String) {
    match (to.bits, to.signed) {
        (64, true) => ("(-0x7fffffffffffffffL-1)".into(), "0x7fffffffffffffffL".into()),
        (64, false) => ("0UL".into(), "0xffffffffffffffffUL".into()),
        (32, true) => ("(-0x7fffffff-1)".into(), "0x7fffffff".into()),
        (32, false) => ("0U".into(), "0xffffffffU".into()),
        (bits, true) => {
            (format!("(-{})", 1u64 << (bits - 1)), format!("{}", (1u64 << (bits - 1)) - 1))
        }
        (bits, false) => ("0".into(), format!("{}", (1u64 << bits) - 1)),
    }
}

fn int_to_int(from: Scalar, to: Scalar, width: u32, saturate: bool) -> String {
    let mut x = "x".to_owned();
    if saturate {
        let vector = from.vector(width);
        let (low, high) = limits(to);
        let from_top = if from.signed { from.bits - 1 } else { from.bits };
        let to_top = if to.signed { to.bits - 1 } else { to.bits };
        if from.signed && (!to.signed || to.bits < from.bits) {
            x = format!("__builtin_elementwise_max({x}, ({vector})({}){low})", from.name);
        }
        if from_top > to_top {
            x = format!("__builtin_elementwise_min({x}, ({vector})({}){high})", from.name);
        }
    }
    format!("  return {};\n", value(to.name, width, &x))
}

fn float_to_int(from: Scalar, to: Scalar, width: u32, saturate: bool, rounding: &str) -> String {
    // half converts through float, which is exact and costs nothing on any CPU.
    let wide = if from.bits == 16 { SCALARS[9] } else { from };
    let vector = wide.vector(width);
    let mut text = format!(
        "  {vector} f = {};\n",
        if from == wide { "x".into() } else { value("float", width, "x") }
    );
    let rounded = match rounding {
        "_rte" => "f = __builtin_elementwise_roundeven(f)",
        "_rtp" => "f = __builtin_elementwise_ceil(f)",
        "_rtn" => "f = __builtin_elementwise_floor(f)",
        _ => "",
    };
    if !rounded.is_empty() {
        let _ = writeln!(text, "  {rounded};");
    }
    if !saturate {
        let _ = writeln!(text, "  return {};", value(to.name, width, "f"));
        return text;
    }
    // [low, above): the values whose truncation is in range. Both ends are powers of two, exact in
    // every type.
    let suffix = if wide.bits == 32 { "f" } else { "" };
    let above = format!("0x1p{}{suffix}", if to.signed { to.bits - 1 } else { to.bits });
    let low =
        if to.signed { format!("-0x1p{}{suffix}", to.bits - 1) } else { format!("0x0p0{suffix}") };
    let (min, max) = limits(to);
    let _ = writeln!(
        text,
        "  {vector} in = (f >= ({vector}){low} && f < ({vector}){above}) ? f : ({vector})0;"
    );
    let _ = writeln!(text, "  {} r = {};", to.vector(width), value(to.name, width, "in"));
    let high = select(
        width,
        wide.bits,
        to,
        &format!("f >= ({vector}){above}"),
        &format!("({}){max}", to.name),
        "r",
    );
    let _ = writeln!(text, "  r = {high};");
    let under = select(
        width,
        wide.bits,
        to,
        &format!("f < ({vector}){low}"),
        &format!("({}){min}", to.name),
        "r",
    );
    let _ = writeln!(text, "  return {under};");
    text
}

/// Moves `r` (of type `to`) one unit up where `up`, down where `down`. Both are masks of
/// `from_bits`-wide lanes.
fn step(
    text: &mut String,
    to: Scalar,
    width: u32,
    from_bits: u32,
    rounding: &str,
    below: &str,
    above: &str,
) {
    let bits = to.integer(true);
    let (vector, mask) = (to.vector(width), bits.vector(width));
    let _ = writeln!(text, "  {mask} b = __builtin_astype(r, {mask});");
    let _ = writeln!(text, "  {mask} out = ({mask})(({mask})1 | (b >> ({mask}){}));", to.bits - 1);
    let up = |text: &mut String, condition: &str| {
        let _ = writeln!(
            text,
            "  b = {};",
            select(width, from_bits, bits, condition, &format!("({mask})(b + out)"), "b")
        );
    };
    let down = |text: &mut String, condition: &str| {
        let _ = writeln!(
            text,
            "  b = {};",
            select(width, from_bits, bits, condition, &format!("({mask})(b - out)"), "b")
        );
    };
    match rounding {
        "_rtp" => up(text, below),
        "_rtn" => down(text, above),
        "_rtz" => {
            let (negative, positive) = ("x < 0", "x > 0");
            up(text, &format!("({below}) && ({negative})"));
            down(text, &format!("({above}) && ({positive})"));
        }
        _ => {}
    }
    let _ = writeln!(text, "  return __builtin_astype(b, {vector});");
}

fn directed(rounding: &str) -> bool {
    matches!(rounding, "_rtp" | "_rtn" | "_rtz")
}

fn int_to_float(from: Scalar, to: Scalar, width: u32, rounding: &str) -> String {
    let exact_bits = match to.bits {
        16 => 11,
        32 => 24,
        _ => 53,
    };
    let mut text = String::new();
    let from_vector = from.vector(width);
    let to_vector = to.vector(width);
    if to.bits == 16 {
        // Beyond the range of half only the sign counts; the rest is exact in float.
        if from.bits >= 32 {
            let _ = writeln!(text, "  x = __builtin_elementwise_min(x, ({from_vector})131072);");
            if from.signed {
                let _ =
                    writeln!(text, "  x = __builtin_elementwise_max(x, ({from_vector})-131072);");
            }
        }
        let _ =
            writeln!(text, "  {} w = {};", SCALARS[9].vector(width), value("float", width, "x"));
        let _ = writeln!(text, "  {to_vector} r = {};", value("half", width, "w"));
        if from.bits <= 8 || !directed(rounding) {
            let _ = writeln!(text, "  return r;");
            return text;
        }
        let _ =
            writeln!(text, "  {} y = {};", SCALARS[9].vector(width), value("float", width, "r"));
        // From here on the source is `w`.
        let _ = writeln!(text, "#define x w");
        step(&mut text, to, width, 32, rounding, "y < w", "y > w");
        let _ = writeln!(text, "#undef x");
        return text;
    }
    let _ = writeln!(text, "  {to_vector} r = {};", value(to.name, width, "x"));
    if !directed(rounding) || from.bits - u32::from(from.signed) <= exact_bits {
        let _ = writeln!(text, "  return r;");
        return text;
    }
    // Converts back. A result one above the largest integer converts as `above`.
    let suffix = if to.bits == 32 { "f" } else { "" };
    let past = format!("0x1p{}{suffix}", if from.signed { from.bits - 1 } else { from.bits });
    let _ = writeln!(text, "  {to_vector} in = (r >= ({to_vector}){past}) ? ({to_vector})0 : r;");
    let _ = writeln!(text, "  {from_vector} y = {};", value(from.name, width, "in"));
    let (_, max) = limits(from);
    let past_mask = format!("r >= ({to_vector}){past}");
    // Where r is out of range, y becomes the largest value. That is below r, unless x is that
    // value; then x < r still holds.
    let _ = writeln!(
        text,
        "  y = {};",
        select(width, to.bits, from, &past_mask, &format!("({}){max}", from.name), "y")
    );
    let signed = from.integer(true);
    let over = if width == 1 {
        format!("(y > x || {past_mask})")
    } else if to.bits == from.bits {
        format!("((y > x) | ({past_mask}))")
    } else {
        format!("((y > x) | {})", value(signed.name, width, &format!("({past_mask})")))
    };
    let under =
        if width == 1 { format!("(y < x && !({past_mask}))") } else { "(y < x)".to_owned() };
    step(&mut text, to, width, from.bits, rounding, &under, &over);
    text
}

fn float_to_float(from: Scalar, to: Scalar, width: u32, rounding: &str) -> String {
    let mut text = String::new();
    if to.bits >= from.bits {
        let _ = writeln!(text, "  return {};", value(to.name, width, "x"));
        return text;
    }
    let to_vector = to.vector(width);
    if from.bits == 64 && to.bits == 16 {
        // Rounds to odd in float first, so that the second rounding still sees on which side the
        // value was.
        let (float, int, long) =
            (SCALARS[9].vector(width), SCALARS[4].vector(width), SCALARS[6].vector(width));
        let _ = writeln!(text, "  {float} f = {};", value("float", width, "x"));
        let _ = writeln!(text, "  {} back = {};", from.vector(width), value("double", width, "f"));
        let _ = writeln!(text, "  {int} fb = __builtin_astype(f, {int});");
        let _ = writeln!(text, "  {int} toward = fb;");
        let _ = writeln!(text, "  {int} fs = ({int})(({int})1 | (fb >> ({int})31));");
        let int_scalar = SCALARS[4];
        let _ = writeln!(
            text,
            "  toward = {};",
            select(width, 64, int_scalar, "back < x", "fb + fs", "toward")
        );
        let _ = writeln!(
            text,
            "  toward = {};",
            select(width, 64, int_scalar, "back > x", "fb - fs", "toward")
        );
        let _ = writeln!(text, "  fb = ((fb & ({int})1) != ({int})0) ? fb : toward;");
        let _ = writeln!(
            text,
            "  {to_vector} r = {};",
            value("half", width, &format!("__builtin_astype(fb, {float})"))
        );
        let _ = long;
    } else {
        let _ = writeln!(text, "  {to_vector} r = {};", value(to.name, width, "x"));
    }
    if !directed(rounding) {
        let _ = writeln!(text, "  return r;");
        return text;
    }
    let _ = writeln!(text, "  {} y = {};", from.vector(width), value(from.name, width, "r"));
    step(&mut text, to, width, from.bits, rounding, "y < x", "y > x");
    text
}

/// The body of the conversion of `x`.
pub(crate) fn body(from: Scalar, to: Scalar, width: u32, saturate: bool, rounding: &str) -> String {
    match (from.float, to.float) {
        (false, false) => int_to_int(from, to, width, saturate),
        (true, false) => float_to_int(from, to, width, saturate, rounding),
        (false, true) => int_to_float(from, to, width, rounding),
        (true, true) => float_to_float(from, to, width, rounding),
    }
}

/// One member per pair of types.
pub(crate) fn members(all: &mut Vec<(String, String)>) {
    for from in SCALARS {
        for to in SCALARS {
            let mut text = prologue();
            for width in WIDTHS {
                for saturate in [false, true] {
                    if saturate && to.float {
                        continue;
                    }
                    for rounding in ROUNDINGS {
                        let (result, argument) = (to.vector(width), from.vector(width));
                        let sat = if saturate { "_sat" } else { "" };
                        let body = body(from, to, width, saturate, rounding);
                        let _ = write!(
                            text,
                            "OVL {result} convert_{result}{sat}{rounding}({argument} x) \
                            {{\n{body}}}\n"
                        );
                    }
                }
            }
            all.push((format!("convert_{}_{}", from.name, to.name), text));
        }
    }
}
