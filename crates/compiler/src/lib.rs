//! The compiler of the program `muxcl-compiler` and of `libmuxcl_compiler.so`: [`Target`],
//! [`Session`], [`Program`] and the steps compile, link, finalise, specialise and binary.
//!
//! ```text
//! source --compile--> Program (object: a container of bitcode)
//!        --link-----> Program (linked, with the library's functions)
//!        --finalise-> Executable --specialise--> ELF for each kernel
//!                                --generic-----> ELF of a program binary
//! ```
//!
//! Invariant: a result is a pure function of source, options, device and this build; every request
//! has an LLVM context of its own, so requests run at the same time on any threads; no panic leaves
//! the crate, and no global LLVM option changes. Not here: OpenCL's error codes (`muxcl-cl`), the
//! kernel passes (`muxcl-passes`), code generation (`muxcl-target-host`).
//!
//! # Examples
//! ```
//! use muxcl_compiler::{Kernel, Session, Source, Target};
//! use muxcl_frontend_clang::options::Stage;
//! # use muxcl_types::device::DeviceDesc;
//! use muxcl_types::variant::SpecializationKey;
//!
//! # let device = DeviceDesc {
//! #     id: format!("host-{}", std::env::consts::ARCH),
//! #     cpu: String::new(),      // this machine's
//! #     features: String::new(), // this machine's
//! #     address_bits: 64,
//! #     extensions: Vec::new(),
//! #     c_features: vec!["__opencl_c_int64".into()],
//! #     images: false,
//! #     max_work_group_size: 1024,
//! #     local_mem_bytes: 32 << 10,
//! #     hal: None,
//! #     requirements: Default::default(),
//! #     vecz: Default::default(),
//! # };
//! // `device` is the `DeviceDesc` of the host.
//! let session = Session::new(Target::new(&device)?);
//! let text = muxcl_compiler_abi::Source::of_c("kernel void k(global int *p) { *p = 7; }");
//! let source = Source { program: &text, options: "", stage: Stage::Build };
//! let program = session.compile(&source)?.value;
//! let binary = session.finalise(program)?.value.binary;
//! let kernel = Kernel { bitcode: &binary.bitcode, info: &binary.info, options: "" };
//! let elf = session.specialise(&kernel, "k", &SpecializationKey::default())?;
//! assert!(elf.starts_with(b"\x7fELF"));
//! # Ok::<(), muxcl_compiler::CompileError>(())
//! ```

mod builtins;
mod error;
mod finalise;
mod link;
mod program;
mod request;
mod target;
mod worker;

#[cfg(test)]
mod tests;

pub use builtins::Library;
pub use error::{CompileError, Outcome};
pub use finalise::{Executable, Kernel};
pub use muxcl_frontend_clang::{NotOpened, Opener};
pub use program::{Program, Session, Source};
pub use request::{
    STATUS_BUG, STATUS_OK, STATUS_UNREADABLE, answer, expect, handle, handle_in_place, own_process,
};
pub use target::Target;
pub use worker::run as run_on_large_stack;
