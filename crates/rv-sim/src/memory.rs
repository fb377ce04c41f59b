//! The machine's memory map: RAM, ROM, devices, and windows that show each hart its own memory.
//! Invariant: an address outside all regions never becomes a host address. Accesses to guest memory
//! are relaxed atomics through raw pointers (`guest.rs`); Rust references to guest memory do not
//! exist. Pages of RAM can be protected: harts and devices read and execute them, and only the host
//! writes them.

use crate::fault::FaultKind;
use crate::guest;
use crate::pages::{PageSet, pages_of};
use muxcl_os::Mapping;
use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// A memory-mapped device.
pub trait Device: Send + Sync {
    /// Handles a load of `size` bytes (1, 2, 4 or 8) at `offset` by `hart`; `None` refuses the
    /// access.
    fn load(&self, hart: u32, offset: u64, size: u32) -> Option<u64>;
    /// Handles a store of `size` bytes; false refuses the access.
    fn store(&self, hart: u32, offset: u64, size: u32, value: u64) -> bool;
}

/// The reason why a region cannot be added.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum MapError {
    /// The region is empty or wraps around the address space.
    #[error("region {base:#x}+{size:#x} is empty or wraps around")]
    Range {
        /// First address of the region.
        base: u64,
        /// Size in bytes.
        size: u64,
    },
    /// The region overlaps another.
    #[error("region {base:#x}+{size:#x} overlaps another")]
    Overlap {
        /// First address of the region.
        base: u64,
        /// Size in bytes.
        size: u64,
    },
    /// The host has not enough memory.
    #[error("no memory for region {base:#x}+{size:#x}")]
    NoMemory {
        /// First address of the region.
        base: u64,
        /// Size in bytes.
        size: u64,
    },
}

/// Zeroed, page-aligned memory. The host allocates pages on first access.
struct Backing(Mapping);

impl Backing {
    fn new(size: u64) -> Option<Self> {
        let size = usize::try_from(size).ok()?.checked_next_multiple_of(PAGE)?;
        // Miri does not support mappings without access.
        let map = if cfg!(miri) {
            Mapping::new(size, muxcl_os::Protection::ReadWrite)
        } else {
            Mapping::reserve(size)
        };
        map.ok().map(Self)
    }
}

pub(crate) const PAGE: usize = 4096;

enum Kind {
    Memory { backing: Backing, writable: bool, per_hart: bool, harts: u32, protected: PageSet },
    Device(Arc<dyn Device>),
}

struct Region {
    base: u64,
    size: u64,
    kind: Kind,
}

/// An address range that maps each hart to different memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Window {
    /// First address.
    pub base: u64,
    /// Size in bytes; 0 disables the window.
    pub size: u64,
    /// The address that `base` maps to for hart 0.
    pub target: u64,
    /// Distance in bytes between the memory of consecutive harts.
    pub scale: u64,
}

/// Number of windows in a memory map.
pub const WINDOWS: usize = 8;

/// A window that threads may change while they share the map.
#[derive(Default)]
struct WindowCell([AtomicU64; 4]);

impl WindowCell {
    fn get(&self) -> Window {
        let [base, size, target, scale] = [0, 1, 2, 3].map(|k| self.0[k].load(Ordering::Relaxed));
        Window { base, size, target, scale }
    }
}

/// The memory map. Build it with the `add_` functions, then share it between harts.
#[derive(Default)]
pub struct Memory {
    regions: Vec<Region>,
    windows: [WindowCell; WINDOWS],
    /// One past the index of the last active window.
    used: AtomicU64,
}

impl fmt::Debug for Memory {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut list = f.debug_list();
        for r in &self.regions {
            let kind = match &r.kind {
                Kind::Memory { per_hart: true, .. } => "hart-local",
                Kind::Memory { writable: true, .. } => "ram",
                Kind::Memory { .. } => "rom",
                Kind::Device(_) => "device",
            };
            list.entry(&format_args!("{kind} {:#x}+{:#x}", r.base, r.size));
        }
        list.finish()
    }
}

