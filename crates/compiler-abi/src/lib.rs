//! The interface between the driver and the compiler: bytes in, bytes out.
//!
//! The compiler is a process of its own (the program `muxcl-compiler`; [`wire`] describes the
//! messages) or, where no process can be started, a library in the application's process.
//!
//! The compiler library exports one function, [`ENTRY_SYMBOL`], of type [`RequestFn`]. Requests and
//! responses are the structures below in postcard. The interface is stateless: each request carries
//! all its inputs, requests may run at the same time on any threads, and nothing allocated on one
//! side is freed on the other (a callback copies the response).
//!
//! Invariant: each side of the library has its own copy of Rust's standard library, so only C
//! scalars and bytes cross. Not here: what compiling means (`muxcl-compiler`), starting the process
//! or loading the library (`cl::compiler_client`).
//!
//! # Examples
//! ```
//! use muxcl_compiler_abi::{Envelope, Request};
//!
//! let envelope = Envelope::new(Request::About);
//! let bytes = postcard::to_stdvec(&envelope)?;
//! let read: Envelope<'_> = postcard::from_bytes(&bytes)?;
//! assert!(matches!(read.request, Request::About));
//! # Ok::<(), postcard::Error>(())
//! ```

pub mod wire;

use muxcl_types::device::DeviceDesc;
use muxcl_types::program::ProgramInfo;
use muxcl_types::variant::SpecializationKey;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::ffi::c_void;

/// Name of the exported function.
pub const ENTRY_SYMBOL: &str = "muxcl_compiler_request";
/// Version of this interface; the first field of [`Envelope`]. Raised with any change here, in
/// [`wire`] or in `muxcl-types`.
pub const ABI_VERSION: u32 = 11;
/// Bytes of stack that a request needs: clang and LLVM recurse on the nesting of programs. The
/// system provides pages as they are touched.
pub const STACK_BYTES: usize = 256 << 20;

/// Receives a response: called exactly once before the request returns; the bytes are valid during
/// the call only.
pub type SinkFn = unsafe extern "C" fn(ctx: *mut c_void, bytes: *const u8, len: usize);
/// The exported function. Returns 0 if a [`Response`] was delivered, 1 if the request could not be
/// read (other ABI version), 2 if the compiler itself failed (a bug; the response holds the
/// message). The request runs on a thread of its own, with a stack of [`STACK_BYTES`].
pub type RequestFn =
    unsafe extern "C" fn(request: *const u8, len: usize, ctx: *mut c_void, sink: SinkFn) -> i32;

/// A request with the ABI version in front.
#[derive(Debug, Serialize, Deserialize)]
pub struct Envelope<'a> {
    /// [`ABI_VERSION`] of the caller.
    pub abi_version: u32,
    /// The application's current directory, to which the paths of include options and headers are
    /// relative. `None`: the current directory of the compiler.
    pub directory: Option<String>,
    /// A trace wants the steps of the compilation: [`Step`]s follow the response.
    pub steps: bool,
    /// The request.
    #[serde(borrow)]
    pub request: Request<'a>,
}

impl<'a> Envelope<'a> {
    /// A request of this version for the compiler's own current directory.
    #[must_use]
    pub fn new(request: Request<'a>) -> Self {
        Self { abi_version: ABI_VERSION, directory: None, steps: false, request }
    }
}

/// A step of a compilation, for traces. If [`Envelope::steps`] is set, the bytes of a response are
/// followed by those of a list of steps. A reader of the response alone does not see them.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Step<'a> {
    /// The name: that of a pass, for example.
    pub name: Cow<'a, str>,
    /// The begin, in ns of the monotonic clock, which all processes share.
    pub begin: u64,
    /// The end, in ns of the same clock. A step that begins before the end of another one is a part
    /// of that one.
    pub end: u64,
}

/// A header for `clCompileProgram`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Header {
    /// The name in `#include`.
    pub name: String,
    /// The header's text.
    #[serde(with = "serde_bytes")]
    pub text: Vec<u8>,
}

/// The source of a program.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Source {
    /// OpenCL C.
    OpenClC {
        /// Its text; any bytes.
        #[serde(with = "serde_bytes")]
        text: Vec<u8>,
        /// Headers in memory.
        headers: Vec<Header>,
    },
    /// SPIR-V.
    SpirV {
        /// The module's bytes from the application; any bytes.
        #[serde(with = "serde_bytes")]
        il: Vec<u8>,
        /// Values of specialization constants by id, each of the constant's size.
        constants: Vec<(u32, Vec<u8>)>,
    },
}

impl Source {
    /// OpenCL C without headers.
    #[must_use]
    pub fn of_c(text: impl Into<Vec<u8>>) -> Self {
        Self::OpenClC { text: text.into(), headers: Vec::new() }
    }
}

