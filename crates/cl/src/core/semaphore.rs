//! `cl_khr_semaphore`: binary semaphores between commands of any queues of a context.
//!
//! A wait is matched with a signal when it is enqueued. It consumes a signal that is present, or it
//! joins the list of waits, where the oldest wait consumes the next signal command that runs. So
//! each signal releases exactly one wait, in the order of the waits' calls, and no thread blocks on
//! a semaphore.
//!
//! A semaphore that was exported or imported as an opaque file descriptor has its payload in a
//! [`SharedSignal`], which all semaphores of the set share, also those of other processes. A
//! semaphore with an imported sync file has a fence as payload until a wait takes it. Waits for
//! both are served by `watch`. Not here: the commands (`api::semaphore`).

use std::collections::VecDeque;
use std::os::fd::OwnedFd;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Weak};
use std::time::Duration;

use muxcl_cl_sys as sys;
use muxcl_lock::{Mutex, Rank};
use muxcl_mux as mux;
use muxcl_os::{Fence, SharedSignal};

use super::context::Context;
use super::device::Device;
use super::queue::Queue;
use super::watch::{self, Source};
use crate::error::{ClError, ClResult};
use crate::object::{self, ClObject, HandleHeader};

/// `cl_semaphore_khr`
#[derive(Debug)]
pub struct Semaphore {
    head: HandleHeader<Self>,
    context: Arc<Context>,
    /// The only device whose queues may use it.
    device: Arc<Device>,
    /// `CL_SEMAPHORE_PROPERTIES_KHR` as the application gave them, with the final zero.
    properties: Vec<sys::cl_semaphore_properties_khr>,
    origin: Origin,
    /// Signal commands that have been enqueued and have not run.
    pending: AtomicUsize,
    state: Mutex<SemaphoreState>,
}

/// How a semaphore is shared with others.
#[derive(Debug)]
pub enum Origin {
    /// It is not shared.
    Local,
    /// It can be exported as a sync file.
    SyncExport,
    /// It can be exported as an opaque file descriptor.
    OpaqueExport(Arc<SharedSignal>),
    /// It was imported from an opaque file descriptor.
    OpaqueImport(Arc<SharedSignal>),
    /// It was imported from a sync file.
    SyncImport,
}

/// The time after which an export looks whether a signal command is still pending.
const LOOK_AGAIN: Duration = Duration::from_millis(10);

#[derive(Debug)]
struct SemaphoreState {
    signalled: bool,
    /// The imported payload, which the next wait takes. The semaphore is not signalled then.
    fence: Option<Arc<Fence>>,
    /// Waits without a signal, the oldest first. Empty if the semaphore is signalled.
    waits: VecDeque<mux::Semaphore>,
    /// The queue of the last signal command, which may still be pending.
    signaller: Weak<Queue>,
}

impl ClObject for Semaphore {
    type Raw = sys::_cl_semaphore_khr;
    const TAG: u32 = u32::from_le_bytes(*b"sema");
    const INVALID: ClError = ClError::INVALID_SEMAPHORE_KHR;
    const REACHABLE: bool = false;
    fn header(&self) -> &HandleHeader<Self> {
        &self.head
    }
}

impl Semaphore {
    /// A semaphore that is not signalled, with one application reference. `device` is one of the
    /// context's. A semaphore imported from a sync file gets its payload by [`Self::import`].
    ///
    /// # Errors
    /// `CL_OUT_OF_HOST_MEMORY`.
    pub fn new(
        context: Arc<Context>,
        device: Arc<Device>,
        properties: Vec<sys::cl_semaphore_properties_khr>,
        origin: Origin,
    ) -> ClResult<Arc<Self>> {
        let state = SemaphoreState {
            signalled: false,
            fence: None,
            waits: VecDeque::new(),
            signaller: Weak::new(),
        };
        let (state, pending) = (Mutex::new(Rank::Event, state), AtomicUsize::new(0));
        object::create(|head| {
            Ok(Self { head, context, device, properties, origin, pending, state })
        })
    }

    /// How it is shared.
    #[must_use]
    pub fn origin(&self) -> &Origin {
        &self.origin
    }

    /// The payload that it shares with other semaphores.
    fn shared(&self) -> Option<&Arc<SharedSignal>> {
        match &self.origin {
            Origin::OpaqueExport(signal) | Origin::OpaqueImport(signal) => Some(signal),
            Origin::Local | Origin::SyncExport | Origin::SyncImport => None,
        }
    }

    /// Replaces the payload by the state of a sync file; `None` is one that has signalled. A wait
    /// that was enqueued without a signal takes it.
    ///
    /// # Errors
    /// `CL_OUT_OF_RESOURCES`, `CL_OUT_OF_HOST_MEMORY`. The payload is as before.
    pub fn import(&self, fence: Option<Fence>) -> ClResult<()> {
        let fence = fence.filter(|fence| !fence.has_ended()).map(Arc::new);
        let mut state = self.state.lock();
        let Some(fence) = fence else {
            state.fence = None;
            drop(state);
            self.signal();
            return Ok(());
        };
        match state.waits.front() {
            Some(first) => {
                watch::wait(Source::Fence(fence), first.clone())?;
                state.waits.pop_front();
            }
            None => state.fence = Some(fence),
        }
        state.signalled = false;
        Ok(())
    }

    /// A new descriptor of the payload of a semaphore that can be exported as an opaque file
    /// descriptor.
    ///
    /// # Errors
    /// `CL_OUT_OF_RESOURCES` if the process has too many descriptors.
    pub fn export(&self) -> ClResult<OwnedFd> {
        let signal = self.shared().ok_or(ClError::INVALID_VALUE)?;
        signal.descriptor().map_err(|error| {
            tracing::debug!(target: "cl::semaphore", "{error}");
            ClError::OUT_OF_RESOURCES
        })
    }

