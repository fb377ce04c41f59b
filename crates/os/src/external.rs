//! Memory of other programs, which this process reaches through a descriptor: a memfd, a file in
//! memory (`shm_open`), or a dma-buf.
//!
//! Invariant: an [`ExternalMemory`] is at least as long as was asked for, so that no access faults
//! while nobody shortens the file. Not here: who may use the memory at what time.

use std::ffi::c_int;
use std::os::fd::{AsFd as _, BorrowedFd, FromRawFd as _, OwnedFd};

use rustix::fs::{FileType, SeekFrom, fstat, fstatfs, seek};
use rustix::io::{Errno, retry_on_intr};
use rustix::ioctl::{Setter, ioctl, opcode};

use crate::{Mapping, OsError, Protection};

/// The file systems of memfds and of files in memory (`TMPFS_MAGIC`, `RAMFS_MAGIC`).
const IN_MEMORY: [u64; 2] = [0x0102_1994, 0x8584_58F6];
/// The file system of dma-bufs (`DMA_BUF_MAGIC`), since Linux 5.3.
const OF_DMA_BUFS: u64 = 0x444D_4142;
/// `DMA_BUF_IOCTL_SYNC`
const SYNC: rustix::ioctl::Opcode = opcode::write::<u64>(b'b', 0);

/// The reason why a descriptor cannot be used.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ExternalError {
    /// It is not open, or refers to something else than expected.
    WrongKind,
    /// The memory is shorter than asked for.
    TooShort,
    /// The system refused.
    System(OsError),
}

impl From<OsError> for ExternalError {
    fn from(error: OsError) -> Self {
        Self::System(error)
    }
}

/// The permitted kinds of memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ExternalKind {
    /// A file in memory, or a dma-buf.
    Any,
    /// A dma-buf.
    DmaBuf,
}

/// A new descriptor of what `number` refers to, closed when a program is executed.
///
/// # Errors
/// `WrongKind` if `number` is not open, or the system's error.
pub fn duplicate_descriptor(number: c_int) -> Result<OwnedFd, ExternalError> {
    // SAFETY: the call makes a new descriptor, or fails if `number` is not open.
    let made = unsafe { libc::fcntl(number, libc::F_DUPFD_CLOEXEC, 0) };
    if made >= 0 {
        // SAFETY: the new descriptor has no other owner.
        return Ok(unsafe { OwnedFd::from_raw_fd(made) });
    }
    let error = std::io::Error::last_os_error();
    Err(match error.raw_os_error() {
        Some(libc::EBADF) => ExternalError::WrongKind,
        _ => OsError::new("fcntl", error.to_string()).into(),
    })
}

/// Closes the descriptor `number`, which the application has handed over.
///
/// # Safety
/// Nothing in this process uses it any more.
pub unsafe fn close_descriptor(number: c_int) {
    // SAFETY: the caller hands it over.
    unsafe { libc::close(number) };
}

/// Mapped memory of another program. The pages are shared: each side sees the other's writes.
#[derive(Debug)]
pub struct ExternalMemory {
    map: Mapping,
    /// The descriptor of a dma-buf, through which the kernel is told of accesses; `None` for other
    /// memory.
    dma_buf: Option<OwnedFd>,
    writable: bool,
}

impl ExternalMemory {
    /// Maps the first `size` bytes (not 0) of the memory behind `fd`, for reading only unless
    /// `writable`.
    ///
    /// # Errors
    /// `WrongKind` if `fd` refers to no memory of that kind, or to memory without the permission to
    /// map it so; `TooShort`; or the system's error.
    pub fn map(
        fd: OwnedFd,
        kind: ExternalKind,
        size: usize,
        writable: bool,
    ) -> Result<Self, ExternalError> {
        let (length, is_dma_buf) = memory(fd.as_fd(), kind)?;
        if length < size as u64 {
            return Err(ExternalError::TooShort);
        }
        let protection = if writable { Protection::ReadWrite } else { Protection::Read };
        // No permission: opened for reading, sealed, or a dma-buf that cannot be mapped.
        let map = Mapping::of_descriptor(fd.as_fd(), size, protection)?
            .ok_or(ExternalError::WrongKind)?;
        Ok(Self { map, dma_buf: is_dma_buf.then_some(fd), writable })
    }

