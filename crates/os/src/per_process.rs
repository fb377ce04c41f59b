//! State that a child of `fork` does not share with its parent.

use std::sync::atomic::{AtomicPtr, Ordering};

use crate::fork_generation;

/// A value for each process. After a `fork` the child gets a new one: a thread that does not exist
/// in the child may hold a lock in the parent's, or have left it half changed. Values are never
/// freed.
#[derive(Debug)]
pub struct PerProcess<T> {
    current: AtomicPtr<(u32, T)>,
}

impl<T: Default + Send + Sync + 'static> PerProcess<T> {
    /// No value yet.
    #[must_use]
    pub const fn new() -> Self {
        Self { current: AtomicPtr::new(std::ptr::null_mut()) }
    }

    /// The value of this process, made by `T::default` the first time.
    #[must_use]
    pub fn get(&self) -> &'static T {
        let generation = fork_generation();
        let mut current = self.current.load(Ordering::Acquire);
        loop {
            // SAFETY: a value once stored is never freed.
            if let Some((made_in, value)) = unsafe { current.as_ref() }
                && *made_in == generation
            {
                return value;
            }
            let new = Box::into_raw(Box::new((generation, T::default())));
            match self.current.compare_exchange(current, new, Ordering::AcqRel, Ordering::Acquire) {
                Ok(_) => current = new,
                Err(other) => {
                    // SAFETY: made above and not stored.
                    drop(unsafe { Box::from_raw(new) });
                    current = other;
                }
            }
        }
    }
}

impl<T: Default + Send + Sync + 'static> Default for PerProcess<T> {
    fn default() -> Self {
        Self::new()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::AtomicU32;

    #[test]
    fn a_child_has_a_value_of_its_own() {
        static VALUE: PerProcess<AtomicU32> = PerProcess::new();
        VALUE.get().store(7, Ordering::Relaxed);
        assert_eq!(VALUE.get().load(Ordering::Relaxed), 7);
        // SAFETY: the child only reads an atomic and ends.
        let child = unsafe { libc::fork() };
        if child == 0 {
            let fresh = VALUE.get().load(Ordering::Relaxed) == 0;
            crate::end_process(i32::from(!fresh));
        }
        let mut status = -1;
        // SAFETY: the child above.
        unsafe { libc::waitpid(child, &raw mut status, 0) };
        assert_eq!(status, 0);
        assert_eq!(VALUE.get().load(Ordering::Relaxed), 7);
    }

    #[test]
    fn threads_agree() {
        static VALUE: PerProcess<AtomicU32> = PerProcess::new();
        let threads: Vec<_> =
            (0..8).map(|_| std::thread::spawn(|| std::ptr::from_ref(VALUE.get()).addr())).collect();
        let here = std::ptr::from_ref(VALUE.get()).addr();
        assert!(threads.into_iter().all(|t| t.join().unwrap() == here));
    }
}
