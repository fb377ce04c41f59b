//! The extended instructions of `OpenCL.std`, as calls of OpenCL C's functions. Most have the
//! function's name.

use crate::body::Body;
use crate::convert::rounding_suffix;
use crate::mangle::C;
use crate::module::Set;
use crate::output::Effects;
use crate::types::Type;
use muxcl_spirv::numbers::{Op, OpenclStd100Op as Std};
use muxcl_spirv::{Error, Instruction};

/// Writes an extended instruction, if it is one.
pub(crate) fn write(body: &mut Body<'_, '_>, i: Instruction<'_>) -> Result<bool, Error> {
    if !matches!(i.op, Op::ExtInst | Op::ExtInstWithForwardRefsKHR) {
        return Ok(false);
    }
    match body.module.sets.get(&i.operand(2)?) {
        None => return Err(i.error("OpExtInst names a set of instructions that is not imported")),
        Some(Set::Ignored) => return Ok(true),
        Some(Set::OpenCl) => {}
    }
    let number = i.operand(3)?;
    let Some(std) = Std::from_u32(number) else {
        return Err(i.error(format_args!("OpenCL.std has no instruction {number}")));
    };
    match std {
        Std::printf => printf(body, i)?,
        Std::vloadn => {
            let name = format!("vload{}", i.operand(6)?);
            vload(body, i, &name, None)?;
        }
        Std::vload_half => vload(body, i, "vload_half", Some(16))?,
        Std::vload_halfn => {
            let name = format!("vload_half{}", i.operand(6)?);
            vload(body, i, &name, Some(16))?;
        }
        Std::vloada_halfn => {
            let name = format!("vloada_half{}", i.operand(6)?);
            vload(body, i, &name, Some(16))?;
        }
        Std::vstoren => vstore(body, i, "vstore", false)?,
        Std::vstore_half | Std::vstore_half_r => vstore(body, i, "vstore_half", true)?,
        Std::vstore_halfn | Std::vstore_halfn_r => vstore(body, i, "vstore_half", true)?,
        Std::vstorea_halfn | Std::vstorea_halfn_r => vstore(body, i, "vstorea_half", true)?,
        Std::prefetch => prefetch(body, i)?,
        _ => plain(body, i, std)?,
    }
    Ok(true)
}

/// The name in OpenCL C, and whether integers are signed in the first and in the other arguments.
fn name(std: Std) -> (String, bool, bool) {
    let own = format!("{std:?}");
    match std {
        Std::fclamp => ("clamp".into(), true, true),
        Std::fmax_common => ("max".into(), true, true),
        Std::fmin_common => ("min".into(), true, true),
        // The second argument of `upsample` is the unsigned low half.
        Std::s_upsample => ("upsample".into(), true, false),
        Std::nan
        | Std::shuffle
        | Std::shuffle2
        | Std::clz
        | Std::ctz
        | Std::popcount
        | Std::rotate => (own, false, false),
        _ => {
            if let Some(name) = own.strip_prefix("s_") {
                (name.to_owned(), true, true)
            } else if let Some(name) = own.strip_prefix("u_") {
                (name.to_owned(), false, false)
            } else {
                (own, true, true)
            }
        }
    }
}

/// Writes a call with the operands as arguments.
fn plain(body: &mut Body<'_, '_>, i: Instruction<'_>, std: Std) -> Result<(), Error> {
    let (name, first, rest) = name(std);
    let mut args = Vec::new();
    let mut effects = Effects::Nothing;
    for (n, &id) in i.rest(4).iter().enumerate() {
        let pointer = match body.module.types.get(body.type_of(i, id)?) {
            Some(Type::Pointer { space, .. }) => {
                args.first().map(|(x, _): &(C, String)| (x.clone(), *space))
            }
            _ => None,
        };
        let ty = match pointer {
            // Points to the first operand's type, or to as many ints. The declared type may be a
            // producer's guess.
            Some((x, space)) => {
                effects = Effects::Any;
                let to = if matches!(std, Std::fract | Std::modf | Std::sincos) {
                    x
                } else {
                    x.with_element(C::Int(32, true))
                };
                to.pointer(space)
            }
            None => body.c(i, id, if n == 0 { first } else { rest })?,
        };
        args.push((ty, body.value(i, id)?));
    }
    let ret = body.c_result(i, first)?;
    check(i, &name, std, &args, &ret)?;
    if matches!(std, Std::fmax_common | Std::fmin_common | Std::fclamp)
        && args.iter().any(|(ty, _)| !ty.element().is_float())
    {
        return Err(i.error(format_args!("{std:?} has operands that are not floating point")));
    }
    let value = body.call_math(i, &name, &ret, &args, effects);
    body.set(i, value);
    Ok(())
}

