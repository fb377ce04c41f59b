//! Memory maps and their protection. Invariant: no range is ever writable and executable
//! at once, because [`Protection`] cannot express it. Not here: which files may be mapped
//! (`external`).

use crate::OsError;
use std::ops::Range;
use std::os::fd::{AsRawFd, BorrowedFd};
use std::ptr::NonNull;

/// The permitted accesses to pages.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Protection {
    /// No access: a guard page.
    None,
    /// Read.
    Read,
    /// Read and write.
    ReadWrite,
    /// Read and execute.
    ReadExecute,
}

impl Protection {
    fn bits(self) -> i32 {
        match self {
            Self::None => libc::PROT_NONE,
            Self::Read => libc::PROT_READ,
            Self::ReadWrite => libc::PROT_READ | libc::PROT_WRITE,
            Self::ReadExecute => libc::PROT_READ | libc::PROT_EXEC,
        }
    }
}

/// The size of a page.
#[must_use]
pub fn page_size() -> usize {
    // SAFETY: sysconf has no preconditions.
    let size = unsafe { libc::sysconf(libc::_SC_PAGESIZE) };
    usize::try_from(size).ok().filter(|s| s.is_power_of_two()).unwrap_or(4096)
}

/// Pages of this process, unmapped on drop.
#[derive(Debug)]
pub struct Mapping {
    start: NonNull<u8>,
    len: usize,
}

// SAFETY: a mapping is plain memory owned by this value; access goes through raw pointers whose
// users synchronise.
unsafe impl Send for Mapping {}
// SAFETY: as above; `&Mapping` only gives out addresses and changes protection, which the system
// serialises.
unsafe impl Sync for Mapping {}

impl Mapping {
    /// Maps `len` bytes (rounded up to pages), zeroed.
    ///
    /// # Errors
    /// If `len` is 0 or too large, or the system has no memory.
    pub fn new(len: usize, protection: Protection) -> Result<Self, OsError> {
        let page = page_size();
        let rounded = len
            .checked_next_multiple_of(page)
            .filter(|&n| n != 0 && isize::try_from(n).is_ok())
            .ok_or_else(|| OsError::new("mmap", format!("a length of {len} bytes")))?;
        let flags = libc::MAP_PRIVATE
            | libc::MAP_ANONYMOUS
            | if protection == Protection::None { libc::MAP_NORESERVE } else { 0 };
        // SAFETY: a new anonymous mapping at an address of the system's choice touches no existing
        // memory.
        let start =
            unsafe { libc::mmap(std::ptr::null_mut(), rounded, protection.bits(), flags, -1, 0) };
        if start == libc::MAP_FAILED {
            return Err(OsError::last("mmap"));
        }
        let start =
            NonNull::new(start.cast()).ok_or_else(|| OsError::new("mmap", "a null address"))?;
        Ok(Self { start, len: rounded })
    }

    /// As [`Mapping::new`], readable and writable, but without reserving memory. The system
    /// provides pages at the first access, so the range may exceed the machine's memory.
    ///
    /// # Errors
    /// If `len` is 0 or too large, or the address space is full.
    pub fn reserve(len: usize) -> Result<Self, OsError> {
        let map = Self::new(len, Protection::None)?;
        // `Protection::None` maps with MAP_NORESERVE, so the system never accounts this range, not
        // even after it becomes writable.
        map.protect(0..map.len(), Protection::ReadWrite)?;
        Ok(map)
    }

