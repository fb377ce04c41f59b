//! Shared virtual memory of a context: the allocations of `clSVMAlloc`, found by address.
//!
//! If kernels of a device use the process's own addresses, coarse-grain, fine-grain and atomic
//! allocations are the same memory, and nothing moves. Kernels may then also use memory that the
//! application allocated itself; this module does not list it. If a device of the context has
//! memory of its own and supports coarse-grain allocations, such an allocation is a storage with
//! the same address in each of its memory domains (`svm_domains`, ADR 0003). Commands, maps and
//! kernels move its content like a buffer's. Also finds buffers by their device addresses
//! (`cl_ext_buffer_device_address`). Not here: commands on such memory (`api::svm`).

use std::collections::{BTreeMap, VecDeque};
use std::ffi::c_void;
use std::sync::{Arc, Weak};

use muxcl_cl_sys as sys;
use muxcl_cl_sys::{cl_mem_flags, cl_uint};
use muxcl_lock::{Mutex, Rank};
use muxcl_mux::{AllocationType, Buffer, Memory};

use super::check;
use super::device::Device;
use super::maps::{MapTable, Unmapping};
use super::storage::{DeviceSet, Storage};
use super::svm_domains;
use crate::checked::HostPtr;
use crate::error::{ClError, ClResult, allocation_error};

const ACCESS: cl_mem_flags =
    sys::CL_MEM_READ_WRITE | sys::CL_MEM_WRITE_ONLY | sys::CL_MEM_READ_ONLY;

/// The call that made an allocation, with its parameters.
#[derive(Clone, Debug)]
pub enum Owner {
    /// `clSVMAlloc`, with these flags.
    Svm(cl_mem_flags),
    /// A call of `cl_intel_unified_shared_memory`.
    Unified {
        /// `CL_MEM_TYPE_*_INTEL`
        kind: cl_uint,
        /// The device that the call named, if any.
        device: Option<Arc<Device>>,
        /// `CL_MEM_ALLOC_FLAGS_INTEL`
        flags: u64,
    },
}

/// One allocation. It lives until the application frees it.
#[derive(Clone, Debug)]
pub struct Allocation {
    /// Address of the first byte.
    pub base: usize,
    /// Size in bytes.
    pub size: usize,
    /// The call that made the allocation.
    pub owner: Owner,
    backing: Backing,
}

/// The memory of an allocation.
#[derive(Clone, Debug)]
enum Backing {
    /// The same pages for the host and all devices that can use them.
    Pages(
        #[expect(dead_code, reason = "kept alive, because the application uses its bytes")] Memory,
    ),
    /// One storage with the same address in each memory domain.
    Domains(Arc<Storage>),
}

/// A mapped region of an allocation in memory domains.
#[derive(Clone, Debug)]
pub struct Mapped {
    pointer: usize,
    /// Size in bytes.
    pub size: usize,
    /// True for a map for writing.
    pub writes: bool,
    storage: Weak<Storage>,
}

/// A buffer's bytes at an address of one device.
#[derive(Clone, Debug)]
struct Addressed {
    device: usize,
    start: u64,
    storage: Weak<Storage>,
}

/// Freed allocations of a context that the checker (`MUXCL_CHECK`) keeps, in bytes.
const MOST_FREED: usize = 64 << 20;

/// Base and size in bytes of the allocations of all contexts, for the checker.
static ALL: Mutex<BTreeMap<usize, usize>> = Mutex::new(Rank::Leaf, BTreeMap::new());

/// The allocations of a context.
#[derive(Debug)]
pub struct SvmHeap {
    /// By the address of the first byte.
    list: Mutex<BTreeMap<usize, Allocation>>,
    /// With the checker, the allocations freed last. While they are here, nothing else can have
    /// their addresses, so an access to them is an error for certain.
    freed: Mutex<VecDeque<Allocation>>,
    /// In the order of the map calls.
    mapped: MapTable<Mapped>,
    /// Buffers with device addresses. Some may have been freed.
    addressed: Mutex<Vec<Addressed>>,
}

impl Default for SvmHeap {
    fn default() -> Self {
        Self {
            list: Mutex::new(Rank::MemObject, BTreeMap::new()),
            freed: Mutex::new(Rank::MemObject, VecDeque::new()),
            mapped: MapTable::default(),
            addressed: Mutex::new(Rank::MemObject, Vec::new()),
        }
    }
}

