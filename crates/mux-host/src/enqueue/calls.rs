//! The functions that compiled kernels call to enqueue (`builtins/gen/enqueue.rs`), and their
//! checks. They return the specific errors of OpenCL C 6.15.18; the library reduces them to
//! `CLK_ENQUEUE_FAILURE` in programs compiled without `-g`.
//!
//! Invariant: no panic and no held lock reaches the kernel's frames. Not here: the execution of
//! enqueued commands (`child`).

use super::child::{After, Chunk, EnqueueRequest, GroupContext, completed};
use super::event::{self, Event};
use super::queue::DeviceQueue;
use crate::info::{LOCAL_MEMORY, MAX_SCRATCH_BYTES, MAX_WORK_GROUP, vector_bytes};
use crate::work::{Code, KernelRun};
use muxcl_mux::NdRange;
use muxcl_types::enqueue::{
    BlockHead, CHILD_ENQUEUES, CHILD_FLUSH, CHILD_UNIFORM, ChildKernel, NULL_EVENT,
    NdRange as KernelNdRange,
};
use muxcl_types::enqueue::{Request, state, status};
use muxcl_types::sched::LOCAL_ALIGN;
use muxcl_types::sub_group;
use std::mem::size_of;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

/// Bytes that a command occupies in a queue in addition to its arguments and block literal.
const OVERHEAD: u64 = 64;
/// `CLK_PROFILING_COMMAND_EXEC_TIME`
const EXEC_TIME: i32 = 1;
/// Preferred number of work-items of a group if the kernel does not choose a local size.
const GROUP: u64 = 256;

/// The address of the function that kernels call by this name; `None` for other names.
pub(crate) fn symbol(name: &str) -> Option<u64> {
    let function = match name {
        "muxcl_enqueue_kernel" => enqueue_kernel as *const (),
        "muxcl_enqueue_marker" => enqueue_marker as *const (),
        "muxcl_default_queue" => default_queue as *const (),
        "muxcl_create_user_event" => create_user_event as *const (),
        "muxcl_set_user_event_status" => set_user_event_status as *const (),
        "muxcl_retain_event" => retain_event as *const (),
        "muxcl_release_event" => release_event as *const (),
        "muxcl_is_valid_event" => is_valid_event as *const (),
        "muxcl_capture_event_profiling_info" => capture_event_profiling_info as *const (),
        "muxcl_block_work_group_size" => block_work_group_size as *const (),
        "muxcl_block_work_group_multiple" => block_work_group_multiple as *const (),
        "muxcl_block_sub_group_size" => block_sub_group_size as *const (),
        "muxcl_block_sub_group_count" => block_sub_group_count as *const (),
        _ => return None,
    };
    Some(function as u64)
}

/// Runs `f`; returns `otherwise` if it panics, because a panic must not unwind through a kernel's
/// frames. Only a failed allocation makes it panic.
fn guarded<T>(otherwise: T, f: impl FnOnce() -> T) -> T {
    catch_unwind(AssertUnwindSafe(f)).unwrap_or(otherwise)
}

/// Reads element `index` at an address from a kernel; `None` for 0.
///
/// # Safety
/// The address is 0 or that of an array of such values that contains the element.
unsafe fn read<T: Copy>(address: u64, index: usize) -> Option<T> {
    let at = std::ptr::with_exposed_provenance::<T>(usize::try_from(address).ok()?);
    // SAFETY: the caller's promise.
    (!at.is_null()).then(|| unsafe { at.wrapping_add(index).read_unaligned() })
}

/// The context of the calling kernel.
///
/// # Safety
/// `launch` is the value that the kernel received as `HostExtra::launch`.
unsafe fn group_context<'a>(launch: u64) -> Option<&'a GroupContext> {
    let at = std::ptr::with_exposed_provenance::<GroupContext>(usize::try_from(launch).ok()?);
    // SAFETY: the thread that runs the kernel keeps the context until the kernel returns.
    unsafe { at.as_ref() }
}

