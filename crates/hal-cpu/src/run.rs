//! Runs a kernel on threads. Invariant: every group of the range runs once (in work-item mode: once
//! on the thread of each work-item), and all threads have ended when the call returns.

use muxcl_hal::HalError;
use muxcl_hal::schedule::Schedule;
use muxcl_lock::{Condvar, Mutex, Rank};
use muxcl_os::Mapping;
use std::ffi::c_void;
use std::sync::atomic::{AtomicU64, Ordering};

/// A kernel's entry point. Its parameters are the packed arguments and the schedule.
pub(crate) type KernelEntry = unsafe extern "C" fn(*const u64, *const u64);

/// Maximum number of work-items of a group in work-item mode.
pub(crate) const MOST_WORK_ITEMS: u32 = 16;
/// Stack size in bytes of a kernel's thread. The stack also holds local memory and the stacks of a
/// group's work-items. Untouched pages cost nothing.
const STACK: usize = 64 << 20;

/// Bytes aligned to 128, the largest alignment of any argument.
struct Aligned {
    bytes: Vec<u64>,
    at: usize,
}

impl Aligned {
    fn new(bytes: &[u8]) -> Self {
        let mut words = vec![0u64; bytes.len() / 8 + 1 + 16];
        let at = (words.as_ptr() as usize).wrapping_neg() % 128 / 8;
        for (word, piece) in words[at..].iter_mut().zip(bytes.chunks(8)) {
            let mut whole = [0; 8];
            whole[..piece.len()].copy_from_slice(piece);
            *word = u64::from_le_bytes(whole);
        }
        Self { bytes: words, at }
    }

    fn as_ptr(&self) -> *const u64 {
        self.bytes[self.at..].as_ptr()
    }
}

/// Calls `body` with 0 to `count` - 1, each on its own thread. Makes no call if a thread cannot
/// start, because the threads may wait for one another.
fn on_threads(
    count: usize,
    body: impl Fn(usize) -> Result<(), HalError> + Sync,
) -> Result<(), HalError> {
    let (go, told) = (Mutex::new(Rank::Leaf, None), Condvar::new());
    std::thread::scope(|scope| {
        let (body, go, told) = (&body, &go, &told);
        let threads: Vec<_> = (0..count)
            .map(|k| {
                std::thread::Builder::new().stack_size(STACK).spawn_scoped(scope, move || {
                    let mut decided = go.lock();
                    while decided.is_none() {
                        told.wait(&mut decided);
                    }
                    let start = *decided == Some(true);
                    drop(decided);
                    if start { body(k) } else { Err(HalError::Failed("a thread")) }
                })
            })
            .collect();
        *go.lock() = Some(threads.iter().all(Result::is_ok));
        told.notify_all();
        let all: Vec<_> = threads
            .into_iter()
            .map(|thread| match thread {
                Ok(thread) => thread.join().unwrap_or(Err(HalError::Failed("a thread"))),
                Err(error) => Err(HalError::Fault(format!("a thread: {error}"))),
            })
            .collect();
        all.into_iter().collect()
    })
}

/// Work-group mode: each thread takes pieces of the range until none is left.
pub(crate) fn groups(
    entry: KernelEntry,
    packed: &[u8],
    whole: &Schedule,
    threads: usize,
) -> Result<(), HalError> {
    let packed = Aligned::new(packed);
    let packed = packed.as_ptr() as usize;
    // The range is split along the first dimension into four pieces per thread, which balances the
    // load.
    let piece = (whole.groups[0] * whole.groups[1] * whole.groups[2])
        .div_ceil(4 * threads as u64)
        .min(whole.groups[0]);
    let pieces = whole.groups[0].div_ceil(piece);
    let count = pieces * whole.groups[1] * whole.groups[2];
    let next = AtomicU64::new(0);
    let threads = threads.min(usize::try_from(count).unwrap_or(usize::MAX));
    on_threads(threads, |_| {
        loop {
            let k = next.fetch_add(1, Ordering::Relaxed);
            if k >= count {
                return Ok(());
            }
            let first =
                [k % pieces * piece, k / pieces % whole.groups[1], k / pieces / whole.groups[1]];
            let groups = [piece.min(whole.groups[0] - first[0]), 1, 1];
            let schedule = Aligned::new(&Schedule { first, groups, ..*whole }.bytes(64)?);
            // SAFETY: the kernel belongs to a loaded program and gets arguments and schedule in the
            // form that kernels take.
            unsafe { entry(packed as *const u64, schedule.as_ptr()) };
        }
    })
}

/// The structure that `hal_extra` points at in work-item mode. `device/hal_cpu_wi.h` declares it
/// for kernels.
#[repr(C)]
struct WorkItem {
    local_id: [u32; 3],
    _padding: u32,
    barrier: unsafe extern "C" fn(*const Rendezvous),
    rendezvous: *const Rendezvous,
    local_memory: *mut c_void,
    local_size: u64,
}

/// The barrier of a work-group whose work-items run on separate threads.
struct Rendezvous {
    /// Number of waiting work-items, and number of completed barriers.
    state: Mutex<(u32, u64)>,
    all: Condvar,
    count: u32,
}

impl Rendezvous {
    fn new(count: u32) -> Self {
        Self { state: Mutex::new(Rank::Leaf, (0, 0)), all: Condvar::new(), count }
    }

