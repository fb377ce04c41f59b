//! Shifts, bit fields, counts, and dot products of integers.

use crate::arithmetic::wrap_flags;
use crate::body::Body;
use crate::mangle::{C, INT, UINT};
use crate::output::Effects;
use muxcl_spirv::numbers::Op;
use muxcl_spirv::{Error, Instruction};

/// Writes an instruction on bits, if it is one.
pub(crate) fn write(body: &mut Body<'_, '_>, i: Instruction<'_>) -> Result<bool, Error> {
    match i.op {
        Op::ShiftLeftLogical => shift(body, i, "shl")?,
        Op::ShiftRightLogical => shift(body, i, "lshr")?,
        Op::ShiftRightArithmetic => shift(body, i, "ashr")?,
        Op::Not => {
            let ty = body.result_text(i)?;
            let value = body.value(i, i.operand(2)?)?;
            let bits = body.module.types.width(i.operand(0)?).unwrap_or(32);
            let ones =
                if ty.starts_with('<') { format!("splat (i{bits} -1)") } else { "-1".into() };
            body.define(i, &format!("xor {ty} {value}, {ones}"));
        }
        Op::BitFieldInsert => field(body, i, "bitfield_insert", 2)?,
        Op::BitFieldSExtract => field(body, i, "bitfield_extract_signed", 1)?,
        Op::BitFieldUExtract => field(body, i, "bitfield_extract_unsigned", 1)?,
        Op::BitReverse => {
            let c = body.c(i, i.operand(2)?, false)?;
            let args = [(c.clone(), body.value(i, i.operand(2)?)?)];
            let value = body.call("bit_reverse", &c, &args, Effects::Nothing);
            body.set(i, value);
        }
        Op::BitCount => {
            let c = body.c(i, i.operand(2)?, false)?;
            let args = [(c.clone(), body.value(i, i.operand(2)?)?)];
            let value = body.call("popcount", &c, &args, Effects::Nothing);
            let to = body.c_result(i, false)?;
            let value = cast(body, &value, &c, &to);
            body.set(i, value);
        }
        Op::SDot | Op::UDot | Op::SUDot => dot(body, i, false)?,
        Op::SDotAccSat | Op::UDotAccSat | Op::SUDotAccSat => dot(body, i, true)?,
        _ => return Ok(false),
    }
    Ok(true)
}

/// Zero-extends integers to another width.
fn cast(body: &mut Body<'_, '_>, value: &str, from: &C, to: &C) -> String {
    extend(body, value, from, to, "zext")
}

fn extend(body: &mut Body<'_, '_>, value: &str, from: &C, to: &C, how: &str) -> String {
    let (C::Int(a, _), C::Int(b, _)) = (from.element(), to.element()) else {
        return value.to_owned();
    };
    let how = match a.cmp(b) {
        std::cmp::Ordering::Equal => return value.to_owned(),
        std::cmp::Ordering::Greater => "trunc",
        std::cmp::Ordering::Less => how,
    };
    body.temp(&format!("{how} {} {value} to {}", from.llvm(), to.llvm()))
}

/// Reduces shift amounts modulo the width, as OpenCL C does, so that no shift is poison.
fn shift(body: &mut Body<'_, '_>, i: Instruction<'_>, name: &str) -> Result<(), Error> {
    let wrap = wrap_flags(body, i);
    let to = body.c_result(i, false)?;
    let from = body.c(i, i.operand(3)?, false)?;
    let C::Int(bits, _) = *to.element() else {
        return Err(i.error("a shift of a value that is no integer"));
    };
    let amount = body.value(i, i.operand(3)?)?;
    let amount = cast(body, &amount, &from, &to);
    let ty = to.llvm();
    let mask = if to.lanes() > 1 {
        format!("splat (i{bits} {})", bits - 1)
    } else {
        (bits - 1).to_string()
    };
    let amount = body.temp(&format!("and {ty} {amount}, {mask}"));
    let value = body.value(i, i.operand(2)?)?;
    body.define(i, &format!("{name} {wrap}{ty} {value}, {amount}"));
    Ok(())
}

/// The arguments of a bit-field function: `count` values, then offset and count.
fn field(
    body: &mut Body<'_, '_>,
    i: Instruction<'_>,
    name: &str,
    count: usize,
) -> Result<(), Error> {
    let mut args = Vec::new();
    let signed = i.op == Op::BitFieldSExtract;
    for n in 0..count {
        let id = i.operand(2 + n)?;
        args.push((body.c(i, id, signed)?, body.value(i, id)?));
    }
    for n in 0..2 {
        args.push((UINT, body.int_as(i, i.operand(2 + count + n)?, 32, false)?));
    }
    let ret = body.c_result(i, signed)?;
    let value = body.call(name, &ret, &args, Effects::Nothing);
    body.set(i, value);
    Ok(())
}

/// Dot products of vectors, or of four bytes packed into a word. The result may be wider than that
/// of OpenCL C's functions, so this is plain arithmetic.
fn dot(body: &mut Body<'_, '_>, i: Instruction<'_>, accumulate: bool) -> Result<(), Error> {
    let (signed_a, signed_b) = match i.op {
        Op::SDot | Op::SDotAccSat => (true, true),
        Op::UDot | Op::UDotAccSat => (false, false),
        _ => (true, false),
    };
    let signed = signed_a || signed_b;
    let to = body.c_result(i, signed)?;
    let C::Int(bits, _) = to else {
        return Err(i.error("the result of an integer dot product is no integer"));
    };
    let mut lanes = [0; 2];
    let mut values = [String::new(), String::new()];
    for (n, is_signed) in [(0, signed_a), (1, signed_b)] {
        let id = i.operand(2 + n)?;
        let mut from = body.c(i, id, is_signed)?;
        let mut value = body.value(i, id)?;
        if from == INT || from == UINT {
            value = body.temp(&format!("bitcast i32 {value} to <4 x i8>"));
            from = C::Int(8, is_signed).times(4);
        }
        lanes[n] = from.lanes();
        let wide = from.with_element(C::Int(bits, is_signed));
        values[n] = extend(body, &value, &from, &wide, if is_signed { "sext" } else { "zext" });
    }
    if lanes[0] != lanes[1] || lanes[0] < 2 {
        return Err(i.error("an integer dot product has operands of different lengths"));
    }
    let ty = format!("<{} x i{bits}>", lanes[0]);
    let word = format!("i{bits}");
    let product = body.temp(&format!("mul {ty} {}, {}", values[0], values[1]));
    let name = format!("llvm.vector.reduce.add.v{}i{bits}", lanes[0]);
    let mut sum = body.intrinsic(&name, &word, &[(&ty, &product)]);
    if accumulate {
        let extra = body.value(i, i.operand(4)?)?;
        let kind = if signed { "sadd" } else { "uadd" };
        sum = body.intrinsic(
            &format!("llvm.{kind}.sat.i{bits}"),
            &word,
            &[(&word, &sum), (&word, &extra)],
        );
    }
    body.set(i, sum);
    Ok(())
}
