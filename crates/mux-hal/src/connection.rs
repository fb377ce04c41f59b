//! The connection to one HAL device, from its creation to its deletion.
//!
//! Invariants:
//! * The device is created at its first use and deleted when its last object is dropped.
//! * One call runs at a time, even if the HAL allows more.
//! * Dropping an object never waits for a kernel: its memory or program is freed at once if no call
//!   runs, else after the running call.
//!
//! Not here: the meaning of the calls.

use crate::memory;
use crate::profile::{Profile, Recorder};
use muxcl_hal::counters::CounterDescription;
use muxcl_hal::{Device, Hal, HalError, Program};
use muxcl_lock::{Mutex, Rank};
use muxcl_mux::MuxError;
use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering, fence};

/// Counts of the expensive calls that a device has received.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Statistics {
    /// Programs uploaded.
    pub programs: u64,
    /// Kernels run.
    pub launches: u64,
    /// Allocations.
    pub allocations: u64,
}

/// A device resource to free.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Garbage {
    Memory(u64),
    Program(Program),
}

/// The shared state of one device connection.
pub(crate) struct DeviceConnection {
    name: String,
    hal: Arc<dyn Hal>,
    index: u32,
    counters: Vec<CounterDescription>,
    calls: Mutex<Calls>,
    garbage: Mutex<Vec<Garbage>>,
    /// Number of live objects that need the device.
    users: AtomicUsize,
    /// Number of times the device has been created.
    generation: AtomicU64,
    programs: AtomicU64,
    launches: AtomicU64,
    allocations: AtomicU64,
}

/// State that only the running call may touch.
struct Calls {
    open: Option<OpenDevice>,
    profile: Profile,
}

/// The device between its creation and its deletion.
struct OpenDevice {
    device: Box<dyn Device>,
    /// Memory that belongs to no object and is freed before the device is deleted.
    resident: Vec<u64>,
}

/// Keeps a device in use. Dropping the last one deletes the device.
#[derive(Debug)]
pub(crate) struct DeviceUse {
    connection: Arc<DeviceConnection>,
}

impl DeviceUse {
    pub(crate) fn connection(&self) -> &Arc<DeviceConnection> {
        &self.connection
    }
}

impl Drop for DeviceUse {
    fn drop(&mut self) {
        if self.connection.users.fetch_sub(1, Ordering::SeqCst) == 1 {
            self.connection.delete_unused();
        }
    }
}

impl fmt::Debug for DeviceConnection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("DeviceConnection").field("name", &self.name).finish_non_exhaustive()
    }
}

/// Converts a HAL error into a Mux error.
pub(crate) fn mux_error(error: HalError) -> MuxError {
    match error {
        HalError::OutOfMemory { .. } => MuxError::OutOfMemory,
        HalError::Program(reason) => MuxError::InvalidBinary(reason),
        HalError::NoKernel(name) => MuxError::MissingKernel(name),
        other => MuxError::DeviceFault(other.to_string()),
    }
}

