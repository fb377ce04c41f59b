//! What `heap::widen` makes of a thread's heap. Alone in its process: other tests' threads would
//! leave blocks in the heaps.
#![cfg(all(target_env = "gnu", not(miri)))]

use std::hint::black_box;

use muxcl_os::heap::widen;

/// glibc's heaps of threads start at multiples of this.
const HEAP: usize = 64 << 20;
const HUGE: usize = 2 << 20;

#[test]
fn a_widened_heap_goes_on_at_a_huge_page() {
    let thread = std::thread::spawn(|| {
        widen();
        let first: Vec<u8> = black_box(Vec::with_capacity(100_000));
        widen();
        let second: Vec<u8> = black_box(Vec::with_capacity(100_000));
        [first, second].map(|block| block.as_ptr().addr())
    });
    let [first, second] = thread.join().unwrap();
    assert!(first % HUGE < 4096 && first % HEAP >= HUGE, "{first:x}");
    assert!(second.wrapping_sub(first) < 110_000, "{first:x}, {second:x}");
}
