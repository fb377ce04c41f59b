//! `cl_khr_semaphore`: binary semaphores between commands of any queues of a context.
//!
//! A wait is matched with a signal when it is enqueued. It consumes a signal that is present, or it
//! joins the list of waits, where the oldest wait consumes the next signal command that runs. So
//! each signal releases exactly one wait, in the order of the waits' calls, and no thread blocks on
//! a semaphore. Not here: the commands (`api::semaphore`).

use std::collections::VecDeque;
use std::sync::{Arc, Weak};

use muxcl_cl_sys as sys;
use muxcl_lock::{Mutex, Rank};
use muxcl_mux as mux;

use super::context::Context;
use super::device::Device;
use super::queue::Queue;
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
    state: Mutex<SemaphoreState>,
}

#[derive(Debug)]
struct SemaphoreState {
    signalled: bool,
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
    /// context's.
    ///
    /// # Errors
    /// `CL_OUT_OF_HOST_MEMORY`.
    pub fn new(
        context: Arc<Context>,
        device: Arc<Device>,
        properties: Vec<sys::cl_semaphore_properties_khr>,
    ) -> ClResult<Arc<Self>> {
        let state =
            SemaphoreState { signalled: false, waits: VecDeque::new(), signaller: Weak::new() };
        let state = Mutex::new(Rank::Event, state);
        object::create(|head| Ok(Self { head, context, device, properties, state }))
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
        self.state.lock().signalled
    }

    /// Runs a signal command: releases the oldest wait, or leaves the semaphore signalled.
    pub fn signal(&self) {
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
    /// `CL_OUT_OF_HOST_MEMORY`.
    pub fn take(&self) -> ClResult<Option<mux::Semaphore>> {
        let mut state = self.state.lock();
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
        !state.waits.is_empty()
    }

    /// The queue where a signal may be pending.
    #[must_use]
    pub fn signaller(&self) -> Option<Arc<Queue>> {
        self.state.lock().signaller.upgrade()
    }
}
