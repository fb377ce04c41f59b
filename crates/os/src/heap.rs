//! Heaps of threads: glibc gives each of the first threads a heap of its own, which the next thread
//! takes over when one ends.
//!
//! Not here: the allocator's reserve for when memory ends ([`crate::reserve`]).

use std::hint::black_box;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

/// Makes the calling thread's heap large and made of huge pages, once per heap: address space, and
/// memory as it is used. Failure has no effect.
///
/// glibc makes a thread's heap larger page by page, a system call each, and gives the end of it
/// back to the system whenever that is free: work that begins and ends with an empty heap then has
/// a thousand page faults each time. After this the heap goes on in a free block that fills huge
/// pages, and has another block behind it.
///
/// With another allocator this takes some blocks and gives them back.
pub fn widen() {
    static LARGE: AtomicBool = AtomicBool::new(false);
    // The heap ends here.
    let last = block(SMALL);
    let here = last.as_ptr().addr();
    if last.capacity() == 0 || !is_new(here / HEAP) {
        return;
    }
    // From the size of the largest block it ever gave back to the system, the allocator asks that
    // for a block, and not a heap. Two threads may do this at once: neither should wait.
    if !LARGE.load(Ordering::Relaxed) {
        drop(block(FREE + HUGE));
        LARGE.store(true, Ordering::Relaxed);
    }
    // A block up to a huge page's start (its memory is never touched), and one from there on.
    let next = here + SMALL + OVERHEAD;
    let start = (next + SMALL).next_multiple_of(HUGE);
    let before = block(start - next - OVERHEAD);
    let free = block(FREE - OVERHEAD);
    let behind = block(SMALL);
    let as_expected =
        before.as_ptr().addr() == next && free.as_ptr().addr() == start && behind.capacity() != 0;
    if as_expected {
        crate::advise_huge(free.as_ptr().cast_mut(), FREE);
        std::mem::forget(black_box((before, behind)));
    }
    drop(free);
}

/// A block of the allocator; empty where there is none.
fn block(bytes: usize) -> Vec<u8> {
    let mut block = Vec::new();
    let _ = block.try_reserve_exact(bytes);
    black_box(block)
}

/// Whether nobody has asked for this heap yet.
fn is_new(heap: usize) -> bool {
    static KNOWN: [AtomicUsize; 256] = [const { AtomicUsize::new(0) }; 256];
    for known in &KNOWN {
        match known.compare_exchange(0, heap, Ordering::Relaxed, Ordering::Relaxed) {
            Ok(_) => return true,
            Err(other) if other == heap => return false,
            Err(_) => {}
        }
    }
    false
}

/// glibc's heaps of threads start at multiples of this.
const HEAP: usize = 64 << 20;
const HUGE: usize = 2 << 20;
/// What a small program takes.
const FREE: usize = 2 * HUGE;
/// Larger than what lies about free in a heap nobody has used yet, and no block for the allocator's
/// caches of small ones.
const SMALL: usize = 3000;
/// Between two blocks whose sizes are, like `SMALL`, eight more than a multiple of 16.
const OVERHEAD: usize = 8;
