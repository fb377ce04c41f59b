//! The wrapper that `#[cl_entry]` puts around every entry point: the flag word, the panic boundary,
//! and the result as an error code.
//!
//! Invariants: no panic unwinds into the application. With tracing off, an entry point costs four
//! relaxed loads more than its body. When memory has run out, calls that allocate are refused here.
//! Not here: validation.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicU32, Ordering};

use muxcl_cl_sys::{CL_OUT_OF_HOST_MEMORY, CL_SUCCESS, cl_int};

use crate::error::{ClError, ClResult};
use crate::object::kept;
use muxcl_os::reserve;

const TRACE: u32 = 1;
const DEINIT: u32 = 2;

/// 0 on the fast path: no tracing, not shut down.
static FLAGS: AtomicU32 = AtomicU32::new(0);

/// Turns the log of calls on or off (`tracing` target `cl::api`, level trace).
pub fn set_call_trace(on: bool) {
    if on {
        FLAGS.fetch_or(TRACE, Ordering::Relaxed);
    } else {
        FLAGS.fetch_and(!TRACE, Ordering::Relaxed);
    }
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
    pub fn code(self, body: impl FnOnce() -> ClResult<()>) -> cl_int {
        match self.run(body) {
            Some(Ok(())) => CL_SUCCESS,
            Some(Err(error)) => error.code(),
            None => CL_OUT_OF_HOST_MEMORY,
        }
    }

    /// Runs an entry point that creates an object.
    #[inline]
    pub fn create<T: FailureValue>(self, body: impl FnOnce() -> ClResult<T>) -> (T, cl_int) {
        match self.run(body) {
            Some(Ok(value)) => (value, CL_SUCCESS),
            Some(Err(error)) => (T::FAILURE, error.code()),
            None => (T::FAILURE, CL_OUT_OF_HOST_MEMORY),
        }
    }

    /// Runs any other entry point.
    #[inline]
    pub fn plain<T: FailureValue>(self, body: impl FnOnce() -> T) -> T {
        match self.run(|| Ok(body())) {
            Some(Ok(value)) => value,
            _ => T::FAILURE,
        }
    }

    /// Runs `body` and releases the objects that the call kept. `None` after a panic.
    #[inline]
    fn run<T>(self, body: impl FnOnce() -> ClResult<T>) -> Option<ClResult<T>> {
        let mark = kept::mark();
        let result = self.run_inside(body);
        kept::release_borrowed(mark);
        result
    }

    #[inline]
    fn run_inside<T>(self, body: impl FnOnce() -> ClResult<T>) -> Option<ClResult<T>> {
        if FLAGS.load(Ordering::Relaxed) != 0 || reserve::is_low() {
            return self.run_slow(body);
        }
        match catch_unwind(AssertUnwindSafe(body)) {
            Ok(result) => Some(result),
            Err(payload) => {
                self.panicked(payload);
                None
            }
        }
    }

    #[cold]
    fn run_slow<T>(self, body: impl FnOnce() -> ClResult<T>) -> Option<ClResult<T>> {
        if FLAGS.load(Ordering::Relaxed) & DEINIT != 0 {
            return Some(Err(ClError::OUT_OF_HOST_MEMORY));
        }
        if reserve::is_low() && !self.gives_back() && !reserve::try_restore() {
            return Some(Err(ClError::OUT_OF_HOST_MEMORY));
        }
        let start = std::time::Instant::now();
        let result = catch_unwind(AssertUnwindSafe(body));
        let micros = start.elapsed().as_micros();
        match result {
            Ok(result) => {
                let outcome = result.as_ref().err().map_or("CL_SUCCESS", |e| e.name());
                tracing::trace!(target: "cl::api", call = self.name, result = outcome, micros = %micros);
                Some(result)
            }
            Err(payload) => {
                self.panicked(payload);
                None
            }
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
    fn panicked(self, payload: Box<dyn std::any::Any + Send>) {
        let text = payload
            .downcast_ref::<&str>()
            .copied()
            .or_else(|| payload.downcast_ref::<String>().map(String::as_str))
            .unwrap_or("unknown payload");
        tracing::error!(target: "cl::api", call = self.name, "internal error: panic: {text}");
        // A payload whose own destructor panics must not unwind into the application.
        std::mem::forget(payload);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_become_codes_and_panics_stay_inside() {
        let entry = Entry::new("clTest");
        assert_eq!(entry.code(|| Ok(())), CL_SUCCESS);
        assert_eq!(entry.code(|| Err(ClError::INVALID_VALUE)), -30);
        assert_eq!(entry.code(|| panic!("on purpose")), CL_OUT_OF_HOST_MEMORY);
        let mut x = 5_u8;
        let pointer: *mut u8 = &raw mut x;
        assert_eq!(entry.create(|| Ok(pointer)), (pointer, 0));
        assert_eq!(
            entry.create::<*mut u8>(|| Err(ClError::INVALID_CONTEXT)),
            (std::ptr::null_mut(), -34)
        );
        assert_eq!(entry.create::<*mut u8>(|| panic!("on purpose")), (std::ptr::null_mut(), -6));
        assert!(entry.plain::<*mut u8>(|| panic!("on purpose")).is_null());
        set_call_trace(true);
        assert_eq!(entry.code(|| Err(ClError::INVALID_VALUE)), -30);
        set_call_trace(false);
    }
}
