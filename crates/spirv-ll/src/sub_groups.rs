//! `SPV_INTEL_subgroups`: shuffles within a sub-group, and block reads and writes of memory and
//! images.

use crate::body::Body;
use crate::mangle::{C, INT, UINT, pointer_text};
use crate::output::Effects;
use crate::types::{Image, Type};
use muxcl_spirv::numbers::Op;
use muxcl_spirv::{Error, Instruction};

/// Writes an instruction of the extension, if it is one.
pub(crate) fn write(body: &mut Body<'_, '_>, i: Instruction<'_>) -> Result<bool, Error> {
    match i.op {
        Op::SubgroupShuffleINTEL => {
            let id = body.int_as(i, i.operand(3)?, 32, false)?;
            let value = shuffle(body, i, i.operand(2)?, &id)?;
            body.set(i, value);
        }
        Op::SubgroupShuffleXorINTEL => {
            let mask = body.int_as(i, i.operand(3)?, 32, false)?;
            let own = local_id(body);
            let id = body.temp(&format!("xor i32 {own}, {mask}"));
            let value = shuffle(body, i, i.operand(2)?, &id)?;
            body.set(i, value);
        }
        Op::SubgroupShuffleDownINTEL | Op::SubgroupShuffleUpINTEL => shift(body, i)?,
        Op::SubgroupBlockReadINTEL => read(body, i)?,
        Op::SubgroupBlockWriteINTEL => store(body, i)?,
        Op::SubgroupImageBlockReadINTEL => {
            let ty = body.c_result(i, false)?;
            let (image, coordinate) = (i.operand(2)?, i.operand(3)?);
            let (name, args) = image_block(body, i, "read", &ty, [image, coordinate])?;
            let value = body.call(&name, &ty, &args, Effects::Any);
            body.set(i, value);
        }
        Op::SubgroupImageBlockWriteINTEL => {
            let data = i.operand(2)?;
            let ty = body.c(i, data, false)?;
            let (image, coordinate) = (i.operand(0)?, i.operand(1)?);
            let (name, mut args) = image_block(body, i, "write", &ty, [image, coordinate])?;
            args.push((ty, body.value(i, data)?));
            body.call(&name, &C::Void, &args, Effects::Any);
        }
        _ => return Ok(false),
    }
    Ok(true)
}

fn local_id(body: &mut Body<'_, '_>) -> String {
    body.call("get_sub_group_local_id", &UINT, &[], Effects::Nothing)
}

fn max_size(body: &mut Body<'_, '_>) -> String {
    body.call("get_max_sub_group_size", &UINT, &[], Effects::Nothing)
}

/// Calls the shuffle that returns the value `data` of the work-item `id`, once for each lane of a
/// vector.
fn shuffle(
    body: &mut Body<'_, '_>,
    i: Instruction<'_>,
    data: u32,
    id: &str,
) -> Result<String, Error> {
    if body.type_of(i, data)? != i.operand(0)? {
        return Err(i.error(format_args!("the data of Op{:?} is not of its result type", i.op)));
    }
    let ty = body.c(i, data, true)?;
    if !matches!(ty.element(), C::Int(..) | C::Float(_)) {
        return Err(i.error(format_args!("Op{:?} shuffles neither integers nor floats", i.op)));
    }
    let value = body.value(i, data)?;
    let text = ty.llvm();
    let mut result = "poison".to_owned();
    for lane in 0..ty.lanes() {
        let part = if ty.lanes() == 1 {
            value.clone()
        } else {
            body.temp(&format!("extractelement {text} {value}, i32 {lane}"))
        };
        let args = [(ty.element().clone(), part), (UINT, id.to_owned())];
        let part = body.call("sub_group_shuffle", ty.element(), &args, Effects::Any);
        result = if ty.lanes() == 1 {
            part
        } else {
            let element = ty.element().llvm();
            body.temp(&format!("insertelement {text} {result}, {element} {part}, i32 {lane}"))
        };
    }
    Ok(result)
}

/// The values `low` of all work-items, then their values `high`, form a row of twice the maximum
/// size of the sub-group. The result is the element `delta` above the work-item's own `low`
/// (down), or `delta` below its own `high` (up).
fn shift(body: &mut Body<'_, '_>, i: Instruction<'_>) -> Result<(), Error> {
    let down = i.op == Op::SubgroupShuffleDownINTEL;
    let (low, high) = (i.operand(2)?, i.operand(3)?);
    let delta = body.int_as(i, i.operand(4)?, 32, false)?;
    let (own, size) = (local_id(body), max_size(body));
    let (in_low, low_id, high_id) = if down {
        let id = body.temp(&format!("add i32 {own}, {delta}"));
        let in_low = body.temp(&format!("icmp ult i32 {id}, {size}"));
        let high_id = body.temp(&format!("sub i32 {id}, {size}"));
        (in_low, id, high_id)
    } else {
        let id = body.temp(&format!("sub i32 {own}, {delta}"));
        let in_low = body.temp(&format!("icmp ult i32 {own}, {delta}"));
        let low_id = body.temp(&format!("add i32 {id}, {size}"));
        (in_low, low_id, id)
    };
    let low = shuffle(body, i, low, &low_id)?;
    let high = shuffle(body, i, high, &high_id)?;
    let ty = body.result_text(i)?;
    body.define(i, &format!("select i1 {in_low}, {ty} {low}, {ty} {high}"));
    Ok(())
}

