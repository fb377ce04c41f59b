//! Device-side enqueue, in the form that clang gives blocks: a kernel without metadata, which calls
//! the block's function, and a *block literal*. The literal begins with its size and alignment; a
//! copy of the parameter follows.

use crate::body::Body;
use crate::constants::Constant;
use crate::mangle::{C, INT, UINT, pointer_text};
use crate::output::{Effects, global_name};
use crate::types::Type;
use muxcl_spirv::numbers::Op;
use muxcl_spirv::{Error, Instruction};

/// Size of the literal's header in bytes: size, alignment, and the address of clang's block
/// function.
const HEADER: u64 = 16;

/// Writes an instruction of device-side enqueue, if it is one.
pub(crate) fn write(body: &mut Body<'_, '_>, i: Instruction<'_>) -> Result<bool, Error> {
    match i.op {
        Op::EnqueueKernel => kernel(body, i)?,
        Op::EnqueueMarker => {
            let args = [
                argument(body, i, i.operand(2)?)?,
                (UINT, body.int_as(i, i.operand(3)?, 32, false)?),
                (event().pointer_to_const(4), pointer(body, i, i.operand(4)?)?),
                (event().pointer(4), pointer(body, i, i.operand(5)?)?),
            ];
            let value = body.call("enqueue_marker", &INT, &args, Effects::Any);
            body.set(i, value);
        }
        Op::BuildNDRange => range(body, i)?,
        Op::GetDefaultQueue | Op::CreateUserEvent => {
            let name =
                if i.op == Op::GetDefaultQueue { "get_default_queue" } else { "create_user_event" };
            let ret = body.c_result(i, true)?;
            let value = body.call(name, &ret, &[], Effects::Any);
            body.set(i, value);
        }
        Op::RetainEvent | Op::ReleaseEvent => {
            let name = if i.op == Op::RetainEvent { "retain_event" } else { "release_event" };
            let event = argument(body, i, i.operand(0)?)?;
            body.call(name, &C::Void, &[event], Effects::Any);
        }
        Op::IsValidEvent => {
            let event = argument(body, i, i.operand(2)?)?;
            let value = body.call("is_valid_event", &C::Bool, &[event], Effects::Any);
            body.set(i, value);
        }
        Op::SetUserEventStatus => {
            let args = [
                argument(body, i, i.operand(0)?)?,
                (INT, body.int_as(i, i.operand(1)?, 32, true)?),
            ];
            body.call("set_user_event_status", &C::Void, &args, Effects::Any);
        }
        Op::CaptureEventProfilingInfo => {
            let args = [
                argument(body, i, i.operand(0)?)?,
                (INT, body.int_as(i, i.operand(1)?, 32, true)?),
                (C::Void.pointer(1), body.pointer_as(i, i.operand(2)?, 1)?),
            ];
            body.call("capture_event_profiling_info", &C::Void, &args, Effects::Any);
        }
        Op::GetKernelWorkGroupSize => question(body, i, "__get_kernel_work_group_size_impl", 2)?,
        Op::GetKernelPreferredWorkGroupSizeMultiple => {
            question(body, i, "__get_kernel_preferred_work_group_size_multiple_impl", 2)?;
        }
        Op::GetKernelNDrangeSubGroupCount => {
            question(body, i, "__get_kernel_sub_group_count_for_ndrange_impl", 3)?
        }
        Op::GetKernelNDrangeMaxSubGroupSize => {
            question(body, i, "__get_kernel_max_sub_group_size_for_ndrange_impl", 3)?
        }
        Op::GetKernelLocalSizeForSubgroupCount => {
            let count = body.int_as(i, i.operand(2)?, 32, false)?;
            let (most, size) = sub_groups(body, i, 3)?;
            let local = body.temp(&format!("mul i32 {count}, {size}"));
            let fits = body.temp(&format!("icmp ule i32 {local}, {most}"));
            body.define(i, &format!("select i1 {fits}, i32 {local}, i32 0"));
        }
        Op::GetKernelMaxNumSubgroups => {
            let (most, size) = sub_groups(body, i, 2)?;
            let more = body.temp(&format!("sub i32 {size}, 1"));
            let sum = body.temp(&format!("add i32 {most}, {more}"));
            body.define(i, &format!("udiv i32 {sum}, {size}"));
        }
        _ => return Ok(false),
    }
    Ok(true)
}