/// The events of a wait list.
///
/// # Safety
/// `list` is 0 or the address of `count` events.
unsafe fn wait_list(count: u32, list: u64) -> Result<Vec<Arc<Event>>, i32> {
    // CLK_INVALID_EVENT_WAIT_LIST if event_wait_list is NULL and num_events_in_wait_list > 0, or
    // event_wait_list is not NULL and num_events_in_wait_list is 0, or if event objects in
    // event_wait_list are not valid events.
    if (count == 0) != (list == 0) {
        return Err(status::INVALID_EVENT_WAIT_LIST);
    }
    let mut out = Vec::new();
    for index in 0..count as usize {
        // SAFETY: the caller's promise.
        let number = unsafe { read::<u64>(list, index) }.unwrap_or(0);
        out.push(Event::find(number).ok_or(status::INVALID_EVENT_WAIT_LIST)?);
    }
    Ok(out)
}

/// The index space of a launch: the given sizes, or sizes that the driver chooses.
fn index_space(range: &KernelNdRange, uniform: bool) -> Result<NdRange, i32> {
    // CLK_INVALID_NDRANGE if ndrange is not a valid ND-range descriptor or if the program was
    // compiled with -cl-uniform-work-group-size and the local_work_size is specified in ndrange but
    // the global_work_size specified in ndrange is not a multiple of the local_work_size.
    let invalid = status::INVALID_NDRANGE;
    let dimensions = match range.work_dim {
        n @ 1..=3 => n as usize,
        _ => return Err(invalid),
    };
    let (mut offset, mut global, mut local) = ([0; 3], [1; 3], [1; 3]);
    offset[..dimensions].copy_from_slice(&range.offset[..dimensions]);
    global[..dimensions].copy_from_slice(&range.global[..dimensions]);
    local[..dimensions].copy_from_slice(&range.local[..dimensions]);
    if global.iter().zip(offset).any(|(g, o): (&u64, u64)| g.checked_add(o).is_none()) {
        return Err(invalid);
    }
    if local[..dimensions].iter().all(|l| *l == 0) {
        local = choose(global, uniform);
    }
    let items = local.iter().try_fold(1u64, |all, l| all.checked_mul(*l)).unwrap_or(0);
    if items == 0
        || items > MAX_WORK_GROUP
        || uniform && global.iter().zip(local).any(|(g, l)| !g.is_multiple_of(l))
    {
        return Err(invalid);
    }
    Ok(NdRange { work_dim: range.work_dim, offset, global, local })
}

/// Chooses a local size: powers of two, or divisors of the global size if groups must be full.
fn choose(global: [u64; 3], uniform: bool) -> [u64; 3] {
    let mut budget = GROUP;
    global.map(|size| {
        let most = size.clamp(1, budget);
        let local = match uniform {
            false if size <= budget => most,
            false => 1 << (63 - most.leading_zeros()),
            true => (1..=most).rev().find(|d| size.is_multiple_of(*d)).unwrap_or(1),
        };
        budget = (budget / local).max(1);
        local
    })
}

/// Creates an event for a command if the kernel requests one. Returns it with its handle.
fn event_for(wanted: bool, queue: &DeviceQueue) -> Result<Option<(u64, Arc<Event>)>, i32> {
    if !wanted {
        return Ok(None);
    }
    // CLK_EVENT_ALLOCATION_FAILURE if event_ret is not NULL and an event could not be allocated.
    Event::create(false, queue).map(Some).ok_or(status::EVENT_ALLOCATION_FAILURE)
}

/// Reserves space in the queue, creates the event, and enqueues.
///
/// # Safety
/// `event` is 0 or an address to which an event's handle can be written.
unsafe fn submit(group: &GroupContext, mut command: EnqueueRequest, event: u64) -> Result<(), i32> {
    // CLK_DEVICE_QUEUE_FULL if queue is full.
    if !command.queue.take(command.bytes) {
        // A kernel often repeats the call until there is room. Its collected children must run
        // for that.
        group.start_collected(false);
        return Err(status::DEVICE_QUEUE_FULL);
    }
    let (queue, bytes) = (Arc::clone(&command.queue), command.bytes);
    let made = event_for(event != 0, &queue).inspect_err(|_| queue.give(bytes))?;
    if let (Some((number, made)), Ok(address)) = (made, usize::try_from(event)) {
        let to = std::ptr::with_exposed_provenance_mut::<u64>(address);
        // SAFETY: the caller's promise.
        unsafe { to.write_unaligned(number) };
        command.event = Some(made);
    }
    if group.enqueue(command) { Ok(()) } else { Err(status::ENQUEUE_FAILURE) }
}

