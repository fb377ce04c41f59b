//! The heap that malloc keeps for the calling thread. Not here: Rust's allocator (`reserve`).

/// Bytes of a block, below the size from which malloc maps memory for each block.
const BLOCK: usize = 120 << 10;

/// Gives the calling thread's heap `bytes` of free memory at once.
///
/// A heap of glibc that is not the main thread's grows by a page for a request that does not fit:
/// a system call, an interrupt of the process's other threads, and a page fault for each page. A
/// compilation makes hundreds of them.
pub fn grow_heap(bytes: usize) {
    let blocks: Vec<*mut libc::c_void> = (0..bytes / BLOCK)
        // SAFETY: any size is allowed.
        .map(|_| unsafe { libc::malloc(BLOCK) })
        .filter(|block| !block.is_null())
        .collect();
    // The last block keeps the others from going back to the system. malloc holds such a small
    // block for the next request.
    // SAFETY: any size is allowed.
    let last = unsafe { libc::malloc(24) };
    let page = crate::page_size();
    for block in &blocks {
        let start = block.addr().next_multiple_of(page);
        // SAFETY: the pages are inside the block. Their content does not change. An error does not
        // matter.
        unsafe {
            libc::madvise(block.with_addr(start), BLOCK - page, libc::MADV_POPULATE_WRITE);
        }
    }
    for block in blocks.into_iter().chain([last]) {
        // SAFETY: malloc returned it; `free` accepts null.
        unsafe { libc::free(block) };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Page faults of the calling thread that needed no input.
    fn faults() -> i64 {
        // SAFETY: zeros are valid in all of its members.
        let mut usage: libc::rusage = unsafe { std::mem::zeroed() };
        // SAFETY: it writes one structure.
        unsafe { libc::getrusage(libc::RUSAGE_THREAD, &raw mut usage) };
        usage.ru_minflt
    }

    #[test]
    fn a_grown_heap_needs_no_page_faults() {
        let there = std::thread::spawn(|| {
            grow_heap(2 << 20);
            let before = faults();
            let blocks: Vec<Vec<u8>> = (0..50).map(|_| vec![1; 20_000]).collect();
            (faults() - before, blocks.len())
        });
        let (faults, blocks) = there.join().unwrap_or((i64::MAX, 0));
        assert!(faults < 100, "{faults} page faults for {blocks} blocks of 5 pages");
    }
}
