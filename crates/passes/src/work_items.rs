//! Lowers calls of work-item functions, in the group function and in functions that are not
//! inlined.
//!
//! In the group function, parameters and loop counters hold the values
//! (`work_item_loops::GroupValues`). A function that is not inlined gets one more parameter, a
//! pointer to an *item record* ([`ItemRecord`]), from the pass [`add_parameters`]
//! (`work-item-params`). For an index that is not a dimension, the result is the value that the
//! specification gives.

use std::collections::BTreeSet;

use muxcl_llvm::{Builder, Cx, Function, IntPredicate, Linkage, Module, Type, Value};

use crate::local_memory::{self, Layout};
use crate::names::{self, GROUP_SCRATCH, IS_LOCAL, IS_PRIVATE, WorkItem, work_item};
use crate::{PassError, address_spaces};

/// Placeholder for the address of the item record until `work-item-loops` creates it: `ptr ()`.
pub const RECORD: &str = "__muxcl_item_record";

/// A value with one instance per dimension.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Field {
    /// Local id.
    LocalId,
    /// Group id.
    GroupId,
    /// Size of this group, which may be a partial one.
    LocalSize,
    /// Size of a full group.
    Enqueued,
    /// Number of groups in the NDRange.
    NumGroups,
    /// Global offset.
    Offset,
    /// Global size.
    GlobalSize,
}

const FIELDS: [Field; 7] = [
    Field::LocalId,
    Field::GroupId,
    Field::LocalSize,
    Field::Enqueued,
    Field::NumGroups,
    Field::Offset,
    Field::GlobalSize,
];

/// The source of the values.
pub trait Values<'m> {
    /// One value of one dimension, as `i64`.
    fn get(&self, b: &Builder<'m>, field: Field, dimension: u32) -> Value<'m>;
    /// The global id, as `i64`.
    fn global_id(&self, b: &Builder<'m>, dimension: u32) -> Value<'m> {
        let group = b.mul_nuw(
            self.get(b, Field::GroupId, dimension),
            self.get(b, Field::Enqueued, dimension),
        );
        let base = b.add_nuw(group, self.get(b, Field::Offset, dimension));
        b.add_nuw(base, self.get(b, Field::LocalId, dimension))
    }
    /// The rank of the NDRange, as `i32`.
    fn work_dim(&self, b: &Builder<'m>) -> Value<'m>;
    /// The address of `HostExtra`.
    fn extra(&self, b: &Builder<'m>) -> Value<'m>;
    /// The address of the group's local memory.
    fn local_base(&self, b: &Builder<'m>) -> Value<'m>;
    /// Number of work-items in a full sub-group.
    fn width(&self) -> u32;
    /// The sub-group's number, as `i64`; `None`: derive it from the local ids.
    fn sub_group(&self) -> Option<Value<'m>> {
        None
    }
    /// The work-item's number within its sub-group, as `i64`; `None`: derive it from the local ids.
    fn lane(&self) -> Option<Value<'m>> {
        None
    }
    /// The number of work-items in this sub-group, as `i64`; `None`: derive it.
    fn lanes(&self) -> Option<Value<'m>> {
        None
    }
}

/// Replaces one call of a work-item function or range check by its value.
pub fn lower<'m>(call: Value<'m>, values: &dyn Values<'m>) {
    let Some(name) = call.callee().map(Function::name) else { return };
    let b = Builder::before(call);
    let result = if let Some(what) = work_item(&name) {
        let v = evaluate(&b, what, &call.args(), values);
        b.zext_or_trunc(v, call.ty())
    } else if address_spaces::is_range_check(&name) {
        range_check(&b, &name, call.args()[0], values)
    } else {
        return;
    };
    call.replace_all_uses(result);
    call.erase();
}

/// True if [`lower`] replaces this call.
pub fn is_lowerable(call: Value<'_>) -> bool {
    call.callee().is_some_and(|f| {
        f.is_declaration() && {
            let name = f.name();
            work_item(&name).is_some() || address_spaces::is_range_check(&name)
        }
    })
}

