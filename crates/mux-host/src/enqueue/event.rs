//! Events of OpenCL C (`clk_event_t`): kernels hold them as handles, with a reference count.
//!
//! Invariants: an event completes once. Each command that waits for it is notified once, with no
//! lock held. Requested profiling times are written before waiting commands start. Not here: the
//! commands (`child`).

use super::child::{ChildCommand, completed};
use super::queue::DeviceQueue;
use super::registry::Registry;
use muxcl_lock::Rank;
use muxcl_lock::sync::Mutex;
use muxcl_types::enqueue::durations;
use muxcl_types::enqueue::state::{COMPLETE, DEPENDENCY_FAILED, QUEUED};
use std::sync::Arc;

static EVENTS: Registry<Arc<Event>> = Registry::new();

/// An event of OpenCL C.
#[derive(Debug)]
pub(crate) struct Event {
    /// True if `create_user_event` created it.
    user: bool,
    /// The handle of the queue that owns the event.
    owner: u64,
    state: Mutex<EventState>,
}

#[derive(Debug)]
struct EventState {
    status: i32,
    /// References that kernels hold.
    references: u32,
    waiters: Vec<Arc<ChildCommand>>,
    /// Times in ns: start and end of the event's command, and the end of everything that the
    /// command enqueued.
    times: [u64; 3],
    /// Addresses that receive the times.
    captures: Vec<u64>,
}

impl Event {
    /// Creates an event with one reference, and returns its handle with it. `None` if too many
    /// events exist.
    pub(crate) fn create(user: bool, owner: &DeviceQueue) -> Option<(u64, Arc<Self>)> {
        if !owner.take_event() {
            return None;
        }
        let state = EventState {
            status: QUEUED,
            references: 1,
            waiters: Vec::new(),
            times: [0; 3],
            captures: Vec::new(),
        };
        let event =
            Arc::new(Self { user, owner: owner.number(), state: Mutex::new(Rank::Target, state) });
        let number = EVENTS.insert(|_| Arc::clone(&event));
        if number.is_none() {
            owner.give_event();
        }
        Some((number?, event))
    }

    /// The event of a handle.
    pub(crate) fn find(number: u64) -> Option<Arc<Self>> {
        EVENTS.get(number)
    }

    /// Every existing event.
    pub(super) fn all() -> Vec<Arc<Self>> {
        EVENTS.all()
    }

    /// Removes and returns the waiting commands for which `which` is true.
    pub(super) fn take_waiters(
        &self,
        which: impl Fn(&ChildCommand) -> bool,
    ) -> Vec<Arc<ChildCommand>> {
        self.state.lock().waiters.extract_if(.., |child| which(child)).collect()
    }

    /// Registers `child` as waiting. Returns the event's status if it has completed already.
    pub(super) fn subscribe(&self, child: &Arc<ChildCommand>) -> Option<i32> {
        let mut state = self.state.lock();
        if state.status <= COMPLETE {
            return Some(state.status);
        }
        state.waiters.push(Arc::clone(child));
        None
    }

    #[cfg(test)]
    pub(crate) fn status(&self) -> Option<i32> {
        Some(self.state.lock().status).filter(|status| *status <= COMPLETE)
    }

    /// Records the start of the event's command.
    pub(super) fn started(&self, now: u64) {
        self.state.lock().times[0] = now;
    }

    /// Records the end of the event's command. Children of the command may still run.
    pub(super) fn ended(&self, now: u64) {
        let times = &mut self.state.lock().times;
        times[1] = now;
        if times[0] == 0 {
            times[0] = now;
        }
    }

    /// Completes the event. Returns the commands that waited.
    pub(super) fn complete(&self, status: i32) -> Vec<Arc<ChildCommand>> {
        let now = muxcl_os::now_ns();
        let mut state = self.state.lock();
        if state.status <= COMPLETE {
            return Vec::new();
        }
        state.status = status.min(COMPLETE);
        for time in &mut state.times {
            if *time == 0 {
                *time = now;
            }
        }
        state.times[2] = now;
        let times = state.times;
        for to in std::mem::take(&mut state.captures) {
            write_times(times, to);
        }
        std::mem::take(&mut state.waiters)
    }

    /// `set_user_event_status`. Returns the commands that waited.
    pub(crate) fn set_status(&self, status: i32) -> Vec<Arc<ChildCommand>> {
        if self.user && status <= COMPLETE { self.complete(status) } else { Vec::new() }
    }

    /// `capture_event_profiling_info`: writes the times now, or when the event has completed. A
    /// user event has no command, and may outlive the launch that owns the memory at `to`.
    pub(crate) fn capture(&self, to: u64) {
        if self.user {
            return;
        }
        let mut state = self.state.lock();
        if state.status <= COMPLETE {
            write_times(state.times, to);
        } else {
            state.captures.push(to);
        }
    }
}

/// `retain_event`
pub(crate) fn retain(number: u64) {
    if let Some(event) = Event::find(number) {
        let mut state = event.state.lock();
        state.references = state.references.saturating_add(1);
    }
}

/// `release_event`. Returns the commands that waited for a user event that no kernel can complete
/// any more.
pub(crate) fn release(number: u64) -> Vec<Arc<ChildCommand>> {
    let Some(event) = Event::find(number) else { return Vec::new() };
    {
        let mut state = event.state.lock();
        state.references = state.references.saturating_sub(1);
        if state.references != 0 {
            return Vec::new();
        }
    }
    if EVENTS.remove(number).is_some()
        && let Some(queue) = DeviceQueue::find(event.owner)
    {
        queue.give_event();
    }
    event.set_status(DEPENDENCY_FAILED)
}

/// Removes the events of the deleted queue `owner`. Commands that wait for one of its user events
/// fail, because no kernel can complete it any more.
pub(super) fn forget(owner: u64) {
    for event in EVENTS.remove_all(|event| event.owner == owner) {
        completed(event.set_status(DEPENDENCY_FAILED), DEPENDENCY_FAILED).submit(false);
    }
}

/// Writes the value of `CLK_PROFILING_COMMAND_EXEC_TIME`.
fn write_times(times: [u64; 3], to: u64) {
    let Ok(address) = usize::try_from(to) else { return };
    let to = std::ptr::with_exposed_provenance_mut::<[u64; 2]>(address);
    if !to.is_null() {
        // SAFETY: the kernel promises two 64-bit values there, in global memory that lives as long
        // as the launch.
        unsafe { to.write_unaligned(durations(times)) };
    }
}
