//! Threads: detached spawning, stacks, floating-point state, futexes, and detection of `fork`.
//!
//! Invariant: a spawned thread is detached, and process exit does not wait for it. Not here: pools
//! and scheduling.

use crate::{Mapping, OsError, Protection, page_size};
use std::ffi::c_void;
use std::io;
use std::ops::Range;
use std::sync::Once;
use std::sync::atomic::{AtomicU32, Ordering};
use std::thread::JoinHandle;

/// Calls `start` with all signals blocked except those of faults and of profilers. Threads that it
/// starts inherit the mask, so the application's other signal handlers never run on them.
fn without_signals<T>(start: impl FnOnce() -> T) -> T {
    let mut all = std::mem::MaybeUninit::<libc::sigset_t>::uninit();
    let mut old = std::mem::MaybeUninit::<libc::sigset_t>::uninit();
    // SAFETY: `all` is writable; sigfillset initialises it.
    unsafe { libc::sigfillset(all.as_mut_ptr()) };
    for fault in
        [libc::SIGSEGV, libc::SIGBUS, libc::SIGFPE, libc::SIGILL, libc::SIGTRAP, libc::SIGPROF]
    {
        // SAFETY: `all` was initialised above.
        unsafe { libc::sigdelset(all.as_mut_ptr(), fault) };
    }
    // SAFETY: both sets are valid; the mask is restored below.
    unsafe { libc::pthread_sigmask(libc::SIG_SETMASK, all.as_ptr(), old.as_mut_ptr()) };
    let result = start();
    // SAFETY: `old` was filled in by the first call.
    unsafe { libc::pthread_sigmask(libc::SIG_SETMASK, old.as_ptr(), std::ptr::null_mut()) };
    result
}

/// Bytes that the system must have left before a thread is started: more than the standard library
/// allocates for its setup.
const SETUP_BYTES: usize = 16 << 10;

/// Starts a thread by `start`. The application's signals are blocked in it. Every thread of the
/// libraries starts here, because the standard library aborts the process if a new thread has no
/// memory to set itself up.
///
/// # Errors
/// If the system cannot start a thread, or has no memory for its setup.
pub(crate) fn start_thread<T>(
    start: impl FnOnce() -> io::Result<JoinHandle<T>>,
) -> io::Result<JoinHandle<T>> {
    if !crate::reserve::system_has(SETUP_BYTES) {
        return Err(io::ErrorKind::OutOfMemory.into());
    }
    without_signals(start)
}

/// Starts a thread with a name and a stack size, which the caller joins. The application's signals
/// are blocked in it.
///
/// # Errors
/// If the system cannot start a thread.
pub fn spawn_joined(
    name: &str,
    stack: usize,
    body: impl FnOnce() + Send + 'static,
) -> Result<JoinHandle<()>, OsError> {
    let builder = std::thread::Builder::new().name(name.to_owned()).stack_size(stack);
    start_thread(|| builder.spawn(body))
        .map_err(|error| OsError::new("pthread_create", error.to_string()))
}

/// Starts a detached thread with a name and a stack size. The application's signals are blocked in
/// it.
///
/// # Errors
/// If the system cannot start a thread.
pub fn spawn_detached(
    name: &str,
    stack: usize,
    body: impl FnOnce() + Send + 'static,
) -> Result<(), OsError> {
    spawn_joined(name, stack, body).map(drop)
}

/// Number of running threads of [`spawn_brief`].
static BRIEF: AtomicU32 = AtomicU32::new(0);
static BRIEF_HOOK: Once = Once::new();
/// Maximum time that a `fork` waits for brief threads.
const BRIEF_AT_MOST_NS: u64 = 1_000_000_000;

extern "C" fn before_fork() {
    let begin = crate::now_ns();
    loop {
        let running = BRIEF.load(Ordering::Acquire);
        let waited = crate::now_ns().saturating_sub(begin);
        if running == 0 || waited >= BRIEF_AT_MOST_NS {
            return;
        }
        futex_wait(&BRIEF, running, Some(BRIEF_AT_MOST_NS - waited));
    }
}

/// [`spawn_detached`] for work of milliseconds that takes locks. A `fork` waits for the end of such
/// threads (at most one second), so that the child does not inherit a locked lock.
///
/// # Errors
/// If the system cannot start a thread.
pub fn spawn_brief(
    name: &str,
    stack: usize,
    body: impl FnOnce() + Send + 'static,
) -> Result<(), OsError> {
    struct Running;
    impl Drop for Running {
        fn drop(&mut self) {
            BRIEF.fetch_sub(1, Ordering::Release);
            futex_wake(&BRIEF, u32::MAX);
        }
    }
    BRIEF_HOOK.call_once(|| {
        // SAFETY: the handler runs in the thread that forks, before it does, and only waits.
        unsafe { libc::pthread_atfork(Some(before_fork), None, None) };
    });
    BRIEF.fetch_add(1, Ordering::Relaxed);
    let running = Running;
    spawn_detached(name, stack, move || {
        let _running = running;
        body();
    })
}

