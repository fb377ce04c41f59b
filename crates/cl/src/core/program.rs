//! Programs: source, a module in SPIR-V or binaries, and for each device the state of its build.
//!
//! A build marks its devices as in progress, runs without a lock, and then stores the outcome. So
//! any number of programs build at once. Meanwhile, a second build of the same program is refused,
//! and calls that need the outcome wait for it ([`Program::wait_for_builds`]).
//!
//! Invariants: the last completed build determines a device's state, and a failed build keeps its
//! log. Before its outcome is stored, a build runs no application code and waits for no command.
//! Any thread may therefore wait for it (the application's, a callback's or a native kernel's). The
//! wait for the build's callback is bounded. A build with a callback is cancelled when the
//! application has released the program, or terminated its context. Not here: the compiler
//! (`compiler_client`), loading of code (`device_program`).

use std::cell::Cell;
use std::ptr;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use muxcl_cl_sys as sys;
use muxcl_cl_sys::{cl_build_status, cl_program_binary_type};
use muxcl_compiler_abi::{FailureKind, Header};
use muxcl_lock::{Condvar, Mutex, MutexGuard, Rank};
use muxcl_types::container::{Binary, BinaryKind};

use super::context::Context;
use super::device::Device;
use super::device_program::DeviceProgram;
use super::il::{Constants, Il};
use crate::compiler_client::{self, BuildInput, Cancel, Client, Failure, Module};
use crate::error::{ClError, ClResult};
use crate::explain::violated;
use crate::object::{self, ClObject, HandleHeader};

/// The call that created a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    /// `clCreateProgramWithSource`
    Source,
    /// `clCreateProgramWithIL`
    Il,
    /// `clCreateProgramWithBinary`
    Binary,
    /// `clLinkProgram`
    Linked,
}

/// The build of a program for one device.
#[derive(Clone, Debug)]
struct Build {
    status: cl_build_status,
    /// The [`muxcl_os::fork_generation`] of the process that runs the build. Meaningful only while
    /// the build is in progress: a child of `fork` does not have the thread that builds.
    process: u32,
    options: String,
    log: String,
    /// The container: an object, a library, an executable, or nothing.
    binary: Option<Arc<Binary>>,
    built: Option<Arc<DeviceProgram>>,
    /// `CL_PROGRAM_BINARIES`, once it has been queried.
    bytes: Option<Arc<Vec<u8>>>,
    /// Cancels the build in progress, if it has a callback.
    cancel: Option<Arc<Cancel>>,
}

impl Build {
    fn none() -> Self {
        Self {
            status: sys::CL_BUILD_NONE,
            process: 0,
            options: String::new(),
            log: String::new(),
            binary: None,
            built: None,
            bytes: None,
            cancel: None,
        }
    }
}

/// The kind of a build, with its inputs.
#[derive(Clone, Debug)]
pub enum BuildStep {
    /// `clBuildProgram`, with the values of specialization constants
    Build(Constants),
    /// `clCompileProgram`
    Compile(Vec<Header>, Constants),
    /// `clLinkProgram`: the containers to link for each device of the program. An empty list skips
    /// the device.
    Link(Vec<Vec<Vec<u8>>>),
}

/// `cl_program`
#[derive(Debug)]
pub struct Program {
    head: HandleHeader<Self>,
    context: Arc<Context>,
    origin: Origin,
    source: Vec<u8>,
    /// The module of a program from SPIR-V.
    il: Option<Il>,
    /// The devices it is associated with.
    devices: Vec<Arc<Device>>,
    builds: Mutex<Vec<Build>>,
    /// Notified whenever a device's build has ended.
    build_ended: Condvar,
    /// Callbacks of asynchronous builds that have not returned. Changes under the lock of `builds`.
    callbacks: AtomicUsize,
    /// Number of kernel objects of the application.
    kernels: AtomicUsize,
}

thread_local! {
    /// The program whose build's callback this thread runs; compared, never dereferenced.
    static IN_CALLBACK_OF: Cell<*const Program> = const { Cell::new(ptr::null()) };
}