impl DeviceConnection {
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
            counters,
            calls: Mutex::new(Rank::Target, Calls { open: None, profile: Profile::default() }),
            garbage: Mutex::new(Rank::Leaf, Vec::new()),
            users: AtomicUsize::new(0),
            generation: AtomicU64::new(0),
            programs: AtomicU64::new(0),
            launches: AtomicU64::new(0),
            allocations: AtomicU64::new(0),
        }
    }

    /// Keeps the device from being deleted for the lifetime of the result.
    pub(crate) fn keep(self: &Arc<Self>) -> DeviceUse {
        self.users.fetch_add(1, Ordering::SeqCst);
        DeviceUse { connection: Arc::clone(self) }
    }

    /// Number of times the device has been created. An address is valid only in the generation that
    /// allocated it.
    pub(crate) fn generation(&self) -> u64 {
        self.generation.load(Ordering::SeqCst)
    }

    /// Calls the device after any other call has ended.
    pub(crate) fn call<T>(
        &self,
        work: impl FnOnce(&dyn Device) -> Result<T, HalError>,
    ) -> Result<T, MuxError> {
        self.exclusive("", work).map_err(|error| {
            let error = mux_error(error);
            tracing::warn!(target: "hal", "{}: {error}", self.name);
            error
        })
    }

    /// [`Self::call`] for a kernel.
    pub(crate) fn launch(
        &self,
        kernel: &str,
        work: impl FnOnce(&dyn Device) -> Result<(), HalError>,
    ) -> Result<(), MuxError> {
        self.launches.fetch_add(1, Ordering::Relaxed);
        self.exclusive(kernel, work).map_err(|error| {
            let error = match mux_error(error) {
                MuxError::DeviceFault(text) => {
                    MuxError::DeviceFault(format!("kernel `{kernel}`: {text}"))
                }
                other => other,
            };
            tracing::warn!(target: "hal", "{}: {error}", self.name);
            error
        })
    }

    /// Runs `work` with exclusive use of the device. If profiling is on, counters are recorded
    /// after each call; counters of a kernel are recorded under the name `kernel`.
    fn exclusive<T>(
        &self,
        kernel: &str,
        work: impl FnOnce(&dyn Device) -> Result<T, HalError>,
    ) -> Result<T, HalError> {
        let mut calls = self.calls.lock();
        let Calls { open, profile } = &mut *calls;
        let device = &*self.open(open, profile)?.device;
        self.clean(device);
        let result = match profile.table() {
            Some(table) => {
                let recorder = Recorder::new(device, &self.counters, kernel, table);
                let result = work(&recorder);
                if let Some(error) = recorder.failure() {
                    tracing::warn!(target: "hal", "the profile ends here: {error}");
                    profile.end();
                }
                result
            }
            None => work(device),
        };
        self.clean(device);
        drop(calls);
        fence(Ordering::SeqCst);
        if self.users.load(Ordering::SeqCst) == 0 {
            self.delete_unused();
        }
        result
    }

    /// The device. Creates it if it is not open.
    fn open<'a>(
        &self,
        open: &'a mut Option<OpenDevice>,
        profile: &mut Profile,
    ) -> Result<&'a mut OpenDevice, HalError> {
        if let Some(open) = open {
            return Ok(open);
        }
        let device = self.hal.create_device(self.index)?;
        self.generation.fetch_add(1, Ordering::SeqCst);
        tracing::info!(target: "hal", "{}: created", self.name);
        if !self.counters.is_empty() && profile.begin() {
            device.enable_counters(true);
        }
        Ok(open.insert(OpenDevice { device, resident: Vec::new() }))
    }

    /// Deletes the device if no object needs it. If a call runs, its thread deletes the device
    /// afterwards.
    fn delete_unused(&self) {
        while self.users.load(Ordering::SeqCst) == 0 {
            let Some(mut calls) = self.calls.try_lock() else { return };
            // An object created meanwhile blocks on this lock in its first call.
            if self.users.load(Ordering::SeqCst) != 0 {
                continue;
            }
            let Some(open) = calls.open.take() else { return };
            self.delete(open);
        }
    }

    fn delete(&self, open: OpenDevice) {
        // Programs are freed before the device is deleted: HALs may rely on it.
        self.clean(&*open.device);
        for address in open.resident {
            if let Err(error) = open.device.free(address) {
                tracing::warn!(target: "hal", "{}: freeing {address:#x}: {error}", self.name);
            }
        }
        drop(open.device);
        tracing::info!(target: "hal", "{}: deleted", self.name);
    }

    fn clean(&self, device: &dyn Device) {
        let list = std::mem::take(&mut *self.garbage.lock());
        for item in list {
            let freed = match item {
                Garbage::Memory(address) => device.free(address),
                Garbage::Program(program) => device.unload(program),
            };
            if let Err(error) = freed {
                tracing::warn!(target: "hal", "{}: freeing {item:?}: {error}", self.name);
            }
        }
    }

    /// Frees a resource, now or after the running call.
    pub(crate) fn give_back(&self, item: Garbage) {
        self.garbage.lock().push(item);
        if let Some(calls) = self.calls.try_lock() {
            if let Some(open) = &calls.open {
                self.clean(&*open.device);
            }
            drop(calls);
        }
    }

    /// Allocates memory that belongs to no object. It does not keep the device in use and is freed
    /// before the device is deleted. Returns its address and the generation in which that address
    /// is valid.
    ///
    /// # Errors
    /// `OutOfMemory`.
    pub(crate) fn allocate_resident(&self, size: u64, align: u64) -> Result<(u64, u64), MuxError> {
        self.count_allocation();
        let address = self.call(|device| memory::allocate(device, size, align))?;
        if let Some(open) = &mut self.calls.lock().open {
            open.resident.push(address);
        }
        Ok((address, self.generation()))
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

impl Drop for DeviceConnection {
    fn drop(&mut self) {
        let open = self.calls.lock().open.take();
        if let Some(open) = open {
            self.delete(open);
        }
    }
}
