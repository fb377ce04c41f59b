//! The pool's list of ready tasks: first in, first out, from any thread to any thread.

#[cfg(not(loom))]
pub(crate) use crossbeam::queue::SegQueue as ReadyList;

/// The same in a loom model, where crossbeam's atomics would be invisible.
#[cfg(loom)]
#[derive(Debug)]
pub(crate) struct ReadyList<T>(muxcl_lock::sync::Mutex<std::collections::VecDeque<T>>);

#[cfg(loom)]
impl<T> ReadyList<T> {
    pub(crate) fn new() -> Self {
        Self(muxcl_lock::sync::Mutex::new(muxcl_lock::Rank::Leaf, Default::default()))
    }

    pub(crate) fn push(&self, task: T) {
        self.0.lock().push_back(task);
    }

    pub(crate) fn pop(&self) -> Option<T> {
        self.0.lock().pop_front()
    }
}
