//! A text that is written to standard error when the application has ended, by a process that the
//! application does not notice (`compiler_abi::wire::PRINT`). The driver itself runs no code at the
//! end of the application's process.
//!
//! Invariant: the text is written after the application's last output, also if the application is
//! killed. Not here: what the text says.

use std::ffi::CString;
use std::os::fd::AsFd as _;
use std::os::unix::ffi::OsStrExt as _;
use std::path::Path;

use muxcl_compiler_abi::wire;
use muxcl_config::MUXCL_COMPILER;
use muxcl_os::{Channel, Helper, KeptText, OsError};

/// The text of this process. Dropping it has the text written at once.
#[derive(Debug)]
pub struct PrintAtEnd {
    text: KeptText,
    /// Its end tells the process that the application has ended.
    _channel: Channel,
}

impl PrintAtEnd {
    /// Starts the process, with no text yet.
    ///
    /// # Errors
    /// A sentence: no process can be started, or should not be (`MUXCL_COMPILER=inline`).
    pub fn start() -> Result<Self, String> {
        if MUXCL_COMPILER.get().as_deref() == Some("inline") {
            return Err("MUXCL_COMPILER=inline starts no process".to_owned());
        }
        let program = super::program().ok_or("the program muxcl-compiler is not installed")?;
        Self::start_program(&program).map_err(|error| format!("{}: {error}", program.display()))
    }

    fn start_program(program: &Path) -> Result<Self, OsError> {
        let program = CString::new(program.as_os_str().as_bytes()).unwrap_or_default();
        let print = CString::new(wire::PRINT).unwrap_or_default();
        let text = KeptText::new()?;
        let (channel, theirs) = Channel::pair()?;
        // Before Linux 5.3, the end of the channel alone says that the application has ended.
        let own = muxcl_os::process_descriptor();
        let own = own.as_ref().map_or(theirs.as_fd(), |own| own.as_fd());
        Helper {
            program: &program,
            arguments: &[&program, &print],
            environment: &[],
            descriptors: &[theirs.as_fd(), own, text.as_fd()],
            stderr: true,
        }
        .start()?;
        Ok(Self { text, _channel: channel })
    }

    /// Replaces the text.
    ///
    /// # Errors
    /// If the system has no memory left. The old text remains.
    pub fn set(&mut self, text: &str) -> Result<(), OsError> {
        self.text.set(text)
    }
}
