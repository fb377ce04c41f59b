//! The process's pools of threads: ready tasks, open jobs, and who is awake. One is for all CPUs,
//! others for parts of them.
//!
//! One pool per set of CPUs and fork generation, made at first use and never destroyed: its threads
//! are detached, sleep when there is nothing to do, and vanish with the process. A child of `fork`
//! has none of them and gets a new pool. The threads of a part run on its CPUs only, threads that
//! wait do not lend themselves to it, and idle ones end after a while: so a part computes on as
//! many CPUs as it says, and one that is no longer used costs nothing but its entry in a list.
//!
//! Invariant: whenever a task or an open job exists, a thread is awake that will look for it, or a
//! waiting thread has announced that it will. Waking follows the event-count pattern: announce,
//! look again, sleep; publish, bump, look for sleepers.

use crate::arena::Arena;
use crate::job::Job;
use crate::task::{Task, Worker, participate};
use crossbeam::queue::SegQueue;
use crossbeam::utils::CachePadded;
use muxcl_lock::{Mutex, Rank};
use muxcl_os::{fork_generation, futex_wait, futex_wake, spawn_detached};
use std::cell::Cell;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicPtr, AtomicU32, AtomicUsize, Ordering};

/// Stack of the pool's threads.
const STACK: usize = 17 << 20;
/// How long an idle thread looks for work before it sleeps, in ns.
const SPIN: u64 = 20_000;
/// How long a part's idle thread sleeps before it ends, in ns.
const LINGER: u64 = 2_000_000_000;

/// See the module.
#[derive(Debug)]
pub(crate) struct Pool {
    generation: u32,
    /// Of a part: where its threads run. Empty for the pool of all CPUs.
    cpus: &'static [u32],
    limit: usize,
    ready: SegQueue<Task>,
    ready_len: CachePadded<AtomicUsize>,
    jobs: Mutex<Vec<Arc<Job>>>,
    open_jobs: CachePadded<AtomicUsize>,
    /// Bumped at every wake; sleepers wait on it.
    epoch: CachePadded<AtomicU32>,
    spinning: CachePadded<AtomicUsize>,
    sleeping: AtomicUsize,
    started: AtomicUsize,
    /// The system gave no first thread when it was last asked.
    refused: AtomicBool,
}

/// The pools of one set of CPUs: that of this process, after a `fork` another one.
#[derive(Debug)]
pub(crate) struct Pools {
    /// Empty: all.
    cpus: Vec<u32>,
    current: AtomicPtr<Pool>,
}

/// For all CPUs.
pub(crate) static ROOT: Pools =
    Pools { cpus: Vec::new(), current: AtomicPtr::new(std::ptr::null_mut()) };
/// For parts: each set of CPUs once, for ever.
static PARTS: Mutex<Vec<&'static Pools>> = Mutex::new(Rank::Target, Vec::new());

thread_local! {
    /// The pool whose command buffer this thread completes, to look for work there right after; or
    /// NULL.
    static FINISHING: Cell<*const Pool> = const { Cell::new(std::ptr::null()) };
}

/// The number of threads that compute at once: the CPUs of this process, or less if the user says
/// so.
pub(crate) fn thread_limit() -> usize {
    let available = muxcl_os::available_cpus();
    muxcl_config::MUXCL_THREADS.parse::<usize>().map_or(available, |n| n.clamp(1, 1024))
}

impl Pools {
    /// Those of a part of the CPUs.
    pub(crate) fn of(cpus: &[u32]) -> &'static Self {
        let mut parts = PARTS.lock();
        if let Some(known) = parts.iter().find(|p| p.cpus == cpus) {
            return known;
        }
        let new = Self { cpus: cpus.to_vec(), current: AtomicPtr::new(std::ptr::null_mut()) };
        let new: &'static Self = Box::leak(Box::new(new));
        parts.push(new);
        new
    }

    /// The pool of this process.
    pub(crate) fn current(&'static self) -> &'static Pool {
        let generation = fork_generation();
        loop {
            let current = self.current.load(Ordering::Acquire);
            // SAFETY: pools are leaked, so a pointer once stored is valid for ever.
            if let Some(pool) = unsafe { current.as_ref() }
                && pool.generation == generation
            {
                return pool;
            }
            let new = Box::into_raw(Box::new(Pool::new(generation, &self.cpus)));
            if self
                .current
                .compare_exchange(current, new, Ordering::AcqRel, Ordering::Acquire)
                .is_err()
            {
                // SAFETY: another thread was faster; nobody has seen this one.
                drop(unsafe { Box::from_raw(new) });
            }
        }
    }
}

