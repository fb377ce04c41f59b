//! The work of a command as numbered units: the groups of a kernel, or the blocks of a transfer.
//! Units run in any order and on any thread.
//!
//! Invariant: a [`Work`] refers to its command by raw addresses. The command buffer's task keeps
//! kernels, arguments and buffers alive, and completes only after the last unit has run. Not here:
//! the distribution of units to threads (`job`).

use crate::arena::Arena;
use crate::counts::SharedCounts;
use crate::enqueue::child::{GroupContext, KernelInstance};
use crate::executable::{CancellationFlag, HostKernel, KernelEntry};
use crate::info::{MAX_SCRATCH_BYTES, MAX_STACK_BYTES};
use crate::pace::Pace;
use crate::streaming;
use crate::transfer::Transfer;
use muxcl_mux::{Launch, MuxError, NdRange};
use muxcl_os::{FpState, Stack, call_on_stack, stack_remaining, thread_stack};
use muxcl_types::combined::CombinedHeader;
use muxcl_types::operations::OperationCounts;
use muxcl_types::sched::{HostExtra, SchedInfo64};
use std::ops::Range;
use std::ptr::NonNull;

/// Number of work-items to run before the first reading of the clock.
const PROBE_ITEMS: u64 = 512;
/// Stack, in bytes, of a kernel whose metadata does not state it.
const UNKNOWN_STACK: usize = 4 << 20;
/// Stack, in bytes, for functions that kernels call: the library, printf, enqueue calls.
const STACK_RESERVE: usize = 128 << 10;

/// One command's work.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Work {
    Kernel(KernelRun),
    Transfer(Transfer),
    #[cfg(all(test, loom))]
    Model(crate::models::ModelWork),
}

impl Work {
    /// Number of units.
    pub(crate) fn units(&self) -> u64 {
        match self {
            Self::Kernel(k) => k.total,
            Self::Transfer(t) => t.units(),
            #[cfg(all(test, loom))]
            Self::Model(m) => m.units,
        }
    }

    /// Number of units to run before the first reading of the clock.
    pub(crate) fn probe(&self) -> u64 {
        match self {
            Self::Kernel(k) => (PROBE_ITEMS / k.items.max(1)).max(1),
            Self::Transfer(t) => t.probe(),
            #[cfg(all(test, loom))]
            Self::Model(_) => 1,
        }
    }

    /// The expected time of a unit, in ps, if the kernel has run before.
    pub(crate) fn expected_ps(&self) -> Option<u64> {
        let Self::Kernel(k) = self else { return None };
        k.pace()?.expected(k.items)
    }

    /// Takes note that a unit took `unit_ps`.
    pub(crate) fn measured(&self, unit_ps: u64) {
        if let Self::Kernel(k) = self
            && let Some(pace) = k.pace()
        {
            pace.measured(k.items, unit_ps);
        }
    }

    /// True if the units must start in order, because one may wait for others before it.
    pub(crate) fn in_order(&self) -> bool {
        matches!(self, Self::Kernel(k) if k.in_order)
    }

    /// The end of a chunk that starts at `start` and should end near `end`: `end` itself, or the
    /// last whole plane or row before it, because whole rows need fewer calls of the kernel.
    pub(crate) fn round_end(&self, start: u64, end: u64) -> u64 {
        let Self::Kernel(k) = self else { return end };
        if end >= k.total {
            return k.total;
        }
        let [row, rows, _] = k.order().map(|d| k.sched.num_groups_total[d]);
        let plane = row * rows;
        let size = end - start;
        let rounded = if size >= plane {
            end - end % plane
        } else if size >= row {
            end - end % row
        } else {
            end
        };
        if rounded > start { rounded } else { end }
    }
}

/// The resources with which a thread runs units of one [`Work`]: memory, stack, floating-point
/// state.
#[derive(Debug)]
pub(crate) enum ExecutionContext<'a> {
    Kernel(KernelContext<'a>),
    Transfer(Transfer),
    #[cfg(all(test, loom))]
    Model(crate::models::ModelWork),
}

impl<'a> ExecutionContext<'a> {
    /// Prepares this thread: local and scratch memory, stack, floating-point state.
    #[inline]
    pub(crate) fn new(work: &'a Work, arena: &'a mut Arena) -> Result<Self, MuxError> {
        match work {
            Work::Kernel(run) => Ok(Self::Kernel(KernelContext::new(run, arena)?)),
            Work::Transfer(t) => Ok(Self::Transfer(*t)),
            #[cfg(all(test, loom))]
            Work::Model(m) => Ok(Self::Model(*m)),
        }
    }

    /// Runs units.
    pub(crate) fn run(&mut self, units: Range<u64>) {
        match self {
            Self::Kernel(context) => context.run(units),
            Self::Transfer(t) => t.run(units),
            #[cfg(all(test, loom))]
            Self::Model(m) => (m.run)(units),
        }
    }
}