/// Maximum time that a call waits for the callback of a build that has ended. The callback may
/// itself wait for the thread that makes the call.
const CALLBACK_PATIENCE: Duration = Duration::from_secs(1);

impl ClObject for Program {
    type Raw = sys::_cl_program;
    const TAG: u32 = u32::from_le_bytes(*b"prog");
    const INVALID: ClError = ClError::INVALID_PROGRAM;
    const REACHABLE: bool = true;
    fn header(&self) -> &HandleHeader<Self> {
        &self.head
    }
}

/// The reason why a binary cannot run on a device; `None` if it can.
fn unsuitable(binary: &Binary, device: &Device) -> Option<String> {
    let desc = device.desc();
    if binary.target != desc.id {
        return Some(format!("program binary is for {}, the device is {}", binary.target, desc.id));
    }
    let has: Vec<&str> = desc.features.split(',').map(str::trim).collect();
    let missing =
        binary.features.split(',').map(str::trim).find(|f| f.starts_with('+') && !has.contains(f));
    missing.map(|f| format!("program binary needs the CPU feature {f}"))
}

impl Program {
    fn new(
        context: Arc<Context>,
        origin: Origin,
        (source, il): (Vec<u8>, Option<Il>),
        devices: Vec<Arc<Device>>,
        builds: Vec<Build>,
    ) -> ClResult<Arc<Self>> {
        object::create(|head| {
            let builds = Mutex::new(Rank::Program, builds);
            Ok(Self {
                head,
                context,
                origin,
                source,
                il,
                devices,
                builds,
                build_ended: Condvar::new(),
                callbacks: AtomicUsize::new(0),
                kernels: AtomicUsize::new(0),
            })
        })
    }

    /// A program from source, for all devices of the context.
    ///
    /// # Errors
    /// `CL_OUT_OF_HOST_MEMORY`.
    pub fn from_source(context: Arc<Context>, source: Vec<u8>) -> ClResult<Arc<Self>> {
        let devices = context.devices().to_vec();
        let builds = vec![Build::none(); devices.len()];
        Self::new(context, Origin::Source, (source, None), devices, builds)
    }

    /// A program from SPIR-V, for all devices of the context.
    ///
    /// # Errors
    /// `CL_OUT_OF_HOST_MEMORY`.
    pub fn from_il(context: Arc<Context>, il: Il) -> ClResult<Arc<Self>> {
        let devices = context.devices().to_vec();
        let builds = vec![Build::none(); devices.len()];
        Self::new(context, Origin::Il, (Vec::new(), Some(il)), devices, builds)
    }

    /// Reads a binary for a device.
    ///
    /// # Errors
    /// The reason why it cannot run there.
    pub fn read_binary(device: &Device, bytes: &[u8]) -> Result<Arc<Binary>, String> {
        let binary = Binary::from_bytes(bytes).map_err(|e| e.to_string())?;
        match unsuitable(&binary, device) {
            None => Ok(Arc::new(binary)),
            Some(reason) => Err(reason),
        }
    }

    /// A program from binaries that [`Program::read_binary`] read.
    ///
    /// # Errors
    /// `CL_OUT_OF_HOST_MEMORY`.
    pub fn from_binaries(
        context: Arc<Context>,
        devices: Vec<Arc<Device>>,
        binaries: Vec<(Arc<Binary>, Vec<u8>)>,
    ) -> ClResult<Arc<Self>> {
        let builds = binaries
            .into_iter()
            .map(|(binary, bytes)| Build {
                binary: Some(binary),
                bytes: Some(Arc::new(bytes)),
                ..Build::none()
            })
            .collect();
        Self::new(context, Origin::Binary, (Vec::new(), None), devices, builds)
    }

    /// An empty program to link into.
    ///
    /// # Errors
    /// `CL_OUT_OF_HOST_MEMORY`.
    pub fn to_link(context: Arc<Context>, devices: Vec<Arc<Device>>) -> ClResult<Arc<Self>> {
        let builds = vec![Build::none(); devices.len()];
        Self::new(context, Origin::Linked, (Vec::new(), None), devices, builds)
    }

