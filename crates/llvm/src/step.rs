//! What the calling thread compiles now, for the report of a crash.
//!
//! Invariant: [`current`] allocates nothing and takes no lock, so a signal handler may call it on
//! the thread that crashed. Not here: the report.

use std::cell::Cell;

/// Bytes of a kernel's name that are kept.
const NAME: usize = 96;

/// A step of a compilation.
#[derive(Clone, Copy)]
pub struct Step {
    request: &'static str,
    kernel: [u8; NAME],
    length: usize,
    pass: &'static str,
}

thread_local! {
    static STEP: Cell<Step> =
        const { Cell::new(Step { request: "", kernel: [0; NAME], length: 0, pass: "" }) };
}

impl Step {
    /// The request (`build`, `specialise`, ...); empty outside of requests.
    #[must_use]
    pub fn request(&self) -> &'static str {
        self.request
    }

    /// The kernel's name, at most 96 bytes of it; empty if the step is about all kernels.
    #[must_use]
    pub fn kernel(&self) -> &[u8] {
        self.kernel.get(..self.length).unwrap_or_default()
    }

    /// The pass, or another step inside the request.
    #[must_use]
    pub fn pass(&self) -> &'static str {
        self.pass
    }
}

impl std::fmt::Debug for Step {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Step")
            .field("request", &self.request)
            .field("kernel", &String::from_utf8_lossy(self.kernel()))
            .field("pass", &self.pass)
            .finish()
    }
}

/// A request begins.
pub fn begin(request: &'static str, kernel: &str) {
    let mut step = Step { request, kernel: [0; NAME], length: kernel.len().min(NAME), pass: "" };
    for (to, from) in step.kernel.iter_mut().zip(kernel.bytes()) {
        *to = from;
    }
    STEP.set(step);
}

/// A pass, or another step of the current request, begins.
#[inline]
pub fn enter(pass: &'static str) {
    // Not `set`: most of a step is the kernel's name.
    STEP.with(|slot| {
        let step = slot.as_ptr();
        // SAFETY: only this thread has access, and no reference to the step exists.
        unsafe { (*step).pass = pass };
    });
}

/// The calling thread's step.
#[must_use]
pub fn current() -> Step {
    STEP.get()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_step_has_the_latest_pass_and_its_own_kernel() {
        begin("specialise", "k");
        enter("vecz");
        let step = current();
        assert_eq!((step.request(), step.kernel(), step.pass()), ("specialise", &b"k"[..], "vecz"));
        begin("build", &"x".repeat(200));
        assert_eq!((current().kernel().len(), current().pass()), (NAME, ""));
        std::thread::spawn(|| assert_eq!(current().request(), "")).join().unwrap();
    }
}
