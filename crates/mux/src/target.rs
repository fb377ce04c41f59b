//! What a target implements. It trusts its arguments: the front (this crate) has checked them.
//!
//! Not here: order between command buffers. A target is given a [`Ready`] only when all it waits for has happened.

use crate::queue::InFlight;
use crate::{AllocationType, Command, DeviceInfo, MuxError, SubmitHint};
use muxcl_types::variant::Variant;
use std::any::Any;
use std::fmt::Debug;
use std::sync::Arc;

/// A device.
pub trait TargetDevice: Debug + Send + Sync {
    /// Facts; the same reference content for the device's lifetime.
    fn info(&self) -> &DeviceInfo;
    /// Monotonic ns.
    fn timestamp(&self) -> u64;
    /// Allocates; `size` is not 0, `align` a power of two. A failure is `OutOfMemory`, never an abort.
    ///
    /// # Errors
    /// `OutOfMemory`.
    fn allocate(&self, size: u64, align: u64, kind: AllocationType) -> Result<Arc<dyn TargetMemory>, MuxError>;
    /// Uses host memory in place.
    ///
    /// # Errors
    /// `FeatureUnsupported` unless overridden.
    ///
    /// # Safety
    /// The range stays valid while the result lives.
    unsafe fn import_host(&self, _ptr: *mut u8, _size: u64) -> Result<Arc<dyn TargetMemory>, MuxError> {
        Err(MuxError::FeatureUnsupported("host memory in place"))
    }
    /// Loads an ELF object, resolving undefined symbols in `imports` first.
    ///
    /// # Errors
    /// `InvalidBinary` with the reason.
    fn load(&self, elf: &[u8], imports: &[Arc<dyn TargetExecutable>]) -> Result<Arc<dyn TargetExecutable>, MuxError>;
    /// The one queue.
    fn queue(&self) -> Arc<dyn TargetQueue>;
}

/// A range of device memory; freed on drop.
pub trait TargetMemory: Debug + Send + Sync {
    /// Bytes.
    fn size(&self) -> u64;
    /// Address for kernels.
    fn device_address(&self) -> u64;
    /// Address in this process, if any.
    fn host_ptr(&self) -> Option<*mut u8>;
    /// Host writes become visible to the device.
    ///
    /// # Errors
    /// The device's failure.
    fn flush_to_device(&self, offset: u64, size: u64) -> Result<(), MuxError>;
    /// Device writes become visible to the host.
    ///
    /// # Errors
    /// The device's failure.
    fn flush_from_device(&self, offset: u64, size: u64) -> Result<(), MuxError>;
    /// For the target to find its own type again.
    fn as_any(&self) -> &dyn Any;
}

/// A loaded ELF object; unloaded on drop.
pub trait TargetExecutable: Debug + Send + Sync {
    /// Its entry points.
    fn variants(&self) -> &[Variant];
    /// The entry point of `variants()[index]`; keeps the executable loaded.
    ///
    /// # Errors
    /// `MissingKernel`.
    fn kernel(&self, index: usize) -> Result<Arc<dyn TargetKernel>, MuxError>;
    /// For the target to find its own type again.
    fn as_any(&self) -> &dyn Any;
}

/// A kernel's entry point.
pub trait TargetKernel: Debug + Send + Sync {
    /// For the target to find its own type again.
    fn as_any(&self) -> &dyn Any;
}

/// Where ready work goes.
pub trait TargetQueue: Debug + Send + Sync {
    /// Takes ready work. Never executes it before returning (no recursion through completions); any number may be given at
    /// once and they may all run at the same time. With [`SubmitHint::CallerWaits`] the caller will call [`Self::help`] at once,
    /// so no thread need be woken for it.
    fn submit(&self, work: Ready, hint: SubmitHint);
    /// Lends the calling thread: executes ready work (or parts of running NDRanges) until `done()`, or until there is nothing to
    /// do right now. Must not block.
    fn help(&self, done: &dyn Fn() -> bool);
}

/// A command buffer whose waits are over. Dropping it unfinished fails the dispatch, so nothing ever waits in vain.
#[derive(Debug)]
pub struct Ready {
    commands: Arc<Vec<Command>>,
    flight: Option<Arc<InFlight>>,
}

impl Ready {
    pub(crate) fn new(commands: Arc<Vec<Command>>, flight: Arc<InFlight>) -> Self {
        Self { commands, flight: Some(flight) }
    }

    /// What to execute, in order. A failed command does not stop the ones behind it: its error goes to the next
    /// `UserCallback` (in its `CallbackInfo`) and, the first of them, to [`Ready::finish`].
    #[must_use]
    pub fn commands(&self) -> &[Command] {
        &self.commands
    }

    /// All commands have run. Calls the completion callback and starts what waited for this.
    pub fn finish(mut self, result: Result<(), MuxError>) {
        if let Some(flight) = self.flight.take() {
            // Commands may hold the last reference to memory and programs: let go before anyone is told.
            self.commands = Arc::new(Vec::new());
            flight.complete(result);
        }
    }
}

impl Drop for Ready {
    fn drop(&mut self) {
        if let Some(flight) = self.flight.take() {
            flight.complete(Err(MuxError::Internal("command buffer was dropped by its target".into())));
        }
    }
}
