//! A pool of threads with its ready tasks and open jobs.
//!
//! The pool's threads are detached, sleep while no work is available, and end with the process. A
//! *borrowed* thread is a thread of the application that helps the pool while it waits for a
//! command. The threads of a sub-device's pool run on its CPUs only, and end after some idle time;
//! waiting threads of the application do not help it. So a sub-device computes on exactly its CPUs,
//! and an unused one costs no thread.
//!
//! A job says how many further threads it wants, and no more threads join it. Otherwise all idle
//! threads would compete for the few chunks of a short kernel.
//!
//! Invariant: whenever a task or a job that wants threads exists, an awake thread will look for it,
//! or a waiting thread has announced that it will. Waking follows the event-count pattern: a
//! sleeper announces itself, looks for work again, and sleeps; a submitter publishes the work,
//! advances the epoch, and looks for sleepers.

use crate::arena::Arena;
use crate::epoch::Epoch;
use crate::job::{Job, WORTH_A_THREAD};
use crate::ready::ReadyList;
use crate::task::{Task, Worker, participate};
use crossbeam::utils::CachePadded;
use muxcl_lock::Rank;
use muxcl_lock::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use muxcl_lock::sync::{Mutex, spin_loop};
use std::cell::Cell;
use std::sync::Arc;
use std::time::Duration;

/// Stack of the pool's threads, in bytes: the largest stack of a kernel (`MAX_STACK_BYTES`), and
/// 2 MiB for the pool and its libraries.
const STACK: usize = 17 << 20;
/// How long an idle thread looks for work before it sleeps, in ns: about the cost of waking it.
const SPIN: u64 = 20_000;
/// Minimum remaining work for sharing while no thread spins, in ns: waking a thread costs more time
/// than a spinning thread takes to notice the work.
const WORTH_A_SLEEPER: u64 = 12_000;
/// Number of looks for work between two readings of the clock.
const SPIN_ROUNDS: u32 = if cfg!(loom) { 1 } else { 16 };

/// The behaviour of an idle thread.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Idle {
    /// Sleeps until it is woken.
    Stay,
    /// Ends after this idle time.
    EndAfter(Duration),
}

impl Idle {
    fn limit(self) -> Option<Duration> {
        match self {
            Self::Stay => None,
            Self::EndAfter(time) => Some(time),
        }
    }
}

/// A job that other threads may join.
#[derive(Debug)]
struct Offer {
    job: Arc<Job>,
    /// The number of threads that should still join.
    wanted: usize,
}

impl Offer {
    fn is_for(&self, job: &Job) -> bool {
        std::ptr::eq(&raw const *self.job, job)
    }
}

/// A pool of worker threads.
#[derive(Debug)]
pub(crate) struct Pool {
    generation: u32,
    /// The CPUs of a sub-device, on which its threads run. Empty for the pool of all CPUs.
    cpus: &'static [u32],
    limit: usize,
    idle: Idle,
    ready: ReadyList<Task>,
    ready_len: CachePadded<AtomicUsize>,
    offers: Mutex<Vec<Offer>>,
    /// The number of threads that may look for a job in `offers`; each of them takes one off. It
    /// grows and becomes 0 while `offers` is locked. Together with the threads that look, it is at
    /// least the sum of [`Offer::wanted`], and more if jobs have ended.
    tickets: CachePadded<AtomicUsize>,
    /// Advanced at every wake; sleepers wait on it.
    epoch: CachePadded<Epoch>,
    spinning: CachePadded<AtomicUsize>,
    sleeping: AtomicUsize,
    started: AtomicUsize,
    /// The system has started a thread for the pool. `started` also counts attempts.
    has_thread: AtomicBool,
    /// The system refused to start the first thread at the last attempt.
    refused: AtomicBool,
    /// Ends every thread at the end of a model.
    #[cfg(loom)]
    ended: AtomicBool,
}

muxcl_lock::sync::thread_local! {
    /// The pool whose command buffer this thread is completing, or NULL. Right after, the thread
    /// looks for work in that pool.
    static FINISHING: Cell<*const Pool> = const { Cell::new(std::ptr::null()) };
}

