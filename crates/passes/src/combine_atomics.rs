//! `combine-atomics`: atomic operations without a result are combined in a table of the thread
//! before they reach memory.
//!
//! When many work-items add to few addresses, threads take turns at the cache lines of these
//! addresses, and one thread waits for each addition to complete. So each thread that runs groups
//! of a kernel has a table of addresses and operands (`table`). An operation on an address in the
//! table changes its operand there. The table's operands reach memory by atomic operations, when
//! other addresses take their entries and when the thread has run its last group of the kernel. If
//! operations rarely meet in the table, the next calls run a second form of the code, without it.
//!
//! [`mark`] decides which operations may use the table, before the loops over work-items exist, and
//! marks them. [`run`] replaces the marked operations behind `vecz`, which may have combined lanes
//! with one address before. A mark that a pass loses does no harm: that operation accesses memory
//! at once, and operations of one kind commute.
//!
//! # Why no work-item can tell
//!
//! An operation with a table is the same as one that a processor executes late. The operations have
//! relaxed order (OpenCL C 3.0, 6.15.12.3), as those of OpenCL 1.x always have, so they order no
//! other access (OpenCL API, 3.3.4 "Memory Consistency Model"). They return no result, so only
//! their effect on memory counts. A kernel gets a table only if all of this holds:
//!
//! * **One kind.** All operations in the table have the same operator and type, which commutes and
//!   is associative on integers: any order and any grouping gives the same final value.
//!   Floating-point operations round, so they stay as they are.
//! * **The work-item itself.** After such an operation, a work-item must find its effect (3.3.4,
//!   read-write coherence within a work-item). So the control flow has no path from the operation
//!   to another access that may concern the same memory: a load, a store, an atomic operation of
//!   another kind or with a result, or a call that accesses memory. Accesses to local, private and
//!   constant memory, and to other objects by `restrict`, do no harm.
//! * **Others in the group.** A barrier would show the effect to the group's other work-items. So
//!   no path leads from the operation to a barrier.
//! * **Other groups, kernels and the host.** They may rely on the effect only if a release
//!   operation after it synchronizes with them (3.3.6), or once the kernel has ended, which nobody
//!   learns before all its threads have written their tables to memory. So the kernel has no fence,
//!   and atomic operations of relaxed order only. An operation with
//!   `memory_scope_all_svm_devices`, which the host may watch in fine-grained shared memory, has at
//!   least acquire-release order in this compiler's library. A kernel that enqueues others gets no
//!   table, because they may start once a group has ended.
//! * **Waiting.** A loop in which a work-item may wait for another might wait for an operation in
//!   the table, so a kernel with such a loop, or with volatile loads of global memory, gets no
//!   table.
//!
//! Not here: the code of the table (`table`), combining lanes of one vector (`muxcl-vecz`), local
//! memory, whose accesses become plain ones (`plain-local-atomics`).

mod table;

use std::collections::BTreeSet;

use muxcl_llvm::{AtomicOp, Block, Builder, Context, Function, Module, Opcode, Value};

use crate::kernel_abi::GROUP_SUFFIX;
use crate::{PassError, loops, names, wide_indices};
pub use table::Combined;
use table::Header;

/// Marks an atomic operation that may use the table.
const MARK: &str = "muxcl.combined";
/// The most instructions of a short loop.
const SHORT_LOOP: usize = 24;
/// The number of work-items in an iteration of a short loop.
const SHORT_LOOP_COPIES: u32 = 4;
/// The address space of global memory.
const GLOBAL: u32 = 1;