    /// The context of the program.
    #[must_use]
    pub fn context(&self) -> &Arc<Context> {
        &self.context
    }

    /// The call that created the program.
    #[must_use]
    pub fn origin(&self) -> Origin {
        self.origin
    }

    /// The source of the program; empty without source.
    #[must_use]
    pub fn source(&self) -> &[u8] {
        &self.source
    }

    /// The SPIR-V module of the program; `None` without one.
    #[must_use]
    pub fn il(&self) -> Option<&Il> {
        self.il.as_ref()
    }

    /// The current values of the specialization constants.
    #[must_use]
    pub fn constants(&self) -> Constants {
        self.il.as_ref().map(Il::constants).unwrap_or_default()
    }

    /// The input of the compiler.
    fn code<'a>(&'a self, headers: &'a [Header], constants: &'a Constants) -> BuildInput<'a> {
        match &self.il {
            Some(il) => BuildInput::SpirV { il: il.bytes(), constants },
            None => BuildInput::OpenClC { text: &self.source, headers },
        }
    }

    /// The devices it is associated with.
    #[must_use]
    pub fn devices(&self) -> &[Arc<Device>] {
        &self.devices
    }

    /// The index of `device` among the program's devices.
    ///
    /// # Errors
    /// `CL_INVALID_DEVICE` if it is not one of them.
    pub fn device_index(&self, device: &Device) -> ClResult<usize> {
        self.devices.iter().position(|d| d.is(device)).ok_or(ClError::INVALID_DEVICE)
    }

    /// Counts a new kernel object.
    pub(super) fn attach_kernel(&self) {
        self.kernels.fetch_add(1, Ordering::Relaxed);
    }

    /// Removes a released kernel object from the count.
    pub(super) fn detach_kernel(&self) {
        self.kernels.fetch_sub(1, Ordering::Relaxed);
    }

    /// True if the application has kernel objects of this program.
    #[must_use]
    pub fn has_kernels(&self) -> bool {
        self.kernels.load(Ordering::Relaxed) != 0
    }

    /// Marks the devices at `indices` as being built with `options`.
    ///
    /// # Errors
    /// `CL_INVALID_OPERATION` if one of them is being built already.
    pub fn begin(&self, indices: &[usize], options: &str) -> ClResult<()> {
        let mut builds = self.lock_builds();
        if indices
            .iter()
            .any(|&i| builds.get(i).is_none_or(|b| b.status == sys::CL_BUILD_IN_PROGRESS))
        {
            return Err(ClError::INVALID_OPERATION);
        }
        let process = muxcl_os::fork_generation();
        for &i in indices {
            if let Some(build) = builds.get_mut(i) {
                build.status = sys::CL_BUILD_IN_PROGRESS;
                build.process = process;
                build.options = options.to_owned();
                build.log.clear();
                build.cancel = None;
            }
        }
        Ok(())
    }

    /// Stores `why` as the build log of the devices at `indices`, for a call that was refused
    /// before it began a build. The last build stays valid. A build in progress keeps its own log.
    pub fn log_refusal(&self, indices: &[usize], why: &str) {
        let mut builds = self.lock_builds();
        for &index in indices {
            if let Some(build) = builds.get_mut(index)
                && build.status != sys::CL_BUILD_IN_PROGRESS
            {
                why.clone_into(&mut build.log);
            }
        }
    }

    /// Announces the callback of an asynchronous build of the devices at `indices`, which
    /// [`Program::begin`] marked. Such a build may be cancelled.
    pub fn expect_callback(&self, indices: &[usize]) {
        let cancel = Arc::new(Cancel::default());
        let mut builds = self.builds.lock();
        self.callbacks.fetch_add(1, Ordering::Relaxed);
        for &index in indices {
            if let Some(build) = builds.get_mut(index) {
                build.cancel = Some(Arc::clone(&cancel));
            }
        }
        drop(builds);
        if let Some(termination) = self.context.termination() {
            termination.begun(&cancel);
        }
    }

    /// Cancels the asynchronous builds in progress, unless the application still has the program or
    /// a kernel of it. Such a build fails soon, and its callback is called.
    pub fn cancel_unneeded_builds(&self) {
        if object::references(self) != 0 || self.has_kernels() {
            return;
        }
        let builds = self.lock_builds();
        let running = builds.iter().filter(|b| b.status == sys::CL_BUILD_IN_PROGRESS);
        running.filter_map(|build| build.cancel.as_ref()).for_each(|cancel| cancel.cancel());
    }

    /// Calls `callback`, which [`Program::expect_callback`] announced.
    pub fn call_back(&self, callback: impl FnOnce()) {
        let outer = IN_CALLBACK_OF.replace(self);
        callback();
        IN_CALLBACK_OF.set(outer);
        self.forget_callback();
    }

    /// Cancels an announced callback, so that no call waits for it.
    pub fn forget_callback(&self) {
        let builds = self.builds.lock();
        let callbacks = self.callbacks.load(Ordering::Relaxed);
        self.callbacks.store(callbacks.saturating_sub(1), Ordering::Relaxed);
        drop(builds);
        self.build_ended.notify_all();
    }

    /// Fails the builds that [`Program::begin`] started, with `why` as their log.
    pub fn abandon(&self, indices: &[usize], why: &'static str) {
        drop(InProgress { program: self, indices, why });
    }

    /// Runs `step` for the devices at `indices`, which [`Program::begin`] marked. Returns the first
    /// failure.
    ///
    /// # Errors
    /// The error code of the entry point that `step` stands for.
    pub fn run(&self, indices: &[usize], step: &BuildStep, options: &str) -> ClResult<()> {
        let mut outcome = Ok(());
        // A panic below must not leave a device in progress.
        let mut guard =
            InProgress { program: self, indices, why: "internal error during the build" };
        while let Some((&index, rest)) = guard.indices.split_first() {
            let result = self.run_one(index, step, options);
            guard.indices = rest;
            if outcome.is_ok() {
                outcome = result;
            }
        }
        outcome
    }

    fn run_one(&self, index: usize, step: &BuildStep, options: &str) -> ClResult<()> {
        let Some(device) = self.devices.get(index) else { return Err(ClError::INVALID_DEVICE) };
        let build = self.builds.lock().get(index).map(|b| (b.binary.clone(), b.cancel.clone()));
        let (had, cancel) = build.unwrap_or_default();
        let cancel = cancel.as_deref();
        let made: Option<Result<Module, Failure>> = match step {
            BuildStep::Build(constants) => match (self.origin, had) {
                (Origin::Binary, Some(binary)) if binary.kind == BinaryKind::Executable => {
                    self.finish(
                        index,
                        Build { binary: Some(binary), ..Build::none() },
                        true,
                        options,
                    );
                    return Ok(());
                }
                (Origin::Binary, Some(binary)) => Some(with_client(|c| {
                    c.link(&self.context.desc(device), vec![binary.to_bytes()], options, cancel)
                })),
                _ => Some(with_client(|c| {
                    c.build(&self.context.desc(device), self.code(&[], constants), options, cancel)
                })),
            },
            BuildStep::Compile(headers, constants) => {
                let code = self.code(headers, constants);
                Some(with_client(|c| c.compile(&self.context.desc(device), code, options, cancel)))
            }
            BuildStep::Link(inputs) => match inputs.get(index) {
                Some(modules) if !modules.is_empty() => Some(with_client(|c| {
                    c.link(&self.context.desc(device), modules.clone(), options, cancel)
                })),
                _ => None,
            },
        };
        match made {
            None => {
                self.finish(index, Build::none(), false, options);
                Ok(())
            }
            Some(Ok(module)) => {
                let binary = Some(Arc::new(module.binary));
                self.finish(
                    index,
                    Build { binary, log: module.log, ..Build::none() },
                    false,
                    options,
                );
                Ok(())
            }
            Some(Err(failure)) => self.fail(index, step, options, failure),
        }
    }

    /// Stores the outcome of a build that failed, and returns its error code.
    fn fail(
        &self,
        index: usize,
        step: &BuildStep,
        options: &str,
        failure: Failure,
    ) -> ClResult<()> {
        let mut build = Build::none();
        build.status = sys::CL_BUILD_ERROR;
        build.log = failure.log;
        build.options = options.to_owned();
        // A program from a binary keeps that binary.
        if self.origin == Origin::Binary {
            build.binary = self.builds.lock().get(index).and_then(|b| b.binary.clone());
        }
        self.store(index, build);
        Err(failure_code(step, failure.kind))
    }

    /// Stores the outcome of a build that succeeded, with its executable.
    fn finish(&self, index: usize, mut build: Build, from_binary: bool, options: &str) {
        build.options = options.to_owned();
        if let (Some(binary), Some(device)) = (&build.binary, self.devices.get(index)) {
            build.status = sys::CL_BUILD_SUCCESS;
            if binary.kind == BinaryKind::Executable {
                build.built = Some(Arc::new(DeviceProgram::new(
                    Arc::clone(device),
                    Arc::clone(binary),
                    from_binary,
                )));
            }
        }
        self.store(index, build);
    }

    fn store(&self, index: usize, build: Build) {
        if let Some(slot) = self.builds.lock().get_mut(index) {
            *slot = build;
        }
        self.build_ended.notify_all();
    }

    /// The builds. Those that were in progress when this process was forked have failed, because
    /// their threads exist only in the parent process.
    fn lock_builds(&self) -> MutexGuard<'_, Vec<Build>> {
        let mut builds = self.builds.lock();
        for build in builds.iter_mut().filter(|b| b.status == sys::CL_BUILD_IN_PROGRESS) {
            if build.process != muxcl_os::fork_generation() {
                build.status = sys::CL_BUILD_ERROR;
                "the process was forked during the build".clone_into(&mut build.log);
            }
        }
        builds
    }

    /// The builds, once none is in progress on any device.
    ///
    /// The specification leaves open when the outcome of an asynchronous build can be used.
    /// Applications create kernels right after `clBuildProgram` with a callback, so the calls that
    /// need the outcome wait for it. They then wait for the callback, because the application may
    /// free the callback's data once it has a kernel. In a build's own callback that build counts
    /// as ended.
    fn settled_builds(&self) -> MutexGuard<'_, Vec<Build>> {
        let mut builds = self.lock_builds();
        let mut deadline = None;
        loop {
            if builds.iter().any(|b| b.status == sys::CL_BUILD_IN_PROGRESS) {
                self.build_ended.wait(&mut builds);
                continue;
            }
            let in_callback = ptr::eq(IN_CALLBACK_OF.get(), self);
            if in_callback || self.callbacks.load(Ordering::Relaxed) == 0 {
                return builds;
            }
            let end = *deadline.get_or_insert_with(|| Instant::now() + CALLBACK_PATIENCE);
            if Instant::now() >= end {
                // The callback waits for this thread, or it belongs to the parent of a forked
                // process.
                self.callbacks.store(0, Ordering::Relaxed);
                return builds;
            }
            self.build_ended.wait_until(&mut builds, end);
        }
    }

    /// Waits until no build of this program is in progress, on any device, and at most
    /// `CALLBACK_PATIENCE` longer until the callbacks of such builds have returned.
    pub fn wait_for_builds(&self) {
        drop(self.settled_builds());
    }

    /// The index of the device whose build answers queries about the device at `index`. A
    /// sub-device without a build of its own runs the executable of its parent device.
    #[must_use]
    pub fn answering(&self, index: usize) -> usize {
        let mut device = self.devices.get(index);
        let builds = self.lock_builds();
        while let Some(here) = device {
            if let Some(at) = self.devices.iter().position(|d| d.is(here))
                && builds.get(at).is_some_and(|b| b.status != sys::CL_BUILD_NONE)
            {
                return at;
            }
            device = here.parent();
        }
        index
    }

    fn with_build<T>(&self, index: usize, read: impl FnOnce(&Build) -> T) -> ClResult<T> {
        self.lock_builds().get(index).map(read).ok_or(ClError::INVALID_DEVICE)
    }

    /// `CL_PROGRAM_BUILD_STATUS`
    ///
    /// # Errors
    /// `CL_INVALID_DEVICE` for a bad index, here and below.
    pub fn status(&self, index: usize) -> ClResult<cl_build_status> {
        self.with_build(index, |b| b.status)
    }

    /// `CL_PROGRAM_BUILD_OPTIONS`
    ///
    /// # Errors
    /// As above.
    pub fn options(&self, index: usize) -> ClResult<String> {
        self.with_build(index, |b| b.options.clone())
    }

    /// `CL_PROGRAM_BUILD_LOG`
    ///
    /// # Errors
    /// As above.
    pub fn log(&self, index: usize) -> ClResult<String> {
        self.with_build(index, |b| b.log.clone())
    }

    /// `CL_PROGRAM_BINARY_TYPE`
    ///
    /// # Errors
    /// As above.
    pub fn binary_type(&self, index: usize) -> ClResult<cl_program_binary_type> {
        self.with_build(index, |b| match b.binary.as_ref().map(|x| x.kind) {
            None => sys::CL_PROGRAM_BINARY_TYPE_NONE,
            Some(BinaryKind::CompiledObject) => sys::CL_PROGRAM_BINARY_TYPE_COMPILED_OBJECT,
            Some(BinaryKind::Library) => sys::CL_PROGRAM_BINARY_TYPE_LIBRARY,
            Some(BinaryKind::Executable) => sys::CL_PROGRAM_BINARY_TYPE_EXECUTABLE,
        })
    }

    /// The object, library or executable for a device.
    ///
    /// # Errors
    /// As above.
    pub fn binary(&self, index: usize) -> ClResult<Option<Arc<Binary>>> {
        self.with_build(index, |b| b.binary.clone())
    }

    /// The executable for a device.
    ///
    /// # Errors
    /// As above.
    pub fn executable(&self, index: usize) -> ClResult<Option<Arc<DeviceProgram>>> {
        self.with_build(index, |b| b.built.clone())
    }

    /// The executable of the first device that has one, for program-wide queries. Waits for builds
    /// in progress.
    ///
    /// # Errors
    /// `CL_INVALID_PROGRAM_EXECUTABLE` if there is none.
    pub fn any_executable(&self) -> ClResult<Arc<DeviceProgram>> {
        self.settled_builds()
            .iter()
            .find_map(|b| b.built.clone())
            .ok_or(ClError::INVALID_PROGRAM_EXECUTABLE)
    }

    /// `CL_PROGRAM_BINARIES` for a device; empty without a binary. Adds code for any local size to
    /// an executable. Waits for builds in progress.
    ///
    /// # Errors
    /// As above.
    pub fn bytes(&self, index: usize) -> ClResult<Arc<Vec<u8>>> {
        self.wait_for_builds();
        let (bytes, binary) = self.with_build(index, |b| (b.bytes.clone(), b.binary.clone()))?;
        if let Some(bytes) = bytes {
            return Ok(bytes);
        }
        let (Some(binary), Some(device)) = (binary, self.devices.get(index)) else {
            return Ok(Arc::default());
        };
        let full = |c: &Client| c.with_code(&self.context.desc(device), (*binary).clone());
        let bytes = Arc::new(match with_client(full) {
            Ok(full) => full.to_bytes(),
            Err(failure) => {
                self.context.report(&format!("program binary without code: {}", failure.log));
                binary.to_bytes()
            }
        });
        if let Some(build) = self.builds.lock().get_mut(index) {
            // The program may have been rebuilt meanwhile.
            if build.binary.as_ref().is_some_and(|b| Arc::ptr_eq(b, &binary)) {
                build.bytes = Some(Arc::clone(&bytes));
            }
        }
        Ok(bytes)
    }
}

