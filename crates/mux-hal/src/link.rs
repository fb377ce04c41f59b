//! A HAL device in use.
//!
//! Invariants: the device is taken from its HAL at the first need, not when devices are counted;
//! one call is under way at a time, whatever the HAL promises; memory and programs are given back
//! at once if the device is free, else by whoever uses it next, so that dropping never waits for a
//! kernel. Not here: what is called for.

use muxcl_hal::counters::CounterDescription;
use muxcl_hal::profiler::{DEFAULT_PATH, Profiler};
use muxcl_hal::{Device, Hal, HalError, Program};
use muxcl_lock::{Mutex, Rank};
use muxcl_mux::MuxError;
use once_cell::sync::OnceCell;
use std::fmt;
use std::fs::File;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// How often the device was asked for what costs something.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Statistics {
    /// Programs uploaded.
    pub programs: u64,
    /// Kernels run.
    pub launches: u64,
    /// Allocations.
    pub allocations: u64,
}

/// What is to be given back.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Garbage {
    Memory(u64),
    Program(Program),
}

/// See the module.
pub(crate) struct Link {
    name: String,
    hal: Arc<dyn Hal>,
    index: u32,
    device: OnceCell<Box<dyn Device>>,
    counters: Vec<CounterDescription>,
    calls: Mutex<Option<Profiler<File>>>,
    garbage: Mutex<Vec<Garbage>>,
    programs: AtomicU64,
    launches: AtomicU64,
    allocations: AtomicU64,
}

impl fmt::Debug for Link {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Link").field("name", &self.name).finish_non_exhaustive()
    }
}

/// A HAL's error as Mux has it.
pub(crate) fn mux_error(error: HalError) -> MuxError {
    match error {
        HalError::OutOfMemory { .. } => MuxError::OutOfMemory,
        HalError::Program(reason) => MuxError::InvalidBinary(reason),
        HalError::NoKernel(name) => MuxError::MissingKernel(name),
        other => MuxError::DeviceFault(other.to_string()),
    }
}

impl Link {
    pub(crate) fn new(
        hal: Arc<dyn Hal>,
        index: u32,
        name: String,
        counters: Vec<CounterDescription>,
    ) -> Self {
        Self {
            name,
            hal,
            index,
            device: OnceCell::new(),
            counters,
            calls: Mutex::new(Rank::Target, None),
            garbage: Mutex::new(Rank::Leaf, Vec::new()),
            programs: AtomicU64::new(0),
            launches: AtomicU64::new(0),
            allocations: AtomicU64::new(0),
        }
    }

    /// Calls the device when no other call is under way.
    pub(crate) fn call<T>(
        &self,
        work: impl FnOnce(&dyn Device) -> Result<T, HalError>,
    ) -> Result<T, MuxError> {
        let mut profiler = self.calls.lock();
        let device = self.open(&mut profiler)?;
        self.clean(device);
        let result = work(device);
        self.clean(device);
        result.map_err(|error| {
            let error = mux_error(error);
            tracing::warn!(target: "hal", "{}: {error}", self.name);
            error
        })
    }

    /// [`Self::call`] for a kernel: its counters are written down if the user wants them.
    pub(crate) fn launch(
        &self,
        kernel: &str,
        work: impl FnOnce(&dyn Device) -> Result<(), HalError>,
    ) -> Result<(), MuxError> {
        self.launches.fetch_add(1, Ordering::Relaxed);
        let mut profiler = self.calls.lock();
        let device = self.open(&mut profiler)?;
        let result = work(device);
        if let Some(table) = &mut *profiler
            && let Err(error) = table.record(device, &self.counters, "kernel_exec", kernel)
        {
            tracing::warn!(target: "hal", "the profile ends here: {error}");
            *profiler = None;
        }
        self.clean(device);
        drop(profiler);
        result.map_err(|error| {
            let error = mux_error(error);
            tracing::warn!(target: "hal", "{}: kernel `{kernel}`: {error}", self.name);
            error
        })
    }

    /// The device, taken now if it has not been.
    fn open(&self, profiler: &mut Option<Profiler<File>>) -> Result<&dyn Device, MuxError> {
        let device = self.device.get_or_try_init(|| {
            let device = self.hal.create_device(self.index).map_err(mux_error)?;
            tracing::info!(target: "hal", "{}: in use", self.name);
            let level: u32 = muxcl_config::CA_PROFILE_LEVEL.parse().unwrap_or(0);
            if level > 0 && !self.counters.is_empty() {
                let path = muxcl_config::CA_PROFILE_CSV_PATH
                    .get()
                    .unwrap_or_else(|| DEFAULT_PATH.to_owned());
                match File::create(&path).and_then(|file| Profiler::new(file, level)) {
                    Ok(table) => {
                        device.enable_counters(true);
                        *profiler = Some(table);
                    }
                    Err(error) => tracing::warn!(target: "hal", "no profile: {path}: {error}"),
                }
            }
            Ok(device)
        })?;
        Ok(&**device)
    }

    fn clean(&self, device: &dyn Device) {
        let list = std::mem::take(&mut *self.garbage.lock());
        for item in list {
            let given = match item {
                Garbage::Memory(address) => device.free(address),
                Garbage::Program(program) => device.unload(program),
            };
            if let Err(error) = given {
                tracing::warn!(target: "hal", "{}: giving back {item:?}: {error}", self.name);
            }
        }
    }

    /// Gives something back, now or soon.
    pub(crate) fn give_back(&self, item: Garbage) {
        self.garbage.lock().push(item);
        if let Some(held) = self.calls.try_lock() {
            if let Some(device) = self.device.get() {
                self.clean(&**device);
            }
            drop(held);
        }
    }

    pub(crate) fn count_program(&self) {
        self.programs.fetch_add(1, Ordering::Relaxed);
    }

    pub(crate) fn count_allocation(&self) {
        self.allocations.fetch_add(1, Ordering::Relaxed);
    }

    pub(crate) fn statistics(&self) -> Statistics {
        Statistics {
            programs: self.programs.load(Ordering::Relaxed),
            launches: self.launches.load(Ordering::Relaxed),
            allocations: self.allocations.load(Ordering::Relaxed),
        }
    }
}

impl Drop for Link {
    fn drop(&mut self) {
        // Programs are given back before the device is.
        if let Some(device) = self.device.take() {
            self.clean(&*device);
        }
    }
}
