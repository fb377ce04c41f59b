//! The memory of each request: counts what each thread has allocated, and ends a request that
//! exceeds its bound.
//!
//! `malloc` and its relatives are replaced for the whole process, as the C library allows
//! ("Replacing malloc" in its manual): they call the C library's own and count. A block that
//! another thread frees is subtracted there, so a count is exact only while a thread frees its own
//! blocks, as the threads of requests do.
//!
//! Invariant: a count never makes an allocation fail; the bound ends the request instead. Not here:
//! the report ([`crate::crash`]).

use std::cell::Cell;
use std::ffi::{c_int, c_void};

unsafe extern "C" {
    fn __libc_malloc(size: usize) -> *mut c_void;
    fn __libc_calloc(count: usize, size: usize) -> *mut c_void;
    fn __libc_realloc(block: *mut c_void, size: usize) -> *mut c_void;
    fn __libc_memalign(align: usize, size: usize) -> *mut c_void;
    fn __libc_free(block: *mut c_void);
}

thread_local! {
    static USED: Cell<isize> = const { Cell::new(0) };
    /// 0 is no bound.
    static BOUND: Cell<isize> = const { Cell::new(0) };
    /// The largest count since [`start`].
    static MOST: Cell<isize> = const { Cell::new(0) };
}

/// Counts the calling thread's memory from 0, up to `bytes`.
pub(crate) fn start(bytes: usize) {
    USED.set(0);
    MOST.set(0);
    BOUND.set(isize::try_from(bytes).unwrap_or(isize::MAX));
}

/// No bound from now on.
pub(crate) fn stop() {
    BOUND.set(0);
}

/// The most that the calling thread had allocated at a time since [`start`], in bytes.
pub(crate) fn most() -> usize {
    MOST.get().unsigned_abs()
}

/// Gives free memory back to the system.
pub(crate) fn give_back() {
    // SAFETY: has no preconditions.
    unsafe { libc::malloc_trim(0) };
}

#[inline]
fn add(block: *mut c_void) -> *mut c_void {
    // SAFETY: a block of the C library, or null, for which the function returns 0.
    let bytes = unsafe { libc::malloc_usable_size(block) }.cast_signed();
    let used = USED.get() + bytes;
    USED.set(used);
    MOST.set(MOST.get().max(used));
    let bound = BOUND.get();
    if bound != 0 && used > bound {
        stop();
        crate::crash::memory_bound(bound.unsigned_abs());
    }
    block
}

#[inline]
fn subtract(block: *mut c_void) {
    // SAFETY: a block of the C library, or null.
    let bytes = unsafe { libc::malloc_usable_size(block) }.cast_signed();
    USED.set(USED.get() - bytes);
}

#[unsafe(no_mangle)]
unsafe extern "C" fn malloc(size: usize) -> *mut c_void {
    // SAFETY: the caller's promise is that of `malloc`; likewise below.
    add(unsafe { __libc_malloc(size) })
}

#[unsafe(no_mangle)]
unsafe extern "C" fn calloc(count: usize, size: usize) -> *mut c_void {
    // SAFETY: as above.
    add(unsafe { __libc_calloc(count, size) })
}

#[unsafe(no_mangle)]
unsafe extern "C" fn realloc(block: *mut c_void, size: usize) -> *mut c_void {
    subtract(block);
    // SAFETY: as above.
    let new = unsafe { __libc_realloc(block, size) };
    // A failed call leaves the old block.
    add(if new.is_null() { block } else { new });
    new
}

#[unsafe(no_mangle)]
unsafe extern "C" fn memalign(align: usize, size: usize) -> *mut c_void {
    // SAFETY: as above.
    add(unsafe { __libc_memalign(align, size) })
}

#[unsafe(no_mangle)]
unsafe extern "C" fn aligned_alloc(align: usize, size: usize) -> *mut c_void {
    // SAFETY: as above.
    add(unsafe { __libc_memalign(align, size) })
}

#[unsafe(no_mangle)]
unsafe extern "C" fn valloc(size: usize) -> *mut c_void {
    // SAFETY: as above.
    add(unsafe { __libc_memalign(muxcl_os::page_size(), size) })
}

#[unsafe(no_mangle)]
unsafe extern "C" fn pvalloc(size: usize) -> *mut c_void {
    let page = muxcl_os::page_size();
    // SAFETY: as above.
    add(unsafe { __libc_memalign(page, size.next_multiple_of(page)) })
}

#[unsafe(no_mangle)]
unsafe extern "C" fn posix_memalign(slot: *mut *mut c_void, align: usize, size: usize) -> c_int {
    if !align.is_power_of_two() || align < size_of::<*mut c_void>() {
        return libc::EINVAL;
    }
    // SAFETY: as above.
    let block = add(unsafe { __libc_memalign(align, size) });
    if block.is_null() {
        return libc::ENOMEM;
    }
    // SAFETY: the caller's promise.
    unsafe { *slot = block };
    0
}

#[unsafe(no_mangle)]
unsafe extern "C" fn free(block: *mut c_void) {
    subtract(block);
    // SAFETY: as above.
    unsafe { __libc_free(block) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[expect(clippy::multiple_unsafe_ops_per_block, reason = "blocks of their own, freed once")]
    fn every_kind_of_block_is_counted_and_subtracted() {
        let before = USED.get();
        let block = std::hint::black_box(vec![1_u8; 1 << 20]);
        assert!(USED.get() - before >= 1 << 20, "Rust's allocations");
        drop(block);
        assert_eq!(USED.get(), before);
        // SAFETY: blocks of their own, freed once.
        unsafe {
            let mut aligned = std::ptr::null_mut();
            assert_eq!(libc::posix_memalign(&raw mut aligned, 4096, 5000), 0);
            assert_eq!(libc::posix_memalign(&raw mut aligned, 3, 5000), libc::EINVAL);
            // The optimiser would leave out blocks that nobody sees.
            let blocks = std::hint::black_box([
                malloc(100),
                calloc(10, 10),
                realloc(malloc(1), 4000),
                aligned_alloc(64, 640),
                aligned,
            ]);
            assert!(blocks.iter().all(|b| !b.is_null()));
            assert!(USED.get() - before >= 100 + 100 + 4000 + 640 + 5000);
            blocks.into_iter().for_each(|b| free(b));
            free(std::ptr::null_mut());
        }
        assert_eq!(USED.get(), before);
    }
}