    /// Maps the first `len` bytes (not 0, rounded up to pages) of the file behind `fd`. Other maps
    /// of the file see what is written here. `None` if the file does not permit this map.
    ///
    /// # Errors
    /// If the system has no memory or address space left.
    pub(crate) fn of_descriptor(
        fd: BorrowedFd<'_>,
        len: usize,
        protection: Protection,
    ) -> Result<Option<Self>, OsError> {
        let rounded = len
            .checked_next_multiple_of(page_size())
            .filter(|&n| isize::try_from(n).is_ok())
            .ok_or_else(|| OsError::new("mmap", format!("a length of {len} bytes")))?;
        let (bits, flags) = (protection.bits(), libc::MAP_SHARED);
        // SAFETY: a new mapping at an address of the system's choice touches no existing memory.
        let start =
            unsafe { libc::mmap(std::ptr::null_mut(), rounded, bits, flags, fd.as_raw_fd(), 0) };
        if start == libc::MAP_FAILED {
            let error = std::io::Error::last_os_error();
            let full = matches!(error.raw_os_error(), Some(libc::ENOMEM | libc::EAGAIN));
            return if full { Err(OsError::new("mmap", error.to_string())) } else { Ok(None) };
        }
        let start =
            NonNull::new(start.cast()).ok_or_else(|| OsError::new("mmap", "a null address"))?;
        Ok(Some(Self { start, len: rounded }))
    }

    /// Maps `len` bytes (rounded up to pages), zeroed, readable and writable, exactly at `address`.
    /// `None` if the range is in use or cannot be mapped.
    ///
    /// # Errors
    /// If the address is not page-aligned, `len` is 0 or too large, or the system has no memory.
    pub fn at(address: usize, len: usize) -> Result<Option<Self>, OsError> {
        let page = page_size();
        let rounded = len
            .checked_next_multiple_of(page)
            .filter(|&n| {
                n != 0 && address.checked_add(n).is_some_and(|end| isize::try_from(end).is_ok())
            })
            .ok_or_else(|| OsError::new("mmap", format!("{len} bytes at {address:#x}")))?;
        if address == 0 || !address.is_multiple_of(page) {
            return Err(OsError::new("mmap", format!("{address:#x} is no page's address")));
        }
        let flags = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_FIXED_NOREPLACE;
        let bits = Protection::ReadWrite.bits();
        // SAFETY: a new anonymous mapping that replaces nothing touches no existing memory.
        let start = unsafe {
            libc::mmap(std::ptr::without_provenance_mut(address), rounded, bits, flags, -1, 0)
        };
        if start == libc::MAP_FAILED {
            let error = std::io::Error::last_os_error();
            let room = error.raw_os_error() != Some(libc::ENOMEM);
            return if room { Ok(None) } else { Err(OsError::new("mmap", error.to_string())) };
        }
        let start = NonNull::new(start.cast::<u8>())
            .ok_or_else(|| OsError::new("mmap", "a null address"))?;
        let map = Self { start, len: rounded };
        // Linux before 4.17 ignores the flag and treats the address as a hint.
        Ok((map.start.as_ptr().addr() == address).then_some(map))
    }

    /// The first byte.
    #[must_use]
    pub fn as_ptr(&self) -> *mut u8 {
        self.start.as_ptr()
    }

    /// The length in bytes, a multiple of the page size.
    #[must_use]
    pub fn len(&self) -> usize {
        self.len
    }

    /// Never true; a mapping has at least a page.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Changes the permitted accesses to the pages of `range` (offsets in bytes; page aligned; may
    /// be empty).
    ///
    /// # Errors
    /// If the range is not whole pages of this mapping, or the system refuses.
    pub fn protect(&self, range: Range<usize>, protection: Protection) -> Result<(), OsError> {
        let page = page_size();
        if range.start > range.end
            || range.end > self.len
            || !range.start.is_multiple_of(page)
            || !range.end.is_multiple_of(page)
        {
            return Err(OsError::new(
                "mprotect",
                format!("{range:?} is not whole pages of the mapping"),
            ));
        }
        if range.is_empty() {
            return Ok(());
        }
        // SAFETY: the start of the range was checked to lie in this mapping.
        let at = unsafe { self.start.as_ptr().add(range.start) };
        // SAFETY: the range lies in this mapping, which this value owns.
        let result = unsafe { libc::mprotect(at.cast(), range.len(), protection.bits()) };
        if result == 0 { Ok(()) } else { Err(OsError::last("mprotect")) }
    }
}

