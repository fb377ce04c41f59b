//! The traits that a target implements. A target trusts its arguments, because this crate has
//! checked them.
//!
//! Not here: order between command buffers. A target receives a [`Ready`] when its last semaphore
//! has been signalled.

use crate::profile;
use crate::queue::InFlight;
use crate::{
    AffinityDomain, AllocationType, CallbackInfo, Command, DeviceInfo, MuxError, SubmitHint,
};
use muxcl_types::operations::OperationCounts;
use muxcl_types::variant::Variant;
use std::any::Any;
use std::fmt::Debug;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

/// A device of a target. All functions may be called by any threads at the same time.
pub trait TargetDevice: Debug + Send + Sync {
    /// Description of the device, constant for its lifetime.
    fn info(&self) -> &DeviceInfo;
    /// Monotonic time in ns.
    fn timestamp(&self) -> u64;
    /// Allocates `size` bytes, aligned to `align` bytes. `size` is not 0, `align` is a power of
    /// two.
    ///
    /// # Errors
    /// `OutOfMemory`.
    fn allocate(
        &self,
        size: u64,
        align: u64,
        kind: AllocationType,
    ) -> Result<Arc<dyn TargetMemory>, MuxError>;
    /// Uses host memory in place.
    ///
    /// # Errors
    /// `FeatureUnsupported` unless overridden.
    ///
    /// # Safety
    /// The range stays valid while the result lives.
    unsafe fn import_host(
        &self,
        _ptr: *mut u8,
        _size: u64,
    ) -> Result<Arc<dyn TargetMemory>, MuxError> {
        Err(MuxError::FeatureUnsupported("host memory in place"))
    }
    /// Creates a sub-device of these compute units, which exist and are distinct.
    ///
    /// # Errors
    /// `FeatureUnsupported` unless overridden.
    fn sub_device(&self, _units: &[u32]) -> Result<Arc<dyn TargetDevice>, MuxError> {
        Err(MuxError::FeatureUnsupported("parts of a device"))
    }
    /// Disjoint groups of compute units that share `domain`; empty if the device has no such
    /// domain.
    fn affinity(&self, _domain: AffinityDomain) -> Vec<Vec<u32>> {
        Vec::new()
    }
    /// Creates a device-side queue of `size` bytes.
    ///
    /// # Errors
    /// `FeatureUnsupported` unless overridden; `OutOfMemory`.
    fn device_queue(&self, _size: u32) -> Result<Arc<dyn TargetDeviceQueue>, MuxError> {
        Err(MuxError::FeatureUnsupported("queues on the device"))
    }
    /// Loads an ELF object. Undefined symbols are resolved in `imports` first.
    ///
    /// # Errors
    /// `InvalidBinary` with the reason.
    fn load(
        &self,
        elf: &[u8],
        imports: &[Arc<dyn TargetExecutable>],
    ) -> Result<Arc<dyn TargetExecutable>, MuxError>;
    /// Keeps the device in use while the result lives, even without objects. `None` if keeping a
    /// device costs nothing.
    fn keep_in_use(&self) -> Option<Box<dyn Any + Send + Sync>> {
        None
    }
    /// The queue of the device.
    fn queue(&self) -> Arc<dyn TargetQueue>;
}

