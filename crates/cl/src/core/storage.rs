//! The memory behind a memory object: a buffer on each device that uses it, and a record of which
//! copies are current.
//!
//! If every device of a context sees the host's memory, all of them share the pages of the first
//! one, and nothing is recorded. Otherwise the context has *memory domains*: one for all devices
//! that see the host's memory and one for each other device. If no device sees the host's memory,
//! maps get a domain of the driver's own; with `CL_MEM_USE_HOST_PTR` that domain is the
//! application's memory. For each range of bytes the storage records the domains in which the
//! content is current. A command that is about to run names its ranges, its domain and its kind of
//! access, and missing content is moved first. Sub-buffers are ranges of their buffer's storage, so
//! different devices may work on different parts at the same time.
//!
//! Invariants: content moves only when a command runs, so that events between queues order it. A
//! range always has at least one current copy. Not here: OpenCL's rules for memory objects
//! (`memory`).

use std::alloc::{Layout, alloc_zeroed, dealloc};
use std::any::Any;
use std::ops::Range;
use std::sync::Arc;

use muxcl_cl_sys as sys;
use muxcl_cl_sys::cl_mem_flags;
use muxcl_lock::{Mutex, Rank};
use muxcl_mux::target::TargetMemory;
use muxcl_mux::{AllocationType, Buffer, Condition, Memory, MuxError};
use muxcl_os::Mapping;

use super::device::Device;
use super::external::MappedMemory;
use crate::checked::HostPtr;
use crate::error::{ClError, ClResult, allocation_error};

/// The memory domains of a context whose devices do not all see the host's memory.
#[derive(Debug)]
pub struct MemoryDomains {
    /// The domain of each device, by index of the device in the context.
    of_device: Vec<usize>,
    /// The domain in which the host reads and writes.
    host: usize,
}

/// Maximum number of domains of a context: a `u64` has one bit for each.
const MOST_DOMAINS: usize = 63;

impl MemoryDomains {
    /// The memory domains of `devices`; `None` if all of them share the host's memory.
    ///
    /// # Errors
    /// `CL_OUT_OF_RESOURCES` for too many devices.
    pub fn of(devices: &[Arc<Device>]) -> ClResult<Option<Self>> {
        let visible = |d: &Arc<Device>| d.info().host_unified_memory && d.info().can_import_host;
        if devices.iter().all(visible) {
            return Ok(None);
        }
        if devices.len() >= MOST_DOMAINS {
            return Err(ClError::OUT_OF_RESOURCES);
        }
        let host = devices.iter().position(visible).unwrap_or(devices.len());
        let of_device =
            devices.iter().enumerate().map(|(i, d)| if visible(d) { host } else { i }).collect();
        Ok(Some(Self { of_device, host }))
    }
}

/// The devices of a context and their memory domains. Storages hold this instead of the context.
#[derive(Debug)]
pub struct DeviceSet {
    devices: Vec<Arc<Device>>,
    domains: Option<MemoryDomains>,
}

impl DeviceSet {
    /// A set of devices, without duplicates.
    ///
    /// # Errors
    /// `CL_OUT_OF_RESOURCES` for too many devices.
    pub fn new(devices: Vec<Arc<Device>>) -> ClResult<Self> {
        let domains = MemoryDomains::of(&devices)?;
        Ok(Self { devices, domains })
    }

    /// The devices, by index.
    #[must_use]
    pub fn devices(&self) -> &[Arc<Device>] {
        &self.devices
    }

    /// The memory domains of the devices; `None` if all of them share the host's memory.
    #[must_use]
    pub fn domains(&self) -> Option<&MemoryDomains> {
        self.domains.as_ref()
    }
}

/// How a command uses a range.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    /// The command reads the range.
    Read,
    /// The command reads the range and may write parts of it.
    Write,
    /// The command writes the whole range and reads none of it.
    Replace,
}

/// A range of bytes and the domains in which its content is current (one bit each). No bit: the
/// range never had any content.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Segment {
    start: usize,
    end: usize,
    valid: u64,
}

/// The memory behind a memory object, with the current domains of each range.
#[derive(Debug)]
pub struct Storage {
    set: Arc<DeviceSet>,
    flags: cl_mem_flags,
    size: usize,
    /// The application's memory, if created with `CL_MEM_USE_HOST_PTR`.
    host_ptr: Option<HostPtr>,
    /// The pages of the host's domain, if the storage owns them. Dropped before `buffers`: once
    /// device memory is free, another allocation may take its address and map pages there.
    #[expect(dead_code, reason = "kept alive, because the application uses its bytes")]
    pages: Option<Mapping>,
    /// The memory of another program that is the host's domain.
    external: Option<Arc<MappedMemory>>,
    /// The buffer of each device, by index in the context. The last entry is the buffer of the
    /// host's own domain. An entry is `None` until its first use.
    buffers: Mutex<Vec<Option<Buffer>>>,
    /// In order and without gaps, at least one. Empty if the context has no domains.
    segments: Mutex<Vec<Segment>>,
}