/// Checks the number of operands and the result type. A wrong declaration of a builtin would pass
/// LLVM's verifier.
fn check(
    i: Instruction<'_>,
    name: &str,
    std: Std,
    args: &[(C, String)],
    ret: &C,
) -> Result<(), Error> {
    let count = match std {
        Std::atan2
        | Std::atan2pi
        | Std::copysign
        | Std::fdim
        | Std::fmax
        | Std::fmin
        | Std::fmod
        | Std::fract
        | Std::frexp
        | Std::hypot
        | Std::ldexp
        | Std::lgamma_r
        | Std::maxmag
        | Std::minmag
        | Std::modf
        | Std::nextafter
        | Std::pow
        | Std::pown
        | Std::powr
        | Std::remainder
        | Std::rootn
        | Std::sincos
        | Std::half_divide
        | Std::half_powr
        | Std::native_divide
        | Std::native_powr
        | Std::fmax_common
        | Std::fmin_common
        | Std::step
        | Std::cross
        | Std::distance
        | Std::fast_distance
        | Std::s_abs_diff
        | Std::u_abs_diff
        | Std::s_add_sat
        | Std::u_add_sat
        | Std::s_hadd
        | Std::u_hadd
        | Std::s_rhadd
        | Std::u_rhadd
        | Std::s_max
        | Std::u_max
        | Std::s_min
        | Std::u_min
        | Std::s_mul_hi
        | Std::u_mul_hi
        | Std::rotate
        | Std::s_sub_sat
        | Std::u_sub_sat
        | Std::u_upsample
        | Std::s_upsample
        | Std::s_mul24
        | Std::u_mul24
        | Std::shuffle => 2,
        Std::fma
        | Std::mad
        | Std::remquo
        | Std::fclamp
        | Std::mix
        | Std::smoothstep
        | Std::s_clamp
        | Std::u_clamp
        | Std::s_mad_hi
        | Std::u_mad_hi
        | Std::s_mad_sat
        | Std::u_mad_sat
        | Std::s_mad24
        | Std::u_mad24
        | Std::shuffle2
        | Std::bitselect
        | Std::select => 3,
        _ => 1,
    };
    let Some((first, _)) = args.first() else {
        return Err(i.error(format_args!("{name} has no operands")));
    };
    if args.len() != count {
        return Err(i.error(format_args!("{name} has {} operands, not {count}", args.len())));
    }
    let element = first.element();
    let expected = match std {
        Std::ilogb => first.with_element(C::Int(32, true)),
        Std::nan => match element {
            C::Int(bits, _) => first.with_element(C::Float(*bits)),
            other => other.clone(),
        },
        Std::distance | Std::length | Std::fast_distance | Std::fast_length => element.clone(),
        Std::step | Std::smoothstep => args.last().map_or(C::Void, |(ty, _)| ty.clone()),
        Std::s_upsample | Std::u_upsample => match element {
            C::Int(bits, signed) => first.with_element(C::Int(bits * 2, *signed)),
            other => other.clone(),
        },
        Std::shuffle | Std::shuffle2 => {
            let lanes = args.last().map_or(1, |(ty, _)| ty.lanes());
            element.clone().times(lanes)
        }
        _ => first.clone(),
    };
    if expected.llvm() != ret.llvm() {
        return Err(i.error(format_args!(
            "{name} returns {}, not {}",
            expected.llvm(),
            ret.llvm()
        )));
    }
    Ok(())
}

