//! The messages. Their numbers are part of the protocol: a number is never used for another field.

use bytes::Bytes;

/// What a client sends.
#[derive(Clone, PartialEq, prost::Message)]
pub struct Request {
    /// The call; none in a message of a newer client.
    #[prost(oneof = "Call", tags = "1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17")]
    pub call: Option<Call>,
}

/// A call. The comment names the answer of a call that succeeds; any call may be answered by
/// [`Outcome::Failure`].
#[derive(Clone, PartialEq, prost::Oneof)]
pub enum Call {
    /// Asks for the devices: [`Outcome::Platform`].
    #[prost(message, tag = "1")]
    Describe(Describe),
    /// Opens the lane for calls on a device: [`Outcome::Session`].
    #[prost(message, tag = "2")]
    Open(Open),
    /// Allocates memory: [`Outcome::Value`], the address.
    #[prost(message, tag = "3")]
    Alloc(Alloc),
    /// Frees the memory at this address: [`Outcome::Done`].
    #[prost(uint64, tag = "4")]
    Free(u64),
    /// Reads memory: the bytes in pieces as [`Outcome::Data`], then [`Outcome::Done`].
    #[prost(message, tag = "5")]
    Read(Range),
    /// Writes memory. The bytes follow in pieces as [`Call::Data`]: [`Outcome::Done`] after the
    /// last one.
    #[prost(message, tag = "6")]
    Write(Range),
    /// A piece of the bytes of the last [`Call::Write`] or [`Call::Load`]: no answer.
    #[prost(bytes = "bytes", tag = "7")]
    Data(Bytes),
    /// Copies memory: [`Outcome::Done`].
    #[prost(message, tag = "8")]
    Copy(Copy),
    /// Fills memory: [`Outcome::Done`].
    #[prost(message, tag = "9")]
    Fill(Fill),
    /// Loads a program: [`Outcome::Value`], its handle; [`Outcome::Nothing`] if the server does
    /// not have the program and the call does not bring it.
    #[prost(message, tag = "10")]
    Load(Load),
    /// Finds a kernel: [`Outcome::Value`], its handle.
    #[prost(message, tag = "11")]
    Find(Find),
    /// Runs a kernel to its end: [`Outcome::Done`].
    #[prost(message, tag = "12")]
    Execute(Execute),
    /// Unloads the program with this handle: [`Outcome::Done`].
    #[prost(uint64, tag = "13")]
    Unload(u64),
    /// Enables or disables counters. While they are enabled, each reply has their new values:
    /// [`Outcome::Done`].
    #[prost(bool, tag = "14")]
    Counters(bool),
    /// Begins a profile: [`Outcome::Done`], or [`Outcome::Nothing`] if the device has none.
    #[prost(message, tag = "15")]
    BeginProfile(()),
    /// Asks for the profile: the text in pieces as [`Outcome::Data`], then [`Outcome::Done`]; only
    /// [`Outcome::Nothing`] if none has begun.
    #[prost(message, tag = "16")]
    Profile(()),
    /// Ends the session and frees what it has: [`Outcome::Done`].
    #[prost(message, tag = "17")]
    Close(()),
}

/// See [`Call::Describe`].
#[derive(Clone, PartialEq, prost::Message)]
pub struct Describe {
    /// The client's [`crate::VERSION`].
    #[prost(uint32, tag = "1")]
    pub version: u32,
}

/// See [`Call::Open`].
#[derive(Clone, PartialEq, prost::Message)]
pub struct Open {
    /// The client's [`crate::VERSION`].
    #[prost(uint32, tag = "1")]
    pub version: u32,
    /// Number of the device on the server.
    #[prost(uint32, tag = "2")]
    pub device: u32,
    /// The session to continue; empty for a new one.
    #[prost(bytes = "bytes", tag = "3")]
    pub session: Bytes,
    /// Number of the session's connection, from 1. A higher number ends the lanes of earlier
    /// connections: the server answers after their calls have ended.
    #[prost(uint64, tag = "4")]
    pub connection: u64,
}

/// See [`Call::Alloc`].
#[derive(Clone, PartialEq, prost::Message)]
pub struct Alloc {
    /// Size in bytes.
    #[prost(uint64, tag = "1")]
    pub size: u64,
    /// Alignment in bytes, a power of two.
    #[prost(uint64, tag = "2")]
    pub alignment: u64,
}

