//! OpenCL C to LLVM IR with clang in process.
//!
//! The source and the application's headers stay in memory; `opencl-c-base.h` is embedded. `-I`
//! reaches the real file system, whose files an [`Opener`] may open. The result lists every file
//! that clang read or looked for there, so that a cached result can be checked.
//!
//! Invariant: no global state, no signal handlers, no LLVM command-line options. Bad input gives a
//! log, never a crash, if the calling thread has [`STACK_BYTES`] of stack (clang recurses on the
//! source's nesting). Not here: linking, builtins, optimisation (`muxcl-compiler`,
//! `muxcl-passes`).
//!
//! # Examples
//! ```
//! use muxcl_frontend_clang::options::{BuildOptions, Stage};
//! use muxcl_frontend_clang::{Input, compile};
//! use muxcl_llvm::Context;
//! # use muxcl_types::device::DeviceDesc;
//!
//! # let device = DeviceDesc {
//! #     id: "host".into(),
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
//! // `device` is a `DeviceDesc`.
//! let options = BuildOptions::parse("-cl-std=CL3.0", Stage::Build)?;
//! let context = Context::new();
//! let input = |source| Input { source, headers: &[], options: &options, device: &device,
//!     keep_names: true, directory: None, opener: None };
//! let output = compile(&context, &input(b"kernel void k(global int *p) { *p = 7; }"));
//! assert!(output.module.unwrap().function("k").is_some());
//! let output = compile(&context, &input(b"kernel void k() { x = 1; }"));
//! assert!(output.module.is_none() && output.log.contains("use of undeclared identifier 'x'"));
//! # Ok::<(), muxcl_frontend_clang::options::OptionsError>(())
//! ```

mod args;
pub mod options;
mod shim;

#[cfg(test)]
mod tests;

pub use args::{TRIPLE_32, TRIPLE_64};

use std::fmt;
use std::os::fd::OwnedFd;

use muxcl_llvm::{Context, Module};
use muxcl_types::device::DeviceDesc;
use options::BuildOptions;

/// Bytes of stack that a thread needs to call [`compile`]. The system provides pages as they are
/// touched.
pub const STACK_BYTES: usize = 256 << 20;

pub use muxcl_types::options::SOURCE_NAME;

/// The input of a compilation.
#[derive(Debug, Clone, Copy)]
pub struct Input<'a> {
    /// OpenCL C; any bytes.
    pub source: &'a [u8],
    /// Headers of the application: the name in `#include`, and the text.
    pub headers: &'a [(&'a str, &'a [u8])],
    /// Parsed options.
    pub options: &'a BuildOptions,
    /// The device to compile for.
    pub device: &'a DeviceDesc,
    /// Keep the names of values, for dumps of the IR.
    pub keep_names: bool,
    /// The directory to which paths are relative; `None`: the current directory of this process.
    pub directory: Option<&'a str>,
    /// What opens files of the real file system; `None`: this process.
    pub opener: Option<Opener<'a>>,
}

/// A function that opens files of the real file system for clang, by their absolute paths.
#[derive(Clone, Copy)]
pub struct Opener<'a>(pub &'a dyn Fn(&[u8]) -> Result<OwnedFd, NotOpened>);

/// Why a file is not opened.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NotOpened {
    /// A program may not include it. To clang there is no such file.
    Refused,
    /// The system's error.
    Error(i32),
}

impl fmt::Debug for Opener<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Opener")
    }
}

/// A file of the real file system that clang read or looked for, by the path that it opened, which
/// may be relative to the current directory.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct FileUse {
    /// The path.
    pub path: String,
    /// BLAKE3 of the content, or `None` if there was no such file.
    pub hash: Option<[u8; 32]>,
}

/// Result of a compilation.
#[derive(Debug)]
pub struct Output<'c> {
    /// The module, unless there were errors. Unoptimised.
    pub module: Option<Module<'c>>,
    /// Diagnostics exactly as clang prints them: file, line, column, source line, caret.
    pub log: String,
    /// Number of errors.
    pub errors: u32,
    /// Number of warnings.
    pub warnings: u32,
    /// Files of the real file system, sorted.
    pub files: Vec<FileUse>,
}

/// Compiles `input` into `context`.
#[must_use]
pub fn compile<'c>(context: &'c Context, input: &Input<'_>) -> Output<'c> {
    with_request(input, "-emit-llvm-only", |request| {
        // SAFETY: the context is borrowed and not Sync, so it is alive and no other thread is in
        // it.
        let (raw, report) = unsafe { shim::compile(request, context.raw()) };
        // SAFETY: the shim returns an owned module of this context, or null.
        let module = (!raw.is_null()).then(|| unsafe { Module::from_raw(context, raw) });
        output(module, report)
    })
}

/// The preprocessed text of `input`, and the log.
#[must_use]
pub fn preprocess(input: &Input<'_>) -> (Vec<u8>, Output<'static>) {
    with_request(input, "-E", |request| {
        let mut report = shim::preprocess(request);
        (std::mem::take(&mut report.text), output(None, report))
    })
}

fn with_request<T>(
    input: &Input<'_>,
    action: &str,
    run: impl FnOnce(&shim::Request<'_>) -> T,
) -> T {
    let own = args::DECLARED_HERE.iter().map(|header| (header.name, header.text));
    let mut files: Vec<(String, &[u8])> = std::iter::once(("opencl-c-base.h", OPENCL_C_BASE))
        .chain(own)
        .map(|(name, text)| (format!("{}/{name}", args::RESOURCE_INCLUDE), text))
        .collect();
    for &(name, text) in input.headers {
        let path = if name.starts_with('/') {
            name.to_owned()
        } else {
            format!("{}{name}", args::HEADERS)
        };
        files.push((path, text));
    }
    let args = args::cc1_args(action, input.keep_names, input.options, input.device, input.source);
    let macros = args::macros(input.options, input.device);
    run(&shim::Request {
        source: input.source,
        source_name: SOURCE_NAME,
        files: &files,
        directory: input.directory,
        opener: input.opener,
        memory_prefix: args::MEMORY,
        args: &args,
        macros: &macros,
        subgroup_pragma: args::declares_subgroups_early(input.options, input.device),
    })
}

fn output(module: Option<Module<'_>>, report: shim::Report) -> Output<'_> {
    let mut files: Vec<FileUse> =
        report.dependencies.into_iter().map(|(path, hash)| FileUse { path, hash }).collect();
    files.sort();
    files.dedup();
    Output {
        module,
        // Remove the in-memory directory from the names of the application's headers.
        log: String::from_utf8_lossy(&report.log).replace(args::HEADERS, ""),
        errors: report.errors,
        warnings: report.warnings,
        files,
    }
}

// The only header of clang that OpenCL C needs. The build script finds it in clang's resource
// folder.
const OPENCL_C_BASE: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/opencl-c-base.h"));