/// `enqueue_kernel`
///
/// # Safety
/// Compiled code has filled in the request.
unsafe fn kernel(request: &Request) -> Result<(), i32> {
    // SAFETY: the caller's promise, here and below.
    let group = unsafe { group_context(request.launch) }.ok_or(status::ENQUEUE_FAILURE)?;
    // CLK_INVALID_QUEUE if queue is not a valid queue type.
    let queue = DeviceQueue::find(request.queue).ok_or(status::INVALID_QUEUE)?;
    // SAFETY: as above.
    let child: ChildKernel = unsafe { read(request.kernel, 0) }.ok_or(status::ENQUEUE_FAILURE)?;
    // SAFETY: as above.
    let range: KernelNdRange = unsafe { read(request.range, 0) }.ok_or(status::INVALID_NDRANGE)?;
    let range = index_space(&range, child.flags & CHILD_UNIFORM != 0)?;
    // SAFETY: as above.
    let waits = unsafe { wait_list(request.wait_count, request.waits) }?;
    let after = match request.flags {
        0 => After::Nothing,
        1 => After::Kernel,
        2 => After::Group,
        _ => return Err(status::ENQUEUE_FAILURE),
    };
    let mut sizes = Vec::new();
    let mut local = 0u64;
    for index in 0..request.size_count as usize {
        // SAFETY: as above.
        let size = unsafe { read::<u64>(request.sizes, index) }.unwrap_or(0);
        // CLK_INVALID_ARG_SIZE if size of local memory arguments is 0.
        if size == 0 {
            return Err(status::INVALID_ARG_SIZE);
        }
        let aligned = size.checked_next_multiple_of(LOCAL_ALIGN).ok_or(status::OUT_OF_RESOURCES)?;
        local = local.checked_add(aligned).ok_or(status::OUT_OF_RESOURCES)?;
        sizes.push(size);
    }
    // SAFETY: as above.
    let head: BlockHead = unsafe { read(request.block, 0) }.ok_or(status::ENQUEUE_FAILURE)?;
    // CLK_OUT_OF_RESOURCES if there is a failure to queue the block in the specified queue because
    // of insufficient resources needed to execute the kernel.
    let out = status::OUT_OF_RESOURCES;
    let words = 1 + sizes.len();
    if child.packed_bytes > (words * size_of::<u64>()) as u64 {
        return Err(status::ENQUEUE_FAILURE);
    }
    let packed = (words * size_of::<u64>()).next_multiple_of(size_of::<Chunk>());
    let mut memory = Chunk::memory(packed + head.size as usize).ok_or(out)?;
    let base = memory.as_mut_ptr().cast::<u8>();
    let block = base.wrapping_add(packed);
    let from =
        std::ptr::with_exposed_provenance::<u8>(usize::try_from(request.block).map_err(|_| out)?);
    // SAFETY: the block states its size, and the memory behind the packed arguments has at least
    // that size.
    unsafe { block.copy_from_nonoverlapping(from, head.size as usize) };
    let first = block.expose_provenance() as u64;
    for (index, word) in std::iter::once(first).chain(sizes).enumerate() {
        // SAFETY: the memory is aligned and holds `words` words, and more.
        unsafe { base.cast::<u64>().wrapping_add(index).write(word) };
    }
    let code = Code {
        entry: entry_of(&child).ok_or(status::ENQUEUE_FAILURE)?,
        local_bytes: child.local_bytes,
        scratch_bytes_per_item: child.scratch_bytes_per_item,
        scratch_bytes_per_group: child.scratch_bytes_per_group,
        stack_bytes: child.stack_bytes,
        flush_denormals: child.flags & CHILD_FLUSH != 0,
        // The descriptions of child kernels do not say whether the kernels may wait.
        in_order: true,
        combines: false,
        along: 0,
        printf: group.printf(),
        stop: group.stop(),
        kernel: std::ptr::null(),
    };
    if child.local_bytes.saturating_add(local) > LOCAL_MEMORY {
        return Err(out);
    }
    let run = KernelRun::assemble(&code, &range, base, local).map_err(|_| out)?;
    let bytes = OVERHEAD + (words * size_of::<u64>()) as u64 + u64::from(head.size);
    let enqueues = child.flags & CHILD_ENQUEUES != 0;
    let command = EnqueueRequest { queue, bytes, run, enqueues, memory, waits, event: None, after };
    // SAFETY: as above.
    unsafe { submit(group, command, request.event) }
}