/// A request. Bitcode is borrowed on both sides: the driver borrows it from the program, the
/// compiler from the bytes of the request.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub enum Request<'a> {
    /// Versions; answered by [`Response::About`].
    About,
    /// `clBuildProgram`: compile, link and finalise one source. Answered by [`Response::Module`]
    /// (an executable).
    Build {
        /// The device to compile for.
        device: DeviceDesc,
        /// The program.
        source: Source,
        /// Build options from the application.
        options: String,
    },
    /// `clCompileProgram`. Answered by [`Response::Module`] (a compiled object).
    Compile {
        /// The device to compile for.
        device: DeviceDesc,
        /// The program.
        source: Source,
        /// Compile options.
        options: String,
    },
    /// `clLinkProgram`. Answered by [`Response::Module`] (a library with `-create-library`, else an
    /// executable).
    Link {
        /// The device to compile for.
        device: DeviceDesc,
        /// Containers (`muxcl_types::container::Binary`) of objects and libraries.
        modules: Vec<Vec<u8>>,
        /// Link options.
        options: String,
    },
    /// One kernel for a specialization key. Answered by [`Response::Elf`].
    Specialise {
        /// The device to compile for.
        device: DeviceDesc,
        /// `Binary::bitcode` of an executable.
        #[serde(borrow, with = "serde_bytes")]
        bitcode: Cow<'a, [u8]>,
        /// Its metadata.
        info: ProgramInfo,
        /// Options of its build.
        options: String,
        /// Kernel name.
        kernel: String,
        /// The specialization key: properties of launches that the code may rely on.
        key: SpecializationKey,
    },
    /// All kernels for any local size, for a program binary. Answered by [`Response::Elf`].
    Generic {
        /// The device to compile for.
        device: DeviceDesc,
        /// `Binary::bitcode` of an executable.
        #[serde(borrow, with = "serde_bytes")]
        bitcode: Cow<'a, [u8]>,
        /// Its metadata.
        info: ProgramInfo,
        /// Options of its build.
        options: String,
    },
    /// The code of an executable for people to read. Answered by [`Response::Text`].
    Text {
        /// The device to compile for.
        device: DeviceDesc,
        /// `Binary::bitcode` of an executable, an object or a library. The latter two have only the
        /// form [`TextForm::Program`].
        #[serde(borrow, with = "serde_bytes")]
        bitcode: Cow<'a, [u8]>,
        /// Its metadata.
        info: ProgramInfo,
        /// Options of its build.
        options: String,
        /// The kernel that [`Request::Specialise`] would compile, and the key; `None`: all kernels,
        /// as [`Request::Generic`] compiles them. Not used by [`TextForm::Program`].
        kernel: Option<(String, SpecializationKey)>,
        /// The form.
        form: TextForm,
    },
}

/// A form of code for people.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum TextForm {
    /// The program's LLVM IR, before kernels are compiled for a launch.
    Program,
    /// The kernels' LLVM IR, as it reaches code generation.
    Kernels,
    /// The kernels' assembly.
    Assembly,
}

/// The kind of a failure. The API call and the kind decide the OpenCL error code.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum FailureKind {
    /// An unknown or malformed option: `CL_INVALID_BUILD_OPTIONS` / `_COMPILER_OPTIONS` /
    /// `_LINKER_OPTIONS`.
    Options,
    /// Errors in the source: `CL_BUILD_PROGRAM_FAILURE` / `CL_COMPILE_PROGRAM_FAILURE`.
    Source,
    /// Unresolved or duplicate symbols: `CL_LINK_PROGRAM_FAILURE` (or build failure in
    /// `clBuildProgram`).
    Link,
    /// The program needs more than the device has: `CL_BUILD_PROGRAM_FAILURE`, or
    /// `CL_OUT_OF_RESOURCES` from an enqueue.
    Resources,
    /// The bytes of a program are no module: `CL_INVALID_PROGRAM`.
    Module,
    /// A bug or a limit of the machine: `CL_OUT_OF_HOST_MEMORY`.
    Internal,
    /// The driver cannot load the compiler library: `CL_COMPILER_NOT_AVAILABLE`,
    /// `CL_LINKER_NOT_AVAILABLE`. The compiler never sends this kind.
    Unavailable,
}

/// A file on disk that a compilation read or looked for, so that a cached result can be checked
/// (`muxcl_cache::Dependency`).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Dependency {
    /// The path that the compiler opened; relative to the current directory unless absolute.
    pub path: String,
    /// BLAKE3 of the content, or `None` if there was no such file.
    pub hash: Option<[u8; 32]>,
}

/// The response to a request.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub enum Response {
    /// Versions.
    About {
        /// e.g. `22.1.8`.
        llvm: String,
    },
    /// A program container (`muxcl_types::container::Binary` bytes), with the build log (warnings).
    Module {
        /// Container.
        #[serde(with = "serde_bytes")]
        binary: Vec<u8>,
        /// Build log; empty without warnings.
        log: String,
        /// Files on disk that the compilation read, or looked for and did not find.
        dependencies: Vec<Dependency>,
    },
    /// An ELF object.
    Elf {
        /// The object, with its metadata in a note section.
        #[serde(with = "serde_bytes")]
        elf: Vec<u8>,
    },
    /// Code for people.
    Text {
        /// LLVM IR or assembly.
        text: String,
    },
    /// A failure, with its log.
    Failure {
        /// The kind.
        kind: FailureKind,
        /// For `CL_PROGRAM_BUILD_LOG`.
        log: String,
    },
}