/// The code of a kernel, and its needs in bytes.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Code {
    pub(crate) entry: KernelEntry,
    pub(crate) local_bytes: u64,
    pub(crate) scratch_bytes_per_item: u64,
    pub(crate) scratch_bytes_per_group: u64,
    /// Stack of one call; 0 if unknown.
    pub(crate) stack_bytes: u64,
    pub(crate) flush_denormals: bool,
    /// The groups must start in order (`Variant::may_wait`).
    pub(crate) in_order: bool,
    /// The entry point needs a table of combined atomic operations (`Variant::combines`).
    pub(crate) combines: bool,
    /// The dimension in which consecutive groups are neighbours (`Variant::along`).
    pub(crate) along: u8,
    /// Address of the printf `Sink` of its object, or 0.
    pub(crate) printf: u64,
    pub(crate) stop: CancellationFlag,
    /// The kernel, which lives as long as the command; NULL for an enqueued child kernel.
    pub(crate) kernel: *const HostKernel,
}

/// A kernel launch, checked and bounded.
#[derive(Debug, Clone, Copy)]
pub(crate) struct KernelRun {
    entry: KernelEntry,
    packed: *const u8,
    sched: SchedInfo64,
    global_size: [u64; 3],
    /// Number of groups.
    total: u64,
    /// Number of work-items in a group.
    items: u64,
    local: usize,
    scratch: usize,
    stack: usize,
    flush_denormals: bool,
    in_order: bool,
    combines: bool,
    /// The dimension that linear indices of groups step through first.
    along: u8,
    /// Address of the kernel's `Sink`, or 0.
    printf: u64,
    stop: CancellationFlag,
    kernel: *const HostKernel,
    /// The running instance of a kernel that can enqueue; otherwise NULL.
    instance: *const KernelInstance,
}

// SAFETY: plain data and addresses, valid on every thread while the command lives (see the module's
// invariant).
unsafe impl Send for KernelRun {}
// SAFETY: as above.
unsafe impl Sync for KernelRun {}

impl KernelRun {
    /// Checks a launch against the bounds; `None` if there is nothing to run.
    pub(crate) fn new(launch: &Launch) -> Result<Option<Self>, MuxError> {
        let Some(kernel) = launch.kernel.target().as_any().downcast_ref::<HostKernel>() else {
            return Err(MuxError::Internal("a kernel of another device".into()));
        };
        let variant = launch.kernel.variant();
        let packed = launch.args.bytes();
        if packed.len() < variant.packed_bytes as usize {
            return Err(MuxError::Internal("fewer argument bytes than the kernel reads".into()));
        }
        let code = Code {
            entry: kernel.entry,
            local_bytes: variant.local_bytes,
            scratch_bytes_per_item: variant.scratch_bytes_per_item,
            scratch_bytes_per_group: variant.scratch_bytes_per_group,
            stack_bytes: variant.stack_bytes,
            flush_denormals: variant.flush_denormals,
            in_order: variant.may_wait,
            combines: variant.combines,
            along: variant.along,
            printf: kernel.sink.as_ref().map_or(0, |s| s.address()),
            stop: kernel.stop,
            kernel,
        };
        Self::assemble(&code, &launch.range, packed.as_ptr(), launch.args.local_bytes())
    }

