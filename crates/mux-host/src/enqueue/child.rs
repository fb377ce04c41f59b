//! Commands that kernels enqueue: when they may run, and who is told when they have.
//!
//! ```text
//! Launch     one kernel command of the host; parks its task until its scope is empty
//!   Scope      counts what must end before somebody is told: the launch, or the event of a child
//!     Child      a kernel or marker; counts the events and the parent kernel it waits for
//!       Instance   a kernel that runs: keeps the children that wait for its end
//!         Frame      a thread that runs its groups: keeps children that wait for a group's end
//! ```
//! A child without an event counts in the scope of its parent, so that a kernel which enqueues
//! itself again and again needs no memory for those that have ended. Ends are handed on by a loop,
//! whatever depends on what.
//!
//! Invariants: every child ends once, run or not; a scope's event completes after all in it has
//! ended; a launch's task goes on once.

use super::event::Event;
use super::queue::DeviceQueue;
use crate::executable::StopWord;
use crate::pool::Pool;
use crate::task::Task;
use crate::work::KernelRun;
use muxcl_lock::Rank;
use muxcl_lock::sync::Mutex;
use muxcl_lock::sync::atomic::{AtomicBool, AtomicI32, AtomicUsize, Ordering};
use muxcl_mux::MuxError;
use muxcl_types::enqueue::state::{COMPLETE, DEPENDENCY_FAILED, FAILED};
use std::cell::RefCell;
use std::sync::{Arc, OnceLock};

/// One kernel command of the host.
#[derive(Debug)]
pub(crate) struct Launch {
    pool: &'static Pool,
    default_queue: Option<Arc<DeviceQueue>>,
    /// What user events belong to without a default queue; they go with the launch.
    events: OnceLock<Option<Arc<DeviceQueue>>>,
    /// Address of the printf sink of the object all its kernels are in, or 0.
    printf: u64,
    /// Of the same object.
    stop: StopWord,
    scope: Arc<Scope>,
    parked: Mutex<Option<Task>>,
    error: Mutex<Option<MuxError>>,
}

/// What must end before somebody is told.
#[derive(Debug)]
pub(crate) struct Scope {
    pending: AtomicUsize,
    /// The first failure.
    status: AtomicI32,
    /// Of a child's: its event, and the scope it counts in itself.
    above: Option<(Arc<Event>, Arc<Self>)>,
}

/// A chain of scopes may be as long as kernels enqueue kernels: not by recursion.
impl Drop for Scope {
    fn drop(&mut self) {
        let mut next = self.above.take();
        while let Some((_, scope)) = next {
            next = Arc::into_inner(scope).and_then(|mut scope| scope.above.take());
        }
    }
}

impl Scope {
    fn new(above: Option<(Arc<Event>, Arc<Self>)>) -> Arc<Self> {
        Arc::new(Self { pending: AtomicUsize::new(1), status: AtomicI32::new(COMPLETE), above })
    }
}

/// Bytes aligned as strictly as any type of OpenCL C.
#[derive(Debug, Clone, Copy)]
#[repr(C, align(128))]
pub(crate) struct Chunk([u8; 128]);

impl Chunk {
    /// Zeroed memory for `bytes`.
    pub(crate) fn memory(bytes: usize) -> Option<Vec<Self>> {
        let count = bytes.div_ceil(128).max(1);
        let mut out = Vec::new();
        out.try_reserve_exact(count).ok()?;
        out.resize(count, Self([0; 128]));
        Some(out)
    }
}

/// A command a kernel has enqueued.
#[derive(Debug)]
pub(crate) struct Child {
    launch: Arc<Launch>,
    scope: Arc<Scope>,
    event: Option<Arc<Event>>,
    queue: Arc<DeviceQueue>,
    /// Bytes of the queue.
    bytes: u64,
    /// What it waits for.
    missing: AtomicUsize,
    /// Something it waited for has failed.
    dropped: AtomicBool,
    /// What is to run; `None` for markers, and where there is nothing to do.
    run: Option<KernelRun>,
    enqueues: bool,
    /// Packed arguments and the block, which `run` refers to.
    _memory: Vec<Chunk>,
}

/// What a kernel asks for.
pub(crate) struct Order {
    pub(crate) queue: Arc<DeviceQueue>,
    pub(crate) bytes: u64,
    pub(crate) run: Option<KernelRun>,
    pub(crate) enqueues: bool,
    pub(crate) memory: Vec<Chunk>,
    pub(crate) waits: Vec<Arc<Event>>,
    pub(crate) event: Option<Arc<Event>>,
    pub(crate) after: After,
}

