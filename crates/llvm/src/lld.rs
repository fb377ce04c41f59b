//! Linking ELF images in memory with lld, in process.
//!
//! Invariant: lld sees only the inputs given here, prints nothing and never ends the process. Links
//! run one after another, because lld keeps state in globals. Not here: the options of each target.

use std::ffi::{CString, c_char};

use crate::ffi::{LinkInput, MuxclLink, Sink, Text, collect, text};
use crate::module::cstr;
use crate::{LlvmError, fatal};

/// Links `inputs` (name and content: objects, archives, linker scripts) with these arguments of
/// `ld.lld`. The names of the inputs follow the arguments, in order.
///
/// # Errors
/// [`LlvmError::Link`] with lld's messages. A fatal error of lld (a damaged object) abandons the
/// calling thread ([`muxcl_os::reserve::abandon`]).
pub fn link_elf(options: &[&str], inputs: &[(&str, &[u8])]) -> Result<Vec<u8>, LlvmError> {
    fatal::install();
    let names: Vec<CString> = inputs.iter().map(|(name, _)| cstr(name)).collect();
    let raw: Vec<LinkInput<'_>> = inputs
        .iter()
        .map(|(name, data)| LinkInput { name: Text::of(name), data: Text::bytes(data) })
        .collect();
    // Single-threaded, so that a fatal error occurs on this thread.
    let fixed = ["--threads=1", "-o", "-", "--no-color-diagnostics"];
    let words: Vec<CString> =
        fixed.iter().chain(options).map(|a| cstr(a)).chain(names.iter().cloned()).collect();
    let args: Vec<*const c_char> = words.iter().map(|a| a.as_ptr()).collect();
    let mut errors: Vec<u8> = Vec::new();
    let (list, count) = (args.as_ptr(), args.len());
    // SAFETY: pointers and lengths are those of lists that live through the call.
    let (ok, image) = collect(|sink| unsafe {
        MuxclLink(list, count, raw.as_ptr(), raw.len(), sink, Sink::to(&mut errors))
    });
    if ok != 0 { Ok(image) } else { Err(LlvmError::Link(text(errors).trim_end().to_owned())) }
}
