//! Blocking commands that run on the thread that enqueues them.
//!
//! A blocking transfer on a device that shares the host's memory is a plain copy. If it has no
//! unfinished dependency, the calling thread copies and the device is not involved.
//!
//! Invariant: such a command has a place in its queue's order like any other command. One atomic
//! step checks that it may begin and records that it has begun. Not here: which commands run this
//! way (`api::enqueue_*`).

use std::sync::Arc;

use muxcl_cl_sys as sys;
use muxcl_cl_sys::{cl_command_type, cl_event};
use muxcl_mux::{Condition as _, MuxError};

use super::traced::ran_on_caller;
use super::{Queue, error_of, return_event};
use crate::core::epoch::Epoch;
use crate::core::event::{Event, status_of};
use crate::error::ClResult;
use crate::object::Borrowed;

impl Queue {
    /// Takes a place in the queue's order for a blocking command that runs on the calling thread.
    /// `None` if the command would have to wait for other work first.
    ///
    /// The check and the taking are one atomic step. Commands that other threads enqueue later, and
    /// their `clFinish`, wait until the [`CallerRuns`] is dropped.
    pub fn try_run_on_caller<'a>(
        queue: Borrowed<'a, Self>,
        waits: &[Borrowed<'_, Event>],
    ) -> Option<CallerRuns<'a>> {
        if !waits.iter().all(|e| e.outcome() == Some(sys::CL_COMPLETE)) {
            return None;
        }
        if queue.caller_slot.try_take() {
            return Some(CallerRuns { queue, epoch: None });
        }
        let state = queue.state.lock();
        if queue.in_order() {
            let may_begin = || state.open.is_empty() && state.sequence.is_idle();
            let taken = queue.caller_slot.take(may_begin);
            return taken.then(|| CallerRuns { queue, epoch: None });
        }
        if state.barrier.as_ref().is_some_and(|barrier| !barrier.is_signalled()) {
            return None;
        }
        // Another thread may have the slot.
        let taken = queue.caller_slot.take(|| true);
        let epoch = (!taken).then(|| state.epoch.enter());
        Some(CallerRuns { queue, epoch })
    }

    /// Releases the slot of a calling thread for which other work waits, and starts that work.
    #[cold]
    fn release_awaited_slot(&self) {
        let mut state = self.state.lock();
        let end = state.sequence.release(&self.caller_slot);
        let epoch = state.caller_epoch.take();
        drop(state);
        if let Some(end) = end {
            end.signal(true);
        }
        if let Some(epoch) = epoch {
            epoch.leave();
        }
    }
}

/// A place in a queue's order for a command that the calling thread runs, from
/// [`Queue::try_run_on_caller`]. On drop, commands behind it may begin.
#[derive(Debug)]
pub struct CallerRuns<'a> {
    queue: Borrowed<'a, Queue>,
    /// The epoch of the command, on an out-of-order queue whose slot another thread has. `None` for
    /// the thread that has the slot.
    epoch: Option<Arc<Epoch>>,
}

impl CallerRuns<'_> {
    /// Runs the command `command` now. Returns the event's handle (with one reference) if one was
    /// requested, else NULL.
    ///
    /// # Errors
    /// The error of `work`; `CL_CONTEXT_TERMINATED_KHR`, `CL_OUT_OF_HOST_MEMORY`.
    pub fn run(
        self,
        command: cl_command_type,
        wants_event: bool,
        work: impl FnOnce() -> Result<(), MuxError>,
    ) -> ClResult<cl_event> {
        let queue = self.queue;
        let work = || {
            if !muxcl_trace::is_on() {
                return work();
            }
            let begin = muxcl_os::now_ns();
            let result = work();
            ran_on_caller(&queue.track, command, begin);
            result
        };
        if !wants_event && !queue.terminable {
            work().map_err(|error| error_of(&error))?;
            return queue.failures.take().map(|()| std::ptr::null_mut());
        }
        let event = Event::of_command(queue.keep(), command, true)?;
        let clock = || queue.device.mux().timestamp();
        event.submitted(event.query().map_or(0, |_| clock()));
        // Before the check of the context: from here on termination waits for the command.
        event.begin();
        if let Some(pool) = event.query() {
            pool.record_start(0, clock());
        }
        let result = if queue.terminable { queue.context.check() } else { Ok(()) };
        let result = result.and_then(|()| work());
        if let Some(pool) = event.query() {
            pool.record_end(0, clock());
        }
        event.complete(result.as_ref().err().map_or(sys::CL_COMPLETE, status_of));
        let result = match result {
            Err(MuxError::DependencyFailed) => queue.alive(),
            other => other.map_err(|error| error_of(&error)),
        };
        return_event(Some(event), wants_event, result.and_then(|()| queue.failures.take()))
    }
}

