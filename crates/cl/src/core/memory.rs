//! Memory objects: buffers and sub-buffers, host pointers, mapped regions, callbacks.
//!
//! A buffer has memory on each device that uses it ([`Storage`]). The call that creates it
//! allocates on the context's first device, so a failed allocation is reported at once. A
//! sub-buffer is a range of its buffer's storage.
//!
//! Invariant: with `CL_MEM_USE_HOST_PTR` on a device that imports host memory, the application's
//! memory *is* the buffer. Not here: commands on memory (`enqueue*`), which get the device's buffer
//! from [`Mem::buffer`] and record their accesses by [`Mem::migration`].

use std::borrow::Cow;
use std::ffi::c_void;
use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use muxcl_cl_sys as sys;
use muxcl_cl_sys::{cl_map_flags, cl_mem, cl_mem_flags, cl_mem_properties};
use muxcl_lock::{Mutex, Rank};
use muxcl_mux::Buffer;
use muxcl_os::ExternalError;
use once_cell::sync::OnceCell;

use super::check::Tracked;
use super::context::Context;
use super::device::Device;
use super::external::ExternalHandle;
use super::image::Image;
use super::maps::{MapTable, Unmapping};
use super::storage::{Access, Migration, Storage};
use crate::checked::{HostPtr, UserData};
use crate::error::{ClError, ClResult, allocation_error};
use crate::object::{self, ClObject, HandleHeader};

/// The callback of `clSetMemObjectDestructorCallback`.
pub type DestructorFn = unsafe extern "C" fn(cl_mem, *mut c_void);

/// One region the application has mapped.
#[derive(Clone, Debug)]
pub struct MappedRegion {
    /// The address that the map returned.
    pub pointer: HostPtr,
    /// Offset in the (sub-)buffer, in bytes.
    pub offset: usize,
    /// Bytes from the first to the last of the region.
    pub size: usize,
    /// Map flags (`CL_MAP_*`).
    pub flags: cl_map_flags,
    /// The elements of the object that it covers.
    pub area: MapArea,
}

/// The elements of a memory object that a map covers: bytes of a buffer, pixels of an image.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MapArea {
    /// The mipmap level; 0 for a buffer.
    pub level: u32,
    /// The first element along each axis.
    pub origin: [usize; 3],
    /// Elements along each axis, at least 1.
    pub region: [usize; 3],
}

impl MapArea {
    /// Bytes of a buffer.
    #[must_use]
    pub fn bytes(offset: usize, size: usize) -> Self {
        Self { level: 0, origin: [offset, 0, 0], region: [size, 1, 1] }
    }

    /// True if the two have an element in common.
    #[must_use]
    pub fn overlaps(&self, other: &Self) -> bool {
        let meet = |axis: usize| {
            let (a, b) = (self.origin[axis], other.origin[axis]);
            if a <= b { b - a < self.region[axis] } else { a - b < other.region[axis] }
        };
        self.level == other.level && (0..3).all(meet)
    }
}

/// Number of destructor callbacks that the application has registered in this process.
static DESTRUCTOR_CALLBACKS: AtomicUsize = AtomicUsize::new(0);

/// A number that changes whenever [`MemLifetime::is_observed`] may become true for a memory object.
#[must_use]
#[inline]
pub fn observation_count() -> usize {
    DESTRUCTOR_CALLBACKS.load(Ordering::Acquire)
}

/// The flags of a map that the application writes through.
pub const MAP_WRITES: cl_map_flags = sys::CL_MAP_WRITE | sys::CL_MAP_WRITE_INVALIDATE_REGION;

/// The lifetime of a memory object as the application observes it: its drop calls the destructor
/// callbacks. The object and each command that uses its memory hold a reference. Kernels hold a
/// weak one: an argument alone keeps no memory object.
#[derive(Debug)]
pub struct MemLifetime {
    context: Arc<Context>,
    /// The parent's lifetime, for an object in the memory of another object.
    parent: Option<Arc<Self>>,
    /// The memory is the application's.
    host_memory: bool,
    /// The object's handle, for the callbacks. It is invalid when they receive it.
    handle: AtomicUsize,
    callbacks: Mutex<Vec<(DestructorFn, UserData)>>,
}

impl MemLifetime {
    fn new(context: &Arc<Context>, parent: Option<&Arc<Self>>, host_memory: bool) -> Arc<Self> {
        Arc::new(Self {
            parent: parent.cloned(),
            host_memory,
            context: Arc::clone(context),
            handle: AtomicUsize::new(0),
            callbacks: Mutex::new(Rank::MemObject, Vec::new()),
        })
    }