/// The kernel's id of the current thread.
#[must_use]
pub fn thread_id() -> u32 {
    // SAFETY: gettid has no preconditions.
    unsafe { libc::gettid() }.unsigned_abs()
}

/// The name of the current thread, as debuggers show it: at most 15 bytes.
#[must_use]
pub fn thread_name() -> String {
    let mut name = [0_u8; 16];
    // SAFETY: the call writes at most 16 bytes.
    unsafe { libc::prctl(libc::PR_GET_NAME, name.as_mut_ptr()) };
    let length = name.iter().position(|&byte| byte == 0).unwrap_or(name.len());
    String::from_utf8_lossy(&name[..length]).into_owned()
}

static GENERATION: AtomicU32 = AtomicU32::new(0);
static HOOK: Once = Once::new();

extern "C" fn in_child() {
    GENERATION.fetch_add(1, Ordering::Relaxed);
}

/// The number of `fork`s between the first process that called this function and the current one. A
/// change means that only the calling thread survived.
#[must_use]
pub fn fork_generation() -> u32 {
    if !HOOK.is_completed() {
        HOOK.call_once(|| {
            // SAFETY: the handler only adds to an atomic, which is safe in a freshly forked child.
            unsafe { libc::pthread_atfork(None, None, Some(in_child)) };
        });
    }
    GENERATION.load(Ordering::Relaxed)
}

/// Sleeps while `word` holds `value`, at most `timeout_ns` if given. May wake spuriously, like
/// every futex.
pub fn futex_wait(word: &AtomicU32, value: u32, timeout_ns: Option<u64>) {
    let timeout = timeout_ns.map(|ns| libc::timespec {
        tv_sec: i64::try_from(ns / 1_000_000_000).unwrap_or(i64::MAX),
        tv_nsec: i64::try_from(ns % 1_000_000_000).unwrap_or(0),
    });
    let timeout_ptr = timeout.as_ref().map_or(std::ptr::null(), std::ptr::from_ref);
    // SAFETY: the word and the timeout outlive the call.
    unsafe {
        libc::syscall(
            libc::SYS_futex,
            word.as_ptr(),
            libc::FUTEX_WAIT | libc::FUTEX_PRIVATE_FLAG,
            value,
            timeout_ptr,
        )
    };
}

/// Wakes up to `count` threads that sleep on `word`.
pub fn futex_wake(word: &AtomicU32, count: u32) {
    let count = i32::try_from(count).unwrap_or(i32::MAX);
    // SAFETY: the system only uses the address of the word.
    unsafe {
        libc::syscall(
            libc::SYS_futex,
            word.as_ptr(),
            libc::FUTEX_WAKE | libc::FUTEX_PRIVATE_FLAG,
            count,
        )
    };
}

/// The lowest usable address and the end of the stack on which the current thread was started;
/// `None` if unknown. A thread that switched to another stack is outside these bounds.
#[must_use]
pub fn thread_stack() -> Option<Range<usize>> {
    thread_local! {
        /// The bounds, queried once per thread.
        static BOUNDS: Option<Range<usize>> = stack_bounds();
    }
    BOUNDS.try_with(Clone::clone).ok().flatten()
}

/// Bytes of `stack`, the result of [`thread_stack`], that remain to the current thread below this
/// call; `None` if the thread has switched to another stack.
#[must_use]
#[inline]
pub fn stack_remaining(stack: &Range<usize>) -> Option<usize> {
    let marker = 0u8;
    let here = (&raw const marker).addr();
    stack.contains(&here).then(|| here - stack.start)
}

fn stack_bounds() -> Option<Range<usize>> {
    let mut attr = std::mem::MaybeUninit::<libc::pthread_attr_t>::uninit();
    // SAFETY: pthread_self has no preconditions.
    let this = unsafe { libc::pthread_self() };
    // SAFETY: `this` is a live thread; `attr` is initialised on success.
    if unsafe { libc::pthread_getattr_np(this, attr.as_mut_ptr()) } != 0 {
        return None;
    }
    let mut start: *mut c_void = std::ptr::null_mut();
    let mut size = 0usize;
    // SAFETY: `attr` was initialised above.
    let result =
        unsafe { libc::pthread_attr_getstack(attr.as_ptr(), &raw mut start, &raw mut size) };
    let mut guard = 0usize;
    // SAFETY: `attr` was initialised above.
    unsafe { libc::pthread_attr_getguardsize(attr.as_ptr(), &raw mut guard) };
    // SAFETY: `attr` was initialised above and is not used again.
    unsafe { libc::pthread_attr_destroy(attr.as_mut_ptr()) };
    if result != 0 || start.is_null() {
        return None;
    }
    let end = start.addr().checked_add(size)?;
    Some(start.addr().checked_add(guard)?..end)
}