fn event() -> C {
    C::opaque("clkevent", "target(\"spirv.DeviceEvent\")")
}

/// A type that is used only in [`Body::call_named`], so its mangled name does not matter.
fn raw(text: &str) -> C {
    C::Named(String::new(), text.to_owned())
}

fn argument(body: &Body<'_, '_>, i: Instruction<'_>, id: u32) -> Result<(C, String), Error> {
    Ok((body.c(i, id, true)?, body.value(i, id)?))
}

/// A generic pointer. A null pointer may have any storage class.
fn pointer(body: &mut Body<'_, '_>, i: Instruction<'_>, id: u32) -> Result<String, Error> {
    if body.module.constants.get(&id) == Some(&Constant::Null) {
        return Ok("null".into());
    }
    body.pointer_as(i, id, 4)
}

fn kernel(body: &mut Body<'_, '_>, i: Instruction<'_>) -> Result<(), Error> {
    let generic = raw(&pointer_text(4));
    let (waits, event) = (i.operand(6)?, i.operand(7)?);
    let sizes = i.rest(12);
    let is_null = |id: u32| body.module.constants.get(&id) == Some(&Constant::Null);
    let events = !is_null(event) || body.literal(i, i.operand(5)?) != Some(0);
    let queue = i.operand(2)?;
    let mut args = vec![
        (raw(&body.value_text(i, queue)?), body.value(i, queue)?),
        (INT, body.int_as(i, i.operand(3)?, 32, false)?),
        (raw("ptr"), range_address(body, i, i.operand(4)?)?),
    ];
    if events {
        args.push((UINT, body.int_as(i, i.operand(5)?, 32, false)?));
        args.push((generic.clone(), pointer(body, i, waits)?));
        args.push((generic.clone(), pointer(body, i, event)?));
    }
    args.extend(block(body, i, 8)?);
    let name = match (events, sizes.is_empty()) {
        (false, true) => "__enqueue_kernel_basic",
        (true, true) => "__enqueue_kernel_basic_events",
        (false, false) => "__enqueue_kernel_varargs",
        (true, false) => "__enqueue_kernel_events_varargs",
    };
    if !sizes.is_empty() {
        let (word, count) = (body.module.options.address_bits, sizes.len());
        let list = body.alloca(&format!("[{count} x i{word}]"), u64::from(word / 8));
        for (n, &size) in sizes.iter().enumerate() {
            let size = local_size(body, i, size)?;
            let place = body.temp(&format!("getelementptr inbounds i{word}, ptr {list}, i32 {n}"));
            body.line(&format!("store i{word} {size}, ptr {place}"));
        }
        args.push((UINT, count.to_string()));
        args.push((raw("ptr"), list));
    }
    let value = body.call_named(name, &INT, &args, Effects::Any);
    body.set(i, value);
    Ok(())
}

/// The size of a local argument in bytes. llvm-spirv passes the address of the number.
fn local_size(body: &mut Body<'_, '_>, i: Instruction<'_>, id: u32) -> Result<String, Error> {
    let word = body.module.options.address_bits;
    if let Some(Type::Pointer { .. }) = body.module.types.get(body.type_of(i, id)?) {
        let address = body.typed(i, id)?;
        return Ok(body.temp(&format!("load i{word}, {address}")));
    }
    body.int_as(i, id, word, false)
}

