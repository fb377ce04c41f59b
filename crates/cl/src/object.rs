//! Handles: the addresses that the application holds as `cl_context`, `cl_mem`, ..., and the
//! look-up of the object behind a handle.
//!
//! A handle is the address of a 32-byte `HandleSlot` in one region of memory that is reserved
//! once and never unmapped. A slot starts with the dispatch pointer and the dispatch data (where
//! the ICD loaders read them), followed by a type tag, the application's reference count, and the
//! object. The check of a handle touches no memory that may be unmapped, whatever bit pattern the
//! application passes: the value must be a multiple of 32 within the region, and the tag must be
//! that of the expected type.
//!
//! Invariants: the tag is zero before the object is freed. The application's count is separate from
//! the `Arc` count, so that the driver's own references never show in `CL_*_REFERENCE_COUNT`. Freed
//! slots are reused first-in first-out and only when many are free, so a released handle stays
//! recognisable for long. Not here: thread safety of the objects themselves.

use std::marker::PhantomData;
use std::mem::{ManuallyDrop, size_of};
use std::ops::Deref;
use std::ptr;
use std::sync::atomic::{AtomicPtr, AtomicU32, AtomicUsize, Ordering};
use std::sync::{Arc, Weak};

use muxcl_cl_sys::Dispatch;
use muxcl_lock::{Mutex, Rank};
use muxcl_os::{Mapping, Protection, page_size};

use crate::error::{ClError, ClResult};

/// A type of object that the application has handles of.
pub trait ClObject: Send + Sync + Sized + 'static {
    /// The handle's C type is a pointer to this.
    type Raw;
    /// Distinguishes the types; never 0.
    const TAG: u32;
    /// The error for a value that is no live handle of this type.
    const INVALID: ClError;
    /// True for objects that queries about other objects return (a context, for example): such a
    /// handle stays valid after the application's last release as long as another object keeps the
    /// object. Other handles become invalid at once.
    const REACHABLE: bool;

    /// The object's header.
    fn header(&self) -> &HandleHeader<Self>;

    /// The application's handle of this object.
    fn handle(&self) -> *mut Self::Raw {
        ptr::from_ref(self.header().slot).cast_mut().cast()
    }
}

/// The memory that a handle points to.
#[repr(C, align(32))]
#[derive(Debug)]
pub(crate) struct HandleSlot {
    dispatch: AtomicPtr<Dispatch>,
    dispatch_data: AtomicPtr<std::ffi::c_void>,
    tag: AtomicU32,
    /// The application's references.
    references: AtomicU32,
    /// The object (`Arc::into_raw`), or the next free slot in the list.
    object: AtomicPtr<()>,
}

const SLOT: usize = size_of::<HandleSlot>();
const _: () = assert!(SLOT == 32 || size_of::<usize>() != 8);

/// Ownership of a slot; a field of every object. Frees the slot when the object is dropped.
#[derive(Debug)]
pub struct HandleHeader<T> {
    slot: &'static HandleSlot,
    of: PhantomData<fn() -> T>,
}

impl<T> Drop for HandleHeader<T> {
    fn drop(&mut self) {
        free_slot(self.slot);
    }
}

/// Address and length in bytes of the slots in use. The length is 0 until the first object is
/// created.
static BASE: AtomicUsize = AtomicUsize::new(0);
static LIMIT: AtomicUsize = AtomicUsize::new(0);
/// `cl_khr_icd` 2.0: the loader's value for the second word of every handle.
static DISPATCH_DATA: AtomicPtr<std::ffi::c_void> = AtomicPtr::new(ptr::null_mut());
static FREE: Mutex<FreeList> =
    Mutex::new(Rank::Leaf, FreeList { region: None, used: 0, first: 0, last: 0, count: 0 });

struct FreeList {
    /// The reserved region, leaked on purpose: it lives as long as the process.
    region: Option<&'static Mapping>,
    /// Slots that have ever been used.
    used: usize,
    /// Addresses of the first and the last free slot, while `count` is not 0.
    first: usize,
    last: usize,
    count: usize,
}

impl FreeList {
    /// Removes the slot that has been free for the longest time.
    fn pop(&mut self) -> ClResult<&'static HandleSlot> {
        let slot = slot_at(self.first).filter(|_| self.count != 0);
        let slot = slot.ok_or(ClError::OUT_OF_HOST_MEMORY)?;
        self.first = slot.object.load(Ordering::Relaxed).addr();
        self.count -= 1;
        Ok(slot)
    }
}

