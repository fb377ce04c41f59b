//! Loads, stores, copies, addresses, lifetimes.

use crate::aliasing::{self, AliasLists};
use crate::body::Body;
use crate::mangle::pointer_text;
use crate::module::Tables;
use crate::types::Type;
use muxcl_spirv::numbers::{Decoration, Op};
use muxcl_spirv::{Error, Instruction};

/// Writes an instruction on memory, if it is one.
pub(crate) fn write(body: &mut Body<'_, '_>, i: Instruction<'_>) -> Result<bool, Error> {
    match i.op {
        Op::Load => load(body, i)?,
        Op::Store => store(body, i)?,
        Op::CopyMemory | Op::CopyMemorySized => copy(body, i)?,
        op if Chain::is(op) => chain(body, i)?,
        Op::UntypedPrefetchKHR => {
            // The prefetch has no effect, but its operand must be a pointer.
            body.module.pointer(i, i.operand(0)?)?;
        }
        Op::LifetimeStart | Op::LifetimeStop => {
            let pointer = body.value(i, i.operand(0)?)?;
            if body.allocas.contains(&pointer) {
                let name = if i.op == Op::LifetimeStart { "start" } else { "end" };
                body.intrinsic(&format!("llvm.lifetime.{name}.p0"), "void", &[("ptr", &pointer)]);
            }
        }
        Op::PtrEqual | Op::PtrNotEqual => {
            let (a, b) = (body.typed(i, i.operand(2)?)?, body.value(i, i.operand(3)?)?);
            let predicate = if i.op == Op::PtrEqual { "eq" } else { "ne" };
            body.define(i, &format!("icmp {predicate} {a}, {b}"));
        }
        Op::PtrDiff => difference(body, i)?,
        _ => return Ok(false),
    }
    Ok(true)
}

/// The parsed `MemoryAccess` operands.
#[derive(Default)]
struct Access {
    volatile: &'static str,
    align: Option<u32>,
    nontemporal: bool,
    aliases: AliasLists,
}

/// Parses the memory operands from `n` on; also returns the index after them.
fn access(
    body: &Body<'_, '_>,
    i: Instruction<'_>,
    n: usize,
    pointer: u32,
) -> Result<(Access, usize), Error> {
    let mut access = Access::default();
    if body.packed.contains(&pointer) {
        access.align = Some(1);
    }
    if body.module.decoration(pointer, Decoration::Volatile).is_some() {
        access.volatile = "volatile ";
    }
    let Some(&mask) = i.operands.get(n) else { return Ok((access, n)) };
    let mut next = n + 1;
    if mask & 1 != 0 {
        access.volatile = "volatile ";
    }
    if mask & 2 != 0 {
        let align = i.operand(next)?;
        // Some producers write 0 for an unknown alignment.
        if align != 0 {
            if !align.is_power_of_two() || align > 1 << 29 {
                return Err(i.error(format_args!("an alignment of {align} is no power of two")));
            }
            access.align = Some(align);
        }
        next += 1;
    }
    access.nontemporal = mask & 4 != 0;
    // The Vulkan memory model's scopes have no effect here.
    next += (mask >> 3 & 1) as usize + (mask >> 4 & 1) as usize;
    for (bit, list) in
        [(0x1_0000, &mut access.aliases.scopes), (0x2_0000, &mut access.aliases.no_alias)]
    {
        if mask & bit != 0 {
            *list = Some(i.operand(next)?);
            next += 1;
        }
    }
    Ok((access, next))
}

fn suffix(body: &mut Body<'_, '_>, i: Instruction<'_>, access: &Access) -> Result<String, Error> {
    let mut text = access.align.map_or_else(String::new, |a| format!(", align {a}"));
    if access.nontemporal {
        let node = body.out.node("!{i32 1}");
        text.push_str(&format!(", !nontemporal {node}"));
    }
    let decorated = AliasLists::of_decorations(body.module, i.result())?;
    text.push_str(&aliasing::attachments(body, i, access.aliases.or(decorated))?);
    Ok(text)
}

fn load(body: &mut Body<'_, '_>, i: Instruction<'_>) -> Result<(), Error> {
    let pointer = i.operand(2)?;
    body.module.pointer(i, pointer)?;
    let (access, _) = access(body, i, 3, pointer)?;
    let suffix = suffix(body, i, &access)?;
    body.module.types.may_stay(i, i.operand(0)?)?;
    let ty = body.result_text(i)?;
    let pointer = body.typed(i, pointer)?;
    body.define(i, &format!("load {}{ty}, {pointer}{suffix}", access.volatile));
    Ok(())
}

