//! Ranked locks: a violation of the lock order panics in debug builds; release builds do not check.
//!
//! Every lock has a [`Rank`]. A thread may only take a lock whose rank is higher than that of every
//! lock it holds. Locks are never poisoned: a panic while a lock is held leaves the value as it is.
//! Not here: lock-free structures ([`sync`] has their primitives).
//!
//! ```
//! use muxcl_lock::{Mutex, Rank};
//!
//! let (queue, event) = (Mutex::new(Rank::Queue, 1), Mutex::new(Rank::Event, 2));
//! let first = queue.lock();
//! let second = event.lock(); // a higher rank: fine. The other order would panic in debug builds.
//! assert_eq!(*first + *second, 3);
//! ```

pub mod sync;

use std::cell::Cell;
use std::fmt;
use std::ops::{Deref, DerefMut};
use std::time::{Duration, Instant};

/// The order in which locks are taken: lower ranks first. A thread holds at most one lock of each
/// rank.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[repr(u8)]
pub enum Rank {
    /// Platform and the list of devices
    Platform = 1,
    /// `cl_context`
    Context = 10,
    /// `cl_program`
    Program = 20,
    /// `cl_kernel`
    Kernel = 30,
    /// `cl_command_buffer_khr`
    CommandBuffer = 35,
    /// `cl_mutable_command_khr`
    MutableCommand = 36,
    /// `cl_command_queue`
    Queue = 40,
    /// `cl_event`
    Event = 50,
    /// `cl_mem`
    MemObject = 60,
    /// Compile cache and compiler client
    Compiler = 65,
    /// `mux` device and the dependency engine
    Device = 70,
    /// `mux` queue
    MuxQueue = 75,
    /// `mux` semaphore, fence, command buffer
    MuxSync = 80,
    /// A target's own state
    Target = 90,
    /// HAL device
    Hal = 100,
    /// Translations of a simulator's code
    Translation = 110,
    /// Taken last and held for a few instructions: handle tables, statistics, logs
    Leaf = 120,
}

#[cfg(debug_assertions)]
mod held {
    use super::Rank;
    use std::cell::Cell;

    thread_local! {
        /// One bit for each rank whose lock this thread holds.
        static HELD: Cell<u128> = const { Cell::new(0) };
    }

    pub(super) fn push(rank: Rank) {
        // An ending thread has no thread-locals any more. Its locks are not checked.
        let held = HELD.try_with(Cell::get).unwrap_or(0);
        let top = 127_u32.saturating_sub(held.leading_zeros());
        assert!(
            held == 0 || u32::from(rank as u8) > top,
            "lock order: {rank:?} taken while a lock of rank {top} is held"
        );
        add(rank);
    }

    /// Records a lock without a check, for `try_lock`, which cannot deadlock.
    pub(super) fn add(rank: Rank) {
        let _ = HELD.try_with(|h| h.set(h.get() | (1 << rank as u8)));
    }

    pub(super) fn pop(rank: Rank) {
        let _ = HELD.try_with(|h| h.set(h.get() & !(1 << rank as u8)));
    }

    pub(super) fn none() -> bool {
        HELD.try_with(Cell::get).unwrap_or(0) == 0
    }
}

#[cfg(not(debug_assertions))]
mod held {
    use super::Rank;
    pub(super) fn push(_: Rank) {}
    pub(super) fn add(_: Rank) {}
    pub(super) fn pop(_: Rank) {}
    pub(super) fn none() -> bool {
        true
    }
}

/// Called before an application's callback runs: panics in debug builds if this thread holds any
/// lock.
pub fn assert_none_held() {
    assert!(held::none(), "an application callback would run with a lock held");
}

/// Mutual exclusion with a rank.
pub struct Mutex<T: ?Sized> {
    rank: Rank,
    inner: parking_lot::Mutex<T>,
}

/// Access to a [`Mutex`]'s value; releases on drop.
#[must_use]
pub struct MutexGuard<'a, T: ?Sized> {
    rank: Rank,
    inner: parking_lot::MutexGuard<'a, T>,
}

impl<T> Mutex<T> {
    /// Creates a free lock.
    pub const fn new(rank: Rank, value: T) -> Self {
        Self { rank, inner: parking_lot::const_mutex(value) }
    }