impl Pool {
    fn new(generation: u32, cpus: &'static [u32]) -> Self {
        Self {
            generation,
            cpus,
            limit: if cpus.is_empty() { thread_limit() } else { cpus.len() },
            ready: SegQueue::new(),
            ready_len: CachePadded::new(AtomicUsize::new(0)),
            jobs: Mutex::new(Rank::Target, Vec::new()),
            open_jobs: CachePadded::new(AtomicUsize::new(0)),
            epoch: CachePadded::new(AtomicU32::new(0)),
            spinning: CachePadded::new(AtomicUsize::new(0)),
            sleeping: AtomicUsize::new(0),
            started: AtomicUsize::new(0),
            refused: AtomicBool::new(false),
        }
    }

    /// Threads that compute at once.
    pub(crate) fn threads(&self) -> usize {
        self.limit
    }

    /// Remaining work worth sharing, in ns: waking a sleeper costs more than being seen by a thread
    /// that is awake.
    pub(crate) fn worth_sharing(&self) -> u64 {
        if self.spinning.load(Ordering::Relaxed) == 0 { 12_000 } else { 5_000 }
    }

    /// Takes a task in. `caller_helps`: the calling thread looks for work right after.
    pub(crate) fn submit(&'static self, task: Task, caller_helps: bool) {
        let waiting = self.push(task);
        let helps = caller_helps && self.cpus.is_empty();
        if !(helps || waiting == 1 && std::ptr::eq(FINISHING.get(), self)) {
            self.wake(1);
        }
    }

    /// Takes back a task whose thread had to return.
    pub(crate) fn requeue(&'static self, task: Task) {
        self.push(task);
        self.wake(1);
    }

    fn push(&self, task: Task) -> usize {
        // Counted first: a task that is popped is always counted.
        let waiting = self.ready_len.fetch_add(1, Ordering::SeqCst) + 1;
        self.ready.push(task);
        waiting
    }

    fn pop(&self) -> Option<Task> {
        if self.ready_len.load(Ordering::SeqCst) == 0 {
            return None;
        }
        let task = self.ready.pop()?;
        self.ready_len.fetch_sub(1, Ordering::SeqCst);
        Some(task)
    }

    /// Offers a job to other threads and wakes as many as are wanted.
    pub(crate) fn publish(&'static self, job: &Arc<Job>, wanted: usize) {
        self.jobs.lock().push(Arc::clone(job));
        self.open_jobs.fetch_add(1, Ordering::SeqCst);
        self.wake(wanted);
    }

    /// Takes an exhausted job off the list; any participant may say so, the first one does it.
    pub(crate) fn close(&self, job: &Job) {
        if job.close() {
            self.jobs.lock().retain(|j| !std::ptr::eq(&raw const **j, job));
            self.open_jobs.fetch_sub(1, Ordering::SeqCst);
        }
    }

    /// Joins the job that has waited longest. A borrowed thread does not join where all CPUs are at
    /// work already: kernels whose work-groups wait for each other's atomics crawl when the system
    /// has to switch between their threads.
    fn join(&self, borrowed: bool) -> Option<Arc<Job>> {
        if self.open_jobs.load(Ordering::SeqCst) == 0 {
            return None;
        }
        let jobs = self.jobs.lock();
        let job = jobs
            .iter()
            .find(|j| !(j.exhausted() || (borrowed && j.participants() >= self.limit)))?;
        job.join();
        Some(Arc::clone(job))
    }

    /// True if a job could use one more thread.
    fn has_room(&self) -> bool {
        self.open_jobs.load(Ordering::SeqCst) != 0
            && self.jobs.lock().iter().any(|j| !j.exhausted() && j.participants() < self.limit)
    }

    fn has_work(&self) -> bool {
        self.ready_len.load(Ordering::SeqCst) != 0 || self.open_jobs.load(Ordering::SeqCst) != 0
    }

    /// Marks this thread as completing a command buffer; what becomes ready meanwhile it will find
    /// itself.
    pub(crate) fn finishing(&'static self, complete: impl FnOnce()) {
        let outer = FINISHING.replace(self);
        complete();
        FINISHING.set(outer);
    }