    /// [`Self::new`] from parts. `argument_local` is the size in bytes of the local arguments. The
    /// caller has checked local memory against the device's limit.
    pub(crate) fn assemble(
        code: &Code,
        range: &NdRange,
        packed: *const u8,
        argument_local: u64,
    ) -> Result<Option<Self>, MuxError> {
        if range.is_empty() {
            return Ok(None);
        }
        let mut groups = [1u64; 3];
        let mut local_size = [1u32; 3];
        let (mut total, mut items) = (1u64, 1u64);
        for d in 0..3 {
            // Most dimensions have one group, and a division takes longer than this comparison.
            if range.global[d] > range.local[d] {
                groups[d] = range.global[d].div_ceil(range.local[d]);
            }
            local_size[d] =
                u32::try_from(range.local[d]).map_err(|_| too_much("a work-group this large"))?;
            total = total.checked_mul(groups[d]).ok_or_else(|| too_much("so many work-groups"))?;
            items = items
                .checked_mul(range.local[d])
                .ok_or_else(|| too_much("a work-group this large"))?;
        }
        let local = code.local_bytes.next_multiple_of(muxcl_types::sched::LOCAL_ALIGN);
        let local = local.saturating_add(argument_local);
        let scratch = code.scratch_bytes_per_item.checked_mul(items);
        let scratch = scratch.and_then(|s| s.checked_add(code.scratch_bytes_per_group));
        let scratch = scratch.filter(|&s| s <= MAX_SCRATCH_BYTES).ok_or_else(|| {
            too_much(&format!(
                "{} bytes of state across barriers for each of {items} work-items \
                 ({MAX_SCRATCH_BYTES} bytes at most)",
                code.scratch_bytes_per_item
            ))
        })?;
        if code.stack_bytes > MAX_STACK_BYTES {
            return Err(too_much(&format!(
                "{} bytes of stack ({MAX_STACK_BYTES} at most)",
                code.stack_bytes
            )));
        }
        let bytes = |n: u64| usize::try_from(n).map_err(|_| MuxError::OutOfMemory);
        Ok(Some(Self {
            entry: code.entry,
            packed,
            sched: SchedInfo64 {
                group_id_start: [0; 3],
                num_groups_total: groups,
                global_offset: range.offset,
                local_size,
                num_dim: range.work_dim,
                num_groups_per_call: groups,
                hal_extra: 0,
            },
            global_size: range.global,
            total,
            items,
            local: bytes(local)?,
            scratch: bytes(scratch)?,
            stack: if code.stack_bytes == 0 { UNKNOWN_STACK } else { bytes(code.stack_bytes)? },
            flush_denormals: code.flush_denormals,
            in_order: code.in_order,
            combines: code.combines,
            along: if code.in_order { 0 } else { code.along },
            printf: code.printf,
            stop: code.stop,
            kernel: code.kernel,
            instance: std::ptr::null(),
        }))
    }

    fn kernel(&self) -> Option<&HostKernel> {
        // SAFETY: NULL, or the command's kernel, which the task keeps alive.
        unsafe { self.kernel.as_ref() }
    }

    fn pace(&self) -> Option<&Pace> {
        self.kernel().map(|kernel| &kernel.pace)
    }

    /// Receives the counts of operations, if the kernel's code counts.
    fn counts(&self) -> Option<&SharedCounts> {
        self.kernel()?.counts.as_ref()
    }

    /// The dimensions in the order in which linear indices of groups step through them.
    fn order(&self) -> [usize; 3] {
        match self.along {
            1 => [1, 0, 2],
            2 => [2, 0, 1],
            _ => [0, 1, 2],
        }
    }

    /// The same launch with the instance of a kernel that can enqueue. The caller keeps the
    /// instance alive while units run.
    pub(crate) fn with_instance(self, instance: *const KernelInstance) -> Self {
        Self { instance, ..self }
    }
}

fn too_much(what: &str) -> MuxError {
    MuxError::OutOfResources(format!("the kernel needs {what}"))
}

/// The resources with which a thread runs groups of a kernel.
#[derive(Debug)]
pub(crate) struct KernelContext<'a> {
    run: &'a KernelRun,
    extra: HostExtra,
    /// The thread's table of combined atomic operations, if the kernel needs one.
    combined: Option<NonNull<CombinedHeader>>,
    /// The thread's record of counted operations, if the kernel counts.
    counts: Option<NonNull<OperationCounts>>,
    /// The stack to switch to, if this thread's own stack is too small.
    stack: Option<&'a mut Stack>,
    group: GroupContext,
    _fp: FpState,
}

impl<'a> KernelContext<'a> {
    #[inline]
    fn new(run: &'a KernelRun, arena: &'a mut Arena) -> Result<Self, MuxError> {
        let address = |p: *mut u8| p.expose_provenance() as u64;
        let local_mem = if run.local == 0 { 0 } else { address(arena.local(run.local)?) };
        let scratch = if run.scratch == 0 { 0 } else { address(arena.scratch(run.scratch)?) };
        let combined = if run.combines { NonNull::new(arena.combined()?) } else { None };
        if let Some(table) = combined {
            // SAFETY: the table is memory of this thread, and large enough.
            unsafe { (*table.as_ptr()).finish = None };
        }
        let counts = match run.counts() {
            Some(_) => NonNull::new(arena.counts()?),
            None => None,
        };
        if let Some(counts) = counts {
            // SAFETY: the record is memory of this thread.
            unsafe { counts.write(OperationCounts::default()) };
        }
        let own = thread_stack().filter(|own| {
            stack_remaining(own).is_some_and(|left| left >= run.stack + STACK_RESERVE)
        });
        let (stack, bounds) = match own {
            Some(own) => (None, own),
            None => {
                let stack = arena.stack()?;
                let bounds = stack.range();
                (Some(stack), bounds)
            }
        };
        let extra = HostExtra {
            global_size: run.global_size,
            local_mem,
            local_mem_size: run.local as u64,
            scratch,
            scratch_size: run.scratch as u64,
            stack_low: bounds.start as u64,
            stack_high: bounds.end as u64,
            printf: run.printf,
            launch: 0,
            combined: combined.map_or(0, |table| address(table.as_ptr().cast())),
            counts: counts.map_or(0, |record| address(record.as_ptr().cast())),
        };
        let group = GroupContext::new(run.instance, run.in_order);
        Ok(Self {
            run,
            extra,
            combined,
            counts,
            stack,
            group,
            _fp: FpState::enter(run.flush_denormals),
        })
    }