    /// The value.
    pub fn into_inner(self) -> T {
        self.inner.into_inner()
    }
}

impl<T: ?Sized> Mutex<T> {
    /// Waits for the lock.
    #[inline]
    pub fn lock(&self) -> MutexGuard<'_, T> {
        held::push(self.rank);
        MutexGuard { rank: self.rank, inner: self.inner.lock() }
    }

    /// Takes the lock if it is free. The order is not checked, because this never waits.
    #[inline]
    pub fn try_lock(&self) -> Option<MutexGuard<'_, T>> {
        let inner = self.inner.try_lock()?;
        held::add(self.rank);
        Some(MutexGuard { rank: self.rank, inner })
    }

    /// The value, for the only owner.
    pub fn get_mut(&mut self) -> &mut T {
        self.inner.get_mut()
    }
}

impl<T: ?Sized> Deref for MutexGuard<'_, T> {
    type Target = T;
    #[inline]
    fn deref(&self) -> &T {
        &self.inner
    }
}

impl<T: ?Sized> DerefMut for MutexGuard<'_, T> {
    #[inline]
    fn deref_mut(&mut self) -> &mut T {
        &mut self.inner
    }
}

impl<T: ?Sized> Drop for MutexGuard<'_, T> {
    #[inline]
    fn drop(&mut self) {
        held::pop(self.rank);
    }
}

impl<T: ?Sized + fmt::Debug> fmt::Debug for Mutex<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.inner.fmt(f)
    }
}

impl<T: ?Sized + fmt::Debug> fmt::Debug for MutexGuard<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.inner.fmt(f)
    }
}

/// Many readers or one writer, with a rank.
pub struct RwLock<T: ?Sized> {
    rank: Rank,
    inner: parking_lot::RwLock<T>,
}

/// Read access to a [`RwLock`]'s value.
#[must_use]
pub struct RwLockReadGuard<'a, T: ?Sized> {
    rank: Rank,
    inner: parking_lot::RwLockReadGuard<'a, T>,
}

/// Write access to a [`RwLock`]'s value.
#[must_use]
pub struct RwLockWriteGuard<'a, T: ?Sized> {
    rank: Rank,
    inner: parking_lot::RwLockWriteGuard<'a, T>,
}

impl<T> RwLock<T> {
    /// Creates a free lock.
    pub const fn new(rank: Rank, value: T) -> Self {
        Self { rank, inner: parking_lot::const_rwlock(value) }
    }
}

impl<T: ?Sized> RwLock<T> {
    /// Waits until no writer has the lock.
    pub fn read(&self) -> RwLockReadGuard<'_, T> {
        held::push(self.rank);
        RwLockReadGuard { rank: self.rank, inner: self.inner.read() }
    }

    /// Waits until no other thread has the lock.
    pub fn write(&self) -> RwLockWriteGuard<'_, T> {
        held::push(self.rank);
        RwLockWriteGuard { rank: self.rank, inner: self.inner.write() }
    }

    /// Takes the lock for reading unless another thread has it for writing, or waits to write. The
    /// order is not checked, because this never waits.
    pub fn try_read(&self) -> Option<RwLockReadGuard<'_, T>> {
        let inner = self.inner.try_read()?;
        held::add(self.rank);
        Some(RwLockReadGuard { rank: self.rank, inner })
    }

    /// Takes the lock for writing if it is free. The order is not checked, because this never
    /// waits.
    pub fn try_write(&self) -> Option<RwLockWriteGuard<'_, T>> {
        let inner = self.inner.try_write()?;
        held::add(self.rank);
        Some(RwLockWriteGuard { rank: self.rank, inner })
    }
}

impl<T: ?Sized> Deref for RwLockReadGuard<'_, T> {
    type Target = T;
    fn deref(&self) -> &T {
        &self.inner
    }
}

impl<T: ?Sized> Deref for RwLockWriteGuard<'_, T> {
    type Target = T;
    fn deref(&self) -> &T {
        &self.inner
    }
}

impl<T: ?Sized> DerefMut for RwLockWriteGuard<'_, T> {
    fn deref_mut(&mut self) -> &mut T {
        &mut self.inner
    }
}

impl<T: ?Sized> Drop for RwLockReadGuard<'_, T> {
    fn drop(&mut self) {
        held::pop(self.rank);
    }
}

