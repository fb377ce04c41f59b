//! A batch: commands that go to the device as one Mux command buffer.
//!
//! Invariant: each command with an event is recorded between two callbacks of that event. A command
//! with a wait list is preceded by a check that skips it if an event of the list has failed. Not
//! here: when a batch is dispatched (`queue`).

use std::sync::Arc;

use muxcl_mux as mux;
use muxcl_mux::{CommandBuffer, MuxError, Semaphore, Wait};

use super::traced::TracedCommand;
use crate::core::device::Device;
use crate::core::epoch::Epoch;
use crate::core::event::Event;

/// The condition for the start of a command: no event of its wait list has failed, and its context
/// has not been terminated.
pub(super) type DependencyCheck = Arc<dyn mux::Condition>;

/// Commands that go to the device as one Mux command buffer.
#[derive(Debug)]
pub(super) struct Batch {
    pub(super) commands: CommandBuffer,
    /// The events of its commands.
    pub(super) events: Vec<Arc<Event>>,
    /// The device begins the batch when these have been signalled.
    pub(super) waits: Vec<Wait>,
    /// Signalled when the batch has completed.
    pub(super) signal: Option<Semaphore>,
    /// On an out-of-order queue: the epoch its commands belong to.
    pub(super) epoch: Option<Arc<Epoch>>,
    /// True if the last event belongs to the last command.
    pub(super) ends_with_event: bool,
    /// The times of the commands, for the trace; empty without a trace.
    pub(super) traced: Vec<Arc<TracedCommand>>,
}

impl Batch {
    pub(super) fn new(device: &Device) -> Self {
        Self {
            commands: device.mux().create_command_buffer(),
            events: Vec::new(),
            waits: Vec::new(),
            signal: None,
            epoch: None,
            ends_with_event: false,
            traced: Vec::new(),
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.commands.is_empty() && self.waits.is_empty()
    }

    /// Adds semaphores that the batch does not wait for yet.
    pub(super) fn wait_for(&mut self, waits: Vec<Wait>) {
        for wait in waits {
            if !self.waits_for(&wait) {
                self.waits.push(wait);
            }
        }
    }

    /// True if the batch waits for the same semaphore.
    pub(super) fn waits_for(&self, wait: &Wait) -> bool {
        self.waits.iter().any(|have| have.semaphore.is_same(&wait.semaphore))
    }

    /// True if `event` is that of the last command.
    pub(super) fn ends_with(&self, event: &Event) -> bool {
        self.ends_with_event && self.events.last().is_some_and(|last| std::ptr::eq(&**last, event))
    }

    /// Records a command of `commands` Mux commands between the callbacks of its event, preceded by
    /// its check. Reserves memory for one callback more, if the command has no event.
    ///
    /// # Errors
    /// The errors of `body`, and out of memory. The batch is then unchanged.
    pub(super) fn record(
        &mut self,
        event: Option<&Arc<Event>>,
        check: Option<DependencyCheck>,
        commands: usize,
        body: impl FnOnce(&mut CommandBuffer) -> Result<(), MuxError>,
    ) -> Result<(), MuxError> {
        let start = self.commands.len();
        let recorded = match (event, check) {
            (None, None) => {
                let result = body(&mut self.commands);
                debug_assert!(result.is_err() || self.commands.len() - start == commands);
                result
            }
            (event, check) => self.record_watched(event, check, commands, body),
        };
        // A callback follows the last command without an event. The dispatch that records it must
        // not fail, because other work already waits for the batch then.
        let recorded = recorded.and_then(|()| match event {
            None if !self.commands.is_empty() => self.commands.try_reserve(1),
            _ => Ok(()),
        });
        match recorded {
            Ok(()) => self.ends_with_event = event.is_some(),
            Err(_) => self.commands.truncate(start)?,
        }
        recorded
    }

    /// The part of [`Self::record`] for a command with an event or a check. On failure, the caller
    /// removes the commands that it has recorded.
    fn record_watched(
        &mut self,
        event: Option<&Arc<Event>>,
        check: Option<DependencyCheck>,
        commands: usize,
        body: impl FnOnce(&mut CommandBuffer) -> Result<(), MuxError>,
    ) -> Result<(), MuxError> {
        let list = &mut self.commands;
        let pool = event.and_then(|e| e.query());
        if let Some(event) = event {
            self.events.try_reserve(1).map_err(|_| MuxError::OutOfMemory)?;
            list.shared_callback(event.clone())?;
        }
        if let Some(check) = check {
            list.guard(check, commands + if pool.is_some() { 2 } else { 0 })?;
        }
        if let Some(pool) = pool {
            list.begin_query(pool, 0)?;
        }
        let before = list.len();
        body(list)?;
        debug_assert_eq!(list.len() - before, commands, "a check must know how much to skip");
        if let Some(pool) = pool {
            list.end_query(pool, 0)?;
        }
        if let Some(event) = event {
            list.shared_callback(event.clone())?;
            self.events.push(event.clone());
        }
        Ok(())
    }
}