    /// True if the application can observe the end of the lifetime: by a callback, or because the
    /// memory is its own.
    #[must_use]
    pub fn is_observed(&self) -> bool {
        let told = !self.callbacks.lock().is_empty();
        told || self.host_memory || self.parent.as_ref().is_some_and(|p| p.is_observed())
    }
}

impl Drop for MemLifetime {
    fn drop(&mut self) {
        let list = std::mem::take(self.callbacks.get_mut());
        let handle = std::ptr::with_exposed_provenance_mut(*self.handle.get_mut());
        for (callback, data) in list.into_iter().rev() {
            // SAFETY: the application gave this function for this call.
            unsafe { callback(handle, data.0) };
        }
    }
}

/// The dimensions of a pipe.
#[derive(Clone, Copy, Debug)]
pub struct Pipe {
    /// Bytes of a packet.
    pub packet: u32,
    /// Packets that it holds.
    pub packets: u32,
}

/// `cl_mem`
#[derive(Debug)]
pub struct Mem {
    head: HandleHeader<Self>,
    flags: cl_mem_flags,
    size: usize,
    /// The `host_ptr` given with `CL_MEM_USE_HOST_PTR`, at this object's first byte.
    host_ptr: Option<HostPtr>,
    /// `CL_MEM_PROPERTIES` as the application gave them, with the final zero; else empty.
    properties: Vec<cl_mem_properties>,
    /// Set for a pipe.
    pipe: OnceCell<Pipe>,
    /// Set for an image.
    image: Option<Box<Image>>,
    /// For a sub-buffer, or an image in another object's memory: that object and the offset in it,
    /// in bytes.
    parent: Option<(Arc<Self>, usize)>,
    /// For an object without a parent: offset of its first byte in the storage, in bytes. An SVM
    /// allocation may share the storage.
    origin: usize,
    /// The first device's buffer. The common case uses it without a lock.
    home: Buffer,
    /// As `home`, for commands: this one holds `lifetime`.
    busy: Buffer,
    storage: Arc<Storage>,
    maps: MapTable<MappedRegion>,
    /// For memory of another program: the devices that may acquire it.
    importers: Option<Vec<Arc<Device>>>,
    /// For the checker: the object that owns the memory; `None` if the context checks nothing.
    tracked: Option<Arc<Tracked>>,
    /// The last field: dropped after all memory.
    lifetime: Arc<MemLifetime>,
}

impl ClObject for Mem {
    type Raw = sys::_cl_mem;
    const TAG: u32 = u32::from_le_bytes(*b"memo");
    const INVALID: ClError = ClError::INVALID_MEM_OBJECT;
    const REACHABLE: bool = true;
    fn header(&self) -> &HandleHeader<Self> {
        &self.head
    }
}

/// The memory of a new object.
struct Place {
    storage: Arc<Storage>,
    /// Offset of the first byte in the storage.
    origin: usize,
    size: usize,
    importers: Option<Vec<Arc<Device>>>,
}

/// A range of a storage's buffer.
fn part_of(whole: Buffer, origin: usize, size: usize) -> ClResult<Buffer> {
    if origin == 0 && whole.size() == size as u64 {
        return Ok(whole);
    }
    whole.sub_buffer(origin as u64, size as u64).map_err(|e| allocation_error(&e))
}

impl Mem {
    /// A buffer. The arguments are checked: `size` is not 0 and fits, `host_ptr` is present if and
    /// only if a flag requires it.
    ///
    /// # Errors
    /// `CL_MEM_OBJECT_ALLOCATION_FAILURE`, `CL_OUT_OF_HOST_MEMORY`.
    pub fn new_buffer(
        context: Arc<Context>,
        properties: Vec<cl_mem_properties>,
        flags: cl_mem_flags,
        size: usize,
        host_ptr: Option<HostPtr>,
    ) -> ClResult<Arc<Self>> {
        Self::new_root(context, properties, flags, size, host_ptr, None)?.with_addresses()
    }

    /// Gives a new buffer its device addresses, if its properties ask for them.
    fn with_addresses(self: Arc<Self>) -> ClResult<Arc<Self>> {
        if self.has_device_addresses()
            && let Err(error) = self.take_addresses()
        {
            object::release::<Self>(self.handle())?;
            return Err(error);
        }
        Ok(self)
    }

