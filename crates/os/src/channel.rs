//! Channels between processes: messages with descriptors, and bytes in shared memory.
//!
//! Invariant: a message arrives whole or not at all, and every descriptor here is closed when a
//! program is executed. No call raises SIGPIPE. Not here: what messages mean.

use std::fs::File;
use std::io::{IoSlice, IoSliceMut, Write as _};
use std::mem::MaybeUninit;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::os::unix::fs::FileExt as _;

use rustix::event::{EventfdFlags, PollFd, PollFlags, eventfd, poll};
use rustix::fs::{MemfdFlags, memfd_create};
use rustix::io::{Errno, read, retry_on_intr, write};
use rustix::net::{
    AddressFamily, RecvAncillaryBuffer, RecvAncillaryMessage, RecvFlags, ReturnFlags,
    SendAncillaryBuffer, SendAncillaryMessage, SendFlags, Shutdown, SocketFlags, SocketType,
    recvmsg, sendmsg, shutdown, socketpair,
};

use crate::OsError;

/// Bytes of the longest message of a [`Channel`].
pub const MESSAGE_BYTES: usize = 16 << 10;
/// The largest number of descriptors that go with a message.
pub const MESSAGE_DESCRIPTORS: usize = 2;
/// Bytes of the control data of a message with all its descriptors.
const CONTROL: usize = rustix::cmsg_space!(ScmRights(MESSAGE_DESCRIPTORS));

/// One end of a connection that keeps the borders of messages. Several threads and processes may
/// receive from one end; each message goes to one of them.
#[derive(Debug)]
pub struct Channel(OwnedFd);

/// A message that arrived.
#[derive(Debug, Default)]
pub struct Message {
    /// Its bytes, at most [`MESSAGE_BYTES`].
    pub bytes: Vec<u8>,
    /// The descriptors that came with it, in the sender's order.
    pub descriptors: Vec<OwnedFd>,
}

/// What [`Channel::wait`] found.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Ready {
    /// A message waits.
    pub message: bool,
    /// Nobody has the other end.
    pub closed: bool,
    /// The other descriptors that have something to read.
    pub others: [bool; 2],
}

/// A counter that wakes a thread in [`Channel::wait`].
#[derive(Debug)]
pub struct Wake(OwnedFd);

fn failed(call: &'static str) -> impl Fn(Errno) -> OsError {
    move |error| OsError::new(call, std::io::Error::from(error).to_string())
}

impl Wake {
    /// A counter of 0, which is nothing to read.
    ///
    /// # Errors
    /// If the process has too many descriptors.
    pub fn new() -> Result<Self, OsError> {
        let flags = EventfdFlags::CLOEXEC | EventfdFlags::NONBLOCK;
        eventfd(0, flags).map(Self).map_err(failed("eventfd"))
    }

    /// Makes it something to read.
    pub fn wake(&self) {
        // It fails only if there is something to read already.
        let _ = write(&self.0, &1_u64.to_ne_bytes());
    }

    /// Makes it nothing to read.
    pub fn clear(&self) {
        // It fails only if there is nothing to read already.
        let _ = read(&self.0, &mut [0_u8; 8]);
    }
}

impl AsFd for Wake {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.0.as_fd()
    }
}

impl Channel {
    /// Two connected ends.
    ///
    /// # Errors
    /// If the process has too many descriptors, or the system no memory.
    pub fn pair() -> Result<(Self, Self), OsError> {
        socketpair(AddressFamily::UNIX, SocketType::SEQPACKET, SocketFlags::CLOEXEC, None)
            .map(|(a, b)| (Self(a), Self(b)))
            .map_err(failed("socketpair"))
    }

