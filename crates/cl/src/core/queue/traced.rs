//! A command in a trace of the process: it takes the times and adds them to the queue's track.
//!
//! Invariant: a command that is skipped, because one of its dependencies failed, is not in the
//! trace. Not here: the format of the trace (`muxcl_trace`).

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};

use muxcl_cl_sys as sys;
use muxcl_cl_sys::cl_command_type;
use muxcl_mux as mux;
use muxcl_trace::{CommandTimes, QueueTrack};

/// A command with its times. It is recorded as a callback twice, before and after the command's Mux
/// commands, and takes the begin and the end.
#[derive(Debug)]
pub struct TracedCommand {
    track: Arc<QueueTrack>,
    command: cl_command_type,
    /// Name of the kernel of a launch.
    kernel: OnceLock<String>,
    /// Number of the trace's arrow from the API call to this command.
    flow: u64,
    queued: u64,
    submitted: AtomicU64,
    /// 0 before the command begins.
    begin: AtomicU64,
}

impl TracedCommand {
    /// A command that is being enqueued by the calling thread.
    pub(super) fn new(track: Arc<QueueTrack>, command: cl_command_type) -> Self {
        Self {
            track,
            command,
            kernel: OnceLock::new(),
            flow: muxcl_trace::origin(),
            queued: muxcl_os::now_ns(),
            submitted: AtomicU64::new(0),
            begin: AtomicU64::new(0),
        }
    }

    /// Sets the name of the kernel, if the command is a launch.
    pub(super) fn set_kernel(&self, kernel: Option<&str>) {
        if let Some(kernel) = kernel {
            let _ = self.kernel.set(kernel.to_owned());
        }
    }

    /// Records that the command is submitted to the device.
    pub(super) fn submitted(&self) {
        self.submitted.store(muxcl_os::now_ns(), Ordering::Relaxed);
    }
}

impl mux::Callback for TracedCommand {
    fn call(&self, _: &mux::CallbackInfo) {
        let now = muxcl_os::now_ns();
        let begin = self.begin.load(Ordering::Relaxed);
        if begin == 0 {
            self.begin.store(now, Ordering::Relaxed);
            return;
        }
        let submitted = self.submitted.load(Ordering::Relaxed).clamp(self.queued, begin);
        let times = CommandTimes { queued: self.queued, submitted, begin, end: now };
        let name = self.kernel.get().map_or_else(|| name(self.command), String::as_str);
        self.track.command(name, times, Some(self.flow));
    }

    fn takes_error(&self) -> bool {
        false
    }
}

/// Adds a command that the calling thread has run itself, since `begin`.
pub(super) fn ran_on_caller(track: &QueueTrack, command: cl_command_type, begin: u64) {
    let end = muxcl_os::now_ns();
    let times = CommandTimes { queued: begin, submitted: begin, begin, end };
    track.command(name(command), times, None);
}

macro_rules! names {
    ($command:expr, $($name:ident)*) => {
        match $command {
            $(sys::$name => stringify!($name),)*
            _ => "command",
        }
    };
}

/// The name of a type of command.
fn name(command: cl_command_type) -> &'static str {
    names!(command,
        CL_COMMAND_NDRANGE_KERNEL CL_COMMAND_TASK CL_COMMAND_NATIVE_KERNEL CL_COMMAND_READ_BUFFER
        CL_COMMAND_WRITE_BUFFER CL_COMMAND_COPY_BUFFER CL_COMMAND_READ_IMAGE CL_COMMAND_WRITE_IMAGE
        CL_COMMAND_COPY_IMAGE CL_COMMAND_COPY_IMAGE_TO_BUFFER CL_COMMAND_COPY_BUFFER_TO_IMAGE
        CL_COMMAND_MAP_BUFFER CL_COMMAND_MAP_IMAGE CL_COMMAND_UNMAP_MEM_OBJECT CL_COMMAND_MARKER
        CL_COMMAND_READ_BUFFER_RECT CL_COMMAND_WRITE_BUFFER_RECT CL_COMMAND_COPY_BUFFER_RECT
        CL_COMMAND_BARRIER CL_COMMAND_MIGRATE_MEM_OBJECTS CL_COMMAND_FILL_BUFFER
        CL_COMMAND_FILL_IMAGE CL_COMMAND_SVM_FREE CL_COMMAND_SVM_MEMCPY CL_COMMAND_SVM_MEMFILL
        CL_COMMAND_SVM_MAP CL_COMMAND_SVM_UNMAP CL_COMMAND_SVM_MIGRATE_MEM
        CL_COMMAND_COMMAND_BUFFER_KHR CL_COMMAND_ACQUIRE_EXTERNAL_MEM_OBJECTS_KHR
        CL_COMMAND_RELEASE_EXTERNAL_MEM_OBJECTS_KHR CL_COMMAND_SEMAPHORE_WAIT_KHR
        CL_COMMAND_SEMAPHORE_SIGNAL_KHR CL_COMMAND_MEMFILL_INTEL CL_COMMAND_MEMCPY_INTEL
        CL_COMMAND_MIGRATEMEM_INTEL CL_COMMAND_MEMADVISE_INTEL
    )
}
