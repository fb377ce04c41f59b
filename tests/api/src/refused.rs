//! Errors that many entry points share: invalid queues and wait lists, and exhausted resources.

use muxcl_cl_sys as sys;
use muxcl_cl_sys::{cl_context, cl_event};
use muxcl_mux::MuxError;

use crate::{code, context, make};

/// Events for invalid wait lists.
#[derive(Debug)]
pub struct Waits {
    /// A complete event of the context.
    pub good: cl_event,
    /// A failed event of the context.
    pub failed: cl_event,
    /// An event of another context.
    pub foreign: cl_event,
    elsewhere: cl_context,
}

impl Waits {
    /// Creates the events, for queues of a context.
    #[must_use]
    pub fn new(c: cl_context) -> Self {
        let elsewhere = context();
        let [good, failed, foreign] = [c, c, elsewhere].map(|c| make!(clCreateUserEvent(c)));
        code!(CL_SUCCESS, clSetUserEventStatus(good, sys::CL_COMPLETE));
        code!(CL_SUCCESS, clSetUserEventStatus(failed, -1));
        code!(CL_SUCCESS, clSetUserEventStatus(foreign, sys::CL_COMPLETE));
        Self { good, failed, foreign, elsewhere }
    }
}

impl Drop for Waits {
    fn drop(&mut self) {
        for event in [self.good, self.failed, self.foreign] {
            code!(CL_SUCCESS, clReleaseEvent(event));
        }
        code!(CL_SUCCESS, clReleaseContext(self.elsewhere));
    }
}

/// Asserts that an enqueue fails with each code for its cause:
/// `enqueue_fails!(CL_INVALID_COMMAND_QUEUE CL_INVALID_EVENT_WAIT_LIST, clEnqueueReadBuffer(queue,
/// ...), waits)`, without the wait list and the event. The call must be valid otherwise; `waits` is
/// a [`Waits`]. Without `waits`, the call as given returns the one code.
#[macro_export]
macro_rules! enqueue_fails {
    ($code:ident, $name:ident($($argument:expr),* $(,)?)) => {
        $crate::code!($code, $name($($argument,)* 0, std::ptr::null(), std::ptr::null_mut()))
    };
    ($($code:ident)+, $name:ident $arguments:tt, $waits:expr) => {
        $($crate::enqueue_fails!(@ code $code $name $arguments, $waits);)+
    };
    (@ $check:ident CL_INVALID_COMMAND_QUEUE $name:ident ($queue:expr $(, $argument:expr)* $(,)?),
        $waits:expr) => {
        for bad in $crate::bad_handles::<muxcl_cl_sys::_cl_command_queue>() {
            $crate::$check!(CL_INVALID_COMMAND_QUEUE, $name(bad, $($argument,)* 0,
                std::ptr::null(), std::ptr::null_mut()));
        }
    };
    (@ $check:ident CL_INVALID_CONTEXT $name:ident ($queue:expr $(, $argument:expr)* $(,)?),
        $waits:expr) => {
        $crate::$check!(CL_INVALID_CONTEXT, $name($queue, $($argument,)* 1,
            &raw const $waits.foreign, std::ptr::null_mut()))
    };
    (@ $check:ident CL_INVALID_EVENT_WAIT_LIST $name:ident ($queue:expr $(,
        $argument:expr)* $(,)?), $waits:expr) => {
        let (good, null) = (&raw const $waits.good, std::ptr::null_mut());
        $crate::$check!(CL_INVALID_EVENT_WAIT_LIST, $name($queue, $($argument,)* 1,
            std::ptr::null(), null));
        $crate::$check!(CL_INVALID_EVENT_WAIT_LIST, $name($queue, $($argument,)* 0, good, null));
        for bad in $crate::bad_handles::<muxcl_cl_sys::_cl_event>() {
            let list = [$waits.good, bad];
            $crate::$check!(CL_INVALID_EVENT_WAIT_LIST, $name($queue, $($argument,)* 2,
                list.as_ptr(), null));
        }
    };
    (@ $check:ident CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST $name:ident ($queue:expr $(,
        $argument:expr)* $(,)?), $waits:expr) => {
        $crate::$check!(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST,
            $name($queue, $($argument,)* 1, &raw const $waits.failed, std::ptr::null_mut()))
    };
}

/// As `enqueue_fails!`, for commands that return a pointer and have `errcode_ret`.
#[macro_export]
macro_rules! map_fails {
    ($code:ident, $name:ident($($argument:expr),* $(,)?)) => {
        $crate::fails!($code, $name($($argument,)* 0, std::ptr::null(), std::ptr::null_mut()))
    };
    ($($code:ident)+, $name:ident $arguments:tt, $waits:expr) => {
        $($crate::enqueue_fails!(@ fails $code $name $arguments, $waits);)+
    };
}

/// Asserts that a call fails with these codes if the device has no memory
/// (`CL_MEM_OBJECT_ALLOCATION_FAILURE`) or no other resources (`CL_OUT_OF_RESOURCES`):
/// `starves!(CL_MEM_OBJECT_ALLOCATION_FAILURE CL_OUT_OF_RESOURCES, clCreateBuffer(...), new)`. The
/// last word names the omitted parameters: `new` for `errcode_ret`, `enqueue` for wait list and
/// event, `map` for all of these.
#[macro_export]
macro_rules! starves {
    ($($code:ident)+, $name:ident $arguments:tt) => {
        $($crate::starved(muxcl_cl_sys::$code, || { $crate::code!($code, $name $arguments); });)+
    };
    ($($code:ident)+, $name:ident $arguments:tt, enqueue) => {
        $($crate::starved(muxcl_cl_sys::$code, || $crate::enqueue_fails!($code,
            $name $arguments));)+
    };
    ($($code:ident)+, $name:ident $arguments:tt, map) => {
        $($crate::starved(muxcl_cl_sys::$code, || { $crate::map_fails!($code,
            $name $arguments); });)+
    };
    ($($code:ident)+, $name:ident $arguments:tt, new) => {
        $($crate::starved(muxcl_cl_sys::$code, || { $crate::fails!($code, $name $arguments); });)+
    };
}

/// Runs `run` while null devices refuse this thread every allocation, so that they fail with
/// `code`.
pub fn starved(code: sys::cl_int, run: impl FnOnce()) {
    muxcl_mux_null::fail(Some(match code {
        sys::CL_MEM_OBJECT_ALLOCATION_FAILURE => MuxError::OutOfMemory,
        _ => MuxError::OutOfResources("a test took all".into()),
    }));
    run();
    muxcl_mux_null::fail(None);
}

/// Sets the process's limit of address space to the present use plus `more` bytes; `None` removes
/// the limit.
///
/// # Panics
/// If the system refuses.
pub fn limit_memory(more: Option<u64>) {
    let soft = more.map_or(libc::RLIM_INFINITY, |more| {
        let text = std::fs::read_to_string("/proc/self/statm").unwrap();
        text.split(' ').next().unwrap().parse::<u64>().unwrap() * 4096 + more
    });
    let limit = libc::rlimit { rlim_cur: soft, rlim_max: libc::RLIM_INFINITY };
    // SAFETY: the structure is whole.
    assert_eq!(unsafe { libc::setrlimit(libc::RLIMIT_AS, &raw const limit) }, 0);
}