/// Minimum number of free slots before one is reused.
const RESTING: usize = 4096;
/// Sizes of address space to reserve, in bytes, tried in order until the system agrees. The first
/// one has room for 32 million live objects.
const RESERVE: [usize; 4] = [1 << 30, 1 << 28, 1 << 26, 1 << 22];
/// Slots become readable in steps of this many bytes.
const STEP: usize = 1 << 16;

/// The slot at an address; `None` if the address is no slot. Accepts any number.
fn slot_at(address: usize) -> Option<&'static HandleSlot> {
    let offset = address.wrapping_sub(BASE.load(Ordering::Relaxed));
    if offset >= LIMIT.load(Ordering::Acquire) || !offset.is_multiple_of(SLOT) {
        return None;
    }
    // SAFETY: the address is that of an aligned slot within the region, which was readable before
    // `LIMIT` was raised and stays so. All zero bytes are a valid slot, and every field is atomic.
    Some(unsafe { &*ptr::with_exposed_provenance::<HandleSlot>(address) })
}

fn take_slot() -> ClResult<&'static HandleSlot> {
    let mut free = FREE.lock();
    if free.count > RESTING {
        return free.pop();
    }
    let region = match free.region {
        Some(region) => region,
        None => {
            let mapping =
                RESERVE.iter().find_map(|&size| Mapping::new(size, Protection::None).ok());
            let region: &'static Mapping =
                Box::leak(Box::new(mapping.ok_or(ClError::OUT_OF_HOST_MEMORY)?));
            free.region = Some(region);
            BASE.store(region.as_ptr().expose_provenance(), Ordering::Relaxed);
            region
        }
    };
    let offset = free.used * SLOT;
    if offset + SLOT > LIMIT.load(Ordering::Relaxed) {
        let step = STEP.next_multiple_of(page_size());
        let end = offset.checked_add(step).filter(|&end| end <= region.len());
        // The region is full: reuse even freshly freed slots.
        let Some(end) = end else { return free.pop() };
        region
            .protect(offset..end, Protection::ReadWrite)
            .map_err(|_| ClError::OUT_OF_HOST_MEMORY)?;
        LIMIT.store(end, Ordering::Release);
    }
    free.used += 1;
    slot_at(BASE.load(Ordering::Relaxed) + offset).ok_or(ClError::OUT_OF_HOST_MEMORY)
}

fn free_slot(slot: &'static HandleSlot) {
    // While the lock is held, a non-zero tag means that the object's memory exists (`find_kept`).
    let mut free = FREE.lock();
    slot.tag.store(0, Ordering::Release);
    slot.object.store(ptr::null_mut(), Ordering::Relaxed);
    let address = ptr::from_ref(slot).expose_provenance();
    match slot_at(free.last).filter(|_| free.count != 0) {
        None => free.first = address,
        Some(last) => {
            last.object.store(ptr::with_exposed_provenance_mut(address), Ordering::Relaxed);
        }
    }
    free.last = address;
    free.count += 1;
}

/// Sets the second word of every later handle, and of those in `existing`.
pub(crate) fn set_dispatch_data(
    data: *mut std::ffi::c_void,
    existing: impl Iterator<Item = &'static HandleSlot>,
) {
    DISPATCH_DATA.store(data, Ordering::Release);
    for slot in existing {
        slot.dispatch_data.store(data, Ordering::Release);
    }
}

/// Creates an object with one application reference. `make` receives the header to store in the
/// object.
///
/// # Errors
/// `CL_OUT_OF_HOST_MEMORY`, or the error of `make`.
pub fn create<T: ClObject>(make: impl FnOnce(HandleHeader<T>) -> ClResult<T>) -> ClResult<Arc<T>> {
    let slot = take_slot()?;
    // From here the header frees the slot if `make` fails.
    let object = Arc::new(make(HandleHeader { slot, of: PhantomData })?);
    slot.dispatch.store(ptr::from_ref(&crate::dispatch::DISPATCH).cast_mut(), Ordering::Relaxed);
    slot.dispatch_data.store(DISPATCH_DATA.load(Ordering::Acquire), Ordering::Relaxed);
    slot.references.store(1, Ordering::Relaxed);
    slot.object.store(Arc::into_raw(Arc::clone(&object)).cast_mut().cast(), Ordering::Relaxed);
    slot.tag.store(T::TAG, Ordering::Release);
    Ok(object)
}

/// The object of a handle, for the duration of a call.
///
/// A plain reference: by the specification the application keeps its own reference during the call.
#[derive(Debug)]
pub struct Borrowed<'a, T: ClObject> {
    object: &'a T,
}

impl<T: ClObject> Clone for Borrowed<'_, T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T: ClObject> Copy for Borrowed<'_, T> {}

