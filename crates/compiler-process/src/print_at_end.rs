//! `--print-at-end`: writes a text of the application to standard error once it has ended, because
//! the driver runs no code at the end of the application's process.
//!
//! Invariant: it ends as soon as the application has ended, however that ended, so nobody who reads
//! the application's standard error waits for long.

use std::io::Write as _;
use std::os::fd::AsFd as _;

use muxcl_compiler_abi::wire;
use muxcl_os::{Channel, KeptText};

/// Waits for the application's end, and writes the text that it has kept.
pub(crate) fn run() -> ! {
    // SAFETY: the driver started this process with this descriptor, and nothing else uses it.
    let channel = unsafe { muxcl_os::inherited_descriptor(wire::CHANNEL) };
    // SAFETY: as above.
    let application = unsafe { muxcl_os::inherited_descriptor(wire::APPLICATION) };
    // SAFETY: as above.
    let text = unsafe { muxcl_os::inherited_descriptor(wire::TEXT) };
    let (Some(channel), Some(text)) = (channel, text) else { muxcl_os::end_process(2) };
    let channel = Channel::from(channel);
    loop {
        let ready = channel.wait(false, [application.as_ref().map(|fd| fd.as_fd()), None]);
        if ready.closed || ready.others[0] {
            break;
        }
    }
    let text = KeptText::read(text).unwrap_or_default();
    // A closed stderr is ignored.
    let _ = std::io::stderr().write_all(&text);
    muxcl_os::end_process(0)
}
