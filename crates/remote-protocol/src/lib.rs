//! The messages between the remote HAL (`hal-remote`) and its servers (`tools/hal-server`).
//!
//! The transport is gRPC: Protocol Buffers over HTTP/2. There is one method, [`METHOD`], a stream
//! of [`Request`]s and a stream of [`Reply`]s, called a *lane*. The first request of a lane is
//! [`Call::Describe`] or [`Call::Open`]. The server answers the calls of a lane in order, and the
//! client may send further calls before it has read an answer. Calls of different lanes overlap.
//! `docs/remote.md` describes the protocol for users.
//!
//! * `messages`: the messages; `convert`: their counterparts in the crate `hal`.
//! * `access`: the files with which both sides prove who they are.
//!
//! Invariants: any bytes are a message or an error, and a message that has been converted is a
//! valid argument of a HAL. Bytes travel in pieces of at most [`PIECE`] bytes. Not here: sockets,
//! threads, the state of a session.

pub mod access;
mod convert;
mod messages;

pub use convert::{Launch, device_info, failure, hal_error};
pub use messages::{
    Alloc, Argument, Call, Copy, Counter, CounterValue, Describe, Device, Execute, Failure,
    FailureKind, Fill, Find, Load, Open, Outcome, Platform, Range, Reply, Request, argument,
};

/// Version of the messages. A server refuses any other one.
pub const VERSION: u32 = 1;

/// The path of the one method.
pub const METHOD: &str = "/muxcl.remote.v1.Hal/Lane";

/// Maximum number of bytes in a [`Call::Data`] or [`Outcome::Data`]: small enough that calls of
/// other lanes are not delayed, large enough that the work for a message does not matter.
pub const PIECE: usize = 256 << 10;

/// Maximum size of a program in bytes. The server holds a program in memory as a whole.
pub const MOST_PROGRAM: u64 = 1 << 30;

/// Bytes that may be under way on one lane without an acknowledgement: twice what a link with
/// 10 Gbit/s and a round trip of 3 ms carries.
pub const LANE_WINDOW: u32 = 8 << 20;

/// Bytes that may be under way on one connection: those of several lanes.
pub const CONNECTION_WINDOW: u32 = 32 << 20;

/// Size of the frames of HTTP/2 in bytes. A piece fits in one.
pub const FRAME: u32 = 512 << 10;

/// Seconds of silence after which a side asks the other one whether it is alive.
pub const PING_SECONDS: u64 = 5;

/// Seconds after which a side that does not answer is given up.
pub const PING_TIMEOUT_SECONDS: u64 = 15;