    fn wait(&self) {
        let mut state = self.state.lock();
        let round = state.1;
        state.0 += 1;
        if state.0 == self.count {
            *state = (0, round + 1);
            self.all.notify_all();
            return;
        }
        while state.1 == round {
            self.all.wait(&mut state);
        }
    }
}

/// The second argument of kernels built for the oneAPI Construction Kit's CPU HAL: its
/// `exec_state_t`. Each work-item of a group calls such a kernel once, on its own thread, and the
/// kernel loops over the groups itself.
#[repr(C)]
struct ExecutionState {
    group_id: [u64; 3],
    num_groups: [u64; 3],
    global_offset: [u64; 3],
    local_size: [u64; 3],
    num_dim: u32,
    num_groups_per_call: [u64; 3],
    /// The address of this structure.
    hal_extra: u64,
    local_id: [u32; 3],
    kernel_entry: u64,
    packed_args: *const u64,
    flags: u32,
    num_threads: u32,
    thread_id: u32,
    barrier: unsafe extern "C" fn(*const Self),
    hal: *const Rendezvous,
}

const _: () = assert!(
    std::mem::offset_of!(ExecutionState, hal_extra) == 128
        && std::mem::offset_of!(ExecutionState, local_id) == 136
        && std::mem::offset_of!(ExecutionState, packed_args) == 160
        && std::mem::offset_of!(ExecutionState, thread_id) == 176
        && size_of::<ExecutionState>() == 200
);

/// # Safety
/// `rendezvous` is the pointer that the work-item received.
unsafe extern "C" fn barrier(rendezvous: *const Rendezvous) {
    // SAFETY: the caller's promise; the value lives until all threads have ended.
    unsafe { &*rendezvous }.wait();
}

/// # Safety
/// `state` is the pointer that the work-item's kernel received.
unsafe extern "C" fn state_barrier(state: *const ExecutionState) {
    // SAFETY: the caller's promise.
    let rendezvous = unsafe { (*state).hal };
    // SAFETY: the pointer refers to a value that lives until all threads have ended.
    unsafe { &*rendezvous }.wait();
}

/// Work-item mode: one thread for each work-item of a group; each thread runs its work-item of all
/// groups.
pub(crate) fn items(
    entry: KernelEntry,
    packed: &[u8],
    whole: &Schedule,
    local: &Mapping,
) -> Result<(), HalError> {
    let count = whole.group_size();
    if count > u64::from(MOST_WORK_ITEMS) {
        return Err(HalError::Argument("at most 16 work-items in a group, in work-item mode"));
    }
    let packed = Aligned::new(packed);
    let packed = packed.as_ptr() as usize;
    let count = u32::try_from(count).map_err(|_| HalError::Argument("fewer work-items"))?;
    let rendezvous = Rendezvous::new(count);
    on_threads(count as usize, |k| {
        let k = u32::try_from(k).map_err(|_| HalError::Argument("fewer work-items"))?;
        let item = WorkItem {
            local_id: [
                k % whole.local[0],
                k / whole.local[0] % whole.local[1],
                k / whole.local[0] / whole.local[1],
            ],
            _padding: 0,
            barrier,
            rendezvous: &raw const rendezvous,
            local_memory: local.as_ptr().cast(),
            local_size: local.len() as u64,
        };
        let extra = &raw const item as u64;
        let schedule = Aligned::new(&Schedule { extra, ..*whole }.bytes(64)?);
        // SAFETY: as in `groups`.
        unsafe { entry(packed as *const u64, schedule.as_ptr()) };
        Ok(())
    })
}

/// Starts one thread for each work-item of a group, with an [`ExecutionState`] of its own.
pub(crate) fn execution_states(
    entry: KernelEntry,
    packed: &[u8],
    whole: &Schedule,
) -> Result<(), HalError> {
    let count = whole.group_size();
    if count > u64::from(MOST_WORK_ITEMS) {
        return Err(HalError::Argument(
            "at most 16 work-items in a group, on threads of their own",
        ));
    }
    let count = u32::try_from(count).map_err(|_| HalError::Argument("fewer work-items"))?;
    let packed = Aligned::new(packed);
    let packed = packed.as_ptr() as usize;
    let rendezvous = Rendezvous::new(count);
    on_threads(count as usize, |k| {
        let k = u32::try_from(k).map_err(|_| HalError::Argument("fewer work-items"))?;
        let [x, y, _] = whole.local;
        let mut state = ExecutionState {
            group_id: [0; 3],
            num_groups: whole.groups,
            global_offset: whole.offset,
            local_size: whole.local.map(u64::from),
            num_dim: whole.dimensions,
            num_groups_per_call: [1; 3],
            hal_extra: 0,
            local_id: [k % x, k / x % y, k / x / y],
            kernel_entry: entry as usize as u64,
            packed_args: packed as *const u64,
            flags: 0,
            num_threads: count,
            thread_id: k,
            barrier: state_barrier,
            hal: &raw const rendezvous,
        };
        let at = &raw mut state;
        // SAFETY: `at` points at `state`, which lives until the kernel returns.
        unsafe { (*at).hal_extra = at as u64 };
        // SAFETY: the kernel belongs to a loaded program and gets the arguments that it takes; it
        // may write to `state`.
        unsafe { entry(packed as *const u64, at.cast()) };
        Ok(())
    })
}
