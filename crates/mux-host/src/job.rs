//! One command's work shared by threads, and the decision whether to share it at all.
//!
//! A thread starts alone and measures ([`alone`]). Work becomes a [`Job`] only when the remainder
//! is worth waking other threads for. The last thread to leave a closed job continues the command
//! buffer, so no thread waits for another.
//!
//! The units of a job are divided into [`Part`]s of equal size. A thread begins with the part of
//! its CPU, and then helps with the other parts. If a kernel runs again, the same CPU gets mostly
//! the same units, whose data is still in its caches. Each part has an atomic counter, from which
//! threads claim chunks that shrink towards the end of the part.
//!
//! Work-groups that wait for groups with lower numbers are not allowed by OpenCL, but some programs
//! rely on them. A kernel that may wait runs as one part, because groups must then start in order:
//! otherwise, all threads may wait for groups that no thread has started.
//!
//! Invariants: every unit is claimed once; a thread runs units only while it is a participant; the
//! task inside a job is taken once, by the participant that leaves the closed job last.

use crate::pool::Pool;
use crate::task::Task;
use crate::work::{ExecutionContext, Work};
use crossbeam::utils::CachePadded;
use muxcl_lock::Rank;
use muxcl_lock::sync::Mutex;
use muxcl_lock::sync::atomic::{AtomicU32, AtomicU64, AtomicUsize, Ordering};
use muxcl_mux::MuxError;
use std::ops::Range;

/// Minimum remaining work for one more thread, in ns: about the cost of a wake-up.
pub(crate) const WORTH_A_THREAD: u64 = 5_000;
/// Minimum duration of a chunk, in ns: the claim and the call cost less than 2 % of it.
const MIN_CHUNK: u64 = 6_000;
/// Maximum duration of a chunk of a borrowed thread (see `pool`), in ns: the chunk delays the
/// thread's return to the application.
const MAX_BORROWED_CHUNK: u64 = 400_000;
/// Maximum duration between two readings of the clock while a thread runs alone, in ns.
const ALONE_STEP: u64 = 2_500;

/// The outcome of running work alone.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Alone {
    /// All units have run.
    Done,
    /// Units from `next` on remain and are worth sharing. A unit takes about `unit_ps` picoseconds.
    Share { next: u64, unit_ps: u64 },
}

/// Runs `work` on this thread while the remainder is not worth sharing.
pub(crate) fn alone(work: &Work, context: &mut ExecutionContext<'_>, pool: &Pool) -> Alone {
    let total = work.units();
    let mut step = work.probe();
    if total <= step && (total == 1 || matches!(work, Work::Transfer(_))) {
        context.run(0..total);
        return Alone::Done;
    }
    if let Some(unit_ps) = work.expected_ps().filter(|_| total > 1)
        && unit_ps.saturating_mul(total) / 1000 > pool.worth_sharing()
    {
        return Alone::Share { next: 0, unit_ps };
    }
    // A few groups may already take long, so the first step is a small part of the units even if
    // every group has few work-items.
    step = step.min((total / 16).max(1));
    let mut next = 0;
    let mut before = muxcl_os::now_ns();
    loop {
        let end = work.round_end(next, next.saturating_add(step).min(total));
        context.run(next..end);
        // The whole kernel was one short step.
        if end == total && next == 0 {
            return Alone::Done;
        }
        let now = muxcl_os::now_ns();
        let unit_ps = (now.saturating_sub(before).saturating_mul(1000) / (end - next)).max(1);
        work.measured(unit_ps);
        if end == total {
            return Alone::Done;
        }
        next = end;
        before = now;
        let remaining = unit_ps.saturating_mul(total - next) / 1000;
        if remaining > pool.worth_sharing() {
            return Alone::Share { next, unit_ps };
        }
        // The next units may be slower than the first: continue in steps of bounded expected time.
        step = (ALONE_STEP.saturating_mul(1000) / unit_ps).max(step);
    }
}

/// The bit of [`Job::membership`] that is set when every unit is claimed.
const CLOSED: u32 = 1 << 31;

/// Consecutive units of a job.
#[derive(Debug)]
struct Part {
    /// The first unit that no thread has claimed yet.
    next: AtomicU64,
    end: u64,
}