/// When a child may start at the earliest.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum After {
    /// At once.
    Nothing,
    /// After the work-group that enqueued it.
    Group,
    /// After the kernel that enqueued it.
    Kernel,
}

/// A kernel that runs and may enqueue.
#[derive(Debug)]
pub(crate) struct Instance {
    launch: Arc<Launch>,
    scope: Arc<Scope>,
    after: Mutex<Vec<Arc<Child>>>,
}

/// A thread that runs groups of it; what `HostExtra::launch` points at.
#[derive(Debug)]
pub(crate) struct Frame {
    instance: *const Instance,
    after_group: RefCell<Vec<Arc<Child>>>,
}

impl Instance {
    /// The kernel of a host's command, in a launch of its own.
    pub(crate) fn of_launch(
        pool: &'static Pool,
        default_queue: Option<Arc<DeviceQueue>>,
        printf: u64,
        stop: StopWord,
    ) -> Arc<Self> {
        let scope = Scope::new(None);
        let launch = Launch {
            pool,
            default_queue,
            events: OnceLock::new(),
            printf,
            stop,
            scope: Arc::clone(&scope),
            parked: Mutex::new(Rank::Target, None),
            error: Mutex::new(Rank::Target, None),
        };
        Arc::new(Self {
            launch: Arc::new(launch),
            scope,
            after: Mutex::new(Rank::Target, Vec::new()),
        })
    }

    /// The kernel of the host's command has ended: its children start. `task` goes on when they
    /// have ended, too; it is returned if that is now.
    pub(crate) fn park(self: Arc<Self>, task: Task) -> Option<Task> {
        self.finish();
        let launch = &self.launch;
        *launch.parked.lock() = Some(task);
        if launch.scope.pending.fetch_sub(1, Ordering::AcqRel) == 1 { launch.take() } else { None }
    }

    /// The kernel has ended: the children that waited for it may start.
    fn finish(&self) {
        let children = std::mem::take(&mut *self.after.lock());
        settle(children).hand_out(true);
    }
}

impl Launch {
    /// The parked task; for the one who has ended the last child.
    fn take(&self) -> Option<Task> {
        let mut task = self.parked.lock().take()?;
        if let Some(error) = self.error.lock().take() {
            task.failed(error);
        }
        Some(task)
    }

    fn failed(&self, error: MuxError) {
        self.error.lock().get_or_insert(error);
    }
}

impl Frame {
    /// A thread's part in an instance, which outlives it; none for NULL.
    pub(crate) fn new(instance: *const Instance) -> Self {
        Self { instance, after_group: RefCell::new(Vec::new()) }
    }

    /// The address for kernels, 0 without an instance.
    pub(crate) fn address(&self) -> u64 {
        if self.instance.is_null() {
            0
        } else {
            std::ptr::from_ref(self).expose_provenance() as u64
        }
    }

    fn instance(&self) -> Option<&Instance> {
        // SAFETY: whoever makes a frame keeps the instance for as long.
        unsafe { self.instance.as_ref() }
    }

    /// Groups have ended: the children that waited for them may start.
    pub(crate) fn group_ended(&self) {
        let children = std::mem::take(&mut *self.after_group.borrow_mut());
        if !children.is_empty() {
            settle(children).hand_out(false);
        }
    }

    /// `get_default_queue`
    pub(crate) fn default_queue(&self) -> Option<&Arc<DeviceQueue>> {
        self.instance()?.launch.default_queue.as_ref()
    }

    /// What a user event belongs to.
    pub(crate) fn owner_of_events(&self) -> Option<&Arc<DeviceQueue>> {
        let launch = &self.instance()?.launch;
        let none = || launch.events.get_or_init(|| DeviceQueue::create(0).ok()).as_ref();
        launch.default_queue.as_ref().or_else(none)
    }

    /// Where the launch's kernels print.
    pub(crate) fn printf(&self) -> u64 {
        self.instance().map_or(0, |i| i.launch.printf)
    }

    /// What stops the launch's kernels.
    pub(crate) fn stop(&self) -> StopWord {
        self.instance().map_or(StopWord::default(), |i| i.launch.stop)
    }