/// The arguments that represent a block: the address of its kernel, and its literal. The operands
/// from `n` on are the invoked function, its parameter, and the parameter's size and alignment.
fn block(body: &mut Body<'_, '_>, i: Instruction<'_>, n: usize) -> Result<[(C, String); 2], Error> {
    let (parameter, size, align) = (i.operand(n + 1)?, i.operand(n + 2)?, i.operand(n + 3)?);
    let (Some(size), Some(align)) = (body.literal(i, size), body.literal(i, align)) else {
        return Err(i.error(format_args!("Op{:?} has a parameter whose size is no constant", i.op)));
    };
    if size > 1 << 16 || align > 1 << 12 || (align != 0 && !align.is_power_of_two()) {
        return Err(i.error(format_args!(
            "a parameter of {size} bytes, aligned to {align}, is not possible"
        )));
    }
    let head = HEADER.max(align);
    let align = align.max(8);
    let kernel = wrapper(body, i, i.operand(n)?, head)?;
    let total = head + size;
    let literal = body.alloca(&format!("[{total} x i8]"), align.max(16));
    body.line(&format!("store i32 {total}, ptr {literal}"));
    let place = body.temp(&format!("getelementptr inbounds i8, ptr {literal}, i32 4"));
    body.line(&format!("store i32 {align}, ptr {place}"));
    let place = body.temp(&format!("getelementptr inbounds i8, ptr {literal}, i32 8"));
    body.line(&format!("store i64 0, ptr {place}"));
    if size > 0 {
        let source = body.pointer_as(i, parameter, 4)?;
        let target = body.temp(&format!("getelementptr inbounds i8, ptr {literal}, i32 {head}"));
        let name = "llvm.memcpy.p0.p4.i64";
        body.out.declare(name, || {
            format!("declare void @{name}(ptr, ptr addrspace(4), i64, i1 immarg)")
        });
        body.line(&format!(
            "call void @{name}(ptr {target}, ptr addrspace(4) {source}, i64 {size}, i1 false)"
        ));
    }
    let literal = body.temp(&format!("addrspacecast ptr {literal} to ptr addrspace(4)"));
    let generic = raw(&pointer_text(4));
    let address = format!("addrspacecast (ptr {} to ptr addrspace(4))", global_name(&kernel));
    Ok([(generic.clone(), address), (generic, literal)])
}

/// Writes the kernel of a block. It calls the block's function with the address of the parameter,
/// `head` bytes after the start of the literal.
fn wrapper(
    body: &mut Body<'_, '_>,
    i: Instruction<'_>,
    id: u32,
    head: u64,
) -> Result<String, Error> {
    let function = body.module.function(i, id)?;
    let name = format!("spirv.block.{id}.{head}_kernel");
    if !body.out.defined.insert(name.clone()) {
        return Ok(name);
    }
    let (mut parameters, mut arguments) = (Vec::new(), Vec::new());
    let mut text = String::from("b0:\n");
    for (n, parameter) in function.parameters.iter().enumerate() {
        let ty = parameter.operand(0)?;
        let Some(Type::Pointer { space, .. }) = body.module.types.get(ty) else {
            return Err(i.error("a function to be enqueued has a parameter that is no pointer"));
        };
        let ty = pointer_text(*space);
        if n > 0 {
            if *space != 3 {
                return Err(
                    i.error("a function to be enqueued has a pointer that is not to local memory")
                );
            }
            parameters.push(format!("{ty} %a{n}"));
            arguments.push(format!("{ty} %a{n}"));
            continue;
        }
        parameters.push("ptr addrspace(4) %a0".to_owned());
        text.push_str(&format!(
            "  %p = getelementptr inbounds i8, ptr addrspace(4) %a0, i64 {head}\n"
        ));
        if *space == 4 {
            arguments.push("ptr addrspace(4) %p".to_owned());
        } else {
            text.push_str(&format!("  %q = addrspacecast ptr addrspace(4) %p to {ty}\n"));
            arguments.push(format!("{ty} %q"));
        }
    }
    let callee = global_name(&body.module.function_name(id)?);
    text.push_str(&format!(
        "  call spir_func void {callee}({}) #0\n  ret void\n",
        arguments.join(", ")
    ));
    let definition = format!(
        "define internal spir_kernel void {}({}) #4 {{\n{text}}}\n",
        global_name(&name),
        parameters.join(", ")
    );
    body.out.functions.push_str(&definition);
    Ok(name)
}

/// The address of an NDRange, which is a structure, or a pointer to one from LLVM's SPIR-V back
/// end.
fn range_address(body: &mut Body<'_, '_>, i: Instruction<'_>, id: u32) -> Result<String, Error> {
    match body.module.types.find(i, body.type_of(i, id)?)? {
        Type::Pointer { .. } => body.pointer_as(i, id, 0),
        Type::Struct { .. } => {
            let ty = body.value_text(i, id)?;
            let place = body.alloca(&ty, 8);
            let value = body.typed(i, id)?;
            body.line(&format!("store {value}, ptr {place}"));
            Ok(place)
        }
        other => Err(i.error(format_args!("a range is {other:?}"))),
    }
}

