//! The process's pool of threads: ready tasks, open jobs, and who is awake.
//!
//! One pool per process and fork generation, made at first use and never destroyed: its threads are detached, sleep when there
//! is nothing to do, and vanish with the process. A child of `fork` has none of them and gets a new pool.
//!
//! Invariant: whenever a task or an open job exists, a thread is awake that will look for it, or a waiting thread has
//! announced that it will. Waking follows the event-count pattern: announce, look again, sleep; publish, bump, look for sleepers.

use crate::arena::Arena;
use crate::job::Job;
use crate::task::{Task, Worker, participate};
use crossbeam::queue::SegQueue;
use crossbeam::utils::CachePadded;
use muxcl_lock::{Mutex, Rank};
use muxcl_os::{fork_generation, futex_wait, futex_wake, spawn_detached};
use std::cell::Cell;
use std::sync::Arc;
use std::sync::atomic::{AtomicPtr, AtomicU32, AtomicUsize, Ordering};

/// Stack of the pool's threads.
const STACK: usize = 17 << 20;
/// How long an idle thread looks for work before it sleeps, in ns.
const SPIN: u64 = 20_000;

/// See the module.
#[derive(Debug)]
pub(crate) struct Pool {
    generation: u32,
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
}

static POOL: AtomicPtr<Pool> = AtomicPtr::new(std::ptr::null_mut());

thread_local! {
    /// True while this thread completes a command buffer and will look for work right after.
    static FINISHING: Cell<bool> = const { Cell::new(false) };
}

/// The number of threads that compute at once: the CPUs of this process, or less if the user says so.
pub(crate) fn thread_limit() -> usize {
    let available = muxcl_os::available_cpus();
    muxcl_config::MUXCL_THREADS.parse::<usize>().map_or(available, |n| n.clamp(1, 1024))
}

/// The pool of this process.
pub(crate) fn pool() -> &'static Pool {
    let generation = fork_generation();
    loop {
        let current = POOL.load(Ordering::Acquire);
        // SAFETY: pools are leaked, so a pointer once stored is valid for ever.
        if let Some(pool) = unsafe { current.as_ref() }
            && pool.generation == generation
        {
            return pool;
        }
        let new = Box::into_raw(Box::new(Pool::new(generation)));
        if POOL.compare_exchange(current, new, Ordering::AcqRel, Ordering::Acquire).is_err() {
            // SAFETY: another thread was faster; nobody has seen this one.
            drop(unsafe { Box::from_raw(new) });
        }
    }
}

impl Pool {
    fn new(generation: u32) -> Self {
        Self {
            generation,
            limit: thread_limit(),
            ready: SegQueue::new(),
            ready_len: CachePadded::new(AtomicUsize::new(0)),
            jobs: Mutex::new(Rank::Target, Vec::new()),
            open_jobs: CachePadded::new(AtomicUsize::new(0)),
            epoch: CachePadded::new(AtomicU32::new(0)),
            spinning: CachePadded::new(AtomicUsize::new(0)),
            sleeping: AtomicUsize::new(0),
            started: AtomicUsize::new(0),
        }
    }

    /// Threads that compute at once.
    pub(crate) fn threads(&self) -> usize {
        self.limit
    }

    /// Remaining work worth sharing, in ns: waking a sleeper costs more than being seen by a thread that is awake.
    pub(crate) fn worth_sharing(&self) -> u64 {
        if self.spinning.load(Ordering::Relaxed) == 0 { 12_000 } else { 5_000 }
    }

    /// Takes a task in. `caller_helps`: the calling thread looks for work right after.
    pub(crate) fn submit(&'static self, task: Task, caller_helps: bool) {
        let waiting = self.push(task);
        if !(caller_helps || FINISHING.get() && waiting == 1) {
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

    /// Joins the job that has waited longest. A borrowed thread does not join where all CPUs are at work already: kernels whose
    /// work-groups wait for each other's atomics crawl when the system has to switch between their threads.
    fn join(&self, borrowed: bool) -> Option<Arc<Job>> {
        if self.open_jobs.load(Ordering::SeqCst) == 0 {
            return None;
        }
        let jobs = self.jobs.lock();
        let job = jobs.iter().find(|j| !j.exhausted() && !(borrowed && j.participants() >= self.limit))?;
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

    /// Marks this thread as completing a command buffer; what becomes ready meanwhile it will find itself.
    pub(crate) fn finishing(&'static self, complete: impl FnOnce()) {
        let outer = FINISHING.replace(true);
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

    /// Starts one more thread; false when there are enough, or the system refuses (waiting threads then do the work).
    fn start_thread(&'static self) -> bool {
        let more = |n: usize| (n < self.limit).then_some(n + 1);
        let Ok(number) = self.started.fetch_update(Ordering::AcqRel, Ordering::Acquire, more) else { return false };
        if spawn_detached(&format!("muxcl:{number}"), STACK, move || self.work_for_ever()).is_err() {
            self.started.fetch_sub(1, Ordering::AcqRel);
            return false;
        }
        true
    }

    fn work_for_ever(&'static self) {
        let mut worker = Worker { pool: self, arena: Arena::take(), stop: None };
        loop {
            while self.work_once(&mut worker) {}
            self.rest();
        }
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

    /// Spins, then sleeps until there may be work.
    fn rest(&self) {
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
            return;
        }
        self.sleeping.fetch_add(1, Ordering::SeqCst);
        if !self.has_work() {
            futex_wait(&self.epoch, seen, None);
        }
        self.sleeping.fetch_sub(1, Ordering::SeqCst);
    }

    /// Lends the calling thread to the pool until `done()` or until there is nothing to do.
    pub(crate) fn help(&'static self, done: &dyn Fn() -> bool) {
        if !self.has_work() {
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
