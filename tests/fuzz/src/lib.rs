//! What several fuzz targets use: a count of the memory that a piece of work takes.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

/// The system's allocator, which counts what the current thread has allocated.
struct Counting;

#[global_allocator]
static ALLOCATOR: Counting = Counting;

thread_local! {
    /// Bytes in use, and the most that have been in use, since the last [`peak`] began.
    static IN_USE: Cell<(isize, isize)> = const { Cell::new((0, 0)) };
}

fn count(change: isize) {
    // An ending thread has no thread-locals any more.
    let _ = IN_USE.try_with(|cell| {
        let (now, most) = cell.get();
        let now = now.saturating_add(change);
        cell.set((now, most.max(now)));
    });
}

// SAFETY: every call goes to the system's allocator.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count(layout.size().cast_signed());
        // SAFETY: the caller's promise.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, at: *mut u8, layout: Layout) {
        count(-layout.size().cast_signed());
        // SAFETY: the caller's promise.
        unsafe { System.dealloc(at, layout) }
    }
}

/// Runs `work`. Returns its result and the most bytes that it had allocated at one time.
pub fn peak<R>(work: impl FnOnce() -> R) -> (R, usize) {
    IN_USE.set((0, 0));
    let result = work();
    let (_, most) = IN_USE.get();
    (result, most.unsigned_abs())
}
