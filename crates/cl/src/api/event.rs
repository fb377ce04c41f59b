//! Events (specification, sections 5.11 and 5.14).

use std::ffi::c_void;

use muxcl_cl_macros::cl_entry;
use muxcl_cl_sys as sys;
use muxcl_cl_sys::{cl_context, cl_event, cl_event_info, cl_int, cl_profiling_info, cl_uint};
use muxcl_mux::SubmitHint;

use crate::checked::{self, UserData};
use crate::core::context::Context;
use crate::core::event::Event;
use crate::error::{ClError, ClResult};
use crate::explain::violated;
use crate::info::InfoOut;
use crate::object::{self, Borrowed, ClObject as _, borrow};

/// Reads a list of events, which must not be empty.
pub(super) fn list<'a>(
    count: cl_uint,
    events: *const cl_event,
) -> ClResult<Vec<Borrowed<'a, Event>>> {
    if count == 0 || events.is_null() {
        return Err(violated!(INVALID_VALUE, "if event_list is NULL or num_events is 0"));
    }
    let handles = checked::slice(events, count as usize, ClError::INVALID_VALUE)?;
    // CL_INVALID_EVENT if event objects specified in event_list are not valid event objects.
    handles.iter().map(|&handle| borrow::<Event>(handle)).collect()
}

#[cl_entry(clWaitForEvents)]
fn wait_for_events(num_events: cl_uint, event_list: *const cl_event) -> Result<(), ClError> {
    let events = list(num_events, event_list)?;
    // CL_INVALID_CONTEXT if events specified in event_list do not belong to the same context.
    let mut pairs = events.iter().zip(events.iter().skip(1));
    if pairs.any(|(a, b)| !a.context().is(b.context())) {
        return Err(ClError::INVALID_CONTEXT);
    }
    if events.len() > 1 {
        for event in &events {
            event.flush(SubmitHint::Background);
        }
    }
    let mut failed = false;
    for event in &events {
        failed |= event.wait() < 0;
    }
    // CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST if the execution status of any of the events in
    // event_list is a negative integer value.
    if failed { Err(ClError::EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST) } else { Ok(()) }
}

#[cl_entry(clGetEventInfo)]
fn get_event_info(
    event: cl_event,
    param_name: cl_event_info,
    param_value_size: usize,
    param_value: *mut c_void,
    param_value_size_ret: *mut usize,
) -> Result<(), ClError> {
    // CL_INVALID_EVENT if event is not a valid event object.
    let event = borrow::<Event>(event)?;
    let out = InfoOut::new(param_value_size, param_value, param_value_size_ret);
    let _written = match param_name {
        sys::CL_EVENT_COMMAND_QUEUE => {
            out.write(event.queue().map_or(std::ptr::null_mut(), |q| q.queue_handle()))
        }
        sys::CL_EVENT_CONTEXT => out.write(event.context().handle()),
        sys::CL_EVENT_COMMAND_TYPE => out.write(event.command()),
        sys::CL_EVENT_COMMAND_EXECUTION_STATUS => {
            let status = event.status();
            // Without this flush a program that only polls would wait for ever.
            if status == sys::CL_QUEUED {
                event.flush(SubmitHint::Background);
            }
            // If the system has refused to start a thread for the command, the calling thread runs
            // the command here. Otherwise a program that only polls would wait for ever.
            if status > sys::CL_COMPLETE
                && let Some(queue) = event.queue()
            {
                queue.mux().help_if_refused();
            }
            out.write(status)
        }
        sys::CL_EVENT_REFERENCE_COUNT => out.write(object::references(&*event)),
        _ => return Err(violated!(INVALID_VALUE, "if param_name is no query of this call")),
    }?;
    Ok(())
}

#[cl_entry(clRetainEvent)]
fn retain_event(event: cl_event) -> Result<(), ClError> {
    // CL_INVALID_EVENT if event is not a valid event object.
    object::retain::<Event>(event)
}

#[cl_entry(clReleaseEvent)]
fn release_event(event: cl_event) -> Result<(), ClError> {
    // CL_INVALID_EVENT if event is not a valid event object.
    let kept = borrow::<Event>(event)?.keep();
    object::release::<Event>(event)?;
    if object::references(&*kept) == 0 {
        kept.abandon();
    }
    Ok(())
}

#[cl_entry(clGetEventProfilingInfo)]
fn get_event_profiling_info(
    event: cl_event,
    param_name: cl_profiling_info,
    param_value_size: usize,
    param_value: *mut c_void,
    param_value_size_ret: *mut usize,
) -> Result<(), ClError> {
    // CL_INVALID_EVENT if event is a not a valid event object.
    let event = borrow::<Event>(event)?;
    // CL_PROFILING_INFO_NOT_AVAILABLE if the CL_QUEUE_PROFILING_ENABLE flag is not set for the
    // command-queue, if the execution status of the command identified by event is not CL_COMPLETE
    // or if event is a user event object.
    let profile = event.profile()?;
    let out = InfoOut::new(param_value_size, param_value, param_value_size_ret);
    let _written = match param_name {
        sys::CL_PROFILING_COMMAND_QUEUED => out.write(profile.queued),
        sys::CL_PROFILING_COMMAND_SUBMIT => out.write(profile.submitted),
        sys::CL_PROFILING_COMMAND_START => out.write(profile.start),
        sys::CL_PROFILING_COMMAND_END => out.write(profile.end),
        sys::CL_PROFILING_COMMAND_COMPLETE => out.write(profile.complete),
        _ => return Err(violated!(INVALID_VALUE, "if param_name is no query of this call")),
    }?;
    Ok(())
}

#[cl_entry(clSetEventCallback)]
fn set_event_callback(
    event: cl_event,
    command_exec_callback_type: cl_int,
    pfn_notify: Option<unsafe extern "C" fn(cl_event, cl_int, *mut c_void)>,
    user_data: *mut c_void,
) -> Result<(), ClError> {
    // CL_INVALID_EVENT if event is not a valid event object.
    let event = borrow::<Event>(event)?;
    // CL_INVALID_VALUE if pfn_event_notify is NULL or if command_exec_callback_type is not
    // CL_SUBMITTED, CL_RUNNING, or CL_COMPLETE.
    let notify = pfn_notify.ok_or(ClError::INVALID_VALUE)?;
    if !matches!(command_exec_callback_type, sys::CL_SUBMITTED | sys::CL_RUNNING | sys::CL_COMPLETE)
    {
        return Err(ClError::INVALID_VALUE);
    }
    event.on_status(command_exec_callback_type, notify, UserData(user_data))
}

#[cl_entry(clCreateUserEvent)]
fn create_user_event(context: cl_context) -> Result<cl_event, ClError> {
    // CL_INVALID_CONTEXT if context is not a valid context.
    let context = Context::live(context)?;
    Ok(Event::user(context.keep())?.handle())
}

#[cl_entry(clSetUserEventStatus)]
fn set_user_event_status(event: cl_event, execution_status: cl_int) -> Result<(), ClError> {
    // CL_INVALID_EVENT if event is not a valid user event object.
    let event = borrow::<Event>(event)?;
    if event.queue().is_some() {
        return Err(ClError::INVALID_EVENT);
    }
    if execution_status > sys::CL_COMPLETE {
        return Err(violated!(INVALID_VALUE, "if the status is neither CL_COMPLETE nor negative"));
    }
    // CL_INVALID_OPERATION if the execution_status for event has already been changed by a previous
    // call to clSetUserEventStatus. A callback may release the event, so keep a reference.
    event.keep().set_user_status(execution_status)
}