fn evaluate<'m>(
    b: &Builder<'m>,
    what: WorkItem,
    args: &[Value<'m>],
    values: &dyn Values<'m>,
) -> Value<'m> {
    let by_dimension = |default: u64, f: &dyn Fn(u32) -> Value<'m>| match args.first() {
        Some(index) => select_dimension(b, *index, default, f),
        None => b.block().function().cx().u64(default),
    };
    let field = |field: Field, default: u64| by_dimension(default, &|d| values.get(b, field, d));
    match what {
        WorkItem::GlobalId => by_dimension(0, &|d| values.global_id(b, d)),
        WorkItem::LocalId => field(Field::LocalId, 0),
        WorkItem::GroupId => field(Field::GroupId, 0),
        WorkItem::GlobalSize => field(Field::GlobalSize, 1),
        WorkItem::LocalSize => field(Field::LocalSize, 1),
        WorkItem::EnqueuedLocalSize => field(Field::Enqueued, 1),
        WorkItem::NumGroups => field(Field::NumGroups, 1),
        WorkItem::GlobalOffset => field(Field::Offset, 0),
        WorkItem::WorkDim => values.work_dim(b),
        WorkItem::LocalLinearId => local_linear_id(b, values),
        WorkItem::GlobalLinearId => {
            let at = |d| b.sub(values.global_id(b, d), values.get(b, Field::Offset, d));
            let size = |d| values.get(b, Field::GlobalSize, d);
            let zy = b.add(b.mul(at(2), size(1)), at(1));
            b.add(b.mul(zy, size(0)), at(0))
        }
        WorkItem::PrintfStream => of_extra(b, values, PRINTF),
        WorkItem::Launch => of_extra(b, values, LAUNCH),
        WorkItem::SubGroupIndex => {
            values.sub_group().unwrap_or_else(|| b.block().function().cx().u64(0))
        }
        _ => of_sub_groups(b, what, values),
    }
}

fn local_linear_id<'m>(b: &Builder<'m>, values: &dyn Values<'m>) -> Value<'m> {
    let at = |d| values.get(b, Field::LocalId, d);
    let size = |d| values.get(b, Field::LocalSize, d);
    let zy = b.add_nuw(b.mul_nuw(at(2), size(1)), at(1));
    b.add_nuw(b.mul_nuw(zy, size(0)), at(0))
}

/// Sub-groups are consecutive work-items of the group, in the order of their local linear ids. The
/// last sub-group may be partial.
fn of_sub_groups<'m>(b: &Builder<'m>, what: WorkItem, values: &dyn Values<'m>) -> Value<'m> {
    let width = b.block().function().cx().u64(values.width().into());
    let items = |field| {
        let size = |d| values.get(b, field, d);
        b.mul_nuw(b.mul_nuw(size(0), size(1)), size(2))
    };
    let id = || values.sub_group().unwrap_or_else(|| b.udiv(local_linear_id(b, values), width));
    match what {
        WorkItem::SubGroupId => id(),
        WorkItem::SubGroupLocalId => {
            values.lane().unwrap_or_else(|| b.urem(local_linear_id(b, values), width))
        }
        WorkItem::SubGroupSize => values.lanes().unwrap_or_else(|| {
            b.umin(b.sub(items(Field::LocalSize), b.mul_nuw(id(), width)), width)
        }),
        WorkItem::MaxSubGroupSize => b.umin(items(Field::Enqueued), width),
        WorkItem::EnqueuedNumSubGroups => ceil_div(b, items(Field::Enqueued), values.width()),
        _ => ceil_div(b, items(Field::LocalSize), values.width()),
    }
}

/// The number of sub-groups that hold this many work-items.
pub fn ceil_div<'m>(b: &Builder<'m>, items: Value<'m>, width: u32) -> Value<'m> {
    let cx = items.cx();
    b.udiv(b.add_nuw(items, cx.u64(u64::from(width) - 1)), cx.u64(width.into()))
}

/// Loads a word of `HostExtra`.
fn of_extra<'m>(b: &Builder<'m>, values: &dyn Values<'m>, offset: u64) -> Value<'m> {
    let cx = b.block().function().cx();
    let v = b.load(cx.i64(), b.byte_offset(values.extra(b), cx.u64(offset)), 8);
    v.set_invariant_load();
    v
}

fn select_dimension<'m>(
    b: &Builder<'m>,
    index: Value<'m>,
    default: u64,
    f: &dyn Fn(u32) -> Value<'m>,
) -> Value<'m> {
    let cx = index.cx();
    match index.as_u64() {
        Some(0) => f(0),
        Some(1) => f(1),
        Some(2) => f(2),
        Some(_) => cx.u64(default),
        None => {
            let mut v = cx.u64(default);
            for d in (0..3u32).rev() {
                let is = b.icmp(IntPredicate::Eq, index, index.ty().constant(d.into()));
                v = b.select(is, f(d), v);
            }
            v
        }
    }
}