impl Pool {
    /// A pool without threads; at most `limit` of them compute at once.
    pub(crate) fn new(generation: u32, cpus: &'static [u32], limit: usize, idle: Idle) -> Self {
        Self {
            generation,
            cpus,
            limit,
            idle,
            ready: ReadyList::new(),
            ready_len: CachePadded::new(AtomicUsize::new(0)),
            offers: Mutex::new(Rank::Target, Vec::new()),
            tickets: CachePadded::new(AtomicUsize::new(0)),
            epoch: CachePadded::new(Epoch::new()),
            spinning: CachePadded::new(AtomicUsize::new(0)),
            sleeping: AtomicUsize::new(0),
            started: AtomicUsize::new(0),
            has_thread: AtomicBool::new(false),
            refused: AtomicBool::new(false),
            #[cfg(loom)]
            ended: AtomicBool::new(false),
        }
    }

    /// The fork generation it belongs to.
    pub(crate) fn generation(&self) -> u32 {
        self.generation
    }

    /// The maximum number of threads that compute at once.
    pub(crate) fn threads(&self) -> usize {
        self.limit
    }

    /// Minimum remaining work for sharing, in ns. It is lower while a thread spins, because no
    /// thread needs to be woken then.
    pub(crate) fn worth_sharing(&self) -> u64 {
        let spins = self.spinning.load(Ordering::Relaxed) != 0;
        if spins { WORTH_A_THREAD } else { WORTH_A_SLEEPER }
    }

    /// Adds a task. `caller_helps` is true if the calling thread looks for work immediately
    /// afterwards.
    pub(crate) fn submit(&'static self, task: Task, caller_helps: bool) {
        let waiting = self.push(task);
        let helps = caller_helps && self.cpus.is_empty();
        let finishing = FINISHING.with(|pool| std::ptr::eq(pool.get(), self));
        if !(helps || waiting == 1 && finishing) {
            self.wake(1);
        }
    }

    /// Takes back a task from a thread that must return to its owner.
    pub(crate) fn requeue(&'static self, task: Task) {
        self.push(task);
        self.wake(1);
    }

    /// Adds a task to the list. Returns the number of ready tasks, this one included.
    fn push(&self, task: Task) -> usize {
        // Count first, so that a task in the list is always counted.
        let waiting = self.ready_len.fetch_add(1, Ordering::SeqCst) + 1;
        self.ready.push(task);
        waiting
    }

    /// The next ready task.
    pub(crate) fn pop(&self) -> Option<Task> {
        if self.ready_len.load(Ordering::SeqCst) == 0 {
            return None;
        }
        let task = self.ready.pop()?;
        self.ready_len.fetch_sub(1, Ordering::SeqCst);
        Some(task)
    }

    /// Offers a job to other threads and wakes as many as are wanted.
    pub(crate) fn publish(&'static self, job: &Arc<Job>, wanted: usize) {
        {
            let mut offers = self.offers.lock();
            offers.push(Offer { job: Arc::clone(job), wanted });
            self.tickets.fetch_add(wanted, Ordering::SeqCst);
        }
        self.wake(wanted);
    }

    /// Asks for `more` threads for a job. No effect on a closed job.
    pub(crate) fn ask(&'static self, job: &Job, more: usize) {
        if more == 0 {
            return;
        }
        {
            let mut offers = self.offers.lock();
            let Some(offer) = offers.iter_mut().find(|o| o.is_for(job)) else { return };
            offer.wanted += more;
            self.tickets.fetch_add(more, Ordering::SeqCst);
        }
        self.wake(more);
    }

    /// Closes an exhausted job and removes it from the list. Every participant may call this; only
    /// the first call has an effect.
    pub(crate) fn close(&self, job: &Job) {
        if job.close() {
            let mut offers = self.offers.lock();
            offers.retain(|o| !o.is_for(job));
            if offers.is_empty() {
                self.tickets.store(0, Ordering::SeqCst);
            }
        }
    }