    /// Enqueues; false without an instance.
    pub(crate) fn enqueue(&self, order: Order) -> bool {
        let Some(instance) = self.instance() else { return false };
        instance.scope.pending.fetch_add(1, Ordering::AcqRel);
        let scope = match &order.event {
            Some(event) => Scope::new(Some((Arc::clone(event), Arc::clone(&instance.scope)))),
            None => Arc::clone(&instance.scope),
        };
        let Order { queue, bytes, run, enqueues, memory, waits, event, after } = order;
        let child = Arc::new(Child {
            launch: Arc::clone(&instance.launch),
            scope,
            event,
            queue,
            bytes,
            // One more until `after` is over.
            missing: AtomicUsize::new(waits.len() + 1),
            dropped: AtomicBool::new(false),
            run,
            enqueues,
            _memory: memory,
        });
        let list = waits;
        let waits = !list.is_empty();
        for event in list {
            if let Some(status) = event.subscribe(&child) {
                if status < COMPLETE {
                    child.dropped.store(true, Ordering::Release);
                }
                // Not the last one: `after` is to come.
                child.missing.fetch_sub(1, Ordering::AcqRel);
            }
        }
        // Told to end meanwhile: nobody may be left to end what it waits for.
        if waits && child.launch.stop.is_set() {
            give_up(child.launch.stop);
        }
        match after {
            After::Nothing => settle(vec![child]).hand_out(false),
            After::Group => self.after_group.borrow_mut().push(child),
            After::Kernel => instance.after.lock().push(child),
        }
        true
    }
}

/// What has become possible.
#[derive(Debug, Default)]
pub(crate) struct Settled {
    run: Vec<Arc<Child>>,
    resumed: Vec<(&'static Pool, Task)>,
}

impl Settled {
    /// Gives everything to the pools. `looks`: the calling thread looks for work right after.
    pub(crate) fn hand_out(self, looks: bool) {
        let mut first = looks;
        for child in self.run {
            let pool = child.launch.pool;
            pool.submit(Task::of_child(child), std::mem::take(&mut first));
        }
        for (pool, task) in self.resumed {
            pool.submit(task, std::mem::take(&mut first));
        }
    }
}

/// One thing less for each of `children` to wait for, with all that follows from it.
pub(crate) fn settle(children: Vec<Arc<Child>>) -> Settled {
    let mut out = Settled::default();
    let mut waiting = children;
    while let Some(child) = waiting.pop() {
        if child.missing.fetch_sub(1, Ordering::AcqRel) != 1 {
            continue;
        }
        let dropped = child.dropped.load(Ordering::Acquire);
        if child.run.is_some() && !dropped {
            out.run.push(child);
        } else {
            end(&child, if dropped { DEPENDENCY_FAILED } else { COMPLETE }, &mut waiting, &mut out);
        }
    }
    // What was enqueued first starts first.
    out.run.reverse();
    out
}

/// An event is over: who waited for it goes on, or not.
pub(crate) fn completed(waiters: Vec<Arc<Child>>, status: i32) -> Settled {
    if status < COMPLETE {
        for child in &waiters {
            child.dropped.store(true, Ordering::Release);
        }
    }
    settle(waiters)
}

/// The kernels of an object have been told to end: their children that wait for events do not go on
/// waiting.
pub(crate) fn give_up(stop: StopWord) {
    for event in Event::all() {
        let waiters = event.take_waiters(|child| child.launch.stop == stop);
        completed(waiters, DEPENDENCY_FAILED).hand_out(false);
    }
}

/// A child itself is over; so may be the scopes it is in.
fn end(child: &Arc<Child>, status: i32, waiting: &mut Vec<Arc<Child>>, out: &mut Settled) {
    child.queue.give(child.bytes);
    if let Some(event) = &child.event {
        event.ended(muxcl_os::now_ns());
        let _ = child.scope.status.compare_exchange(
            COMPLETE,
            status,
            Ordering::AcqRel,
            Ordering::Acquire,
        );
    }
    let mut scope = Arc::clone(&child.scope);
    while scope.pending.fetch_sub(1, Ordering::AcqRel) == 1 {
        let Some((event, above)) = &scope.above else {
            out.resumed.extend(child.launch.take().map(|task| (child.launch.pool, task)));
            return;
        };
        let status = scope.status.load(Ordering::Acquire);
        let waiters = event.complete(status);
        if status < COMPLETE {
            for waiter in &waiters {
                waiter.dropped.store(true, Ordering::Release);
            }
        }
        waiting.extend(waiters);
        scope = Arc::clone(above);
    }
}

/// A child that runs.
#[derive(Debug)]
pub(crate) struct Running {
    child: Arc<Child>,
    instance: Option<Arc<Instance>>,
}

impl Running {
    /// Begins.
    pub(crate) fn new(child: Arc<Child>) -> Self {
        let instance = child.enqueues.then(|| {
            let after = Mutex::new(Rank::Target, Vec::new());
            Arc::new(Instance {
                launch: Arc::clone(&child.launch),
                scope: Arc::clone(&child.scope),
                after,
            })
        });
        if let Some(event) = &child.event {
            event.started(muxcl_os::now_ns());
        }
        Self { child, instance }
    }

