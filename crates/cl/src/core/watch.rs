//! Waits for signals from outside OpenCL: of other processes, and of the kernel's devices.
//!
//! One thread of the process watches all descriptors. It runs while a wait is pending, and does
//! nothing else, so a signal that never comes delays no other command. Waits for one signal are
//! served in their order. Not here: what the signals mean (`semaphore`).

use std::os::fd::{AsFd, BorrowedFd};
use std::sync::Arc;

use muxcl_lock::{Mutex, Rank};
use muxcl_mux::Semaphore;
use muxcl_os::{Fence, OsError, PerProcess, SharedSignal, Taken, Wake, spawn_detached, wait_any};

use crate::error::{ClError, ClResult};

/// Stack of the thread in bytes. Signalling a semaphore may dispatch work.
const STACK: usize = 1 << 20;

/// What a wait waits for.
#[derive(Clone, Debug)]
pub(super) enum Source {
    /// A signal that the wait takes.
    Signal(Arc<SharedSignal>),
    /// The end of some work.
    Fence(Arc<Fence>),
}

impl Source {
    /// True if the wait has what it waits for.
    fn take(&self) -> bool {
        match self {
            // A broken descriptor never has a signal; the wait ends, so that nothing hangs.
            Self::Signal(signal) => signal.take() != Taken::No,
            Self::Fence(fence) => fence.has_ended(),
        }
    }
}

impl AsFd for Source {
    fn as_fd(&self) -> BorrowedFd<'_> {
        match self {
            Self::Signal(signal) => signal.as_fd(),
            Self::Fence(fence) => fence.as_fd(),
        }
    }
}

/// The pending waits of this process.
#[derive(Debug)]
struct Watch {
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    /// The oldest wait first.
    waits: Vec<(Source, Semaphore)>,
    /// Wakes the thread, so that it sees new waits; `None` while it does not run.
    running: Option<Arc<Wake>>,
}

impl Default for Watch {
    fn default() -> Self {
        Self { state: Mutex::new(Rank::Device, State::default()) }
    }
}

static WATCH: PerProcess<Watch> = PerProcess::new();

/// Signals `semaphore` when `source` has what a wait needs.
///
/// # Errors
/// `CL_OUT_OF_RESOURCES` if no thread can be started, `CL_OUT_OF_HOST_MEMORY`.
pub(super) fn wait(source: Source, semaphore: Semaphore) -> ClResult<()> {
    let watch = WATCH.get();
    let mut state = watch.state.lock();
    state.waits.try_reserve(1)?;
    if let Some(wake) = &state.running {
        wake.wake();
    } else {
        let start = || -> Result<Arc<Wake>, OsError> {
            let wake = Arc::new(Wake::new()?);
            let of_thread = wake.clone();
            // The thread sees the wait, because this one holds the lock.
            spawn_detached("muxcl-signals", STACK, move || watch.run(&of_thread))?;
            Ok(wake)
        };
        let wake = start().map_err(|error| {
            tracing::warn!(target: "cl::semaphore", "no thread to wait for signals: {error}");
            ClError::OUT_OF_RESOURCES
        })?;
        state.running = Some(wake);
    }
    state.waits.push((source, semaphore));
    Ok(())
}

/// Takes `signal` for a new wait, unless it is not set or an earlier wait of this process takes it.
pub(super) fn take(signal: &Arc<SharedSignal>) -> bool {
    let state = WATCH.get().state.lock();
    let is_same = |source: &Source| matches!(source, Source::Signal(s) if Arc::ptr_eq(s, signal));
    !state.waits.iter().any(|(source, _)| is_same(source)) && signal.take() == Taken::Yes
}

/// Ends the wait of `semaphore` without a signal. `None` if it has ended.
pub(super) fn cancel(semaphore: &Semaphore) -> Option<Source> {
    let mut state = WATCH.get().state.lock();
    let at = state.waits.iter().position(|(_, waiting)| waiting.is_same(semaphore))?;
    Some(state.waits.remove(at).0)
}

impl Watch {
    /// The thread: runs while there are waits.
    fn run(&self, wake: &Wake) {
        loop {
            let sources: Vec<Source> = {
                let mut state = self.state.lock();
                if state.waits.is_empty() {
                    state.running = None;
                    return;
                }
                state.waits.iter().map(|(source, _)| source.clone()).collect()
            };
            let mut descriptors: Vec<BorrowedFd<'_>> = sources.iter().map(AsFd::as_fd).collect();
            descriptors.push(wake.as_fd());
            wait_any(&descriptors);
            wake.clear();
            let mut ended = Vec::new();
            self.state.lock().waits.retain(|(source, semaphore)| {
                let ends = source.take();
                if ends {
                    ended.push(semaphore.clone());
                }
                !ends
            });
            // Without the lock: a signal dispatches the work that waits for it.
            for semaphore in ended {
                semaphore.signal(true);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    fn is_done(semaphore: &Semaphore, within: Duration) -> bool {
        semaphore.wait(None, Some(within)).is_some()
    }

    const LONG: Duration = Duration::from_secs(20);
    const SHORT: Duration = Duration::from_millis(10);

    #[test]
    fn each_signal_ends_the_oldest_wait() {
        let signal = Arc::new(SharedSignal::new().unwrap());
        let waits = [Semaphore::new(), Semaphore::new(), Semaphore::new()];
        for semaphore in &waits {
            wait(Source::Signal(signal.clone()), semaphore.clone()).unwrap();
        }
        assert!(!take(&signal));
        assert!(
            matches!(cancel(&waits[1]), Some(Source::Signal(_))) && cancel(&waits[1]).is_none()
        );
        signal.set();
        assert!(is_done(&waits[0], LONG) && !is_done(&waits[2], SHORT));
        signal.set();
        assert!(is_done(&waits[2], LONG) && !waits[1].is_signalled() && !signal.is_set());
        signal.set();
        assert!(take(&signal) && !take(&signal));
    }

    #[test]
    fn a_fence_ends_all_its_waits() {
        let signal = SharedSignal::new().unwrap();
        let fence = Arc::new(Fence::new(signal.descriptor().unwrap()));
        let waits = [Semaphore::new(), Semaphore::new()];
        for semaphore in &waits {
            wait(Source::Fence(fence.clone()), semaphore.clone()).unwrap();
            assert!(!is_done(semaphore, SHORT));
        }
        signal.set();
        assert!(waits.iter().all(|semaphore| is_done(semaphore, LONG)));
    }
}
