//! Atomics and fences, as calls of OpenCL C's functions with their orders and scopes.

use crate::body::Body;
use crate::mangle::{C, INT, UINT, pointer_text};
use crate::output::Effects;
use crate::types::Type;
use muxcl_spirv::numbers::Op;
use muxcl_spirv::{Error, Instruction};

/// Writes an atomic instruction or a fence, if it is one.
pub(crate) fn write(body: &mut Body<'_, '_>, i: Instruction<'_>) -> Result<bool, Error> {
    if let Some((name, signed)) = fetch_name(i.op) {
        let value = i.operand(5)?;
        let text = body.value(i, value)?;
        let result = fetch(body, i, name, signed, text)?;
        body.set(i, result);
        return Ok(true);
    }
    match i.op {
        Op::AtomicLoad => {
            let ret = body.c_result(i, true)?;
            let object = object(body, i, i.operand(2)?, ret.clone())?;
            let (order, scope) =
                order_and_scope(body, i, i.operand(4)?, i.operand(3)?, Access::Load)?;
            let value =
                body.call("atomic_load_explicit", &ret, &[object, order, scope], Effects::Any);
            body.set(i, value);
        }
        Op::AtomicStore => {
            let value = i.operand(3)?;
            let value = (body.c(i, value, true)?, body.value(i, value)?);
            let object = object(body, i, i.operand(0)?, value.0.clone())?;
            let (order, scope) =
                order_and_scope(body, i, i.operand(2)?, i.operand(1)?, Access::Store)?;
            body.call(
                "atomic_store_explicit",
                &C::Void,
                &[object, value, order, scope],
                Effects::Any,
            );
        }
        Op::AtomicIIncrement | Op::AtomicIDecrement => {
            let name = if i.op == Op::AtomicIIncrement {
                "atomic_fetch_add_explicit"
            } else {
                "atomic_fetch_sub_explicit"
            };
            let value = fetch(body, i, name, true, "1".into())?;
            body.set(i, value);
        }
        Op::AtomicCompareExchange | Op::AtomicCompareExchangeWeak => compare(body, i)?,
        Op::AtomicFlagTestAndSet => {
            let object = object(body, i, i.operand(2)?, INT)?;
            let (order, scope) =
                order_and_scope(body, i, i.operand(4)?, i.operand(3)?, Access::Both)?;
            let name = "atomic_flag_test_and_set_explicit";
            let value = body.call(name, &C::Bool, &[object, order, scope], Effects::Any);
            body.set(i, value);
        }
        Op::AtomicFlagClear => {
            let object = object(body, i, i.operand(0)?, INT)?;
            let (order, scope) =
                order_and_scope(body, i, i.operand(2)?, i.operand(1)?, Access::Store)?;
            body.call(
                "atomic_flag_clear_explicit",
                &C::Void,
                &[object, order, scope],
                Effects::Any,
            );
        }
        Op::MemoryBarrier => {
            let (order, scope) =
                order_and_scope(body, i, i.operand(1)?, i.operand(0)?, Access::Both)?;
            let flags = fence_flags(body, i, i.operand(1)?)?;
            body.call("atomic_work_item_fence", &C::Void, &[flags, order, scope], Effects::Any);
        }
        Op::ControlBarrier => barrier(body, i)?,
        Op::NamedBarrierInitialize => named_barrier(body, i)?,
        Op::MemoryNamedBarrier => wait_at_named_barrier(body, i)?,
        _ => return Ok(false),
    }
    Ok(true)
}

/// Each instruction has one barrier in local memory, whose layout the library knows.
fn named_barrier(body: &mut Body<'_, '_>, i: Instruction<'_>) -> Result<(), Error> {
    if body.module.types.get(i.operand(0)?) != Some(&Type::NamedBarrier) {
        return Err(i.error("the type of the result is no OpTypeNamedBarrier"));
    }
    let name = format!("@spirv.barrier.{}", i.operand(1)?);
    let definition = format!("{name} = internal addrspace(3) global [4 x i32] undef, align 16\n");
    body.out.globals.push_str(&definition);
    let count = (UINT, body.int_as(i, i.operand(2)?, 32, false)?);
    let barrier = (C::Named(String::new(), pointer_text(3)), name.clone());
    let args = [barrier, count];
    body.call_named("__muxcl_work_group_named_barrier", &C::Void, &args, Effects::Any);
    body.set(i, name);
    Ok(())
}