impl Drop for CallerRuns<'_> {
    fn drop(&mut self) {
        match self.epoch.take() {
            Some(epoch) => epoch.leave(),
            None if self.queue.caller_slot.try_release() => {}
            None => self.queue.release_awaited_slot(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::api;
    use crate::object::borrow;
    use muxcl_cl_sys::{cl_command_queue, cl_command_queue_properties};
    use std::ptr::{null, null_mut};
    use std::sync::mpsc::channel;
    use std::time::Duration;

    /// Time for which a test watches a call that must not return.
    const WATCHED: Duration = Duration::from_millis(100);

    /// The address of a new queue of the null device. Threads can share an address, but no pointer.
    fn queue(properties: cl_command_queue_properties) -> usize {
        crate::install(|| vec![muxcl_mux_null::NullDevice::create()]);
        let (mut platform, mut device, mut code) = (null_mut(), null_mut(), 1);
        // SAFETY: room for one platform.
        let found = unsafe { api::clGetPlatformIDs(1, &raw mut platform, null_mut()) };
        assert_eq!(found, sys::CL_SUCCESS);
        // SAFETY: room for one device.
        let found = unsafe {
            api::clGetDeviceIDs(platform, sys::CL_DEVICE_TYPE_ALL, 1, &raw mut device, null_mut())
        };
        assert_eq!(found, sys::CL_SUCCESS);
        // SAFETY: one device.
        let context = unsafe {
            api::clCreateContext(null(), 1, &raw const device, None, null_mut(), &raw mut code)
        };
        assert_eq!(code, sys::CL_SUCCESS);
        // SAFETY: the context and its device.
        let queue =
            unsafe { api::clCreateCommandQueue(context, device, properties, &raw mut code) };
        assert_eq!(code, sys::CL_SUCCESS);
        queue.expose_provenance()
    }

    fn at(queue: usize) -> cl_command_queue {
        std::ptr::with_exposed_provenance_mut(queue)
    }

    /// Starts a copy on one thread and, while it is under way, `other` on a second one. Asserts
    /// that `other` returns after the copy.
    fn copy_delays(queue: usize, other: impl FnOnce(cl_command_queue) + Send) {
        let (begun, has_begun) = channel();
        let (go_on, may_go_on) = channel::<()>();
        let (returned, has_returned) = channel();
        std::thread::scope(|threads| {
            threads.spawn(move || {
                let place = Queue::try_run_on_caller(borrow(at(queue)).unwrap(), &[]).unwrap();
                place
                    .run(sys::CL_COMMAND_WRITE_BUFFER, false, || {
                        begun.send(()).unwrap();
                        may_go_on.recv().unwrap();
                        Ok(())
                    })
                    .unwrap();
            });
            has_begun.recv().unwrap();
            threads.spawn(move || {
                other(at(queue));
                returned.send(()).unwrap();
            });
            let early = has_returned.recv_timeout(WATCHED);
            assert!(early.is_err(), "the copy was still under way");
            go_on.send(()).unwrap();
            has_returned.recv().unwrap();
        });
    }

    fn finish(queue: cl_command_queue) {
        // SAFETY: a queue.
        assert_eq!(unsafe { api::clFinish(queue) }, sys::CL_SUCCESS);
    }

    /// Enqueues a marker behind everything and waits for it.
    fn marker(queue: cl_command_queue) {
        let mut event = null_mut();
        // SAFETY: no wait list, room for an event.
        let code = unsafe { api::clEnqueueMarkerWithWaitList(queue, 0, null(), &raw mut event) };
        assert_eq!(code, sys::CL_SUCCESS);
        // SAFETY: one event.
        assert_eq!(unsafe { api::clWaitForEvents(1, &raw const event) }, sys::CL_SUCCESS);
    }

    /// Enqueues a barrier and a marker behind it, and waits for the marker.
    fn barrier(queue: cl_command_queue) {
        // SAFETY: no wait list, no event.
        let code = unsafe { api::clEnqueueBarrierWithWaitList(queue, 0, null(), null_mut()) };
        assert_eq!(code, sys::CL_SUCCESS);
        marker(queue);
    }

    #[test]
    fn a_copy_under_way_delays_finish() {
        copy_delays(queue(0), finish);
        copy_delays(queue(sys::CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE), finish);
    }

    #[test]
    fn a_copy_under_way_delays_later_commands() {
        copy_delays(queue(0), marker);
        copy_delays(queue(sys::CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE), marker);
        copy_delays(queue(0), barrier);
        copy_delays(queue(sys::CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE), barrier);
    }

    #[test]
    fn each_of_two_copies_under_way_delays_finish() {
        let queue = queue(sys::CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
        for first_ends_first in [true, false] {
            let begin = || Queue::try_run_on_caller(borrow(at(queue)).unwrap(), &[]).unwrap();
            let (first, second) = (begin(), begin());
            let (ends, stays) = if first_ends_first { (first, second) } else { (second, first) };
            let (returned, has_returned) = channel();
            std::thread::scope(|threads| {
                threads.spawn(move || {
                    finish(at(queue));
                    returned.send(()).unwrap();
                });
                let early = has_returned.recv_timeout(WATCHED);
                assert!(early.is_err(), "two copies were under way");
                drop(ends);
                let early = has_returned.recv_timeout(WATCHED);
                assert!(early.is_err(), "a copy was still under way");
                drop(stays);
                has_returned.recv().unwrap();
            });
        }
    }

    /// The slot is free again after copies and commands, so later copies need no lock.
    #[test]
    fn a_queue_that_is_idle_again_runs_copies_on_the_caller() {
        for properties in [0, sys::CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE] {
            let queue = at(queue(properties));
            for _ in 0..3 {
                barrier(queue);
                finish(queue);
                let copy = Queue::try_run_on_caller(borrow(queue).unwrap(), &[]).unwrap();
                assert!(copy.epoch.is_none());
                drop(copy);
                let slot = &borrow::<Queue>(queue).unwrap().get().caller_slot;
                assert!(slot.try_take(), "the copy has released the slot");
                assert!(slot.try_release());
            }
        }
    }

    #[test]
    fn a_second_copy_on_an_in_order_queue_is_enqueued() {
        let queue = at(queue(0));
        let first = Queue::try_run_on_caller(borrow(queue).unwrap(), &[]).unwrap();
        assert!(Queue::try_run_on_caller(borrow(queue).unwrap(), &[]).is_none());
        drop(first);
        assert!(Queue::try_run_on_caller(borrow(queue).unwrap(), &[]).is_some());
    }
}
