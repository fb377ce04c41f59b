//! The operating system: memory maps, dynamic libraries, threads, helper processes, clocks. The
//! only crate with cfg(target_os).
//!
//! Invariant: every call here either succeeds or returns an [`OsError`] that names the failed call.
//! No call panics or installs signal handlers. The only process-wide changes are two `fork`
//! handlers: one counts forks, one waits for brief threads. Not here: policy. The caller decides
//! how many threads to run and what to map.
//!
//! # Examples
//! ```
//! use muxcl_os::{Mapping, Protection, page_size};
//!
//! let map = Mapping::new(100, Protection::ReadWrite)?; // whole pages
//! assert_eq!(map.len(), page_size());
//! // SAFETY: the mapping is writable and nothing else refers to it.
//! unsafe { map.as_ptr().write(42) };
//! map.protect(0..map.len(), Protection::Read)?;
//! // SAFETY: as above; it is readable still.
//! assert_eq!(unsafe { map.as_ptr().read() }, 42);
//! # Ok::<(), muxcl_os::OsError>(())
//! ```

mod channel;
mod clock;
mod cpu;
mod external;
mod file;
mod kept_text;
mod library;
mod map;
mod per_process;
mod process;
pub mod reserve;
mod signal;
mod stdout;
mod thread;
mod wait;

pub use channel::{
    Channel, MESSAGE_BYTES, MESSAGE_DESCRIPTORS, Message, Ready, Wake, share_bytes, shared_bytes,
};
pub use clock::{boot_ns, now_ns, resolution_ns};
pub use cpu::{
    Cache, CpuDomain, CpuInfo, available_cpus, cpu_groups, cpu_info, cpu_set, current_cpu, run_on,
    total_memory,
};
pub use external::{
    ExternalError, ExternalKind, ExternalMemory, close_descriptor, duplicate_descriptor,
};
pub use file::open_regular;
pub use kept_text::KeptText;
pub use library::{Library, MemoryLibrary, library_of};
pub use map::{Mapping, Protection, advise_huge, mark_executable_file, page_size};
pub use per_process::PerProcess;
pub use process::{Helper, end_process, has_more_rights, inherited_descriptor, process_descriptor};
pub use signal::{Fence, SharedSignal, Taken, wait_any};
pub use stdout::write_stdout;
pub use thread::{
    FpState, Stack, call_on_stack, fork_generation, futex_wait, futex_wake, spawn_brief,
    spawn_detached, spawn_joined, stack_remaining, thread_id, thread_name, thread_stack,
};
pub use wait::wait_readable;

/// A failed system call or library look-up.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OsError {
    call: &'static str,
    reason: String,
}

impl OsError {
    /// The error that the last system call of this thread left in `errno`.
    fn last(call: &'static str) -> Self {
        Self { call, reason: std::io::Error::last_os_error().to_string() }
    }

    fn new(call: &'static str, reason: impl Into<String>) -> Self {
        Self { call, reason: reason.into() }
    }
}

impl std::fmt::Display for OsError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}: {}", self.call, self.reason)
    }
}

impl std::error::Error for OsError {}
