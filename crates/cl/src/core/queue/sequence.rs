//! The order of an in-order queue: each piece of work begins when the one before it has ended.
//!
//! Invariant: of two pieces of work, the later one waits for the earlier one's signal, whether a
//! device or a calling thread runs it. The queue's lock makes each method atomic.
//! `models.rs` runs it under loom. Not here: the work itself.

/// A signal that is given once and can be waited for; in the driver, a semaphore of Mux.
pub(super) trait Signal: Clone {
    /// A signal that has not been given.
    fn pending() -> Self;
    /// True once given.
    fn is_given(&self) -> bool;
    /// Makes it pending again if this is the only handle of it; else false.
    fn try_renew(&mut self) -> bool;
}

/// The order of an in-order queue.
#[derive(Debug)]
pub(super) struct Sequence<S> {
    /// Given when the last piece has ended; `None` before the first one.
    last: Option<S>,
}

impl<S: Signal> Sequence<S> {
    /// A sequence without work.
    pub(super) fn new() -> Self {
        Self { last: None }
    }

    /// True if all work has ended.
    pub(super) fn is_idle(&self) -> bool {
        self.last.as_ref().is_none_or(S::is_given)
    }

    /// A signal that is given when all work so far has ended; `None` if it has ended.
    pub(super) fn end(&self) -> Option<S> {
        self.last.clone().filter(|last| !last.is_given())
    }

    /// Appends a piece of work. Returns the signal it waits for, if any, and the one it gives at
    /// its end.
    pub(super) fn append(&mut self) -> (Option<S>, S) {
        if let Some(last) = &mut self.last {
            // Renewing saves an allocation for each command of a queue that becomes idle between
            // commands.
            if last.is_given() && last.try_renew() {
                return (None, last.clone());
            }
        }
        let before = self.end();
        let done = S::pending();
        self.last = Some(done.clone());
        (before, done)
    }

    /// [`Self::append`] for work that the calling thread runs at once; `None` unless all work has
    /// ended.
    pub(super) fn append_if_idle(&mut self) -> Option<S> {
        if self.is_idle() { Some(self.append().1) } else { None }
    }
}