/// An offset operand, as `size_t`.
fn offset(body: &mut Body<'_, '_>, i: Instruction<'_>, id: u32) -> Result<(C, String), Error> {
    let bits = body.module.options.address_bits;
    Ok((body.size_t(), body.int_as(i, id, bits, false)?))
}

/// `vload` and `vload_half` of every width.
fn vload(
    body: &mut Body<'_, '_>,
    i: Instruction<'_>,
    name: &str,
    half: Option<u32>,
) -> Result<(), Error> {
    let (distance, pointer) = (i.operand(4)?, i.operand(5)?);
    let space = body.module.pointer(i, pointer)?.1;
    let ret = body.c_result(i, true)?;
    let element = half.map_or_else(|| ret.element().clone(), C::Float);
    let lanes = name.trim_start_matches(|c: char| !c.is_ascii_digit());
    if lanes.parse().unwrap_or(1) != ret.lanes()
        || (half.is_some() && *ret.element() != C::Float(32))
    {
        return Err(i.error(format_args!("{name} does not return {}", ret.llvm())));
    }
    let pointer = (element.pointer_to_const(space), body.value(i, pointer)?);
    let args = [offset(body, i, distance)?, pointer];
    let value = body.call(name, &ret, &args, Effects::Reads);
    body.set(i, value);
    Ok(())
}

/// `vstore` and `vstore_half` of every width.
fn vstore(
    body: &mut Body<'_, '_>,
    i: Instruction<'_>,
    name: &str,
    half: bool,
) -> Result<(), Error> {
    let (data, distance, pointer) = (i.operand(4)?, i.operand(5)?, i.operand(6)?);
    let space = body.module.pointer(i, pointer)?.1;
    if space == 2 {
        return Err(i.error(format_args!("{name} writes constant memory")));
    }
    let value = body.c(i, data, true)?;
    let lanes = if value.lanes() > 1 { value.lanes().to_string() } else { String::new() };
    let mode = match i.operands.get(7) {
        Some(&mode) if half => rounding_suffix(i, mode)?,
        _ => "",
    };
    let element = if half { C::Float(16) } else { value.element().clone() };
    let pointer = (element.pointer(space), body.value(i, pointer)?);
    let args = [(value, body.value(i, data)?), offset(body, i, distance)?, pointer];
    body.call(&format!("{name}{lanes}{mode}"), &C::Void, &args, Effects::Any);
    Ok(())
}

fn prefetch(body: &mut Body<'_, '_>, i: Instruction<'_>) -> Result<(), Error> {
    let (pointer, count) = (i.operand(4)?, i.operand(5)?);
    let (to, space) = body.module.pointer(i, pointer)?;
    if let Some(to) = to.and_then(|to| body.module.types.c(to, true))
        && space == 1
        && matches!(to.element(), C::Int(..) | C::Float(_))
    {
        let args = [(to.pointer_to_const(space), body.value(i, pointer)?), offset(body, i, count)?];
        body.call("prefetch", &C::Void, &args, Effects::Any);
    }
    Ok(()) // of other things it is a hint without effect
}

fn printf(body: &mut Body<'_, '_>, i: Instruction<'_>) -> Result<(), Error> {
    let format = i.operand(4)?;
    let space = body.module.pointer(i, format)?.1;
    let mut parts = vec![format!("ptr addrspace(2) {}", body.pointer_as(i, format, 2)?)];
    if space != 2 && space != 4 && space != 1 {
        return Err(i.error("the format of printf is neither in constant nor in global memory"));
    }
    for &id in i.rest(5) {
        let argument = body.typed(i, id)?;
        // A float is not promoted to double, because the record holds the argument's size.
        parts.push(match body.module.types.get(body.type_of(i, id)?) {
            Some(Type::Int(bits @ (8 | 16))) => {
                let (bits, value) = (*bits, body.value(i, id)?);
                format!("i32 {}", body.resize(&value, bits, 32, true))
            }
            _ => argument,
        });
    }
    body.out.declare("printf", || "declare spir_func i32 @printf(ptr addrspace(2), ...) #0".into());
    let value = body.temp(&format!(
        "call spir_func i32 (ptr addrspace(2), ...) @printf({}) #0",
        parts.join(", ")
    ));
    body.set(i, value);
    Ok(())
}
