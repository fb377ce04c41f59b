//! Threads that drive harts. [`WorkerPool::run`] calls a closure on the launching thread, which may
//! invite helpers; they sleep on a futex between launches. Waking them takes longer than a small
//! launch, so a launch without an invitation wakes no thread.
//!
//! Invariants: when `run` returns, no thread is inside the closure, and none will enter it. The
//! threads inside have different numbers.
//!
//! The host device's pool (crate mux-host) is not used here: it belongs to a mux device and
//! schedules work-groups of many queues, while a HAL library must work without the driver. A crate
//! such as rayon keeps its threads for the whole process; this pool ends with its device.

use std::cell::{Cell, UnsafeCell};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::thread::JoinHandle;

/// The work of a launch, called on each thread that takes part. It receives the number of the
/// thread, 0 for the launching one, and a function with which the launching thread lets the helper
/// threads take part. Further calls of that function, and calls by helpers, do nothing.
type Job<'a> = &'a (dyn Fn(usize, &dyn Fn()) + Sync);

/// Size in bytes of a helper's stack, the standard library's default.
const STACK: usize = 2 << 20;
/// Bit of `entry` that lets threads enter the closure. The lower bits count the threads inside.
const OPEN: u32 = 1 << 31;

struct PoolShared {
    /// Incremented for each launch. Idle threads wait for a change.
    launches: AtomicU32,
    /// [`OPEN`] and the number of threads inside.
    entry: AtomicU32,
    /// Number of helpers that the launch can use.
    wanted: AtomicU32,
    /// Number of helpers that have entered the launch: the number of the last one.
    entered: AtomicU32,
    job: UnsafeCell<Option<Job<'static>>>,
    failed: AtomicBool,
    stop: AtomicBool,
}

// SAFETY: `job` is written only while `entry` is 0, and read only by threads that `entry` counts.
unsafe impl Sync for PoolShared {}

/// The worker pool.
pub(crate) struct WorkerPool {
    shared: Arc<PoolShared>,
    threads: Vec<JoinHandle<()>>,
    size: usize,
}

impl WorkerPool {
    /// A pool of up to `size` threads, including the launching one. The others start on first use.
    pub(crate) fn new(size: usize) -> Self {
        let shared = PoolShared {
            launches: AtomicU32::new(0),
            entry: AtomicU32::new(0),
            wanted: AtomicU32::new(0),
            entered: AtomicU32::new(0),
            job: UnsafeCell::new(None),
            failed: AtomicBool::new(false),
            stop: AtomicBool::new(false),
        };
        Self { shared: Arc::new(shared), threads: Vec::new(), size }
    }

    /// Runs `job` on this thread and, if it invites helpers, on up to `count` threads at once. The
    /// job itself divides the work, and a late thread may find none left. Returns false if the job
    /// panicked on any thread.
    pub(crate) fn run(&mut self, count: usize, job: Job<'_>) -> bool {
        let s = &*self.shared;
        let (threads, helpers) = (&mut self.threads, count.min(self.size).saturating_sub(1));
        let inviting = Cell::new((helpers > 0).then_some(threads));
        let invited = Cell::new(false);
        let invite = || {
            let Some(threads) = inviting.take() else { return };
            while threads.len() < helpers {
                let shared = self.shared.clone();
                let name = format!("refsi-{}", threads.len() + 1);
                let spawned = muxcl_os::spawn_joined(&name, STACK, move || work(&shared));
                // If a thread cannot start, the existing threads do all work.
                let Ok(thread) = spawned else { break };
                threads.push(thread);
            }
            // SAFETY: only the lifetime is changed: the closure is not called after this function
            // returns.
            let job = unsafe { std::mem::transmute::<Job<'_>, Job<'static>>(job) };
            // SAFETY: `entry` is 0: no thread is inside, and none can enter.
            unsafe { *s.job.get() = Some(job) };
            let helpers = u32::try_from(helpers).unwrap_or(0);
            s.wanted.store(helpers, Ordering::Relaxed);
            s.entered.store(0, Ordering::Relaxed);
            s.entry.store(OPEN, Ordering::Release);
            s.launches.fetch_add(1, Ordering::Release);
            muxcl_os::futex_wake(&s.launches, helpers);
            invited.set(true);
        };
        let mut fine = catch_unwind(AssertUnwindSafe(|| job(0, &invite))).is_ok();
        if invited.get() {
            s.entry.fetch_and(!OPEN, Ordering::AcqRel);
            let mut spins = 0;
            loop {
                let inside = s.entry.load(Ordering::Acquire);
                if inside == 0 {
                    break;
                }
                spins += 1;
                if spins < 2000 {
                    std::hint::spin_loop();
                } else {
                    muxcl_os::futex_wait(&s.entry, inside, None);
                }
            }
            // SAFETY: `entry` is 0: no thread is inside, and none can enter.
            unsafe { *s.job.get() = None };
            fine &= !s.failed.swap(false, Ordering::Relaxed);
        }
        fine
    }
}