/// Devices whose builds are in progress. On drop these builds fail, with `why` as their log.
struct InProgress<'a> {
    program: &'a Program,
    indices: &'a [usize],
    why: &'static str,
}

impl Drop for InProgress<'_> {
    fn drop(&mut self) {
        for &index in self.indices {
            let build =
                Build { status: sys::CL_BUILD_ERROR, log: self.why.to_owned(), ..Build::none() };
            self.program.store(index, build);
        }
    }
}

fn with_client<T>(ask: impl FnOnce(&Client) -> Result<T, Failure>) -> Result<T, Failure> {
    match compiler_client::client() {
        Some(client) => ask(client),
        None => Err(Failure {
            kind: FailureKind::Unavailable,
            log: "no compiler library is installed".to_owned(),
        }),
    }
}

/// The error code of a failed step.
fn failure_code(step: &BuildStep, kind: FailureKind) -> ClError {
    match (step, kind) {
        (BuildStep::Link(_), FailureKind::Unavailable) => ClError::LINKER_NOT_AVAILABLE,
        (_, FailureKind::Unavailable) => ClError::COMPILER_NOT_AVAILABLE,
        (_, FailureKind::Internal) => ClError::OUT_OF_HOST_MEMORY,
        (_, FailureKind::Module) => ClError::INVALID_PROGRAM,
        (BuildStep::Build(_), FailureKind::Options) => ClError::INVALID_BUILD_OPTIONS,
        (BuildStep::Compile(..), FailureKind::Options) => ClError::INVALID_COMPILER_OPTIONS,
        (BuildStep::Link(_), FailureKind::Options) => ClError::INVALID_LINKER_OPTIONS,
        (BuildStep::Build(_), _) => violated!(
            BUILD_PROGRAM_FAILURE,
            "if the program cannot be built; the build log says why";
            "CL_PROGRAM_BUILD_LOG says what is wrong with the source"
        ),
        (BuildStep::Compile(..), _) => violated!(
            COMPILE_PROGRAM_FAILURE,
            "if the source cannot be compiled; the build log says why";
            "CL_PROGRAM_BUILD_LOG says what is wrong with the source"
        ),
        (BuildStep::Link(_), _) => violated!(
            LINK_PROGRAM_FAILURE,
            "if the programs cannot be linked; the build log says why";
            "CL_PROGRAM_BUILD_LOG says what could not be linked"
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use muxcl_types::program::ProgramInfo;

    /// A program from a binary, for a null device.
    fn program() -> Arc<Program> {
        let device = Device::new(muxcl_mux_null::NullDevice::create()).unwrap();
        let devices = vec![Arc::clone(&device)];
        let context = Context::new(devices.clone(), Vec::new(), Default::default(), None).unwrap();
        let binary = Binary {
            kind: BinaryKind::Executable,
            target: "null".into(),
            features: String::new(),
            options: String::new(),
            info: ProgramInfo::default(),
            bitcode: Vec::new(),
            globals_elf: Vec::new(),
            elf: Vec::new(),
        };
        Program::from_binaries(context, devices, vec![(Arc::new(binary), Vec::new())]).unwrap()
    }

    #[test]
    fn builds_of_the_parent_process_have_failed_in_a_forked_child() {
        let program = program();
        program.begin(&[0], "-w").unwrap();
        assert_eq!(program.status(0).unwrap(), sys::CL_BUILD_IN_PROGRESS);
        assert_eq!(program.begin(&[0], ""), Err(ClError::INVALID_OPERATION));
        // As if this process were a child that was forked now.
        program.builds.lock()[0].process = muxcl_os::fork_generation().wrapping_sub(1);
        assert_eq!(program.begin(&[0], ""), Ok(()), "the child may build");
        program.builds.lock()[0].process = muxcl_os::fork_generation().wrapping_sub(1);
        assert_eq!(program.status(0).unwrap(), sys::CL_BUILD_ERROR);
        assert!(program.log(0).unwrap().contains("forked"));
    }
}
