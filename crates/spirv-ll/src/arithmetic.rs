//! Arithmetic and comparisons of integers, floats and bools.

use crate::body::Body;
use crate::mangle::C;
use crate::output::Effects;
use crate::types::Type;
use muxcl_spirv::numbers::{Decoration, Op};
use muxcl_spirv::{Error, Instruction};

/// Writes an arithmetic instruction, if it is one.
pub(crate) fn write(body: &mut Body<'_, '_>, i: Instruction<'_>) -> Result<bool, Error> {
    if let Some(name) = integer_name(i.op) {
        let wrap = wrap_flags(body, i);
        binary(body, i, &format!("{name} {wrap}"), "")?;
    } else if let Some(name) = float_name(i.op) {
        let flags = body.fast(i);
        let accuracy = if i.op == Op::FDiv { quotient_accuracy(body, i)? } else { String::new() };
        binary(body, i, &format!("{name} {flags}"), &accuracy)?;
    } else if let Some(predicate) = comparison(i.op) {
        let flags = if predicate.starts_with("fcmp") {
            body.fast(i).replace("contract ", "")
        } else {
            String::new()
        };
        let (kind, predicate) = predicate.split_at(5);
        binary(body, i, &format!("{kind}{flags}{predicate} "), "")?;
    } else {
        return other(body, i);
    }
    Ok(true)
}

/// The metadata of a quotient of single precision, which may be wrong by 2.5 ULP (OpenCL C 3.0,
/// 7.4) unless the build options ask for the exact one. Empty for other types.
fn quotient_accuracy(body: &mut Body<'_, '_>, i: Instruction<'_>) -> Result<String, Error> {
    if body.module.options.math.exact_quotients
        || *body.c_result(i, true)?.element() != C::Float(32)
    {
        return Ok(String::new());
    }
    Ok(format!(", !fpmath {}", body.out.quotient_error()))
}

/// Writes `result = op type a, b` and then the metadata.
fn binary(
    body: &mut Body<'_, '_>,
    i: Instruction<'_>,
    op: &str,
    metadata: &str,
) -> Result<(), Error> {
    let (first, second) = (i.operand(2)?, i.operand(3)?);
    let ty = body.value_text(i, first)?;
    let result = if op.contains("cmp") { &ty } else { &body.result_text(i)? };
    if body.value_text(i, second)? != ty || ty != *result {
        return Err(i.error(format_args!(
            "Op{:?} is of {ty} and {}",
            i.op,
            body.value_text(i, second)?
        )));
    }
    let (a, b) = (body.typed(i, first)?, body.value(i, second)?);
    body.define(i, &format!("{op}{a}, {b}{metadata}"));
    Ok(())
}

fn integer_name(op: Op) -> Option<&'static str> {
    Some(match op {
        Op::IAdd => "add",
        Op::ISub => "sub",
        Op::IMul => "mul",
        Op::UDiv => "udiv",
        Op::SDiv => "sdiv",
        Op::UMod => "urem",
        Op::SRem => "srem",
        Op::BitwiseOr | Op::LogicalOr => "or",
        Op::BitwiseXor | Op::LogicalNotEqual => "xor",
        Op::BitwiseAnd | Op::LogicalAnd => "and",
        _ => return None,
    })
}

fn float_name(op: Op) -> Option<&'static str> {
    Some(match op {
        Op::FAdd => "fadd",
        Op::FSub => "fsub",
        Op::FMul => "fmul",
        Op::FDiv => "fdiv",
        _ => return None,
    })
}

fn comparison(op: Op) -> Option<&'static str> {
    Some(match op {
        Op::IEqual | Op::LogicalEqual => "icmp eq",
        Op::INotEqual => "icmp ne",
        Op::UGreaterThan => "icmp ugt",
        Op::SGreaterThan => "icmp sgt",
        Op::UGreaterThanEqual => "icmp uge",
        Op::SGreaterThanEqual => "icmp sge",
        Op::ULessThan => "icmp ult",
        Op::SLessThan => "icmp slt",
        Op::ULessThanEqual => "icmp ule",
        Op::SLessThanEqual => "icmp sle",
        Op::FOrdEqual => "fcmp oeq",
        Op::FUnordEqual => "fcmp ueq",
        Op::FOrdNotEqual | Op::LessOrGreater => "fcmp one",
        Op::FUnordNotEqual => "fcmp une",
        Op::FOrdLessThan => "fcmp olt",
        Op::FUnordLessThan => "fcmp ult",
        Op::FOrdGreaterThan => "fcmp ogt",
        Op::FUnordGreaterThan => "fcmp ugt",
        Op::FOrdLessThanEqual => "fcmp ole",
        Op::FUnordLessThanEqual => "fcmp ule",
        Op::FOrdGreaterThanEqual => "fcmp oge",
        Op::FUnordGreaterThanEqual => "fcmp uge",
        Op::Ordered => "fcmp ord",
        Op::Unordered => "fcmp uno",
        _ => return None,
    })
}

