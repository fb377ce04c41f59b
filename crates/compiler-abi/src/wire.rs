//! The messages between the driver and the process `muxcl-compiler`.
//!
//! The driver starts the process with two descriptors: [`CHANNEL`], on which it sends [`Task`]s,
//! and [`APPLICATION`], which becomes readable when the application has ended. A request has a
//! channel of its own for its one [`Reply`]: the driver sends the other end with it, and closes its
//! own to give up. If the process ends, the driver sees the end of all these channels.
//!
//! The process opens no files. Before its reply it may ask for files that the source includes
//! ([`Reply::Open`]), one at a time. The driver decides what a source may include, and answers with
//! [`Opened`] on the same channel.
//!
//! The same program is also a process that prints an application's last words ([`PRINT`]). It
//! executes no request.
//!
//! A message is one byte for its kind, the length of its body in eight bytes, and the body. A body
//! that is longer than [`INLINE_BYTES`] lies in shared memory, whose descriptor comes last.

/// Descriptor of the channel on which tasks arrive.
pub const CHANNEL: i32 = 3;
/// Descriptor that becomes readable when the application has ended; may be missing.
pub const APPLICATION: i32 = 4;
/// The first argument of the process. The second is the [`crate::ABI_VERSION`] of the driver.
pub const SERVE: &str = "--serve";
/// A further argument: no preparation in the background.
pub const CAUTIOUS: &str = "--cautious";
/// The first argument of a process that waits for the end of its application, and then writes the
/// text in [`TEXT`] to standard error. Nothing arrives on its [`CHANNEL`], whose end means that
/// the application has ended or executes another program.
pub const PRINT: &str = "--print-at-end";
/// Descriptor of the memory of `muxcl_os::KeptText`, for [`PRINT`]. [`APPLICATION`] is the same as
/// for [`SERVE`].
pub const TEXT: i32 = 5;
/// Exit status of the process if it is of another version than the driver.
pub const EXIT_VERSION: i32 = 3;
/// Bytes of the longest body inside a message.
pub const INLINE_BYTES: usize = 15 << 10;
/// Bytes before the body.
pub const HEADER_BYTES: usize = 9;

/// What the driver sends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Task {
    /// The body is an encoded [`crate::Envelope`]. The first descriptor is the channel for the
    /// reply.
    Request = 1,
    /// The body is an encoded `DeviceDesc`, for which requests will come. No reply.
    Prepare = 2,
}

/// The kinds of messages that the compiler's process sends for a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Reply {
    /// The body is an encoded [`crate::Response`].
    Answer = 1,
    /// The request could not be read.
    Unreadable = 2,
    /// The request crashed the process. The body says where, as text.
    Crash = 3,
    /// The request exceeded a bound. The body says which, as text.
    Bound = 4,
    /// The request needs the file whose absolute path is the body, and goes on after the driver's
    /// answer.
    Open = 5,
}

/// What the driver answers to [`Reply::Open`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Opened {
    /// The descriptor is the file.
    File = 1,
    /// The source may not include the file.
    Refused = 2,
    /// The body is the number of the system's error, in four bytes.
    Error = 3,
}

impl Opened {
    /// The answer with this number.
    #[must_use]
    pub fn from_byte(byte: u8) -> Option<Self> {
        [Self::File, Self::Refused, Self::Error].into_iter().find(|&kind| kind as u8 == byte)
    }
}

impl Task {
    /// The task with this number.
    #[must_use]
    pub fn from_byte(byte: u8) -> Option<Self> {
        [Self::Request, Self::Prepare].into_iter().find(|&kind| kind as u8 == byte)
    }
}

impl Reply {
    /// The reply with this number.
    #[must_use]
    pub fn from_byte(byte: u8) -> Option<Self> {
        [Self::Answer, Self::Unreadable, Self::Crash, Self::Bound, Self::Open]
            .into_iter()
            .find(|&kind| kind as u8 == byte)
    }
}

/// The bytes before a body of `length` bytes.
#[must_use]
pub fn header(kind: u8, length: usize) -> [u8; HEADER_BYTES] {
    let mut bytes = [kind; HEADER_BYTES];
    bytes[1..].copy_from_slice(&(length as u64).to_le_bytes());
    bytes
}

/// Kind, length of the body, and the rest of a message; `None` if it is too short.
#[must_use]
pub fn split(message: &[u8]) -> Option<(u8, usize, &[u8])> {
    let (header, rest) = message.split_first_chunk::<HEADER_BYTES>()?;
    let [kind, length @ ..] = *header;
    Some((kind, usize::try_from(u64::from_le_bytes(length)).ok()?, rest))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headers_are_read_back_and_short_messages_refused() {
        let mut message = header(Reply::Crash as u8, 5).to_vec();
        message.extend(b"where");
        assert_eq!(split(&message), Some((Reply::Crash as u8, 5, &b"where"[..])));
        assert_eq!(Reply::from_byte(3), Some(Reply::Crash));
        assert_eq!(Reply::from_byte(5), Some(Reply::Open));
        assert_eq!((Opened::from_byte(2), Opened::from_byte(0)), (Some(Opened::Refused), None));
        assert_eq!(split(&message[..HEADER_BYTES - 1]), None);
        assert_eq!(
            (Task::from_byte(0), Task::from_byte(9), Reply::from_byte(0)),
            (None, None, None)
        );
    }
}
