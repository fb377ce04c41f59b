//! Decides how each value that lives across a barrier is kept: in memory or rematerialized. Assigns
//! the memory slots.
//!
//! Layout of the scratch memory, N being the work-items of a full group: slot after slot, each `[N
//! x T]`, sorted by falling alignment. So loops over work-items access each slot with stride one.
//! Private arrays that live across barriers are slots too, one array per work-item.

use std::collections::{BTreeMap, BTreeSet};

use muxcl_llvm::{Module, Opcode, Type, Value};
use muxcl_types::sched::LOCAL_ALIGN;

use crate::names::{is_shared_memory, work_item};
use crate::regions::Regions;
use crate::uniformity::Uniformity;

/// A live-in use: within the region, the definition does not dominate the use.
#[derive(Debug, Clone, Copy)]
pub struct LiveInUse<'m> {
    /// The value.
    pub value: Value<'m>,
    /// The instruction that uses it, in the original blocks.
    pub user: Value<'m>,
    /// Operand number, or number of the first incoming pair of a PHI from its block.
    pub operand: u32,
    /// True if some other path of the region also contains the definition.
    pub inside: bool,
}

/// One slot of the scratch memory.
#[derive(Debug, Clone, Copy)]
pub struct ScratchSlot<'m> {
    /// The instruction or `alloca` whose value it holds.
    pub value: Value<'m>,
    /// The type in memory.
    pub ty: Type<'m>,
    /// Offset: bytes per work-item of the slots in front.
    pub offset: u64,
    /// Size in bytes per work-item.
    pub stride: u64,
    /// Alignment in bytes of each work-item's element.
    pub align: u64,
}

/// The plan of one function.
#[derive(Debug, Default)]
pub struct Plan<'m> {
    /// By region: uses of values that some path of the region reaches without computing them.
    pub live_ins: Vec<Vec<LiveInUse<'m>>>,
    /// Values that live in memory slots.
    pub slots: Vec<ScratchSlot<'m>>,
    /// Values that each region rematerializes from its live-ins.
    pub rematerialized: BTreeSet<Value<'m>>,
    /// Values that are uniform in the group, in program order. Each lives once, in a variable of
    /// the group function.
    pub group: Vec<Value<'m>>,
    /// Allocas that live in a slot.
    pub arrays: BTreeSet<Value<'m>>,
    /// Scratch memory, in bytes per work-item.
    pub bytes: u64,
}

/// Makes the plan. `allocas` are all static allocas of the function; those larger than `largest`
/// bytes always get a slot. Without `uniformity`, all values count as divergent.
pub fn plan<'m>(
    module: &'m Module<'_>,
    regions: &Regions<'m>,
    allocas: &[Value<'m>],
    uniformity: Option<&Uniformity<'m>>,
    largest: u64,
) -> Plan<'m> {
    let live = regions.live();
    let mut plan = Plan::default();
    let mut wanted: BTreeSet<Value<'m>> = BTreeSet::new();
    for (n, region) in regions.regions.iter().enumerate() {
        let mut live_ins = Vec::new();
        if live[n] {
            for b in &region.blocks {
                for user in regions.blocks[*b].instructions() {
                    collect_live_ins(regions, region, *b, user, &mut live_ins);
                }
            }
        }
        wanted.extend(live_ins.iter().map(|n| n.value));
        plan.live_ins.push(live_ins);
    }
    let uniform = |v: Value<'m>| uniformity.is_some_and(|u| u.is_uniform(regions, v));
    // Rematerialization reads group variables at the region's start. So no such use may follow a
    // definition in the same region.
    let inside: BTreeSet<Value<'m>> =
        plan.live_ins.iter().flatten().filter(|n| n.inside).map(|n| n.value).collect();
    let mut strict = BTreeMap::new();
    let mut loose = BTreeMap::new();
    let mut kept = Vec::new();
    let mut group = BTreeSet::new();
    for v in in_order(regions, &wanted) {
        if cost(v, &mut strict, &|_| false) <= LIMIT {
            plan.rematerialized.insert(v);
        } else if uniform(v) {
            group.insert(v);
        } else if !inside.contains(&v) && cost(v, &mut loose, &uniform) <= LIMIT {
            plan.rematerialized.insert(v);
            leaves(v, &mut strict, &uniform, &mut group);
        } else {
            kept.push((v, memory_type(v)));
        }
    }
    plan.group = in_order(regions, &group);
    let mut regions_of = vec![Vec::new(); regions.blocks.len()];
    for (n, region) in regions.regions.iter().enumerate().filter(|(n, _)| live[*n]) {
        region.blocks.iter().for_each(|b| regions_of[*b].push(n));
    }
    for a in allocas {
        if module.size_of(a.allocated_type()) > largest
            || !is_local_to_region(regions, &regions_of, *a)
        {
            plan.arrays.insert(*a);
            kept.push((*a, a.allocated_type()));
        }
    }
    kept.sort_by_key(|(v, ty)| std::cmp::Reverse(align(module, *v, *ty)));
    let mut at = 0u64;
    for (value, ty) in kept {
        let align = align(module, value, ty);
        let stride = module.size_of(ty).next_multiple_of(align);
        plan.slots.push(ScratchSlot { value, ty, offset: at, stride, align });
        at += stride;
    }
    plan.bytes = at.next_multiple_of(8);
    plan
}

