//! Commands that kernels enqueue: their start, and what their end completes.
//!
//! ```text
//! RootLaunch            a kernel command of the host; its task is parked until its scope is empty
//!   CompletionScope     counts commands; when all have ended, the launch or an event completes
//!     ChildCommand      a kernel or marker; counts its dependencies (events, the parent kernel)
//!       KernelInstance  a running kernel; holds the children that start after it
//!         GroupContext  a thread that runs its groups; holds the children that start after a group
//! ```
//! A child without an event counts in the scope of its parent, so a kernel that enqueues itself
//! repeatedly needs no memory for ended instances. Completion is propagated iteratively: dependency
//! chains of any depth need no stack.
//!
//! A thread of its own for a kernel of a microsecond would take longer than the kernel. So children
//! that are usually short, and on which nothing depends, collect in the group's context for a few
//! microseconds ([`GroupContext::collect`]), and one thread runs several of them.
//!
//! Invariants: every child ends once, whether it ran or not; a scope's event completes after every
//! command of the scope; a launch's task resumes once.

use super::event::Event;
use super::queue::DeviceQueue;
use crate::executable::CancellationFlag;
use crate::job::WORTH_A_THREAD;
use crate::pool::Pool;
use crate::task::Task;
use crate::work::KernelRun;
use muxcl_lock::Rank;
use muxcl_lock::sync::Mutex;
use muxcl_lock::sync::atomic::{AtomicBool, AtomicI32, AtomicUsize, Ordering};
use muxcl_mux::MuxError;
use muxcl_types::enqueue::state::{COMPLETE, DEPENDENCY_FAILED, FAILED};
use std::cell::{Cell, RefCell};
use std::collections::VecDeque;
use std::sync::{Arc, OnceLock};

/// One kernel command of the host.
#[derive(Debug)]
pub(crate) struct RootLaunch {
    pool: &'static Pool,
    default_queue: Option<Arc<DeviceQueue>>,
    /// The owner of user events if there is no default queue. Released with the launch.
    events: OnceLock<Option<Arc<DeviceQueue>>>,
    /// Address of the printf sink of the object that contains the kernel and all its children, or
    /// 0.
    printf: u64,
    /// Cancels the kernels of that object.
    stop: CancellationFlag,
    scope: Arc<CompletionScope>,
    parked: Mutex<Option<Task>>,
    error: Mutex<Option<MuxError>>,
}

/// Commands that must end before an event, or the launch, completes.
#[derive(Debug)]
pub(crate) struct CompletionScope {
    pending: AtomicUsize,
    /// The first failure.
    status: AtomicI32,
    /// For a child with an event: the event, and the scope in which the child counts.
    above: Option<(Arc<Event>, Arc<Self>)>,
}

/// The default drop would recurse through the chain of scopes, which is as long as the chain of
/// kernels that enqueued kernels.
impl Drop for CompletionScope {
    fn drop(&mut self) {
        let mut next = self.above.take();
        while let Some((_, scope)) = next {
            next = Arc::into_inner(scope).and_then(|mut scope| scope.above.take());
        }
    }
}

impl CompletionScope {
    fn new(above: Option<(Arc<Event>, Arc<Self>)>) -> Arc<Self> {
        Arc::new(Self { pending: AtomicUsize::new(1), status: AtomicI32::new(COMPLETE), above })
    }
}

/// Bytes aligned as strictly as any type of OpenCL C.
#[derive(Debug, Clone, Copy)]
#[repr(C, align(128))]
pub(crate) struct Chunk([u8; 128]);

impl Chunk {
    /// Zeroed memory of at least `bytes`.
    pub(crate) fn memory(bytes: usize) -> Option<Vec<Self>> {
        let count = bytes.div_ceil(128).max(1);
        let mut out = Vec::new();
        out.try_reserve_exact(count).ok()?;
        out.resize(count, Self([0; 128]));
        Some(out)
    }
}

/// A command that a kernel has enqueued.
#[derive(Debug)]
pub(crate) struct ChildCommand {
    launch: Arc<RootLaunch>,
    scope: Arc<CompletionScope>,
    event: Option<Arc<Event>>,
    queue: Arc<DeviceQueue>,
    /// Bytes that the command occupies in the queue.
    bytes: u64,
    /// Dependencies that have not ended.
    missing: AtomicUsize,
    /// True if a dependency has failed. The command then ends without running.
    dropped: AtomicBool,
    /// The launch; `None` for markers and empty NDRanges.
    run: Option<KernelRun>,
    enqueues: bool,
    /// Packed arguments and the block literal, to which `run` refers.
    _memory: Vec<Chunk>,
}