    /// Joins the job that has waited longest. A borrowed thread does not join if all CPUs are busy:
    /// kernels whose work-groups wait for each other's atomics become very slow if the system has
    /// to switch between their threads.
    fn join(&self, borrowed: bool) -> Option<Arc<Job>> {
        if self.tickets.load(Ordering::SeqCst) == 0 {
            return None;
        }
        let less = |n: usize| n.checked_sub(1);
        self.tickets.fetch_update(Ordering::SeqCst, Ordering::SeqCst, less).ok()?;
        let limit = if borrowed { self.limit } else { usize::MAX };
        let mut offers = self.offers.lock();
        let mut wanting = offers.iter_mut().filter(|o| o.wanted != 0 && !o.job.exhausted());
        let found = wanting.find(|offer| offer.job.join(limit));
        if let Some(offer) = found {
            offer.wanted -= 1;
            return Some(Arc::clone(&offer.job));
        }
        // The job has as many threads as there are CPUs. A thread of the pool may join all the
        // same, so the ticket goes back.
        if borrowed && !offers.is_empty() {
            self.tickets.fetch_add(1, Ordering::SeqCst);
        }
        None
    }

    fn has_work(&self) -> bool {
        self.ready_len.load(Ordering::SeqCst) != 0
            || self.tickets.load(Ordering::SeqCst) != 0
            || self.has_ended()
    }

    /// Runs the closure `complete`, which completes a command buffer. The first task that becomes
    /// ready by this wakes no other thread, because the calling thread runs it next. So `complete`
    /// must not wait for other threads.
    pub(crate) fn finishing(&'static self, complete: impl FnOnce()) {
        let outer = FINISHING.with(|pool| pool.replace(self));
        complete();
        FINISHING.with(|pool| pool.set(outer));
    }

    /// Ensures that up to `count` threads look for work.
    pub(crate) fn wake(&'static self, count: usize) {
        if count == 0 {
            return;
        }
        self.epoch.advance();
        let mut missing = count.saturating_sub(self.spinning.load(Ordering::SeqCst));
        if missing == 0 {
            return;
        }
        let sleeping = self.sleeping.load(Ordering::SeqCst);
        if sleeping != 0 {
            let woken = sleeping.min(missing);
            self.epoch.wake(woken);
            missing -= woken;
        }
        while missing != 0 && self.start_thread() {
            missing -= 1;
        }
    }

    /// Starts one more thread. False if there are enough, or if the system refuses; waiting threads
    /// then do the work.
    fn start_thread(&'static self) -> bool {
        let more = |n: usize| (n < self.limit).then_some(n + 1);
        let Ok(number) = self.started.fetch_update(Ordering::AcqRel, Ordering::Acquire, more)
        else {
            return false;
        };
        let of = if self.cpus.is_empty() { "muxcl" } else { "muxcl-sub" };
        if !spawn(&format!("{of}:{number}"), move || self.work_until_unwanted()) {
            if self.started.fetch_sub(1, Ordering::AcqRel) == 1 {
                self.refused.store(true, Ordering::SeqCst);
            }
            return false;
        }
        self.refused.store(false, Ordering::SeqCst);
        self.has_thread.store(true, Ordering::SeqCst);
        true
    }

    /// The main loop of a pool thread.
    fn work_until_unwanted(&'static self) {
        if !self.cpus.is_empty() && !cfg!(loom) {
            muxcl_os::run_on(self.cpus);
        }
        let mut worker = Worker { pool: self, arena: Arena::take(), stop: None };
        loop {
            while self.work_once(&mut worker) {}
            if self.rest() && self.leave() || self.has_ended() {
                return;
            }
        }
    }

    /// Ends this thread's participation in the pool. False if work has arrived and no other thread
    /// has replaced this one.
    fn leave(&self) -> bool {
        self.started.fetch_sub(1, Ordering::SeqCst);
        // A submitter may have counted on this thread before this point.
        let more = |n: usize| (n < self.limit).then_some(n + 1);
        !(self.has_work()
            && self.started.fetch_update(Ordering::SeqCst, Ordering::SeqCst, more).is_ok())
    }

