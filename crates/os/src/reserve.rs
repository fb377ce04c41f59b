//! An allocator with memory set aside: when the system has none left, small allocations come from a
//! reserve.
//!
//! Rust's collections end the process when an allocation fails. What an application sizes (a list,
//! a text, a buffer) is asked for with `try_reserve`; for everything else the libraries use
//! [`ReserveAllocator`]: the call that meets the end of memory finishes from the reserve, and
//! [`is_low`] makes the next one refuse before it has begun anything.
//!
//! Invariant: a block of the reserve is handed out once until it is given back; the reserve is only
//! address space until it is used. Not here: who refuses, and with which code.

use crate::{Mapping, Protection};
use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, AtomicUsize, Ordering};
use std::thread::Thread;

/// Bytes of one region of the reserve.
const REGION: usize = 2 << 20;
/// The largest block taken from the reserve; who asks for more and cannot do without ends the
/// process, but on a thread of [`on_thread`].
const LARGEST: usize = 256 << 10;
/// A region used up by objects that stay is replaced once the system has memory again; as often as
/// this.
const REGIONS: usize = 16;

/// Bump allocation that starts over when the last block has come back.
struct Region {
    /// 0: not there yet. Never unmapped.
    start: AtomicUsize,
    /// Blocks in use << 32 | bytes handed out since all were back.
    state: AtomicU64,
}

impl Region {
    const fn new() -> Self {
        Self { start: AtomicUsize::new(0), state: AtomicU64::new(0) }
    }

    fn take(&self, layout: Layout) -> Option<*mut u8> {
        let start = self.start.load(Ordering::Acquire);
        if start == 0 {
            return None;
        }
        let mut at = 0;
        self.state
            .try_update(Ordering::AcqRel, Ordering::Relaxed, |state| {
                let (live, used) = (state >> 32, usize::try_from(state & 0xffff_ffff).ok()?);
                at = (start + used).checked_next_multiple_of(layout.align())?;
                let end = (at - start).checked_add(layout.size()).filter(|&end| end <= REGION)?;
                Some((live + 1) << 32 | end as u64)
            })
            .ok()?;
        Some(std::ptr::with_exposed_provenance_mut(at))
    }

    fn holds(&self, address: usize) -> bool {
        let start = self.start.load(Ordering::Acquire);
        start != 0 && (start..start + REGION).contains(&address)
    }

    fn give_back(&self) {
        // Some block is in use: the one that comes back.
        self.state.update(Ordering::AcqRel, Ordering::Relaxed, |state| {
            let live = (state >> 32) - 1;
            if live == 0 { 0 } else { live << 32 | state & 0xffff_ffff }
        });
    }

    fn free(&self) -> usize {
        REGION - usize::try_from(self.state.load(Ordering::Relaxed) & 0xffff_ffff).unwrap_or(REGION)
    }
}

static RESERVE: [Region; REGIONS] = [const { Region::new() }; REGIONS];
/// Whether any block ever came from the reserve: until then nobody looks for one there.
static USED: AtomicBool = AtomicBool::new(false);
static LOW: AtomicBool = AtomicBool::new(false);

/// Sets the reserve aside, once a library. Without memory for it the library does without.
pub fn set_aside() {
    if RESERVE[0].start.load(Ordering::Relaxed) == 0 {
        add_region(&RESERVE[0]);
    }
}

fn add_region(region: &Region) -> bool {
    let Ok(mapping) = Mapping::new(REGION, Protection::ReadWrite) else { return false };
    let start = mapping.as_ptr().expose_provenance();
    if region.start.compare_exchange(0, start, Ordering::AcqRel, Ordering::Relaxed).is_ok() {
        // Blocks of it may be in use as long as the process lives.
        std::mem::forget(mapping);
    }
    true
}

/// Whether something had to be taken from the reserve since [`try_restore`] last found memory.
#[inline]
pub fn is_low() -> bool {
    LOW.load(Ordering::Relaxed)
}

/// Whether the system has memory again, and the reserve enough for another call that meets its end.
#[cold]
pub fn try_restore() -> bool {
    let Ok(probe) = Layout::from_size_align(LARGEST, 16) else { return false };
    // SAFETY: the layout has a size.
    let block = unsafe { System.alloc(probe) };
    if !block.is_null() {
        // SAFETY: from the same allocator, with the same layout.
        unsafe { System.dealloc(block, probe) };
    }
    let ready = !block.is_null()
        && (RESERVE.iter().any(|region| {
            region.start.load(Ordering::Acquire) != 0 && region.free() >= REGION / 2
        }) || RESERVE
            .iter()
            .find(|region| region.start.load(Ordering::Acquire) == 0)
            .is_some_and(add_region));
    if ready {
        LOW.store(false, Ordering::Relaxed);
    }
    ready
}

