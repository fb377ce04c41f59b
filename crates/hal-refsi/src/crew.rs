//! Threads that wait for work: a launch hands them a closure, and they are parked in between. The
//! thread that launches takes part, so that work of one piece wakes nobody. Invariant: when
//! [`Crew::run`] returns, no thread is inside the closure, nor will be.

use std::cell::UnsafeCell;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::thread::JoinHandle;

/// Work: called with the number of the thread, 0 for the one that launches.
type Job<'a> = &'a (dyn Fn(usize) + Sync);

/// The door is open: threads may enter. Below it, how many are inside.
const OPEN: u32 = 1 << 31;

struct Shared {
    /// Counts launches; what idle threads wait on.
    launches: AtomicU32,
    /// [`OPEN`] and the number of threads inside.
    door: AtomicU32,
    /// How many threads are asked for.
    wanted: AtomicU32,
    job: UnsafeCell<Option<Job<'static>>>,
    failed: AtomicBool,
    stop: AtomicBool,
}

// SAFETY: `job` is written only while the door is shut and nobody is inside, and read only inside.
unsafe impl Sync for Shared {}

/// The threads.
pub(crate) struct Crew {
    shared: Arc<Shared>,
    threads: Vec<JoinHandle<()>>,
    size: usize,
}

impl Crew {
    /// A crew that works on up to `size` threads, the launching one included. They are started when
    /// first needed.
    pub(crate) fn new(size: usize) -> Self {
        let shared = Shared {
            launches: AtomicU32::new(0),
            door: AtomicU32::new(0),
            wanted: AtomicU32::new(0),
            job: UnsafeCell::new(None),
            failed: AtomicBool::new(false),
            stop: AtomicBool::new(false),
        };
        Self { shared: Arc::new(shared), threads: Vec::new(), size }
    }

    /// Runs `job` on up to `count` threads at once; the work is divided by the job itself, and a
    /// thread that comes late may find nothing left to do. False when it panicked somewhere.
    pub(crate) fn run(&mut self, count: usize, job: Job<'_>) -> bool {
        let helpers = count.min(self.size).saturating_sub(1);
        while self.threads.len() < helpers {
            let (shared, number) = (self.shared.clone(), self.threads.len() + 1);
            let spawned = std::thread::Builder::new()
                .name(format!("refsi-{number}"))
                .spawn(move || work(&shared, number));
            // Without more threads the present ones do it all.
            let Ok(thread) = spawned else { break };
            self.threads.push(thread);
        }
        let helpers = helpers.min(self.threads.len());
        let s = &*self.shared;
        if helpers > 0 {
            // SAFETY: only the lifetime is changed: the closure is not called after this function
            // returns.
            let job = unsafe { std::mem::transmute::<Job<'_>, Job<'static>>(job) };
            // SAFETY: the door is shut and nobody is inside.
            unsafe { *s.job.get() = Some(job) };
            s.wanted.store(u32::try_from(helpers).unwrap_or(0), Ordering::Relaxed);
            s.door.store(OPEN, Ordering::Release);
            s.launches.fetch_add(1, Ordering::Release);
            muxcl_os::futex_wake(&s.launches, u32::MAX);
        }
        let mut fine = catch_unwind(AssertUnwindSafe(|| job(0))).is_ok();
        if helpers > 0 {
            s.door.fetch_and(!OPEN, Ordering::AcqRel);
            let mut spins = 0;
            loop {
                let inside = s.door.load(Ordering::Acquire);
                if inside == 0 {
                    break;
                }
                spins += 1;
                if spins < 2000 {
                    std::hint::spin_loop();
                } else {
                    muxcl_os::futex_wait(&s.door, inside, None);
                }
            }
            // SAFETY: the door is shut and nobody is inside.
            unsafe { *s.job.get() = None };
            fine &= !s.failed.swap(false, Ordering::Relaxed);
        }
        fine
    }
}

impl Drop for Crew {
    fn drop(&mut self) {
        self.shared.stop.store(true, Ordering::Relaxed);
        self.shared.launches.fetch_add(1, Ordering::Release);
        muxcl_os::futex_wake(&self.shared.launches, u32::MAX);
        for thread in self.threads.drain(..) {
            // A helper catches its job's panics; there is no other.
            let _ = thread.join();
        }
    }
}

fn enter(s: &Shared) -> bool {
    let through = |door: u32| (door & OPEN != 0).then_some(door + 1);
    s.door.fetch_update(Ordering::AcqRel, Ordering::Relaxed, through).is_ok()
}

fn work(s: &Shared, number: usize) {
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
        if number > s.wanted.load(Ordering::Relaxed) as usize || !enter(s) {
            continue;
        }
        // SAFETY: inside, the job is there and is not written.
        let job = unsafe { *s.job.get() };
        if let Some(job) = job
            && catch_unwind(AssertUnwindSafe(|| job(number))).is_err()
        {
            s.failed.store(true, Ordering::Relaxed);
        }
        if s.door.fetch_sub(1, Ordering::AcqRel) == 1 {
            muxcl_os::futex_wake(&s.door, 1);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::AtomicU64;

    #[test]
    fn every_piece_is_done_once() {
        let mut crew = Crew::new(4);
        for round in 0..2000u64 {
            let (next, sum) = (AtomicU64::new(0), AtomicU64::new(0));
            let pieces = round % 50;
            assert!(crew.run((round % 5) as usize + 1, &|_| {
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
    fn a_panic_is_reported_and_the_crew_lives() {
        let mut crew = Crew::new(3);
        let quiet = std::panic::take_hook();
        std::panic::set_hook(Box::new(|_| {}));
        assert!(!crew.run(3, &|k| assert_ne!(k, 0, "asked for")));
        std::panic::set_hook(quiet);
        let numbers = AtomicU32::new(0);
        assert!(crew.run(1, &|k| {
            numbers.fetch_or(1 << k, Ordering::Relaxed);
        }));
        assert_eq!(numbers.into_inner(), 1);
    }
}
