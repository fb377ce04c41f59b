//! An allocator with a reserve: when the system has no memory left, small allocations come from
//! memory that was mapped in advance.
//!
//! Rust's collections end the process if an allocation fails. The libraries use `try_reserve` for
//! allocations whose size the application determines (a list, a text, a buffer). For all others
//! they use [`ReserveAllocator`]: a call that runs out of memory finishes with blocks of the
//! reserve, and [`is_low`] lets the next call fail before it has begun anything.
//!
//! Invariant: a block of the reserve has one owner until it is freed. The reserve is only address
//! space until it is used. Not here: which calls fail, and with which error code.

use crate::{Mapping, Protection};
use std::alloc::{GlobalAlloc, Layout, System};
use std::any::Any;
use std::borrow::Cow;
use std::cell::Cell;
use std::sync::Arc;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, AtomicUsize, Ordering};
use std::thread::Thread;

/// Size of one region of the reserve in bytes.
const REGION: usize = 2 << 20;
/// Bytes of the largest block served from the reserve. A larger failed allocation aborts the
/// process, except inside [`on_thread`], [`expendable`] and [`in_place`].
const LARGEST: usize = 256 << 10;
/// Number of regions. Objects that stay alive may fill a region; the next region replaces it once
/// the system has memory again.
const REGIONS: usize = 16;

/// A bump allocator that restarts when its last block is freed.
struct Region {
    /// Address of the first byte; 0 before the region is mapped. It is never unmapped.
    start: AtomicUsize,
    /// Blocks in use << 32 | bytes allocated since no block was in use.
    state: AtomicU64,
}

impl Region {
    const fn new() -> Self {
        Self { start: AtomicUsize::new(0), state: AtomicU64::new(0) }
    }