    /// What is to be run; valid as long as this is.
    pub(crate) fn work(&self) -> Option<KernelRun> {
        Some(
            self.child
                .run?
                .with_instance(self.instance.as_ref().map_or(std::ptr::null(), Arc::as_ptr)),
        )
    }

    /// Its groups have run, or could not. A task that may go on is returned; others are given to
    /// their pools.
    pub(crate) fn ended(self, result: Result<(), MuxError>) -> Option<Task> {
        let status = match result {
            Ok(()) => COMPLETE,
            Err(error) => {
                self.child.launch.failed(error);
                FAILED
            }
        };
        if let Some(instance) = &self.instance {
            instance.finish();
        }
        let mut waiting = Vec::new();
        let mut out = Settled::default();
        end(&self.child, status, &mut waiting, &mut out);
        let more = settle(waiting);
        out.run.extend(more.run);
        out.resumed.extend(more.resumed);
        // A task of another pool is for its threads.
        let pool = self.child.launch.pool;
        let mine = out.resumed.iter().position(|(of, _)| std::ptr::eq(*of, pool));
        let next = mine.map(|at| out.resumed.swap_remove(at));
        let looks = next.is_none();
        out.hand_out(looks);
        next.map(|(_, task)| task)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pools::ROOT;

    fn marker(
        queue: &Arc<DeviceQueue>,
        waits: Vec<Arc<Event>>,
        event: Option<Arc<Event>>,
    ) -> Order {
        let (queue, memory) = (Arc::clone(queue), Vec::new());
        Order {
            queue,
            bytes: 0,
            run: None,
            enqueues: false,
            memory,
            waits,
            event,
            after: After::Nothing,
        }
    }

    #[test]
    fn nobody_waits_for_an_event_whose_queue_is_gone() {
        let (queue, other) = (DeviceQueue::create(64).unwrap(), DeviceQueue::create(64).unwrap());
        let instance = Instance::of_launch(ROOT.current(), None, 0, StopWord::default());
        let frame = Frame::new(Arc::as_ptr(&instance));
        let (number, user) = Event::create(true, &other).unwrap();
        let (_, after) = Event::create(false, &queue).unwrap();
        assert!(frame.enqueue(marker(&queue, vec![user], Some(Arc::clone(&after)))));
        assert_eq!((after.status(), Event::find(number).is_some()), (None, true));
        drop(other);
        assert_eq!(
            (after.status(), Event::find(number).is_some()),
            (Some(DEPENDENCY_FAILED), false)
        );
    }

    #[test]
    fn a_long_chain_of_scopes_ends_without_recursion() {
        let queue = DeviceQueue::create(64).unwrap();
        let mut scope = Scope::new(None);
        for _ in 0..200_000 {
            let (number, event) = Event::create(false, &queue).unwrap();
            super::super::event::release(number);
            scope = Scope::new(Some((event, scope)));
        }
        let small = std::thread::Builder::new().stack_size(64 << 10);
        small.spawn(move || drop(scope)).unwrap().join().unwrap();
    }

    #[test]
    fn user_events_need_no_queue_and_do_not_pile_up() {
        let instance = Instance::of_launch(ROOT.current(), None, 0, StopWord::default());
        let frame = Frame::new(Arc::as_ptr(&instance));
        let owner = frame.owner_of_events().unwrap();
        let most = super::super::queue::DEVICE_QUEUES.max_events;
        let numbers: Vec<u64> = (0..most).map(|_| Event::create(true, owner).unwrap().0).collect();
        assert!(Event::create(true, owner).is_none());
        drop(frame);
        drop(instance);
        assert!(numbers.iter().all(|n| Event::find(*n).is_none()));
    }
}
