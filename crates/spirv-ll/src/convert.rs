//! Conversions of values and addresses. A conversion with a rounding mode or saturation is a call
//! of OpenCL C's `convert_`.

use crate::body::Body;
use crate::mangle::{C, pointer_text};
use crate::output::Effects;
use crate::types::Type;
use muxcl_spirv::numbers::{Decoration, Op};
use muxcl_spirv::{Error, Instruction};

/// Writes a conversion, if it is one.
pub(crate) fn write(body: &mut Body<'_, '_>, i: Instruction<'_>) -> Result<bool, Error> {
    match i.op {
        Op::ConvertFToU => number(body, i, false, false, "fptoui")?,
        Op::ConvertFToS => number(body, i, true, true, "fptosi")?,
        Op::ConvertSToF => number(body, i, true, true, "sitofp")?,
        Op::ConvertUToF => number(body, i, false, false, "uitofp")?,
        Op::UConvert => number(body, i, false, false, "zext")?,
        Op::SConvert => number(body, i, true, true, "sext")?,
        Op::FConvert => number(body, i, true, true, "fpext")?,
        Op::SatConvertSToU => saturated(body, i, true, false)?,
        Op::SatConvertUToS => saturated(body, i, false, true)?,
        Op::ConvertPtrToU => plain(body, i, "ptrtoint")?,
        Op::ConvertUToPtr => plain(body, i, "inttoptr")?,
        Op::PtrCastToGeneric | Op::GenericCastToPtr => {
            if body.value_text(i, i.operand(2)?)? == body.result_text(i)? {
                let value = body.value(i, i.operand(2)?)?;
                body.set(i, value);
            } else {
                plain(body, i, "addrspacecast")?;
            }
        }
        Op::GenericCastToPtrExplicit => explicit(body, i)?,
        Op::GenericPtrMemSemantics => semantics(body, i)?,
        Op::Bitcast => bitcast(body, i)?,
        _ => return Ok(false),
    }
    Ok(true)
}

/// Writes `result = cast type a to type`.
fn plain(body: &mut Body<'_, '_>, i: Instruction<'_>, name: &str) -> Result<(), Error> {
    let (value, ty) = (body.typed(i, i.operand(2)?)?, body.result_text(i)?);
    body.define(i, &format!("{name} {value} to {ty}"));
    Ok(())
}

