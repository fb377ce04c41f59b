//! Pipes, as calls of the functions that clang emits for OpenCL C's.

use crate::body::Body;
use crate::mangle::{C, UINT, pointer_text};
use crate::output::Effects;
use crate::types::Type;
use muxcl_spirv::numbers::Op;
use muxcl_spirv::{Error, Instruction};

/// Writes an instruction on pipes, if it is one.
pub(crate) fn write(body: &mut Body<'_, '_>, i: Instruction<'_>) -> Result<bool, Error> {
    match i.op {
        Op::ReadPipe => packet(body, i, "__read_pipe_2", false)?,
        Op::WritePipe => packet(body, i, "__write_pipe_2", false)?,
        Op::ReservedReadPipe => packet(body, i, "__read_pipe_4", true)?,
        Op::ReservedWritePipe => packet(body, i, "__write_pipe_4", true)?,
        Op::ReserveReadPipePackets => reserve(body, i, "__reserve_read_pipe", 2)?,
        Op::ReserveWritePipePackets => reserve(body, i, "__reserve_write_pipe", 2)?,
        Op::GroupReserveReadPipePackets => reserve(body, i, "__work_group_reserve_read_pipe", 3)?,
        Op::GroupReserveWritePipePackets => reserve(body, i, "__work_group_reserve_write_pipe", 3)?,
        Op::CommitReadPipe => commit(body, i, "__commit_read_pipe", 0)?,
        Op::CommitWritePipe => commit(body, i, "__commit_write_pipe", 0)?,
        Op::GroupCommitReadPipe => commit(body, i, "__work_group_commit_read_pipe", 1)?,
        Op::GroupCommitWritePipe => commit(body, i, "__work_group_commit_write_pipe", 1)?,
        Op::IsValidReserveId => {
            let id = i.operand(2)?;
            let args = [(body.c(i, id, true)?, body.value(i, id)?)];
            let value = body.call("is_valid_reserve_id", &C::Bool, &args, Effects::Any);
            body.set(i, value);
        }
        Op::CreatePipeFromPipeStorage => of_storage(body, i)?,
        Op::GetNumPipePackets => count(body, i, "num")?,
        Op::GetMaxPipePackets => count(body, i, "max")?,
        _ => return Ok(false),
    }
    Ok(true)
}

/// The name of the variable that holds the pipe of `OpConstantPipeStorage` `id`.
pub(crate) fn storage_name(id: u32) -> String {
    format!("@spirv.pipe.{id}")
}

/// The largest number of packets of a pipe that belongs to a module: the text of its variable has a
/// number for each.
const MAX_PACKETS: u32 = 1 << 20;

/// The definition of the variable for an `OpConstantPipeStorage`: an empty pipe.
pub(crate) fn storage(i: Instruction<'_>) -> Result<String, Error> {
    let (packet, align, packets) = (i.operand(2)?, i.operand(3)?, i.operand(4)?);
    if !align.is_power_of_two() || packet % align != 0 {
        return Err(i.error("the packets of a pipe are no multiple of their alignment"));
    }
    let empty =
        if packets > MAX_PACKETS { None } else { muxcl_types::pipe::empty(packet, packets) };
    let Some((header, bytes)) = empty else {
        return Err(
            i.error(format_args!("a pipe of {packets} packets of {packet} bytes is not possible"))
        );
    };
    let words: Vec<String> = header
        .chunks_exact(4)
        .map(|word| format!("i32 {}", word.iter().rev().fold(0_u32, |n, b| n << 8 | u32::from(*b))))
        .collect();
    let slots = bytes - header.len() as u64;
    let ty = format!("{{ [{} x i32], [{slots} x i8] }}", words.len());
    Ok(format!(
        "{} = internal addrspace(1) global {ty} {{ [{} x i32] [{}], [{slots} x i8] zeroinitializer \
         }}, align {}\n",
        storage_name(i.operand(1)?),
        words.len(),
        words.join(", "),
        align.max(128)
    ))
}