fn memory_on(
    device: &Device,
    size: usize,
    flags: cl_mem_flags,
    host: Option<HostPtr>,
) -> ClResult<Memory> {
    let mux = device.mux();
    if let Some(host) = host
        && device.info().can_import_host
    {
        // SAFETY: CL_MEM_USE_HOST_PTR obliges the application to keep the memory until the object
        // is destroyed.
        let imported = unsafe { mux.import_host_memory(host.0.cast(), size as u64) };
        return imported.map_err(|e| allocation_error(&e));
    }
    let kind = if flags & (sys::CL_MEM_ALLOC_HOST_PTR | sys::CL_MEM_USE_HOST_PTR) == 0 {
        AllocationType::Device
    } else {
        AllocationType::Host
    };
    mux.allocate(size as u64, 0, kind).map_err(|e| allocation_error(&e))
}

impl Storage {
    /// Storage of `size` bytes with memory on the first device. With `CL_MEM_USE_HOST_PTR`
    /// `host_ptr` is the memory itself, otherwise the content to copy.
    ///
    /// # Errors
    /// `CL_MEM_OBJECT_ALLOCATION_FAILURE`, `CL_OUT_OF_HOST_MEMORY`, `CL_OUT_OF_RESOURCES`.
    pub fn new(
        set: Arc<DeviceSet>,
        flags: cl_mem_flags,
        size: usize,
        host_ptr: Option<HostPtr>,
    ) -> ClResult<Arc<Self>> {
        let used = host_ptr.filter(|_| flags & sys::CL_MEM_USE_HOST_PTR != 0);
        let this = Arc::new(Self::empty(set, flags, size, used, None)?);
        let first = this.buffer(0)?;
        if let Some(from) = host_ptr {
            this.initialise(&first, from)?;
        }
        Ok(this)
    }

    /// Storage without memory or content.
    fn empty(
        set: Arc<DeviceSet>,
        flags: cl_mem_flags,
        size: usize,
        host_ptr: Option<HostPtr>,
        pages: Option<Mapping>,
    ) -> ClResult<Self> {
        let count = set.devices().len();
        let mut buffers = Vec::new();
        buffers.try_reserve_exact(count + 1)?;
        buffers.resize_with(count + 1, || None);
        let mut segments = Vec::new();
        if set.domains().is_some() {
            segments.try_reserve(4)?;
            segments.push(Segment { start: 0, end: size, valid: 0 });
        }
        Ok(Self {
            set,
            flags,
            size,
            host_ptr,
            pages,
            external: None,
            buffers: Mutex::new(Rank::Device, buffers),
            segments: Mutex::new(Rank::MemObject, segments),
        })
    }

    /// Storage whose content is the memory of another program.
    ///
    /// # Errors
    /// As [`Self::new`].
    pub fn external(
        set: Arc<DeviceSet>,
        flags: cl_mem_flags,
        memory: Arc<MappedMemory>,
    ) -> ClResult<Arc<Self>> {
        let mut this = Self::empty(set, flags, memory.size(), None, None)?;
        this.external = Some(memory);
        // A migration expects the host's buffer to exist.
        this.host_base()?;
        let current = 1 << this.host_domain();
        for segment in this.segments.get_mut() {
            segment.valid = current;
        }
        Ok(Arc::new(this))
    }

    /// A command that begins or ends the time in which OpenCL uses another program's memory.
    #[must_use]
    pub fn hand_over(self: &Arc<Self>, acquire: bool) -> Option<HandOver> {
        let memory = self.external.clone()?;
        Some(HandOver { storage: Arc::clone(self), memory, acquire })
    }

    /// Storage whose bytes have the same address everywhere: `pages` on the host, and `buffers` on
    /// the devices at those indices. The set has memory domains.
    ///
    /// # Errors
    /// The error of a failed allocation.
    pub fn shared(
        set: Arc<DeviceSet>,
        flags: cl_mem_flags,
        size: usize,
        pages: Mapping,
        buffers: Vec<(usize, Buffer)>,
    ) -> ClResult<Arc<Self>> {
        let base = HostPtr(pages.as_ptr().cast());
        let flags = flags | sys::CL_MEM_USE_HOST_PTR;
        let this = Arc::new(Self::empty(set, flags, size, Some(base), Some(pages))?);
        {
            let mut list = this.buffers.lock();
            for (index, buffer) in buffers {
                if let Some(slot) = list.get_mut(index) {
                    *slot = Some(buffer);
                }
            }
        }
        // A map expects the host's buffer to exist.
        this.host_base()?;
        Ok(this)
    }