/// How long short children collect, and how long the children of one task usually run together:
/// this number times the time to wake a thread. A thread that was woken for less work would end
/// after the others, which would wait for it.
const COLLECTED_WAKES: u64 = 4;

/// An `enqueue_kernel` or `enqueue_marker` call.
pub(crate) struct EnqueueRequest {
    pub(crate) queue: Arc<DeviceQueue>,
    pub(crate) bytes: u64,
    pub(crate) run: Option<KernelRun>,
    pub(crate) enqueues: bool,
    pub(crate) memory: Vec<Chunk>,
    pub(crate) waits: Vec<Arc<Event>>,
    pub(crate) event: Option<Arc<Event>>,
    pub(crate) after: After,
}

/// The earliest start of a child (`kernel_enqueue_flags_t`).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum After {
    /// At once.
    Nothing,
    /// After the work-group that enqueued it.
    Group,
    /// After the kernel that enqueued it.
    Kernel,
}

/// A running kernel that can enqueue.
#[derive(Debug)]
pub(crate) struct KernelInstance {
    launch: Arc<RootLaunch>,
    scope: Arc<CompletionScope>,
    after: Mutex<Vec<Arc<ChildCommand>>>,
}

/// The state of a thread that runs groups of an instance. `HostExtra::launch` points to it.
#[derive(Debug)]
pub(crate) struct GroupContext {
    instance: *const KernelInstance,
    after_group: RefCell<Vec<Arc<ChildCommand>>>,
    /// Short children that may start at any time.
    short: RefCell<Vec<Arc<ChildCommand>>>,
    /// The time of the first one, in ns.
    short_since: Cell<u64>,
    /// True if short children collect here. False if the kernel may wait for them in a loop.
    collects: bool,
}

