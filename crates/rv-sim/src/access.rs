//! Loads and stores of a hart. One comparison covers the largest region (for stores: its largest
//! part without protected pages), and a small table of page translations covers the others, in
//! front of the memory map. Invariant: an entry of the table
//! covers a whole page of one region with the rights it claims, so a hit needs no other check. One
//! comparison tests page, alignment and access right. Long vector accesses (`vector/memory.rs`)
//! translate their address once.

use crate::fault::{FaultKind, Trap};
use crate::hart::Hart;
use crate::memory::{Memory, PAGE, Target};
use std::mem::offset_of;
use std::sync::atomic::{AtomicU8, AtomicU16, AtomicU32, AtomicU64, Ordering};

const ENTRIES: usize = 256;
const PAGE_MASK: u64 = !(PAGE as u64 - 1);

/// A page's translation. Tags are page addresses; no page has the address `u64::MAX`.
#[derive(Clone, Copy)]
struct Entry {
    load: u64,
    store: u64,
    /// Host address of the page's first byte.
    host: *mut u8,
}

/// The table of page translations.
pub(crate) struct Pages([Entry; ENTRIES]);

// SAFETY: the pointers refer to memory that the hart's `Arc<Memory>` keeps alive and that any
// thread may access.
unsafe impl Send for Pages {}

impl Pages {
    pub(crate) const fn new() -> Self {
        Self([Entry { load: u64::MAX, store: u64::MAX, host: std::ptr::null_mut() }; ENTRIES])
    }
}

/// A region, or the part of it that stores may reach.
#[derive(Clone, Copy)]
pub(crate) struct Main {
    base: u64,
    /// Number of element positions of 1, 2, 4 and 8 bytes in the region.
    elements: [u64; 4],
    /// Number of offsets at which an access of 1, 2, 4, ..., [`LONGEST`] bytes, aligned or not,
    /// lies in the region. For translated code.
    places: [u64; SIZES],
    host: *mut u8,
    /// What is added to a guest address for the host address, modulo 2^64. For translated code.
    bias: u64,
}

/// The most bytes of an access to a vector register group that translated code does itself.
pub(crate) const LONGEST: u64 = 1024;
/// Number of powers of two up to that.
pub(crate) const SIZES: usize = LONGEST.trailing_zeros() as usize + 1;
/// Number of shared regions, beside the largest one, that translated code finds by a comparison.
pub(crate) const NEAR: usize = 2;

// SAFETY: as for `Pages`.
unsafe impl Send for Main {}

impl Main {
    pub(crate) const BASE: usize = offset_of!(Self, base);
    pub(crate) const PLACES: usize = offset_of!(Self, places);
    pub(crate) const HOST: usize = offset_of!(Self, host);
    pub(crate) const BIAS: usize = offset_of!(Self, bias);

    pub(crate) fn new(region: Option<(u64, u64, *mut u8)>) -> Self {
        let (base, size, host) = region.unwrap_or((0, 0, std::ptr::null_mut()));
        let places = std::array::from_fn(|log| size.saturating_sub((1 << log) - 1));
        let elements = [size, size >> 1, size >> 2, size >> 3];
        let bias = (host.expose_provenance() as u64).wrapping_sub(base);
        Self { base, elements, places, host, bias }
    }

    /// The largest regions that all harts share, each with the part that stores may reach: the
    /// largest one, and the next.
    pub(crate) fn shared(memory: &Memory) -> ([Self; 2], [[Self; 2]; NEAR]) {
        let mut regions = memory.shared().into_iter();
        let mut next = || regions.next().map_or([None; 2], |both| both.map(Some)).map(Self::new);
        (next(), std::array::from_fn(|_| next()))
    }

    /// No region.
    pub(crate) fn none() -> Self {
        Self::new(None)
    }

    /// Whether `address` lies in the region.
    pub(crate) const fn contains(&self, address: u64) -> bool {
        address.wrapping_sub(self.base) < self.places[0]
    }

    /// The host address of an aligned value, if the region contains it.
    #[inline(always)]
    fn at<T: Scalar>(&self, address: u64) -> Option<*mut u8> {
        let offset = address.wrapping_sub(self.base);
        let shift = T::SIZE.trailing_zeros();
        // The rotation moves set low bits to the top, which makes the index too large for any
        // region.
        if offset.rotate_right(shift) < self.elements[shift as usize] {
            // SAFETY: the offset is inside the region.
            Some(unsafe { self.host.add(offset as usize) })
        } else {
            None
        }
    }

