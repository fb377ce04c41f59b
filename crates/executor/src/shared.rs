//! Host memory that executors copy to and from.
//!
//! Invariant: while a copy uses the bytes, nobody else does. Copies therefore run one after
//! another, mapping waits for the last one, and a copy of mapped memory is refused. The bytes are
//! freed only after the last copy.

use crate::{Event, ExecutorError, Result, wait_all};
use muxcl_lock::{Mutex, Rank};
use std::ops::{Deref, DerefMut};
use std::sync::Arc;

/// Host memory for copies to and from devices.
#[derive(Debug)]
pub struct SharedBuffer {
    size: usize,
    state: Mutex<State>,
}

#[derive(Debug)]
struct State {
    /// `None` while a view has them.
    bytes: Option<Vec<u8>>,
    /// The completion of the copy that was enqueued last.
    last: Option<Arc<dyn Event>>,
}

impl SharedBuffer {
    /// Memory of `bytes` bytes, all zero.
    #[must_use]
    pub fn new(bytes: usize) -> Arc<Self> {
        let state = State { bytes: Some(vec![0; bytes]), last: None };
        // The first rank, because a copy is enqueued with this lock held.
        Arc::new(Self { size: bytes, state: Mutex::new(Rank::Platform, state) })
    }

    /// Size in bytes.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.size
    }

    /// Gives the host access to the bytes after the events and all copies of this memory.
    ///
    /// # Errors
    /// [`ExecutorError::Mapped`], or the failure of an event or copy.
    pub fn map_current(self: &Arc<Self>, after: &[Arc<dyn Event>]) -> Result<View> {
        self.map(after, true)
    }

    /// As [`Self::map_current`], for a host that overwrites all bytes: a failed copy is no error,
    /// and the bytes are undefined.
    ///
    /// # Errors
    /// [`ExecutorError::Mapped`], or the failure of an event.
    pub fn map_discard(self: &Arc<Self>, after: &[Arc<dyn Event>]) -> Result<View> {
        self.map(after, false)
    }

    fn map(self: &Arc<Self>, after: &[Arc<dyn Event>], current: bool) -> Result<View> {
        wait_all(after)?;
        loop {
            let last = self.state.lock().last.clone();
            if let Some(copy) = &last {
                let result = copy.wait();
                if current {
                    result?;
                }
            }
            let mut state = self.state.lock();
            let newer = match (&state.last, &last) {
                (Some(now), Some(waited)) => !Arc::ptr_eq(now, waited),
                (now, _) => now.is_some(),
            };
            if !newer {
                let bytes = state.bytes.take().ok_or(ExecutorError::Mapped)?;
                return Ok(View { buffer: Arc::clone(self), bytes });
            }
        }
    }

    /// Enqueues a copy that uses these bytes. `enqueue` gets their address and the copy to wait
    /// for, and returns the event of the new copy.
    pub(crate) fn copy(
        &self,
        enqueue: impl FnOnce(&mut [u8], Option<Arc<dyn Event>>) -> Result<Arc<dyn Event>>,
    ) -> Result<Arc<dyn Event>> {
        let mut state = self.state.lock();
        let last = state.last.clone();
        let event = enqueue(state.bytes.as_deref_mut().ok_or(ExecutorError::Mapped)?, last)?;
        state.last = Some(Arc::clone(&event));
        Ok(event)
    }
}

impl Drop for SharedBuffer {
    /// Waits for the copies under way, which use the bytes.
    fn drop(&mut self) {
        if let Some(copy) = self.state.get_mut().last.take() {
            let _ = copy.wait();
        }
    }
}

/// Access of the host to a shared buffer's bytes, until it is dropped.
#[derive(Debug)]
pub struct View {
    buffer: Arc<SharedBuffer>,
    bytes: Vec<u8>,
}

impl Deref for View {
    type Target = [u8];
    fn deref(&self) -> &[u8] {
        &self.bytes
    }
}

impl DerefMut for View {
    fn deref_mut(&mut self) -> &mut [u8] {
        &mut self.bytes
    }
}

impl Drop for View {
    fn drop(&mut self) {
        self.buffer.state.lock().bytes = Some(std::mem::take(&mut self.bytes));
    }
}
