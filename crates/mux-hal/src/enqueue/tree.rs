//! One kernel command of the host with all its descendants.
//!
//! ```text
//! EnqueueTree     one kernel command of the host
//!   Scope      counts commands that must end before the tree or the event of a child completes
//!     Child      a kernel or marker; counts the events it waits for
//! ```
//!
//! As on the host device (`mux-host`, `enqueue`), a child without an event counts in the scope of
//! its parent. A kernel that enqueues itself repeatedly therefore needs no memory for ended
//! children. Completion is propagated iteratively, so dependency chains of any depth need no stack.
//!
//! A record refers to an event by number only while it *holds* the event (`deferred::Event::word`).
//! The number of a held event is not reused.
//!
//! Invariants: every child ends once, run or not. The event of a scope completes after every
//! command in the scope has ended.

use super::Enqueues;
use super::heap::{EnqueueHeap, Left, ParsedRecord};
use crate::executable::{HalKernel, Resident};
use crate::execute::Runner;
use crate::launch::Call;
use crate::memory::HalMemory;
use muxcl_hal::Argument;
use muxcl_mux::target::TargetMemory as _;
use muxcl_mux::{Launch, MuxError};
use muxcl_types::deferred::{self, EnqueueHeapHeader, Event, Record};
use muxcl_types::enqueue::state::{COMPLETE, DEPENDENCY_FAILED, FAILED};
use muxcl_types::sched::LOCAL_ALIGN;
use slab::Slab;
use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;
use std::sync::atomic::Ordering;

/// State of a tree after a call of [`EnqueueTree::run`].
#[derive(Debug)]
pub(crate) enum Progress {
    /// All commands have ended.
    Ended(Result<(), MuxError>),
    /// The caller asked to stop.
    Stopped,
    /// All remaining children wait for events that only kernels of other trees can set.
    Blocked,
}

/// One kernel command of the host with all its descendants.
#[derive(Debug)]
pub(crate) struct EnqueueTree {
    enqueues: Arc<Enqueues>,
    resident: Arc<Resident>,
    default_queue: u64,
    /// Owner of the user events that the tree creates.
    owner: u64,
    begun: bool,
    /// True if a kernel of the tree has created events.
    events: bool,
    scopes: Slab<Scope>,
    root: usize,
    children: Slab<Child>,
    /// Children without unmet dependencies, in the order in which they may run.
    ready: VecDeque<usize>,
    /// The children that wait for each event.
    awaited: BTreeMap<u64, Vec<usize>>,
    /// Device addresses that receive the profiling times of each event.
    captures: BTreeMap<u64, Vec<u64>>,
    /// Device memory for the block of the child that runs; kept for the next child.
    block_memory: Option<HalMemory>,
    error: Option<MuxError>,
}

#[derive(Debug)]
struct Scope {
    pending: usize,
    /// Status of the first failure.
    status: i32,
    /// Start and end time of the child that owns this scope's event.
    times: [u64; 2],
    /// This scope's event, and the parent scope in which its child counts.
    above: Option<(u64, usize)>,
}

#[derive(Debug)]
struct Child {
    /// Scope in which the child counts: that of its own event, or its parent's.
    scope: usize,
    /// True if `scope` belongs to the child's own event.
    named: bool,
    /// Queue of the child, and the bytes it takes there.
    room: (u64, u64),
    missing: usize,
    /// True if a dependency has failed.
    dropped: bool,
    /// Kernel to run. `None` for markers and for empty commands.
    body: Option<Body>,
}

#[derive(Debug)]
struct Body {
    record: Record,
    sizes: Vec<u64>,
    block: Vec<u8>,
}

/// Ended children, each with its status.
type Ends = Vec<(usize, i32)>;

impl Drop for EnqueueTree {
    fn drop(&mut self) {
        self.enqueues.trees.fetch_sub(1, Ordering::AcqRel);
    }
}