fn store(body: &mut Body<'_, '_>, i: Instruction<'_>) -> Result<(), Error> {
    let pointer = i.operand(0)?;
    body.module.pointer(i, pointer)?;
    let (access, _) = access(body, i, 2, pointer)?;
    let suffix = suffix(body, i, &access)?;
    body.module.types.may_stay(i, body.type_of(i, i.operand(1)?)?)?;
    let value = body.typed(i, i.operand(1)?)?;
    let pointer = body.typed(i, pointer)?;
    body.line(&format!("store {}{value}, {pointer}{suffix}", access.volatile));
    Ok(())
}

fn copy(body: &mut Body<'_, '_>, i: Instruction<'_>) -> Result<(), Error> {
    let (target, source) = (i.operand(0)?, i.operand(1)?);
    let (to, target_space) = body.module.pointer(i, target)?;
    let (from, source_space) = body.module.pointer(i, source)?;
    let size_bits = body.module.options.address_bits;
    let (size, natural, next) = if i.op == Op::CopyMemory {
        if to.is_some() && from.is_some() && to != from {
            return Err(i.error("OpCopyMemory is between pointers to different types"));
        }
        let Some(ty) = to.or(from) else {
            return Err(i.error("OpCopyMemory is between untyped pointers, so its size is unknown"));
        };
        (body.module.types.size(ty).to_string(), body.module.types.align(ty), 2)
    } else {
        (body.int_as(i, i.operand(2)?, size_bits, false)?, 1, 3)
    };
    let (first, next) = access(body, i, next, target)?;
    let second =
        if i.operands.len() > next { access(body, i, next, source)?.0 } else { Access { ..first } };
    let align =
        |a: &Access, packed: bool| a.align.map_or(if packed { 1 } else { natural }, u64::from);
    let (a, b) = (
        align(&first, body.packed.contains(&target)),
        align(&second, body.packed.contains(&source)),
    );
    // LLVM's metadata holds for both the read and the write.
    let aliases =
        if first.aliases == second.aliases { first.aliases } else { AliasLists::default() };
    let attachments = aliasing::attachments(body, i, aliases)?;
    let volatile = !first.volatile.is_empty() || !second.volatile.is_empty();
    let target_value = body.value(i, target)?;
    let source_value = body.value(i, source)?;
    let name = format!("llvm.memcpy.p{target_space}.p{source_space}.i{size_bits}");
    let (target_type, source_type) = (pointer_text(target_space), pointer_text(source_space));
    body.out.declare(&name, || {
        format!("declare void @{name}({target_type}, {source_type}, i{size_bits}, i1 immarg)")
    });
    body.line(&format!(
        "call void @{name}({target_type} align {a} {target_value}, {source_type} align {b} {source_value}, \
         i{size_bits} {size}, i1 {volatile}){attachments}"
    ));
    Ok(())
}

/// The parts of an address computation.
pub(crate) struct Chain<'a> {
    /// The base is an element of an array, and the first index is an offset from this element.
    pub from_element: bool,
    /// `inbounds ` if the result is known to point into the object, else nothing.
    pub bounds: &'static str,
    /// The result is an untyped pointer.
    untyped: bool,
    /// The pointer's id.
    pub base: u32,
    /// The type that the indices walk through.
    pub to: u32,
    /// The ids of the indices.
    pub indices: &'a [u32],
}

impl<'a> Chain<'a> {
    /// True if `op` computes an address.
    pub(crate) fn is(op: Op) -> bool {
        Self::kind(op).is_some()
    }

    /// Whether the result is untyped, whether the base is an element of an array, and whether the
    /// result is known to point into the object.
    fn kind(op: Op) -> Option<(bool, bool, bool)> {
        Some(match op {
            Op::AccessChain => (false, false, false),
            Op::InBoundsAccessChain => (false, false, true),
            Op::PtrAccessChain => (false, true, false),
            Op::InBoundsPtrAccessChain => (false, true, true),
            Op::UntypedAccessChainKHR => (true, false, false),
            Op::UntypedInBoundsAccessChainKHR => (true, false, true),
            Op::UntypedPtrAccessChainKHR => (true, true, false),
            Op::UntypedInBoundsPtrAccessChainKHR => (true, true, true),
            _ => return None,
        })
    }