impl Drop for WorkerPool {
    fn drop(&mut self) {
        self.shared.stop.store(true, Ordering::Relaxed);
        self.shared.launches.fetch_add(1, Ordering::Release);
        muxcl_os::futex_wake(&self.shared.launches, u32::MAX);
        for thread in self.threads.drain(..) {
            // Helpers catch the job's panics, so no other panic can end the thread.
            let _ = thread.join();
        }
    }
}

fn enter(s: &PoolShared) -> bool {
    let through = |entry: u32| (entry & OPEN != 0).then_some(entry + 1);
    s.entry.fetch_update(Ordering::AcqRel, Ordering::Relaxed, through).is_ok()
}

fn work(s: &PoolShared) {
    let mut seen = 0;
    loop {
        let launches = s.launches.load(Ordering::Acquire);
        if s.stop.load(Ordering::Relaxed) {
            return;
        }
        if launches == seen {
            muxcl_os::futex_wait(&s.launches, seen, None);
            continue;
        }
        seen = launches;
        if !enter(s) {
            continue;
        }
        // SAFETY: a thread inside keeps `job` valid and unmodified.
        let job = unsafe { *s.job.get() };
        let number = s.entered.fetch_add(1, Ordering::Relaxed) + 1;
        if let Some(job) = job
            && number <= s.wanted.load(Ordering::Relaxed)
            && catch_unwind(AssertUnwindSafe(|| job(number as usize, &|| ()))).is_err()
        {
            s.failed.store(true, Ordering::Relaxed);
        }
        if s.entry.fetch_sub(1, Ordering::AcqRel) == 1 {
            muxcl_os::futex_wake(&s.entry, 1);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::AtomicU64;

    #[test]
    fn every_piece_is_done_once() {
        let mut pool = WorkerPool::new(4);
        for round in 0..2000u64 {
            let (next, sum) = (AtomicU64::new(0), AtomicU64::new(0));
            let pieces = round % 50;
            assert!(pool.run((round % 5) as usize + 1, &|number, invite| {
                assert!(number <= (round % 5) as usize);
                if round % 3 != 0 {
                    invite();
                }
                loop {
                    let k = next.fetch_add(1, Ordering::Relaxed);
                    if k >= pieces {
                        break;
                    }
                    sum.fetch_add(k + 1, Ordering::Relaxed);
                }
            }));
            assert_eq!(sum.into_inner(), pieces * (pieces + 1) / 2);
        }
    }

    #[test]
    fn a_panic_is_reported_and_the_pool_goes_on() {
        let mut pool = WorkerPool::new(3);
        // Avoids the panic hook, which is global to the process.
        let fail = |k: usize, invite: &dyn Fn()| {
            invite();
            if k == 0 {
                std::panic::resume_unwind(Box::new("asked for"));
            }
        };
        assert!(!pool.run(3, &fail));
        let numbers = AtomicU32::new(0);
        assert!(pool.run(1, &|k, _| {
            numbers.fetch_or(1 << k, Ordering::Relaxed);
        }));
        assert_eq!(numbers.into_inner(), 1);
    }

    #[test]
    fn the_threads_inside_have_different_numbers() {
        let mut pool = WorkerPool::new(4);
        for count in [4, 2, 3, 4, 1, 4] {
            let (numbers, inside) = (AtomicU32::new(0), AtomicU32::new(0));
            assert!(pool.run(count, &|k, invite| {
                invite();
                let before = numbers.fetch_or(1 << k, Ordering::SeqCst);
                assert_eq!(before & 1 << k, 0, "number {k} twice");
                inside.fetch_add(1, Ordering::SeqCst);
                // All invited helpers come.
                while (inside.load(Ordering::SeqCst) as usize) < count {
                    std::thread::yield_now();
                }
            }));
            assert_eq!(numbers.into_inner(), (1 << count) - 1);
        }
    }

    #[test]
    fn without_an_invitation_no_thread_starts() {
        let mut pool = WorkerPool::new(4);
        assert!(pool.run(4, &|k, _| assert_eq!(k, 0)));
        assert!(pool.threads.is_empty());
    }
}