impl SvmHeap {
    /// Allocates `size` bytes (not 0) on `device`, whose kernels use the process's addresses,
    /// aligned to `align` (a power of two, or 0).
    ///
    /// # Errors
    /// `CL_MEM_OBJECT_ALLOCATION_FAILURE`, `CL_OUT_OF_HOST_MEMORY`.
    pub fn allocate(
        &self,
        device: &Device,
        owner: Owner,
        size: usize,
        align: usize,
    ) -> ClResult<HostPtr> {
        let kind = AllocationType::Host;
        let memory = device
            .mux()
            .allocate(size as u64, align as u64, kind)
            .map_err(|e| allocation_error(&e))?;
        let pointer = memory.host_ptr().ok_or(ClError::MEM_OBJECT_ALLOCATION_FAILURE)?;
        let base = pointer.expose_provenance();
        self.add(Allocation { base, size, owner, backing: Backing::Pages(memory) });
        Ok(HostPtr(pointer.cast()))
    }

    /// Allocates `size` bytes (not 0) with the same address on the host and on every device of the
    /// set with shared virtual memory, aligned to `align` (a power of two, or 0).
    ///
    /// # Errors
    /// `CL_MEM_OBJECT_ALLOCATION_FAILURE`, `CL_OUT_OF_HOST_MEMORY`.
    pub fn allocate_in_domains(
        &self,
        set: &Arc<DeviceSet>,
        owner: Owner,
        size: usize,
        align: usize,
    ) -> ClResult<HostPtr> {
        let flags = match owner {
            Owner::Svm(flags) => flags,
            Owner::Unified { .. } => sys::CL_MEM_READ_WRITE,
        };
        let (pages, buffers) = svm_domains::find(set, size, align)?;
        let pointer = pages.as_ptr();
        let base = pointer.expose_provenance();
        let storage = Storage::shared(Arc::clone(set), flags & ACCESS, size, pages, buffers)?;
        self.add(Allocation { base, size, owner, backing: Backing::Domains(storage) });
        Ok(HostPtr(pointer.cast()))
    }

    /// The storage, in memory domains, of the allocation that contains the `size` bytes at
    /// `pointer`, and their offset in it.
    #[must_use]
    pub fn shared(&self, pointer: *const c_void, size: usize) -> Option<(Arc<Storage>, usize)> {
        let found = self.find(pointer)?;
        let offset = pointer.addr() - found.base;
        match found.backing {
            Backing::Domains(storage) if size <= found.size - offset => Some((storage, offset)),
            _ => None,
        }
    }

    /// The storages of all allocations of `cl_intel_unified_shared_memory` in memory domains.
    #[must_use]
    pub fn unified(&self) -> Vec<Arc<Storage>> {
        let ours = |a: &Allocation| match (&a.owner, &a.backing) {
            (Owner::Unified { .. }, Backing::Domains(storage)) => Some(Arc::clone(storage)),
            _ => None,
        };
        self.list.lock().values().filter_map(ours).collect()
    }

    /// Records a map of `size` bytes of a storage at `pointer`.
    ///
    /// # Errors
    /// `CL_OUT_OF_HOST_MEMORY`.
    pub fn map(
        &self,
        pointer: *const c_void,
        size: usize,
        writes: bool,
        storage: &Arc<Storage>,
    ) -> ClResult<()> {
        self.mapped.retain(|m| m.storage.strong_count() != 0);
        let (pointer, storage) = (pointer.addr(), Arc::downgrade(storage));
        self.mapped.add(Mapped { pointer, size, writes, storage }, |_| Ok(()))
    }