    fn allocate(&self, layout: Layout) -> Option<*mut u8> {
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

    fn contains(&self, address: usize) -> bool {
        let start = self.start.load(Ordering::Acquire);
        start != 0 && (start..start + REGION).contains(&address)
    }

    fn free_block(&self) {
        // The count of blocks is at least 1: it includes the block that is freed.
        self.state.update(Ordering::AcqRel, Ordering::Relaxed, |state| {
            let live = (state >> 32) - 1;
            if live == 0 { 0 } else { live << 32 | state & 0xffff_ffff }
        });
    }

    fn bytes_left(&self) -> usize {
        REGION - usize::try_from(self.state.load(Ordering::Relaxed) & 0xffff_ffff).unwrap_or(REGION)
    }
}

static RESERVE: [Region; REGIONS] = [const { Region::new() }; REGIONS];
/// Set once a block has come from the reserve. Until then, frees skip the search for its region.
static USED: AtomicBool = AtomicBool::new(false);
static LOW: AtomicBool = AtomicBool::new(false);

/// Maps the first region, once in each library. If that fails, the reserve does not exist.
pub fn set_aside() {
    if RESERVE[0].start.load(Ordering::Relaxed) == 0 {
        add_region(&RESERVE[0]);
    }
}

fn add_region(region: &Region) -> bool {
    let Ok(mapping) = Mapping::new(REGION, Protection::ReadWrite) else { return false };
    let start = mapping.as_ptr().expose_provenance();
    if region.start.compare_exchange(0, start, Ordering::AcqRel, Ordering::Relaxed).is_ok() {
        // Blocks of the region may be in use until the process ends.
        std::mem::forget(mapping);
    }
    true
}

/// True if a block came from the reserve since [`try_restore`] last found memory.
#[inline]
pub fn is_low() -> bool {
    LOW.load(Ordering::Relaxed)
}

/// True if the system, without the reserve, has a block of `bytes` bytes, which are not 0.
#[must_use]
pub fn system_has(bytes: usize) -> bool {
    let Ok(probe) = Layout::from_size_align(bytes, 16) else { return false };
    // SAFETY: the layout has a size.
    let block = unsafe { System.alloc(probe) };
    if !block.is_null() {
        // SAFETY: from the same allocator, with the same layout.
        unsafe { System.dealloc(block, probe) };
    }
    !block.is_null()
}

/// True if the system has memory again and the reserve has room for another call that runs out.
#[cold]
pub fn try_restore() -> bool {
    let ready = system_has(LARGEST)
        && (RESERVE.iter().any(|region| {
            region.start.load(Ordering::Acquire) != 0 && region.bytes_left() >= REGION / 2
        }) || RESERVE
            .iter()
            .find(|region| region.start.load(Ordering::Acquire) == 0)
            .is_some_and(add_region));
    if ready {
        LOW.store(false, Ordering::Relaxed);
    }
    ready
}

/// The result of [`on_thread`].
#[derive(Debug)]
pub enum Outcome<T> {
    /// The work returned.
    Returned(T),
    /// The work panicked, with this payload.
    Panicked(Box<dyn Any + Send>),
    /// The work was abandoned, for this reason. Its thread is parked for ever with everything it
    /// owns.
    Abandoned(String),
}

/// A thread whose work can be abandoned, and the thread that waits for it.
#[derive(Debug)]
struct Supervised {
    /// 0 while the work runs, then [`DONE`] or [`ABANDONED`].
    state: AtomicU32,
    waiter: Thread,
    reason: OnceLock<Cow<'static, str>>,
}

/// How a thread reports that its work is abandoned.
#[derive(Clone, Copy)]
enum Report {
    /// Notifies the thread that waits.
    Waiter(&'static Supervised),
    /// Calls a function on the same thread.
    Call(&'static dyn Fn(&str)),
}

const DONE: u32 = 1;
const ABANDONED: u32 = 2;

thread_local! {
    /// How this thread reports abandoned work; set while [`reporting`] runs.
    static REPORT: Cell<Option<Report>> = const { Cell::new(None) };
}

/// Runs `work` with [`REPORT`] set to `report`. Then runs `end`, even if `work` panics.
fn reporting<T>(report: Report, work: impl FnOnce() -> T, end: impl FnOnce()) -> T {
    struct End<F: FnOnce()>(Option<Report>, Option<F>);
    impl<F: FnOnce()> Drop for End<F> {
        fn drop(&mut self) {
            REPORT.set(self.0);
            if let Some(end) = self.1.take() {
                end();
            }
        }
    }
    let _end = End(REPORT.replace(Some(report)), Some(end));
    work()
}

impl Report {
    /// Reports `reason` and parks the calling thread for ever.
    fn abandon(self, reason: Cow<'static, str>) -> ! {
        REPORT.set(None);
        match self {
            Self::Waiter(supervised) => supervised.abandoned(reason),
            Self::Call(give_up) => give_up(&reason),
        }
        loop {
            std::thread::park();
        }
    }
}

impl Supervised {
    fn new() -> Self {
        Self { state: AtomicU32::new(0), waiter: std::thread::current(), reason: OnceLock::new() }
    }

    /// Runs `work` on the calling thread and reports its end.
    fn run<T>(self: Arc<Self>, work: impl FnOnce() -> T) -> T {
        // SAFETY: `self` lives until the end of this call, and `reporting` forgets the reference
        // before that.
        let unbounded = unsafe { &*Arc::as_ptr(&self) };
        reporting(Report::Waiter(unbounded), work, || self.end(DONE))
    }

    fn end(&self, state: u32) {
        self.state.store(state, Ordering::Release);
        self.waiter.unpark();
    }

    fn abandoned(&self, reason: Cow<'static, str>) {
        let _ = self.reason.set(reason);
        self.end(ABANDONED);
    }
}

/// Runs `work` on a thread that `builder` creates, and waits for it. If the work cannot continue
/// (it requests a block that neither the system nor the reserve has, or calls [`abandon`]), the
/// result is [`Outcome::Abandoned`], and the thread is leaked with everything it owns.
///
/// # Errors
/// The system cannot start another thread.
pub fn on_thread<T: Send>(
    builder: std::thread::Builder,
    work: impl FnOnce() -> T + Send,
) -> std::io::Result<Outcome<T>> {
    let here = Arc::new(Supervised::new());
    let there = Arc::clone(&here);
    // SAFETY: borrows stay valid: the thread is joined below, or it is parked for ever and never
    // touches them again.
    let thread = crate::thread::start_thread(|| unsafe {
        builder.spawn_unchecked(move || there.run(work))
    })?;
    loop {
        match here.state.load(Ordering::Acquire) {
            DONE => {
                return Ok(match thread.join() {
                    Ok(value) => Outcome::Returned(value),
                    Err(payload) => Outcome::Panicked(payload),
                });
            }
            ABANDONED => {
                let reason = here.reason.get().map(|reason| reason.clone().into_owned());
                return Ok(Outcome::Abandoned(reason.unwrap_or_default()));
            }
            _ => std::thread::park(),
        }
    }
}

/// Runs `work` on the calling thread, for threads that no other thread waits for. If the work
/// cannot continue, the thread is parked for ever with everything it owns.
pub fn expendable<T>(work: impl FnOnce() -> T) -> T {
    Arc::new(Supervised::new()).run(work)
}

/// Runs `work` on the calling thread. If the work cannot continue, calls `give_up` with the reason,
/// on the same thread, without unwinding its stack. This function then never returns: after
/// `give_up`, the thread is parked for ever with everything it owns. Inside `give_up`, [`abandon`]
/// has no effect.
pub fn in_place<T>(work: impl FnOnce() -> T, give_up: &dyn Fn(&str)) -> T {
    // SAFETY: `reporting` forgets the reference before this call ends.
    let unbounded = unsafe { std::mem::transmute::<&dyn Fn(&str), &'static dyn Fn(&str)>(give_up) };
    reporting(Report::Call(unbounded), work, || {})
}

/// Abandons the work of the calling thread, for code that must not return: the thread is parked for
/// ever, and its stack is not unwound. Returns at once outside [`on_thread`], [`in_place`] and
/// [`expendable`].
///
/// Locks that the thread holds stay locked, so it must hold no lock that other threads wait for.
pub fn abandon(reason: &str) {
    if let Ok(Some(report)) = REPORT.try_with(Cell::get) {
        report.abandon(reason.to_owned().into());
    }
}

#[cold]
fn allocate_from_reserve(layout: Layout) -> *mut u8 {
    if layout.size() > LARGEST {
        if let Ok(Some(report)) = REPORT.try_with(Cell::get) {
            report.abandon("no memory is left for this program".into());
        }
        return std::ptr::null_mut();
    }
    LOW.store(true, Ordering::Relaxed);
    USED.store(true, Ordering::Relaxed);
    RESERVE.iter().find_map(|region| region.allocate(layout)).unwrap_or(std::ptr::null_mut())
}

#[inline]
fn region_of(block: *mut u8) -> Option<&'static Region> {
    // The owner of a block of the reserve sees the flag, which was set before the allocation
    // returned.
    if !USED.load(Ordering::Relaxed) {
        return None;
    }
    RESERVE.iter().find(|region| region.contains(block.addr()))
}

/// The system's allocator with the reserve behind it, for `#[global_allocator]` of the libraries.
#[derive(Debug)]
pub struct ReserveAllocator;

// SAFETY: a block comes from the system's allocator, which keeps the contract, or from a region,
// whose `allocate` returns disjoint, aligned ranges that stay mapped. The address of a block
// determines which of them frees it.
unsafe impl GlobalAlloc for ReserveAllocator {
    #[inline]
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller's promise about the layout.
        let block = unsafe { System.alloc(layout) };
        if block.is_null() { allocate_from_reserve(layout) } else { block }
    }

    #[inline]
    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller's promise about the layout.
        let block = unsafe { System.alloc_zeroed(layout) };
        if !block.is_null() {
            return block;
        }
        let block = allocate_from_reserve(layout);
        if !block.is_null() {
            // The range may have held another block before.
            // SAFETY: the block has the layout's size and no other owner.
            unsafe { block.write_bytes(0, layout.size()) };
        }
        block
    }

