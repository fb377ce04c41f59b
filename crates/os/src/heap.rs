//! Heaps of threads: glibc gives each of the first threads a heap of its own, which the next thread takes over when one ends.
//!
//! Not here: the allocator's reserve for when memory ends ([`crate::reserve`]).

/// Makes the calling thread's heap large, once per heap: address space, and no memory yet. Failure has no effect.
///
/// glibc makes a thread's heap larger page by page, a system call each, and gives the end of it back to the system whenever that is
/// free: work that begins and ends with an empty heap then has a thousand page faults each time. After this a block stays behind
/// what is free.
pub fn widen() {
    // Less each than what the allocator would map on its own.
    let blocks: [Vec<u8>; 32] = std::array::from_fn(|_| {
        let mut block = Vec::new();
        let _ = block.try_reserve_exact(BLOCK);
        block
    });
    let pin: Box<[u8]> = std::hint::black_box(Box::new([0; 64]));
    let last = std::hint::black_box(&blocks).iter().map(|b| b.as_ptr().addr()).max().unwrap_or(0);
    if pin.as_ptr().addr().checked_sub(last).is_some_and(|gap| gap <= BLOCK + 64) {
        std::mem::forget(pin); // the heap was made larger just now
    }
}

const BLOCK: usize = 120 << 10;