fn entry_of(child: &ChildKernel) -> Option<crate::executable::KernelEntry> {
    let code = std::ptr::with_exposed_provenance::<()>(usize::try_from(child.entry).ok()?);
    // SAFETY: the compiler stores the address of an entry point there, in the same object as the
    // caller.
    (!code.is_null())
        .then(|| unsafe { std::mem::transmute::<*const (), crate::executable::KernelEntry>(code) })
}

/// `enqueue_marker`
///
/// # Safety
/// As for [`kernel`].
unsafe fn marker(
    launch: u64,
    queue: u64,
    wait_count: u32,
    waits: u64,
    event: u64,
) -> Result<(), i32> {
    // SAFETY: the caller's promise, here and below.
    let group = unsafe { group_context(launch) }.ok_or(status::ENQUEUE_FAILURE)?;
    let queue = DeviceQueue::find(queue).ok_or(status::INVALID_QUEUE)?;
    // CLK_INVALID_EVENT_WAIT_LIST if event_wait_list is NULL, or if event_wait_list is not NULL and
    // num_events_in_wait_list is 0.
    if waits == 0 {
        return Err(status::INVALID_EVENT_WAIT_LIST);
    }
    // SAFETY: as above.
    let waits = unsafe { wait_list(wait_count, waits) }?;
    // "event_ret must not be NULL as otherwise this is a no-op."
    if event == 0 {
        return Ok(());
    }
    let (run, enqueues, memory) = (None, false, Vec::new());
    let command = EnqueueRequest {
        queue,
        bytes: OVERHEAD,
        run,
        enqueues,
        memory,
        waits,
        event: None,
        after: After::Nothing,
    };
    // SAFETY: as above.
    unsafe { submit(group, command, event) }
}

unsafe extern "C" fn enqueue_kernel(request: *const Request) -> i32 {
    guarded(status::OUT_OF_RESOURCES, || {
        // SAFETY: the library's function passes the address of a request that it has filled in.
        let request = unsafe { request.read_unaligned() };
        // SAFETY: as above.
        unsafe { kernel(&request) }.err().unwrap_or(status::SUCCESS)
    })
}

unsafe extern "C" fn enqueue_marker(
    launch: u64,
    queue: u64,
    wait_count: u32,
    waits: u64,
    event: u64,
) -> i32 {
    guarded(status::OUT_OF_RESOURCES, || {
        // SAFETY: the library's function passes the kernel's values on, with OpenCL C's types.
        unsafe { marker(launch, queue, wait_count, waits, event) }.err().unwrap_or(status::SUCCESS)
    })
}

unsafe extern "C" fn default_queue(launch: u64) -> u64 {
    // SAFETY: the launch of the calling kernel.
    unsafe { group_context(launch) }
        .and_then(GroupContext::default_queue)
        .map_or(0, |queue| queue.number())
}

unsafe extern "C" fn create_user_event(launch: u64) -> u64 {
    guarded(NULL_EVENT, || {
        // SAFETY: the launch of the calling kernel.
        let owner = unsafe { group_context(launch) }.and_then(GroupContext::owner_of_events);
        owner.and_then(|owner| Event::create(true, owner)).map_or(NULL_EVENT, |(number, _)| number)
    })
}

extern "C" fn set_user_event_status(_launch: u64, event: u64, status: i32) {
    guarded((), || {
        if let Some(event) = Event::find(event) {
            completed(event.set_status(status), status).submit(false);
        }
    });
}

extern "C" fn retain_event(_launch: u64, event: u64) {
    event::retain(event);
}