impl<T: ClObject> Deref for Borrowed<'_, T> {
    type Target = T;
    fn deref(&self) -> &T {
        self.object
    }
}

impl<'a, T: ClObject> Borrowed<'a, T> {
    /// An object that the driver holds for as long.
    #[must_use]
    pub fn of(object: &'a Arc<T>) -> Self {
        Self { object }
    }

    /// The object, for the duration of the call.
    #[must_use]
    pub fn get(self) -> &'a T {
        self.object
    }

    /// Adds a reference of the driver's own.
    #[must_use]
    pub fn keep(self) -> Arc<T> {
        // SAFETY: every ClObject with a slot is made by `create`, which puts it into an Arc; it is
        // alive now.
        unsafe { Arc::increment_strong_count(self.object) };
        // SAFETY: the count was raised for this Arc.
        unsafe { Arc::from_raw(self.object) }
    }
}

/// The slot of a live handle, and its object, which lives as long as the application holds a
/// reference.
fn find<T: ClObject>(handle: *mut T::Raw) -> ClResult<(&'static HandleSlot, *const T)> {
    let slot = slot_at(handle.addr()).ok_or(T::INVALID)?;
    if slot.tag.load(Ordering::Acquire) != T::TAG {
        return Err(T::INVALID);
    }
    Ok((slot, slot.object.load(Ordering::Relaxed).cast_const().cast()))
}

/// The object of a slot that the application holds no reference to. The driver may drop its last
/// reference on another thread at any moment.
fn find_kept<T: ClObject>(slot: &HandleSlot) -> ClResult<Arc<T>> {
    let _free = FREE.lock();
    if slot.tag.load(Ordering::Acquire) != T::TAG {
        return Err(T::INVALID);
    }
    let object: *const T = slot.object.load(Ordering::Relaxed).cast_const().cast();
    // SAFETY: the object's memory exists: `free_slot` clears the tag first, and that needs the
    // lock. All strong references together own one weak reference; this value stands for it and
    // `ManuallyDrop` keeps it from being dropped.
    let weak = ManuallyDrop::new(unsafe { Weak::from_raw(object) });
    weak.upgrade().ok_or(T::INVALID)
}

/// The object behind `handle`.
///
/// # Errors
/// `T::INVALID` for NULL, foreign, released handles and handles of another type.
#[inline]
pub fn borrow<'a, T: ClObject>(handle: *mut T::Raw) -> ClResult<Borrowed<'a, T>> {
    let (slot, mut object) = find::<T>(handle)?;
    if slot.references.load(Ordering::Relaxed) == 0 {
        // Only the driver holds a reference, and may drop it during this call.
        let held = find_kept::<T>(slot)?;
        object = Arc::as_ptr(&held);
        kept::keep(held)?;
    }
    // SAFETY: a slot with T's tag holds an object of type T, which is alive: the application holds
    // it during the call, or this thread does.
    Ok(Borrowed { object: unsafe { &*object } })
}

/// Objects that the application has released but still uses, because a query or a callback returned
/// the handle. This module keeps them until the end of the call.
pub(crate) mod kept {
    use std::any::Any;
    use std::cell::RefCell;
    use std::sync::Arc;
    use std::sync::atomic::{AtomicUsize, Ordering};

    use crate::error::ClResult;

    /// Number of such objects in all threads. Usually 0.
    static COUNT: AtomicUsize = AtomicUsize::new(0);

    thread_local! {
        static KEPT: RefCell<Vec<Arc<dyn Any + Send + Sync>>> = const { RefCell::new(Vec::new()) };
    }

    #[cold]
    pub(super) fn keep(object: Arc<dyn Any + Send + Sync>) -> ClResult<()> {
        let mut object = Some(object);
        let result = KEPT.try_with(|kept| {
            let mut kept = kept.borrow_mut();
            kept.try_reserve(1)?;
            kept.extend(object.take());
            COUNT.fetch_add(1, Ordering::Relaxed);
            Ok(())
        });
        result.unwrap_or_else(|_| {
            // The thread is ending and its thread-local storage is gone. Leak the object: the call
            // would otherwise use freed memory.
            std::mem::forget(object);
            Ok(())
        })
    }

    /// Number of objects that the enclosing calls of this thread keep. Calls nest if the
    /// application calls OpenCL from a callback.
    #[inline]
    pub(crate) fn mark() -> usize {
        if COUNT.load(Ordering::Relaxed) == 0 {
            return 0;
        }
        KEPT.try_with(|kept| kept.borrow().len()).unwrap_or(0)
    }