/// The overflow flags by the decorations `NoSignedWrap` and `NoUnsignedWrap`.
pub(crate) fn wrap_flags(body: &Body<'_, '_>, i: Instruction<'_>) -> String {
    if !matches!(i.op, Op::IAdd | Op::ISub | Op::IMul | Op::SNegate | Op::ShiftLeftLogical) {
        return String::new();
    }
    let id = i.result().unwrap_or(0);
    let has = |d| body.module.decoration(id, d).is_some();
    let unsigned = if has(Decoration::NoUnsignedWrap) { "nuw " } else { "" };
    let signed = if has(Decoration::NoSignedWrap) { "nsw " } else { "" };
    format!("{unsigned}{signed}")
}

fn other(body: &mut Body<'_, '_>, i: Instruction<'_>) -> Result<bool, Error> {
    match i.op {
        Op::SNegate => {
            let (ty, wrap) = (body.result_text(i)?, wrap_flags(body, i));
            let value = body.value(i, i.operand(2)?)?;
            let zero = if ty.starts_with('<') { "zeroinitializer" } else { "0" };
            body.define(i, &format!("sub {wrap}{ty} {zero}, {value}"));
        }
        Op::FNegate => {
            let flags = body.fast(i).replace("contract ", "");
            let value = body.typed(i, i.operand(2)?)?;
            body.define(i, &format!("fneg {flags}{value}"));
        }
        Op::LogicalNot => {
            let ty = body.result_text(i)?;
            let value = body.value(i, i.operand(2)?)?;
            let ones = if ty.starts_with('<') { "splat (i1 true)" } else { "true" };
            body.define(i, &format!("xor {ty} {value}, {ones}"));
        }
        Op::Select => {
            let (c, a, b) = (
                body.typed(i, i.operand(2)?)?,
                body.typed(i, i.operand(3)?)?,
                body.typed(i, i.operand(4)?)?,
            );
            body.define(i, &format!("select {c}, {a}, {b}"));
        }
        Op::SMod => modulo(body, i)?,
        Op::FRem => {
            let value = float_remainder(body, i)?;
            body.set(i, value);
        }
        Op::FMod => float_modulo(body, i)?,
        Op::VectorTimesScalar => {
            let vector = i.operand(2)?;
            let (element, lanes) = body.module.types.lanes(body.type_of(i, vector)?);
            let splat = splat(body, i, element, lanes, i.operand(3)?)?;
            let (flags, a) = (body.fast(i), body.typed(i, vector)?);
            body.define(i, &format!("fmul {flags}{a}, {splat}"));
        }
        Op::Dot => {
            let (a, b) = (i.operand(2)?, i.operand(3)?);
            let args = [
                (body.c(i, a, true)?, body.value(i, a)?),
                (body.c(i, b, true)?, body.value(i, b)?),
            ];
            let ret = body.c_result(i, true)?;
            let value = body.call_math(i, "dot", &ret, &args, Effects::Nothing);
            body.set(i, value);
        }
        Op::IsNan => class(body, i, 0x003)?,
        Op::IsInf => class(body, i, 0x204)?,
        Op::IsFinite => class(body, i, 0x1f8)?,
        Op::IsNormal => class(body, i, 0x108)?,
        Op::SignBitSet => {
            let operand = i.operand(2)?;
            let ty = body.type_of(i, operand)?;
            let (bits, lanes) =
                (body.module.types.width(ty).unwrap_or(32), body.module.types.lanes(ty).1);
            let int = if lanes > 1 { format!("<{lanes} x i{bits}>") } else { format!("i{bits}") };
            let value = body.typed(i, operand)?;
            let value = body.temp(&format!("bitcast {value} to {int}"));
            let zero = if lanes > 1 { "zeroinitializer" } else { "0" };
            body.define(i, &format!("icmp slt {int} {value}, {zero}"));
        }
        Op::Any | Op::All => {
            let mut ty = body.value_text(i, i.operand(2)?)?;
            let mut value = body.value(i, i.operand(2)?)?;
            // LLVM's SPIR-V back end writes OpenCL C's `any` and `all` here, which test the sign
            // bits of integers.
            if let C::Int(..) = body.c(i, i.operand(2)?, true)?.element() {
                value = body.temp(&format!("icmp slt {ty} {value}, zeroinitializer"));
                ty = body.c(i, i.operand(2)?, true)?.with_element(C::Bool).llvm();
            }
            if let Some(lanes) = ty.strip_prefix('<').and_then(|t| t.split(' ').next()) {
                let kind = if i.op == Op::Any { "or" } else { "and" };
                let result = body.intrinsic(
                    &format!("llvm.vector.reduce.{kind}.v{lanes}i1"),
                    "i1",
                    &[(&ty, &value)],
                );
                body.set(i, result);
            } else {
                body.set(i, value);
            }
        }
        Op::IAddCarry | Op::ISubBorrow => carry(body, i)?,
        Op::UMulExtended | Op::SMulExtended => extended(body, i)?,
        _ => return Ok(false),
    }
    Ok(true)
}