/// Offsets in `HostExtra` of the (address, size) and (low, high) pairs.
const LOCAL_MEM: u64 = 24;
const SCRATCH: u64 = 40;
const STACK: u64 = 56;
const PRINTF: u64 = 72;
const LAUNCH: u64 = 80;

fn range_check<'m>(
    b: &Builder<'m>,
    name: &str,
    pointer: Value<'m>,
    values: &dyn Values<'m>,
) -> Value<'m> {
    let cx = pointer.cx();
    let address = b.ptr_to_int(pointer, cx.i64());
    let extra = values.extra(b);
    let word = |offset: u64| {
        let v = b.load(cx.i64(), b.byte_offset(extra, cx.u64(offset)), 8);
        v.set_invariant_load();
        v
    };
    let sized =
        |offset: u64| b.icmp(IntPredicate::Ult, b.sub(address, word(offset)), word(offset + 8));
    if name == IS_LOCAL {
        sized(LOCAL_MEM)
    } else {
        let low = word(STACK);
        let stack = b.icmp(IntPredicate::Ult, b.sub(address, low), b.sub(word(STACK + 8), low));
        b.or(stack, sized(SCRATCH))
    }
}

/// The layout of the item record: seven fields of three words, then the rank, the address of
/// `HostExtra`, and the address of local memory.
#[derive(Debug, Clone, Copy)]
pub struct ItemRecord;

impl ItemRecord {
    /// The record's LLVM type.
    pub fn ty(cx: Cx<'_>) -> Type<'_> {
        let words = cx.array(cx.i64(), 3);
        let mut parts = vec![words; FIELDS.len()];
        // A pointer takes a word of eight bytes, also on 32-bit devices.
        parts.extend([cx.i64(); 3]);
        cx.structure(&parts, false)
    }
    fn offset(field: Field, dimension: u32) -> u64 {
        let n = FIELDS.iter().position(|f| *f == field).unwrap_or(0);
        24 * n as u64 + 8 * u64::from(dimension)
    }
    const RANK: u64 = 24 * 7;
    const EXTRA: u64 = Self::RANK + 8;
    const LOCAL: u64 = Self::EXTRA + 8;

    /// Stores the fields that are the same for the whole group.
    pub fn fill_group<'m>(b: &Builder<'m>, record: Value<'m>, values: &dyn Values<'m>) {
        let cx = record.cx();
        let put = |v: Value<'m>, at: u64| {
            b.store(v, b.byte_offset(record, cx.u64(at)), 8);
        };
        for field in FIELDS.into_iter().filter(|f| *f != Field::LocalId) {
            for d in 0..3 {
                put(values.get(b, field, d), Self::offset(field, d));
            }
        }
        put(b.zext_or_trunc(values.work_dim(b), cx.i64()), Self::RANK);
        put(values.extra(b), Self::EXTRA);
        put(values.local_base(b), Self::LOCAL);
    }
    /// Stores the local ids of one work-item.
    pub fn fill_item<'m>(b: &Builder<'m>, record: Value<'m>, local_ids: [Value<'m>; 3]) {
        for (d, id) in (0u32..).zip(local_ids) {
            b.store(id, b.byte_offset(record, record.cx().u64(Self::offset(Field::LocalId, d))), 8);
        }
    }
}

/// The values behind a pointer to the record.
struct FromRecord<'m>(Value<'m>);

impl<'m> FromRecord<'m> {
    fn load(&self, b: &Builder<'m>, ty: Type<'m>, at: u64) -> Value<'m> {
        b.load(ty, b.byte_offset(self.0, ty.cx().u64(at)), 8)
    }
}