fn wait_at_named_barrier(body: &mut Body<'_, '_>, i: Instruction<'_>) -> Result<(), Error> {
    let barrier = i.operand(0)?;
    if body.module.types.get(body.type_of(i, barrier)?) != Some(&Type::NamedBarrier) {
        return Err(i.error("the operand of OpMemoryNamedBarrier is no named barrier"));
    }
    // The library's function orders all memory, as far as any scope and semantics ask for.
    scope_argument(body, i, i.operand(1)?)?;
    fence_flags(body, i, i.operand(2)?)?;
    let args = [(C::Named(String::new(), pointer_text(3)), body.value(i, barrier)?)];
    body.call_named("__muxcl_sub_group_named_barrier", &C::Void, &args, Effects::Any);
    Ok(())
}

fn fetch_name(op: Op) -> Option<(&'static str, bool)> {
    Some(match op {
        Op::AtomicExchange => ("atomic_exchange_explicit", true),
        Op::AtomicIAdd | Op::AtomicFAddEXT => ("atomic_fetch_add_explicit", true),
        Op::AtomicISub => ("atomic_fetch_sub_explicit", true),
        Op::AtomicSMin | Op::AtomicFMinEXT => ("atomic_fetch_min_explicit", true),
        Op::AtomicUMin => ("atomic_fetch_min_explicit", false),
        Op::AtomicSMax | Op::AtomicFMaxEXT => ("atomic_fetch_max_explicit", true),
        Op::AtomicUMax => ("atomic_fetch_max_explicit", false),
        Op::AtomicAnd => ("atomic_fetch_and_explicit", true),
        Op::AtomicOr => ("atomic_fetch_or_explicit", true),
        Op::AtomicXor => ("atomic_fetch_xor_explicit", true),
        _ => return None,
    })
}

/// The kind of an access, which limits the memory orders that it can have.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Access {
    Load,
    Store,
    Both,
}

type Argument = (C, String);

/// The pointer operand, as a pointer to values of type `to`. Its declared type is ignored, because
/// producers with untyped pointers guess it.
fn object(body: &Body<'_, '_>, i: Instruction<'_>, pointer: u32, to: C) -> Result<Argument, Error> {
    let (declared, space) = body.module.pointer(i, pointer)?;
    if declared
        .and_then(|declared| body.module.types.width(declared))
        .is_some_and(|bits| C::Int(bits, true).llvm() != as_int(&to).llvm())
    {
        return Err(i.error(format_args!(
            "Op{:?} is of {}, its pointer to another type",
            i.op,
            to.llvm()
        )));
    }
    if space == 2 || !matches!(to, C::Int(32 | 64, _) | C::Float(_)) {
        return Err(i.error(format_args!(
            "Op{:?} is not possible on {} in this address space",
            i.op,
            to.llvm()
        )));
    }
    Ok((to.pointer_to_atomic(space), body.value(i, pointer)?))
}

/// The integer of the same width.
fn as_int(ty: &C) -> C {
    match ty {
        C::Int(bits, _) | C::Float(bits) => C::Int(*bits, true),
        other => other.clone(),
    }
}

fn fetch(
    body: &mut Body<'_, '_>,
    i: Instruction<'_>,
    name: &str,
    signed: bool,
    value: String,
) -> Result<String, Error> {
    let ret = body.c_result(i, signed)?;
    let object = object(body, i, i.operand(2)?, ret.clone())?;
    let (order, scope) = order_and_scope(body, i, i.operand(4)?, i.operand(3)?, Access::Both)?;
    Ok(body.call(name, &ret, &[object, (ret.clone(), value), order, scope], Effects::Any))
}

/// SPIR-V's compare-exchange returns the old value; OpenCL C's stores it at the address of the
/// expected value.
fn compare(body: &mut Body<'_, '_>, i: Instruction<'_>) -> Result<(), Error> {
    let pointer = i.operand(2)?;
    let ret = body.c_result(i, true)?;
    let object = object(body, i, pointer, ret.clone())?;
    let (equal, scope) = order_and_scope(body, i, i.operand(4)?, i.operand(3)?, Access::Both)?;
    let (unequal, _) = order_and_scope(body, i, i.operand(5)?, i.operand(3)?, Access::Load)?;
    let value = body.typed(i, i.operand(6)?)?;
    let value = value.split_once(' ').map_or(String::new(), |(_, v)| v.to_owned());
    let comparator = body.typed(i, i.operand(7)?)?;
    let ty = ret.llvm();
    let expected = body.alloca(&ty, 8);
    body.line(&format!("store {comparator}, ptr {expected}"));
    let args =
        [object, (ret.clone().pointer(0), expected.clone()), (ret, value), equal, unequal, scope];
    let name = "atomic_compare_exchange_strong_explicit";
    body.call(name, &C::Bool, &args, Effects::Any);
    body.define(i, &format!("load {ty}, ptr {expected}"));
    Ok(())
}