    /// True if the buffer was created with `CL_MEM_DEVICE_PRIVATE_ADDRESS_EXT`.
    #[must_use]
    pub fn has_device_addresses(&self) -> bool {
        self.properties.as_chunks().0.contains(&[sys::CL_MEM_DEVICE_PRIVATE_ADDRESS_EXT, 1])
    }

    /// Allocates memory on each device and registers its address there, so that kernels can use
    /// that address.
    fn take_addresses(&self) -> ClResult<()> {
        for (index, device) in self.context().devices().iter().enumerate() {
            if self.storage.tracked() && device.has_extension("cl_ext_buffer_device_address") {
                let address = self.buffer(index)?.device_address();
                self.context().svm().address(index, address, &self.storage)?;
            }
        }
        Ok(())
    }

    /// An image with memory of its own. The arguments are checked as for a buffer.
    ///
    /// # Errors
    /// `CL_MEM_OBJECT_ALLOCATION_FAILURE`, `CL_OUT_OF_HOST_MEMORY`.
    pub fn new_image(
        context: Arc<Context>,
        properties: Vec<cl_mem_properties>,
        flags: cl_mem_flags,
        host_ptr: Option<HostPtr>,
        image: Image,
    ) -> ClResult<Arc<Self>> {
        let size = image.size;
        Self::new_root(context, properties, flags, size, host_ptr, Some(Box::new(image)))
    }

    fn new_root(
        context: Arc<Context>,
        properties: Vec<cl_mem_properties>,
        flags: cl_mem_flags,
        size: usize,
        host_ptr: Option<HostPtr>,
        image: Option<Box<Image>>,
    ) -> ClResult<Arc<Self>> {
        let used = host_ptr.filter(|_| flags & sys::CL_MEM_USE_HOST_PTR != 0);
        // "The new buffer object returned has the shared memory as the underlying storage."
        let shared = used.and_then(|p| context.svm().shared(p.0, size));
        let (storage, origin) = match shared {
            Some(found) => found,
            None => (Storage::new(Arc::clone(context.device_set()), flags, size, host_ptr)?, 0),
        };
        let place = Place { storage, origin, size, importers: None };
        Self::new_at(context, properties, flags, place, used, image)
    }

    /// A buffer or an image whose content is the memory of another program. The arguments are
    /// checked. A success takes the handle's descriptor.
    ///
    /// # Errors
    /// `CL_INVALID_PROPERTY` if the handle is not one of its kind, `too_small` if it has less
    /// memory, `CL_MEM_OBJECT_ALLOCATION_FAILURE`, `CL_OUT_OF_HOST_MEMORY`.
    pub fn new_external(
        context: Arc<Context>,
        properties: Vec<cl_mem_properties>,
        flags: cl_mem_flags,
        handle: ExternalHandle,
        size: usize,
        image: Option<Image>,
    ) -> ClResult<Arc<Self>> {
        let too_small = if image.is_some() {
            ClError::INVALID_IMAGE_SIZE
        } else {
            ClError::INVALID_BUFFER_SIZE
        };
        let memory = handle.map(size, flags & sys::CL_MEM_IMMUTABLE_EXT == 0);
        let memory = memory.map_err(|error| match error {
            ExternalError::WrongKind => ClError::INVALID_PROPERTY,
            ExternalError::TooShort => too_small,
            ExternalError::System(error) => {
                tracing::debug!(target: "cl::memory", "{error}");
                ClError::MEM_OBJECT_ALLOCATION_FAILURE
            }
        })?;
        let storage = Storage::external(Arc::clone(context.device_set()), flags, memory)?;
        let importers = Some(handle.devices.clone());
        let place = Place { storage, origin: 0, size, importers };
        let image = image.map(Box::new);
        let made = Self::new_at(context, properties, flags, place, None, image)?;
        let made = made.with_addresses()?;
        handle.take();
        Ok(made)
    }