/// A vector with the same value in every lane.
pub(crate) fn splat(
    body: &mut Body<'_, '_>,
    i: Instruction<'_>,
    element: u32,
    lanes: u32,
    value: u32,
) -> Result<String, Error> {
    let (ty, value) = (body.text(i, element)?, body.value(i, value)?);
    let one = body.temp(&format!("insertelement <{lanes} x {ty}> poison, {ty} {value}, i32 0"));
    Ok(body.temp(&format!(
        "shufflevector <{lanes} x {ty}> {one}, <{lanes} x {ty}> poison, <{lanes} x i32> zeroinitializer"
    )))
}

/// The remainder with the sign of the divisor.
fn modulo(body: &mut Body<'_, '_>, i: Instruction<'_>) -> Result<(), Error> {
    let ty = body.result_text(i)?;
    let zero = if ty.starts_with('<') { "zeroinitializer" } else { "0" };
    let (a, b) = (body.value(i, i.operand(2)?)?, body.value(i, i.operand(3)?)?);
    let rest = body.temp(&format!("srem {ty} {a}, {b}"));
    let nonzero = body.temp(&format!("icmp ne {ty} {rest}, {zero}"));
    let signs = body.temp(&format!("xor {ty} {rest}, {b}"));
    let differ = body.temp(&format!("icmp slt {ty} {signs}, {zero}"));
    let condition = ty
        .strip_prefix('<')
        .and_then(|t| t.split(' ').next())
        .map_or_else(|| "i1".to_owned(), |lanes| format!("<{lanes} x i1>"));
    let fix = body.temp(&format!("and {condition} {nonzero}, {differ}"));
    let other = body.temp(&format!("add {ty} {rest}, {b}"));
    body.define(i, &format!("select {condition} {fix}, {ty} {other}, {ty} {rest}"));
    Ok(())
}

/// The remainder with the sign of the dividend: OpenCL C's `fmod`.
fn float_remainder(body: &mut Body<'_, '_>, i: Instruction<'_>) -> Result<String, Error> {
    let (a, b) = (i.operand(2)?, i.operand(3)?);
    let args = [(body.c(i, a, true)?, body.value(i, a)?), (body.c(i, b, true)?, body.value(i, b)?)];
    let ret = body.c_result(i, true)?;
    Ok(body.call("fmod", &ret, &args, Effects::Nothing))
}

/// The remainder with the sign of the divisor.
fn float_modulo(body: &mut Body<'_, '_>, i: Instruction<'_>) -> Result<(), Error> {
    let rest = float_remainder(body, i)?;
    let (ty, b) = (body.result_text(i)?, i.operand(3)?);
    let bits = body.module.types.width(i.operand(0)?).unwrap_or(32);
    let lanes = body.module.types.lanes(i.operand(0)?).1;
    let b = body.value(i, b)?;
    let suffix = if lanes > 1 { format!("v{lanes}f{bits}") } else { format!("f{bits}") };
    let condition = if lanes > 1 { format!("<{lanes} x i1>") } else { "i1".into() };
    let zero = if lanes > 1 { "zeroinitializer" } else { "0.0" };
    // The remainder has the sign of the dividend. If the divisor's sign differs, the divisor is
    // added.
    let turned =
        body.intrinsic(&format!("llvm.copysign.{suffix}"), &ty, &[(&ty, &rest), (&ty, &b)]);
    let same = body.temp(&format!("fcmp oeq {ty} {turned}, {rest}"));
    let other = body.temp(&format!("fadd {ty} {rest}, {b}"));
    let sum = body.temp(&format!("select {condition} {same}, {ty} {turned}, {ty} {other}"));
    let is_zero = body.temp(&format!("fcmp oeq {ty} {rest}, {zero}"));
    body.define(i, &format!("select {condition} {is_zero}, {ty} {turned}, {ty} {sum}"));
    Ok(())
}