fn align<'m>(module: &'m Module<'_>, value: Value<'m>, ty: Type<'m>) -> u64 {
    let own = if value.is_alloca() { value.alloca_align() } else { 1 };
    module.align_of(ty).max(own).clamp(1, LOCAL_ALIGN)
}

/// Memory holds `i1` as a byte.
fn memory_type(v: Value<'_>) -> Type<'_> {
    let ty = v.ty();
    if ty.is_int() && ty.int_width() < 8 { ty.cx().i8() } else { ty }
}

fn in_order<'m>(regions: &Regions<'m>, wanted: &BTreeSet<Value<'m>>) -> Vec<Value<'m>> {
    let mut out = Vec::with_capacity(wanted.len());
    for b in &regions.blocks {
        for i in b.instructions() {
            if wanted.contains(&i) {
                out.push(i);
            }
        }
    }
    out
}

fn collect_live_ins<'m>(
    regions: &Regions<'m>,
    region: &crate::regions::Region,
    block: usize,
    user: Value<'m>,
    live_ins: &mut Vec<LiveInUse<'m>>,
) {
    let mut check = |value: Value<'m>, operand: u32, at: usize, same_block_ok: bool| {
        if !value.is_instruction() || value.is_alloca() {
            return;
        }
        let Some(def) = regions.block_of(value) else { return };
        let inside = region.contains(def);
        if inside && ((def == at && same_block_ok) || (def != at && region.dominates(def, at))) {
            return;
        }
        live_ins.push(LiveInUse { value, user, operand, inside });
    };
    if user.opcode() == Opcode::Phi {
        let mut seen = BTreeSet::new();
        for (n, (value, from)) in (0u32..).zip(user.incoming()) {
            // Several edges from one block (a switch) carry the same value.
            if let Some(from) = regions.index.get(&from)
                && region.contains(*from)
                && seen.insert(*from)
            {
                check(value, n, *from, true);
            }
        }
    } else {
        for (n, value) in (0u32..).zip(user.operands()) {
            check(value, n, block, true);
        }
    }
}

/// Above this cost in instructions, a value is stored instead of rematerialized.
const LIMIT: u32 = 6;

