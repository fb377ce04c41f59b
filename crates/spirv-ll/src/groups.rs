//! Group operations of work-groups and sub-groups, asynchronous copies, clocks.

use crate::body::Body;
use crate::mangle::{C, INT, UINT};
use crate::output::Effects;
use crate::types::Type;
use muxcl_spirv::numbers::Op;
use muxcl_spirv::{Error, Instruction};

/// Writes a group operation, if it is one.
pub(crate) fn write(body: &mut Body<'_, '_>, i: Instruction<'_>) -> Result<bool, Error> {
    if let Some((name, kind)) = arithmetic_name(i.op) {
        let group = group(body, i)?;
        reduce(body, i, group, name, kind)?;
        return Ok(true);
    }
    match i.op {
        Op::GroupAll | Op::GroupAny => {
            let name =
                format!("{}_{}", group(body, i)?, if i.op == Op::GroupAll { "all" } else { "any" });
            vote(body, i, &name)?;
        }
        Op::GroupNonUniformAll | Op::GroupNonUniformAny => {
            let all = i.op == Op::GroupNonUniformAll;
            sub_group(body, i)?;
            vote(
                body,
                i,
                if all { "sub_group_non_uniform_all" } else { "sub_group_non_uniform_any" },
            )?;
        }
        Op::GroupNonUniformAllEqual => {
            sub_group(body, i)?;
            let value = i.operand(3)?;
            let args = [(body.c(i, value, true)?, body.value(i, value)?)];
            let equal = body.call("sub_group_non_uniform_all_equal", &INT, &args, Effects::Any);
            body.define(i, &format!("icmp ne i32 {equal}, 0"));
        }
        Op::GroupNonUniformElect => {
            sub_group(body, i)?;
            let elected = body.call("sub_group_elect", &INT, &[], Effects::Any);
            body.define(i, &format!("icmp ne i32 {elected}, 0"));
        }
        Op::GroupBroadcast => broadcast(body, i)?,
        Op::GroupNonUniformBroadcast => shuffle(body, i, "sub_group_non_uniform_broadcast")?,
        Op::GroupNonUniformShuffle => shuffle(body, i, "sub_group_shuffle")?,
        Op::GroupNonUniformShuffleXor => shuffle(body, i, "sub_group_shuffle_xor")?,
        Op::GroupNonUniformShuffleUp => shuffle(body, i, "sub_group_shuffle_up")?,
        Op::GroupNonUniformShuffleDown => shuffle(body, i, "sub_group_shuffle_down")?,
        Op::GroupNonUniformRotateKHR => rotate(body, i)?,
        Op::GroupNonUniformBroadcastFirst => {
            sub_group(body, i)?;
            let value = i.operand(3)?;
            let args = [(body.c(i, value, true)?, body.value(i, value)?)];
            let ret = body.c_result(i, true)?;
            let value = body.call("sub_group_broadcast_first", &ret, &args, Effects::Any);
            body.set(i, value);
        }
        Op::GroupNonUniformBallot => {
            sub_group(body, i)?;
            let predicate = predicate(body, i, i.operand(3)?)?;
            let value =
                body.call("sub_group_ballot", &UINT.times(4), &[(INT, predicate)], Effects::Any);
            body.set(i, value);
        }
        Op::GroupNonUniformInverseBallot
        | Op::GroupNonUniformBallotBitExtract
        | Op::GroupNonUniformBallotBitCount
        | Op::GroupNonUniformBallotFindLSB
        | Op::GroupNonUniformBallotFindMSB => ballot(body, i)?,
        Op::GroupAsyncCopy => copy(body, i)?,
        Op::UntypedGroupAsyncCopyKHR => untyped_copy(body, i)?,
        Op::GroupWaitEvents => {
            let (count, events) = (i.operand(1)?, i.operand(2)?);
            let space = body.module.pointer(i, events)?.1;
            let event = C::opaque("event", "target(\"spirv.Event\")");
            let args = [
                (INT, body.int_as(i, count, 32, false)?),
                (event.pointer(space), body.value(i, events)?),
            ];
            body.call("wait_group_events", &C::Void, &args, Effects::Any);
        }
        Op::ReadClockKHR => {
            let scope = match body.literal(i, i.operand(2)?) {
                Some(1) => "device",
                Some(2) => "work_group",
                Some(3) => "sub_group",
                _ => return Err(i.error("there is no clock of that scope")),
            };
            let ret = body.c_result(i, false)?;
            let name = if ret.lanes() == 2 {
                format!("clock_read_hilo_{scope}")
            } else {
                format!("clock_read_{scope}")
            };
            let value = body.call(&name, &ret, &[], Effects::Any);
            body.set(i, value);
        }
        _ => return Ok(false),
    }
    Ok(true)
}