    /// Releases the objects that this call keeps, at the end of the call.
    #[inline]
    pub(crate) fn release_borrowed(mark: usize) {
        if COUNT.load(Ordering::Relaxed) != 0 {
            release_slow(mark);
        }
    }

    #[cold]
    fn release_slow(mark: usize) {
        let last = || {
            let pop = |list: &RefCell<Vec<_>>| {
                let mut list = list.borrow_mut();
                if list.len() > mark { list.pop() } else { None }
            };
            KEPT.try_with(pop).ok().flatten()
        };
        // A drop may call the application back, so the list is not borrowed during it.
        while let Some(object) = last() {
            COUNT.fetch_sub(1, Ordering::Relaxed);
            drop(object);
        }
    }
}

/// Adds an application reference.
///
/// # Errors
/// `T::INVALID` as for [`borrow`].
pub fn retain<T: ClObject>(handle: *mut T::Raw) -> ClResult<()> {
    let (slot, _) = find::<T>(handle)?;
    let more = |n: u32| (n > 0).then(|| n.saturating_add(1));
    if slot.references.fetch_update(Ordering::Relaxed, Ordering::Relaxed, more).is_err() {
        // The application released the object, got the handle back through a query, and retains it
        // again.
        let held = find_kept::<T>(slot)?;
        if slot.references.fetch_add(1, Ordering::Relaxed) == 0 {
            // This `Arc` stands for all of the application's references from now on.
            let _ = Arc::into_raw(held);
        }
    }
    Ok(())
}

/// Removes an application reference. After the last one the object is dropped as soon as the driver
/// does not need it either.
///
/// # Errors
/// `T::INVALID` as for [`borrow`], also if the application holds no reference any more.
pub fn release<T: ClObject>(handle: *mut T::Raw) -> ClResult<()> {
    let (slot, object) = find::<T>(handle)?;
    let before = slot
        .references
        .fetch_update(Ordering::AcqRel, Ordering::Relaxed, |n| n.checked_sub(1))
        .map_err(|_| T::INVALID)?;
    if before == 1 {
        if !T::REACHABLE {
            slot.tag.store(0, Ordering::Release);
        }
        // SAFETY: this is the `Arc` that stood for all of the application's references.
        drop(unsafe { Arc::from_raw(object) });
    }
    Ok(())
}

/// The application's references, for `CL_*_REFERENCE_COUNT`.
#[must_use]
pub fn references<T: ClObject>(object: &T) -> u32 {
    object.header().slot.references.load(Ordering::Relaxed)
}

/// The C type of a live handle; `None` for any other address.
pub(crate) fn type_name(address: usize) -> Option<&'static str> {
    let tag = slot_at(address)?.tag.load(Ordering::Acquire);
    TYPES.iter().find(|(known, _)| u32::from_le_bytes(**known) == tag).map(|&(_, name)| name)
}

/// Tags of handles, and their C types.
const TYPES: &[(&[u8; 4], &str)] = &[
    (b"plat", "cl_platform_id"),
    (b"devi", "cl_device_id"),
    (b"cont", "cl_context"),
    (b"queu", "cl_command_queue"),
    (b"dqeu", "cl_command_queue"),
    (b"memo", "cl_mem"),
    (b"samp", "cl_sampler"),
    (b"prog", "cl_program"),
    (b"kern", "cl_kernel"),
    (b"even", "cl_event"),
    (b"sema", "cl_semaphore_khr"),
    (b"cbuf", "cl_command_buffer_khr"),
    (b"mcom", "cl_mutable_command_khr"),
];