/// Somebody who waits for a thread whose work can be given up.
#[derive(Debug)]
struct Watched {
    state: AtomicU32,
    waits: Thread,
}

const DONE: u32 = 1;
const NO_MEMORY: u32 = 2;

thread_local! {
    static WATCHED: Cell<Option<&'static Watched>> = const { Cell::new(None) };
}

impl Watched {
    /// Does `work` on the calling thread, watched.
    fn run<T>(self: Arc<Self>, work: impl FnOnce() -> T) -> T {
        struct End<'a>(&'a Watched);
        impl Drop for End<'_> {
            fn drop(&mut self) {
                WATCHED.set(None);
                self.0.end(DONE);
            }
        }
        // SAFETY: `self` lives until the end of this call, and `End` takes the reference away
        // before that.
        let for_ever = unsafe { &*Arc::as_ptr(&self) };
        WATCHED.set(Some(for_ever));
        let _end = End(&self);
        work()
    }

    fn end(&self, state: u32) {
        self.state.store(state, Ordering::Release);
        self.waits.unpark();
    }
}

/// Does `work` on a thread that `builder` makes, and waits for it. Where it asks for a block that
/// neither the system nor the reserve has, it goes no further: the result is `None`, and what the
/// thread held, itself included, it holds for ever. Inside is what a panic left.
///
/// # Errors
/// There is no thread to be had.
pub fn on_thread<T: Send>(
    builder: std::thread::Builder,
    work: impl FnOnce() -> T + Send,
) -> std::io::Result<Option<std::thread::Result<T>>> {
    let here = Arc::new(Watched { state: AtomicU32::new(0), waits: std::thread::current() });
    let there = Arc::clone(&here);
    // SAFETY: what `work` borrows outlives it: below its end is waited for, or, where there is
    // none, it never goes on.
    let thread = crate::thread::without_signals(|| unsafe {
        builder.spawn_unchecked(move || there.run(work))
    })?;
    loop {
        match here.state.load(Ordering::Acquire) {
            DONE => return Ok(Some(thread.join())),
            NO_MEMORY => return Ok(None),
            _ => std::thread::park(),
        }
    }
}

#[cold]
fn take(layout: Layout) -> *mut u8 {
    if layout.size() > LARGEST {
        if let Ok(Some(watched)) = WATCHED.try_with(Cell::get) {
            watched.end(NO_MEMORY);
            loop {
                std::thread::park();
            }
        }
        return std::ptr::null_mut();
    }
    LOW.store(true, Ordering::Relaxed);
    USED.store(true, Ordering::Relaxed);
    RESERVE.iter().find_map(|region| region.take(layout)).unwrap_or(std::ptr::null_mut())
}

#[inline]
fn of_reserve(block: *mut u8) -> Option<&'static Region> {
    // Whoever holds a block of the reserve sees the flag: it was set before the block was handed
    // out.
    if !USED.load(Ordering::Relaxed) {
        return None;
    }
    RESERVE.iter().find(|region| region.holds(block.addr()))
}

/// The system's allocator, and the reserve behind it. For `#[global_allocator]` of the libraries.
#[derive(Debug)]
pub struct ReserveAllocator;