/// The interpretation of an operation's values.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Signed,
    Unsigned,
    Logical,
}

fn arithmetic_name(op: Op) -> Option<(&'static str, Kind)> {
    Some(match op {
        Op::GroupIAdd | Op::GroupFAdd | Op::GroupNonUniformIAdd | Op::GroupNonUniformFAdd => {
            ("add", Kind::Signed)
        }
        Op::GroupIMulKHR | Op::GroupFMulKHR | Op::GroupNonUniformIMul | Op::GroupNonUniformFMul => {
            ("mul", Kind::Signed)
        }
        Op::GroupFMin | Op::GroupSMin | Op::GroupNonUniformSMin | Op::GroupNonUniformFMin => {
            ("min", Kind::Signed)
        }
        Op::GroupFMax | Op::GroupSMax | Op::GroupNonUniformSMax | Op::GroupNonUniformFMax => {
            ("max", Kind::Signed)
        }
        Op::GroupUMin | Op::GroupNonUniformUMin => ("min", Kind::Unsigned),
        Op::GroupUMax | Op::GroupNonUniformUMax => ("max", Kind::Unsigned),
        Op::GroupBitwiseAndKHR | Op::GroupNonUniformBitwiseAnd => ("and", Kind::Signed),
        Op::GroupBitwiseOrKHR | Op::GroupNonUniformBitwiseOr => ("or", Kind::Signed),
        Op::GroupBitwiseXorKHR | Op::GroupNonUniformBitwiseXor => ("xor", Kind::Signed),
        Op::GroupLogicalAndKHR | Op::GroupNonUniformLogicalAnd => ("logical_and", Kind::Logical),
        Op::GroupLogicalOrKHR | Op::GroupNonUniformLogicalOr => ("logical_or", Kind::Logical),
        Op::GroupLogicalXorKHR | Op::GroupNonUniformLogicalXor => ("logical_xor", Kind::Logical),
        _ => return None,
    })
}