/// Marks the operations of a kernel that may use the table. `None` if there are none.
pub fn mark(kernel: Function<'_>) -> Option<Combined> {
    let all = kernel.instructions();
    let candidates: Vec<(Value<'_>, Combined)> =
        all.iter().filter_map(|i| Some((*i, candidate(*i)?))).collect();
    let combined = candidates.first()?.1;
    if candidates.iter().any(|(_, c)| *c != combined) {
        return None;
    }
    let marked: BTreeSet<Value<'_>> = candidates.iter().map(|(i, _)| *i).collect();
    if all.iter().any(|i| !marked.contains(i) && synchronizes(*i)) {
        return None;
    }
    let bases = marked.iter().map(|i| i.operand(0).underlying_object()).collect();
    let restrict = (0..).zip(kernel.params());
    let restrict = restrict.filter(|(n, _)| kernel.param_attribute_value(*n, "noalias").is_some());
    let memory = Memory { bases, restrict: restrict.map(|(_, p)| p).collect() };
    if later(&marked).into_iter().any(|i| !marked.contains(&i) && memory.seen_by(i)) {
        return None;
    }
    marked.iter().for_each(|i| i.mark(MARK));
    Some(combined)
}

/// True if a function has marked operations.
pub fn any(module: &Module<'_>) -> bool {
    module.functions().into_iter().any(|f| f.name().starts_with(table::PREFIX))
}

/// Replaces the marked operations, and gives each entry point a second form without a table. The
/// entry point becomes a function that chooses a form for each call.
///
/// # Errors
/// LLVM refuses the code of the table.
pub fn run<'c>(context: &'c Context, module: &mut Module<'c>) -> Result<(), PassError> {
    for f in module.definitions() {
        let Some(start) = table::start_in(f) else { continue };
        let mut callees = f.instructions().into_iter().filter_map(Value::callee);
        let group = callees.find(|g| g.name().ends_with(GROUP_SUFFIX));
        let marked: Vec<_> = std::iter::once(f).chain(group).map(|f| (f, marked_in(f))).collect();
        let short: Vec<_> = marked.iter().flat_map(|(f, list)| short_loops(*f, list)).collect();
        let kind = marked.iter().flat_map(|(_, list)| list).find_map(|i| candidate(*i));
        let Some(kind) = kind else {
            table::without(f);
            continue;
        };
        table::two_forms(module, kind, f, group);
        if !short.is_empty() {
            // Before LLVM unrolls: in its copies of the body, the counter has lost its range.
            wide_indices::run(module)?;
        }
        short.into_iter().for_each(|latch| latch.unroll_by(SHORT_LOOP_COPIES));
        let table = start.args()[0];
        for (at, list) in marked {
            let own = at == f;
            let (table, first) = match own {
                true => (table, start.next()),
                false => (at.params().last().copied().unwrap_or(table), at.entry().first()),
            };
            let Some(first) = first else { continue };
            let b = Builder::before(first);
            let header = match own && group.is_some() {
                // The group's function changes the header between the operations of `f`.
                true => Header::of(&b, table),
                false => Header::copied(&b, table),
            };
            for i in list {
                if candidate(i) == Some(kind) {
                    kind.replace(module, i, header);
                }
            }
        }
    }
    table::define(context, module)
}

/// The latch branches of the loops over work-items that do little more than one marked operation.
///
/// On the table, such an operation takes less time than the processor needs for the branch back to
/// the start of the loop and for the test whether the address is in the table's window. A few
/// work-items in one iteration share the branch.
fn short_loops<'m>(f: Function<'m>, marked: &[Value<'m>]) -> Vec<Value<'m>> {
    let latch_of = |(header, body): (Block<'m>, BTreeSet<Block<'m>>)| {
        let length: usize = body.iter().map(|b| b.instructions().len()).sum();
        let marked = marked.iter().filter(|i| body.contains(&i.block())).count();
        let mut latches = header.predecessors().into_iter().filter(|b| body.contains(b));
        let latch = latches.next()?.terminator()?;
        let short = marked == 1 && length <= SHORT_LOOP && latches.next().is_none();
        (short && latch.work_item_loop().is_some()).then_some(latch)
    };
    loops::innermost(f).into_iter().filter_map(latch_of).collect()
}

fn marked_in(f: Function<'_>) -> Vec<Value<'_>> {
    f.instructions().into_iter().filter(|i| is_marked(*i)).collect()
}

fn is_marked(i: Value<'_>) -> bool {
    i.opcode() == Opcode::AtomicRmw && i.has_mark(MARK)
}

/// The kind of operation if `i` is a relaxed one on global memory without a result whose operands
/// can be combined.
fn candidate(i: Value<'_>) -> Option<Combined> {
    if i.opcode() != Opcode::AtomicRmw || i.has_uses() || !i.is_relaxed() {
        return None;
    }
    let (pointer, bits) = (i.operand(0).ty(), i.ty());
    let op = i.atomic_op().filter(|op| *op != AtomicOp::Xchg)?;
    if !bits.is_int() || pointer.address_space() != GLOBAL {
        return None;
    }
    Combined::new(op, bits.int_width())
}

/// True for an instruction that orders other accesses, or by which a work-item may wait for others,
/// and for calls of which that is not known.
fn synchronizes(i: Value<'_>) -> bool {
    match i.opcode() {
        Opcode::Fence => true,
        Opcode::Load if !i.is_atomic() => {
            i.is_volatile() && !is_own(i.operand(0).underlying_object())
        }
        Opcode::Store if !i.is_atomic() => false,
        Opcode::Load | Opcode::Store | Opcode::AtomicRmw | Opcode::AtomicCmpXchg => !i.is_relaxed(),
        Opcode::Call => {
            !is_harmless(i) && !i.callee().is_some_and(|f| names::is_barrier(&f.name()))
        }
        _ => false,
    }
}

/// The instructions that a work-item may execute after one of these.
fn later<'m>(from: &BTreeSet<Value<'m>>) -> BTreeSet<Value<'m>> {
    let mut found = BTreeSet::new();
    let mut blocks = BTreeSet::new();
    let mut work = Vec::new();
    for i in from {
        let mut next = i.next();
        while let Some(i) = next {
            found.insert(i);
            next = i.next();
        }
        work.extend(i.block().successors());
    }
    while let Some(b) = work.pop() {
        if blocks.insert(b) {
            found.extend(b.instructions());
            work.extend(b.successors());
        }
    }
    found
}

