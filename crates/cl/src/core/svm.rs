//! Shared virtual memory of a context: what `clSVMAlloc` handed out, found again by address.
//!
//! Every allocation is of a device whose kernels use the process's own addresses, so coarse-grain, fine-grain and atomic ones
//! are the same memory, and nothing is ever moved. Memory the application allocated itself may be used as well; it is not
//! listed here. Not here: commands on such memory (`api::svm`).

use std::collections::BTreeMap;
use std::ffi::c_void;
use std::sync::Arc;

use muxcl_cl_sys::{cl_mem_flags, cl_uint};
use muxcl_lock::{Mutex, Rank};
use muxcl_mux::{AllocationType, Buffer, Memory};

use super::device::Device;
use super::memory::allocation_error;
use crate::checked::HostPtr;
use crate::error::{ClError, ClResult};

/// Which call made an allocation, and with what.
#[derive(Clone, Debug)]
pub enum Owner {
    /// `clSVMAlloc`, with these flags.
    Svm(cl_mem_flags),
    /// A call of `cl_intel_unified_shared_memory`.
    Unified {
        /// `CL_MEM_TYPE_*_INTEL`
        kind: cl_uint,
        /// The device named, if any.
        device: Option<Arc<Device>>,
        /// `CL_MEM_ALLOC_FLAGS_INTEL`
        flags: u64,
    },
}

/// One allocation. It lives as long as the application does not free it.
#[derive(Clone, Debug)]
pub struct Allocation {
    /// Its first byte.
    pub base: usize,
    /// Bytes.
    pub size: usize,
    /// Who asked for it.
    pub owner: Owner,
    #[expect(dead_code, reason = "held: the application has its bytes")]
    memory: Memory,
}

/// The allocations of a context.
#[derive(Debug)]
pub struct SvmHeap {
    /// By first address.
    list: Mutex<BTreeMap<usize, Allocation>>,
}

impl Default for SvmHeap {
    fn default() -> Self {
        Self { list: Mutex::new(Rank::MemObject, BTreeMap::new()) }
    }
}

impl SvmHeap {
    /// `size` bytes (not 0) on `device`, which has system-wide addresses, aligned to `align` (a power of two, or 0).
    ///
    /// # Errors
    /// `CL_MEM_OBJECT_ALLOCATION_FAILURE`, `CL_OUT_OF_HOST_MEMORY`.
    pub fn allocate(&self, device: &Device, owner: Owner, size: usize, align: usize) -> ClResult<HostPtr> {
        let kind = AllocationType::Host;
        let memory = device.mux().allocate(size as u64, align as u64, kind).map_err(|e| allocation_error(&e))?;
        let pointer = memory.host_ptr().ok_or(ClError::MEM_OBJECT_ALLOCATION_FAILURE)?;
        let base = pointer.expose_provenance();
        self.list.lock().insert(base, Allocation { base, size, owner, memory });
        Ok(HostPtr(pointer.cast()))
    }

    /// Frees the allocation that starts at `pointer`; false if there is none.
    pub fn free(&self, pointer: *const c_void) -> bool {
        // Given back to the system after the lock is.
        let gone = self.list.lock().remove(&pointer.addr());
        gone.is_some()
    }

    /// The allocation an address is in.
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

/// `size` bytes (not 0) at any address of the process as a buffer of `device`, for one command.
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