    fn new_at(
        context: Arc<Context>,
        properties: Vec<cl_mem_properties>,
        flags: cl_mem_flags,
        place: Place,
        host_ptr: Option<HostPtr>,
        image: Option<Box<Image>>,
    ) -> ClResult<Arc<Self>> {
        let Place { storage, origin, size, importers } = place;
        let lifetime = MemLifetime::new(&context, None, host_ptr.is_some());
        let home = part_of(storage.buffer(0)?, origin, size)?;
        // Kernels' writes to images, and content from elsewhere, are not followed.
        let content = flags & (sys::CL_MEM_USE_HOST_PTR | sys::CL_MEM_COPY_HOST_PTR) != 0
            || image.is_some()
            || importers.is_some()
            || context.devices().len() > 1;
        let tracked =
            context.requirements().checks.any().then(|| Tracked::new(size, flags, content));
        object::create(|head| {
            Ok(Self {
                head,
                flags,
                size,
                host_ptr,
                properties,
                pipe: OnceCell::new(),
                image,
                parent: None,
                origin,
                busy: home.with_keepalive(lifetime.clone()),
                home,
                storage,
                maps: MapTable::default(),
                importers,
                tracked,
                lifetime,
            })
        })
        .inspect(Self::named)
    }

    /// A pipe, empty. The arguments are checked.
    ///
    /// # Errors
    /// `CL_MEM_OBJECT_ALLOCATION_FAILURE`, `CL_OUT_OF_HOST_MEMORY`.
    pub fn new_pipe(
        context: Arc<Context>,
        flags: cl_mem_flags,
        packet: u32,
        packets: u32,
    ) -> ClResult<Arc<Self>> {
        let (header, size) = muxcl_types::pipe::empty(packet, packets)
            .ok_or(ClError::MEM_OBJECT_ALLOCATION_FAILURE)?;
        let size = usize::try_from(size).map_err(|_| ClError::MEM_OBJECT_ALLOCATION_FAILURE)?;
        let made = Self::new_buffer(context, Vec::new(), flags, size, None)?;
        let written = made.storage.fill_start(&header);
        let _ = made.pipe.set(Pipe { packet, packets });
        if let Err(error) = written {
            object::release::<Self>(made.handle())?;
            return Err(error);
        }
        Ok(made)
    }

    /// The packet size and capacity of a pipe; `None` for other objects.
    #[must_use]
    pub fn pipe(&self) -> Option<&Pipe> {
        self.pipe.get()
    }

    /// A sub-buffer. The arguments are checked: `parent` is no sub-buffer, the region is inside it
    /// and not empty.
    ///
    /// # Errors
    /// `CL_OUT_OF_HOST_MEMORY`.
    pub fn new_sub_buffer(
        parent: Arc<Self>,
        flags: cl_mem_flags,
        origin: usize,
        size: usize,
    ) -> ClResult<Arc<Self>> {
        Self::new_part(parent, Vec::new(), flags, origin, size, None)
    }

    /// An image in the memory of a buffer or another image, from its first byte. The arguments are
    /// checked: the image fits.
    ///
    /// # Errors
    /// `CL_OUT_OF_HOST_MEMORY`.
    pub fn new_image_in(
        parent: Arc<Self>,
        properties: Vec<cl_mem_properties>,
        flags: cl_mem_flags,
        image: Image,
    ) -> ClResult<Arc<Self>> {
        let size = image.size;
        Self::new_part(parent, properties, flags, 0, size, Some(Box::new(image)))
    }

    fn new_part(
        parent: Arc<Self>,
        properties: Vec<cl_mem_properties>,
        flags: cl_mem_flags,
        origin: usize,
        size: usize,
        image: Option<Box<Image>>,
    ) -> ClResult<Arc<Self>> {
        let context = Arc::clone(parent.context());
        let lifetime =
            MemLifetime::new(&context, Some(&parent.lifetime), parent.lifetime.host_memory);
        let host_ptr = parent
            .host_ptr
            .map(|p| HostPtr(p.0.cast::<u8>().wrapping_add(origin).cast::<c_void>()));
        let home =
            parent.home.sub_buffer(origin as u64, size as u64).map_err(|e| allocation_error(&e))?;
        let storage = Arc::clone(&parent.storage);
        let tracked = parent.tracked.clone();
        if let (Some(tracked), true) = (&tracked, image.is_some()) {
            tracked.initialised();
        }
        object::create(|head| {
            Ok(Self {
                head,
                flags,
                size,
                host_ptr,
                properties,
                pipe: OnceCell::new(),
                image,
                parent: Some((parent, origin)),
                origin: 0,
                busy: home.with_keepalive(lifetime.clone()),
                home,
                storage,
                maps: MapTable::default(),
                importers: None,
                tracked,
                lifetime,
            })
        })
        .inspect(Self::named)
    }