    /// The host address of `len` bytes, if the region contains all of them.
    #[inline(always)]
    pub(crate) fn range(&self, address: u64, len: u64) -> Option<*mut u8> {
        let offset = address.wrapping_sub(self.base);
        if offset < self.elements[0] && len <= self.elements[0] - offset {
            // SAFETY: the offset is inside the region.
            Some(unsafe { self.host.add(offset as usize) })
        } else {
            None
        }
    }
}

/// The sizes of scalar accesses.
pub(crate) trait Scalar: Copy {
    const SIZE: u64;
    /// # Safety
    /// `at` is aligned and points to live memory of the map.
    unsafe fn get(at: *mut u8) -> Self;
    /// # Safety
    /// As for `get`.
    unsafe fn put(self, at: *mut u8);
    fn from_u64(value: u64) -> Self;
    fn to_u64(self) -> u64;
}

macro_rules! scalar {
    ($($int:ident $atomic:ident),*) => {$(
        impl Scalar for $int {
            const SIZE: u64 = size_of::<Self>() as u64;
            #[inline(always)]
            unsafe fn get(at: *mut u8) -> Self {
                // SAFETY: the caller's promise.
                unsafe { $atomic::from_ptr(at.cast()) }.load(Ordering::Relaxed)
            }
            #[inline(always)]
            unsafe fn put(self, at: *mut u8) {
                // SAFETY: the caller's promise.
                unsafe { $atomic::from_ptr(at.cast()) }.store(self, Ordering::Relaxed);
            }
            #[inline(always)]
            fn from_u64(value: u64) -> Self {
                value as Self
            }
            #[inline(always)]
            fn to_u64(self) -> u64 {
                self.into()
            }
        }
    )*};
}
scalar!(u8 AtomicU8, u16 AtomicU16, u32 AtomicU32, u64 AtomicU64);

impl Hart {
    /// Loads a value.
    #[inline(always)]
    pub(crate) fn load<T: Scalar>(&mut self, address: u64) -> Result<T, Trap> {
        if let Some(at) = self.main.at::<T>(address) {
            // SAFETY: the value lies inside the region and is aligned, both in guest and host
            // addresses.
            return Ok(unsafe { T::get(at) });
        }
        let entry = &self.pages.0[(address >> 12) as usize & (ENTRIES - 1)];
        if entry.load == address & (PAGE_MASK | (T::SIZE - 1)) {
            // SAFETY: the tag matches, so the entry describes this page; the aligned offset is
            // inside the page.
            let at = unsafe { entry.host.add((address & !PAGE_MASK) as usize) };
            // SAFETY: as above; the address is aligned because pages are.
            return Ok(unsafe { T::get(at) });
        }
        self.load_slow(address, T::SIZE).map(T::from_u64)
    }

    /// Stores a value.
    #[inline(always)]
    pub(crate) fn store<T: Scalar>(&mut self, address: u64, value: T) -> Result<(), Trap> {
        if let Some(at) = self.open.at::<T>(address) {
            // SAFETY: as in `load`; this part of the region is writable.
            unsafe { value.put(at) };
            return Ok(());
        }
        let entry = &self.pages.0[(address >> 12) as usize & (ENTRIES - 1)];
        if entry.store == address & (PAGE_MASK | (T::SIZE - 1)) {
            // SAFETY: as in `load`.
            let at = unsafe { entry.host.add((address & !PAGE_MASK) as usize) };
            // SAFETY: as in `load`; the tag says that the page is writable.
            unsafe { value.put(at) };
            return Ok(());
        }
        self.store_slow(address, T::SIZE, value.to_u64())
    }

    /// The host address of `len` bytes. `None` unless one region contains all of them, writable if
    /// requested.
    #[inline(always)]
    pub(crate) fn host_range(&self, address: u64, len: u64, write: bool) -> Option<*mut u8> {
        let main = if write { &self.open } else { &self.main };
        let range = main
            .range(address, len)
            .or_else(|| self.own.range(address, len))
            .or_else(|| self.near.iter().find_map(|n| n[usize::from(write)].range(address, len)))
            .or_else(|| self.memory.range(self.id, address, len, write));
        if write && range.is_some() && self.journal.is_some() {
            self.note_change(address, len);
        }
        range
    }