impl EnqueueTree {
    /// Creates the tree of a command that is about to run.
    pub(crate) fn new(enqueues: &Arc<Enqueues>, kernel: &HalKernel, launch: &Launch) -> Self {
        let default_queue = launch.default_queue.as_ref().map_or(0, muxcl_mux::DeviceQueue::handle);
        enqueues.trees.fetch_add(1, Ordering::AcqRel);
        let mut scopes = Slab::new();
        let root =
            scopes.insert(Scope { pending: 1, status: COMPLETE, times: [0; 2], above: None });
        Self {
            enqueues: Arc::clone(enqueues),
            resident: Arc::clone(&kernel.resident),
            default_queue,
            owner: if default_queue == 0 { enqueues.new_owner() } else { default_queue },
            begun: false,
            events: false,
            scopes,
            root,
            children: Slab::new(),
            ready: VecDeque::new(),
            awaited: BTreeMap::new(),
            captures: BTreeMap::new(),
            block_memory: None,
            error: None,
        }
    }

    /// Runs every child that is ready. `parent` runs the command's own kernel with the heap it
    /// receives. `own_end` is called when that kernel has ended.
    pub(crate) fn run(
        &mut self,
        runner: &Runner<'_>,
        parent: &dyn Fn(u64) -> Result<(), MuxError>,
        own_end: &dyn Fn(),
        stop: &dyn Fn() -> bool,
    ) -> Progress {
        let enqueues = Arc::clone(&self.enqueues);
        let result = enqueues.heap(runner.connection).and_then(|heap| {
            let heap = &*heap;
            if self.begun {
                enqueues.forget(heap, None)?;
                self.look(runner, heap)?;
            } else {
                self.begun = true;
                enqueues.forget(heap, None)?;
                let left = self.kernel(runner, heap, parent)?;
                own_end();
                self.take_in(runner, heap, left, self.root)?;
                let root = self.root;
                self.leave_scope(runner, heap, root, COMPLETE)?;
            }
            self.work(runner, heap, stop)
        });
        let progress = result.unwrap_or_else(|error| Progress::Ended(Err(error)));
        if matches!(progress, Progress::Ended(_))
            && let Err(error) = enqueues.heap(runner.connection).and_then(|heap| self.end(&heap))
        {
            tracing::warn!(target: "hal", "events of a kernel that has ended: {error}");
        }
        progress
    }

    fn work(
        &mut self,
        runner: &Runner<'_>,
        heap: &EnqueueHeap,
        stop: &dyn Fn() -> bool,
    ) -> Result<Progress, MuxError> {
        loop {
            if self.scopes.get(self.root).is_none_or(|root| root.pending == 0) {
                return Ok(Progress::Ended(self.error.take().map_or(Ok(()), Err)));
            }
            let Some(id) = self.ready.pop_front() else { return Ok(Progress::Blocked) };
            if stop() {
                self.ready.push_front(id);
                return Ok(Progress::Stopped);
            }
            self.run_child(runner, heap, id)?;
        }
    }

    /// Runs a kernel that may enqueue, and collects its records.
    fn kernel(
        &self,
        runner: &Runner<'_>,
        heap: &EnqueueHeap,
        run: &dyn Fn(u64) -> Result<(), MuxError>,
    ) -> Result<Left, MuxError> {
        let about = EnqueueHeapHeader {
            default_queue: self.default_queue,
            owner: self.owner,
            ..runner.limits()
        };
        heap.prepare(&about, &self.enqueues.queues)?;
        run(heap.address())?;
        runner.progress.set(true);
        heap.collect(&self.enqueues.queues)
    }

