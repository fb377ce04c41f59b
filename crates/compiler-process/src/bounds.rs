//! The bounds of a request: processor time and memory.
//!
//! The operating system measures the time: a timer on the thread's processor time sends SIGXCPU to
//! it. Not here: the report ([`crate::crash`]).

use muxcl_config::{MUXCL_BUILD_MB, MUXCL_BUILD_SECONDS};

/// The default of `MUXCL_BUILD_SECONDS`.
const SECONDS: u64 = 600;

/// The bounds of every request of this process.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bounds {
    /// Processor time.
    pub(crate) seconds: u64,
    /// Memory.
    pub(crate) bytes: usize,
}

impl Bounds {
    /// From the environment.
    pub(crate) fn from_env() -> Self {
        let half = usize::try_from(muxcl_os::total_memory() / 2).unwrap_or(usize::MAX);
        let megabytes = MUXCL_BUILD_MB.parse::<usize>().filter(|&mb| mb != 0);
        Self {
            seconds: MUXCL_BUILD_SECONDS.parse().filter(|&s| s != 0).unwrap_or(SECONDS),
            bytes: megabytes.map_or(half, |mb| mb.saturating_mul(1 << 20)),
        }
    }
}

/// The timer of the calling thread.
#[derive(Debug)]
pub(crate) struct Timer(Option<libc::timer_t>);

impl Timer {
    /// A timer that is not set. Without one (the system has none left) the time has no bound.
    pub(crate) fn new() -> Self {
        // SAFETY: all zeros is a valid sigevent.
        let mut event: libc::sigevent = unsafe { std::mem::zeroed() };
        event.sigev_notify = libc::SIGEV_THREAD_ID;
        event.sigev_signo = libc::SIGXCPU;
        event.sigev_notify_thread_id = muxcl_os::thread_id().cast_signed();
        let mut timer = std::ptr::null_mut();
        let clock = libc::CLOCK_THREAD_CPUTIME_ID;
        // SAFETY: both are valid for the call.
        let made = unsafe { libc::timer_create(clock, &raw mut event, &raw mut timer) } == 0;
        Self(made.then_some(timer))
    }

    /// Sends SIGXCPU to the thread after `seconds` of its processor time from now on; 0: never.
    pub(crate) fn set(&self, seconds: u64) {
        let Some(timer) = self.0 else { return };
        // SAFETY: all zeros is a valid itimerspec.
        let mut time: libc::itimerspec = unsafe { std::mem::zeroed() };
        time.it_value.tv_sec = i64::try_from(seconds).unwrap_or(i64::MAX);
        // SAFETY: a timer of this process, and a readable time.
        unsafe { libc::timer_settime(timer, 0, &raw const time, std::ptr::null_mut()) };
    }
}
