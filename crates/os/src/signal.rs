//! Signals between processes, and signals of the kernel's devices: descriptors that become
//! readable.
//!
//! Invariant: no call here waits except [`wait_any`]. Not here: who waits for which signal.

use std::ffi::c_int;
use std::os::fd::{AsFd, AsRawFd as _, BorrowedFd, OwnedFd};

use rustix::event::{EventfdFlags, PollFd, PollFlags, Timespec, eventfd, poll};
use rustix::fs::{OFlags, fcntl_getfl, fstatfs};
use rustix::io::{Errno, fcntl_dupfd_cloexec, read, write};
use rustix::ioctl::{Updater, ioctl, opcode};

use crate::{ExternalError, OsError, duplicate_descriptor};

/// The file system of descriptors without a file (`ANON_INODE_FS_MAGIC`).
const WITHOUT_FILE: u64 = 0x0904_1934;
/// `SYNC_IOC_FILE_INFO`
const FILE_INFO: rustix::ioctl::Opcode = opcode::read_write::<FileInfo>(b'>', 4);

/// `sync_file_info` of the kernel
#[repr(C)]
#[derive(Default)]
struct FileInfo {
    name: [u8; 32],
    status: i32,
    flags: u32,
    fences: u32,
    pad: u32,
    list: u64,
}

/// A signal that is set or not, and that processes share by descriptors. A process that ends leaves
/// it as it is. It is an eventfd that never blocks.
#[derive(Debug)]
pub struct SharedSignal(OwnedFd);

/// What [`SharedSignal::take`] found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Taken {
    /// The signal was set, and is not set any more.
    Yes,
    /// The signal was not set.
    No,
    /// The descriptor is broken: the process has closed it.
    Broken,
}

impl SharedSignal {
    /// A signal that is not set.
    ///
    /// # Errors
    /// If the process has too many descriptors.
    pub fn new() -> Result<Self, OsError> {
        let flags = EventfdFlags::CLOEXEC | EventfdFlags::NONBLOCK;
        let made = eventfd(0, flags);
        made.map(Self).map_err(|e| OsError::new("eventfd", std::io::Error::from(e).to_string()))
    }

    /// The signal behind the descriptor `number`, which stays open.
    ///
    /// # Errors
    /// `WrongKind` if it is no descriptor of a signal, or the system's error.
    pub fn from_descriptor(number: c_int) -> Result<Self, ExternalError> {
        let fd = duplicate_descriptor(number)?;
        let link = std::fs::read_link(format!("/proc/self/fd/{}", fd.as_raw_fd()));
        let is_counter = link.is_ok_and(|to| to.as_os_str() == "anon_inode:[eventfd]");
        let never_blocks = fcntl_getfl(&fd).is_ok_and(|flags| flags.contains(OFlags::NONBLOCK));
        if is_counter && never_blocks { Ok(Self(fd)) } else { Err(ExternalError::WrongKind) }
    }

    /// A new descriptor of the signal, closed when a program is executed.
    ///
    /// # Errors
    /// If the process has too many descriptors.
    pub fn descriptor(&self) -> Result<OwnedFd, OsError> {
        let made = fcntl_dupfd_cloexec(&self.0, 0);
        made.map_err(|e| OsError::new("fcntl", std::io::Error::from(e).to_string()))
    }

    /// Sets the signal.
    pub fn set(&self) {
        // It fails only if the counter is at its maximum, and then the signal is set.
        let _ = write(&self.0, &1_u64.to_ne_bytes());
    }

    /// Takes the signal if it is set. One of several callers gets it.
    #[must_use]
    pub fn take(&self) -> Taken {
        match read(&self.0, &mut [0_u8; 8]) {
            Ok(8) => Taken::Yes,
            Err(Errno::BADF | Errno::INVAL) => Taken::Broken,
            _ => Taken::No,
        }
    }

    /// True if the signal is set.
    #[must_use]
    pub fn is_set(&self) -> bool {
        is_readable(self.0.as_fd())
    }
}