    /// The devices that may acquire memory of another program; `None` for an object that was not
    /// created from a handle.
    #[must_use]
    pub fn importers(&self) -> Option<&[Arc<Device>]> {
        self.importers.as_deref()
    }

    /// The context of the object.
    #[must_use]
    pub fn context(&self) -> &Arc<Context> {
        &self.lifetime.context
    }

    /// Stores the handle, which exists only now, for the callbacks.
    fn named(this: &Arc<Self>) {
        this.lifetime.handle.store(this.handle().expose_provenance(), Ordering::Release);
    }

    /// `CL_MEM_FLAGS`
    #[must_use]
    pub fn flags(&self) -> cl_mem_flags {
        self.flags
    }

    /// True for `CL_MEM_IMMUTABLE_EXT`: no command, kernel or map changes its content.
    #[must_use]
    pub fn is_immutable(&self) -> bool {
        self.flags & sys::CL_MEM_IMMUTABLE_EXT != 0
    }

    /// `CL_MEM_SIZE`
    #[must_use]
    pub fn size(&self) -> usize {
        self.size
    }

    /// `CL_MEM_HOST_PTR`
    #[must_use]
    pub fn host_ptr(&self) -> Option<HostPtr> {
        self.host_ptr
    }

    /// `CL_MEM_PROPERTIES`
    #[must_use]
    pub fn properties(&self) -> &[cl_mem_properties] {
        &self.properties
    }

    /// The format and layout of an image; `None` for other objects.
    #[must_use]
    pub fn image(&self) -> Option<&Image> {
        self.image.as_deref()
    }

    /// The object whose memory this one uses, and the offset in it, in bytes.
    #[must_use]
    pub fn parent(&self) -> Option<(&Arc<Self>, usize)> {
        self.parent.as_ref().map(|(parent, origin)| (parent, *origin))
    }

    /// The buffer that owns the memory, and this object's offset in it: for overlap checks.
    #[must_use]
    pub fn root(&self) -> (&Self, usize) {
        self.parent.as_ref().map_or((self, 0), |(parent, origin)| {
            let (root, at) = parent.root();
            (root, at + origin)
        })
    }

    /// Offset of the object's first byte in its storage.
    fn start(&self) -> usize {
        let (root, at) = self.root();
        root.origin + at
    }

    /// True for the same object.
    #[must_use]
    pub fn is(&self, other: &Self) -> bool {
        std::ptr::eq(self, other)
    }

    /// The Mux buffer of the device at `index` in the context. The first use allocates it.
    ///
    /// # Errors
    /// `CL_MEM_OBJECT_ALLOCATION_FAILURE`, `CL_OUT_OF_HOST_MEMORY`.
    pub fn buffer(&self, index: usize) -> ClResult<Buffer> {
        if index == 0 {
            return Ok(self.home.clone());
        }
        part_of(self.storage.buffer(index)?, self.start(), self.size)
    }

    /// The storage of which this object is a range.
    #[must_use]
    pub fn storage(&self) -> &Arc<Storage> {
        &self.storage
    }

    /// The byte range of the object in its storage.
    #[must_use]
    pub fn whole(&self) -> Range<usize> {
        let start = self.start();
        start..start + self.size
    }

    /// The migration for a command that uses the bytes `[offset, offset + size)` in `domain`;
    /// `None` if the context has no memory domains.
    #[must_use]
    pub fn migration(
        &self,
        domain: usize,
        offset: usize,
        size: usize,
        access: Access,
    ) -> Option<Migration> {
        if !self.storage.tracked() || size == 0 {
            return None;
        }
        let start = self.start() + offset;
        // Commands never change immutable memory, so a write by declaration (a discarding
        // migration, a native kernel) is a read: every copy stays current.
        let access = if self.is_immutable() { Access::Read } else { access };
        Some(Migration {
            storage: Arc::clone(&self.storage),
            range: start..start + size,
            access,
            domain,
        })
    }