    /// Runs the groups with linear indices `units`, with one kernel call for each box of groups in
    /// that range.
    fn run(&mut self, units: Range<u64>) {
        // The context does not move while units run, so its address is valid.
        self.extra.launch = self.group.address();
        let mut sched = self.run.sched;
        sched.hal_extra = (&raw const self.extra).expose_provenance() as u64;
        if units.start == 0 && units.end == self.run.total {
            self.call(&sched);
            return;
        }
        let mut at = units.start;
        while at < units.end {
            let order = self.run.order();
            let groups = order.map(|d| self.run.sched.num_groups_total[d]);
            let (start, size, next) = next_box(&groups, at, units.end);
            for (n, d) in order.into_iter().enumerate() {
                sched.group_id_start[d] = start[n];
                sched.num_groups_per_call[d] = size[n];
            }
            self.call(&sched);
            at = next;
        }
    }

    fn call(&mut self, sched: &SchedInfo64) {
        // Kernels test the flag in their loops. A kernel without loops ends by itself, so this only
        // skips the remaining groups.
        if self.run.stop.is_set() {
            return;
        }
        let KernelRun { entry, packed, .. } = *self.run;
        let call = || {
            // SAFETY: the entry point follows the kernel ABI; arguments, schedule and the memory it
            // names outlive the call.
            unsafe { entry(packed, sched) };
        };
        match &mut self.stack {
            None => call(),
            Some(stack) => call_on_stack(stack, call),
        }
        self.group.group_ended();
    }
}

impl Drop for KernelContext<'_> {
    /// Completes the thread's streaming stores, and writes its combined atomic operations to
    /// memory. The kernel has not ended yet: this thread is still a participant of its job, or runs
    /// the kernel alone.
    fn drop(&mut self) {
        streaming::complete();
        if let (Some(counts), Some(record)) = (self.run.counts(), self.counts) {
            // SAFETY: the record is memory of this thread, and `new` has written it. The kernel has
            // added to it.
            counts.add(unsafe { record.as_ref() });
        }
        let Some(table) = self.combined else { return };
        // SAFETY: the table is memory of this thread, and `new` has written the field. The kernel
        // may have stored a function for this table there, whose code is still loaded.
        let finish = unsafe { (*table.as_ptr()).finish };
        if let Some(finish) = finish {
            finish(table);
        }
    }
}

/// The largest box of groups that starts at linear index `at` and ends before `end`. Returns its
/// start, its size, and the index after its last group. The dimensions are in the order in which
/// linear indices step through them.
fn next_box(groups: &[u64; 3], at: u64, end: u64) -> ([u64; 3], [u64; 3], u64) {
    let [gx, gy, _] = *groups;
    let plane = gx * gy;
    let (x, y, z) = (at % gx, at / gx % gy, at / plane);
    let left = end - at;
    if x == 0 && y == 0 && left >= plane {
        let planes = left / plane;
        ([0, 0, z], [gx, gy, planes], at + planes * plane)
    } else if x == 0 && left >= gx {
        let rows = (left / gx).min(gy - y);
        ([0, y, z], [gx, rows, 1], at + rows * gx)
    } else {
        let count = left.min(gx - x);
        ([x, y, z], [count, 1, 1], at + count)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn boxes_cover_a_range_exactly_once(gx in 1..9u64, gy in 1..9u64, gz in 1..9u64,
            cuts in prop::collection::vec(0..800u64, 0..8)) {
            let total = gx * gy * gz;
            let mut borders: Vec<u64> = cuts.into_iter().map(|c| c % (total + 1)).chain([0,
                total]).collect();
            borders.sort_unstable();
            let mut seen = vec![0u8; usize::try_from(total).unwrap()];
            for pair in borders.windows(2) {
                let (mut at, end, mut boxes) = (pair[0], pair[1], 0);
                while at < end {
                    let (start, size, next) = next_box(&[gx, gy, gz], at, end);
                    for z in start[2]..start[2] + size[2] {
                        for y in start[1]..start[1] + size[1] {
                            for x in start[0]..start[0] + size[0] {
                                seen[usize::try_from(x + gx * (y + gy * z)).unwrap()] += 1;
                            }
                        }
                    }
                    prop_assert_eq!(next - at, size.iter().product::<u64>());
                    at = next;
                    boxes += 1;
                }
                prop_assert!(boxes <= 5);
            }
            prop_assert!(seen.iter().all(|&n| n == 1));
        }
    }
}
