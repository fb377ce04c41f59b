//! The compiler as a library in the application's process (`MUXCL_COMPILER=inline`).
//!
//! Invariant: only [`Library::send`] loads LLVM into the process. Not here: what requests contain.

use std::ffi::{CString, c_void};
use std::path::{Path, PathBuf};

use muxcl_compiler_abi::{ENTRY_SYMBOL, RequestFn};
use once_cell::sync::OnceCell;

use super::Failure;

/// The library's file, loaded at the first request.
#[derive(Debug)]
pub(super) struct Library {
    path: PathBuf,
    loaded: OnceCell<RequestFn>,
}

unsafe extern "C" fn sink(ctx: *mut c_void, bytes: *const u8, len: usize) {
    if ctx.is_null() || bytes.is_null() {
        return;
    }
    // SAFETY: `send` passed `ctx`, and no other code uses it during the call.
    let out = unsafe { &mut *ctx.cast::<Vec<u8>>() };
    // SAFETY: the compiler passes `len` valid bytes at `bytes`.
    let given = unsafe { std::slice::from_raw_parts(bytes, len) };
    if out.try_reserve_exact(len).is_ok() {
        out.extend_from_slice(given);
    }
}

impl Library {
    pub(super) fn new(path: PathBuf) -> Self {
        Self { path, loaded: OnceCell::new() }
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// Loads the library. A failure is not final: memory or the file may be available at the next
    /// request.
    fn load(&self) -> Result<&RequestFn, String> {
        self.loaded.get_or_try_init(|| {
            // SAFETY: the library is the compiler that came with the driver, or the one that the
            // user names.
            let library = unsafe { muxcl_os::Library::open(&self.path) }.map_err(|e| {
                tracing::error!(target: "cl::compiler", "{e}");
                e.to_string()
            })?;
            let name = CString::new(ENTRY_SYMBOL).unwrap_or_default();
            let symbol = library
                .symbol(&name)
                .ok_or_else(|| format!("{}: no symbol {ENTRY_SYMBOL}", self.path.display()))?;
            // SAFETY: by the contract of compiler-abi the symbol is a function of this type.
            Ok(unsafe { std::mem::transmute::<*const c_void, RequestFn>(symbol) })
        })
    }

    /// The encoded response to a request; loads the library the first time.
    ///
    /// # Errors
    /// `Unavailable` if the library cannot be loaded, `Internal` if it has another version or does
    /// not answer.
    pub(super) fn send(&self, request: &[u8]) -> Result<Vec<u8>, Failure> {
        let function = self
            .load()
            .map_err(|log| Failure::unavailable(format!("the compiler library: {log}")))?;
        let mut answer: Vec<u8> = Vec::new();
        let ctx = (&raw mut answer).cast();
        // SAFETY: the compiler's function, called as compiler-abi says. The callback uses `answer`
        // before the function returns.
        let code = unsafe { function(request.as_ptr(), request.len(), ctx, sink) };
        match code {
            1 => Err(Failure::other_version(&self.path)),
            _ => Ok(answer),
        }
    }
}
