//! The connection to one HAL device, from its creation to its deletion.
//!
//! Invariants:
//! * The device is created at its first use and deleted when its last object is dropped. No call is
//!   in progress while either happens.
//! * One call runs at a time, unless the HAL allows concurrent calls
//!   ([`muxcl_hal::Properties::concurrent_calls`]) and no profile is recorded. Concurrent calls
//!   share the lock [`DeviceConnection::calls`]; exclusive calls have it alone.
//! * Dropping an object never waits for a kernel. Its memory or program is freed at once if the
//!   lock can be shared or no call runs, else after the running call. No running kernel uses it: a
//!   command holds its buffers and its program until it has ended.
//!
//! Not here: the meaning of the calls, and that one kernel runs at a time (`serial`).

use crate::memory;
use crate::profile::{Profile, Recorder};
use muxcl_hal::counters::CounterDescription;
use muxcl_hal::{Call, Device, Hal, HalError, Program, Properties};
use muxcl_lock::{Mutex, Rank, RwLock, RwLockReadGuard};
use muxcl_mux::{MuxError, profile};
use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering, fence};

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
    /// Whether the HAL allows concurrent calls.
    concurrent: bool,
    /// Whether the HAL accepts calls before earlier ones have ended.
    in_flight: bool,
    calls: RwLock<Calls>,
    garbage: Mutex<Vec<Garbage>>,
    /// True if `garbage` may have entries. Calls read this first, without the lock.
    has_garbage: AtomicBool,
    /// Number of live objects that need the device.
    users: AtomicUsize,
    /// Number of times the device has been created.
    generation: AtomicU64,
    programs: AtomicU64,
    launches: AtomicU64,
    allocations: AtomicU64,
}

/// State that exclusive calls may change.
struct Calls {
    open: Option<OpenDevice>,
    profile: Profile,
}