fn class(body: &mut Body<'_, '_>, i: Instruction<'_>, mask: u32) -> Result<(), Error> {
    let operand = i.operand(2)?;
    let ty = body.type_of(i, operand)?;
    let Some(Type::Float(bits)) = body.module.types.scalar(ty) else {
        return Err(
            i.error(format_args!("the operand of Op{:?} is no floating-point number", i.op))
        );
    };
    let (bits, lanes) = (*bits, body.module.types.lanes(ty).1);
    let suffix = if lanes > 1 { format!("v{lanes}f{bits}") } else { format!("f{bits}") };
    let ret = if lanes > 1 { format!("<{lanes} x i1>") } else { "i1".into() };
    let value = body.typed(i, operand)?;
    let ty = body.value_text(i, operand)?;
    let name = format!("llvm.is.fpclass.{suffix}");
    body.out.declare(&name, || format!("declare {ret} @{name}({ty}, i32 immarg)"));
    body.define(i, &format!("call {ret} @{name}({value}, i32 {mask})"));
    Ok(())
}

/// Writes a structure of two values.
fn pair(
    body: &mut Body<'_, '_>,
    i: Instruction<'_>,
    part: &str,
    low: &str,
    high: &str,
) -> Result<(), Error> {
    let ty = body.result_text(i)?;
    let first = body.temp(&format!("insertvalue {ty} poison, {part} {low}, 0"));
    body.define(i, &format!("insertvalue {ty} {first}, {part} {high}, 1"));
    Ok(())
}

fn carry(body: &mut Body<'_, '_>, i: Instruction<'_>) -> Result<(), Error> {
    let ty = body.value_text(i, i.operand(2)?)?;
    let (a, b) = (body.value(i, i.operand(2)?)?, body.value(i, i.operand(3)?)?);
    let (name, x, y) = if i.op == Op::IAddCarry {
        ("add", None, a.clone())
    } else {
        ("sub", Some(a.clone()), b.clone())
    };
    let sum = body.temp(&format!("{name} {ty} {a}, {b}"));
    let less = body.temp(&format!("icmp ult {ty} {}, {y}", x.unwrap_or_else(|| sum.clone())));
    let bools = ty.strip_prefix('<').and_then(|t| t.split(' ').next());
    let bools = bools.map_or_else(|| "i1".to_owned(), |lanes| format!("<{lanes} x i1>"));
    let over = body.temp(&format!("zext {bools} {less} to {ty}"));
    pair(body, i, &ty, &sum, &over)
}

fn extended(body: &mut Body<'_, '_>, i: Instruction<'_>) -> Result<(), Error> {
    let operand = i.operand(2)?;
    let ty = body.type_of(i, operand)?;
    let bits = body.module.types.width(ty).unwrap_or(32);
    let lanes = body.module.types.lanes(ty).1;
    let int =
        |bits: u32| if lanes > 1 { format!("<{lanes} x i{bits}>") } else { format!("i{bits}") };
    let (narrow, wide) = (int(bits), int(bits * 2));
    let extend = if i.op == Op::UMulExtended { "zext" } else { "sext" };
    let (a, b) = (body.value(i, operand)?, body.value(i, i.operand(3)?)?);
    let a = body.temp(&format!("{extend} {narrow} {a} to {wide}"));
    let b = body.temp(&format!("{extend} {narrow} {b} to {wide}"));
    let product = body.temp(&format!("mul {wide} {a}, {b}"));
    let low = body.temp(&format!("trunc {wide} {product} to {narrow}"));
    let amount = if lanes > 1 { format!("splat (i{} {bits})", bits * 2) } else { bits.to_string() };
    let shifted = body.temp(&format!("lshr {wide} {product}, {amount}"));
    let high = body.temp(&format!("trunc {wide} {shifted} to {narrow}"));
    pair(body, i, &narrow, &low, &high)
}
