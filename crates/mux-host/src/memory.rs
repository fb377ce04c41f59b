//! Process memory as device memory, apart from the application's heap: small allocations are blocks
//! of slabs, large ones are mapped. Freed large allocations are kept for a while, because touching
//! new pages costs more than most kernels.
//!
//! Invariant: every allocation is aligned to at least 128 bytes and has [`slabs::PADDING`] unused
//! bytes behind it; a failed allocation is an error.

use muxcl_lock::{Mutex, Rank};
use muxcl_mux::MuxError;
use muxcl_mux::target::TargetMemory;
use muxcl_os::{Mapping, Protection, advise_huge};
use std::any::Any;

use crate::slabs::{self, Block};

/// Allocations of at least this size in bytes are mapped from the system, with huge pages if
/// possible.
const MAPPED: usize = 1 << 20;
const HUGE_PAGE: usize = 2 << 20;
const MIN_ALIGN: usize = 128;
/// Bounds on kept freed memory: total bytes, and number of pieces.
const KEPT_BYTES: usize = 128 << 20;
const KEPT_PIECES: usize = 16;

/// Freed mappings, the oldest first.
static KEPT: Mutex<Vec<Mapping>> = Mutex::new(Rank::Leaf, Vec::new());

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

fn mapped(bytes: usize, align: usize) -> Result<(*mut u8, Owner), MuxError> {
    let align = align.max(HUGE_PAGE);
    // At least a page lies behind the allocation: the mapping begins at a page, so that less than
    // `align` minus a page is skipped.
    let room = bytes.checked_add(align).ok_or(MuxError::OutOfMemory)?;
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
    let ptr = map.as_ptr().wrapping_add(skip);
    advise_huge(ptr, bytes);
    Ok((ptr, Owner::Mapped(map)))
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
    fn flush_to_device(&self, _offset: u64, _size: u64) -> Result<(), MuxError> {
        Ok(())
    }
    fn flush_from_device(&self, _offset: u64, _size: u64) -> Result<(), MuxError> {
        Ok(())
    }
    fn as_any(&self) -> &dyn Any {
        self
    }
}
