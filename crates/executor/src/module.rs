//! The objects that clients see, over what a module implements for its devices ([`Backend`]).
//!
//! Invariant: each object knows its device, and an object of another device is refused before the
//! backend sees it. Not here: how a device compiles, copies and runs (`direct`, `opencl`).

use std::any::Any;
use std::fmt::Debug;
use std::sync::Arc;

use crate::{
    Build, Compiler, Copy, Device, DeviceBuffer, Event, Executor, ExecutorError, Kernel,
    KernelInfo, KernelList, Library, Parameter, Place, Result, Transfer,
};

/// A device of a module. All objects that its functions get are its own, and ranges are checked.
pub(crate) trait Backend: Debug + Send + Sync + Sized + 'static {
    /// Compiled kernels.
    type Program: Debug + Send + Sync;
    /// A kernel that is ready to run.
    type Prepared: Debug + Send + Sync;
    /// Device memory.
    type Memory: Debug + Send + Sync;
    /// The completion of a kernel or a copy.
    type Done: Debug + Send + Sync;

    /// The device's name, for users.
    fn name(&self) -> &str;
    /// Compiles kernels. Returns them with the compiler's warnings.
    fn compile(&self, list: &KernelList) -> Result<(Self::Program, String)>;
    /// Allocates memory; `bytes` is not 0.
    fn allocate(&self, bytes: usize) -> Result<Self::Memory>;
    /// Makes kernel `index` of a program ready to run.
    fn prepare(
        &self,
        program: &Self::Program,
        index: usize,
        info: &KernelInfo,
    ) -> Result<Self::Prepared>;
    /// Runs a kernel after `after`.
    fn run(
        &self,
        kernel: &Self::Prepared,
        arguments: &[Argument<'_, Self::Memory>],
        after: &[&Self::Done],
    ) -> Result<Self::Done>;
    /// Copies within the device after `after`. Offsets are in bytes.
    fn copy(
        &self,
        from: (&Self::Memory, usize),
        to: (&Self::Memory, usize),
        bytes: usize,
        after: &[&Self::Done],
    ) -> Result<Self::Done>;
    /// Copies between the host and the device after `after`.
    ///
    /// # Safety
    /// `host` is valid for `bytes` bytes, and nothing else uses them, until the copy is complete.
    unsafe fn transfer(
        &self,
        memory: (&Self::Memory, usize),
        host: *mut u8,
        bytes: usize,
        to_host: bool,
        after: &[&Self::Done],
    ) -> Result<Self::Done>;
    /// Waits for a completion; its failure is an error.
    fn wait(&self, done: &Self::Done) -> Result<()>;
    /// True once complete, successfully or not.
    fn is_complete(&self, done: &Self::Done) -> bool;
}

/// An argument of a kernel.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Argument<'a, M> {
    Buffer(&'a M),
    Value(&'a [u8]),
    Local(usize),
}

/// A device, its compiler and its executor.
#[derive(Debug)]
struct Handle<B>(Arc<B>);

/// The client's view of a device.
pub(crate) fn device<B: Backend>(backend: B) -> Arc<dyn Device> {
    Arc::new(Handle(Arc::new(backend)))
}

/// An object with its device.
#[derive(Debug)]
struct Owned<B, T> {
    device: Arc<B>,
    object: T,
}

#[derive(Debug)]
struct Built<B: Backend> {
    program: B::Program,
    kernels: Vec<KernelInfo>,
    log: String,
}

#[derive(Debug)]
struct Ready<B: Backend>(B::Prepared);

#[derive(Debug)]
struct Allocated<B: Backend> {
    memory: B::Memory,
    bytes: usize,
}

#[derive(Debug)]
struct Running<B: Backend>(B::Done);

impl<B: Backend> Handle<B> {
    /// The object behind `any`, if it belongs to this device; `what` names its kind.
    fn own<'a, T: 'static>(&self, any: &'a dyn Any, what: &'static str) -> Result<&'a T> {
        any.downcast_ref::<Owned<B, T>>()
            .filter(|owned| Arc::ptr_eq(&owned.device, &self.0))
            .map(|owned| &owned.object)
            .ok_or(ExecutorError::Foreign(what))
    }

    fn memory<'a>(&self, buffer: &'a Arc<dyn DeviceBuffer>) -> Result<&'a B::Memory> {
        self.own::<Allocated<B>>(buffer.as_any(), "memory").map(|allocated| &allocated.memory)
    }

    fn events<'a>(
        &self,
        events: impl IntoIterator<Item = &'a Arc<dyn Event>>,
    ) -> Result<Vec<&'a B::Done>> {
        let own = |event: &'a Arc<dyn Event>| {
            self.own::<Running<B>>(event.as_any(), "an event").map(|running| &running.0)
        };
        events.into_iter().map(own).collect()
    }

    fn owned<T>(&self, object: T) -> Owned<B, T> {
        Owned { device: Arc::clone(&self.0), object }
    }

    fn event(&self, done: B::Done) -> Arc<dyn Event> {
        Arc::new(self.owned(Running::<B>(done)))
    }
}