/// An allocated stack with a guard page below it.
#[derive(Debug)]
pub struct Stack {
    map: Mapping,
}

impl Stack {
    /// Allocates a stack of at least `size` usable bytes.
    ///
    /// # Errors
    /// If the system has no memory.
    pub fn new(size: usize) -> Result<Self, OsError> {
        let page = page_size();
        let size = size.checked_add(page).ok_or_else(|| OsError::new("mmap", "stack too large"))?;
        let map = Mapping::new(size, Protection::ReadWrite)?;
        map.protect(0..page, Protection::None)?;
        Ok(Self { map })
    }

    /// Number of usable bytes.
    #[must_use]
    pub fn size(&self) -> usize {
        self.map.len() - page_size()
    }

    /// The lowest usable address and the end.
    #[must_use]
    pub fn range(&self) -> Range<usize> {
        let start = self.map.as_ptr().addr();
        start + page_size()..start + self.map.len()
    }

    fn top(&self) -> *mut u8 {
        // SAFETY: one past the end of the mapping is a valid address to compute.
        unsafe { self.map.as_ptr().add(self.map.len()) }
    }
}

/// Calls `body` on `stack`. `body` must not panic: a panic in it aborts the process.
pub fn call_on_stack<F: FnOnce()>(stack: &mut Stack, body: F) {
    extern "C" fn run<F: FnOnce()>(slot: *mut c_void) {
        // SAFETY: `slot` is the Option below. It lives during the call, and no other code uses it.
        let body = unsafe { (*slot.cast::<Option<F>>()).take() };
        if let Some(body) = body {
            body();
        }
    }
    let mut slot = Some(body);
    // SAFETY: `stack` is borrowed exclusively, so no other code runs on it; `run` follows the C
    // calling convention.
    unsafe { switch_and_call((&raw mut slot).cast(), run::<F>, stack.top()) };
}

/// # Safety
/// `top` is the 16-byte aligned end of an unused stack.
#[cfg(target_arch = "x86_64")]
unsafe fn switch_and_call(
    argument: *mut c_void,
    function: extern "C" fn(*mut c_void),
    top: *mut u8,
) {
    // SAFETY: r12 is callee-saved, so it keeps the stack pointer across the call; the C ABI's
    // clobbers are declared.
    unsafe {
        std::arch::asm!(
            "xchg rsp, r12",
            "call {function}",
            "mov rsp, r12",
            function = in(reg) function,
            inout("r12") top => _,
            in("rdi") argument,
            clobber_abi("C"),
        );
    }
}

/// # Safety
/// `top` is the 16-byte aligned end of an unused stack.
#[cfg(target_arch = "aarch64")]
unsafe fn switch_and_call(
    argument: *mut c_void,
    function: extern "C" fn(*mut c_void),
    top: *mut u8,
) {
    // SAFETY: x21 is callee-saved, so it keeps the stack pointer across the call; the C ABI's
    // clobbers are declared.
    unsafe {
        std::arch::asm!(
            "mov x21, sp",
            "mov sp, {top}",
            "blr {function}",
            "mov sp, x21",
            top = in(reg) top,
            function = in(reg) function,
            out("x21") _,
            in("x0") argument,
            clobber_abi("C"),
        );
    }
}

/// The floating-point control state of a thread, restored on drop.
#[derive(Debug)]
pub struct FpState {
    saved: u32,
}

impl FpState {
    /// Sets OpenCL's state: rounds to nearest, masks all exceptions, and keeps denormals unless
    /// `flush_denormals` is true.
    #[must_use]
    pub fn enter(flush_denormals: bool) -> Self {
        let saved = read_control();
        let wanted = if flush_denormals { FLUSHING } else { DEFAULT };
        // Exception flags that are set already do not affect kernels.
        if saved & !STICKY != wanted {
            write_control(wanted);
        }
        Self { saved }
    }
}

impl Drop for FpState {
    fn drop(&mut self) {
        // The comparison includes the exception flags: the application must not see flags that
        // kernels have raised.
        if read_control() != self.saved {
            write_control(self.saved);
        }
    }
}

#[cfg(target_arch = "x86_64")]
const DEFAULT: u32 = 0x1f80;
#[cfg(target_arch = "x86_64")]
const FLUSHING: u32 = 0x1f80 | 0x8040;
#[cfg(target_arch = "x86_64")]
const STICKY: u32 = 0x3f;

#[cfg(target_arch = "x86_64")]
fn read_control() -> u32 {
    let mut value = 0u32;
    // SAFETY: stmxcsr stores the control register to the four bytes of `value`.
    unsafe {
        std::arch::asm!("stmxcsr [{}]", in(reg) &raw mut value, options(nostack, preserves_flags))
    };
    value
}

