//! The wrapper that `#[cl_entry]` puts around every entry point: the flag word, the panic boundary,
//! and the result as an error code.
//!
//! Invariants: no panic unwinds into the application. With log and trace off, an entry point costs
//! four relaxed loads more than its body. When memory has run out, calls that allocate are refused
//! here. Not here: validation, and the text of the sentence for an error (`explain`).

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicU32, Ordering};

use muxcl_cl_sys::{CL_SUCCESS, cl_int};

use crate::error::{ClError, ClResult};
use crate::explain::{self, Argument, report, violated};
use crate::object::kept;
use muxcl_os::reserve;

const LOG: u32 = 1;
const DEINIT: u32 = 2;
const TRACE: u32 = 4;

/// 0 on the fast path: no log, no trace, not shut down.
static FLAGS: AtomicU32 = AtomicU32::new(0);

/// Turns the log of calls on or off (`tracing` target `cl::api`, level trace).
pub fn set_call_trace(on: bool) {
    if on {
        FLAGS.fetch_or(LOG, Ordering::Relaxed);
    } else {
        FLAGS.fetch_and(!LOG, Ordering::Relaxed);
    }
}

/// Adds every later call to the trace ([`muxcl_trace::start`]).
pub fn trace_calls() {
    FLAGS.fetch_or(TRACE, Ordering::Relaxed);
}

/// Makes every later entry point fail with `CL_OUT_OF_HOST_MEMORY`, for a host that unloads the
/// driver's state. The driver itself never calls it, because it destroys nothing at exit.
pub fn deinit() {
    FLAGS.fetch_or(DEINIT, Ordering::Relaxed);
}

/// The result of an entry point that fails without an error code.
pub trait FailureValue {
    /// NULL, or nothing.
    const FAILURE: Self;
}

impl<T> FailureValue for *mut T {
    const FAILURE: Self = std::ptr::null_mut();
}

impl FailureValue for () {
    const FAILURE: Self = ();
}

/// One entry point.
#[derive(Clone, Copy, Debug)]
pub struct Entry {
    name: &'static str,
}

impl Entry {
    /// An entry point with this name. Called by the code that `#[cl_entry]` generates.
    #[must_use]
    pub const fn new(name: &'static str) -> Self {
        Self { name }
    }

    /// Runs an entry point that returns an error code.
    #[inline]
    pub fn code<const N: usize>(
        self,
        body: impl FnOnce() -> ClResult<()>,
        arguments: impl Fn() -> [Argument; N],
    ) -> cl_int {
        match self.run(body) {
            Ok(()) => CL_SUCCESS,
            Err(error) => self.failed(error, arguments),
        }
    }

    /// Runs an entry point that creates an object.
    #[inline]
    pub fn create<T: FailureValue, const N: usize>(
        self,
        body: impl FnOnce() -> ClResult<T>,
        arguments: impl Fn() -> [Argument; N],
    ) -> (T, cl_int) {
        match self.run(body) {
            Ok(value) => (value, CL_SUCCESS),
            Err(error) => (T::FAILURE, self.failed(error, arguments)),
        }
    }

    /// Runs an entry point that may return both an object and an error.
    #[inline]
    pub fn create_always<T: FailureValue, const N: usize>(
        self,
        body: impl FnOnce() -> (T, ClResult<()>),
        arguments: impl Fn() -> [Argument; N],
    ) -> (T, cl_int) {
        match self.run(|| Ok(body())) {
            Ok((value, Ok(()))) => (value, CL_SUCCESS),
            Ok((value, Err(error))) => (value, self.failed(error, arguments)),
            Err(error) => (T::FAILURE, self.failed(error, arguments)),
        }
    }

    /// Runs any other entry point.
    #[inline]
    pub fn plain<T: FailureValue>(self, body: impl FnOnce() -> T) -> T {
        self.run(|| Ok(body())).unwrap_or(T::FAILURE)
    }

    /// Reports an error to `MUXCL_EXPLAIN` and to the context's callback, if there is one. Returns
    /// the code.
    #[inline]
    fn failed<const N: usize>(
        self,
        error: ClError,
        arguments: impl Fn() -> [Argument; N],
    ) -> cl_int {
        if explain::is_wanted() {
            report::report(self.name, error, &arguments());
        }
        error.code()
    }

