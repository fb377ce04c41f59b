//! Safe wrappers of the C functions in `cpp/clang_shim.h`: slices in, strings out, callbacks that
//! cannot unwind into C++.
//!
//! Invariant: this is the only file of the crate with `unsafe`; layouts match the C header field by
//! field.

use std::ffi::{CString, c_char, c_int, c_void};
use std::marker::PhantomData;
use std::os::fd::IntoRawFd as _;

use crate::{NotOpened, Opener};

#[repr(C)]
#[derive(Clone, Copy)]
struct Bytes<'a> {
    ptr: *const c_char,
    len: usize,
    life: PhantomData<&'a [u8]>,
}

#[repr(C)]
struct MemoryFile<'a> {
    path: Bytes<'a>,
    data: Bytes<'a>,
}

#[repr(C)]
struct RawMacro<'a> {
    text: Bytes<'a>,
    undefined: c_int,
}

#[repr(C)]
struct RawRequest<'a> {
    source: Bytes<'a>,
    source_name: *const c_char,
    files: *const MemoryFile<'a>,
    num_files: usize,
    directory: *const c_char,
    memory_prefix: *const c_char,
    args: *const *const c_char,
    num_args: usize,
    macros: *const RawMacro<'a>,
    num_macros: usize,
    subgroup_pragma: c_int,
    user: *mut c_void,
    open: Option<extern "C" fn(*mut c_void, Bytes<'_>) -> c_int>,
    log: Option<extern "C" fn(*mut c_void, Bytes<'_>)>,
    dependency: Option<extern "C" fn(*mut c_void, Bytes<'_>, i32, Bytes<'_>)>,
}

#[repr(C)]
struct RawResult {
    module: *mut c_void,
    errors: u32,
    warnings: u32,
}

unsafe extern "C" {
    fn muxcl_clang_compile(request: *const RawRequest<'_>, context: *mut c_void) -> RawResult;
    fn muxcl_clang_preprocess(
        request: *const RawRequest<'_>,
        text: extern "C" fn(*mut c_void, Bytes<'_>),
    ) -> u32;
}

/// A macro of the device.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Macro<'a> {
    /// Defined as 1.
    One(&'a str),
    /// Defined: name, `=` and value.
    Defined(&'a str),
    /// Undefined.
    Undefined(&'a str),
}

/// One translation unit for clang.
pub(crate) struct Request<'a> {
    pub(crate) source: &'a [u8],
    pub(crate) source_name: &'a str,
    /// Path and content of in-memory files.
    pub(crate) files: &'a [(String, &'a [u8])],
    /// Relative paths are relative to it; `None`: the current directory.
    pub(crate) directory: Option<&'a str>,
    pub(crate) opener: Option<Opener<'a>>,
    pub(crate) memory_prefix: &'a str,
    pub(crate) args: &'a [String],
    /// Macros of the device, processed before the macros in `args`.
    pub(crate) macros: &'a [Macro<'a>],
    /// True if `#pragma OPENCL EXTENSION cl_khr_subgroups` is accepted below OpenCL C 2.0.
    pub(crate) subgroup_pragma: bool,
}

/// The output of a clang call besides the module.
#[derive(Default)]
pub(crate) struct Report {
    pub(crate) log: Vec<u8>,
    pub(crate) errors: u32,
    pub(crate) warnings: u32,
    /// Paths, each with the hash of the content, or `None` for a missing file.
    pub(crate) dependencies: Vec<(String, Option<[u8; 32]>)>,
    pub(crate) text: Vec<u8>,
}

/// Compiles into `context`, an `LLVMContextRef`; the module, if there are no errors, is an owned
/// `LLVMModuleRef`.
///
/// # Safety
/// `context` is a live LLVM context that no other thread uses meanwhile.
pub(crate) unsafe fn compile(request: &Request<'_>, context: *mut c_void) -> (*mut c_void, Report) {
    with_raw(request, |raw| {
        // SAFETY: `raw` lives through the call; the context is the caller's promise.
        let result = unsafe { muxcl_clang_compile(raw, context) };
        (result.module, result.errors, result.warnings)
    })
}

/// Preprocesses; the text is in the report.
pub(crate) fn preprocess(request: &Request<'_>) -> Report {
    let ((), report) = with_raw(request, |raw| {
        // SAFETY: `raw` lives through the call.
        let errors = unsafe { muxcl_clang_preprocess(raw, on_text) };
        ((), errors, 0)
    });
    report
}

fn with_raw<T>(
    request: &Request<'_>,
    call: impl FnOnce(*const RawRequest<'_>) -> (T, u32, u32),
) -> (T, Report) {
    // Options contain no NUL. A NUL in another argument truncates it, and clang then reports the
    // missing rest.
    let c_string =
        |s: &str| CString::new(s.split('\0').next().unwrap_or_default()).unwrap_or_default();
    let args: Vec<CString> = request.args.iter().map(|a| c_string(a)).collect();
    let arg_pointers: Vec<*const c_char> = args.iter().map(|a| a.as_ptr()).collect();
    let files: Vec<MemoryFile<'_>> = request
        .files
        .iter()
        .map(|(path, data)| MemoryFile { path: bytes(path.as_bytes()), data: bytes(data) })
        .collect();
    let macros: Vec<RawMacro<'_>> = request
        .macros
        .iter()
        .map(|m| {
            let (text, undefined) = match *m {
                // Clang defines a macro without `=` as 1.
                Macro::One(text) | Macro::Defined(text) => (text, false),
                Macro::Undefined(name) => (name, true),
            };
            RawMacro { text: bytes(text.as_bytes()), undefined: undefined.into() }
        })
        .collect();
    let name = c_string(request.source_name);
    let directory = request.directory.map(c_string);
    let prefix = c_string(request.memory_prefix);
    let mut call_state = CallState { report: Report::default(), opener: request.opener };
    let user: *mut CallState<'_> = &raw mut call_state;
    let raw = RawRequest {
        source: bytes(request.source),
        source_name: name.as_ptr(),
        files: files.as_ptr(),
        num_files: files.len(),
        directory: directory.as_ref().map_or(std::ptr::null(), |d| d.as_ptr()),
        memory_prefix: prefix.as_ptr(),
        args: arg_pointers.as_ptr(),
        num_args: arg_pointers.len(),
        macros: macros.as_ptr(),
        num_macros: macros.len(),
        subgroup_pragma: request.subgroup_pragma.into(),
        user: user.cast(),
        open: request.opener.map(|_| on_open as extern "C" fn(*mut c_void, Bytes<'_>) -> c_int),
        log: Some(on_log),
        dependency: Some(on_dependency),
    };
    let (value, errors, warnings) = call(&raw const raw);
    let mut report = call_state.report;
    report.errors = errors;
    report.warnings = warnings;
    (value, report)
}

fn bytes(slice: &[u8]) -> Bytes<'_> {
    Bytes { ptr: slice.as_ptr().cast(), len: slice.len(), life: PhantomData }
}

impl<'a> Bytes<'a> {
    fn as_slice(&self) -> &'a [u8] {
        if self.len == 0 {
            return &[];
        }
        // SAFETY: the shim passes pointer and length of one buffer that lives during the callback.
        unsafe { std::slice::from_raw_parts(self.ptr.cast::<u8>(), self.len) }
    }
}

/// What the callbacks of a call use.
struct CallState<'a> {
    report: Report,
    opener: Option<Opener<'a>>,
}

/// The result of the callback that opens files, for a file that programs may not include.
const REFUSED: c_int = c_int::MIN;

// The callbacks cannot panic: a failed allocation aborts or parks the thread, never unwinds.
fn call_state<'a>(user: *mut c_void) -> &'a mut CallState<'a> {
    // SAFETY: `user` is the `CallState` of `with_raw`, which nothing else touches during the call.
    unsafe { &mut *user.cast::<CallState<'_>>() }
}

fn report<'a>(user: *mut c_void) -> &'a mut Report {
    &mut call_state(user).report
}

extern "C" fn on_open(user: *mut c_void, path: Bytes<'_>) -> c_int {
    let Some(Opener(open)) = call_state(user).opener else { return REFUSED };
    match open(path.as_slice()) {
        Ok(file) => file.into_raw_fd(),
        Err(NotOpened::Error(number)) if number > 0 => -number,
        Err(_) => REFUSED,
    }
}

extern "C" fn on_log(user: *mut c_void, text: Bytes<'_>) {
    report(user).log.extend_from_slice(text.as_slice());
}

extern "C" fn on_text(user: *mut c_void, text: Bytes<'_>) {
    report(user).text.extend_from_slice(text.as_slice());
}

extern "C" fn on_dependency(user: *mut c_void, path: Bytes<'_>, present: i32, data: Bytes<'_>) {
    let path = String::from_utf8_lossy(path.as_slice()).into_owned();
    let hash = (present != 0).then(|| *blake3::hash(data.as_slice()).as_bytes());
    report(user).dependencies.push((path, hash));
}
