//! The process runs out of memory before a thread is started. A separate program, because the
//! memory limit applies to the process.

use std::thread::Builder;

use muxcl_os::reserve::{self, ReserveAllocator};

#[global_allocator]
static ALLOCATOR: ReserveAllocator = ReserveAllocator;

fn limit(bytes: u64) {
    let limit = libc::rlimit { rlim_cur: bytes, rlim_max: libc::RLIM_INFINITY };
    // SAFETY: the structure is whole.
    assert_eq!(unsafe { libc::setrlimit(libc::RLIMIT_AS, &raw const limit) }, 0);
}

/// Without memory for its setup, the standard library aborts the process for a new thread.
#[test]
fn memory_ends_for_a_thread() {
    reserve::set_aside();
    let start = || reserve::on_thread(Builder::new(), || ());
    // The C library keeps the stack of this thread for the next one.
    assert!(start().is_ok());
    let mut blocks: Vec<*mut libc::c_void> = Vec::with_capacity(1 << 16);
    let mut pages: Vec<*mut libc::c_void> = Vec::with_capacity(1 << 10);
    let text = std::fs::read_to_string("/proc/self/statm").unwrap();
    let used: u64 = text.split(' ').next().unwrap().parse().unwrap();
    limit(used * 4096 + (1 << 20));
    for size in [256, 64, 16, 4] {
        loop {
            // SAFETY: the block is only freed.
            let block = unsafe { libc::malloc(size << 10) };
            if block.is_null() {
                break;
            }
            blocks.push(block);
        }
    }
    loop {
        let (access, flags) = (libc::PROT_NONE, libc::MAP_PRIVATE | libc::MAP_ANONYMOUS);
        // SAFETY: a new page is only unmapped.
        let page = unsafe { libc::mmap(std::ptr::null_mut(), 4096, access, flags, -1, 0) };
        if page == libc::MAP_FAILED {
            break;
        }
        pages.push(page);
    }
    let started = start().is_ok();
    limit(libc::RLIM_INFINITY);
    for page in pages {
        // SAFETY: a page of `mmap`.
        unsafe { libc::munmap(page, 4096) };
    }
    for block in blocks {
        // SAFETY: a block of `malloc`, freed once.
        unsafe { libc::free(block) };
    }
    assert!(!started, "a thread was started without memory");
    assert!(start().is_ok());
}