    /// Takes the signal for an export as a sync file. If a signal command is pending, waits for it:
    /// only the kernel can make a sync file of work that has not ended.
    ///
    /// # Errors
    /// `CL_INVALID_OPERATION` if the semaphore is not signalled and no signal command is pending.
    pub fn take_for_export(&self) -> ClResult<()> {
        let Some(signal) = self.take()? else { return Ok(()) };
        let queue = self.signaller();
        if let Some(queue) = &queue {
            queue.flush()?;
        }
        loop {
            // Before looking for the signal: a command gives its signal, and only then stops being
            // pending. So without a pending command no signal can come after the look.
            let is_last = self.pending.load(Ordering::Acquire) == 0;
            let limit = if is_last { Duration::ZERO } else { LOOK_AGAIN };
            if signal.wait(queue.as_ref().map(|q| q.mux()), Some(limit)).is_some() {
                return Ok(());
            }
            if is_last {
                self.give_back(Some(&signal));
                return Err(ClError::INVALID_OPERATION);
            }
        }
    }

    /// The context of the semaphore.
    #[must_use]
    pub fn context(&self) -> &Arc<Context> {
        &self.context
    }

    /// The device whose queues may use it.
    #[must_use]
    pub fn device(&self) -> &Arc<Device> {
        &self.device
    }

    /// `CL_SEMAPHORE_PROPERTIES_KHR`
    #[must_use]
    pub fn properties(&self) -> &[sys::cl_semaphore_properties_khr] {
        &self.properties
    }

    /// `CL_SEMAPHORE_PAYLOAD_KHR`
    #[must_use]
    pub fn is_signalled(&self) -> bool {
        if let Some(signal) = self.shared() {
            return signal.is_set();
        }
        let state = self.state.lock();
        state.signalled || state.fence.as_ref().is_some_and(|fence| fence.has_ended())
    }

    /// Runs a signal command: releases the oldest wait, or leaves the semaphore signalled.
    pub fn signal(&self) {
        if let Some(signal) = self.shared() {
            return signal.set();
        }
        let next = {
            let mut state = self.state.lock();
            let next = state.waits.pop_front();
            state.signalled |= next.is_none();
            next
        };
        if let Some(next) = next {
            next.signal(true);
        }
    }

    /// Matches a wait that is being enqueued. Returns the signal to wait for, or `None` if the wait
    /// consumed a signal that was present.
    ///
    /// # Errors
    /// `CL_OUT_OF_RESOURCES`, `CL_OUT_OF_HOST_MEMORY`.
    pub fn take(&self) -> ClResult<Option<mux::Semaphore>> {
        if let Some(signal) = self.shared() {
            if watch::take(signal) {
                return Ok(None);
            }
            let taken = mux::Semaphore::new();
            watch::wait(Source::Signal(signal.clone()), taken.clone())?;
            return Ok(Some(taken));
        }
        let mut state = self.state.lock();
        if let Some(fence) = &state.fence {
            let taken = (!fence.has_ended()).then(mux::Semaphore::new);
            if let Some(taken) = &taken {
                watch::wait(Source::Fence(fence.clone()), taken.clone())?;
            }
            state.fence = None;
            return Ok(taken);
        }
        if std::mem::take(&mut state.signalled) {
            return Ok(None);
        }
        state.waits.try_reserve(1)?;
        let signal = mux::Semaphore::new();
        state.waits.push_back(signal.clone());
        Ok(Some(signal))
    }

    /// Undoes [`Self::take`], which returned `signal`, for a wait that could not be enqueued.
    pub fn give_back(&self, signal: Option<&mux::Semaphore>) {
        match signal.and_then(watch::cancel) {
            Some(Source::Signal(_)) => return,
            Some(Source::Fence(fence)) => {
                self.state.lock().fence = Some(fence);
                return;
            }
            None => {}
        }
        let passed_on = {
            let mut state = self.state.lock();
            let at = signal.and_then(|signal| state.waits.iter().position(|t| t.is_same(signal)));
            at.map(|at| state.waits.remove(at)).is_none()
        };
        // The matched signal goes to the next wait.
        if passed_on {
            self.signal();
        }
    }

    /// Records that a signal has been enqueued on `queue`; true if a wait needs one.
    pub fn signal_enqueued(&self, queue: &Arc<Queue>) -> bool {
        let mut state = self.state.lock();
        state.signaller = Arc::downgrade(queue);
        // Other contexts and processes wait without this one's knowledge.
        self.shared().is_some() || !state.waits.is_empty()
    }

    /// The queue where a signal may be pending.
    #[must_use]
    pub fn signaller(&self) -> Option<Arc<Queue>> {
        self.state.lock().signaller.upgrade()
    }
}

/// A signal command of a semaphore, until it has run or is dropped.
#[derive(Debug)]
pub struct PendingSignal(Arc<Semaphore>);

impl PendingSignal {
    /// A command that is about to be enqueued.
    #[must_use]
    pub fn new(semaphore: Arc<Semaphore>) -> Self {
        semaphore.pending.fetch_add(1, Ordering::Relaxed);
        Self(semaphore)
    }

    /// Runs the command.
    pub fn run(&self) {
        self.0.signal();
    }
}

impl Drop for PendingSignal {
    fn drop(&mut self) {
        self.0.pending.fetch_sub(1, Ordering::Release);
    }
}