impl KernelInstance {
    /// The kernel of a host command, in a new launch.
    pub(crate) fn of_launch(
        pool: &'static Pool,
        default_queue: Option<Arc<DeviceQueue>>,
        printf: u64,
        stop: CancellationFlag,
    ) -> Arc<Self> {
        let scope = CompletionScope::new(None);
        let launch = RootLaunch {
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

    /// Ends the kernel of the host command, so that its children start, and parks `task` until they
    /// have ended. Returns the task if they have ended already.
    pub(crate) fn park(self: Arc<Self>, task: Task) -> Option<Task> {
        self.finish();
        let launch = &self.launch;
        *launch.parked.lock() = Some(task);
        if launch.scope.pending.fetch_sub(1, Ordering::AcqRel) == 1 { launch.take() } else { None }
    }

    /// Starts the children that waited for the kernel's end.
    fn finish(&self) {
        let children = std::mem::take(&mut *self.after.lock());
        settle(children).submit(true);
    }
}

impl RootLaunch {
    /// The parked task. The thread that ends the last child calls this once.
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

impl GroupContext {
    /// Creates a thread's context for an instance, which outlives the context; NULL if the kernel
    /// cannot enqueue. `may_wait` is true if the kernel may wait for others
    /// ([`Variant::may_wait`](muxcl_types::variant::Variant::may_wait)).
    pub(crate) fn new(instance: *const KernelInstance, may_wait: bool) -> Self {
        Self {
            instance,
            after_group: RefCell::new(Vec::new()),
            short: RefCell::new(Vec::new()),
            short_since: Cell::new(0),
            collects: !may_wait,
        }
    }

    /// The address for kernels; 0 without an instance.
    pub(crate) fn address(&self) -> u64 {
        if self.instance.is_null() {
            0
        } else {
            std::ptr::from_ref(self).expose_provenance() as u64
        }
    }

    fn instance(&self) -> Option<&KernelInstance> {
        // SAFETY: the instance outlives the context, by the contract of `new`.
        unsafe { self.instance.as_ref() }
    }

    /// Keeps a short child for a few microseconds.
    fn collect(&self, child: Arc<ChildCommand>) {
        let now = muxcl_os::now_ns();
        let limit = COLLECTED_WAKES * child.launch.pool.worth_sharing();
        let mut short = self.short.borrow_mut();
        if short.is_empty() {
            self.short_since.set(now);
        }
        short.push(child);
        drop(short);
        if now.saturating_sub(self.short_since.get()) > limit {
            self.start_collected(false);
        }
    }

    /// Starts the short children. `looks` is true if this thread looks for work soon.
    pub(crate) fn start_collected(&self, looks: bool) {
        let children = std::mem::take(&mut *self.short.borrow_mut());
        if let Some(first) = children.first() {
            let time = COLLECTED_WAKES * first.launch.pool.worth_sharing();
            let each = first.queue.kernels_in(time).unwrap_or(1);
            settle(children).submit_by(each, looks);
        }
    }

    /// Starts the children that waited for the end of a work-group.
    #[inline]
    pub(crate) fn group_ended(&self) {
        if self.instance.is_null() {
            return;
        }
        // Nothing depends on the short ones, so they may wait until this thread looks for work.
        self.start_collected(true);
        let children = std::mem::take(&mut *self.after_group.borrow_mut());
        if !children.is_empty() {
            settle(children).submit(false);
        }
    }

    /// `get_default_queue`
    pub(crate) fn default_queue(&self) -> Option<&Arc<DeviceQueue>> {
        self.instance()?.launch.default_queue.as_ref()
    }

    /// The queue that counts a new user event against its limit: the default queue, or one that the
    /// launch creates for this purpose.
    pub(crate) fn owner_of_events(&self) -> Option<&Arc<DeviceQueue>> {
        let launch = &self.instance()?.launch;
        let none = || launch.events.get_or_init(|| DeviceQueue::create(0).ok()).as_ref();
        launch.default_queue.as_ref().or_else(none)
    }

    /// Address of the printf sink of the launch's kernels, or 0.
    pub(crate) fn printf(&self) -> u64 {
        self.instance().map_or(0, |i| i.launch.printf)
    }

    /// Cancels the launch's kernels.
    pub(crate) fn stop(&self) -> CancellationFlag {
        self.instance().map_or(CancellationFlag::default(), |i| i.launch.stop)
    }

    /// Enqueues a command; false without an instance.
    pub(crate) fn enqueue(&self, command: EnqueueRequest) -> bool {
        let Some(instance) = self.instance() else { return false };
        instance.scope.pending.fetch_add(1, Ordering::AcqRel);
        let scope = match &command.event {
            Some(event) => {
                CompletionScope::new(Some((Arc::clone(event), Arc::clone(&instance.scope))))
            }
            None => Arc::clone(&instance.scope),
        };
        let EnqueueRequest { queue, bytes, run, enqueues, memory, waits, event, after } = command;
        let (marker, event_ret) = (run.is_none(), event.is_some());
        let child = Arc::new(ChildCommand {
            launch: Arc::clone(&instance.launch),
            scope,
            event,
            queue,
            bytes,
            // One dependency more: `after`, the group or kernel that enqueued the child.
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
                // The count cannot reach 0 here, because `after` is still counted.
                child.missing.fetch_sub(1, Ordering::AcqRel);
            }
        }
        // If the object was cancelled meanwhile, the command that would complete the event may
        // never run.
        if waits && child.launch.stop.is_set() {
            give_up(child.launch.stop);
        }
        let short = self.collects
            && !(waits || enqueues || marker || event_ret)
            && child.queue.kernels_in(WORTH_A_THREAD).is_some();
        match after {
            After::Nothing if short => self.collect(child),
            After::Nothing => settle(vec![child]).submit(false),
            After::Group => self.after_group.borrow_mut().push(child),
            After::Kernel => instance.after.lock().push(child),
        }
        true
    }
}

/// Commands and parked tasks that have become ready.
#[derive(Debug, Default)]
pub(crate) struct Settled {
    run: Vec<Arc<ChildCommand>>,
    resumed: Vec<(&'static Pool, Task)>,
}

impl Settled {
    /// Submits everything to the pools. `looks` is true if the calling thread looks for work
    /// immediately afterwards.
    pub(crate) fn submit(self, looks: bool) {
        self.submit_by(1, looks);
    }

    /// [`Self::submit`] with `each` commands for a thread, which runs them one after another. With
    /// more than one, all are of one launch.
    fn submit_by(mut self, each: usize, looks: bool) {
        let mut first = looks;
        while let Some(child) = self.run.first() {
            let pool = child.launch.pool;
            let rest = self.run.split_off(each.clamp(1, self.run.len()));
            let part = std::mem::replace(&mut self.run, rest);
            if let Some(task) = Task::of_children(part) {
                pool.submit(task, std::mem::take(&mut first));
            }
        }
        for (pool, task) in self.resumed {
            pool.submit(task, std::mem::take(&mut first));
        }
    }
}

/// Removes one dependency from each of `children`, and processes everything that follows from it.
pub(crate) fn settle(children: Vec<Arc<ChildCommand>>) -> Settled {
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
    // The loop above reversed the order in which kernels enqueued the commands.
    out.run.reverse();
    out
}

/// Removes the dependency on an event that has completed with `status`; a failure fails `waiters`.
pub(crate) fn completed(waiters: Vec<Arc<ChildCommand>>, status: i32) -> Settled {
    if status < COMPLETE {
        for child in &waiters {
            child.dropped.store(true, Ordering::Release);
        }
    }
    settle(waiters)
}

/// Ends the children that wait for events and belong to a cancelled object.
pub(crate) fn give_up(stop: CancellationFlag) {
    for event in Event::all() {
        let waiters = event.take_waiters(|child| child.launch.stop == stop);
        completed(waiters, DEPENDENCY_FAILED).submit(false);
    }
}

/// Ends a child, and each scope of which it was the last command.
fn end(
    child: &Arc<ChildCommand>,
    status: i32,
    waiting: &mut Vec<Arc<ChildCommand>>,
    out: &mut Settled,
) {
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

/// A running child.
#[derive(Debug)]
pub(crate) struct Running {
    child: Arc<ChildCommand>,
    instance: Option<Arc<KernelInstance>>,
    /// The time of its start, in ns.
    began: u64,
    /// Short children that the same thread runs afterwards.
    next: VecDeque<Arc<ChildCommand>>,
}

impl Running {
    /// Starts the kernel of the first of `children`. `None` if there are none.
    pub(crate) fn first_of(children: impl Into<VecDeque<Arc<ChildCommand>>>) -> Option<Self> {
        let mut next = children.into();
        let child = next.pop_front()?;
        let instance = child.enqueues.then(|| {
            let after = Mutex::new(Rank::Target, Vec::new());
            Arc::new(KernelInstance {
                launch: Arc::clone(&child.launch),
                scope: Arc::clone(&child.scope),
                after,
            })
        });
        let began = muxcl_os::now_ns();
        if let Some(event) = &child.event {
            event.started(began);
        }
        Some(Self { child, instance, began, next })
    }

    /// The kernel's work, valid while `self` lives.
    pub(crate) fn work(&self) -> Option<KernelRun> {
        Some(
            self.child
                .run?
                .with_instance(self.instance.as_ref().map_or(std::ptr::null(), Arc::as_ptr)),
        )
    }

    /// Ends the child after its groups have run or could not run. Returns a task that is ready;
    /// other ready work goes to its pools.
    pub(crate) fn ended(mut self, result: Result<(), MuxError>) -> Option<Task> {
        let time = muxcl_os::now_ns().saturating_sub(self.began);
        self.child.queue.measured(time);
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
        // Only the threads of a pool run its tasks.
        let pool = self.child.launch.pool;
        let mine = out.resumed.iter().position(|(of, _)| std::ptr::eq(*of, pool));
        let next = mine.map(|at| out.resumed.swap_remove(at).1);
        if next.is_some() || time > WORTH_A_THREAD {
            // This thread has other work, or the children are not short after all.
            out.run.extend(self.next.drain(..));
        }
        let next = next.or_else(|| Task::of_children(self.next));
        let looks = next.is_none();
        out.submit(looks);
        next
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
    ) -> EnqueueRequest {
        let (queue, memory) = (Arc::clone(queue), Vec::new());
        EnqueueRequest {
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
        let instance =
            KernelInstance::of_launch(ROOT.current(), None, 0, CancellationFlag::default());
        let group = GroupContext::new(Arc::as_ptr(&instance), false);
        let (number, user) = Event::create(true, &other).unwrap();
        let (_, after) = Event::create(false, &queue).unwrap();
        assert!(group.enqueue(marker(&queue, vec![user], Some(Arc::clone(&after)))));
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
        let mut scope = CompletionScope::new(None);
        for _ in 0..200_000 {
            let (number, event) = Event::create(false, &queue).unwrap();
            super::super::event::release(number);
            scope = CompletionScope::new(Some((event, scope)));
        }
        let small = std::thread::Builder::new().stack_size(64 << 10);
        small.spawn(move || drop(scope)).unwrap().join().unwrap();
    }

    #[test]
    fn user_events_need_no_queue_and_do_not_pile_up() {
        let instance =
            KernelInstance::of_launch(ROOT.current(), None, 0, CancellationFlag::default());
        let group = GroupContext::new(Arc::as_ptr(&instance), false);
        let owner = group.owner_of_events().unwrap();
        let most = super::super::queue::DEVICE_QUEUES.max_events;
        let numbers: Vec<u64> = (0..most).map(|_| Event::create(true, owner).unwrap().0).collect();
        assert!(Event::create(true, owner).is_none());
        drop(group);
        drop(instance);
        assert!(numbers.iter().all(|n| Event::find(*n).is_none()));
    }
}