/// A range of device memory; freed on drop.
///
/// # Safety
/// If [`host_ptr`](Self::host_ptr) is an address, the [`size`](Self::size) bytes from there on are
/// valid for reads and writes while the object lives, and both values never change.
pub unsafe trait TargetMemory: Debug + Send + Sync {
    /// Size in bytes.
    fn size(&self) -> u64;
    /// Address for kernels.
    fn device_address(&self) -> u64;
    /// Address in this process, if the host can see the memory.
    fn host_ptr(&self) -> Option<*mut u8>;
    /// Makes host writes visible to the device. Nothing to do unless overridden: most memory is
    /// coherent, or the host does not see it.
    ///
    /// # Errors
    /// The device's failure.
    fn flush_to_device(&self, _offset: u64, _size: u64) -> Result<(), MuxError> {
        Ok(())
    }
    /// Makes device writes visible to the host. As [`Self::flush_to_device`].
    ///
    /// # Errors
    /// The device's failure.
    fn flush_from_device(&self, _offset: u64, _size: u64) -> Result<(), MuxError> {
        Ok(())
    }
    /// Copies the bytes from `offset` on to the host, synchronously. Targets whose memory the host
    /// cannot see override it.
    ///
    /// # Errors
    /// `InvalidValue` out of range, or the device's failure.
    fn read(&self, offset: u64, into: &mut [u8]) -> Result<(), MuxError> {
        let from = host_range(self, offset, into.len())?;
        // SAFETY: the range lies in the memory, which is valid by the trait's promise. `copy_to`
        // allows overlap; the application is responsible for concurrent accesses.
        unsafe { from.cast_const().copy_to(into.as_mut_ptr(), into.len()) };
        Ok(())
    }
    /// Copies bytes from the host to `offset`, synchronously. Targets whose memory the host cannot
    /// see override it.
    ///
    /// # Errors
    /// `InvalidValue` out of range, or the device's failure.
    fn write(&self, offset: u64, from: &[u8]) -> Result<(), MuxError> {
        let to = host_range(self, offset, from.len())?;
        // SAFETY: as in `read`.
        unsafe { to.copy_from(from.as_ptr(), from.len()) };
        Ok(())
    }
    /// The object as [`Any`], which the target downcasts to its own type.
    fn as_any(&self) -> &dyn Any;
}

/// The address of `bytes` bytes from `offset` on, all of them inside the memory.
fn host_range<M: TargetMemory + ?Sized>(
    memory: &M,
    offset: u64,
    bytes: usize,
) -> Result<*mut u8, MuxError> {
    let base = memory.host_ptr();
    let base = base.ok_or(MuxError::FeatureUnsupported("memory that the host cannot access"))?;
    let inside = offset.checked_add(bytes as u64).is_some_and(|end| end <= memory.size());
    match usize::try_from(offset) {
        Ok(offset) if inside => Ok(base.wrapping_add(offset)),
        _ => Err(MuxError::InvalidValue("range outside the memory")),
    }
}

/// A loaded ELF object; unloaded on drop.
pub trait TargetExecutable: Debug + Send + Sync {
    /// Entry points of the executable.
    fn variants(&self) -> &[Variant];
    /// The entry point `variants()[index]`, which keeps the executable loaded.
    ///
    /// # Errors
    /// `MissingKernel`.
    fn kernel(&self, index: usize) -> Result<Arc<dyn TargetKernel>, MuxError>;
    /// An object that cancels the kernels, if they have cancellation points. It lives as long as
    /// the code.
    fn cancellable(&self) -> Option<Arc<dyn Cancellable>> {
        None
    }
    /// The object as [`Any`], which the target downcasts to its own type.
    fn as_any(&self) -> &dyn Any;
}

/// Code with cancellation points.
pub trait Cancellable: Debug + Send + Sync {
    /// Ends running and future kernels at their next cancellation point.
    fn stop(&self);
}

/// An entry point of an executable, for one variant of a kernel.
pub trait TargetKernel: Debug + Send + Sync {
    /// Takes the operations that the kernel has counted since the last call, in all its launches.
    fn take_counts(&self) -> OperationCounts {
        OperationCounts::default()
    }
    /// The object as [`Any`], which the target downcasts to its own type.
    fn as_any(&self) -> &dyn Any;
}

/// A device-side queue, into which kernels enqueue kernels.
pub trait TargetDeviceQueue: Debug + Send + Sync {
    /// Handle of the queue in kernels; not 0.
    fn handle(&self) -> u64;
    /// The object as [`Any`], which the target downcasts to its own type.
    fn as_any(&self) -> &dyn Any;
}