    /// Caches the translation of the page of `address` if one region covers the whole page.
    fn remember(&mut self, address: u64) {
        let page = address & PAGE_MASK;
        if let Some(Target::Memory { host, left, rights }) = self.memory.find(self.id, page)
            && left >= PAGE as u64
            && host.addr() & 7 == 0
        {
            let fast = rights.write(PAGE as u64) && self.journal.is_none();
            let store = if fast { page } else { u64::MAX };
            self.pages.0[(page >> 12) as usize & (ENTRIES - 1)] = Entry { load: page, store, host };
        }
    }

    #[cold]
    #[inline(never)]
    pub(crate) fn load_slow(&mut self, address: u64, size: u64) -> Result<u64, Trap> {
        let trap = Trap::new(FaultKind::Load, address);
        if self.strict_alignment && address & (size - 1) != 0 {
            return Err(Trap::new(FaultKind::Misaligned, address));
        }
        match self.memory.find(self.id, address) {
            None => Err(trap),
            Some(Target::Device { device, offset }) => {
                self.note_once();
                device
                    .load(self.id, offset, size as u32)
                    .ok_or(Trap::new(FaultKind::Device, address))
            }
            Some(Target::Memory { .. }) => {
                self.remember(address);
                if address & (size - 1) == 0
                    && let Some(host) = self.memory.range(self.id, address, size, false)
                    && host.addr() as u64 & (size - 1) == 0
                {
                    return Ok(match size {
                        // SAFETY: `size` bytes of a live region, aligned on the host as checked.
                        1 => unsafe { u8::get(host) }.into(),
                        // SAFETY: as above.
                        2 => unsafe { u16::get(host) }.into(),
                        // SAFETY: as above.
                        4 => unsafe { u32::get(host) }.into(),
                        // SAFETY: as above.
                        _ => unsafe { u64::get(host) },
                    });
                }
                (0..size).rev().try_fold(0, |value, i| {
                    let host = self
                        .memory
                        .range(self.id, address.wrapping_add(i), 1, false)
                        .ok_or(trap)?;
                    // SAFETY: one byte of a live region.
                    Ok(value << 8 | u64::from(unsafe { u8::get(host) }))
                })
            }
        }
    }

    #[cold]
    #[inline(never)]
    pub(crate) fn store_slow(&mut self, address: u64, size: u64, value: u64) -> Result<(), Trap> {
        let trap = Trap::new(FaultKind::Store, address);
        if self.strict_alignment && address & (size - 1) != 0 {
            return Err(Trap::new(FaultKind::Misaligned, address));
        }
        match self.memory.find(self.id, address) {
            None => return Err(trap),
            Some(Target::Device { device, offset }) => {
                self.note_once();
                let taken = device.store(self.id, offset, size as u32, value);
                return if taken { Ok(()) } else { Err(Trap::new(FaultKind::Device, address)) };
            }
            Some(Target::Memory { .. }) => self.remember(address),
        }
        self.note_change(address, size);
        if address & (size - 1) == 0
            && let Some(host) = self.memory.range(self.id, address, size, true)
            && host.addr() as u64 & (size - 1) == 0
        {
            match size {
                // SAFETY: `size` bytes of a live writable region, aligned on the host as checked.
                1 => unsafe { (value as u8).put(host) },
                // SAFETY: as above.
                2 => unsafe { (value as u16).put(host) },
                // SAFETY: as above.
                4 => unsafe { (value as u32).put(host) },
                // SAFETY: as above.
                _ => unsafe { value.put(host) },
            }
            return Ok(());
        }
        // The store is all or nothing: the first loop checks that every byte exists.
        for i in 0..size {
            self.memory.range(self.id, address.wrapping_add(i), 1, true).ok_or(trap)?;
        }
        for i in 0..size {
            let host = self.memory.range(self.id, address.wrapping_add(i), 1, true).ok_or(trap)?;
            // SAFETY: one byte of a live writable region.
            unsafe { ((value >> (8 * i)) as u8).put(host) };
        }
        Ok(())
    }

    /// The host address of a naturally aligned value of `size` bytes, for atomics. It is writable
    /// unless the instruction only reads.
    pub(crate) fn atomic_target(
        &self,
        address: u64,
        size: u64,
        write: bool,
    ) -> Result<*mut u8, Trap> {
        if address & (size - 1) != 0 {
            return Err(Trap::new(FaultKind::Misaligned, address));
        }
        let kind = if write { FaultKind::Store } else { FaultKind::Load };
        let host = self.host_range(address, size, write).ok_or(Trap::new(kind, address))?;
        if host.addr() as u64 & (size - 1) != 0 {
            return Err(Trap::new(FaultKind::Misaligned, address));
        }
        Ok(host)
    }
}
