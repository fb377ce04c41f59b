//! One command's work shared by threads, and the decision whether to share it at all.
//!
//! A thread starts alone and measures ([`alone`]); only when what remains is worth waking others it
//! becomes a [`Job`], whose units threads claim with one atomic counter, in chunks that shrink
//! towards the end. Whoever leaves an exhausted job last goes on with the command buffer; so nobody
//! waits for anybody.
//!
//! Invariant: every unit is claimed once; the task inside a job is taken once, after every claimed
//! unit has run.

use crate::pool::Pool;
use crate::task::Task;
use crate::work::{Seat, Work};
use crossbeam::utils::CachePadded;
use muxcl_lock::{Mutex, Rank};
use muxcl_mux::MuxError;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering};

/// Work worth a thread of its own, in ns.
const WORTH_A_THREAD: u64 = 5_000;
/// Shortest chunk, in ns.
const MIN_CHUNK: u64 = 6_000;
/// Longest chunk of a thread that has something else to return to, in ns.
const MAX_BORROWED_CHUNK: u64 = 400_000;
/// Longest run alone between two looks at the clock, in ns.
const ALONE_STEP: u64 = 2_500;

/// What a thread found out running alone.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Alone {
    /// Everything has run.
    Done,
    /// Units from `next` on remain and are worth sharing; a unit takes about `unit_ps` picoseconds.
    Share { next: u64, unit_ps: u64 },
}

/// Runs `work` on this thread while the remainder is not worth sharing.
pub(crate) fn alone(work: &Work, seat: &mut Seat<'_>, pool: &Pool) -> Alone {
    let total = work.units();
    let mut step = work.probe();
    if total <= step && (total == 1 || matches!(work, Work::Transfer(_))) {
        seat.run(0..total);
        return Alone::Done;
    }
    // Few groups may still be long ones: the first run is a small part even if all are few
    // work-items.
    step = step.min((total / 16).max(1));
    let mut next = 0;
    let mut before = muxcl_os::now_ns();
    loop {
        let end = work.round_end(next, next.saturating_add(step).min(total));
        seat.run(next..end);
        if end == total {
            return Alone::Done;
        }
        let now = muxcl_os::now_ns();
        let unit_ps = (now.saturating_sub(before).saturating_mul(1000) / (end - next)).max(1);
        next = end;
        before = now;
        let remaining = unit_ps.saturating_mul(total - next) / 1000;
        if remaining > pool.worth_sharing() {
            return Alone::Share { next, unit_ps };
        }
        // The next units may be slower than the first: go on in steps of bounded expected time.
        step = (ALONE_STEP.saturating_mul(1000) / unit_ps).max(step);
    }
}

/// Work in the hands of several threads.
#[derive(Debug)]
pub(crate) struct Job {
    next: CachePadded<AtomicU64>,
    participants: CachePadded<AtomicU32>,
    /// Set once when no unit is left to claim.
    closed: AtomicBool,
    work: Work,
    total: u64,
    /// Units of the shortest chunk.
    min: u64,
    /// Units of the longest chunk of a borrowed thread.
    borrowed_max: u64,
    /// A chunk is this fraction of what remains.
    divisor: u64,
    task: Mutex<Option<Task>>,
    error: Mutex<Option<MuxError>>,
}

impl Job {
    /// A job over units `next..` with one participant: the caller.
    pub(crate) fn new(work: Work, next: u64, unit_ps: u64, threads: usize, task: Task) -> Self {
        let total = work.units();
        let threads = threads.max(1) as u64;
        let fair = ((total - next) / (threads * 4)).max(1);
        let units = |ns: u64| (ns.saturating_mul(1000) / unit_ps.max(1)).max(1);
        Self {
            next: CachePadded::new(AtomicU64::new(next)),
            participants: CachePadded::new(AtomicU32::new(1)),
            closed: AtomicBool::new(false),
            work,
            total,
            min: units(MIN_CHUNK).min(fair),
            borrowed_max: units(MAX_BORROWED_CHUNK),
            divisor: threads * 3,
            task: Mutex::new(Rank::Target, Some(task)),
            error: Mutex::new(Rank::Target, None),
        }
    }

    /// How many threads beside the caller are worth waking, given the time a unit takes.
    pub(crate) fn helpers_wanted(&self, unit_ps: u64, threads: usize) -> usize {
        let left = self.total.saturating_sub(self.next.load(Ordering::Relaxed));
        let time = unit_ps.saturating_mul(left) / 1000;
        let by_time = usize::try_from(time / WORTH_A_THREAD).unwrap_or(usize::MAX);
        let by_units = usize::try_from(left.saturating_sub(1)).unwrap_or(usize::MAX);
        (threads.saturating_sub(1)).min(by_time).min(by_units)
    }

    /// The work.
    pub(crate) fn work(&self) -> &Work {
        &self.work
    }

    /// Threads that run units of it.
    pub(crate) fn participants(&self) -> usize {
        self.participants.load(Ordering::Acquire) as usize
    }

    /// One more participant.
    pub(crate) fn join(&self) {
        self.participants.fetch_add(1, Ordering::AcqRel);
    }

    /// The next chunk; `None` when all units are claimed. `borrowed` threads get chunks of bounded
    /// time.
    pub(crate) fn claim(&self, borrowed: bool) -> Option<Range<u64>> {
        let mut start = self.next.load(Ordering::Relaxed);
        loop {
            if start >= self.total {
                return None;
            }
            let left = self.total - start;
            let mut size = (left / self.divisor).max(self.min);
            if borrowed {
                size = size.min(self.borrowed_max);
            }
            let end = self.work.round_end(start, start + size.clamp(1, left));
            match self.next.compare_exchange_weak(start, end, Ordering::AcqRel, Ordering::Relaxed) {
                Ok(_) => return Some(start..end),
                Err(now) => start = now,
            }
        }
    }

    /// True when every unit is claimed.
    pub(crate) fn exhausted(&self) -> bool {
        self.next.load(Ordering::Acquire) >= self.total
    }

    /// True for the one caller that is to take the job off the pool's list.
    pub(crate) fn close(&self) -> bool {
        !self.closed.swap(true, Ordering::AcqRel)
    }

    /// Gives up what is not claimed yet: a thread could not run it.
    pub(crate) fn fail(&self, error: MuxError) {
        self.next.store(self.total, Ordering::Release);
        self.error.lock().get_or_insert(error);
    }

    /// One participant less. The last one to leave an exhausted job gets its task, and the job's
    /// error.
    pub(crate) fn leave(&self) -> Option<(Task, Result<(), MuxError>)> {
        if self.participants.fetch_sub(1, Ordering::AcqRel) != 1 || !self.exhausted() {
            return None;
        }
        let task = self.task.lock().take()?;
        let result = self.error.lock().take().map_or(Ok(()), Err);
        Some((task, result))
    }
}