impl Drop for Mapping {
    fn drop(&mut self) {
        // SAFETY: mmap returned this range; no code uses the pages after their owner is dropped.
        unsafe { libc::munmap(self.start.as_ptr().cast(), self.len) };
    }
}

/// Requests huge pages for the whole pages of a range. Advice only: a failure is ignored.
pub fn advise_huge(start: *mut u8, len: usize) {
    let page = page_size();
    let first = start.addr().next_multiple_of(page);
    let end = (start.addr().saturating_add(len)) & !(page - 1);
    if end > first {
        let at = start.with_addr(first);
        // SAFETY: MADV_HUGEPAGE changes no contents; an address that is not mapped gives an error,
        // which is ignored.
        unsafe { libc::madvise(at.cast(), end - first, libc::MADV_HUGEPAGE) };
    }
}

/// Maps the first page of an open file as executable, so that a profiler that records this process
/// notices the file. The page stays mapped; a failure is ignored.
pub fn mark_executable_file(file: &std::fs::File) {
    let (page, access) = (page_size(), libc::PROT_READ | libc::PROT_EXEC);
    // SAFETY: a new private mapping at an address of the system's choice touches no existing
    // memory.
    unsafe {
        libc::mmap(std::ptr::null_mut(), page, access, libc::MAP_PRIVATE, file.as_raw_fd(), 0)
    };
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn maps_protects_and_refuses() {
        let page = page_size();
        let map = Mapping::new(page + 1, Protection::ReadWrite).unwrap();
        assert_eq!(map.len(), 2 * page);
        // SAFETY: the mapping is writable and at least a page long.
        unsafe { map.as_ptr().write(7) };
        map.protect(0..page, Protection::Read).unwrap();
        // SAFETY: the mapping is readable.
        assert_eq!(unsafe { map.as_ptr().read() }, 7);
        assert!(map.protect(0..3 * page, Protection::Read).is_err());
        assert!(map.protect(1..page, Protection::Read).is_err());
        assert!(Mapping::new(0, Protection::Read).is_err());
        assert!(Mapping::new(usize::MAX, Protection::Read).is_err());
        assert!(Mapping::new(1 << 60, Protection::ReadWrite).is_err());
    }

    #[test]
    fn an_address_is_taken_once() {
        let page = page_size();
        // The address was free a moment ago, but another thread's map may take it in between.
        let address = Mapping::new(8 * page, Protection::ReadWrite).unwrap().as_ptr().addr();
        if let Some(map) = Mapping::at(address, 2 * page + 1).unwrap() {
            assert_eq!((map.as_ptr().addr(), map.len()), (address, 3 * page));
            let last = map.as_ptr().wrapping_add(3 * page - 1);
            // SAFETY: the mapping is writable and so long.
            unsafe { last.write(7) };
            for (start, len) in
                [(address, 1), (address + 2 * page, 4 * page), (address - page, 2 * page)]
            {
                assert!(Mapping::at(start, len).unwrap().is_none(), "{start:#x}");
            }
            // SAFETY: as above.
            assert_eq!(unsafe { last.read() }, 7);
        }
        for (start, len) in [
            (0, page),
            (address + 1, page),
            (address, 0),
            (address, usize::MAX),
            (usize::MAX - page + 1, page),
        ] {
            assert!(Mapping::at(start, len).is_err(), "{start:#x} {len}");
        }
    }

    #[test]
    #[cfg(target_arch = "x86_64")]
    fn written_code_runs_after_it_is_made_executable() {
        let map = Mapping::new(1, Protection::ReadWrite).unwrap();
        let code = [0xb8u8, 0x2a, 0, 0, 0, 0xc3]; // mov eax, 42; ret
        // SAFETY: the mapping has room for the six bytes.
        unsafe { map.as_ptr().copy_from_nonoverlapping(code.as_ptr(), code.len()) };
        map.protect(0..map.len(), Protection::ReadExecute).unwrap();
        // SAFETY: the bytes are a function of this type.
        let function: extern "C" fn() -> i32 = unsafe { std::mem::transmute(map.as_ptr()) };
        assert_eq!(function(), 42);
    }
}