impl<'m> Values<'m> for FromRecord<'m> {
    fn get(&self, b: &Builder<'m>, field: Field, dimension: u32) -> Value<'m> {
        self.load(b, self.0.cx().i64(), ItemRecord::offset(field, dimension))
    }
    fn work_dim(&self, b: &Builder<'m>) -> Value<'m> {
        self.load(b, self.0.cx().i64(), ItemRecord::RANK)
    }
    fn extra(&self, b: &Builder<'m>) -> Value<'m> {
        self.load(b, self.0.cx().ptr(0), ItemRecord::EXTRA)
    }
    fn local_base(&self, b: &Builder<'m>) -> Value<'m> {
        self.load(b, self.0.cx().ptr(3), ItemRecord::LOCAL)
    }
    fn width(&self) -> u32 {
        1 // functions with sub-group queries have been inlined
    }
}

/// Runs `work-item-params`: gives the record as last parameter to every function outside the kernel
/// that depends on the work-item. `locals`: the local variables that such functions use.
///
/// # Errors
/// Such a function is called through a pointer, or a recursive function uses collectives.
pub fn add_parameters<'m>(
    module: &'m Module<'_>,
    kernels: &[Function<'m>],
    locals: &Layout<'m>,
) -> Result<(), PassError> {
    let kernels: BTreeSet<Function<'m>> = kernels.iter().copied().collect();
    let mut dependent: BTreeSet<Function<'m>> = BTreeSet::new();
    let mut work: Vec<Function<'m>> = Vec::new();
    let mark =
        |user: Value<'m>, dependent: &mut BTreeSet<Function<'m>>, work: &mut Vec<Function<'m>>| {
            if user.is_instruction() {
                let f = user.block().function();
                if !kernels.contains(&f) && dependent.insert(f) {
                    work.push(f);
                }
            }
        };
    for f in module.functions() {
        let name = f.name();
        if f.is_declaration()
            && (work_item(&name).is_some() || matches!(name.as_str(), IS_LOCAL | IS_PRIVATE))
        {
            for user in f.value().users() {
                mark(user, &mut dependent, &mut work);
            }
        }
        if name == GROUP_SCRATCH
            && f.value()
                .users()
                .iter()
                .any(|u| u.is_instruction() && !kernels.contains(&u.block().function()))
        {
            return Err(PassError::Unsupported(
                "a work-group function is called from a recursive function".into(),
            ));
        }
    }
    for v in &locals.variables {
        for user in v.users() {
            mark(user, &mut dependent, &mut work);
        }
    }
    while let Some(f) = work.pop() {
        for user in f.value().users() {
            if !user.is_call() || user.callee() != Some(f) {
                return Err(PassError::Unsupported(format!(
                    "function '{}' is called through a pointer",
                    names::readable(&f.name())
                )));
            }
            mark(user, &mut dependent, &mut work);
        }
    }
    let cx = module.cx();
    let mut renewed = BTreeSet::new();
    // The order of the module makes the output independent of addresses.
    for f in module.functions().into_iter().filter(|f| dependent.contains(f)) {
        let name = f.name();
        let mut params = f.ty().params();
        params.push(cx.ptr(0));
        f.value().set_name("");
        let new = module.add_function(&name, cx.function(f.ty().ret(), &params));
        new.set_linkage(Linkage::Internal);
        new.copy_attributes(f);
        new.take_body(f);
        new.remove_attribute("memory");
        new.remove_attribute("speculatable");
        let record = new.param(u32::try_from(params.len() - 1).unwrap_or(0));
        for call in f.direct_calls() {
            let b = Builder::before(call);
            let caller = call.block().function();
            let mut args = call.args();
            args.push(record_in(module, &b, caller, &renewed));
            let other = b.call(new, &args);
            other.copy_call_attributes(call);
            other.remove_call_attribute("memory");
            call.replace_all_uses(other);
            call.erase();
        }
        f.erase();
        renewed.insert(new);
        let at = new.entry().first_insertion_point();
        if let Some(at) = at {
            // This function had no parameter for the record when its callees were converted, so its
            // calls to them pass the result of a call of `RECORD`. It is the parameter now.
            if let Some(getter) = module.function(RECORD) {
                for c in getter.direct_calls() {
                    if c.block().function() == new {
                        c.replace_all_uses(record);
                        c.erase();
                    }
                }
            }
            let values = FromRecord(record);
            for i in new.instructions() {
                if is_lowerable(i) {
                    lower(i, &values);
                }
            }
            if locals.variables.iter().any(|v| {
                v.users().iter().any(|u| u.is_instruction() && u.block().function() == new)
            }) {
                let at = new.entry().first_insertion_point().unwrap_or(at);
                let base = values.local_base(&Builder::before(at));
                local_memory::replace(new, locals, base, at);
            }
        }
    }
    Ok(())
}

fn record_in<'m>(
    module: &'m Module<'_>,
    b: &Builder<'m>,
    caller: Function<'m>,
    renewed: &BTreeSet<Function<'m>>,
) -> Value<'m> {
    if renewed.contains(&caller) {
        return caller.params().last().copied().unwrap_or_else(|| module.cx().ptr(0).null());
    }
    let cx = module.cx();
    let f = module.get_or_add_function(RECORD, cx.function(cx.ptr(0), &[]));
    f.add_attribute("nounwind");
    b.call(f, &[])
}