/// Cost of rematerializing a value, in instructions. A value above the limit for which `leaf` holds
/// costs one, because a group variable holds it. Chains of operands may be long, so the search has
/// its own stack.
fn cost<'m>(
    v: Value<'m>,
    memo: &mut BTreeMap<Value<'m>, u32>,
    leaf: &dyn Fn(Value<'m>) -> bool,
) -> u32 {
    let is_free = |v: Value<'m>| !v.is_instruction() || v.is_alloca();
    if is_free(v) {
        return 0;
    }
    // Values, and whether the costs of their operands are known.
    let mut work = vec![(v, false)];
    while let Some((v, known)) = work.pop() {
        if !known && memo.contains_key(&v) {
            continue;
        }
        let mut sum = cost_without_operands(v);
        if sum <= LIMIT && v.opcode() != Opcode::Call {
            let operands = v.operands().into_iter().filter(|o| !is_free(*o));
            if !known {
                // Stands for the value in a cycle.
                memo.insert(v, LIMIT + 1);
                work.push((v, true));
                work.extend(operands.map(|o| (o, false)));
                continue;
            }
            for o in operands {
                sum = sum.saturating_add(memo.get(&o).copied().unwrap_or(LIMIT + 1));
            }
        }
        if sum > LIMIT && leaf(v) {
            sum = 1;
        }
        memo.insert(v, sum);
    }
    memo.get(&v).copied().unwrap_or(LIMIT + 1)
}

/// More than [`LIMIT`] for instructions that are never rematerialized.
fn cost_without_operands(v: Value<'_>) -> u32 {
    match v.opcode() {
        Opcode::Trunc
        | Opcode::ZExt
        | Opcode::SExt
        | Opcode::BitCast
        | Opcode::AddrSpaceCast
        | Opcode::GetElementPtr => 1,
        Opcode::PtrToInt
        | Opcode::IntToPtr
        | Opcode::Add
        | Opcode::Sub
        | Opcode::Shl
        | Opcode::LShr
        | Opcode::AShr => 1,
        Opcode::And | Opcode::Or | Opcode::Xor | Opcode::ICmp | Opcode::Select | Opcode::Mul => 1,
        Opcode::Call if is_id(v) => 0,
        _ => LIMIT + 1,
    }
}

/// The group variables from which `v` is rematerialized.
fn leaves<'m>(
    v: Value<'m>,
    strict: &mut BTreeMap<Value<'m>, u32>,
    uniform: &dyn Fn(Value<'m>) -> bool,
    out: &mut BTreeSet<Value<'m>>,
) {
    if !v.is_instruction() || v.is_alloca() || cost(v, strict, &|_| false) <= LIMIT {
        return;
    }
    if uniform(v) {
        out.insert(v);
        return;
    }
    for o in v.operands() {
        leaves(o, strict, uniform, out);
    }
}

/// True for a work-item function with a constant index, and for the query of the collectives'
/// memory address.
fn is_id(v: Value<'_>) -> bool {
    let known = |name: &str| work_item(name).is_some() || is_shared_memory(name);
    v.callee().is_some_and(|f| known(&f.name())) && v.args().iter().all(|a| a.is_constant())
}

/// True if an array is never live across a barrier: a single region that cannot repeat has all its
/// uses, or each region that uses the array first starts its lifetime.
///
/// `regions_of`: for each block, the numbers of the regions that contain it. Regions that no
/// work-item reaches are left out.
fn is_local_to_region<'m>(
    regions: &Regions<'m>,
    regions_of: &[Vec<usize>],
    alloca: Value<'m>,
) -> bool {
    let Some(uses) = transitive_users(alloca) else { return false };
    let blocks: BTreeSet<usize> = uses.iter().filter_map(|u| regions.block_of(*u)).collect();
    let candidates: BTreeSet<usize> =
        blocks.iter().flat_map(|b| &regions_of[*b]).copied().collect();
    let mut holders = Vec::new();
    let mut starts_everywhere = true;
    for n in candidates {
        let r = &regions.regions[n];
        let inside: Vec<Value<'m>> = uses
            .iter()
            .copied()
            .filter(|u| regions.block_of(*u).is_some_and(|b| r.contains(b)))
            .collect();
        let real: Vec<Value<'m>> =
            inside.iter().copied().filter(|u| !is_lifetime_end(*u)).collect();
        if real.is_empty() {
            continue;
        }
        holders.push(n);
        let begins = real.iter().copied().find(|s| {
            is_lifetime_start(*s)
                && real.iter().all(|u| {
                    let (Some(a), Some(b)) = (regions.block_of(*s), regions.block_of(*u)) else {
                        return false;
                    };
                    if a == b { s == u || comes_before(*s, *u) } else { r.dominates(a, b) }
                })
        });
        starts_everywhere &= begins.is_some();
    }
    starts_everywhere || (holders.len() <= 1 && holders.iter().all(|n| !regions.regions[*n].cyclic))
}