    /// Size in bytes.
    #[must_use]
    pub fn size(&self) -> usize {
        self.size
    }

    /// Copies the application's bytes into a new storage.
    fn initialise(&self, first: &Buffer, from: HostPtr) -> ClResult<()> {
        let domain = match (self.set.domains(), self.host_ptr) {
            (Some(domains), Some(_)) => {
                // The application's memory is in the host's domain.
                self.host_base()?;
                domains.host
            }
            (domains, _) => {
                if first.host_ptr().is_none_or(|to| to.cast() != from.0) {
                    // SAFETY: the application guarantees `size` readable bytes.
                    let bytes =
                        unsafe { std::slice::from_raw_parts(from.0.cast::<u8>(), self.size) };
                    first
                        .memory()
                        .write(first.offset(), bytes)
                        .map_err(|e| allocation_error(&e))?;
                    first
                        .memory()
                        .flush_to_device(first.offset(), first.size())
                        .map_err(|e| allocation_error(&e))?;
                }
                domains.map_or(0, |p| p.of_device.first().copied().unwrap_or(0))
            }
        };
        if let Some(segment) = self.segments.lock().first_mut() {
            segment.valid = 1 << domain;
        }
        Ok(())
    }

    /// Writes the first bytes of a new storage that has no content yet.
    ///
    /// # Errors
    /// `CL_MEM_OBJECT_ALLOCATION_FAILURE` and the like.
    pub fn fill_start(&self, bytes: &[u8]) -> ClResult<()> {
        let first = self.buffer(0)?;
        first.memory().write(first.offset(), bytes).map_err(|e| allocation_error(&e))?;
        first
            .memory()
            .flush_to_device(first.offset(), bytes.len() as u64)
            .map_err(|e| allocation_error(&e))?;
        let domain = self.domain_of(0);
        for segment in self.segments.lock().iter_mut() {
            segment.valid = 1 << domain;
        }
        Ok(())
    }

    /// The whole buffer of the device at `index` in the context; the index after the last device is
    /// the host's own domain. The first use allocates it.
    ///
    /// # Errors
    /// `CL_MEM_OBJECT_ALLOCATION_FAILURE`, `CL_OUT_OF_HOST_MEMORY`.
    pub fn buffer(&self, index: usize) -> ClResult<Buffer> {
        let mut buffers = self.buffers.lock();
        self.buffer_in(&mut buffers, index)
    }

    fn buffer_in(&self, buffers: &mut Vec<Option<Buffer>>, index: usize) -> ClResult<Buffer> {
        if let Some(Some(buffer)) = buffers.get(index) {
            return Ok(buffer.clone());
        }
        let devices = self.set.devices();
        let in_place = index >= devices.len() || self.domain_of(index) == self.host_domain();
        let external = self.external.as_ref().filter(|_| in_place);
        let external = external.map(|memory| Memory::from_target(memory.clone()));
        let made = match (devices.get(index), external) {
            (Some(device), Some(external)) => {
                let memory =
                    device.mux().share_memory(&external).map_err(|e| allocation_error(&e))?;
                whole(device, &memory, self.size)?
            }
            (None, Some(external)) => {
                let any = devices.first().ok_or(ClError::INVALID_DEVICE)?;
                whole(any, &external, self.size)?
            }
            (None, None) => {
                let copy: Arc<dyn TargetMemory> =
                    Arc::new(HostCopy::new(self.size, self.host_ptr)?);
                let any = devices.first().ok_or(ClError::INVALID_DEVICE)?;
                whole(any, &Memory::from_target(copy), self.size)?
            }
            (Some(device), None) => {
                // Devices of one domain share the pages of one of them, if they can import them.
                let owner = self
                    .set
                    .domains()
                    .map_or(0, |p| p.of_device.get(index).copied().unwrap_or(index));
                let memory = if owner == index || !device.info().can_import_host {
                    memory_on(device, self.size, self.flags, self.host_ptr)?
                } else {
                    let owner = self.buffer_in(buffers, owner)?;
                    device.mux().share_memory(owner.memory()).map_err(|e| allocation_error(&e))?
                };
                whole(device, &memory, self.size)?
            }
        };
        if let Some(slot) = buffers.get_mut(index) {
            *slot = Some(made.clone());
        }
        Ok(made)
    }

