//! Process memory as device memory, apart from the application's heap: small allocations are blocks
//! of slabs, large ones are mapped. Freed large allocations are kept for a while, because touching
//! new pages costs more than most kernels.
//!
//! Large allocations begin at different distances from a huge page. If all began at one, equal
//! places of a kernel's buffers would share the sets of the caches. Processors that compare the
//! lowest 12 bits of addresses would take a load of one buffer for a load of what was just stored
//! to another: on an Intel Xeon, a 5-point stencil took twice as long.
//!
//! Invariant: every allocation is aligned to at least 128 bytes and has [`slabs::PADDING`] unused
//! bytes behind it; a failed allocation is an error.

use muxcl_lock::{Mutex, Rank};
use muxcl_mux::MuxError;
use muxcl_mux::target::TargetMemory;
use muxcl_os::{Mapping, Protection, advise_huge};
use std::any::Any;
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::slabs::{self, Block};

/// Allocations of at least this size in bytes are mapped from the system, with huge pages if
/// possible.
const MAPPED: usize = 1 << 20;
const HUGE_PAGE: usize = 2 << 20;
const MIN_ALIGN: usize = 128;
/// Distances of large allocations from a huge page: the multiples of `STAGGER` below `STAGGERS`.
/// `STAGGER` is three pages and 11/16 of one. So an allocation begins 5/16 of a page below the
/// one before it, if both are looked at modulo a page: most kernels store to a buffer that is
/// younger than the ones they load from, and the loads run ahead of the stores.
const STAGGER: usize = 3 * 4096 + 11 * 256;
const STAGGERS: usize = 16;
/// Bounds on kept freed memory: total bytes, and number of pieces.
const KEPT_BYTES: usize = 128 << 20;
const KEPT_PIECES: usize = 16;

/// Freed mappings, the oldest first.
static KEPT: Mutex<Vec<Mapping>> = Mutex::new(Rank::Leaf, Vec::new());
/// Number of large allocations so far.
static LARGE: AtomicUsize = AtomicUsize::new(0);

#[derive(Debug)]
enum Owner {
    Block(Block),
    Mapped(Mapping),
    /// Memory of the application.
    Imported,
}

#[derive(Debug)]
pub(crate) struct HostMemory {
    ptr: *mut u8,
    size: u64,
    owner: Owner,
}

// SAFETY: the pointer refers to memory that this object owns or that the application promised; the
// application is responsible for races on its content.
unsafe impl Send for HostMemory {}
// SAFETY: as above.
unsafe impl Sync for HostMemory {}

impl HostMemory {
    pub(crate) fn allocate(size: u64, align: u64) -> Result<Self, MuxError> {
        let bytes = usize::try_from(size).map_err(|_| MuxError::OutOfMemory)?;
        let align = usize::try_from(align).map_err(|_| MuxError::OutOfMemory)?.max(MIN_ALIGN);
        let small = bytes < MAPPED && align <= muxcl_os::page_size();
        let (ptr, owner) = if small { block(bytes, align)? } else { mapped(bytes, align)? };
        ptr.expose_provenance();
        Ok(Self { ptr, size, owner })
    }

    pub(crate) fn import(ptr: *mut u8, size: u64) -> Self {
        ptr.expose_provenance();
        Self { ptr, size, owner: Owner::Imported }
    }
}

fn block(bytes: usize, align: usize) -> Result<(*mut u8, Owner), MuxError> {
    let block = Block::allocate(bytes, align).ok_or(MuxError::OutOfMemory)?;
    Ok((block.address(), Owner::Block(block)))
}

/// The distance from a huge page at which the allocation with this number begins.
fn distance(number: usize, align: usize) -> usize {
    let distance = (number % STAGGERS * STAGGER).checked_next_multiple_of(align);
    // A large alignment leaves no such distance.
    distance.filter(|d| *d < STAGGER * STAGGERS).unwrap_or(0)
}