/// All instructions that use the array; `None` if the array's address escapes this analysis.
fn transitive_users(alloca: Value<'_>) -> Option<Vec<Value<'_>>> {
    let mut out = Vec::new();
    let mut seen = BTreeSet::new();
    let mut work = vec![alloca];
    while let Some(v) = work.pop() {
        for u in v.users() {
            if !u.is_instruction() || !seen.insert(u) {
                continue;
            }
            out.push(u);
            match u.opcode() {
                Opcode::GetElementPtr
                | Opcode::BitCast
                | Opcode::AddrSpaceCast
                | Opcode::Select
                | Opcode::Phi => {
                    work.push(u);
                }
                Opcode::Load | Opcode::ICmp => {}
                Opcode::Store if u.operand(0) != v => {}
                // A callee cannot keep a private pointer: the only memory it could use is memory
                // whose stores we see.
                Opcode::Call if u.is_lifetime() || u.callee().is_some_and(|f| f.is_intrinsic()) => {
                }
                _ => return None,
            }
        }
    }
    Some(out)
}

/// True if memory or a callee may hold the address of an array.
pub fn escapes(alloca: Value<'_>) -> bool {
    transitive_users(alloca)
        .is_none_or(|users| users.iter().any(|u| u.opcode() == Opcode::AddrSpaceCast))
}

fn is_lifetime_start(v: Value<'_>) -> bool {
    v.is_lifetime() && v.callee().is_some_and(|f| f.name().starts_with("llvm.lifetime.start"))
}

fn is_lifetime_end(v: Value<'_>) -> bool {
    v.is_lifetime() && !is_lifetime_start(v)
}

fn comes_before<'m>(a: Value<'m>, b: Value<'m>) -> bool {
    let mut at = a.next();
    while let Some(i) = at {
        if i == b {
            return true;
        }
        at = i.next();
    }
    false
}

#[cfg(test)]
mod tests {
    use std::fmt::Write as _;

    use super::*;
    use muxcl_llvm::Context;

    /// The cost of a sum of `count` + 1 numbers.
    fn cost_of_chain(count: u32, leaf: &dyn Fn(Value<'_>) -> bool) -> u32 {
        let mut ir = "define i32 @f(i32 %v0) {\n".to_owned();
        for n in 1..=count {
            writeln!(ir, "%v{n} = add i32 %v{}, %v0", n - 1).unwrap();
        }
        write!(ir, "ret i32 %v{count}\n}}").unwrap();
        let context = Context::new();
        let module = Module::parse_text(&context, &ir).unwrap();
        let last = module.function("f").unwrap().entry().terminator().unwrap().operand(0);
        cost(last, &mut BTreeMap::new(), leaf)
    }

    #[test]
    fn the_cost_of_a_long_chain_needs_little_stack() {
        let none = |_: Value<'_>| false;
        assert_eq!([1, LIMIT].map(|n| cost_of_chain(n, &none)), [1, LIMIT]);
        assert!(cost_of_chain(LIMIT + 1, &none) > LIMIT);
        assert!(cost_of_chain(100_000, &none) > LIMIT);
        // Group variables hold the seventh sum and every sixth one after it.
        assert_eq!([7, 8, 12, 13].map(|n| cost_of_chain(n, &|_| true)), [1, 2, 6, 1]);
        assert!((1..=LIMIT).contains(&cost_of_chain(100_000, &|_| true)));
    }
}