    /// Runs `body` and releases the objects that the call kept. A panic is an error.
    #[inline]
    fn run<T>(self, body: impl FnOnce() -> ClResult<T>) -> ClResult<T> {
        let mark = kept::mark();
        let result = self.run_inside(body);
        kept::release_borrowed(mark);
        result
    }

    #[inline]
    fn run_inside<T>(self, body: impl FnOnce() -> ClResult<T>) -> ClResult<T> {
        if FLAGS.load(Ordering::Relaxed) != 0 || reserve::is_low() {
            return self.run_slow(body);
        }
        match catch_unwind(AssertUnwindSafe(body)) {
            Ok(result) => result,
            Err(payload) => Err(self.panicked(payload)),
        }
    }

    #[cold]
    fn run_slow<T>(self, body: impl FnOnce() -> ClResult<T>) -> ClResult<T> {
        if FLAGS.load(Ordering::Relaxed) & DEINIT != 0 {
            return Err(violated!(OUT_OF_HOST_MEMORY, "because the driver has been shut down"));
        }
        if reserve::is_low() && !self.gives_back() && !reserve::try_restore() {
            return Err(ClError::OUT_OF_HOST_MEMORY);
        }
        let mut slice = muxcl_trace::slice("api", self.name);
        let start = std::time::Instant::now();
        let result = catch_unwind(AssertUnwindSafe(body));
        let micros = start.elapsed().as_micros();
        match result {
            Ok(result) => {
                let outcome = result.as_ref().err().map_or("CL_SUCCESS", |e| e.name());
                if let Some(slice) = &mut slice {
                    slice.set_result(outcome);
                }
                tracing::trace!(target: "cl::api", call = self.name, result = outcome, micros = %micros);
                result
            }
            Err(payload) => Err(self.panicked(payload)),
        }
    }

    /// True if the call frees memory, waits or queries. Such a call may use the memory reserve, so
    /// that an application can recover when memory has run out.
    fn gives_back(self) -> bool {
        [
            "clRelease",
            "clGet",
            "clFinish",
            "clFlush",
            "clWait",
            "clUnload",
            "clSVMFree",
            "clMemFree",
            "clMemBlockingFree",
            "clSetUserEvent",
            "clEnqueueUnmap",
        ]
        .iter()
        .any(|start| self.name.starts_with(start))
    }

    #[cold]
    fn panicked(self, payload: Box<dyn std::any::Any + Send>) -> ClError {
        let text = payload
            .downcast_ref::<&str>()
            .copied()
            .or_else(|| payload.downcast_ref::<String>().map(String::as_str))
            .unwrap_or("unknown payload");
        tracing::error!(target: "cl::api", call = self.name, "internal error: panic: {text}");
        let error = violated!(
            OUT_OF_HOST_MEMORY,
            "for an internal error of the driver, which is a bug";
            "panic: {text}"
        );
        // A payload whose own destructor panics must not unwind into the application.
        std::mem::forget(payload);
        error
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use muxcl_cl_sys::CL_OUT_OF_HOST_MEMORY;

    #[test]
    fn results_become_codes_and_panics_stay_inside() {
        let entry = Entry::new("clTest");
        assert_eq!(entry.code(|| Ok(()), || []), CL_SUCCESS);
        assert_eq!(entry.code(|| Err(ClError::INVALID_VALUE), || []), -30);
        assert_eq!(entry.code(|| panic!("on purpose"), || []), CL_OUT_OF_HOST_MEMORY);
        let mut x = 5_u8;
        let pointer: *mut u8 = &raw mut x;
        assert_eq!(entry.create(|| Ok(pointer), || []), (pointer, 0));
        assert_eq!(
            entry.create::<*mut u8, 0>(|| Err(ClError::INVALID_CONTEXT), || []),
            (std::ptr::null_mut(), -34)
        );
        assert_eq!(
            entry.create::<*mut u8, 0>(|| panic!("on purpose"), || []),
            (std::ptr::null_mut(), -6)
        );
        assert!(entry.plain::<*mut u8>(|| panic!("on purpose")).is_null());
        set_call_trace(true);
        assert_eq!(entry.code(|| Err(ClError::INVALID_VALUE), || []), -30);
        set_call_trace(false);
    }
}