impl AsFd for SharedSignal {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.0.as_fd()
    }
}

/// A descriptor that becomes readable when some work has ended, and stays so.
#[derive(Debug)]
pub struct Fence(OwnedFd);

impl Fence {
    /// The fence with this descriptor.
    #[must_use]
    pub fn new(fd: OwnedFd) -> Self {
        Self(fd)
    }

    /// The fence behind the descriptor `number` of a sync file of the kernel. The descriptor stays
    /// open.
    ///
    /// # Errors
    /// `WrongKind` if it is no sync file, or the system's error.
    pub fn from_sync_file(number: c_int) -> Result<Self, ExternalError> {
        let fd = duplicate_descriptor(number)?;
        let system = fstatfs(&fd).map_or(0, |found| u64::try_from(found.f_type).unwrap_or(0));
        let mut info = FileInfo::default();
        // SAFETY: a call with this number reads and writes a `FileInfo`.
        let call = unsafe { Updater::<FILE_INFO, FileInfo>::new(&mut info) };
        // SAFETY: as above; other files without a name refuse the call.
        if system == WITHOUT_FILE && unsafe { ioctl(&fd, call) }.is_ok() {
            Ok(Self(fd))
        } else {
            Err(ExternalError::WrongKind)
        }
    }

    /// True if the work has ended.
    #[must_use]
    pub fn has_ended(&self) -> bool {
        is_readable(self.0.as_fd())
    }
}

impl AsFd for Fence {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.0.as_fd()
    }
}

fn is_readable(fd: BorrowedFd<'_>) -> bool {
    let mut fds = [PollFd::from_borrowed_fd(fd, PollFlags::IN)];
    let now = Timespec { tv_sec: 0, tv_nsec: 0 };
    poll(&mut fds, Some(&now)).is_ok_and(|ready| ready > 0)
}

/// Waits until one of the descriptors is readable or broken. May return earlier.
pub fn wait_any(descriptors: &[BorrowedFd<'_>]) {
    let mut fds: Vec<PollFd<'_>> =
        descriptors.iter().map(|fd| PollFd::from_borrowed_fd(*fd, PollFlags::IN)).collect();
    // An error, such as an interruption, ends the wait early.
    let _ = poll(&mut fds, None);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_signal_is_taken_once() {
        let one = SharedSignal::new().unwrap();
        let fd = one.descriptor().unwrap();
        let two = SharedSignal::from_descriptor(fd.as_raw_fd()).unwrap();
        drop(fd);
        assert!(!one.is_set() && two.take() == Taken::No);
        one.set();
        one.set();
        wait_any(&[two.as_fd()]);
        assert!(two.is_set());
        assert_eq!((two.take(), one.take(), one.is_set()), (Taken::Yes, Taken::No, false));
    }

    #[test]
    fn other_descriptors_are_no_signals() {
        let memory = crate::share_bytes(&[b"x"]).unwrap();
        let blocking = eventfd(0, EventfdFlags::CLOEXEC).unwrap();
        let signal = SharedSignal::new().unwrap();
        let wrong = ExternalError::WrongKind;
        for number in [-1, c_int::MAX, memory.as_raw_fd(), blocking.as_raw_fd()] {
            assert_eq!(SharedSignal::from_descriptor(number).unwrap_err(), wrong, "{number}");
            assert_eq!(Fence::from_sync_file(number).unwrap_err(), wrong, "{number}");
        }
        assert_eq!(Fence::from_sync_file(signal.as_fd().as_raw_fd()).unwrap_err(), wrong);
        assert!(!signal.is_set());
    }

    #[test]
    fn a_fence_ends_when_it_is_readable() {
        let signal = SharedSignal::new().unwrap();
        let fence = Fence::new(signal.descriptor().unwrap());
        assert!(!fence.has_ended());
        signal.set();
        assert!(fence.has_ended() && fence.has_ended());
    }
}