/// The target's side of a queue.
pub trait TargetQueue: Debug + Send + Sync {
    /// Takes ready work. Must not execute it before returning, to avoid recursion through
    /// completions. Several command buffers may be submitted and run concurrently. With
    /// [`SubmitHint::CallerWaits`] the caller calls [`Self::help`] right after, so no thread need
    /// be woken.
    fn submit(&self, work: Ready, hint: SubmitHint);
    /// Runs ready work, or parts of running NDRanges, on the calling thread until `done()` is true
    /// or no work is left. Must not block.
    fn help(&self, done: &dyn Fn() -> bool);
    /// True if the target's own threads run all ready work, whatever waiting threads do. If false,
    /// a waiting thread calls [`Self::help`] from time to time instead of sleeping to the end: the
    /// system may have refused to start a thread for work that became ready meanwhile.
    fn runs_without_help(&self) -> bool;
    /// Runs all ready work on the calling thread if the system has refused to start a thread for
    /// it. Otherwise does nothing.
    fn help_if_refused(&self) {}
    /// Name of the device, for profiles.
    fn device_name(&self) -> &str {
        ""
    }
}

/// A command buffer whose dependencies are met. Dropping it unfinished fails the dispatch, so every
/// wait ends.
///
/// A target executes it as follows: `while let Some(i) = ready.advance(&clock) { run commands()[i];
/// on error ready.failed(e) }`, then [`Ready::done`]. [`Ready::advance`] handles callbacks, guards
/// and queries, which need no device.
#[derive(Debug)]
pub struct Ready {
    /// `None` once [`Self::drop_commands`] has dropped them.
    commands: Option<Arc<Vec<Command>>>,
    flight: Option<Arc<InFlight>>,
    /// Index of the next command for `advance`.
    at: usize,
    /// Guards before this index have been checked early.
    checked: usize,
    errors: Errors,
    /// With a profile, the kernel that runs.
    timed: Option<Timed>,
}

/// A kernel that runs: the index of its command, when it began, and whether it has failed.
#[derive(Debug)]
struct Timed {
    index: usize,
    begin: u64,
    failed: bool,
}

/// The errors of the commands that have run.
#[derive(Debug, Default)]
struct Errors {
    /// The first error since the last callback that takes errors.
    recent: Option<MuxError>,
    /// The first error of all.
    first: Option<MuxError>,
}

impl Errors {
    fn add(&mut self, error: MuxError) {
        if self.first.is_none() {
            self.first = Some(error.clone());
        }
        self.recent.get_or_insert(error);
    }
}

impl Ready {
    pub(crate) fn new(commands: Arc<Vec<Command>>, flight: Arc<InFlight>) -> Self {
        let commands = Some(commands);
        let errors = Errors::default();
        Self { commands, flight: Some(flight), at: 0, checked: 0, errors, timed: None }
    }

    /// The commands, in the order of execution. None after [`Self::drop_commands`].
    #[must_use]
    pub fn commands(&self) -> &[Command] {
        self.commands.as_deref().map_or(&[], Vec::as_slice)
    }

    /// The commands, as [`Self::commands`], shared with this value.
    #[must_use]
    pub fn shared_commands(&self) -> Option<Arc<Vec<Command>>> {
        self.commands.clone()
    }

    /// Looks at command `index`, which follows the ones that run. True if it needs no device, and
    /// the commands after it may begin before [`Self::advance`] reaches it. A guard is checked here
    /// then, and not again.
    pub fn pass_early(&mut self, index: usize) -> bool {
        match self.commands().get(index) {
            Some(Command::UserCallback(callback)) => callback.is_notification(),
            Some(Command::Guard { condition, .. }) => {
                let passed = index < self.checked
                    || catch_unwind(AssertUnwindSafe(|| condition.check_early())).unwrap_or(false);
                if passed {
                    self.checked = self.checked.max(index + 1);
                }
                passed
            }
            Some(Command::BeginQuery { .. } | Command::EndQuery { .. }) => true,
            _ => false,
        }
    }