    /// Turns the records of a kernel into children of a scope.
    fn take_in(
        &mut self,
        runner: &Runner<'_>,
        heap: &EnqueueHeap,
        left: Left,
        scope: usize,
    ) -> Result<(), MuxError> {
        self.events |= left.events;
        let mut ends = Ends::new();
        for request in left.requests {
            if request.head.kind == deferred::CAPTURE {
                self.captures.entry(request.head.event).or_default().push(request.head.what);
                continue;
            }
            let id = self.child(request, scope, heap)?;
            self.settle(id, &mut ends);
        }
        self.finish(runner, heap, ends)?;
        // Write the requested times of events that completed before the kernel ended.
        if left.changes || !self.captures.is_empty() { self.look(runner, heap) } else { Ok(()) }
    }

    /// Adds a child to `scope` with one extra dependency, which the caller settles.
    fn child(
        &mut self,
        request: ParsedRecord,
        scope: usize,
        heap: &EnqueueHeap,
    ) -> Result<usize, MuxError> {
        let ParsedRecord { mut head, waits, sizes, block } = request;
        let damaged = || {
            MuxError::DeviceFault(
                "a kernel enqueued something that is no block of its program".into(),
            )
        };
        let runs = head.kind == deferred::KERNEL && !head.global.contains(&0);
        if runs
            && (self.block(&head).is_none()
                || head.local.contains(&0)
                || !(1..=3).contains(&head.work_dim))
        {
            return Err(damaged());
        }
        if head.event != 0 && free_if_unreferenced(heap, head.event)? {
            head.event = 0;
        }
        let parent = self.scopes.get_mut(scope).ok_or_else(damaged)?;
        parent.pending += 1;
        let named = head.event != 0;
        let scope = if !named {
            scope
        } else {
            let above = Some((head.event, scope));
            self.scopes.insert(Scope { pending: 1, status: COMPLETE, times: [0; 2], above })
        };
        let body = runs.then_some(Body { record: head, sizes, block });
        let room = (head.queue, head.cost);
        let id =
            self.children.insert(Child { scope, named, room, missing: 1, dropped: false, body });
        for event in waits.into_iter().filter(|event| *event != 0) {
            // An event that another child waits for is known to be incomplete.
            if let Some(list) = self.awaited.get_mut(&event) {
                list.push(id);
            } else if let Some(status) = self.given_up(heap, event, 1)? {
                self.children[id].dropped |= status < COMPLETE;
                continue;
            } else {
                self.awaited.insert(event, vec![id]);
            }
            self.children[id].missing += 1;
        }
        Ok(id)
    }

    /// Status of an event if it has completed. In that case `holds` records release it.
    fn given_up(
        &self,
        heap: &EnqueueHeap,
        number: u64,
        holds: usize,
    ) -> Result<Option<i32>, MuxError> {
        let Some(mut event) = heap.event(number)? else { return Ok(Some(DEPENDENCY_FAILED)) };
        if event.status > COMPLETE {
            return Ok(None);
        }
        drop_holds(&mut event, holds);
        heap.put_event(number, &event)?;
        Ok(Some(event.status))
    }

    /// Finds the events that kernels have completed.
    fn look(&mut self, runner: &Runner<'_>, heap: &EnqueueHeap) -> Result<(), MuxError> {
        let mut ends = Ends::new();
        let numbers: Vec<u64> = self.awaited.keys().copied().collect();
        for number in numbers {
            let count = self.awaited.get(&number).map_or(0, Vec::len);
            if let Some(status) = self.given_up(heap, number, count)? {
                self.tell(number, status, &mut ends);
            }
        }
        let numbers: Vec<u64> = self.captures.keys().copied().collect();
        for number in numbers {
            let Some(mut event) = heap.event(number)? else {
                self.captures.remove(&number);
                continue;
            };
            if event.status <= COMPLETE {
                self.write_captures(heap, number, &mut event)?;
                heap.put_event(number, &event)?;
            }
        }
        self.finish(runner, heap, ends)
    }