    /// True if content moves between domains.
    #[must_use]
    pub fn tracked(&self) -> bool {
        self.set.domains().is_some()
    }

    /// The domain of the device at `index`.
    #[must_use]
    pub fn domain_of(&self, index: usize) -> usize {
        self.set.domains().map_or(0, |p| p.of_device.get(index).copied().unwrap_or(0))
    }

    /// The domain of the host.
    #[must_use]
    pub fn host_domain(&self) -> usize {
        self.set.domains().map_or(0, |p| p.host)
    }

    /// The address of the first byte in the host's domain.
    ///
    /// # Errors
    /// `CL_MAP_FAILURE` if the host cannot see the memory, or the error of a failed allocation.
    pub fn host_base(&self) -> ClResult<HostPtr> {
        let base = self.buffer(self.host_domain())?.host_ptr().ok_or(ClError::MAP_FAILURE)?;
        Ok(HostPtr(base.cast()))
    }

    /// Prepares `range` in `domain` for a command: moves missing content there, on this thread.
    ///
    /// # Errors
    /// The failure of a device. No content is lost.
    pub fn acquire(
        &self,
        domain: usize,
        range: Range<usize>,
        access: Access,
    ) -> Result<(), MuxError> {
        let bit = 1_u64 << domain;
        let mut segments = self.segments.lock();
        // The common case: all content is current here, and a write invalidates no other copy.
        let settled = |s: &Segment| {
            s.valid == bit || (access == Access::Read && (s.valid == 0 || s.valid & bit != 0))
        };
        if segments.iter().filter(|s| s.start < range.end && range.start < s.end).all(settled) {
            return Ok(());
        }
        segments.try_reserve(2).map_err(|_| MuxError::OutOfMemory)?;
        split(&mut segments, range.start);
        split(&mut segments, range.end);
        let mut outcome = Ok(());
        for segment in segments.iter_mut().filter(|s| range.start <= s.start && s.end <= range.end)
        {
            if access != Access::Replace && segment.valid != 0 && segment.valid & bit == 0 {
                outcome = self.migrate(domain, segment);
                if outcome.is_err() {
                    break;
                }
            }
            match access {
                Access::Read if segment.valid == 0 => {}
                Access::Read => segment.valid |= bit,
                Access::Write | Access::Replace => segment.valid = bit,
            }
        }
        join(&mut segments);
        outcome
    }

    /// [`Self::acquire`] if no content has to move. Returns false, and changes nothing, otherwise.
    fn acquire_in_place(&self, domain: usize, range: Range<usize>, access: Access) -> bool {
        let bit = 1_u64 << domain;
        let current = |s: &Segment| s.valid == 0 || s.valid & bit != 0;
        {
            let segments = self.segments.lock();
            let used = |s: &&Segment| s.start < range.end && range.start < s.end;
            if access != Access::Replace && !segments.iter().filter(used).all(current) {
                return false;
            }
        }
        self.acquire(domain, range, access).is_ok()
    }

    /// Copies a segment's content to a domain, preferably from the host's domain.
    fn migrate(&self, domain: usize, segment: &Segment) -> Result<(), MuxError> {
        let host = self.host_domain();
        let from = if segment.valid & (1 << host) != 0 {
            host
        } else {
            segment.valid.trailing_zeros() as usize
        };
        let (to, from) = {
            let buffers = self.buffers.lock();
            let find = |domain: usize| buffers.get(domain).cloned().flatten();
            match (find(domain), find(from)) {
                (Some(to), Some(from)) => (to, from),
                _ => return Err(MuxError::Internal("content in a domain without memory".into())),
            }
        };
        let (start, size) = (segment.start as u64, (segment.end - segment.start) as u64);
        tracing::debug!(target: "cl::memory", "{size} bytes move to memory domain {domain}");
        to.memory().copy_from(to.offset() + start, from.memory(), from.offset() + start, size)
    }

    /// The segments, for tests: start, end, and the domains with current content (a bit each).
    #[must_use]
    pub fn current(&self) -> Vec<(usize, usize, u64)> {
        self.segments.lock().iter().map(|s| (s.start, s.end, s.valid)).collect()
    }
}

fn whole(device: &Device, memory: &Memory, size: usize) -> ClResult<Buffer> {
    device.mux().create_buffer(memory, 0, size as u64).map_err(|e| allocation_error(&e))
}

/// Makes `at` a boundary between segments. The caller has reserved space for one more segment.
fn split(segments: &mut Vec<Segment>, at: usize) {
    if let Some(i) = segments.iter().position(|s| s.start < at && at < s.end) {
        let behind = Segment { start: at, ..segments[i] };
        segments[i].end = at;
        segments.insert(i + 1, behind);
    }
}