    /// True if waiting threads may do the pool's work. They do a sub-device's work only if the
    /// system cannot start any thread for it.
    fn takes_help(&self) -> bool {
        self.cpus.is_empty() || self.is_refused()
    }

    /// True if the pool has no thread because the system refused to start one.
    pub(crate) fn is_refused(&self) -> bool {
        self.refused.load(Ordering::SeqCst)
    }

    /// True if the pool has a thread that never ends.
    pub(crate) fn has_lasting_thread(&self) -> bool {
        self.idle == Idle::Stay && self.has_thread.load(Ordering::SeqCst)
    }

    /// Runs one task, or participates in one job. False if there is no work.
    fn work_once(&'static self, worker: &mut Worker<'_>) -> bool {
        if let Some(task) = self.pop() {
            // This thread runs one task, so the rest needs another thread.
            if self.has_work() {
                self.wake(1);
            }
            let _slice = muxcl_trace::slice("worker", "commands");
            task.run(worker);
        } else if let Some(job) = self.join(worker.stop.is_some()) {
            let _slice = muxcl_trace::slice("worker", "part of a command");
            if let Some((task, result)) = participate(&job, worker) {
                task.resume(result, worker);
            }
        } else {
            return false;
        }
        true
    }

    /// Spins, then sleeps until there may be work. True if this thread should end.
    fn rest(&self) -> bool {
        let seen = self.epoch.current();
        self.spinning.fetch_add(1, Ordering::SeqCst);
        let found = self.spin();
        self.spinning.fetch_sub(1, Ordering::SeqCst);
        if found {
            // A submitter counts its task before it adds the task to the list, so the list may
            // still be empty.
            spin_loop();
            return false;
        }
        self.sleeping.fetch_add(1, Ordering::SeqCst);
        if !self.has_work() {
            self.epoch.wait(seen, self.idle.limit());
        }
        self.sleeping.fetch_sub(1, Ordering::SeqCst);
        self.idle != Idle::Stay && self.epoch.current() == seen
    }

    /// Looks for work for a while; true if it finds some.
    fn spin(&self) -> bool {
        let start = muxcl_os::now_ns();
        loop {
            for _ in 0..SPIN_ROUNDS {
                if self.has_work() {
                    return true;
                }
                spin_loop();
            }
            if cfg!(loom) || muxcl_os::now_ns().saturating_sub(start) > SPIN {
                return false;
            }
        }
    }

    /// Lends the calling thread to the pool until `done()` is true or no work is left.
    pub(crate) fn help(&'static self, done: &dyn Fn() -> bool) {
        if !self.has_work() || !self.takes_help() {
            return;
        }
        let mut worker = Worker { pool: self, arena: Arena::take(), stop: Some(done) };
        while !done() && self.work_once(&mut worker) {}
        worker.arena.give();
        // This thread stops here, so work of other commands needs another thread.
        if self.has_work() {
            self.wake(1);
        }
    }

    #[cfg(not(loom))]
    #[expect(clippy::unused_self, reason = "the pool of a model ends")]
    fn has_ended(&self) -> bool {
        false
    }
}

/// Starts a thread of the pool; false if the system refuses.
#[cfg(not(loom))]
fn spawn(name: &str, body: impl FnOnce() + Send + 'static) -> bool {
    muxcl_os::spawn_detached(name, STACK, body).is_ok()
}

#[cfg(loom)]
fn spawn(_name: &str, body: impl FnOnce() + Send + 'static) -> bool {
    muxcl_lock::sync::thread::Builder::new().stack_size(STACK / 8).spawn(body).is_ok()
}

#[cfg(loom)]
impl Pool {
    fn has_ended(&self) -> bool {
        self.ended.load(Ordering::SeqCst)
    }

    /// Ends all threads: loom requires it at the end of a model.
    pub(crate) fn end(&'static self) {
        self.ended.store(true, Ordering::SeqCst);
        self.epoch.advance();
        self.epoch.wake(self.limit);
    }
}