    /// The first byte.
    #[must_use]
    pub fn as_ptr(&self) -> *mut u8 {
        self.map.as_ptr()
    }

    /// Announces that this process accesses the memory from now on. Waits for devices that still
    /// write to a dma-buf; nothing to do for other memory.
    ///
    /// # Errors
    /// The system's.
    pub fn begin_access(&self) -> Result<(), OsError> {
        self.sync(0)
    }

    /// Announces that this process does not access the memory any more.
    ///
    /// # Errors
    /// The system's.
    pub fn end_access(&self) -> Result<(), OsError> {
        const END: u64 = 1 << 2;
        self.sync(END)
    }

    fn sync(&self, end: u64) -> Result<(), OsError> {
        const READ: u64 = 1;
        const WRITE: u64 = 2;
        let Some(fd) = &self.dma_buf else { return Ok(()) };
        let flags = end | READ | if self.writable { WRITE } else { 0 };
        loop {
            // SAFETY: a call with this number reads one u64.
            let call = unsafe { Setter::<SYNC, u64>::new(flags) };
            // SAFETY: as above; a dma-buf knows the call.
            let done = unsafe { ioctl(fd, call) };
            match done {
                Ok(()) => return Ok(()),
                Err(Errno::INTR | Errno::AGAIN) => {}
                Err(error) => {
                    let reason = std::io::Error::from(error).to_string();
                    return Err(OsError::new("ioctl(DMA_BUF_IOCTL_SYNC)", reason));
                }
            }
        }
    }
}

