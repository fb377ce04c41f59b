//! The concurrency primitives that a loom model can replace.
//!
//! Lock-free code of the driver imports its atomics, locks and thread-locals from here. Normally
//! they are the types of the standard library and of this crate, at no cost. With `--cfg loom` they
//! are loom's, and a test inside `model` explores every interleaving of the threads. `cargo xtask
//! models` builds and runs those tests.
//!
//! Modelled code respects two differences from the standard library: values cannot be `static`
//! (they live for one execution of a model), and waits have no time limit. [`std::sync::Arc`] is
//! used as it is, because loom's has no trait objects.

#[cfg(not(loom))]
pub use std::{hint::spin_loop, sync::atomic, thread_local};

#[cfg(not(loom))]
pub use crate::{Condvar, Mutex, MutexGuard};

#[cfg(loom)]
pub use crate::model_thread_local as thread_local;

#[cfg(loom)]
pub use loom::{self, cell, hint::spin_loop, thread};

#[cfg(loom)]
pub use modelled::{Condvar, Mutex, MutexGuard, model};

/// [`std::thread_local`] in a model, for constants.
#[cfg(loom)]
#[doc(hidden)]
#[macro_export]
macro_rules! model_thread_local {
    ($(#[$attribute:meta])* $vis:vis static $name:ident: $type:ty = const { $init:expr };) => {
        $crate::sync::loom::thread_local! {
            $(#[$attribute])* $vis static $name: $type = $init;
        }
    };
}

/// Atomics of a model: loom's, with two gaps closed.
///
/// * Loom treats `SeqCst` accesses as `AcqRel`. Fences around them restore their total order.
/// * Loom remembers only the last load of an atomic, so it does not explore a store between an
///   earlier load of another thread and the operation before that load. Each access first touches a
///   second atomic by a relaxed read-modify-write, because loom explores every order of those.
#[cfg(loom)]
pub mod atomic {
    pub use loom::sync::atomic::{AtomicPtr, Ordering, fence};

    type Touched = loom::sync::atomic::AtomicU8;

    fn access<T>(touched: &Touched, order: Ordering, access: impl FnOnce() -> T) -> T {
        touched.fetch_or(0, Ordering::Relaxed);
        if order != Ordering::SeqCst {
            return access();
        }
        fence(Ordering::SeqCst);
        let value = access();
        fence(Ordering::SeqCst);
        value
    }

    macro_rules! atomic {
        ($name:ident, $value:ty, { $($own:tt)* }) => {
            #[doc = concat!("[`std::sync::atomic::", stringify!($name), "`] in a model.")]
            #[derive(Debug, Default)]
            pub struct $name {
                inner: loom::sync::atomic::$name,
                touched: Touched,
            }

            #[expect(missing_docs, reason = "the functions of the standard library's type")]
            impl $name {
                pub fn new(value: $value) -> Self {
                    let inner = loom::sync::atomic::$name::new(value);
                    Self { inner, touched: Touched::new(0) }
                }
                pub fn load(&self, order: Ordering) -> $value {
                    access(&self.touched, order, || self.inner.load(order))
                }
                pub fn store(&self, value: $value, order: Ordering) {
                    access(&self.touched, order, || self.inner.store(value, order));
                }
                pub fn swap(&self, value: $value, order: Ordering) -> $value {
                    access(&self.touched, order, || self.inner.swap(value, order))
                }
                pub fn compare_exchange(
                    &self,
                    current: $value,
                    new: $value,
                    success: Ordering,
                    failure: Ordering,
                ) -> Result<$value, $value> {
                    access(&self.touched, success, || {
                        self.inner.compare_exchange(current, new, success, failure)
                    })
                }
                pub fn compare_exchange_weak(
                    &self,
                    current: $value,
                    new: $value,
                    success: Ordering,
                    failure: Ordering,
                ) -> Result<$value, $value> {
                    self.compare_exchange(current, new, success, failure)
                }
                pub fn fetch_or(&self, value: $value, order: Ordering) -> $value {
                    access(&self.touched, order, || self.inner.fetch_or(value, order))
                }
                $($own)*
            }
        };
    }

    macro_rules! integer {
        ($($name:ident: $value:ty),+) => {$(
            atomic!($name, $value, {
                pub fn fetch_add(&self, value: $value, order: Ordering) -> $value {
                    access(&self.touched, order, || self.inner.fetch_add(value, order))
                }
                pub fn fetch_sub(&self, value: $value, order: Ordering) -> $value {
                    access(&self.touched, order, || self.inner.fetch_sub(value, order))
                }
                pub fn fetch_update(
                    &self,
                    set: Ordering,
                    fetch: Ordering,
                    update: impl FnMut($value) -> Option<$value>,
                ) -> Result<$value, $value> {
                    access(&self.touched, set, || self.inner.fetch_update(set, fetch, update))
                }
            });
        )+};
    }

    atomic!(AtomicBool, bool, {});
    integer!(AtomicI32: i32, AtomicU32: u32, AtomicU64: u64, AtomicUsize: usize);
}

#[cfg(loom)]
mod modelled {
    use crate::Rank;
    use std::fmt;
    use std::ops::{Deref, DerefMut};
    use std::time::{Duration, Instant};

    /// Explores the interleavings of `body`'s threads: all of them, or those with at most
    /// `LOOM_MAX_PREEMPTIONS` preemptions if that variable is set.
    ///
    /// # Panics
    /// If an assertion fails, threads deadlock or accesses race in one of the interleavings.
    pub fn model(body: impl Fn() + Sync + Send + 'static) {
        let mut builder = loom::model::Builder::new();
        // The longest model of the driver has fewer switches in one execution than this.
        builder.max_branches = 20_000;
        builder.check(body);
    }

    /// [`crate::Mutex`] in a model. Ranks are not checked.
    pub struct Mutex<T: ?Sized> {
        inner: loom::sync::Mutex<T>,
    }

    /// [`crate::MutexGuard`] in a model.
    #[must_use]
    pub struct MutexGuard<'a, T: ?Sized> {
        /// `None` only while a condition variable waits.
        inner: Option<loom::sync::MutexGuard<'a, T>>,
    }

    impl<T> Mutex<T> {
        /// Creates a free lock.
        pub fn new(_rank: Rank, value: T) -> Self {
            Self { inner: loom::sync::Mutex::new(value) }
        }

        /// The value.
        pub fn into_inner(self) -> T {
            self.inner.into_inner().unwrap_or_else(|e| e.into_inner())
        }
    }

    impl<T> Mutex<T> {
        /// Waits for the lock.
        pub fn lock(&self) -> MutexGuard<'_, T> {
            MutexGuard { inner: Some(self.inner.lock().unwrap_or_else(|e| e.into_inner())) }
        }

        /// The lock, if it is free now.
        pub fn try_lock(&self) -> Option<MutexGuard<'_, T>> {
            self.inner.try_lock().ok().map(|guard| MutexGuard { inner: Some(guard) })
        }

        /// The value, for the only owner.
        pub fn get_mut(&mut self) -> &mut T {
            self.inner.get_mut().unwrap_or_else(|e| e.into_inner())
        }
    }

    impl<T: ?Sized> Deref for MutexGuard<'_, T> {
        type Target = T;
        fn deref(&self) -> &T {
            self.inner.as_ref().expect("a guard holds its lock unless it waits")
        }
    }

    impl<T: ?Sized> DerefMut for MutexGuard<'_, T> {
        fn deref_mut(&mut self) -> &mut T {
            self.inner.as_mut().expect("a guard holds its lock unless it waits")
        }
    }

    impl<T: ?Sized> fmt::Debug for Mutex<T> {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("Mutex")
        }
    }

    impl<T: ?Sized> fmt::Debug for MutexGuard<'_, T> {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("MutexGuard")
        }
    }

    /// [`crate::Condvar`] in a model. Time limits never run out.
    #[derive(Debug, Default)]
    pub struct Condvar {
        inner: loom::sync::Condvar,
    }

    impl Condvar {
        /// Creates a condition variable.
        #[must_use]
        pub fn new() -> Self {
            Self { inner: loom::sync::Condvar::new() }
        }

        /// Releases the lock, waits for a notification, takes the lock again.
        pub fn wait<T>(&self, guard: &mut MutexGuard<'_, T>) {
            if let Some(held) = guard.inner.take() {
                guard.inner = Some(self.inner.wait(held).unwrap_or_else(|e| e.into_inner()));
            }
        }

        /// [`Self::wait`]; always false.
        pub fn wait_until<T>(&self, guard: &mut MutexGuard<'_, T>, _deadline: Instant) -> bool {
            self.wait(guard);
            false
        }

        /// [`Self::wait`]; always false.
        pub fn wait_for<T>(&self, guard: &mut MutexGuard<'_, T>, _time: Duration) -> bool {
            self.wait(guard);
            false
        }

        /// Wakes one waiting thread.
        pub fn notify_one(&self) {
            self.inner.notify_one();
        }

        /// Wakes every waiting thread.
        pub fn notify_all(&self) {
            self.inner.notify_all();
        }
    }
}