#[cfg(target_arch = "x86_64")]
fn write_control(value: u32) {
    // SAFETY: every passed value is a valid control word: a constant above, or an earlier value of
    // the register.
    unsafe {
        std::arch::asm!("ldmxcsr [{}]", in(reg) &raw const value, options(nostack, preserves_flags))
    };
}

#[cfg(target_arch = "aarch64")]
const DEFAULT: u32 = 0;
#[cfg(target_arch = "aarch64")]
const FLUSHING: u32 = 1 << 24;
#[cfg(target_arch = "aarch64")]
const STICKY: u32 = 0;

#[cfg(target_arch = "aarch64")]
fn read_control() -> u32 {
    let value: u64;
    // SAFETY: reading the control register has no effect.
    unsafe { std::arch::asm!("mrs {}, fpcr", out(reg) value, options(nomem, nostack)) };
    u32::try_from(value).unwrap_or(0)
}

#[cfg(target_arch = "aarch64")]
fn write_control(value: u32) {
    // SAFETY: every passed value is a valid control word: a constant above, or an earlier value of
    // the register.
    unsafe { std::arch::asm!("msr fpcr, {}", in(reg) u64::from(value), options(nomem, nostack)) };
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;

    #[test]
    fn runs_on_another_stack() {
        let mut stack = Stack::new(1 << 20).unwrap();
        let own = thread_stack().unwrap();
        let mut on_own = 0usize;
        let before = 0u8;
        call_on_stack(&mut stack, || {
            let local = [1u8; 100_000];
            on_own = std::hint::black_box(&local).as_ptr().addr();
            assert_eq!(stack_remaining(&own), None);
        });
        assert!(on_own.abs_diff((&raw const before).addr()) > 100_000);
        assert!(stack_remaining(&own).unwrap() > 16 << 10);
        let mut total = 0;
        for i in 0..1000 {
            call_on_stack(&mut stack, || total += i);
        }
        assert_eq!(total, 499_500);
    }

    #[test]
    fn floating_point_state_comes_back() {
        let before = read_control();
        {
            let _outer = FpState::enter(true);
            assert_eq!(read_control() & !STICKY, FLUSHING);
            {
                let _inner = FpState::enter(false);
                assert_eq!(read_control() & !STICKY, DEFAULT);
            }
            assert_eq!(read_control() & !STICKY, FLUSHING);
        }
        assert_eq!(read_control() & !STICKY, before & !STICKY);
    }

    #[test]
    fn a_fork_waits_for_brief_threads() {
        static DONE: AtomicU32 = AtomicU32::new(0);
        let brief = || {
            std::thread::sleep(std::time::Duration::from_millis(30));
            DONE.store(1, Ordering::SeqCst);
        };
        spawn_brief("brief", 1 << 20, brief).unwrap();
        // SAFETY: the child only reads a number and exits.
        match unsafe { libc::fork() } {
            // SAFETY: ends the child at once.
            0 => unsafe { libc::_exit(i32::from(DONE.load(Ordering::SeqCst) == 0)) },
            child => {
                let mut status = -1;
                // SAFETY: a child of this process, and a place for its status.
                assert_eq!(unsafe { libc::waitpid(child, &raw mut status, 0) }, child);
                assert_eq!(status, 0, "the fork did not wait");
            }
        }
    }

    #[test]
    fn a_detached_thread_runs_and_a_futex_wakes() {
        let word = Arc::new(AtomicU32::new(0));
        let theirs = Arc::clone(&word);
        spawn_detached("muxcl-test", 1 << 20, move || {
            assert_eq!(std::thread::current().name(), Some("muxcl-test"));
            theirs.store(1, Ordering::Release);
            futex_wake(&theirs, 1);
        })
        .unwrap();
        while word.load(Ordering::Acquire) == 0 {
            futex_wait(&word, 0, Some(1_000_000_000));
        }
        futex_wait(&word, 0, None); // the value differs: returns at once
        futex_wait(&word, 1, Some(1_000_000)); // the timeout ends it
    }

    #[test]
    fn fork_is_noticed_in_the_child_only() {
        let before = fork_generation();
        // SAFETY: the child only reads an atomic and exits with _exit.
        let child = unsafe { libc::fork() };
        if child == 0 {
            let code = i32::from(fork_generation() != before + 1);
            // SAFETY: ends the child at once, running no destructor.
            unsafe { libc::_exit(code) };
        }
        let mut status = 0;
        // SAFETY: waits for the child made above.
        unsafe { libc::waitpid(child, &raw mut status, 0) };
        assert_eq!(status, 0);
        assert_eq!(fork_generation(), before);
    }
}