    #[inline]
    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        match region_of(block) {
            None => {
                // SAFETY: the block is not from the reserve, so it is from the system, with this
                // layout by the caller's promise.
                unsafe { System.dealloc(block, layout) };
            }
            Some(region) => region.free_block(),
        }
    }

    #[inline]
    unsafe fn realloc(&self, block: *mut u8, layout: Layout, new_size: usize) -> *mut u8 {
        let region = region_of(block);
        if region.is_none() {
            // SAFETY: the block is not from the reserve, so it is from the system, with this layout
            // by the caller's promise.
            let moved = unsafe { System.realloc(block, layout, new_size) };
            if !moved.is_null() {
                return moved;
            }
        }
        let Ok(new_layout) = Layout::from_size_align(new_size, layout.align()) else {
            return std::ptr::null_mut();
        };
        let moved = if region.is_some() {
            // SAFETY: by the caller's promise the new size is not 0.
            unsafe { self.alloc(new_layout) }
        } else {
            allocate_from_reserve(new_layout)
        };
        if !moved.is_null() {
            // SAFETY: both blocks have the smaller of the two sizes and do not overlap.
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
    fn a_region_allocates_disjoint_aligned_blocks_and_starts_over() {
        let region = Region::new();
        let small = Layout::from_size_align(24, 8).unwrap();
        let wide = Layout::from_size_align(100, 64).unwrap();
        assert_eq!(region.allocate(small), None, "nothing was set aside");
        assert!(add_region(&region));
        let first = region.allocate(small).unwrap().addr();
        let second = region.allocate(wide).unwrap().addr();
        assert!(second >= first + 24 && second.is_multiple_of(64) && region.contains(second + 99));
        assert!(!region.contains(first - 1) && !region.contains(first + REGION));
        region.free_block();
        assert_ne!(region.allocate(small).unwrap().addr(), first, "a block is still in use");
        region.free_block();
        region.free_block();
        assert_eq!(region.allocate(small).unwrap().addr(), first, "all were back");
        let rest = Layout::from_size_align(REGION, 1).unwrap();
        assert_eq!(region.allocate(rest), None, "24 bytes are taken");
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
                        let blocks: Vec<_> =
                            (0..50).filter_map(|_| region.allocate(layout)).collect();
                        for block in &blocks {
                            // SAFETY: 16 bytes of this thread's own.
                            unsafe { block.cast::<usize>().write(tag) };
                        }
                        for block in blocks {
                            // SAFETY: as above.
                            assert_eq!(unsafe { block.cast::<usize>().read() }, tag);
                            region.free_block();
                        }
                    }
                });
            }
        });
        assert_eq!(region.bytes_left(), REGION);
    }

    #[test]
    fn blocks_of_the_reserve_grow_shrink_and_go_back() {
        set_aside();
        let layout = Layout::from_size_align(32, 8).unwrap();
        let block = allocate_from_reserve(layout);
        assert!(is_low() && region_of(block).is_some());
        // SAFETY: 32 bytes of this test's own.
        unsafe { block.write_bytes(7, 32) };
        // SAFETY: a block of this allocator, with its layout.
        let grown = unsafe { ReserveAllocator.realloc(block, layout, 4000) };
        assert!(region_of(grown).is_none(), "the system has memory");
        // SAFETY: what was written moved along.
        assert!(unsafe { std::slice::from_raw_parts(grown, 32) }.iter().all(|b| *b == 7));
        // SAFETY: a block of this allocator, with its layout.
        unsafe { ReserveAllocator.dealloc(grown, Layout::from_size_align(4000, 8).unwrap()) };
        assert!(allocate_from_reserve(Layout::from_size_align(LARGEST + 1, 1).unwrap()).is_null());
        assert!(try_restore() && !is_low());
    }

    #[test]
    fn work_that_cannot_go_on_is_abandoned_with_its_reason() {
        abandon("nothing happens on a thread of others");
        let outcome = on_thread(std::thread::Builder::new(), || {
            let _kept = Box::new([1, 2, 3]);
            abandon("a reason");
        });
        assert!(matches!(outcome.unwrap(), Outcome::Abandoned(reason) if reason == "a reason"));
        let next = on_thread(std::thread::Builder::new(), || 7);
        assert!(matches!(next.unwrap(), Outcome::Returned(7)));
        assert_eq!(expendable(|| 7), 7);
        assert_eq!(in_place(|| 7, &|_| unreachable!()), 7);
        abandon("the work is over");
    }

    #[test]
    fn work_in_place_reports_on_its_own_thread() {
        let (sender, receiver) = std::sync::mpsc::channel();
        // Never joined: the thread stays parked.
        std::thread::spawn(move || {
            let here = std::thread::current().id();
            let give_up = |reason: &str| {
                abandon("work can no longer be abandoned");
                sender.send((reason.to_owned(), std::thread::current().id() == here)).unwrap();
            };
            in_place(|| abandon("a reason"), &give_up);
            sender.send((String::from("it returned"), false)).unwrap();
        });
        assert_eq!(receiver.recv().unwrap(), (String::from("a reason"), true));
        let more = receiver.recv_timeout(std::time::Duration::from_millis(50));
        assert!(more.is_err(), "{more:?}");
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
        assert!(matches!(blocked.unwrap(), Outcome::Returned([1, 1, 0])));
    }
}