extern "C" fn release_event(_launch: u64, event: u64) {
    guarded((), || completed(event::release(event), state::DEPENDENCY_FAILED).submit(false));
}

extern "C" fn is_valid_event(_launch: u64, event: u64) -> i32 {
    Event::find(event).is_some().into()
}

extern "C" fn capture_event_profiling_info(_launch: u64, event: u64, name: i32, to: u64) {
    guarded((), || {
        if let (EXEC_TIME, Some(event)) = (name, Event::find(event)) {
            event.capture(to);
        }
    });
}

unsafe extern "C" fn block_work_group_size(_launch: u64, kernel: u64) -> u32 {
    // SAFETY: the library's function passes the constant of a block.
    let Some(child) = (unsafe { read::<ChildKernel>(kernel, 0) }) else { return 0 };
    let scratch = MAX_SCRATCH_BYTES.saturating_sub(child.scratch_bytes_per_group);
    let most = scratch
        .checked_div(child.scratch_bytes_per_item)
        .unwrap_or(MAX_WORK_GROUP)
        .min(MAX_WORK_GROUP);
    u32::try_from(most).unwrap_or(u32::MAX)
}

extern "C" fn block_work_group_multiple(_launch: u64, _kernel: u64) -> u32 {
    (vector_bytes() / 4).clamp(1, 16)
}

/// The number of work-items in a group of an NDRange; 0 if the NDRange is invalid.
///
/// # Safety
/// `range` is 0 or the address of an NDRange.
unsafe fn items(range: u64) -> u64 {
    // SAFETY: the caller's promise.
    let range = unsafe { read::<KernelNdRange>(range, 0) };
    range.and_then(|r| index_space(&r, false).ok()).and_then(|r| r.group_items()).unwrap_or(0)
}

unsafe extern "C" fn block_sub_group_size(_launch: u64, range: u64) -> u32 {
    // SAFETY: the library's function passes the kernel's NDRange on.
    let items = unsafe { items(range) };
    u32::try_from(items).unwrap_or(u32::MAX).min(sub_group::DEFAULT)
}

unsafe extern "C" fn block_sub_group_count(_launch: u64, range: u64) -> u32 {
    // SAFETY: the library's function passes the kernel's NDRange on.
    let items = unsafe { items(range) };
    u32::try_from(sub_group::count(items, sub_group::DEFAULT)).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn range(work_dim: u32, global: [u64; 3], local: [u64; 3]) -> KernelNdRange {
        KernelNdRange { work_dim, global, local, ..KernelNdRange::default() }
    }

    #[test]
    fn sizes_are_checked_and_chosen() {
        let invalid = Err(status::INVALID_NDRANGE);
        let local = |r: &KernelNdRange, uniform| index_space(r, uniform).map(|s| s.local);
        assert_eq!(local(&range(0, [1; 3], [1; 3]), false), invalid);
        assert_eq!(local(&range(4, [1; 3], [1; 3]), false), invalid);
        assert_eq!(local(&range(1, [8, 0, 0], [3, 0, 0]), false), Ok([3, 1, 1]));
        assert_eq!(local(&range(1, [8, 0, 0], [3, 0, 0]), true), invalid);
        assert_eq!(local(&range(2, [8, 8, 0], [3, 0, 0]), false), invalid);
        assert_eq!(local(&range(2, [4096, 8, 0], [4096, 2, 0]), false), invalid);
        assert_eq!(local(&range(1, [1000, 0, 0], [0; 3]), false), Ok([256, 1, 1]));
        assert_eq!(local(&range(3, [7, 6, 5], [0; 3]), true), Ok([7, 6, 5]));
        assert_eq!(local(&range(2, [1000, 6, 0], [0; 3]), true), Ok([250, 1, 1]));
        let far = KernelNdRange { offset: [u64::MAX, 0, 0], ..range(1, [1; 3], [1; 3]) };
        assert_eq!(local(&far, false), invalid);
    }

    #[test]
    fn every_function_of_the_table_is_there() {
        assert!(
            symbol("muxcl_enqueue_kernel").is_some()
                && symbol("muxcl_block_work_group_size").is_some()
        );
        assert_eq!(symbol("muxcl_enqueue"), None);
    }
}