    /// [`Self::buffer`] for a command, which extends the lifetime of the object until it has run.
    ///
    /// # Errors
    /// As [`Self::buffer`].
    #[inline]
    pub fn busy_buffer(&self, index: usize) -> ClResult<Cow<'_, Buffer>> {
        if let Some(tracked) = &self.tracked {
            tracked.initialised();
        }
        if index == 0 {
            return Ok(Cow::Borrowed(&self.busy));
        }
        self.buffer(index).map(|b| Cow::Owned(b.with_keepalive(self.lifetime.clone())))
    }

    /// For the checker: the object that owns the memory; `None` if the context checks nothing.
    #[must_use]
    pub fn tracked(&self) -> Option<&Arc<Tracked>> {
        self.tracked.as_ref()
    }

    /// The lifetime of the object, for a kernel that has it as an argument.
    #[must_use]
    pub fn lifetime(&self) -> &Arc<MemLifetime> {
        &self.lifetime
    }

    /// Registers a mapping of `area`, the bytes `[offset, offset + size)`, for the device at
    /// `index`. Returns the pointer for the application. Repeated maps of a region return the same
    /// pointer.
    ///
    /// # Errors
    /// `CL_INVALID_OPERATION` if the application would write through two maps of one element,
    /// `CL_MAP_FAILURE` if the host cannot see the memory, `CL_OUT_OF_HOST_MEMORY`.
    pub fn map(
        &self,
        index: usize,
        (offset, size): (usize, usize),
        area: MapArea,
        flags: cl_map_flags,
    ) -> ClResult<HostPtr> {
        let base = match self.host_ptr {
            // "If the buffer object is created with CL_MEM_USE_HOST_PTR ... the pointer value
            // returned by clEnqueueMapBuffer is derived from the host_ptr".
            Some(pointer) => pointer.0.cast::<u8>(),
            None if self.storage.tracked() => {
                self.storage.host_base()?.0.cast::<u8>().wrapping_add(self.start())
            }
            None => self.buffer(index)?.host_ptr().ok_or(ClError::MAP_FAILURE)?,
        };
        if self.storage.tracked() {
            // The map command cannot allocate, so the host's memory is allocated here.
            self.storage.host_base()?;
        }
        let pointer = HostPtr(base.wrapping_add(offset).cast());
        // CL_INVALID_OPERATION if mapping would lead to overlapping regions being mapped for
        // writing.
        let writes = flags & MAP_WRITES != 0;
        self.maps.add(MappedRegion { pointer, offset, size, flags, area }, |other| {
            let overlaps = || other.flags & MAP_WRITES != 0 && other.area.overlaps(&area);
            if writes && overlaps() { Err(ClError::INVALID_OPERATION) } else { Ok(()) }
        })?;
        Ok(pointer)
    }

    /// Begins to unmap the latest mapping at `pointer`; `None` without one. The mapping stays
    /// unless the caller reports success by [`Unmapping::done`].
    #[must_use]
    pub fn unmap(&self, pointer: HostPtr) -> Option<Unmapping<'_, MappedRegion>> {
        self.maps.unmap(|m| m.pointer == pointer)
    }

    /// True if some region is mapped at `pointer`.
    #[must_use]
    pub fn is_mapped_at(&self, pointer: HostPtr) -> bool {
        self.maps.any(|m| m.pointer == pointer)
    }

    /// `CL_MEM_MAP_COUNT`
    #[must_use]
    pub fn map_count(&self) -> usize {
        self.maps.count()
    }

    /// Registers a callback for the object's end; the last one registered is called first.
    ///
    /// # Errors
    /// `CL_OUT_OF_HOST_MEMORY`.
    pub fn on_destroy(&self, callback: DestructorFn, data: UserData) -> ClResult<()> {
        let mut list = self.lifetime.callbacks.lock();
        list.try_reserve(1)?;
        list.push((callback, data));
        // After the push: a launch that reads the old number before it asks `is_observed` is not
        // reused once it sees the new one.
        DESTRUCTOR_CALLBACKS.fetch_add(1, Ordering::Release);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::MapArea;

    #[test]
    fn areas_overlap_where_they_share_an_element() {
        let area = |level, origin, region| MapArea { level, origin, region };
        let left = area(0, [0, 0, 0], [4, 8, 2]);
        assert!(!left.overlaps(&area(0, [4, 0, 0], [4, 8, 2])), "the columns beside it");
        assert!(left.overlaps(&area(0, [3, 7, 1], [9, 9, 9])), "its last element");
        assert!(!left.overlaps(&area(0, [3, 7, 2], [9, 9, 9])), "the next slice");
        assert!(!left.overlaps(&area(1, [0, 0, 0], [4, 8, 2])), "another level");
        assert!(MapArea::bytes(0, 8).overlaps(&MapArea::bytes(7, 1)));
        assert!(!MapArea::bytes(8, 8).overlaps(&MapArea::bytes(0, 8)));
    }
}