/// The address of component `n` of a block: a block holds the first components of all work-items of
/// a full sub-group, then the second ones.
fn component(
    body: &mut Body<'_, '_>,
    i: Instruction<'_>,
    pointer: u32,
    element: &C,
    n: u32,
) -> Result<String, Error> {
    let (own, size) = (local_id(body), max_size(body));
    let first = body.temp(&format!("mul i32 {size}, {n}"));
    let index = body.temp(&format!("add i32 {first}, {own}"));
    let index = body.resize(&index, 32, body.module.options.address_bits, false);
    let word = body.module.options.address_bits;
    let pointer = body.typed(i, pointer)?;
    let element = element.llvm();
    Ok(body.temp(&format!("getelementptr {element}, {pointer}, i{word} {index}")))
}

/// The type of a block's values, the pointer's address space and the alignment that is certain.
fn block(
    body: &Body<'_, '_>,
    i: Instruction<'_>,
    ty: u32,
    pointer: u32,
) -> Result<(C, String, u64), Error> {
    let c = body.c_type(i, ty, true)?;
    let C::Int(bits, _) = *c.element() else {
        return Err(i.error(format_args!("Op{:?} is not of integers", i.op)));
    };
    let (_, space) = body.module.pointer(i, pointer)?;
    // A block begins at a multiple of four bytes, whatever its elements are.
    Ok((c, pointer_text(space), u64::from(bits / 8).min(4)))
}

fn read(body: &mut Body<'_, '_>, i: Instruction<'_>) -> Result<(), Error> {
    let pointer = i.operand(2)?;
    let (ty, space, align) = block(body, i, i.operand(0)?, pointer)?;
    let (text, element) = (ty.llvm(), ty.element().llvm());
    let mut result = "poison".to_owned();
    for n in 0..ty.lanes() {
        let address = component(body, i, pointer, ty.element(), n)?;
        let part = body.temp(&format!("load {element}, {space} {address}, align {align}"));
        result = if ty.lanes() == 1 {
            part
        } else {
            body.temp(&format!("insertelement {text} {result}, {element} {part}, i32 {n}"))
        };
    }
    body.set(i, result);
    Ok(())
}

fn store(body: &mut Body<'_, '_>, i: Instruction<'_>) -> Result<(), Error> {
    let (pointer, data) = (i.operand(0)?, i.operand(1)?);
    let (ty, space, align) = block(body, i, body.type_of(i, data)?, pointer)?;
    let (text, element) = (ty.llvm(), ty.element().llvm());
    let value = body.value(i, data)?;
    for n in 0..ty.lanes() {
        let part = if ty.lanes() == 1 {
            value.clone()
        } else {
            body.temp(&format!("extractelement {text} {value}, i32 {n}"))
        };
        let address = component(body, i, pointer, ty.element(), n)?;
        body.line(&format!("store {element} {part}, {space} {address}, align {align}"));
    }
    Ok(())
}

/// The name of OpenCL C's function for a block of values `ty` of an image, and its first arguments.
fn image_block(
    body: &mut Body<'_, '_>,
    i: Instruction<'_>,
    what: &str,
    ty: &C,
    [image, coordinate]: [u32; 2],
) -> Result<(String, Vec<(C, String)>), Error> {
    let access = match body.module.types.get(body.type_of(i, image)?) {
        Some(Type::Image(Image { dim: 1, depth: false, arrayed: false, access, .. })) => *access,
        _ => return Err(i.error(format_args!("Op{:?} is not of a 2D image", i.op))),
    };
    // Images are read only (0), write only (1), or both (2).
    if access == if what == "read" { 1 } else { 0 } {
        return Err(i.error(format_args!("Op{:?} is of an image without this access", i.op)));
    }
    let (suffix, most) = match ty.element() {
        C::Int(8, _) => ("_uc", 16),
        C::Int(16, _) => ("_us", 16),
        C::Int(32, _) => ("_ui", 8),
        C::Int(64, _) => ("_ul", 8),
        _ => return Err(i.error(format_args!("Op{:?} is not of integers", i.op))),
    };
    let width = match ty.lanes() {
        1 => String::new(),
        lanes if lanes != 3 && lanes <= most => lanes.to_string(),
        lanes => return Err(i.error(format_args!("Op{:?} is of {lanes} components", i.op))),
    };
    let at = body.c(i, coordinate, true)?;
    if at != INT.times(2) {
        return Err(i.error(format_args!("the coordinate of Op{:?} is no int2", i.op)));
    }
    let args =
        vec![(body.c(i, image, true)?, body.value(i, image)?), (at, body.value(i, coordinate)?)];
    Ok((format!("intel_sub_group_block_{what}{suffix}{width}"), args))
}