/// The device between its creation and its deletion.
struct OpenDevice {
    device: Arc<dyn Device>,
    /// The device records a profile for `MUXCL_PROFILE`.
    profiled: bool,
    /// Memory that belongs to no object and is freed before the device is deleted.
    resident: Mutex<Vec<u64>>,
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
        properties: &Properties,
    ) -> Self {
        Self {
            name,
            hal,
            index,
            counters,
            concurrent: properties.concurrent_calls,
            in_flight: properties.calls_in_flight && properties.concurrent_calls,
            calls: RwLock::new(Rank::Target, Calls { open: None, profile: Profile::default() }),
            garbage: Mutex::new(Rank::Leaf, Vec::new()),
            has_garbage: AtomicBool::new(false),
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

    /// Name of the device.
    pub(crate) fn name(&self) -> &str {
        &self.name
    }

    /// Number of times the device has been created. An address is valid only in the generation that
    /// allocated it.
    pub(crate) fn generation(&self) -> u64 {
        self.generation.load(Ordering::SeqCst)
    }

    /// Whether commands other than kernels may run beside a kernel.
    pub(crate) fn allows_concurrent_calls(&self) -> bool {
        self.concurrent
    }

    /// Whether [`Self::run_list`] is faster than calls one by one.
    pub(crate) fn accepts_calls_in_flight(&self) -> bool {
        self.in_flight && profile::active().is_none()
    }

    /// Makes calls, the later ones before the earlier ones have ended. `ended` receives the results
    /// in order, one for each call, with no lock held. `kernel` returns the name of the kernel that
    /// a call runs.
    pub(crate) fn run_list<'a>(
        self: &Arc<Self>,
        calls: &mut [Call<'_>],
        kernel: &dyn Fn(usize) -> Option<&'a str>,
        ended: &mut dyn FnMut(usize, Result<(), MuxError>),
    ) {
        let count = calls.len();
        let launches = (0..count).filter(|number| kernel(*number).is_some()).count();
        self.launches.fetch_add(launches as u64, Ordering::Relaxed);
        let tell = &mut |number: usize, result: Result<(), HalError>| {
            ended(number, result.map_err(|error| self.failed(kernel(number), error)));
        };
        // Keeps the device while its lock is not held.
        let _used = self.keep();
        let shared = self.share().map(|calls| {
            let open = calls.as_ref().and_then(|calls| calls.open.as_ref());
            open.map(|open| Arc::clone(&open.device))
        });
        match shared {
            Ok(Some(device)) => {
                self.clean(&*device);
                device.run(calls, tell);
                self.clean(&*device);
            }
            Ok(None) => {
                for (number, call) in calls.iter_mut().enumerate() {
                    let name = kernel(number).unwrap_or_default();
                    tell(number, self.run(name, |_, device| call.make(device)));
                }
            }
            Err(error) => {
                (0..count).for_each(|number| tell(number, Err(error.clone())));
            }
        }
    }

    /// Logs the error of a call. A fault names the kernel that ran.
    fn failed(&self, kernel: Option<&str>, error: HalError) -> MuxError {
        let error = match (mux_error(error), kernel) {
            (MuxError::DeviceFault(text), Some(kernel)) => {
                MuxError::DeviceFault(format!("kernel `{kernel}`: {text}"))
            }
            (error, _) => error,
        };
        tracing::warn!(target: "hal", "{}: {error}", self.name);
        error
    }

    /// Calls the device; waits for other calls unless concurrent calls are allowed.
    pub(crate) fn call<T>(
        &self,
        work: impl FnOnce(&dyn Device) -> Result<T, HalError>,
    ) -> Result<T, MuxError> {
        self.call_open(|_, device| work(device))
    }

    fn call_open<T>(
        &self,
        work: impl FnOnce(&OpenDevice, &dyn Device) -> Result<T, HalError>,
    ) -> Result<T, MuxError> {
        self.run("", work).map_err(|error| self.failed(None, error))
    }

    /// [`Self::call`] for a kernel.
    pub(crate) fn launch(
        &self,
        kernel: &str,
        work: impl FnOnce(&dyn Device) -> Result<(), HalError>,
    ) -> Result<(), MuxError> {
        self.launches.fetch_add(1, Ordering::Relaxed);
        self.run(kernel, |_, device| work(device)).map_err(|error| self.failed(Some(kernel), error))
    }

    /// Asks the device for its profile, if it records one and there is time for that. No kernel
    /// runs.
    pub(crate) fn refresh_profile(&self) {
        let Some(active) = profile::active().filter(|profile| profile.details_are_due()) else {
            return;
        };
        // An error means that the device no longer exists; its profile was taken before.
        let _ = self.call_open(|open, _| {
            if open.profiled {
                active.set_details(&self.name, self.generation(), || open.device.profile());
            }
            Ok(())
        });
    }

    /// Runs `work` on the open device. Counters of a kernel are recorded under the name `kernel`.
    fn run<T>(
        &self,
        kernel: &str,
        work: impl FnOnce(&OpenDevice, &dyn Device) -> Result<T, HalError>,
    ) -> Result<T, HalError> {
        let result = match self.share()? {
            Some(calls) => {
                // `share` returns an open device.
                let open = calls.open.as_ref().ok_or(HalError::Failed("device_create"))?;
                self.clean(&*open.device);
                let result = work(open, &*open.device);
                self.clean(&*open.device);
                result
            }
            None => self.exclusive(kernel, work)?,
        };
        fence(Ordering::SeqCst);
        if self.users.load(Ordering::SeqCst) == 0 {
            self.delete_unused();
        }
        result
    }

    /// Shares the open device with other calls, after creating it if necessary. `None` if calls
    /// are exclusive. They are while a profile is recorded: counters are read after each call, and
    /// would count concurrent calls, too.
    #[inline]
    fn share(&self) -> Result<Option<RwLockReadGuard<'_, Calls>>, HalError> {
        while self.allows_concurrent_calls() {
            let calls = self.calls.read();
            if calls.profile.is_on() {
                break;
            }
            if calls.open.is_some() {
                return Ok(Some(calls));
            }
            drop(calls);
            self.try_open()?;
        }
        Ok(None)
    }

    /// Creates the device, unless another thread is about to do so. It does not wait for exclusive
    /// use: another thread may have created the device and run a kernel by now, and calls behind a
    /// waiting exclusive one wait, too.
    #[cold]
    fn try_open(&self) -> Result<(), HalError> {
        if let Some(mut calls) = self.calls.try_write() {
            let Calls { open, profile } = &mut *calls;
            self.open(open, profile)?;
        } else {
            std::thread::yield_now();
        }
        Ok(())
    }

    /// Runs `work` with exclusive use of the device. If profiling is on, counters are recorded
    /// after each call. The outer result is an error if the device cannot be created.
    fn exclusive<T>(
        &self,
        kernel: &str,
        work: impl FnOnce(&OpenDevice, &dyn Device) -> Result<T, HalError>,
    ) -> Result<Result<T, HalError>, HalError> {
        let mut calls = self.calls.write();
        let Calls { open, profile } = &mut *calls;
        let open = self.open(open, profile)?;
        let device = &*open.device;
        self.clean(device);
        let result = match profile.table() {
            Some(table) => {
                let recorder = Recorder::new(device, &self.name, &self.counters, kernel, table);
                let result = work(open, &recorder);
                if let Some(error) = recorder.failure() {
                    tracing::warn!(target: "hal", "the profile ends here: {error}");
                    profile.end();
                }
                result
            }
            None => work(open, device),
        };
        self.clean(device);
        Ok(result)
    }

    /// The device. Creates it if it is not open.
    fn open<'a>(
        &self,
        open: &'a mut Option<OpenDevice>,
        profile: &mut Profile,
    ) -> Result<&'a OpenDevice, HalError> {
        if let Some(open) = open {
            return Ok(open);
        }
        let device: Arc<dyn Device> = Arc::from(self.hal.create_device(self.index)?);
        self.generation.fetch_add(1, Ordering::SeqCst);
        tracing::info!(target: "hal", "{}: created", self.name);
        if !self.counters.is_empty() && profile.begin() {
            device.enable_counters(true);
        }
        let profiled = profile::active().is_some() && device.begin_profile();
        let resident = Mutex::new(Rank::Leaf, Vec::new());
        Ok(open.insert(OpenDevice { device, profiled, resident }))
    }

    /// Deletes the device if no object needs it. If calls run, the thread of the last one deletes
    /// the device afterwards.
    fn delete_unused(&self) {
        while self.users.load(Ordering::SeqCst) == 0 {
            let Some(mut calls) = self.calls.try_write() else { return };
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
        if let Some(profile) = profile::active().filter(|_| open.profiled) {
            profile.set_details(&self.name, self.generation(), || open.device.profile());
            profile.report(true);
        }
        for address in open.resident.into_inner() {
            if let Err(error) = open.device.free(address) {
                tracing::warn!(target: "hal", "{}: freeing {address:#x}: {error}", self.name);
            }
        }
        drop(open.device);
        tracing::info!(target: "hal", "{}: deleted", self.name);
    }

    fn clean(&self, device: &dyn Device) {
        if !self.has_garbage.load(Ordering::Relaxed) {
            return;
        }
        let list = {
            let mut garbage = self.garbage.lock();
            self.has_garbage.store(false, Ordering::Relaxed);
            std::mem::take(&mut *garbage)
        };
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
        {
            let mut garbage = self.garbage.lock();
            garbage.push(item);
            self.has_garbage.store(true, Ordering::Relaxed);
        }
        let clean = |calls: &Calls| {
            if let Some(open) = &calls.open {
                self.clean(&*open.device);
            }
        };
        if !self.concurrent {
            if let Some(calls) = self.calls.try_write() {
                clean(&calls);
            }
        } else if let Some(calls) = self.calls.try_read() {
            // Freeing changes no counter, so it may share the lock even if a profile is recorded.
            clean(&calls);
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
        self.call_open(|open, device| {
            let address = memory::allocate(device, size, align)?;
            open.resident.lock().push(address);
            Ok((address, self.generation()))
        })
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
        let open = self.calls.write().open.take();
        if let Some(open) = open {
            self.delete(open);
        }
    }
}