/// The length in bytes of the memory behind `fd`, and whether it is a dma-buf.
fn memory(fd: BorrowedFd<'_>, kind: ExternalKind) -> Result<(u64, bool), ExternalError> {
    let wrong = |_| ExternalError::WrongKind;
    let system = u64::try_from(fstatfs(fd).map_err(wrong)?.f_type).unwrap_or(0);
    if system == OF_DMA_BUFS {
        let length = retry_on_intr(|| seek(fd, SeekFrom::End(0))).map_err(wrong)?;
        return Ok((length, true));
    }
    let stat = fstat(fd).map_err(wrong)?;
    let is_file = FileType::from_raw_mode(stat.st_mode) == FileType::RegularFile;
    if kind == ExternalKind::DmaBuf || !is_file || !IN_MEMORY.contains(&system) {
        return Err(ExternalError::WrongKind);
    }
    Ok((u64::try_from(stat.st_size).unwrap_or(0), false))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{page_size, share_bytes};
    use std::os::fd::AsRawFd as _;

    fn map(fd: &OwnedFd, kind: ExternalKind, size: usize) -> Result<ExternalMemory, ExternalError> {
        ExternalMemory::map(duplicate_descriptor(fd.as_raw_fd())?, kind, size, true)
    }

    #[test]
    fn two_maps_of_a_memfd_are_the_same_bytes() {
        let fd = share_bytes(&[b"hello"]).unwrap();
        let (a, b) =
            (map(&fd, ExternalKind::Any, 5).unwrap(), map(&fd, ExternalKind::Any, 1).unwrap());
        drop(fd);
        // SAFETY: the mapping has so many bytes.
        unsafe { a.as_ptr().write(b'j') };
        // SAFETY: as above.
        assert_eq!(unsafe { b.as_ptr().read() }, b'j');
        assert_eq!((a.begin_access(), a.end_access()), (Ok(()), Ok(())));
    }

    #[test]
    fn other_descriptors_are_refused() {
        let fd = share_bytes(&[b"hello"]).unwrap();
        assert_eq!(map(&fd, ExternalKind::Any, 6).unwrap_err(), ExternalError::TooShort);
        assert_eq!(map(&fd, ExternalKind::DmaBuf, 5).unwrap_err(), ExternalError::WrongKind);
        for path in ["/dev/zero", "/dev/null", "/proc/self/status", "/dev/shm", "/"] {
            let Ok(file) = std::fs::File::open(path) else { continue };
            let file = OwnedFd::from(file);
            let found = ExternalMemory::map(file, ExternalKind::Any, 1, false).unwrap_err();
            assert_eq!(found, ExternalError::WrongKind, "{path}");
        }
        let (read, write) = std::io::pipe().unwrap();
        for end in [OwnedFd::from(read), write.into()] {
            assert_eq!(map(&end, ExternalKind::Any, 1).unwrap_err(), ExternalError::WrongKind);
        }
        for number in [-1, c_int::MAX] {
            assert_eq!(duplicate_descriptor(number).unwrap_err(), ExternalError::WrongKind);
        }
    }

    #[test]
    fn memory_without_the_permission_is_read_only() {
        let fd = share_bytes(&[b"hello"]).unwrap();
        let path = format!("/proc/self/fd/{}", fd.as_raw_fd());
        let reader = OwnedFd::from(std::fs::File::open(path).unwrap());
        assert_eq!(map(&reader, ExternalKind::Any, 5).unwrap_err(), ExternalError::WrongKind);
        let read = ExternalMemory::map(reader, ExternalKind::Any, 5, false).unwrap();
        // SAFETY: the mapping has so many bytes.
        assert_eq!(unsafe { read.as_ptr().read() }, b'h');
    }

    /// A dma-buf of the system's `udmabuf` device, if there is one: `size` bytes.
    fn dma_buf(size: usize) -> Option<OwnedFd> {
        #[repr(C)]
        struct Create {
            memory: u32,
            flags: u32,
            offset: u64,
            size: u64,
        }
        const CREATE: rustix::ioctl::Opcode = opcode::write::<Create>(b'u', 0x42);
        let device = std::fs::File::options().read(true).write(true).open("/dev/udmabuf").ok()?;
        let sealed = rustix::fs::MemfdFlags::ALLOW_SEALING;
        let memory = rustix::fs::memfd_create(c"test", sealed).unwrap();
        rustix::fs::ftruncate(&memory, size as u64).unwrap();
        rustix::fs::fcntl_add_seals(&memory, rustix::fs::SealFlags::SHRINK).unwrap();
        let number = memory.as_raw_fd().cast_unsigned();
        let create = Create { memory: number, flags: 1, offset: 0, size: size as u64 };
        // SAFETY: the call reads the structure.
        let made = unsafe { libc::ioctl(device.as_raw_fd(), CREATE.into(), &raw const create) };
        assert!(made >= 0, "{}", std::io::Error::last_os_error());
        // SAFETY: the new descriptor has no other owner.
        Some(unsafe { OwnedFd::from_raw_fd(made) })
    }

    #[test]
    fn accesses_to_a_dma_buf_are_announced() {
        let size = 2 * page_size();
        let Some(fd) = dma_buf(size) else {
            let memory = share_bytes(&[b"not a dma-buf"]).unwrap();
            assert_eq!(
                map(&memory, ExternalKind::DmaBuf, 1).unwrap_err(),
                ExternalError::WrongKind
            );
            return;
        };
        assert_eq!(map(&fd, ExternalKind::DmaBuf, size + 1).unwrap_err(), ExternalError::TooShort);
        for kind in [ExternalKind::DmaBuf, ExternalKind::Any] {
            let memory = map(&fd, kind, size).unwrap();
            assert!(memory.dma_buf.is_some());
            memory.begin_access().unwrap();
            let last = memory.as_ptr().wrapping_add(size - 1);
            // SAFETY: the mapping has so many bytes.
            unsafe { last.write(7) };
            memory.end_access().unwrap();
        }
    }
}