impl<B: Backend> Device for Handle<B> {
    fn name(&self) -> &str {
        self.0.name()
    }

    fn compiler(&self) -> Arc<dyn Compiler> {
        Arc::new(Self(Arc::clone(&self.0)))
    }

    fn executor(&self) -> Arc<dyn Executor> {
        Arc::new(Self(Arc::clone(&self.0)))
    }
}

impl<B: Backend> Compiler for Handle<B> {
    fn build(&self, kernels: KernelList) -> Build {
        let handle = Self(Arc::clone(&self.0));
        Build::start(move || {
            let (program, log) = handle.0.compile(&kernels)?;
            let built = Built::<B> { program, kernels: kernels.kernels, log };
            Ok(Arc::new(handle.owned(built)) as Arc<dyn Library>)
        })
    }
}

impl<B: Backend> Executor for Handle<B> {
    fn allocate(&self, bytes: usize) -> Result<Arc<dyn DeviceBuffer>> {
        if bytes == 0 {
            return Err(ExecutorError::Size { offset: 0, bytes, size: 0 });
        }
        let memory = self.0.allocate(bytes)?;
        Ok(Arc::new(self.owned(Allocated::<B> { memory, bytes })))
    }

    fn prepare(&self, library: &Arc<dyn Library>, index: usize) -> Result<Box<dyn Kernel>> {
        let built = self.own::<Built<B>>(library.as_any(), "a library")?;
        let info = built.kernels.get(index);
        let info = info.ok_or_else(|| ExecutorError::NoKernel(format!("number {index}")))?;
        let kernel = self.0.prepare(&built.program, index, info)?;
        Ok(Box::new(self.owned(Ready::<B>(kernel))))
    }

    fn copy(
        &self,
        from: Place<'_>,
        to: Place<'_>,
        bytes: usize,
        after: &[Arc<dyn Event>],
    ) -> Result<Arc<dyn Event>> {
        match Copy::new(from, to, bytes)? {
            Copy::OnDevice { from, to } => {
                let (source, target) = (self.memory(from.0)?, self.memory(to.0)?);
                let after = self.events(after)?;
                Ok(self.event(self.0.copy((source, from.1), (target, to.1), bytes, &after)?))
            }
            Copy::Transfer(transfer) => {
                let Transfer { shared, shared_offset, device, device_offset, to_host } = transfer;
                let memory = (self.memory(device)?, device_offset);
                shared.copy(|all, last| {
                    let after = self.events(after.iter().chain(&last))?;
                    let host = all[shared_offset..].as_mut_ptr();
                    // SAFETY: the shared buffer lends these bytes to this copy until its event has
                    // completed (see `shared`).
                    let done = unsafe { self.0.transfer(memory, host, bytes, to_host, &after) };
                    Ok(self.event(done?))
                })
            }
        }
    }
}

impl<B: Backend> Library for Owned<B, Built<B>> {
    fn kernels(&self) -> &[KernelInfo] {
        &self.object.kernels
    }

    fn log(&self) -> &str {
        &self.object.log
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}

impl<B: Backend> Kernel for Owned<B, Ready<B>> {
    fn run(
        &self,
        parameters: &[Parameter<'_>],
        after: &[Arc<dyn Event>],
    ) -> Result<Arc<dyn Event>> {
        let handle = Handle(Arc::clone(&self.device));
        let mut arguments = Vec::new();
        for parameter in parameters {
            arguments.push(match *parameter {
                Parameter::Buffer(buffer) => Argument::Buffer(handle.memory(buffer)?),
                Parameter::Value(bytes) => Argument::Value(bytes),
                Parameter::Local(bytes) => Argument::Local(bytes),
            });
        }
        let after = handle.events(after)?;
        Ok(handle.event(self.device.run(&self.object.0, &arguments, &after)?))
    }
}

impl<B: Backend> DeviceBuffer for Owned<B, Allocated<B>> {
    fn bytes(&self) -> usize {
        self.object.bytes
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}

impl<B: Backend> Event for Owned<B, Running<B>> {
    fn wait(&self) -> Result<()> {
        self.device.wait(&self.object.0)
    }

    fn is_complete(&self) -> bool {
        self.device.is_complete(&self.object.0)
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}