impl Part {
    /// Number of units that no thread has claimed yet.
    fn left(&self) -> u64 {
        self.end - self.next.load(Ordering::Relaxed)
    }
}

/// Work that several threads share.
#[derive(Debug)]
pub(crate) struct Job {
    parts: Box<[CachePadded<Part>]>,
    /// The number of units that no thread has claimed yet.
    unclaimed: CachePadded<AtomicU64>,
    /// The number of participants, and [`CLOSED`]. One word, so that the thread that takes the
    /// count of a closed job to 0 knows that no other thread can join.
    membership: CachePadded<AtomicU32>,
    work: Work,
    /// The number of threads for which the job has asked the pool so far.
    asked: AtomicUsize,
    /// Number of units in the shortest chunk.
    min: u64,
    /// Number of units in the longest chunk of a borrowed thread.
    borrowed_max: u64,
    /// The length of a chunk is the number of remaining units of its part divided by this.
    divisor: u64,
    task: Mutex<Option<Task>>,
    error: Mutex<Option<MuxError>>,
}

impl Job {
    /// A job over units `next..` with one participant: the caller.
    pub(crate) fn new(work: Work, next: u64, unit_ps: u64, threads: usize, task: Task) -> Self {
        let total = work.units();
        let threads = threads.max(1) as u64;
        let left = total - next;
        let fair = (left / (threads * 4)).max(1);
        let units = |ns: u64| (ns.saturating_mul(1000) / unit_ps.max(1)).max(1);
        let min = units(MIN_CHUNK).min(fair);
        // A part has several chunks.
        let count = if work.in_order() { 1 } else { threads.min(left / (min * 3)).max(1) };
        Self {
            parts: parts(&work, next, count),
            unclaimed: CachePadded::new(AtomicU64::new(left)),
            membership: CachePadded::new(AtomicU32::new(1)),
            work,
            asked: AtomicUsize::new(0),
            min,
            borrowed_max: units(MAX_BORROWED_CHUNK),
            divisor: (threads * 3 / count).max(3),
            task: Mutex::new(Rank::Target, Some(task)),
            error: Mutex::new(Rank::Target, None),
        }
    }

    /// The number of threads to ask for, besides those that were asked for before, if a unit takes
    /// the given time.
    pub(crate) fn more_wanted(&self, unit_ps: u64, threads: usize) -> usize {
        let left = self.unclaimed.load(Ordering::Relaxed);
        let time = unit_ps.saturating_mul(left) / 1000;
        let by_time = usize::try_from(time / WORTH_A_THREAD).unwrap_or(usize::MAX);
        let by_units = usize::try_from(left.saturating_sub(1)).unwrap_or(usize::MAX);
        let all = (threads.saturating_sub(1)).min(by_time).min(by_units);
        let more = |asked: usize| (asked < all).then_some(all);
        let asked = self.asked.fetch_update(Ordering::Relaxed, Ordering::Relaxed, more);
        asked.map_or(0, |asked| all - asked)
    }

    /// The shared work.
    pub(crate) fn work(&self) -> &Work {
        &self.work
    }

    /// Makes the calling thread a participant, unless the job is closed or has `limit` participants
    /// already. A participant calls [`Self::leave`] when it has run what it claimed.
    pub(crate) fn join(&self, limit: usize) -> bool {
        let more = |word: u32| (word & CLOSED == 0 && (word as usize) < limit).then_some(word + 1);
        self.membership.fetch_update(Ordering::AcqRel, Ordering::Acquire, more).is_ok()
    }

    /// The number of parts.
    #[cfg(all(test, loom))]
    pub(crate) fn parts(&self) -> usize {
        self.parts.len()
    }

    /// The part with which the calling thread begins: that of the CPU on which it runs.
    pub(crate) fn first_part(&self) -> usize {
        let count = self.parts.len();
        // A model must take the same path each time.
        if count == 1 || cfg!(loom) { 0 } else { muxcl_os::current_cpu() as usize % count }
    }

