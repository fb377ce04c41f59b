//! Linking ELF images in memory with lld, in process.
//!
//! Invariant: lld sees the inputs given here and no file, prints nothing and never ends the
//! process; links run one after another (lld keeps state in globals). Not here: which options a
//! target wants.

use std::ffi::{CString, c_char};

use crate::LlvmError;
use crate::ffi::{MuxclLink, RawInput, append, collect, cstr, text};

/// Links `inputs` (name and content: objects, archives, linker scripts) with these arguments of
/// `ld.lld`; the inputs are arguments too, in their order, behind the others.
///
/// # Errors
/// [`LlvmError::Link`] with what lld says.
pub fn link_elf(options: &[&str], inputs: &[(&str, &[u8])]) -> Result<Vec<u8>, LlvmError> {
    let names: Vec<CString> = inputs.iter().map(|(name, _)| cstr(name)).collect();
    let raw: Vec<RawInput> = names
        .iter()
        .zip(inputs)
        .map(|(name, (_, data))| RawInput {
            name: name.as_ptr(),
            data: data.as_ptr().cast(),
            len: data.len(),
        })
        .collect();
    // On one thread, so that a fatal error can be jumped out of.
    let fixed = ["--threads=1", "-o", "-", "--no-color-diagnostics"];
    let args: Vec<CString> =
        fixed.iter().chain(options).map(|a| cstr(a)).chain(names.iter().cloned()).collect();
    let args: Vec<*const c_char> = args.iter().map(|a| a.as_ptr()).collect();
    let mut error: Vec<u8> = Vec::new();
    let error_ctx: *mut Vec<u8> = &raw mut error;
    let (ok, image) = collect(|sink, ctx| {
        ll!(MuxclLink(
            args.as_ptr(),
            args.len(),
            raw.as_ptr(),
            raw.len(),
            sink,
            ctx,
            append,
            error_ctx.cast()
        ))
    });
    if ok != 0 { Ok(image) } else { Err(LlvmError::Link(text(error).trim_end().to_owned())) }
}