/// Builds an `ndrange_t`: dimensions, then offsets, global sizes and local sizes.
fn range(body: &mut Body<'_, '_>, i: Instruction<'_>) -> Result<(), Error> {
    let types = &body.module.types;
    let Some(Type::Struct { members, .. }) = types.get(i.operand(0)?) else {
        return Err(i.error("the result of OpBuildNDRange is no structure"));
    };
    let array = match members.as_slice() {
        &[count, a, b, c] if types.width(count) == Some(32) && a == b && b == c => a,
        _ => return Err(i.error("the result of OpBuildNDRange differs from OpenCL's ndrange_t")),
    };
    let (Some(Type::Array { of, count: 3 }), array_text) = (types.get(array), body.text(i, array)?)
    else {
        return Err(i.error("the result of OpBuildNDRange differs from OpenCL's ndrange_t"));
    };
    let bits = types.width(*of).unwrap_or(64);
    let ty = body.result_text(i)?;
    let mut dimensions = 1;
    let mut value = "poison".to_owned();
    // The operands are global size, local size, offset. Sizes of absent dimensions are 1.
    for (place, operand, rest) in [(2, 2, 1), (3, 3, 1), (1, 4, 0)] {
        let id = i.operand(operand)?;
        let from = body.type_of(i, id)?;
        let count = match body.module.types.get(from) {
            Some(Type::Array { count, .. }) if *count <= 3 => u32::try_from(*count).unwrap_or(3),
            Some(Type::Int(_)) => 1,
            _ => {
                return Err(
                    i.error("sizes of a range are neither an integer nor an array of up to 3")
                );
            }
        };
        dimensions = dimensions.max(count);
        let whole = body.typed(i, id)?;
        let mut list = format!("[ i{bits} {rest}, i{bits} {rest}, i{bits} {rest} ]");
        for n in 0..count {
            let (from_bits, one) = match body.module.types.get(from) {
                Some(Type::Array { of, .. }) => {
                    let bits = body.module.types.width(*of).unwrap_or(64);
                    (bits, body.temp(&format!("extractvalue {whole}, {n}")))
                }
                _ => (body.module.types.width(from).unwrap_or(64), body.value(i, id)?),
            };
            let one = body.resize(&one, from_bits, bits, false);
            list = body.temp(&format!("insertvalue {array_text} {list}, i{bits} {one}, {n}"));
        }
        value = body.temp(&format!("insertvalue {ty} {value}, {array_text} {list}, {place}"));
    }
    body.define(i, &format!("insertvalue {ty} {value}, i32 {dimensions}, 0"));
    Ok(())
}

/// The largest work-group, or the sub-group size, of the function whose operands begin at `n`.
fn sub_groups(
    body: &mut Body<'_, '_>,
    i: Instruction<'_>,
    n: usize,
) -> Result<(String, String), Error> {
    let block = block(body, i, n)?;
    let most = body.call_named("__get_kernel_work_group_size_impl", &UINT, &block, Effects::Any);
    let range = body.alloca("%ndrange", 8);
    let wide = body.temp(&format!("zext i32 {most} to i64"));
    body.line(&format!("store %ndrange zeroinitializer, ptr {range}"));
    body.line(&format!("store i32 1, ptr {range}"));
    for (list, first) in [(2, wide.as_str()), (3, wide.as_str())] {
        for (n, value) in [first, "1", "1"].into_iter().enumerate() {
            let place = body.temp(&format!(
                "getelementptr inbounds %ndrange, ptr {range}, i32 0, i32 {list}, i32 {n}"
            ));
            body.line(&format!("store i64 {value}, ptr {place}"));
        }
    }
    let [kernel, literal] = block;
    let args = [(raw("ptr"), range), kernel, literal];
    let size = body.call_named(
        "__get_kernel_max_sub_group_size_for_ndrange_impl",
        &UINT,
        &args,
        Effects::Any,
    );
    Ok((most, size))
}

/// A query about the function whose operands begin at `n`.
fn question(
    body: &mut Body<'_, '_>,
    i: Instruction<'_>,
    name: &str,
    n: usize,
) -> Result<(), Error> {
    let mut args = Vec::new();
    if n == 3 {
        args.push((raw("ptr"), range_address(body, i, i.operand(2)?)?));
    }
    args.extend(block(body, i, n)?);
    let value = body.call_named(name, &UINT, &args, Effects::Any);
    body.set(i, value);
    Ok(())
}