    /// Sends the concatenation of `parts` with copies of `descriptors`. Waits while the other end
    /// has many messages to read.
    ///
    /// # Errors
    /// If the other end is closed, or the message or the number of descriptors is too large.
    pub fn send(&self, parts: &[&[u8]], descriptors: &[BorrowedFd<'_>]) -> Result<(), OsError> {
        let length: usize = parts.iter().map(|part| part.len()).sum();
        if length > MESSAGE_BYTES || descriptors.len() > MESSAGE_DESCRIPTORS {
            return Err(OsError::new("sendmsg", "the message is too large"));
        }
        let parts: Vec<IoSlice<'_>> = parts.iter().map(|part| IoSlice::new(part)).collect();
        retry_on_intr(|| {
            let mut space = [MaybeUninit::uninit(); CONTROL];
            let mut control = SendAncillaryBuffer::new(&mut space);
            if !descriptors.is_empty() {
                control.push(SendAncillaryMessage::ScmRights(descriptors));
            }
            sendmsg(&self.0, &parts, &mut control, SendFlags::NOSIGNAL)
        })
        .map(drop)
        .map_err(failed("sendmsg"))
    }

    /// Waits for the next message. `None` if the other end is closed by all who had it.
    ///
    /// # Errors
    /// If the system has no memory or no descriptors left.
    pub fn receive(&self) -> Result<Option<Message>, OsError> {
        self.receive_with(RecvFlags::CMSG_CLOEXEC)
    }

    /// The next message, if it is there already; else `None`.
    ///
    /// # Errors
    /// As [`Channel::receive`].
    pub fn receive_now(&self) -> Result<Option<Message>, OsError> {
        self.receive_with(RecvFlags::CMSG_CLOEXEC | RecvFlags::DONTWAIT)
    }

    fn receive_with(&self, flags: RecvFlags) -> Result<Option<Message>, OsError> {
        let mut bytes = Vec::new();
        if bytes.try_reserve_exact(MESSAGE_BYTES).is_err() {
            return Err(OsError::new("recvmsg", "out of memory"));
        }
        bytes.resize(MESSAGE_BYTES, 0);
        let mut space = [MaybeUninit::uninit(); CONTROL];
        let mut control = RecvAncillaryBuffer::new(&mut space);
        let got = retry_on_intr(|| {
            recvmsg(&self.0, &mut [IoSliceMut::new(&mut bytes)], &mut control, flags)
        });
        let got = match got {
            Ok(got) => got,
            Err(Errno::CONNRESET | Errno::AGAIN) => return Ok(None),
            Err(error) => return Err(failed("recvmsg")(error)),
        };
        bytes.truncate(got.bytes);
        let mut descriptors = Vec::new();
        for part in control.drain() {
            if let RecvAncillaryMessage::ScmRights(received) = part {
                descriptors.extend(received);
            }
        }
        if bytes.is_empty() && descriptors.is_empty() {
            return Ok(None); // no sender here sends an empty message
        }
        if got.flags.intersects(ReturnFlags::TRUNC | ReturnFlags::CTRUNC) {
            return Err(OsError::new("recvmsg", "a part of the message was lost"));
        }
        Ok(Some(Message { bytes, descriptors }))
    }

    /// Shuts the connection down for both ends and all copies of them, also in other processes:
    /// threads that wait for a message return, and a later send fails.
    pub fn shut_down(&self) {
        // It fails only if the connection has ended.
        let _ = shutdown(&self.0, Shutdown::Both);
    }

    /// Waits until all copies of the other end are closed, one of `others` has something to read,
    /// or, with `messages`, a message waits here.
    pub fn wait(&self, messages: bool, others: [Option<BorrowedFd<'_>>; 2]) -> Ready {
        let own = if messages { PollFlags::IN } else { PollFlags::empty() };
        let mut fds = vec![PollFd::new(&self.0, own)];
        let watched = others.iter().flatten();
        fds.extend(watched.map(|fd| PollFd::from_borrowed_fd(*fd, PollFlags::IN)));
        // After an error nothing is ready.
        let _ = poll(&mut fds, None);
        let mut found = fds.iter().map(PollFd::revents);
        let own = found.next().unwrap_or(PollFlags::empty());
        Ready {
            message: own.contains(PollFlags::IN),
            closed: own.intersects(PollFlags::HUP | PollFlags::ERR),
            others: others.map(|fd| fd.and_then(|_| found.next()).is_some_and(|f| !f.is_empty())),
        }
    }
}

impl AsFd for Channel {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.0.as_fd()
    }
}

impl From<OwnedFd> for Channel {
    /// `fd` is one end of [`Channel::pair`].
    fn from(fd: OwnedFd) -> Self {
        Self(fd)
    }
}

/// Puts `parts` into memory that another process can read through the descriptor.
///
/// # Errors
/// If the system has no memory or no descriptors left.
pub fn share_bytes(parts: &[&[u8]]) -> Result<OwnedFd, OsError> {
    let memory = memfd_create(c"muxcl", MemfdFlags::CLOEXEC).map_err(failed("memfd_create"))?;
    let mut file = File::from(memory);
    for part in parts {
        file.write_all(part).map_err(|e| OsError::new("write", e.to_string()))?;
    }
    Ok(file.into())
}

/// Copies `length` bytes of [`share_bytes`] from another process. A copy, so that nothing that the
/// other process does to the memory later has an effect.
///
/// # Errors
/// If there are not exactly so many bytes, or no memory is left.
pub fn shared_bytes(memory: OwnedFd, length: usize) -> Result<Vec<u8>, OsError> {
    let file = File::from(memory);
    // `length` came from the other process, so it is checked before memory is reserved.
    let there = file.metadata().map_err(|e| OsError::new("fstat", e.to_string()))?.len();
    if usize::try_from(there).ok() != Some(length) {
        return Err(OsError::new("fstat", "the shared memory has another length"));
    }
    let mut bytes = Vec::new();
    bytes.try_reserve_exact(length).map_err(|_| OsError::new("pread", "out of memory"))?;
    bytes.resize(length, 0);
    file.read_exact_at(&mut bytes, 0).map_err(|e| OsError::new("pread", e.to_string()))?;
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_keep_their_borders_and_descriptors() {
        let (a, b) = Channel::pair().unwrap();
        let shared = share_bytes(&[b"in ", b"memory"]).unwrap();
        a.send(&[b"one", b"", b"two"], &[]).unwrap();
        a.send(&[b"three"], &[shared.as_fd(), a.as_fd()]).unwrap();
        assert!(a.receive_now().unwrap().is_none());
        assert_eq!(b.receive_now().unwrap().unwrap().bytes, b"onetwo");
        let message = b.receive().unwrap().unwrap();
        assert_eq!((&*message.bytes, message.descriptors.len()), (&b"three"[..], 2));
        for wrong in [0, 8, 10, usize::MAX] {
            let memory = message.descriptors[0].try_clone().unwrap();
            assert!(shared_bytes(memory, wrong).is_err(), "{wrong}");
        }
        // The second descriptor is a copy of `a`.
        let memory = message.descriptors.into_iter().next().unwrap();
        assert_eq!(shared_bytes(memory, 9).unwrap(), b"in memory");
        drop(a);
        assert!(b.receive().unwrap().is_none());
        assert!(b.wait(true, [None, None]).closed);
        assert!(b.send(&[b"x"], &[]).is_err(), "nobody reads");
    }

    #[test]
    fn a_wait_ends_with_a_message_or_another_descriptor() {
        let (a, b) = Channel::pair().unwrap();
        let wake = Wake::new().unwrap();
        wake.wake();
        wake.wake();
        let woken = Ready { others: [false, true], ..Ready::default() };
        assert_eq!(b.wait(false, [None, Some(wake.as_fd())]), woken);
        a.send(&[b"x"], &[]).unwrap();
        assert_eq!(b.wait(false, [None, Some(wake.as_fd())]), woken, "no message is wanted");
        wake.clear();
        let message = Ready { message: true, ..Ready::default() };
        assert_eq!(b.wait(true, [Some(wake.as_fd()), None]), message);
    }

    #[test]
    fn a_shut_down_ends_waits_at_both_ends() {
        let (a, b) = Channel::pair().unwrap();
        let copy = Channel::from(a.as_fd().try_clone_to_owned().unwrap());
        std::thread::scope(|scope| {
            let waits = [&a, &b].map(|end| scope.spawn(|| end.receive().unwrap().is_none()));
            std::thread::sleep(std::time::Duration::from_millis(20));
            copy.shut_down();
            assert_eq!(waits.map(|wait| wait.join().unwrap()), [true; 2]);
        });
        assert!(b.send(&[b"x"], &[]).is_err() && b.wait(true, [None, None]).closed);
        copy.shut_down();
    }

    #[test]
    fn long_messages_are_refused_not_cut() {
        let (a, b) = Channel::pair().unwrap();
        let most = vec![7; MESSAGE_BYTES];
        a.send(&[&most], &[]).unwrap();
        assert!(a.send(&[&most, b"x"], &[]).is_err());
        assert_eq!(b.receive().unwrap().unwrap().bytes, most);
        let shared = share_bytes(&[&most, &most]).unwrap();
        assert_eq!(shared_bytes(shared, 2 * MESSAGE_BYTES).unwrap().len(), 32 << 10);
    }
}