/// A range of device memory.
#[derive(Clone, PartialEq, prost::Message)]
pub struct Range {
    /// Device address of the first byte.
    #[prost(uint64, tag = "1")]
    pub address: u64,
    /// Size in bytes.
    #[prost(uint64, tag = "2")]
    pub size: u64,
}

/// See [`Call::Copy`].
#[derive(Clone, PartialEq, prost::Message)]
pub struct Copy {
    /// Device address of the destination.
    #[prost(uint64, tag = "1")]
    pub to: u64,
    /// Device address of the source.
    #[prost(uint64, tag = "2")]
    pub from: u64,
    /// Size in bytes.
    #[prost(uint64, tag = "3")]
    pub size: u64,
}

/// See [`Call::Fill`].
#[derive(Clone, PartialEq, prost::Message)]
pub struct Fill {
    /// Device address of the first byte.
    #[prost(uint64, tag = "1")]
    pub to: u64,
    /// The pattern, at least one byte.
    #[prost(bytes = "bytes", tag = "2")]
    pub pattern: Bytes,
    /// Size in bytes.
    #[prost(uint64, tag = "3")]
    pub size: u64,
}

/// See [`Call::Load`].
#[derive(Clone, PartialEq, prost::Message)]
pub struct Load {
    /// BLAKE3 hash of the ELF file: 32 bytes.
    #[prost(bytes = "bytes", tag = "1")]
    pub hash: Bytes,
    /// Size of the ELF file in bytes.
    #[prost(uint64, tag = "2")]
    pub size: u64,
    /// True if the file follows in pieces as [`Call::Data`].
    #[prost(bool, tag = "3")]
    pub follows: bool,
}

/// See [`Call::Find`].
#[derive(Clone, PartialEq, prost::Message)]
pub struct Find {
    /// Handle of the program.
    #[prost(uint64, tag = "1")]
    pub program: u64,
    /// Name of the kernel, without a NUL.
    #[prost(bytes = "bytes", tag = "2")]
    pub name: Bytes,
}

/// See [`Call::Execute`].
#[derive(Clone, PartialEq, prost::Message)]
pub struct Execute {
    /// Handle of the program.
    #[prost(uint64, tag = "1")]
    pub program: u64,
    /// Handle of the kernel.
    #[prost(uint64, tag = "2")]
    pub kernel: u64,
    /// Global offset, global size and local size: three numbers each.
    #[prost(uint64, repeated, tag = "3")]
    pub range: Vec<u64>,
    /// The arguments.
    #[prost(message, repeated, tag = "4")]
    pub arguments: Vec<Argument>,
    /// Number of dimensions, 1 to 3.
    #[prost(uint32, tag = "5")]
    pub dimensions: u32,
}

/// An argument of a kernel.
#[derive(Clone, PartialEq, prost::Message)]
pub struct Argument {
    /// The argument.
    #[prost(oneof = "argument::Kind", tags = "1, 2, 3")]
    pub kind: Option<argument::Kind>,
}

/// The kinds of arguments.
pub mod argument {
    use bytes::Bytes;

    /// An argument of a kernel.
    #[derive(Clone, PartialEq, prost::Oneof)]
    pub enum Kind {
        /// A buffer.
        #[prost(message, tag = "1")]
        Global(super::Range),
        /// Bytes of local memory.
        #[prost(uint64, tag = "2")]
        Local(u64),
        /// A value.
        #[prost(bytes = "bytes", tag = "3")]
        Value(Bytes),
    }
}

/// What a server sends.
#[derive(Clone, PartialEq, prost::Message)]
pub struct Reply {
    /// The outcome; none in a message of a newer server.
    #[prost(oneof = "Outcome", tags = "1, 2, 3, 4, 5, 6, 7")]
    pub outcome: Option<Outcome>,
    /// New values of counters.
    #[prost(message, repeated, tag = "8")]
    pub counters: Vec<CounterValue>,
}