impl<T: ?Sized> Drop for RwLockWriteGuard<'_, T> {
    fn drop(&mut self) {
        held::pop(self.rank);
    }
}

impl<T: ?Sized + fmt::Debug> fmt::Debug for RwLock<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.inner.fmt(f)
    }
}

impl<T: ?Sized + fmt::Debug> fmt::Debug for RwLockReadGuard<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.inner.fmt(f)
    }
}

impl<T: ?Sized + fmt::Debug> fmt::Debug for RwLockWriteGuard<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.inner.fmt(f)
    }
}

/// A condition variable: waits for a change of a [`Mutex`]'s value.
#[derive(Debug, Default)]
pub struct Condvar {
    inner: parking_lot::Condvar,
}

impl Condvar {
    /// Creates a condition variable.
    #[must_use]
    pub const fn new() -> Self {
        Self { inner: parking_lot::Condvar::new() }
    }

    /// Releases the lock, waits for a notification, takes the lock again.
    pub fn wait<T: ?Sized>(&self, guard: &mut MutexGuard<'_, T>) {
        self.inner.wait(&mut guard.inner);
    }

    /// [`Self::wait`], at most until `deadline`; true if the time ran out.
    pub fn wait_until<T: ?Sized>(&self, guard: &mut MutexGuard<'_, T>, deadline: Instant) -> bool {
        self.inner.wait_until(&mut guard.inner, deadline).timed_out()
    }

    /// [`Self::wait`], at most for `time`; true if the time ran out.
    pub fn wait_for<T: ?Sized>(&self, guard: &mut MutexGuard<'_, T>, time: Duration) -> bool {
        self.inner.wait_for(&mut guard.inner, time).timed_out()
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

/// Bytes that the system must have left before a thread sleeps for the first time: far more than
/// that allocates.
const FIRST_SLEEP_BYTES: usize = 16 << 10;

thread_local! {
    /// True once this thread has the memory that it needs to sleep.
    static PREPARED: Cell<bool> = const { Cell::new(false) };
}

/// Allocates the memory that the calling thread needs to sleep for a lock or a condition. Its first
/// sleep would allocate it otherwise, and the C library ends the process if none is left. False if
/// none is left: the thread must not sleep.
pub fn prepare_thread() -> bool {
    if PREPARED.get() {
        return true;
    }
    if !muxcl_os::reserve::system_has(FIRST_SLEEP_BYTES) {
        return false;
    }
    let lock = parking_lot::Mutex::new(());
    parking_lot::Condvar::new().wait_for(&mut lock.lock(), Duration::ZERO);
    PREPARED.set(true);
    true
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::panic::catch_unwind;
    use std::sync::Arc;

    #[test]
    fn rising_ranks_are_fine_and_falling_ones_are_caught() {
        let (queue, event) = (Mutex::new(Rank::Queue, 1), Mutex::new(Rank::Event, 2));
        {
            let a = queue.lock();
            let b = event.lock();
            assert_eq!(*a + *b, 3);
        }
        assert_none_held();
        if cfg!(debug_assertions) {
            let (queue, event) =
                (std::panic::AssertUnwindSafe(&queue), std::panic::AssertUnwindSafe(&event));
            let falling = catch_unwind(|| {
                let _b = event.lock();
                let _a = queue.lock();
            });
            assert!(falling.is_err());
            let twice = catch_unwind(|| {
                let other = Mutex::new(Rank::Queue, ());
                let _a = queue.lock();
                let _b = other.lock();
            });
            assert!(twice.is_err());
        }
        assert_none_held();
        // A panic under the lock does not poison it.
        assert_eq!(*queue.lock(), 1);
    }

    #[test]
    fn a_condvar_hands_over() {
        let pair = Arc::new((Mutex::new(Rank::Event, false), Condvar::new()));
        let other = Arc::clone(&pair);
        let thread = std::thread::spawn(move || {
            *other.0.lock() = true;
            other.1.notify_all();
        });
        let mut done = pair.0.lock();
        while !*done {
            pair.1.wait(&mut done);
        }
        drop(done);
        thread.join().unwrap();
    }

    #[test]
    fn readers_share() {
        let lock = RwLock::new(Rank::Program, 5);
        assert_eq!(*lock.read(), 5);
        *lock.write() += 1;
        assert_eq!(*lock.read(), 6);
    }
}