    /// The next chunk, from `part` or else from the part with the most units left, which becomes
    /// `part`. `None` when all units are claimed. `borrowed` threads get chunks of bounded time.
    /// The thread that claims the last unit closes the job before it leaves.
    pub(crate) fn claim(&self, part: &mut usize, borrowed: bool) -> Option<Range<u64>> {
        loop {
            if let Some(units) = self.claim_of(&self.parts[*part], borrowed) {
                self.unclaimed.fetch_sub(units.end - units.start, Ordering::AcqRel);
                return Some(units);
            }
            let most = (0..self.parts.len()).max_by_key(|&p| self.parts[p].left())?;
            if self.parts[most].left() == 0 {
                return None;
            }
            *part = most;
        }
    }

    /// The next chunk of `part`; `None` when all its units are claimed.
    fn claim_of(&self, part: &Part, borrowed: bool) -> Option<Range<u64>> {
        let mut start = part.next.load(Ordering::Relaxed);
        loop {
            if start >= part.end {
                return None;
            }
            let left = part.end - start;
            let mut size = (left / self.divisor).max(self.min);
            if borrowed {
                size = size.min(self.borrowed_max);
            }
            let end = self.work.round_end(start, start + size.clamp(1, left));
            match part.next.compare_exchange_weak(start, end, Ordering::AcqRel, Ordering::Relaxed) {
                Ok(_) => return Some(start..end),
                Err(now) => start = now,
            }
        }
    }

    /// True when every unit is claimed.
    pub(crate) fn exhausted(&self) -> bool {
        self.unclaimed.load(Ordering::Acquire) == 0
    }

    /// Prevents further threads from joining. True for the first caller, which removes the job from
    /// the pool's list. Only a participant closes a job, and only an exhausted one.
    pub(crate) fn close(&self) -> bool {
        self.membership.fetch_or(CLOSED, Ordering::AcqRel) & CLOSED == 0
    }

    /// Drops the units that no thread has claimed yet.
    pub(crate) fn fail(&self, error: MuxError) {
        for part in &self.parts {
            let dropped = part.end - part.next.swap(part.end, Ordering::AcqRel);
            self.unclaimed.fetch_sub(dropped, Ordering::AcqRel);
        }
        self.error.lock().get_or_insert(error);
    }

    /// Ends the calling thread's participation. The last participant of a closed job receives its
    /// task and its result.
    pub(crate) fn leave(&self) -> Option<(Task, Result<(), MuxError>)> {
        if self.membership.fetch_sub(1, Ordering::AcqRel) != CLOSED | 1 {
            return None;
        }
        let task = self.task.lock().take()?;
        let result = self.error.lock().take().map_or(Ok(()), Err);
        Some((task, result))
    }
}

/// Divides the units of `work` into `count` parts of equal size, without the units before `next`.
/// The boundaries do not depend on `next`, so that they are the same when the work is repeated.
fn parts(work: &Work, next: u64, count: u64) -> Box<[CachePadded<Part>]> {
    let total = work.units();
    let mut start = 0;
    let part = |number: u64| {
        let end = total / count * number + total % count * number / count;
        let end = work.round_end(start, end.max(start + 1).min(total));
        let next = AtomicU64::new(start.max(next).min(end));
        start = end;
        CachePadded::new(Part { next, end })
    };
    (1..=count).map(part).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::transfer::Transfer;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn parts_cover_the_units_once(bytes in 1..1usize << 30, next in any::<u64>(),
            count in 1..200u64) {
            let nowhere = std::ptr::null_mut();
            let work = Work::Transfer(Transfer::Copy { src: nowhere, dst: nowhere, bytes });
            let (total, next) = (work.units(), next % work.units());
            let count = count.min(total);
            let whole = parts(&work, 0, count);
            let found = parts(&work, next, count);
            prop_assert_eq!(found.iter().map(|part| part.left()).sum::<u64>(), total - next);
            let mut start = 0;
            for (part, same) in found.iter().zip(&whole) {
                prop_assert_eq!(part.end, same.end);
                prop_assert_eq!(same.end - same.left(), start);
                prop_assert!(part.next.load(Ordering::Relaxed) == start.max(next).min(part.end));
                prop_assert!(part.end - start <= total.div_ceil(count));
                start = part.end;
            }
            prop_assert_eq!(start, total);
        }
    }
}