    /// Executes callbacks, guards and queries up to the next command for the device, and returns
    /// its index; `None` if no command is left. `clock` is the device's (see
    /// [`TargetDevice::timestamp`]). A panic of a callback or condition counts as its error.
    pub fn advance(&mut self, clock: &dyn Fn() -> u64) -> Option<usize> {
        self.end_timed(clock);
        loop {
            let index = self.at;
            let command = self.commands.as_ref()?.get(index)?;
            self.at += 1;
            match command {
                Command::UserCallback(callback) => {
                    // The callback may end the application's wait for the launches before it, and
                    // the application may end then.
                    if let Some(profile) = profile::active() {
                        profile.report(false);
                    }
                    let error = match &self.errors.recent {
                        Some(_) if callback.takes_error() => self.errors.recent.take(),
                        _ => None,
                    };
                    let info = CallbackInfo { error };
                    if catch_unwind(AssertUnwindSafe(|| callback.call(&info))).is_err() {
                        self.errors.add(MuxError::Internal("a callback panicked".into()));
                    }
                }
                Command::Guard { .. } if index < self.checked => {}
                Command::Guard { condition, skip } => {
                    let panicked = |_| Err(MuxError::Internal("a condition panicked".into()));
                    if let Err(error) = catch_unwind(AssertUnwindSafe(|| condition.check()))
                        .unwrap_or_else(panicked)
                    {
                        self.at = self.at.saturating_add(*skip);
                        self.errors.add(error);
                    }
                }
                Command::BeginQuery { pool, index } => pool.record_start(*index, clock()),
                Command::EndQuery { pool, index } => pool.record_end(*index, clock()),
                Command::ResetQueryPool { pool, index, count } => pool.reset(*index, *count),
                Command::NdRange(_) if profile::active().is_some() => {
                    self.timed = Some(Timed { index, begin: clock(), failed: false });
                    return Some(index);
                }
                _ => return Some(index),
            }
        }
    }

    /// Adds the kernel that has run to the profile.
    fn end_timed(&mut self, clock: &dyn Fn() -> u64) {
        let Some(timed) = self.timed.take() else { return };
        let device = self.flight.as_ref().map_or("", |flight| flight.device_name());
        if let Some(profile) = profile::active()
            && let Some(Command::NdRange(launch)) = self.commands().get(timed.index)
        {
            profile.add(device, launch, clock().saturating_sub(timed.begin), timed.failed);
        }
    }

    /// Records for a surrounding duration query that the kernel of command `index` has ended.
    /// Commands that it enqueued may still run.
    pub fn own_end(&self, index: usize, now: u64) {
        if let Some(Command::EndQuery { pool, index }) = self.commands().get(index + 1) {
            pool.record_own_end(*index, now);
        }
    }

    /// Records that the command which `advance` returned last has failed. Later commands still run.
    /// The error goes to the next `UserCallback` that takes errors (in its `CallbackInfo`), and the
    /// first error of all to the dispatch's completion.
    pub fn failed(&mut self, error: MuxError) {
        if let Some(timed) = &mut self.timed {
            timed.failed = true;
        }
        self.errors.add(error);
    }

    /// Drops the commands, all of which have run. If they hold the last reference to a memory
    /// object, the application's destructor callbacks run on this thread, and may block it.
    pub fn drop_commands(&mut self) {
        self.commands = None;
    }

    /// [`Ready::finish`] with the first error passed to [`Ready::failed`].
    pub fn done(mut self) {
        let result = self.errors.first.take().map_or(Ok(()), Err);
        self.finish(result);
    }

    /// Completes the dispatch with `result`: calls the completion callback and starts waiting
    /// dispatches.
    pub fn finish(mut self, result: Result<(), MuxError>) {
        if let Some(flight) = self.flight.take() {
            if let Some(profile) = profile::active() {
                profile.report(false);
            }
            // Commands may hold the last reference to memory and programs. Drop them before the
            // completion, so that a waiting thread finds the memory free.
            self.drop_commands();
            flight.complete(result);
        }
    }
}

impl Drop for Ready {
    fn drop(&mut self) {
        if let Some(flight) = self.flight.take() {
            flight.complete(Err(MuxError::Internal(
                "command buffer was dropped by its target".into(),
            )));
        }
    }
}