    fn write_captures(
        &mut self,
        heap: &EnqueueHeap,
        number: u64,
        event: &mut Event,
    ) -> Result<(), MuxError> {
        for to in self.captures.remove(&number).unwrap_or_default() {
            drop_holds(event, 1);
            heap.put_times(to, event.times)?;
        }
        Ok(())
    }

    /// Removes a completed event from the dependencies of the children that wait for it.
    fn tell(&mut self, number: u64, status: i32, ends: &mut Ends) {
        for id in self.awaited.remove(&number).unwrap_or_default() {
            if let Some(child) = self.children.get_mut(id) {
                child.dropped |= status < COMPLETE;
            }
            self.settle(id, ends);
        }
    }

    /// Removes one dependency of a child.
    fn settle(&mut self, id: usize, ends: &mut Ends) {
        let Some(child) = self.children.get_mut(id) else { return };
        child.missing -= 1;
        if child.missing != 0 {
            return;
        }
        if child.body.is_some() && !child.dropped {
            self.ready.push_back(id);
        } else {
            ends.push((id, if child.dropped { DEPENDENCY_FAILED } else { COMPLETE }));
        }
    }

    fn run_child(
        &mut self,
        runner: &Runner<'_>,
        heap: &EnqueueHeap,
        id: usize,
    ) -> Result<(), MuxError> {
        let Some(child) = self.children.get_mut(id) else { return Ok(()) };
        let (scope, named) = (child.scope, child.named);
        let Some(body) = child.body.take() else { return Ok(()) };
        let start = muxcl_os::now_ns();
        let result = self.run_body(runner, heap, &body);
        let end = muxcl_os::now_ns();
        runner.progress.set(true);
        if named && let Some(scope) = self.scopes.get_mut(scope) {
            scope.times = [start, end];
        }
        let status = match result {
            Ok(left) => {
                self.take_in(runner, heap, left, scope)?;
                COMPLETE
            }
            Err(error) => {
                self.error.get_or_insert(error);
                FAILED
            }
        };
        self.finish(runner, heap, vec![(id, status)])
    }

    fn block(&self, record: &Record) -> Option<&crate::executable::BlockKernel> {
        self.resident.blocks.get(usize::try_from(record.what).ok()?)
    }

    fn run_body(
        &mut self,
        runner: &Runner<'_>,
        heap: &EnqueueHeap,
        body: &Body,
    ) -> Result<Left, MuxError> {
        let kept = self.block_memory.take();
        let record = &body.record;
        let block = self
            .block(record)
            .ok_or_else(|| MuxError::Internal("a block that no longer exists".into()))?;
        // Copy the block, because the kernel's own records overwrite this memory.
        let size = (body.block.len() as u64).next_multiple_of(LOCAL_ALIGN).max(LOCAL_ALIGN);
        let fits = |memory: &HalMemory| memory.size() >= size;
        let memory = match kept.filter(fits) {
            Some(memory) => memory,
            None => HalMemory::allocate(runner.connection, size, LOCAL_ALIGN)?,
        };
        memory.write(0, &body.block)?;
        let mut args = vec![Argument::Global { address: memory.device_address(), size }];
        args.extend(body.sizes.iter().map(|size| Argument::Local { size: *size }));
        let call = Call {
            resident: &self.resident,
            kernel: block.kernel,
            name: &block.variant.kernel,
            offset: record.offset,
            global: record.global,
            local: record.local.map(u64::from),
            work_dim: record.work_dim,
            args,
        };
        let left = if block.variant.enqueues {
            self.kernel(runner, heap, &|address| call.run(runner, Some(address)))
        } else {
            call.run(runner, None).map(|()| Left::default())
        };
        self.block_memory = Some(memory);
        left
    }