// SAFETY: a block comes from the system's allocator, which keeps the contract, or from a region,
// where `take` hands out disjoint, aligned ranges that stay mapped; it goes back to where it came
// from, told apart by its address.
unsafe impl GlobalAlloc for ReserveAllocator {
    #[inline]
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller's promise about the layout.
        let block = unsafe { System.alloc(layout) };
        if block.is_null() { take(layout) } else { block }
    }

    #[inline]
    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller's promise about the layout.
        let block = unsafe { System.alloc_zeroed(layout) };
        if !block.is_null() {
            return block;
        }
        let block = take(layout);
        if !block.is_null() {
            // A range handed out before is not zero any more.
            // SAFETY: the block has the layout's size and is nobody else's.
            unsafe { block.write_bytes(0, layout.size()) };
        }
        block
    }

    #[inline]
    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        match of_reserve(block) {
            None => {
                // SAFETY: not from the reserve, so from the system, with this layout by the
                // caller's promise.
                unsafe { System.dealloc(block, layout) };
            }
            Some(region) => region.give_back(),
        }
    }

    #[inline]
    unsafe fn realloc(&self, block: *mut u8, layout: Layout, new_size: usize) -> *mut u8 {
        let held = of_reserve(block);
        if held.is_none() {
            // SAFETY: not from the reserve, so from the system, with this layout by the caller's
            // promise.
            let moved = unsafe { System.realloc(block, layout, new_size) };
            if !moved.is_null() {
                return moved;
            }
        }
        let Ok(new_layout) = Layout::from_size_align(new_size, layout.align()) else {
            return std::ptr::null_mut();
        };
        let moved = if held.is_some() {
            // SAFETY: by the caller's promise the new size is not 0.
            unsafe { self.alloc(new_layout) }
        } else {
            take(new_layout)
        };
        if !moved.is_null() {
            // SAFETY: both blocks hold the smaller of the two sizes and are apart.
            unsafe { moved.copy_from_nonoverlapping(block, layout.size().min(new_size)) };
            // SAFETY: the caller gives the old block up.
            unsafe { self.dealloc(block, layout) };
        }
        moved
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_region_hands_out_disjoint_aligned_blocks_and_starts_over() {
        let region = Region::new();
        let small = Layout::from_size_align(24, 8).unwrap();
        let wide = Layout::from_size_align(100, 64).unwrap();
        assert_eq!(region.take(small), None, "nothing was set aside");
        assert!(add_region(&region));
        let first = region.take(small).unwrap().addr();
        let second = region.take(wide).unwrap().addr();
        assert!(second >= first + 24 && second.is_multiple_of(64) && region.holds(second + 99));
        assert!(!region.holds(first - 1) && !region.holds(first + REGION));
        region.give_back();
        assert_ne!(region.take(small).unwrap().addr(), first, "a block is still in use");
        region.give_back();
        region.give_back();
        assert_eq!(region.take(small).unwrap().addr(), first, "all were back");
        let rest = Layout::from_size_align(REGION, 1).unwrap();
        assert_eq!(region.take(rest), None, "24 bytes are taken");
    }

    #[test]
    fn many_threads_get_blocks_of_their_own() {
        let region = Region::new();
        assert!(add_region(&region));
        let layout = Layout::from_size_align(16, 16).unwrap();
        std::thread::scope(|scope| {
            for tag in 1..=4_usize {
                let region = &region;
                scope.spawn(move || {
                    for _ in 0..200 {
                        let blocks: Vec<_> = (0..50).filter_map(|_| region.take(layout)).collect();
                        for block in &blocks {
                            // SAFETY: 16 bytes of this thread's own.
                            unsafe { block.cast::<usize>().write(tag) };
                        }
                        for block in blocks {
                            // SAFETY: as above.
                            assert_eq!(unsafe { block.cast::<usize>().read() }, tag);
                            region.give_back();
                        }
                    }
                });
            }
        });
        assert_eq!(region.free(), REGION);
    }

    #[test]
    fn blocks_of_the_reserve_grow_shrink_and_go_back() {
        set_aside();
        let layout = Layout::from_size_align(32, 8).unwrap();
        let block = take(layout);
        assert!(is_low() && of_reserve(block).is_some());
        // SAFETY: 32 bytes of this test's own.
        unsafe { block.write_bytes(7, 32) };
        // SAFETY: a block of this allocator, with its layout.
        let grown = unsafe { ReserveAllocator.realloc(block, layout, 4000) };
        assert!(of_reserve(grown).is_none(), "the system has memory");
        // SAFETY: what was written moved along.
        assert!(unsafe { std::slice::from_raw_parts(grown, 32) }.iter().all(|b| *b == 7));
        // SAFETY: a block of this allocator, with its layout.
        unsafe { ReserveAllocator.dealloc(grown, Layout::from_size_align(4000, 8).unwrap()) };
        assert!(take(Layout::from_size_align(LARGEST + 1, 1).unwrap()).is_null());
        assert!(try_restore() && !is_low());
    }

    #[test]
    fn threads_that_are_waited_for_run_no_handlers_of_the_application() {
        let blocked = on_thread(std::thread::Builder::new(), || {
            let mut now = std::mem::MaybeUninit::<libc::sigset_t>::uninit();
            // SAFETY: changes nothing; the set is written.
            unsafe { libc::pthread_sigmask(libc::SIG_BLOCK, std::ptr::null(), now.as_mut_ptr()) };
            // SAFETY: the set is initialised.
            [libc::SIGUSR1, libc::SIGALRM, libc::SIGSEGV]
                .map(|s| unsafe { libc::sigismember(now.as_ptr(), s) })
        });
        assert_eq!(blocked.unwrap().unwrap().unwrap(), [1, 1, 0]);
    }
}
