//! Crashes: the reply of a request that ends the process.
//!
//! A signal handler runs on the thread that crashed. It sends the reply of that thread's request,
//! with the step where it happened, and ends the process. Requests of other threads get no reply;
//! the driver repeats them.
//!
//! Invariant: nothing here allocates or takes a lock after [`install`].

use std::cell::Cell;
use std::ffi::{c_int, c_void};
use std::fmt::Write as _;

use muxcl_compiler_abi::wire::{self, Reply};
use muxcl_llvm::step;

/// Exit status after a crash, and after a bound.
const EXIT: i32 = 70;
/// Bytes of a handler's stack. A crash may be an overflow of the thread's own stack.
const STACK: usize = 64 << 10;

thread_local! {
    /// The descriptor for the reply to this thread's request; -1 outside of requests.
    static REPLY: Cell<c_int> = const { Cell::new(-1) };
}

/// The calling thread's request is answered on `descriptor`; -1 ends the request.
pub(crate) fn answer_on(descriptor: c_int) {
    REPLY.set(descriptor);
}

const FAULTS: [(c_int, &str); 7] = [
    (libc::SIGSEGV, "SIGSEGV"),
    (libc::SIGBUS, "SIGBUS"),
    (libc::SIGILL, "SIGILL"),
    (libc::SIGTRAP, "SIGTRAP"),
    (libc::SIGFPE, "SIGFPE"),
    (libc::SIGABRT, "SIGABRT"),
    (libc::SIGSYS, "SIGSYS"),
];

/// Installs the handlers of this process.
pub(crate) fn install() {
    for signal in FAULTS.iter().map(|(signal, _)| *signal).chain([libc::SIGXCPU]) {
        // SAFETY: all zeros is a valid sigaction.
        let mut action: libc::sigaction = unsafe { std::mem::zeroed() };
        action.sa_sigaction =
            on_signal as extern "C" fn(c_int, *mut libc::siginfo_t, *mut c_void) as usize;
        action.sa_flags = libc::SA_SIGINFO | libc::SA_ONSTACK;
        // SAFETY: a writable set.
        unsafe { libc::sigfillset(&raw mut action.sa_mask) };
        // SAFETY: the handler has the type that SA_SIGINFO wants.
        unsafe { libc::sigaction(signal, &raw const action, std::ptr::null_mut()) };
    }
}

/// Gives the calling thread a stack for the handlers, and lets the signal of its timer through.
pub(crate) fn prepare_thread() {
    let stack: &'static mut [u8] = vec![0; STACK].leak();
    let stack =
        libc::stack_t { ss_sp: stack.as_mut_ptr().cast(), ss_flags: 0, ss_size: stack.len() };
    let mut timer = std::mem::MaybeUninit::<libc::sigset_t>::uninit();
    // SAFETY: the stack is never freed.
    unsafe { libc::sigaltstack(&raw const stack, std::ptr::null_mut()) };
    // SAFETY: a writable set.
    unsafe { libc::sigemptyset(timer.as_mut_ptr()) };
    // SAFETY: the set was initialised above.
    unsafe { libc::sigaddset(timer.as_mut_ptr(), libc::SIGXCPU) };
    // SAFETY: the set was initialised above.
    unsafe { libc::pthread_sigmask(libc::SIG_UNBLOCK, timer.as_ptr(), std::ptr::null_mut()) };
}

/// The calling thread's request needs more than `bytes` of memory.
pub(crate) fn memory_bound(bytes: usize) -> ! {
    let mut text = Text::new();
    let _ = write!(
        text,
        "error: this build needs more than {} MiB of memory (MUXCL_BUILD_MB)",
        bytes >> 20
    );
    end(Reply::Bound, text)
}

extern "C" fn on_signal(signal: c_int, _: *mut libc::siginfo_t, _: *mut c_void) {
    let mut text = Text::new();
    // A text that does not fit is cut.
    if signal == libc::SIGXCPU {
        let _ = write!(
            text,
            "error: this build takes more processor time than it may (MUXCL_BUILD_SECONDS)"
        );
        end(Reply::Bound, text)
    }
    let name = FAULTS.iter().find(|fault| fault.0 == signal).map_or("a signal", |fault| fault.1);
    let _ = write!(text, "error: the compiler crashed ({name})");
    end(Reply::Crash, text)
}

/// Sends the reply of this thread's request, with its step, and ends the process.
fn end(kind: Reply, mut text: Text) -> ! {
    let step = step::current();
    if !step.request().is_empty() {
        let _ = write!(text, "\nphase: {}", step.request());
    }
    if !step.kernel().is_empty() {
        let _ = text.write_str("\nkernel: ");
        text.add(step.kernel());
    }
    if !step.pass().is_empty() {
        let _ = write!(text, "\npass: {}", step.pass());
    }
    let _ = text.write_char('\n');
    let descriptor = REPLY.get();
    if descriptor >= 0 {
        let body = text.bytes();
        let header = wire::header(kind as u8, body.len());
        let mut pieces = [
            libc::iovec { iov_base: header.as_ptr().cast_mut().cast(), iov_len: header.len() },
            libc::iovec { iov_base: body.as_ptr().cast_mut().cast(), iov_len: body.len() },
        ];
        // SAFETY: all zeros is a valid msghdr.
        let mut message: libc::msghdr = unsafe { std::mem::zeroed() };
        message.msg_iov = pieces.as_mut_ptr();
        message.msg_iovlen = pieces.len();
        // SAFETY: a message of two parts that live through the call.
        unsafe { libc::sendmsg(descriptor, &raw const message, libc::MSG_NOSIGNAL) };
    } else {
        // A request of `--replay`, or a thread without a request.
        // SAFETY: readable bytes.
        unsafe { libc::write(2, text.bytes().as_ptr().cast(), text.bytes().len()) };
    }
    muxcl_os::end_process(EXIT)
}

/// A text in a fixed buffer. What does not fit is left out.
struct Text {
    buffer: [u8; 512],
    length: usize,
}

impl Text {
    fn new() -> Self {
        Self { buffer: [0; 512], length: 0 }
    }

    fn add(&mut self, bytes: &[u8]) {
        let free = self.buffer.get_mut(self.length..).unwrap_or_default();
        for (to, from) in free.iter_mut().zip(bytes) {
            *to = *from;
        }
        self.length = (self.length + bytes.len()).min(self.buffer.len());
    }

    fn bytes(&self) -> &[u8] {
        self.buffer.get(..self.length).unwrap_or_default()
    }
}

impl std::fmt::Write for Text {
    fn write_str(&mut self, text: &str) -> std::fmt::Result {
        self.add(text.as_bytes());
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_cut_at_its_end() {
        let mut text = Text::new();
        for _ in 0..100 {
            write!(text, "{}, ", 1234567).unwrap();
        }
        assert_eq!(text.bytes().len(), 512);
        assert!(text.bytes().starts_with(b"1234567, 1234567"));
    }
}