    /// Begins to unmap the latest map at `pointer`; `None` without one. The map stays unless the
    /// caller reports success by [`Unmapping::done`].
    #[must_use]
    pub fn unmap(&self, pointer: *const c_void) -> Option<Unmapping<'_, Mapped>> {
        self.mapped.unmap(|m| m.pointer == pointer.addr())
    }

    /// Records the device address of a storage on the device at index `device`.
    ///
    /// # Errors
    /// `CL_OUT_OF_HOST_MEMORY`.
    pub fn address(&self, device: usize, start: u64, storage: &Arc<Storage>) -> ClResult<()> {
        let mut list = self.addressed.lock();
        list.retain(|a| a.storage.strong_count() != 0);
        list.try_reserve(1)?;
        list.push(Addressed { device, start, storage: Arc::downgrade(storage) });
        Ok(())
    }

    /// The storage that contains `address` on the device at `index`; one past the end counts as
    /// inside.
    #[must_use]
    pub fn reached(&self, device: &Device, index: usize, address: u64) -> Option<Arc<Storage>> {
        let within = |start: u64, size: usize| {
            address.checked_sub(start).is_some_and(|at| at <= size as u64)
        };
        if device.has_svm() {
            let list = self.list.lock();
            let below = usize::try_from(address).ok().and_then(|a| list.range(..=a).next_back());
            if let Some((base, Allocation { backing: Backing::Domains(storage), .. })) = below
                && within(*base as u64, storage.size())
            {
                return Some(Arc::clone(storage));
            }
        }
        let mut found =
            self.addressed.lock().iter().filter(|a| a.device == index).cloned().collect::<Vec<_>>();
        // Search the highest start first: if one buffer ends where another begins, the address
        // belongs to the second one.
        found.sort_by_key(|a| std::cmp::Reverse(a.start));
        let reached = |a: &Addressed| a.storage.upgrade().filter(|s| within(a.start, s.size()));
        found.iter().find_map(reached)
    }

    /// Frees the allocation that starts at `pointer`; false if there is none.
    pub fn free(&self, pointer: *const c_void) -> bool {
        // Dropped after the lock is released: returning memory to the system takes long.
        let gone = self.list.lock().remove(&pointer.addr());
        let Some(gone) = gone else { return false };
        if check::requested().any() {
            ALL.lock().remove(&gone.base);
            drop(self.keep_freed(gone));
        }
        true
    }

    /// Keeps a freed allocation. Returns those that it replaces.
    fn keep_freed(&self, allocation: Allocation) -> Vec<Allocation> {
        let mut freed = self.freed.lock();
        freed.push_back(allocation);
        let mut bytes: usize = freed.iter().map(|a| a.size).sum();
        let mut replaced = Vec::new();
        while bytes > MOST_FREED
            && let Some(oldest) = freed.pop_front()
        {
            bytes -= oldest.size;
            replaced.push(oldest);
        }
        replaced
    }

    fn add(&self, allocation: Allocation) {
        if check::requested().any() {
            ALL.lock().insert(allocation.base, allocation.size);
        }
        self.list.lock().insert(allocation.base, allocation);
    }

    /// For the checker: base and size in bytes of the freed allocation that contains an address.
    #[must_use]
    pub fn find_freed(&self, pointer: *const c_void) -> Option<(usize, usize)> {
        let freed = self.freed.lock();
        let found = freed.iter().find(|a| pointer.addr().wrapping_sub(a.base) < a.size)?;
        Some((found.base, found.size))
    }

    /// For the checker: base and size in bytes of the allocation of any context that contains an
    /// address.
    #[must_use]
    pub fn find_in_any_context(pointer: *const c_void) -> Option<(usize, usize)> {
        let all = ALL.lock();
        let (base, size) = all.range(..=pointer.addr()).next_back()?;
        (pointer.addr() - base < *size).then_some((*base, *size))
    }

    /// The allocation that contains an address.
    #[must_use]
    pub fn find(&self, pointer: *const c_void) -> Option<Allocation> {
        let address = pointer.addr();
        let list = self.list.lock();
        let (_, found) = list.range(..=address).next_back()?;
        (address - found.base < found.size).then(|| found.clone())
    }

    /// True if `size` bytes from `pointer` are within one allocation.
    #[must_use]
    pub fn covers(&self, pointer: *const c_void, size: usize) -> bool {
        self.find(pointer).is_some_and(|a| size <= a.size - (pointer.addr() - a.base))
    }
}

impl Drop for SvmHeap {
    fn drop(&mut self) {
        if check::requested().any() {
            let list = self.list.lock();
            let mut all = ALL.lock();
            all.retain(|base, _| !list.contains_key(base));
        }
    }
}

/// A buffer of `device` on the `size` bytes (not 0) at any address of the process, for one command.
///
/// # Errors
/// `CL_OUT_OF_RESOURCES` if the device cannot use them.
///
/// # Safety
/// The bytes stay valid until the command has run.
pub unsafe fn at_address(device: &Device, pointer: *mut c_void, size: usize) -> ClResult<Buffer> {
    // SAFETY: as the caller promises.
    let memory = unsafe { device.mux().import_host_memory(pointer.cast(), size as u64) };
    let memory = memory.map_err(|_| ClError::OUT_OF_RESOURCES)?;
    device.mux().create_buffer(&memory, 0, size as u64).map_err(|_| ClError::OUT_OF_RESOURCES)
}