fn mapped(bytes: usize, align: usize) -> Result<(*mut u8, Owner), MuxError> {
    let distance = distance(LARGE.fetch_add(1, Ordering::Relaxed), align);
    let align = align.max(HUGE_PAGE);
    // At least a page lies behind the allocation: the mapping begins at a page, so that less than
    // `align` minus a page is skipped before the distance.
    let room = bytes.checked_add(align).and_then(|room| room.checked_add(STAGGER * STAGGERS));
    let room = room.ok_or(MuxError::OutOfMemory)?;
    const { assert!(slabs::PADDING <= 4096) };
    let map = match kept(room) {
        Some(map) => map,
        None => Mapping::new(room, Protection::ReadWrite).or_else(|_| {
            // The kept mappings may hold the missing memory.
            KEPT.lock().clear();
            Mapping::new(room, Protection::ReadWrite).map_err(|_| MuxError::OutOfMemory)
        })?,
    };
    let skip = map.as_ptr().addr().next_multiple_of(align) - map.as_ptr().addr();
    let first = map.as_ptr().wrapping_add(skip);
    advise_huge(first, distance + bytes);
    Ok((first.wrapping_add(distance), Owner::Mapped(map)))
}

/// A kept mapping of at least `room` bytes that wastes no more than a quarter.
fn kept(room: usize) -> Option<Mapping> {
    let mut list = KEPT.lock();
    let at = list.iter().position(|m| m.len() >= room && m.len() - room <= room / 4)?;
    Some(list.remove(at))
}

fn keep(map: Mapping) {
    let mut dropped = Vec::new();
    {
        let mut list = KEPT.lock();
        if map.len() <= KEPT_BYTES / 2 {
            list.push(map);
        } else {
            dropped.push(map);
        }
        while list.len() > KEPT_PIECES || list.iter().map(Mapping::len).sum::<usize>() > KEPT_BYTES
        {
            dropped.push(list.remove(0));
        }
    }
    // Unmapping takes time, so it happens without the lock.
    drop(dropped);
}

impl Drop for HostMemory {
    fn drop(&mut self) {
        match std::mem::replace(&mut self.owner, Owner::Imported) {
            Owner::Mapped(map) => keep(map),
            Owner::Block(block) => drop(block),
            Owner::Imported => {}
        }
    }
}

// SAFETY: the memory is allocated with this size, or imported by the promise of `import_host`.
unsafe impl TargetMemory for HostMemory {
    fn size(&self) -> u64 {
        self.size
    }
    fn device_address(&self) -> u64 {
        self.ptr.addr() as u64
    }
    fn host_ptr(&self) -> Option<*mut u8> {
        Some(self.ptr)
    }
    fn as_any(&self) -> &dyn Any {
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn large_allocations_differ_in_their_places_in_a_page() {
        let places: Vec<usize> = (5..5 + STAGGERS).map(|n| distance(n, 128) % 4096).collect();
        for (n, older) in places.iter().enumerate() {
            for younger in &places[n + 1..] {
                assert!(older.abs_diff(*younger) >= 256, "{older}, {younger}");
            }
        }
    }

    #[test]
    fn large_allocations_are_aligned_and_have_padding() {
        for align in [1_usize, 256, 4096, 8192, 1 << 16, 1 << 20, 4 << 20] {
            for bytes in [MAPPED, (2 << 20) - 1, 3 << 20] {
                let memory = HostMemory::allocate(bytes as u64, align as u64).unwrap();
                let Owner::Mapped(map) = &memory.owner else { panic!("not mapped") };
                let start = memory.ptr.addr();
                assert!(start.is_multiple_of(align.max(MIN_ALIGN)), "{align}");
                assert!(map.as_ptr().addr() <= start);
                let end = map.as_ptr().addr() + map.len();
                assert!(start + bytes + slabs::PADDING <= end, "{align}: {bytes}");
            }
        }
    }

    #[test]
    fn an_alignment_or_a_size_without_room_is_an_error() {
        for (bytes, align) in [(u64::MAX, 1), (4096, 1 << 63), (u64::MAX - (4 << 20), 1)] {
            assert!(HostMemory::allocate(bytes, align).is_err(), "{bytes}, {align}");
        }
    }
}