/// The object's slot, for [`set_dispatch_data`].
pub(crate) fn slot<T: ClObject>(object: &T) -> &'static HandleSlot {
    object.header().slot
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::AtomicBool;

    #[derive(Debug)]
    struct Thing {
        head: HandleHeader<Self>,
        gone: Arc<AtomicBool>,
    }

    impl Drop for Thing {
        fn drop(&mut self) {
            self.gone.store(true, Ordering::Relaxed);
        }
    }

    impl ClObject for Thing {
        type Raw = u8;
        const TAG: u32 = 0x7468_696e;
        const INVALID: ClError = ClError::INVALID_EVENT;
        const REACHABLE: bool = false;
        fn header(&self) -> &HandleHeader<Self> {
            &self.head
        }
    }

    #[derive(Debug)]
    struct Parent {
        head: HandleHeader<Self>,
    }

    impl ClObject for Parent {
        type Raw = u8;
        const TAG: u32 = 0x7061_7265;
        const INVALID: ClError = ClError::INVALID_CONTEXT;
        const REACHABLE: bool = true;
        fn header(&self) -> &HandleHeader<Self> {
            &self.head
        }
    }

    #[test]
    fn the_life_of_a_handle() {
        let gone = Arc::new(AtomicBool::new(false));
        let object = create(|head| Ok(Thing { head, gone: Arc::clone(&gone) })).unwrap();
        let handle = object.handle();
        // The loaders read the dispatch pointer from the first word.
        // SAFETY: a handle points at a slot.
        let dispatch = unsafe { *handle.cast::<*const Dispatch>() };
        assert_eq!(dispatch, ptr::from_ref(&crate::dispatch::DISPATCH));
        assert_eq!(references(&*object), 1);
        retain::<Thing>(handle).unwrap();
        let kept = borrow::<Thing>(handle).unwrap().keep();
        assert_eq!(references(&*object), 2, "references of the driver do not show");
        drop(object);
        release::<Thing>(handle).unwrap();
        release::<Thing>(handle).unwrap();
        assert!(!gone.load(Ordering::Relaxed), "the driver still holds it");
        assert_eq!(release::<Thing>(handle), Err(ClError::INVALID_EVENT));
        assert!(borrow::<Thing>(handle).is_err());
        drop(kept);
        assert!(gone.load(Ordering::Relaxed));
        assert_eq!(retain::<Thing>(handle), Err(ClError::INVALID_EVENT));
    }

    #[test]
    fn reachable_handles_outlive_the_last_release() {
        let parent = create(|head| Ok(Parent { head })).unwrap();
        let handle = parent.handle();
        release::<Parent>(handle).unwrap();
        assert!(borrow::<Parent>(handle).is_ok());
        assert_eq!(release::<Parent>(handle), Err(ClError::INVALID_CONTEXT));
        retain::<Parent>(handle).unwrap();
        drop(parent);
        assert!(borrow::<Parent>(handle).is_ok());
        release::<Parent>(handle).unwrap();
        // The first of these calls has not returned yet.
        assert!(borrow::<Parent>(handle).is_ok());
        kept::release_borrowed(kept::mark());
        assert!(borrow::<Parent>(handle).is_ok(), "what is kept by the call around this one stays");
        kept::release_borrowed(0);
        assert!(borrow::<Parent>(handle).is_err());
    }

    #[test]
    fn a_handle_used_while_the_driver_drops_its_object() {
        for _ in 0..2000 {
            let parent = create(|head| Ok(Parent { head })).unwrap();
            let handle = parent.handle().expose_provenance();
            release::<Parent>(parent.handle()).unwrap();
            let driver = std::thread::spawn(move || drop(parent));
            let handle: *mut u8 = ptr::with_exposed_provenance_mut(handle);
            while let Ok(borrowed) = borrow::<Parent>(handle) {
                assert_eq!(borrowed.handle(), handle);
                if retain::<Parent>(handle).is_ok() {
                    release::<Parent>(handle).unwrap();
                }
                kept::release_borrowed(0);
            }
            assert_eq!(retain::<Parent>(handle), Err(ClError::INVALID_CONTEXT));
            driver.join().unwrap();
        }
    }

    #[test]
    fn strange_handles_are_refused() {
        let parent = create(|head| Ok(Parent { head })).unwrap();
        let handle = parent.handle();
        assert_eq!(borrow::<Thing>(handle).unwrap_err(), ClError::INVALID_EVENT, "another type");
        let mut local = 0_u8;
        let addresses = [
            0,
            1,
            usize::MAX,
            usize::MAX - 31,
            (&raw mut local).addr(),
            handle.addr() + 1,
            handle.addr() + 8,
        ];
        for address in addresses {
            assert!(borrow::<Parent>(ptr::without_provenance_mut(address)).is_err(), "{address:x}");
        }
        release::<Parent>(handle).unwrap();
    }

    #[test]
    fn a_failed_construction_leaves_nothing() {
        let mut seen = 0;
        let failed = create(|head: HandleHeader<Parent>| {
            seen = ptr::from_ref(head.slot).addr();
            Err(ClError::INVALID_VALUE)
        });
        assert_eq!(failed.err(), Some(ClError::INVALID_VALUE));
        assert!(borrow::<Parent>(ptr::without_provenance_mut(seen)).is_err());
    }

    #[test]
    fn threads_make_and_release_many() {
        let threads: Vec<_> = (0..4)
            .map(|_| {
                std::thread::spawn(|| {
                    for _ in 0..5000 {
                        let object = create(|head| Ok(Parent { head })).unwrap();
                        let handle = object.handle();
                        drop(object);
                        release::<Parent>(handle).unwrap();
                    }
                })
            })
            .collect();
        for thread in threads {
            thread.join().unwrap();
        }
    }
}