fn rounding(body: &Body<'_, '_>, i: Instruction<'_>) -> Result<Option<&'static str>, Error> {
    let Some(mode) =
        i.result().and_then(|id| body.module.decoration_value(id, Decoration::FPRoundingMode))
    else {
        return Ok(None);
    };
    rounding_suffix(i, mode).map(Some)
}

/// The suffix of OpenCL C's conversion functions for a rounding mode.
pub(crate) fn rounding_suffix(i: Instruction<'_>, mode: u32) -> Result<&'static str, Error> {
    match mode {
        0 => Ok("_rte"),
        1 => Ok("_rtz"),
        2 => Ok("_rtp"),
        3 => Ok("_rtn"),
        _ => Err(i.error(format_args!("rounding mode {mode} is unknown"))),
    }
}

/// Converts numbers.
fn number(
    body: &mut Body<'_, '_>,
    i: Instruction<'_>,
    from: bool,
    to: bool,
    name: &str,
) -> Result<(), Error> {
    let rounding = rounding(body, i)?;
    let saturated = i
        .result()
        .is_some_and(|id| body.module.decoration(id, Decoration::SaturatedConversion).is_some());
    let (from, to) = (body.c(i, i.operand(2)?, from)?, body.c_result(i, to)?);
    check(i, &from, &to)?;
    if saturated || rounding.is_some() {
        return convert(body, i, &from, &to, saturated, rounding);
    }
    let name = match (name, width(&from).cmp(&width(&to))) {
        ("zext" | "sext" | "fpext", std::cmp::Ordering::Equal) => {
            let value = body.value(i, i.operand(2)?)?;
            body.set(i, value);
            return Ok(());
        }
        ("zext" | "sext", std::cmp::Ordering::Greater) => "trunc",
        ("fpext", std::cmp::Ordering::Greater) => "fptrunc",
        (name, _) => name,
    };
    plain(body, i, name)
}

fn width(ty: &C) -> u32 {
    match ty.element() {
        C::Int(bits, _) | C::Float(bits) => *bits,
        _ => 0,
    }
}

fn check(i: Instruction<'_>, from: &C, to: &C) -> Result<(), Error> {
    let numbers = |c: &C| matches!(c.element(), C::Int(..) | C::Float(_));
    if numbers(from) && numbers(to) && from.lanes() == to.lanes() {
        return Ok(());
    }
    Err(i.error(format_args!("Op{:?} is between types that do not fit", i.op)))
}

fn saturated(
    body: &mut Body<'_, '_>,
    i: Instruction<'_>,
    from: bool,
    to: bool,
) -> Result<(), Error> {
    let (from, to) = (body.c(i, i.operand(2)?, from)?, body.c_result(i, to)?);
    check(i, &from, &to)?;
    convert(body, i, &from, &to, true, None)
}

fn convert(
    body: &mut Body<'_, '_>,
    i: Instruction<'_>,
    from: &C,
    to: &C,
    saturated: bool,
    rounding: Option<&str>,
) -> Result<(), Error> {
    // Conversions to floating point do not saturate.
    let sat = if saturated && matches!(to.element(), C::Int(..)) { "_sat" } else { "" };
    let name = format!("convert_{}{sat}{}", to.name(), rounding.unwrap_or(""));
    let value = body.value(i, i.operand(2)?)?;
    let value = body.call(&name, to, &[(from.clone(), value)], Effects::Nothing);
    body.set(i, value);
    Ok(())
}

fn bitcast(body: &mut Body<'_, '_>, i: Instruction<'_>) -> Result<(), Error> {
    let operand = i.operand(2)?;
    let (from, to) = (body.value_text(i, operand)?, body.result_text(i)?);
    if from == to {
        let value = body.value(i, operand)?;
        if body.packed.contains(&operand)
            && let Some(id) = i.result()
        {
            body.packed.insert(id);
        }
        body.set(i, value);
        return Ok(());
    }
    let is_pointer = |ty: u32| matches!(body.module.types.get(ty), Some(Type::Pointer { .. }));
    let name = match (is_pointer(body.type_of(i, operand)?), is_pointer(i.operand(0)?)) {
        (true, true) => return Err(i.error("OpBitcast changes the storage class of a pointer")),
        (true, false) | (false, true) => return address_as_bits(body, i, &from, &to),
        (false, false) => "bitcast",
    };
    plain(body, i, name)
}

/// Converts between an address and an integer or vector of the same width.
fn address_as_bits(
    body: &mut Body<'_, '_>,
    i: Instruction<'_>,
    from: &str,
    to: &str,
) -> Result<(), Error> {
    let word = format!("i{}", body.module.options.address_bits);
    let value = body.value(i, i.operand(2)?)?;
    if from.starts_with("ptr") {
        let bits = body.temp(&format!("ptrtoint {from} {value} to {word}"));
        body.define(i, &format!("bitcast {word} {bits} to {to}"));
    } else {
        let bits = body.temp(&format!("bitcast {from} {value} to {word}"));
        body.define(i, &format!("inttoptr {word} {bits} to {to}"));
    }
    Ok(())
}

/// `to_global`, `to_local` and `to_private`.
fn explicit(body: &mut Body<'_, '_>, i: Instruction<'_>) -> Result<(), Error> {
    let Some(Type::Pointer { space, .. }) = body.module.types.get(i.operand(0)?) else {
        return Err(i.error("the result of OpGenericCastToPtrExplicit is no pointer"));
    };
    let (name, space) =
        match space {
            1 => ("__to_global", 1),
            3 => ("__to_local", 3),
            0 => ("__to_private", 0),
            _ => return Err(i.error(
                "OpGenericCastToPtrExplicit is to a storage class that is not in generic memory",
            )),
        };
    let generic = C::Named(String::new(), pointer_text(4));
    let value = body.pointer_as(i, i.operand(2)?, 4)?;
    let ret = C::Named(String::new(), pointer_text(space));
    let value = body.call_named(name, &ret, &[(generic, value)], Effects::Any);
    body.set(i, value);
    Ok(())
}

/// `get_fence`, with its flags as SPIR-V memory semantics.
fn semantics(body: &mut Body<'_, '_>, i: Instruction<'_>) -> Result<(), Error> {
    let value = body.pointer_as(i, i.operand(2)?, 4)?;
    let flags = body.call(
        "get_fence",
        &crate::mangle::UINT,
        &[(C::Void.pointer(4), value)],
        Effects::Nothing,
    );
    // CLK_LOCAL_MEM_FENCE is 1, WorkgroupMemory 0x100; CLK_GLOBAL_MEM_FENCE is 2,
    // CrossWorkgroupMemory 0x200.
    let low = body.temp(&format!("and i32 {flags}, 3"));
    let value = body.temp(&format!("shl i32 {low}, 8"));
    body.set(i, value);
    Ok(())
}