/// The prefix of the library's functions for the scope in operand 2.
fn group(body: &Body<'_, '_>, i: Instruction<'_>) -> Result<&'static str, Error> {
    match body.literal(i, i.operand(2)?) {
        Some(2) => Ok("work_group"),
        Some(3) => Ok("sub_group"),
        _ => Err(i.error(format_args!("Op{:?} is of neither a work-group nor a sub-group", i.op))),
    }
}

fn sub_group(body: &Body<'_, '_>, i: Instruction<'_>) -> Result<(), Error> {
    match group(body, i)? {
        "sub_group" => Ok(()),
        _ => Err(i.error(format_args!("Op{:?} is not of a sub-group", i.op))),
    }
}

/// A bool operand, as OpenCL C's `int`.
fn predicate(body: &mut Body<'_, '_>, i: Instruction<'_>, id: u32) -> Result<String, Error> {
    if body.module.types.get(body.type_of(i, id)?) != Some(&Type::Bool) {
        return Err(i.error(format_args!("the predicate of Op{:?} is no bool", i.op)));
    }
    let value = body.value(i, id)?;
    Ok(body.temp(&format!("zext i1 {value} to i32")))
}

fn vote(body: &mut Body<'_, '_>, i: Instruction<'_>, name: &str) -> Result<(), Error> {
    let predicate = predicate(body, i, i.operand(3)?)?;
    let value = body.call(name, &INT, &[(INT, predicate)], Effects::Any);
    body.define(i, &format!("icmp ne i32 {value}, 0"));
    Ok(())
}

/// Writes a reduction or scan, lane by lane.
fn reduce(
    body: &mut Body<'_, '_>,
    i: Instruction<'_>,
    group: &str,
    name: &str,
    kind: Kind,
) -> Result<(), Error> {
    let non_uniform = i.op as u32 >= Op::GroupNonUniformIAdd as u32
        && i.op as u32 <= Op::GroupNonUniformLogicalXor as u32;
    let operation = i.operand(3)?;
    let mut extra = Vec::new();
    let middle = match operation {
        0 => "reduce",
        1 => "scan_inclusive",
        2 => "scan_exclusive",
        3 if non_uniform => {
            extra.push((UINT, body.int_as(i, i.operand(5)?, 32, false)?));
            "clustered_reduce"
        }
        n => return Err(i.error(format_args!("group operation {n} is not possible here"))),
    };
    let prefix = if non_uniform && operation != 3 { "non_uniform_" } else { "" };
    if non_uniform && group != "sub_group" {
        return Err(i.error(format_args!("Op{:?} is not of a sub-group", i.op)));
    }
    let name = format!("{group}_{prefix}{middle}_{name}");
    let operand = i.operand(4)?;
    if kind == Kind::Logical {
        let value = predicate(body, i, operand)?;
        let mut args = vec![(INT, value)];
        args.append(&mut extra);
        let value = body.call(&name, &INT, &args, Effects::Any);
        body.define(i, &format!("icmp ne i32 {value}, 0"));
        return Ok(());
    }
    let ty = body.c(i, operand, kind == Kind::Signed)?;
    let vector = body.value(i, operand)?;
    let lanes = ty.lanes();
    let text = ty.llvm();
    let mut result = "poison".to_owned();
    for lane in 0..lanes {
        let value = if lanes == 1 {
            vector.clone()
        } else {
            body.temp(&format!("extractelement {text} {vector}, i32 {lane}"))
        };
        let value = reduce_one(body, &name, ty.element(), &value, &extra, group);
        result = if lanes == 1 {
            value
        } else {
            body.temp(&format!(
                "insertelement {text} {result}, {} {value}, i32 {lane}",
                ty.element().llvm()
            ))
        };
    }
    body.set(i, result);
    Ok(())
}

/// Calls a reduction of scalars. Work-group functions take no integers below 32 bits, so these are
/// extended.
fn reduce_one(
    body: &mut Body<'_, '_>,
    name: &str,
    ty: &C,
    value: &str,
    extra: &[(C, String)],
    group: &str,
) -> String {
    let (wide, bits, signed) = match *ty {
        C::Int(bits @ (8 | 16), signed) if group == "work_group" => {
            (C::Int(32, signed), bits, signed)
        }
        _ => (ty.clone(), 0, false),
    };
    let value = if bits == 0 { value.to_owned() } else { body.resize(value, bits, 32, signed) };
    let mut args = vec![(wide.clone(), value)];
    args.extend_from_slice(extra);
    let result = body.call(name, &wide, &args, Effects::Any);
    if bits == 0 {
        return result;
    }
    // Truncation turns the 32-bit identity of an exclusive scan into the smaller type's identity,
    // except for the signed minimum and maximum.
    let (minimum, maximum) = (-1i32 << (bits - 1), (1i32 << (bits - 1)) - 1);
    let result = match name {
        "work_group_scan_exclusive_min" if signed => clamp(body, "llvm.smin.i32", &result, maximum),
        "work_group_scan_exclusive_max" if signed => clamp(body, "llvm.smax.i32", &result, minimum),
        _ => result,
    };
    body.resize(&result, 32, bits, false)
}

/// Calls `llvm.smin.i32` or `llvm.smax.i32` with a constant.
fn clamp(body: &mut Body<'_, '_>, intrinsic: &str, value: &str, limit: i32) -> String {
    body.out.declare(intrinsic, || format!("declare i32 @{intrinsic}(i32, i32)"));
    body.temp(&format!("call i32 @{intrinsic}(i32 {value}, i32 {limit})"))
}

fn broadcast(body: &mut Body<'_, '_>, i: Instruction<'_>) -> Result<(), Error> {
    let group = group(body, i)?;
    let (value, id) = (i.operand(3)?, i.operand(4)?);
    let (element, lanes) = body.module.types.lanes(body.type_of(i, id)?);
    let Some(Type::Int(bits)) = body.module.types.get(element) else {
        return Err(i.error("the work-item of OpGroupBroadcast is no integer"));
    };
    let bits = *bits;
    let (to, to_bits) = if group == "sub_group" {
        (UINT, 32)
    } else {
        (body.size_t(), body.module.options.address_bits)
    };
    let mut ids = Vec::new();
    let text = body.typed(i, id)?;
    for lane in 0..lanes {
        let part = if lanes == 1 {
            body.value(i, id)?
        } else {
            body.temp(&format!("extractelement {text}, i32 {lane}"))
        };
        ids.push((to.clone(), body.resize(&part, bits, to_bits, false)));
    }
    if ids.len() > if group == "sub_group" { 1 } else { 3 } {
        return Err(i.error("the work-item of OpGroupBroadcast has too many dimensions"));
    }
    let ty = body.c(i, value, true)?;
    let vector = body.value(i, value)?;
    let (text, count) = (ty.llvm(), ty.lanes());
    let mut result = "poison".to_owned();
    for lane in 0..count {
        let value = if count == 1 {
            vector.clone()
        } else {
            body.temp(&format!("extractelement {text} {vector}, i32 {lane}"))
        };
        let value =
            reduce_one(body, &format!("{group}_broadcast"), ty.element(), &value, &ids, group);
        result = if count == 1 {
            value
        } else {
            body.temp(&format!(
                "insertelement {text} {result}, {} {value}, i32 {lane}",
                ty.element().llvm()
            ))
        };
    }
    body.set(i, result);
    Ok(())
}

/// Writes a call that reads a value of another work-item of the sub-group.
fn shuffle(body: &mut Body<'_, '_>, i: Instruction<'_>, name: &str) -> Result<(), Error> {
    sub_group(body, i)?;
    let (value, id) = (i.operand(3)?, i.operand(4)?);
    let args =
        [(body.c(i, value, true)?, body.value(i, value)?), (UINT, body.int_as(i, id, 32, false)?)];
    let ret = body.c_result(i, true)?;
    let value = body.call(name, &ret, &args, Effects::Any);
    body.set(i, value);
    Ok(())
}

fn rotate(body: &mut Body<'_, '_>, i: Instruction<'_>) -> Result<(), Error> {
    sub_group(body, i)?;
    let (value, delta) = (i.operand(3)?, i.operand(4)?);
    let mut args = vec![
        (body.c(i, value, true)?, body.value(i, value)?),
        (INT, body.int_as(i, delta, 32, true)?),
    ];
    let mut name = "sub_group_rotate";
    if let Some(&cluster) = i.operands.get(5) {
        name = "sub_group_clustered_rotate";
        args.push((UINT, body.int_as(i, cluster, 32, false)?));
    }
    let ret = body.c_result(i, true)?;
    let value = body.call(name, &ret, &args, Effects::Any);
    body.set(i, value);
    Ok(())
}

/// Writes a query about a ballot.
fn ballot(body: &mut Body<'_, '_>, i: Instruction<'_>) -> Result<(), Error> {
    sub_group(body, i)?;
    let mask = UINT.times(4);
    let counts = i.op == Op::GroupNonUniformBallotBitCount;
    let ballot = i.operand(if counts { 4 } else { 3 })?;
    if body.value_text(i, ballot)? != mask.llvm() {
        return Err(i.error(format_args!("the ballot of Op{:?} is no vector of 4 integers", i.op)));
    }
    let mut args = vec![(mask, body.value(i, ballot)?)];
    let name = match i.op {
        Op::GroupNonUniformInverseBallot => "sub_group_inverse_ballot",
        Op::GroupNonUniformBallotBitExtract => {
            args.push((UINT, body.int_as(i, i.operand(4)?, 32, false)?));
            "sub_group_ballot_bit_extract"
        }
        Op::GroupNonUniformBallotFindLSB => "sub_group_ballot_find_lsb",
        Op::GroupNonUniformBallotFindMSB => "sub_group_ballot_find_msb",
        _ => match i.operand(3)? {
            0 => "sub_group_ballot_bit_count",
            1 => "sub_group_ballot_inclusive_scan",
            2 => "sub_group_ballot_exclusive_scan",
            n => return Err(i.error(format_args!("group operation {n} is not possible here"))),
        },
    };
    let is_bool =
        matches!(i.op, Op::GroupNonUniformInverseBallot | Op::GroupNonUniformBallotBitExtract);
    let ret = if is_bool { INT } else { UINT };
    let value = body.call(name, &ret, &args, Effects::Any);
    if is_bool {
        body.define(i, &format!("icmp ne i32 {value}, 0"));
    } else {
        body.set(i, value);
    }
    Ok(())
}

/// The pointee and address space of a pointer. Arrays count as their elements, because producers
/// that do not know the types of their pointers declare either.
fn element(body: &Body<'_, '_>, i: Instruction<'_>, pointer: u32) -> Result<(u32, u32), Error> {
    let (mut to, space) = body.module.pointee(i, pointer)?;
    while let Some(Type::Array { of, .. }) = body.module.types.get(to) {
        to = *of;
    }
    Ok((to, space))
}

/// Writes `async_work_group_copy`, or `async_work_group_strided_copy` if the stride is not 1.
fn copy(body: &mut Body<'_, '_>, i: Instruction<'_>) -> Result<(), Error> {
    if group(body, i)? != "work_group" {
        return Err(i.error("OpGroupAsyncCopy is not of a work-group"));
    }
    let (target, source) = (i.operand(3)?, i.operand(4)?);
    let (to, target_space) = element(body, i, target)?;
    let (from, source_space) = element(body, i, source)?;
    if body.module.types.size(to) != body.module.types.size(from)
        || !matches!((target_space, source_space), (1, 3) | (3, 1))
    {
        return Err(i.error("OpGroupAsyncCopy is not between global and local memory of one type"));
    }
    let ty = body.c_type(i, to, true)?;
    let bits = body.module.options.address_bits;
    let mut args = vec![
        (ty.clone().pointer(target_space), body.value(i, target)?),
        (ty.pointer_to_const(source_space), body.value(i, source)?),
        (body.size_t(), body.int_as(i, i.operand(5)?, bits, false)?),
    ];
    let stride = i.operand(6)?;
    let mut name = "async_work_group_copy";
    if body.literal(i, stride) != Some(1) {
        name = "async_work_group_strided_copy";
        args.push((body.size_t(), body.int_as(i, stride, bits, false)?));
    }
    let event = i.operand(7)?;
    args.push((body.c(i, event, true)?, body.value(i, event)?));
    let ret = body.c_result(i, true)?;
    let value = body.call(name, &ret, &args, Effects::Any);
    body.set(i, value);
    Ok(())
}

/// Writes `async_work_group_copy_2D2D`: a line for each element, of which each byte is an element.
fn untyped_copy(body: &mut Body<'_, '_>, i: Instruction<'_>) -> Result<(), Error> {
    if group(body, i)? != "work_group" {
        return Err(i.error("OpUntypedGroupAsyncCopyKHR is not of a work-group"));
    }
    let (target, source) = (i.operand(3)?, i.operand(4)?);
    let (target_space, source_space) =
        (body.module.pointer(i, target)?.1, body.module.pointer(i, source)?.1);
    let bits = body.module.options.address_bits;
    let mut size = |n: usize| body.int_as(i, i.operand(n)?, bits, false);
    let (bytes, count, stride) = (size(5)?, size(6)?, size(7)?);
    // The stride is that of global memory. In local memory, the elements follow each other.
    let (source_line, target_line) = match (target_space, source_space) {
        (3, 1) => (stride, bytes.clone()),
        (1, 3) => (bytes.clone(), stride),
        _ => {
            return Err(
                i.error("OpUntypedGroupAsyncCopyKHR is not between global and local memory")
            );
        }
    };
    let event = i.operand(8)?;
    let word = body.size_t();
    let number = |text: &str| (word.clone(), text.to_owned());
    let args = [
        (C::Void.pointer(target_space), body.value(i, target)?),
        number("0"),
        (C::Void.pointer_to_const(source_space), body.value(i, source)?),
        number("0"),
        number("1"),
        number(&bytes),
        number(&count),
        number(&source_line),
        number(&target_line),
        (body.c(i, event, true)?, body.value(i, event)?),
    ];
    let ret = body.c_result(i, true)?;
    let value = body.call("async_work_group_copy_2D2D", &ret, &args, Effects::Any);
    body.set(i, value);
    Ok(())
}
