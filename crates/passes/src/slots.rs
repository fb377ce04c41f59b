//! Which values live in memory across barriers, which are rematerialized, and where memory slots
//! lie.
//!
//! Layout of the scratch memory, N being the work-items of a full group: slot after slot, each `[N
//! x T]`, sorted by falling alignment, so that loops over work-items access each slot with stride
//! one. Private arrays that live across barriers are slots too, one array per work-item.

use std::collections::{BTreeMap, BTreeSet};

use muxcl_llvm::{Module, Opcode, Type, Value};
use muxcl_types::sched::LOCAL_ALIGN;

use crate::names::{GROUP_SCRATCH, SUB_SCRATCH, work_item};
use crate::regions::Regions;
use crate::uniformity::Uniformity;

/// A live-in use: its definition does not dominate it within its region.
#[derive(Debug, Clone, Copy)]
pub struct LiveInUse<'m> {
    /// The value.
    pub value: Value<'m>,
    /// The instruction (of the original blocks) that uses it.
    pub user: Value<'m>,
    /// Operand number, or number of the incoming pair of a PHI.
    pub operand: u32,
    /// Whether the definition is in the region too (on some other path).
    pub inside: bool,
}

/// One slot of the scratch memory.
#[derive(Debug, Clone, Copy)]
pub struct Slot<'m> {
    /// Instruction or `alloca` it holds.
    pub value: Value<'m>,
    /// Type in memory.
    pub ty: Type<'m>,
    /// Bytes per work-item in front of it.
    pub offset: u64,
    /// Bytes per work-item.
    pub stride: u64,
    /// Alignment, for each work-item.
    pub align: u64,
}

/// The plan for one function.
#[derive(Debug, Default)]
pub struct Plan<'m> {
    /// By region: uses of values that the region does not compute on every path to them.
    pub live_ins: Vec<Vec<LiveInUse<'m>>>,
    /// Values kept in memory.
    pub slots: Vec<Slot<'m>>,
    /// Values that each region computes again from its live-ins.
    pub rematerialized: BTreeSet<Value<'m>>,
    /// Values that are the same for the whole group, in program order: kept once, in a variable of
    /// the group function.
    pub group: Vec<Value<'m>>,
    /// Allocas that get a slot.
    pub arrays: BTreeSet<Value<'m>>,
    /// Scratch bytes per work-item.
    pub bytes: u64,
}

/// Makes the plan. `allocas` are all static allocas of the function; those of more than `largest`
/// bytes get a slot in any case. Without `uniformity`, every value is a work-item's own.
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
    // Recomputing from group variables takes their value at the region's start, so no such use may
    // be behind a definition in the same region.
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
    for a in allocas {
        if module.size_of(a.allocated_type()) > largest || !is_local_to_region(regions, &live, *a) {
            plan.arrays.insert(*a);
            kept.push((*a, a.allocated_type()));
        }
    }
    kept.sort_by_key(|(v, ty)| std::cmp::Reverse(align(module, *v, *ty)));
    let mut at = 0u64;
    for (value, ty) in kept {
        let align = align(module, value, ty);
        let stride = module.size_of(ty).next_multiple_of(align);
        plan.slots.push(Slot { value, ty, offset: at, stride, align });
        at += stride;
    }
    plan.bytes = at.next_multiple_of(8);
    plan
}

fn align<'m>(module: &'m Module<'_>, value: Value<'m>, ty: Type<'m>) -> u64 {
    let own = if value.is_alloca() { value.alloca_align() } else { 1 };
    module.align_of(ty).max(own).clamp(1, LOCAL_ALIGN)
}

/// `i1` is kept as a byte.
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
        for (n, (value, from)) in (0u32..).zip(user.incoming()) {
            if let Some(from) = regions.index.get(&from)
                && region.contains(*from)
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

/// Above this many instructions a value is stored rather than computed again.
const LIMIT: u32 = 6;

/// What computing a value again costs; values for which `leaf` holds are there for the taking.
fn cost<'m>(
    v: Value<'m>,
    memo: &mut BTreeMap<Value<'m>, u32>,
    leaf: &dyn Fn(Value<'m>) -> bool,
) -> u32 {
    if !v.is_instruction() || v.is_alloca() {
        return 0;
    }
    if let Some(c) = memo.get(&v) {
        return *c;
    }
    memo.insert(v, LIMIT + 1);
    let own = match v.opcode() {
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
    };
    let mut sum = own;
    if sum <= LIMIT && v.opcode() != Opcode::Call {
        for o in v.operands() {
            sum = sum.saturating_add(cost(o, memo, leaf));
        }
    }
    if sum > LIMIT && leaf(v) {
        sum = 1;
    }
    memo.insert(v, sum);
    sum
}

/// The group variables that computing `v` again starts from.
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

/// Is it a call of a work-item function with a constant index, or of one that says where the
/// collectives' memory is?
fn is_id(v: Value<'_>) -> bool {
    let known =
        |name: &str| work_item(name).is_some() || matches!(name, GROUP_SCRATCH | SUB_SCRATCH);
    v.callee().is_some_and(|f| known(&f.name())) && v.args().iter().all(|a| a.is_constant())
}

/// Whether an array is never alive across a barrier: its uses are in one region that cannot come
/// again, or each region that uses it first starts its lifetime.
fn is_local_to_region<'m>(regions: &Regions<'m>, live: &[bool], alloca: Value<'m>) -> bool {
    let Some(uses) = transitive_users(alloca) else { return false };
    let mut holders = Vec::new();
    let mut starts_everywhere = true;
    for (n, r) in regions.regions.iter().enumerate() {
        if !live[n] {
            continue;
        }
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

/// Every instruction through which the array is used; `None` if its address escapes to where we
/// cannot follow.
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
                // A callee cannot keep a private pointer in memory we do not see stored to.
                Opcode::Call if u.is_lifetime() || u.callee().is_some_and(|f| f.is_intrinsic()) => {
                }
                _ => return None,
            }
        }
    }
    Some(out)
}

/// Whether the address of an array can be in memory or in a callee's hands.
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