/// Joins neighbouring segments that are current in the same domains.
fn join(segments: &mut Vec<Segment>) {
    segments.dedup_by(|next, first| {
        let same = first.valid == next.valid;
        if same {
            first.end = next.end;
        }
        same
    });
}

/// A range of a storage that a command uses. Its content must be in a domain when the command runs.
#[derive(Clone, Debug)]
pub struct Migration {
    /// The storage of the range.
    pub storage: Arc<Storage>,
    /// The range, in bytes of the storage.
    pub range: Range<usize>,
    /// How the command uses it.
    pub access: Access,
    /// The domain in which the command uses it.
    pub domain: usize,
}

/// The migrations of a command, as a condition that runs when the command is about to begin.
#[derive(Debug)]
pub struct MigrationList(pub Vec<Migration>);

impl Condition for MigrationList {
    fn check(&self) -> Result<(), MuxError> {
        for migration in &self.0 {
            let Migration { storage, range, access, domain } = migration;
            storage.acquire(*domain, range.clone(), *access)?;
        }
        Ok(())
    }

    /// All commands on which those of a command buffer depend have ended before its first one
    /// begins. So only the command buffer's own commands may have to run before content moves.
    fn check_early(&self) -> bool {
        self.0.iter().all(|m| m.storage.acquire_in_place(m.domain, m.range.clone(), m.access))
    }
}

/// The begin or the end of a time in which OpenCL uses another program's memory.
#[derive(Debug)]
pub struct HandOver {
    storage: Arc<Storage>,
    memory: Arc<MappedMemory>,
    acquire: bool,
}

impl HandOver {
    /// Runs it, when the command is about to begin.
    ///
    /// # Errors
    /// The failure of a device or of the system.
    pub fn run(&self) -> Result<(), MuxError> {
        let Self { storage, memory, acquire } = self;
        let (host, all) = (storage.host_domain(), 0..storage.size());
        if *acquire {
            memory.begin()?;
            // The other program may have written, so copies in other domains are stale.
            storage.acquire(host, all, Access::Replace)
        } else {
            storage.acquire(host, all, Access::Read)?;
            memory.end()
        }
    }
}

/// The host's domain if no device shares it: pages of the driver, or the application's memory.
#[derive(Debug)]
struct HostCopy {
    ptr: *mut u8,
    size: usize,
    layout: Option<Layout>,
}

// SAFETY: plain memory; the application is responsible for races on its content.
unsafe impl Send for HostCopy {}
// SAFETY: as above.
unsafe impl Sync for HostCopy {}

impl HostCopy {
    fn new(size: usize, host_ptr: Option<HostPtr>) -> ClResult<Self> {
        let made = match host_ptr {
            Some(HostPtr(ptr)) => Self { ptr: ptr.cast(), size, layout: None },
            None => {
                let layout =
                    Layout::from_size_align(size, 4096).map_err(|_| ClError::OUT_OF_HOST_MEMORY)?;
                // SAFETY: a storage is never empty, so the layout's size is not zero.
                let ptr = unsafe { alloc_zeroed(layout) };
                if ptr.is_null() {
                    return Err(ClError::OUT_OF_HOST_MEMORY);
                }
                Self { ptr, size, layout: Some(layout) }
            }
        };
        made.ptr.expose_provenance();
        Ok(made)
    }
}

impl Drop for HostCopy {
    fn drop(&mut self) {
        if let Some(layout) = self.layout {
            // SAFETY: allocated in `new` with this layout, freed once.
            unsafe { dealloc(self.ptr, layout) };
        }
    }
}

// SAFETY: `new` allocates `size` bytes there, which `drop` frees.
unsafe impl TargetMemory for HostCopy {
    fn size(&self) -> u64 {
        self.size as u64
    }
    fn device_address(&self) -> u64 {
        0
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
    fn segments_split_and_join() {
        let mut list = vec![Segment { start: 0, end: 100, valid: 1 }];
        for at in [0, 40, 40, 60, 100] {
            split(&mut list, at);
        }
        assert_eq!(
            list.iter().map(|s| (s.start, s.end)).collect::<Vec<_>>(),
            [(0, 40), (40, 60), (60, 100)]
        );
        list[1].valid = 2;
        join(&mut list);
        assert_eq!(list.len(), 3);
        list[1].valid = 1;
        join(&mut list);
        assert_eq!(list, [Segment { start: 0, end: 100, valid: 1 }]);
    }
}