    /// Makes sure that up to `count` threads look for work.
    pub(crate) fn wake(&'static self, count: usize) {
        if count == 0 {
            return;
        }
        self.epoch.fetch_add(1, Ordering::SeqCst);
        let mut missing = count.saturating_sub(self.spinning.load(Ordering::SeqCst));
        if missing == 0 {
            return;
        }
        let sleeping = self.sleeping.load(Ordering::SeqCst);
        if sleeping != 0 {
            let woken = sleeping.min(missing);
            futex_wake(&self.epoch, u32::try_from(woken).unwrap_or(u32::MAX));
            missing -= woken;
        }
        while missing != 0 && self.start_thread() {
            missing -= 1;
        }
    }

    /// Starts one more thread; false when there are enough, or the system refuses (waiting threads
    /// then do the work).
    fn start_thread(&'static self) -> bool {
        let more = |n: usize| (n < self.limit).then_some(n + 1);
        let Ok(number) = self.started.fetch_update(Ordering::AcqRel, Ordering::Acquire, more)
        else {
            return false;
        };
        if spawn_detached(&format!("muxcl:{number}"), STACK, move || self.work_for_ever()).is_err()
        {
            if self.started.fetch_sub(1, Ordering::AcqRel) == 1 {
                self.refused.store(true, Ordering::SeqCst);
            }
            return false;
        }
        self.refused.store(false, Ordering::SeqCst);
        true
    }

    fn work_for_ever(&'static self) {
        if !self.cpus.is_empty() {
            muxcl_os::run_on(self.cpus);
        }
        let mut worker = Worker { pool: self, arena: Arena::take(), stop: None };
        loop {
            while self.work_once(&mut worker) {}
            if self.rest() && self.leave() {
                return;
            }
        }
    }

    /// Ends this thread's part in the pool; false if there is work after all, and still room for
    /// it.
    fn leave(&self) -> bool {
        self.started.fetch_sub(1, Ordering::SeqCst);
        // Who submitted before this took this thread for one that is there.
        let more = |n: usize| (n < self.limit).then_some(n + 1);
        !(self.has_work()
            && self.started.fetch_update(Ordering::SeqCst, Ordering::SeqCst, more).is_ok())
    }

    /// True if threads that wait may do its work: not that of a part, unless it has no thread at
    /// all.
    fn takes_help(&self) -> bool {
        self.cpus.is_empty() || self.refused.load(Ordering::SeqCst)
    }

    /// Runs one task, or takes part in one job. False if there is nothing to do.
    fn work_once(&'static self, worker: &mut Worker<'_>) -> bool {
        if let Some(task) = self.pop() {
            // What else there is deserves a thread of its own.
            if self.has_work() {
                self.wake(1);
            }
            task.run(worker);
        } else if let Some(job) = self.join(worker.stop.is_some()) {
            if let Some((task, result)) = participate(&job, worker) {
                task.resume(result, worker);
            }
        } else {
            return false;
        }
        true
    }

    /// Spins, then sleeps until there may be work; true if this thread is no longer wanted.
    fn rest(&self) -> bool {
        let seen = self.epoch.load(Ordering::SeqCst);
        self.spinning.fetch_add(1, Ordering::SeqCst);
        let start = muxcl_os::now_ns();
        let mut found = false;
        'spin: loop {
            for _ in 0..16 {
                if self.has_work() {
                    found = true;
                    break 'spin;
                }
                std::hint::spin_loop();
            }
            if muxcl_os::now_ns().saturating_sub(start) > SPIN {
                break;
            }
        }
        self.spinning.fetch_sub(1, Ordering::SeqCst);
        if found {
            return false;
        }
        self.sleeping.fetch_add(1, Ordering::SeqCst);
        if !self.has_work() {
            futex_wait(&self.epoch, seen, (!self.cpus.is_empty()).then_some(LINGER));
        }
        self.sleeping.fetch_sub(1, Ordering::SeqCst);
        !self.cpus.is_empty() && self.epoch.load(Ordering::SeqCst) == seen
    }

    /// Lends the calling thread to the pool until `done()` or until there is nothing to do.
    pub(crate) fn help(&'static self, done: &dyn Fn() -> bool) {
        if !self.has_work() || !self.takes_help() {
            return;
        }
        let mut worker = Worker { pool: self, arena: Arena::take(), stop: Some(done) };
        while !done() && self.work_once(&mut worker) {}
        worker.arena.give();
        // Others' work that is left must not wait for this thread.
        if self.ready_len.load(Ordering::SeqCst) != 0 || self.has_room() {
            self.wake(1);
        }
    }
}