/// The memory of the operations that use the table.
struct Memory<'m> {
    /// Their underlying objects.
    bases: Vec<Value<'m>>,
    /// The parameters with `restrict`.
    restrict: BTreeSet<Value<'m>>,
}

impl<'m> Memory<'m> {
    /// True if `i` may access the memory, or show it to others.
    fn seen_by(&self, i: Value<'m>) -> bool {
        let pointer = match i.opcode() {
            Opcode::Load => i.operand(0),
            Opcode::Store => i.operand(1),
            Opcode::AtomicRmw | Opcode::AtomicCmpXchg => {
                return !is_own(i.operand(0).underlying_object());
            }
            Opcode::Call => return !is_harmless(i),
            _ => return i.has_side_effects() && !i.is_terminator(),
        };
        let object = pointer.underlying_object();
        let atomic = i.is_atomic() || i.is_volatile();
        !is_own(object) && (atomic || self.bases.iter().any(|base| self.may_be_one(object, *base)))
    }

    /// True unless two underlying objects are known to be different memory.
    fn may_be_one(&self, a: Value<'m>, b: Value<'m>) -> bool {
        let known = |v: Value<'m>| v.is_argument() || v.is_global_variable();
        let restrict = |v: Value<'m>| self.restrict.contains(&v);
        let variables = a.is_global_variable() && b.is_global_variable();
        a == b || !known(a) || !known(b) || !(variables || restrict(a) || restrict(b))
    }
}

/// True if `object` is local, private or constant memory.
fn is_own(object: Value<'_>) -> bool {
    match object.ty().address_space() {
        // Arguments of this address space are structures that are passed by value.
        0 => object.is_alloca() || object.is_argument(),
        2 | 3 => true,
        _ => false,
    }
}

/// True for a call that neither accesses memory nor waits.
fn is_harmless(call: Value<'_>) -> bool {
    call.is_lifetime()
        || !(call.has_side_effects() || call.may_read())
        || call.callee().is_some_and(|f| {
            names::work_item(&f.name()).is_some()
                || f.is_intrinsic()
                    && ["llvm.assume", "llvm.dbg.", "llvm.experimental.noalias.scope.decl"]
                        .iter()
                        .any(|start| f.name().starts_with(start))
                || copies_own(call, f)
        })
}

/// True for a copy or a fill within local, private and constant memory.
fn copies_own(call: Value<'_>, f: Function<'_>) -> bool {
    let pointers = match f.name() {
        name if !f.is_intrinsic() => return name.is_empty(),
        name if name.starts_with("llvm.memset.") => 1,
        name if name.starts_with("llvm.memcpy.") || name.starts_with("llvm.memmove.") => 2,
        _ => return false,
    };
    call.args().iter().take(pointers).all(|p| is_own(p.underlying_object()))
}