/// OpenCL C's `memory_order` and `memory_scope` for memory semantics and a scope.
fn order_and_scope(
    body: &mut Body<'_, '_>,
    i: Instruction<'_>,
    semantics: u32,
    scope: u32,
    access: Access,
) -> Result<(Argument, Argument), Error> {
    let order = match body.literal(i, semantics) {
        Some(bits) => order_number(bits, access).to_string(),
        None => {
            // The semantics are known only at run time. Bits 1 to 4: acquire, release, both,
            // sequentially consistent.
            let bits = body.int_as(i, semantics, 32, false)?;
            let mut order = "0".to_owned();
            for bit in [2_u32, 4, 8, 16] {
                let set = body.temp(&format!("and i32 {bits}, {bit}"));
                let set = body.temp(&format!("icmp ne i32 {set}, 0"));
                let number = order_number(u64::from(bit), access);
                order = body.temp(&format!("select i1 {set}, i32 {number}, i32 {order}"));
            }
            order
        }
    };
    let scope = scope_argument(body, i, scope)?;
    Ok(((C::enumeration("memory_order"), order), scope))
}

/// OpenCL C's `memory_order` for memory semantics.
fn order_number(bits: u64, access: Access) -> u32 {
    let (acquire, release) = (2, 3);
    match (bits & 0x1e, access) {
        (16, _) => 5,
        (2 | 8, Access::Load) => acquire,
        (4 | 8, Access::Store) => release,
        (4, Access::Load) | (2, Access::Store) | (0, _) => 0,
        (2, Access::Both) => acquire,
        (4, Access::Both) => release,
        _ => 4,
    }
}

/// OpenCL C's `memory_scope` of a scope.
pub(crate) fn scope_argument(
    body: &mut Body<'_, '_>,
    i: Instruction<'_>,
    scope: u32,
) -> Result<Argument, Error> {
    // SPIR-V's scopes in order: all devices, device, work-group, sub-group, work-item.
    const SCOPES: [u32; 5] = [3, 2, 1, 4, 0];
    let value = match body.literal(i, scope) {
        Some(n) => {
            let known = usize::try_from(n).ok().and_then(|n| SCOPES.get(n));
            let number =
                known.ok_or_else(|| i.error(format_args!("scope {n} is not one of OpenCL's")))?;
            number.to_string()
        }
        None => {
            let n = body.int_as(i, scope, 32, false)?;
            let mut value = "3".to_owned();
            for (number, is) in (1..).zip(&SCOPES[1..]) {
                let same = body.temp(&format!("icmp eq i32 {n}, {number}"));
                value = body.temp(&format!("select i1 {same}, i32 {is}, i32 {value}"));
            }
            value
        }
    };
    Ok((C::enumeration("memory_scope"), value))
}

/// `cl_mem_fence_flags` of memory semantics.
fn fence_flags(
    body: &mut Body<'_, '_>,
    i: Instruction<'_>,
    semantics: u32,
) -> Result<Argument, Error> {
    // WorkgroupMemory 0x100: local; CrossWorkgroupMemory 0x200: global; ImageMemory 0x800: images.
    let flags = match body.literal(i, semantics) {
        Some(bits) => (bits >> 8 & 3 | bits >> 9 & 4).to_string(),
        None => {
            let bits = body.int_as(i, semantics, 32, false)?;
            let low = body.temp(&format!("lshr i32 {bits}, 8"));
            let low = body.temp(&format!("and i32 {low}, 3"));
            let high = body.temp(&format!("lshr i32 {bits}, 9"));
            let high = body.temp(&format!("and i32 {high}, 4"));
            body.temp(&format!("or i32 {low}, {high}"))
        }
    };
    Ok((UINT, flags))
}

fn barrier(body: &mut Body<'_, '_>, i: Instruction<'_>) -> Result<(), Error> {
    let execution = i.operand(0)?;
    let name = match body.literal(i, execution) {
        Some(2) => "work_group_barrier",
        Some(3) => "sub_group_barrier",
        // In the scope of one work-item, a barrier does nothing.
        Some(4) => return Ok(()),
        Some(n) => return Err(i.error(format_args!("a barrier for scope {n} is not possible"))),
        None => return Err(i.error("the scope of a barrier is no constant")),
    };
    let flags = fence_flags(body, i, i.operand(2)?)?;
    let scope = scope_argument(body, i, i.operand(1)?)?;
    body.call(name, &C::Void, &[flags, scope], Effects::Any);
    Ok(())
}