    /// Ends children and propagates their completion.
    fn finish(
        &mut self,
        runner: &Runner<'_>,
        heap: &EnqueueHeap,
        mut ends: Ends,
    ) -> Result<(), MuxError> {
        while let Some((id, status)) = ends.pop() {
            let Some(child) = self.children.try_remove(id) else { continue };
            let (queue, bytes) = child.room;
            self.enqueues.queues.give(queue, bytes);
            // A failed child fails its own event, not its parent's.
            let status = if child.named { status } else { COMPLETE };
            self.leave_scope_with(runner, heap, child.scope, status, &mut ends)?;
        }
        Ok(())
    }

    fn leave_scope(
        &mut self,
        runner: &Runner<'_>,
        heap: &EnqueueHeap,
        scope: usize,
        status: i32,
    ) -> Result<(), MuxError> {
        let mut ends = Ends::new();
        self.leave_scope_with(runner, heap, scope, status, &mut ends)?;
        self.finish(runner, heap, ends)
    }

    /// Removes one command from a scope. Enclosing scopes may complete as well.
    fn leave_scope_with(
        &mut self,
        runner: &Runner<'_>,
        heap: &EnqueueHeap,
        mut at: usize,
        mut status: i32,
        ends: &mut Ends,
    ) -> Result<(), MuxError> {
        loop {
            let Some(scope) = self.scopes.get_mut(at) else { return Ok(()) };
            if scope.status == COMPLETE {
                scope.status = status;
            }
            scope.pending -= 1;
            let Some((event, above)) = scope.above.filter(|_| scope.pending == 0) else {
                return Ok(());
            };
            let (times, result) = (scope.times, scope.status);
            self.scopes.remove(at);
            self.complete(heap, event, result, times, ends)?;
            runner.progress.set(true);
            status = COMPLETE;
            at = above;
        }
    }

    /// Completes the event of a child.
    fn complete(
        &mut self,
        heap: &EnqueueHeap,
        number: u64,
        status: i32,
        [start, end]: [u64; 2],
        ends: &mut Ends,
    ) -> Result<(), MuxError> {
        if let Some(mut event) = heap.event(number)? {
            let now = muxcl_os::now_ns();
            let or_now = |time| if time == 0 { now } else { time };
            event.times = [or_now(start), or_now(end), now];
            event.status = status;
            drop_holds(&mut event, 1 + self.awaited.get(&number).map_or(0, Vec::len));
            self.write_captures(heap, number, &mut event)?;
            heap.put_event(number, &event)?;
        }
        self.tell(number, status, ends);
        Ok(())
    }

    /// Ends the tree and releases the events it refers to.
    fn end(&mut self, heap: &EnqueueHeap) -> Result<(), MuxError> {
        let captures = std::mem::take(&mut self.captures)
            .into_iter()
            .map(|(number, list)| (number, list.len()));
        let awaited = std::mem::take(&mut self.awaited)
            .into_iter()
            .map(|(number, list)| (number, list.len()));
        for (number, holds) in captures.chain(awaited) {
            if let Some(mut event) = heap.event(number)? {
                drop_holds(&mut event, holds);
                heap.put_event(number, &event)?;
            }
        }
        for (_, child) in &self.children {
            self.enqueues.queues.give(child.room.0, child.room.1);
        }
        self.children.clear();
        if self.events && self.owner != self.default_queue {
            self.enqueues.forget(heap, Some(self.owner))?;
        }
        Ok(())
    }
}

/// Frees a child's event if no kernel and no other record refers to it. Returns true if the event
/// is free.
fn free_if_unreferenced(heap: &EnqueueHeap, number: u64) -> Result<bool, MuxError> {
    let Some(mut event) = heap.event(number)? else { return Ok(true) };
    let only = event.word & 0xffff_ffff == Event::HOLD;
    if only {
        drop_holds(&mut event, 1);
        heap.put_event(number, &event)?;
    }
    Ok(only)
}

/// Releases `count` references of records to an event.
fn drop_holds(event: &mut Event, count: usize) {
    let held = event.word >> 16 & 0xffff;
    event.word -= held.min(count as u64) * Event::HOLD;
}