/// The target of an address.
pub(crate) enum Target<'a> {
    /// Memory: the host address of the byte, and the number of bytes from there to the end of the
    /// region.
    Memory { host: *mut u8, left: u64, rights: Rights<'a> },
    /// A device and the offset in its range.
    Device { device: &'a dyn Device, offset: u64 },
}

/// What may be written of the memory at an address.
#[derive(Clone, Copy)]
pub(crate) struct Rights<'a> {
    /// False for ROM.
    ram: bool,
    protected: &'a PageSet,
    /// The region's first address, and the address.
    base: u64,
    address: u64,
}

impl Rights<'_> {
    /// Whether harts and devices may write the first `len` bytes, which the region contains.
    #[inline]
    pub(crate) fn write(self, len: u64) -> bool {
        self.ram && !self.protected.any(pages_of(self.base, self.address, len))
    }
}

impl Memory {
    /// An empty map.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    fn add(
        &mut self,
        base: u64,
        size: u64,
        kind: impl FnOnce() -> Option<Kind>,
    ) -> Result<(), MapError> {
        let last = size
            .checked_sub(1)
            .and_then(|s| base.checked_add(s))
            .ok_or(MapError::Range { base, size })?;
        if self.regions.iter().any(|r| base <= r.base + (r.size - 1) && r.base <= last) {
            return Err(MapError::Overlap { base, size });
        }
        let kind = kind().ok_or(MapError::NoMemory { base, size })?;
        let at = self.regions.partition_point(|r| r.base < base);
        self.regions.insert(at, Region { base, size, kind });
        Ok(())
    }

    /// Adds zeroed RAM.
    ///
    /// # Errors
    /// The range is empty, wraps or overlaps another region, or the host has not enough memory.
    pub fn add_ram(&mut self, base: u64, size: u64) -> Result<(), MapError> {
        self.add(base, size, || {
            Some(Kind::Memory {
                backing: Backing::new(size)?,
                writable: true,
                per_hart: false,
                harts: 1,
                protected: PageSet::new(pages_of(base, base, size).end),
            })
        })
    }

    /// Adds ROM, which harts cannot write. Zeros follow `contents`.
    ///
    /// # Errors
    /// As [`Memory::add_ram`].
    pub fn add_rom(&mut self, base: u64, size: u64, contents: &[u8]) -> Result<(), MapError> {
        self.add(base, size, || {
            Some(Kind::Memory {
                backing: Backing::new(size)?,
                writable: false,
                per_hart: false,
                harts: 1,
                protected: PageSet::default(),
            })
        })?;
        let fits = contents.len() as u64 <= size;
        let copied = fits && self.copy_in(0, base, contents, true).is_ok();
        if copied { Ok(()) } else { Err(MapError::Range { base, size: contents.len() as u64 }) }
    }

    /// Adds a region in which each of `harts` harts sees `size` bytes of its own.
    ///
    /// # Errors
    /// As [`Memory::add_ram`].
    pub fn add_hart_local(&mut self, base: u64, size: u64, harts: u32) -> Result<(), MapError> {
        let stride =
            size.checked_next_multiple_of(PAGE as u64).and_then(|s| s.checked_mul(harts.into()));
        self.add(base, size, || {
            let total = stride.filter(|s| *s != 0)?;
            Some(Kind::Memory {
                backing: Backing::new(total)?,
                writable: true,
                per_hart: true,
                harts,
                protected: PageSet::default(),
            })
        })
    }

    /// Adds a device.
    ///
    /// # Errors
    /// The range is empty, wraps or overlaps another region.
    pub fn add_device(
        &mut self,
        base: u64,
        size: u64,
        device: Arc<dyn Device>,
    ) -> Result<(), MapError> {
        self.add(base, size, || Some(Kind::Device(device)))
    }

    /// Sets window `index`. Regions take precedence over windows. Call this while no hart runs: a
    /// running hart may see a mixture of the old and the new window, which always maps to some
    /// region. [`crate::Hart::flush_pages`] discards cached translations of the old window. Returns
    /// false if the window does not exist.
    pub fn set_window(&self, index: usize, window: Window) -> bool {
        let Some(slot) = self.windows.get(index) else { return false };
        for (cell, value) in
            slot.0.iter().zip([window.base, window.size, window.target, window.scale])
        {
            cell.store(value, Ordering::Relaxed);
        }
        let used = (0..WINDOWS)
            .rev()
            .find(|k| self.windows[*k].get().size != 0)
            .map_or(0, |k| k as u64 + 1);
        self.used.store(used, Ordering::Relaxed);
        true
    }

    /// Protects the pages that contain `size` bytes of RAM at `address`: a store, an atomic
    /// operation or a device's write there is a fault, as in ROM. [`Memory::write`] and
    /// [`Memory::copy`] still write them. Addresses are those of the region, not of a window. Call
    /// this while no hart runs, and [`crate::Hart::flush_pages`] afterwards. Returns false if no
    /// RAM that all harts share contains the range.
    pub fn protect(&self, address: u64, size: u64) -> bool {
        self.set_protected(address, size, true)
    }

    /// Makes pages ordinary memory again; see [`Memory::protect`].
    pub fn unprotect(&self, address: u64, size: u64) -> bool {
        self.set_protected(address, size, false)
    }

    fn set_protected(&self, address: u64, size: u64, protect: bool) -> bool {
        let found = self.regions.iter().find(|r| {
            let offset = address.wrapping_sub(r.base);
            offset < r.size && size <= r.size - offset
        });
        match found.map(|r| (r.base, &r.kind)) {
            Some((base, Kind::Memory { writable: true, per_hart: false, protected, .. })) => {
                protected.set(pages_of(base, address, size), protect);
                true
            }
            _ => false,
        }
    }

    /// Whether every hart finds the same memory at `address`, and no device.
    pub(crate) fn is_shared(&self, address: u64) -> bool {
        let at = |address: u64| {
            let region = self.regions.iter().rfind(|r| r.base <= address)?;
            (address - region.base < region.size).then_some(&region.kind)
        };
        let shared = |kind: &Kind| matches!(kind, Kind::Memory { per_hart: false, .. });
        if let Some(kind) = at(address) {
            return shared(kind);
        }
        let used = self.used.load(Ordering::Relaxed) as usize;
        self.windows[..used].iter().map(WindowCell::get).any(|w| {
            let offset = address.wrapping_sub(w.base);
            offset < w.size && w.scale == 0 && at(w.target.wrapping_add(offset)).is_some_and(shared)
        })
    }

    /// Resolves `address` for `hart`.
    #[inline]
    pub(crate) fn find(&self, hart: u32, address: u64) -> Option<Target<'_>> {
        self.find_region(hart, address).or_else(|| self.find_window(hart, address))
    }

    fn find_window(&self, hart: u32, address: u64) -> Option<Target<'_>> {
        let used = self.used.load(Ordering::Relaxed) as usize;
        self.windows[..used].iter().map(WindowCell::get).find_map(|w| {
            let offset = address.wrapping_sub(w.base);
            if offset >= w.size {
                return None;
            }
            let target =
                w.target.wrapping_add(w.scale.wrapping_mul(hart.into())).wrapping_add(offset);
            Some(match self.find_region(hart, target)? {
                Target::Memory { host, left, rights } => {
                    Target::Memory { host, left: left.min(w.size - offset), rights }
                }
                device @ Target::Device { .. } => device,
            })
        })
    }

    fn find_region(&self, hart: u32, address: u64) -> Option<Target<'_>> {
        let at = self.regions.partition_point(|r| r.base <= address).checked_sub(1)?;
        let region = &self.regions[at];
        let offset = address - region.base;
        if offset >= region.size {
            return None;
        }
        match &region.kind {
            Kind::Device(device) => Some(Target::Device { device: &**device, offset }),
            Kind::Memory { backing, writable, per_hart, harts, protected } => {
                let mut at = usize::try_from(offset).ok()?;
                if *per_hart {
                    if hart >= *harts {
                        return None;
                    }
                    at += usize::try_from(region.size).ok()?.next_multiple_of(PAGE) * hart as usize;
                }
                // SAFETY: `at` is inside the backing: the offset is less than the region's size,
                // and the backing holds one copy of the region per hart.
                let host = unsafe { backing.0.as_ptr().add(at) };
                let rights = Rights { ram: *writable, protected, base: region.base, address };
                Some(Target::Memory { host, left: region.size - offset, rights })
            }
        }
    }

    /// The regions of RAM that all harts share, the largest first, each with its largest part
    /// without protected pages: first address, size in bytes, host address of both.
    pub(crate) fn shared(&self) -> Vec<[(u64, u64, *mut u8); 2]> {
        let plain = |r: &&Region| {
            matches!(r.kind, Kind::Memory { writable: true, per_hart: false, .. })
                && r.base.is_multiple_of(8)
        };
        let mut regions: Vec<&Region> = self.regions.iter().filter(plain).collect();
        regions.sort_by_key(|r| std::cmp::Reverse(r.size));
        regions.into_iter().filter_map(Self::parts).collect()
    }

    /// A region of RAM, and the largest part of it without protected pages.
    fn parts(region: &Region) -> Option<[(u64, u64, *mut u8); 2]> {
        let Kind::Memory { backing, protected, .. } = &region.kind else { return None };
        let host = backing.0.as_ptr();
        let gap = protected.longest_gap(pages_of(region.base, region.base, region.size).end);
        // Addresses of pages, but the region's own at its ends. The region's last page may be the
        // last one of the address space, so the end is an offset.
        let before = region.base % PAGE as u64;
        let offset = |page: u64| (page * PAGE as u64).saturating_sub(before).min(region.size);
        let (start, end) = (offset(gap.start), offset(gap.end));
        // SAFETY: the offset is at most the region's size, so the pointer stays in its allocation.
        let open = unsafe { host.add(usize::try_from(start).ok()?) };
        let part = (region.base + start, (end - start) & !7, open);
        Some([(region.base, region.size & !7, host), part])
    }

    /// The largest hart-local memory of a hart: first address, size in bytes, host address. `None`
    /// if a page of it is not writable.
    pub(crate) fn largest_own(&self, hart: u32) -> Option<(u64, u64, *mut u8)> {
        let regions =
            self.regions.iter().filter(|r| matches!(r.kind, Kind::Memory { per_hart: true, .. }));
        let regions = regions.map(|r| (r.base, r.size));
        let windows = self
            .windows
            .iter()
            .map(WindowCell::get)
            .filter(|w| w.scale != 0)
            .map(|w| (w.base, w.size));
        let (base, size) = regions.chain(windows).max_by_key(|(_, size)| *size)?;
        // An access uses the first region found, so only that region counts.
        match self.find(hart, base)? {
            Target::Memory { host, left, rights }
                if base.is_multiple_of(8) && rights.write(left.min(size)) =>
            {
                Some((base, left.min(size) & !7, host))
            }
            _ => None,
        }
    }

    /// The host address of `len` bytes of memory. `None` unless one region contains all of them,
    /// writable if requested.
    pub(crate) fn range(&self, hart: u32, address: u64, len: u64, write: bool) -> Option<*mut u8> {
        match self.find(hart, address)? {
            Target::Memory { host, left, rights }
                if left >= len && (!write || rights.write(len)) =>
            {
                Some(host)
            }
            _ => None,
        }
    }

    /// Copies out of memory as `hart` sees it. The host calls this; it is not synchronized with
    /// running harts.
    ///
    /// # Errors
    /// A byte of the range is not memory.
    pub fn read(&self, hart: u32, address: u64, into: &mut [u8]) -> Result<(), FaultKind> {
        let mut done = 0;
        while done < into.len() {
            let (host, n) = self
                .span(hart, address.wrapping_add(done as u64), into.len() - done, false)
                .ok_or(FaultKind::Load)?;
            // SAFETY: `span` returned `n` bytes of a live backing.
            unsafe { guest::load(host, &mut into[done..done + n]) };
            done += n;
        }
        Ok(())
    }

    /// Copies into memory as `hart` sees it, protected pages included. The host calls this; see
    /// [`Memory::read`].
    ///
    /// # Errors
    /// A byte of the range is not writable memory; earlier bytes may have been written.
    pub fn write(&self, hart: u32, address: u64, from: &[u8]) -> Result<(), FaultKind> {
        self.copy_in(hart, address, from, false)
    }

    fn copy_in(
        &self,
        hart: u32,
        address: u64,
        from: &[u8],
        even_rom: bool,
    ) -> Result<(), FaultKind> {
        let mut done = 0;
        while done < from.len() {
            let (host, n) = self
                .span(hart, address.wrapping_add(done as u64), from.len() - done, !even_rom)
                .ok_or(FaultKind::Store)?;
            // SAFETY: as in `read`. Only `add_rom` writes ROM, while it builds the map.
            unsafe { guest::store(&from[done..done + n], host) };
            done += n;
        }
        Ok(())
    }

    /// Copies within memory as `hart` sees it, also to protected pages; the ranges may overlap. The
    /// host calls this.
    ///
    /// # Errors
    /// A byte is not memory or is in ROM; earlier bytes may have been copied.
    pub fn copy(&self, hart: u32, to: u64, from: u64, len: u64) -> Result<(), FaultKind> {
        let Ok(size) = usize::try_from(len) else { return Err(FaultKind::Load) };
        if len == 0 {
            return Ok(());
        }
        if let (Some((source, n)), Some((target, m))) =
            (self.span(hart, from, size, false), self.span(hart, to, size, true))
            && n.min(m) == size
        {
            // SAFETY: `span` found `size` bytes on both sides.
            unsafe { guest::copy(source, target, size) };
            return Ok(());
        }
        let mut bytes = vec![0; usize::try_from(len.min(1 << 16)).unwrap_or(0)];
        let mut done = 0;
        while done < len {
            let n = usize::try_from((len - done).min(bytes.len() as u64)).unwrap_or(0);
            self.read(hart, from.wrapping_add(done), &mut bytes[..n])?;
            self.write(hart, to.wrapping_add(done), &bytes[..n])?;
            done += n as u64;
        }
        Ok(())
    }

    /// Loads an aligned 64-bit word from memory or a device, on behalf of bus unit `hart`.
    ///
    /// # Errors
    /// The address does not exist, or the device refuses the access.
    pub fn bus_load(&self, hart: u32, address: u64) -> Result<u64, FaultKind> {
        match self.find(hart, address) {
            Some(Target::Device { device, offset }) => {
                device.load(hart, offset, 8).ok_or(FaultKind::Device)
            }
            _ => {
                let mut word = [0; 8];
                self.read(hart, address, &mut word)?;
                Ok(u64::from_le_bytes(word))
            }
        }
    }

    /// Stores a 64-bit word to memory or a device, on behalf of bus unit `hart`.
    ///
    /// # Errors
    /// As [`Memory::bus_load`], or a page is protected.
    pub fn bus_store(&self, hart: u32, address: u64, value: u64) -> Result<(), FaultKind> {
        match self.find(hart, address) {
            Some(Target::Device { device, offset }) => {
                if device.store(hart, offset, 8, value) {
                    Ok(())
                } else {
                    Err(FaultKind::Device)
                }
            }
            _ => {
                self.check_store(hart, address, 8)?;
                self.write(hart, address, &value.to_le_bytes())
            }
        }
    }

    /// Copies as [`Memory::copy`] does, on behalf of a device.
    ///
    /// # Errors
    /// A byte is not memory, or a destination's byte is in ROM or in a protected page. If a
    /// destination is wrong, nothing has been copied.
    pub fn bus_copy(&self, hart: u32, to: u64, from: u64, len: u64) -> Result<(), FaultKind> {
        self.check_store(hart, to, len)?;
        self.copy(hart, to, from, len)
    }

    /// Checks that harts and devices may write every byte of a range.
    fn check_store(&self, hart: u32, address: u64, len: u64) -> Result<(), FaultKind> {
        let mut done = 0;
        while done < len {
            match self.find(hart, address.wrapping_add(done)) {
                Some(Target::Memory { left, rights, .. }) if rights.write(left.min(len - done)) => {
                    done += left.min(len - done);
                }
                _ => return Err(FaultKind::Store),
            }
        }
        Ok(())
    }

    /// Where the byte at `address` lies in host memory, and how many of the `len` bytes from there
    /// on lie in the same region. For the host, which may write everything but ROM.
    fn span(&self, hart: u32, address: u64, len: usize, write: bool) -> Option<(*mut u8, usize)> {
        match self.find(hart, address)? {
            Target::Memory { host, left, rights } if rights.ram || !write => {
                Some((host, usize::try_from(left).unwrap_or(usize::MAX).min(len)))
            }
            _ => None,
        }
    }
}