    /// Reads the operands after the result.
    ///
    /// # Errors
    /// An operand is missing, the base is no pointer, or there is no type to walk through.
    pub(crate) fn of(
        module: &Tables<'_>,
        i: Instruction<'_>,
        op: Op,
        operands: &'a [u32],
    ) -> Result<Self, Error> {
        let Some((untyped, from_element, in_bounds)) = Self::kind(op) else {
            return Err(i.error(format_args!("Op{op:?} computes no address")));
        };
        let (to, base, indices) = match operands {
            [to, base, indices @ ..] if untyped => (*to, *base, indices),
            [base, indices @ ..] if !untyped => (module.pointee(i, *base)?.0, *base, indices),
            _ => return Err(i.error(format_args!("Op{op:?} has no base"))),
        };
        let bounds = if in_bounds { "inbounds " } else { "" };
        Ok(Self { from_element, bounds, untyped, base, to, indices })
    }
}

/// Writes an address computation.
fn chain(body: &mut Body<'_, '_>, i: Instruction<'_>) -> Result<(), Error> {
    let chain = Chain::of(body.module, i, i.op, i.rest(2))?;
    let Chain { base, to, .. } = chain;
    let (_, space) = body.module.pointer(i, base)?;
    let (first, indices) = match (chain.from_element, chain.indices.split_first()) {
        (true, Some((first, rest))) => (body.typed(i, *first)?, rest),
        (true, None) => return Err(i.error(format_args!("Op{:?} has no element", i.op))),
        (false, _) => ("i32 0".to_owned(), chain.indices),
    };
    let mut text = format!(", {first}");
    let mut ty = to;
    let mut packed = body.packed.contains(&base);
    for &index in indices {
        let (next, part) = step(body, i, ty, index, &mut packed)?;
        ty = next;
        text.push_str(&part);
    }
    let Some(Type::Pointer { space: result_space, to: result }) =
        body.module.types.get(i.operand(0)?)
    else {
        return Err(i.error(format_args!("the result of Op{:?} is no pointer", i.op)));
    };
    if *result_space != space {
        return Err(i.error(format_args!("Op{:?} changes the storage class", i.op)));
    }
    if chain.untyped != result.is_none() {
        let kind = if chain.untyped { "a typed" } else { "an untyped" };
        return Err(i.error(format_args!("the result of Op{:?} is {kind} pointer", i.op)));
    }
    if packed && let Some(id) = i.result() {
        body.packed.insert(id);
    }
    let (bounds, element) = (chain.bounds, body.text(i, to)?);
    let pointer = body.typed(i, base)?;
    body.define(i, &format!("getelementptr {bounds}{element}, {pointer}{text}"));
    Ok(())
}

/// One index of an access chain: the type after it, and its text.
fn step(
    body: &Body<'_, '_>,
    i: Instruction<'_>,
    ty: u32,
    index: u32,
    packed: &mut bool,
) -> Result<(u32, String), Error> {
    match body.module.types.find(i, ty)? {
        Type::Struct { members, packed: is_packed } => {
            *packed |= is_packed;
            let Some(n) = body.literal(i, index) else {
                return Err(i.error("the number of a structure's member is no constant"));
            };
            let member = usize::try_from(n).ok().and_then(|n| members.get(n));
            let Some(&member) = member else {
                return Err(i.error(format_args!("a structure has no member {n}")));
            };
            Ok((member, format!(", i32 {n}")))
        }
        Type::Array { of, .. } | Type::Vector { of, .. } => {
            let ty = body.value_text(i, index)?;
            Ok((*of, format!(", {ty} {}", body.value(i, index)?)))
        }
        other => Err(i.error(format_args!("an index into {other:?}, which has no parts"))),
    }
}

fn difference(body: &mut Body<'_, '_>, i: Instruction<'_>) -> Result<(), Error> {
    let (a, b) = (i.operand(2)?, i.operand(3)?);
    // Untyped pointers count bytes.
    let size = body.module.pointer(i, a)?.0.map_or(1, |to| body.module.types.size(to)).max(1);
    let Some(Type::Int(bits)) = body.module.types.get(i.operand(0)?) else {
        return Err(i.error("the result of OpPtrDiff is no integer"));
    };
    let (bits, word) = (*bits, body.module.options.address_bits);
    let a = body.typed(i, a)?;
    let a = body.temp(&format!("ptrtoint {a} to i{word}"));
    let b = body.typed(i, b)?;
    let b = body.temp(&format!("ptrtoint {b} to i{word}"));
    let bytes = body.temp(&format!("sub i{word} {a}, {b}"));
    let count = body.temp(&format!("sdiv exact i{word} {bytes}, {size}"));
    let value = body.resize(&count, word, bits, true);
    body.set(i, value);
    Ok(())
}
