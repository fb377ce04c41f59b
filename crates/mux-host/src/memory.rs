//! Process memory as device memory. Invariant: every allocation is aligned to at least 128 bytes and zeroed; one that the
//! system cannot give is an error.

use muxcl_mux::MuxError;
use muxcl_mux::target::TargetMemory;
use muxcl_os::{Mapping, Protection, advise_huge};
use std::alloc::{Layout, alloc_zeroed, dealloc};
use std::any::Any;

/// From this size on memory comes from the system directly, on huge pages where it gives them.
const MAPPED: usize = 1 << 20;
const HUGE_PAGE: usize = 2 << 20;
const MIN_ALIGN: usize = 128;

#[derive(Debug)]
enum Owner {
    Heap(Layout),
    Mapped {
        _map: Mapping,
    },
    /// The application's memory.
    Imported,
}

#[derive(Debug)]
pub(crate) struct HostMemory {
    ptr: *mut u8,
    size: u64,
    owner: Owner,
}

// SAFETY: the pointer is to memory this object owns or was promised; races on its content are the application's.
unsafe impl Send for HostMemory {}
// SAFETY: as above.
unsafe impl Sync for HostMemory {}

impl HostMemory {
    pub(crate) fn allocate(size: u64, align: u64) -> Result<Self, MuxError> {
        let bytes = usize::try_from(size).map_err(|_| MuxError::OutOfMemory)?;
        let align = usize::try_from(align).map_err(|_| MuxError::OutOfMemory)?.max(MIN_ALIGN);
        let (ptr, owner) = if bytes < MAPPED { heap(bytes, align)? } else { mapped(bytes, align)? };
        ptr.expose_provenance();
        Ok(Self { ptr, size, owner })
    }

    pub(crate) fn import(ptr: *mut u8, size: u64) -> Self {
        ptr.expose_provenance();
        Self { ptr, size, owner: Owner::Imported }
    }
}

fn heap(bytes: usize, align: usize) -> Result<(*mut u8, Owner), MuxError> {
    let layout = Layout::from_size_align(bytes, align).map_err(|_| MuxError::OutOfMemory)?;
    // SAFETY: the front end refuses size 0, so the layout is not empty.
    let ptr = unsafe { alloc_zeroed(layout) };
    if ptr.is_null() { Err(MuxError::OutOfMemory) } else { Ok((ptr, Owner::Heap(layout))) }
}

fn mapped(bytes: usize, align: usize) -> Result<(*mut u8, Owner), MuxError> {
    let align = align.max(HUGE_PAGE);
    let room = bytes.checked_add(align).ok_or(MuxError::OutOfMemory)?;
    let map = Mapping::new(room, Protection::ReadWrite).map_err(|_| MuxError::OutOfMemory)?;
    let skip = map.as_ptr().addr().next_multiple_of(align) - map.as_ptr().addr();
    // SAFETY: `skip` is less than `align`, and the mapping is `bytes + align` long.
    let ptr = unsafe { map.as_ptr().add(skip) };
    advise_huge(ptr, bytes);
    Ok((ptr, Owner::Mapped { _map: map }))
}

impl Drop for HostMemory {
    fn drop(&mut self) {
        if let Owner::Heap(layout) = self.owner {
            // SAFETY: allocated in `heap` with this layout, freed once.
            unsafe { dealloc(self.ptr, layout) };
        }
    }
}

impl TargetMemory for HostMemory {
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