fn of_storage(body: &mut Body<'_, '_>, i: Instruction<'_>) -> Result<(), Error> {
    let storage = i.operand(2)?;
    let types = &body.module.types;
    let (Some(Type::Pipe { write }), Some(Type::PipeStorage)) =
        (types.get(i.operand(0)?), types.get(body.type_of(i, storage)?))
    else {
        return Err(i.error("a pipe is made of an OpTypePipeStorage only"));
    };
    let name = if *write { "__muxcl_pipe_of_write" } else { "__muxcl_pipe_of_read" };
    let args = [raw(body, i, storage)?];
    let pipe = C::Named(String::new(), body.result_text(i)?);
    let value = body.call_named(name, &pipe, &args, Effects::Nothing);
    body.set(i, value);
    Ok(())
}

/// A type whose mangled name does not matter.
fn raw(body: &mut Body<'_, '_>, i: Instruction<'_>, id: u32) -> Result<(C, String), Error> {
    Ok((C::Named(String::new(), body.value_text(i, id)?), body.value(i, id)?))
}

fn pipe(body: &mut Body<'_, '_>, i: Instruction<'_>, id: u32) -> Result<(C, String), Error> {
    match body.module.types.get(body.type_of(i, id)?) {
        Some(Type::Pipe { .. }) => raw(body, i, id),
        _ => Err(i.error(format_args!("the operand of Op{:?} is no pipe", i.op))),
    }
}

fn word(body: &mut Body<'_, '_>, i: Instruction<'_>, id: u32) -> Result<(C, String), Error> {
    Ok((UINT, body.int_as(i, id, 32, false)?))
}

fn packet(
    body: &mut Body<'_, '_>,
    i: Instruction<'_>,
    name: &str,
    reserved: bool,
) -> Result<(), Error> {
    let mut args = vec![pipe(body, i, i.operand(2)?)?];
    let mut next = 3;
    if reserved {
        args.push(raw(body, i, i.operand(3)?)?);
        args.push(word(body, i, i.operand(4)?)?);
        next = 5;
    }
    args.push((C::Named(String::new(), pointer_text(4)), body.pointer_as(i, i.operand(next)?, 4)?));
    args.push(word(body, i, i.operand(next + 1)?)?);
    args.push(word(body, i, i.operand(next + 2)?)?);
    let value = body.call_named(name, &UINT, &args, Effects::Any);
    body.set(i, value);
    Ok(())
}

fn reserve(
    body: &mut Body<'_, '_>,
    i: Instruction<'_>,
    name: &str,
    first: usize,
) -> Result<(), Error> {
    let mut args = vec![pipe(body, i, i.operand(first)?)?];
    for n in 1..4 {
        args.push(word(body, i, i.operand(first + n)?)?);
    }
    let ret = body.c_result(i, true)?;
    let value = body.call_named(name, &ret, &args, Effects::Any);
    body.set(i, value);
    Ok(())
}

fn commit(
    body: &mut Body<'_, '_>,
    i: Instruction<'_>,
    name: &str,
    first: usize,
) -> Result<(), Error> {
    let mut args = vec![pipe(body, i, i.operand(first)?)?, raw(body, i, i.operand(first + 1)?)?];
    for n in 2..4 {
        args.push(word(body, i, i.operand(first + n)?)?);
    }
    body.call_named(name, &C::Void, &args, Effects::Any);
    Ok(())
}

fn count(body: &mut Body<'_, '_>, i: Instruction<'_>, what: &str) -> Result<(), Error> {
    let id = i.operand(2)?;
    let side = match body.module.types.get(body.type_of(i, id)?) {
        Some(Type::Pipe { write: true }) => "wo",
        _ => "ro",
    };
    let args = [pipe(body, i, id)?, word(body, i, i.operand(3)?)?, word(body, i, i.operand(4)?)?];
    let value =
        body.call_named(&format!("__get_pipe_{what}_packets_{side}"), &UINT, &args, Effects::Any);
    body.set(i, value);
    Ok(())
}