/// The outcome of a call, or a piece of it.
#[derive(Clone, PartialEq, prost::Oneof)]
pub enum Outcome {
    /// The call has succeeded.
    #[prost(message, tag = "1")]
    Done(()),
    /// The call has succeeded, with an address or a handle.
    #[prost(uint64, tag = "2")]
    Value(u64),
    /// A piece of bytes.
    #[prost(bytes = "bytes", tag = "3")]
    Data(Bytes),
    /// The call has failed.
    #[prost(message, tag = "4")]
    Failure(Failure),
    /// The devices.
    #[prost(message, tag = "5")]
    Platform(Platform),
    /// The lane is open; the session's secret number, 16 bytes.
    #[prost(bytes = "bytes", tag = "6")]
    Session(Bytes),
    /// What the call asked for does not exist.
    #[prost(message, tag = "7")]
    Nothing(()),
}

/// Why a call has failed.
#[derive(Clone, PartialEq, prost::Message)]
pub struct Failure {
    /// The kind.
    #[prost(enumeration = "FailureKind", tag = "1")]
    pub kind: i32,
    /// The reason, or the kernel's name.
    #[prost(string, tag = "2")]
    pub text: String,
}

/// Kinds of failures that a client tells apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, prost::Enumeration)]
#[repr(i32)]
pub enum FailureKind {
    /// Any other one.
    Other = 0,
    /// The device is out of memory.
    OutOfMemory = 1,
    /// The program has no such kernel.
    NoKernel = 2,
    /// The bytes are no program for the device.
    Program = 3,
    /// A kernel faulted.
    Fault = 4,
    /// The server does not have the session.
    NoSession = 5,
}

/// A value of a counter.
#[derive(Clone, PartialEq, prost::Message)]
pub struct CounterValue {
    /// Identifier of the counter.
    #[prost(uint32, tag = "1")]
    pub counter: u32,
    /// Index of the value.
    #[prost(uint32, tag = "2")]
    pub index: u32,
    /// The value.
    #[prost(uint64, tag = "3")]
    pub value: u64,
}

/// The platform of a server.
#[derive(Clone, PartialEq, prost::Message)]
pub struct Platform {
    /// Name of the HAL.
    #[prost(string, tag = "1")]
    pub name: String,
    /// The devices, by their numbers. A device that the HAL cannot describe has no name.
    #[prost(message, repeated, tag = "2")]
    pub devices: Vec<Device>,
}

/// A device: the fields of [`muxcl_hal::DeviceInfo`], by the names there.
#[derive(Clone, PartialEq, prost::Message)]
#[expect(missing_docs, reason = "the fields are those of DeviceInfo")]
pub struct Device {
    #[prost(string, tag = "1")]
    pub target_name: String,
    #[prost(uint32, tag = "2")]
    pub word_size: u32,
    #[prost(uint64, tag = "3")]
    pub global_memory: u64,
    #[prost(uint64, tag = "4")]
    pub local_memory: u64,
    #[prost(bool, tag = "5")]
    pub should_link: bool,
    #[prost(string, optional, tag = "6")]
    pub linker_script: Option<String>,
    #[prost(bool, tag = "7")]
    pub should_vectorize: bool,
    #[prost(uint32, tag = "8")]
    pub preferred_vector_width: u32,
    #[prost(bool, tag = "9")]
    pub fp16: bool,
    #[prost(bool, tag = "10")]
    pub fp64: bool,
    #[prost(uint32, tag = "11")]
    pub max_workgroup_size: u32,
    #[prost(bool, tag = "12")]
    pub little_endian: bool,
    #[prost(message, repeated, tag = "13")]
    pub counters: Vec<Counter>,
    #[prost(uint64, tag = "14")]
    pub extensions: u64,
    #[prost(uint32, tag = "15")]
    pub abi: u32,
    #[prost(uint32, tag = "16")]
    pub vlen: u32,
    /// The text of the properties.
    #[prost(string, tag = "17")]
    pub properties: String,
}

/// A counter: the fields of [`muxcl_hal::counters::CounterDescription`], by the names there.
#[derive(Clone, PartialEq, prost::Message)]
#[expect(missing_docs, reason = "the fields are those of CounterDescription")]
pub struct Counter {
    #[prost(uint32, tag = "1")]
    pub id: u32,
    #[prost(string, tag = "2")]
    pub name: String,
    #[prost(string, tag = "3")]
    pub description: String,
    #[prost(string, tag = "4")]
    pub sub_value_name: String,
    #[prost(uint32, tag = "5")]
    pub values: u32,
    #[prost(uint32, tag = "6")]
    pub unit: u32,
    #[prost(uint32, tag = "7")]
    pub per_value: u32,
    #[prost(uint32, tag = "8")]
    pub total: u32,
}
