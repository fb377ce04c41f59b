//! The module over OpenCL: every device of every driver that the system's ICD loader finds.
//!
//! Each executor has a context and one out-of-order queue (in-order if the device has no other), so
//! that only the given events order work. Not here: anything specific to muxcl's driver.

use std::any::Any;
use std::sync::Arc;

use muxcl_client as cl;
use muxcl_client::{ClientError, sys};
use muxcl_lock::{Mutex, Rank};

use crate::{
    Build, Code, Compiler, Copy, Device, DeviceBuffer, Event, Executor, ExecutorError, Kernel,
    KernelInfo, KernelList, Library, Parameter, Place, Result,
};

impl From<ClientError> for ExecutorError {
    fn from(error: ClientError) -> Self {
        match error {
            ClientError::Build { log, .. } => Self::Build(log),
            other => Self::Device(other.to_string()),
        }
    }
}

/// The devices of all platforms.
///
/// # Errors
/// [`ExecutorError::Device`] if the loader or a driver fails, or a context cannot be created.
pub fn devices() -> Result<Vec<Arc<dyn Device>>> {
    let mut all: Vec<Arc<dyn Device>> = Vec::new();
    for platform in cl::Platform::all()? {
        for device in platform.devices()? {
            all.push(Arc::new(DeviceHandle(Arc::new(ClDevice::new(device)?))));
        }
    }
    Ok(all)
}

#[derive(Debug)]
struct ClDevice {
    name: String,
    device: cl::Device,
    context: cl::Context,
    queue: cl::Queue,
}

impl ClDevice {
    fn new(device: cl::Device) -> Result<Self> {
        let context = cl::Context::new(device)?;
        let able = device.number(sys::CL_DEVICE_QUEUE_PROPERTIES)?;
        let properties = able & sys::CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE;
        let queue = context.queue(device, properties)?;
        Ok(Self { name: device.name()?, device, context, queue })
    }

    /// The events of this device.
    fn own_events<'e>(
        &self,
        events: impl IntoIterator<Item = &'e Arc<dyn Event>>,
    ) -> Result<Vec<&'e cl::Event>> {
        let own = |event: &'e Arc<dyn Event>| {
            let ours = event.as_any().downcast_ref::<ClEvent>();
            ours.filter(|event| std::ptr::eq(Arc::as_ptr(&event.device), self))
                .map(|event| &event.event)
                .ok_or(ExecutorError::Foreign("an event"))
        };
        events.into_iter().map(own).collect()
    }

    fn own_buffer<'b>(&self, buffer: &'b Arc<dyn DeviceBuffer>) -> Result<&'b cl::Buffer> {
        let ours = buffer.as_any().downcast_ref::<ClBuffer>();
        ours.filter(|buffer| std::ptr::eq(Arc::as_ptr(&buffer.device), self))
            .map(|buffer| &buffer.buffer)
            .ok_or(ExecutorError::Foreign("memory"))
    }

    /// Makes the event of an enqueued command, and submits the command.
    fn enqueued(self: &Arc<Self>, event: cl::Event) -> Result<Arc<dyn Event>> {
        self.queue.flush()?;
        Ok(Arc::new(ClEvent { device: Arc::clone(self), event }))
    }
}

/// The device as the client sees it.
#[derive(Debug)]
struct DeviceHandle(Arc<ClDevice>);

impl Device for DeviceHandle {
    fn name(&self) -> &str {
        &self.0.name
    }

    fn compiler(&self) -> Arc<dyn Compiler> {
        Arc::new(ClCompiler(Arc::clone(&self.0)))
    }

    fn executor(&self) -> Arc<dyn Executor> {
        Arc::new(ClExecutor(Arc::clone(&self.0)))
    }
}

#[derive(Debug)]
struct ClCompiler(Arc<ClDevice>);

impl Compiler for ClCompiler {
    fn build(&self, kernels: KernelList) -> Build {
        let device = Arc::clone(&self.0);
        Build::start(move || {
            let (context, options) = (&device.context, &kernels.options);
            let program = match &kernels.code {
                Code::OpenClC(text) => context.build(device.device, text, options)?,
                Code::SpirV(il) => context.build_il(device.device, il, options)?,
                Code::Bitcode(_) => {
                    return Err(ExecutorError::Code { module: "OpenCL", code: "LLVM bitcode" });
                }
            };
            for kernel in &kernels.kernels {
                kernel_of(&program, kernel)?;
            }
            let log = program.log(device.device)?;
            let kernels = kernels.kernels;
            let library = ClLibrary { device, program, kernels, log };
            Ok(Arc::new(library) as Arc<dyn Library>)
        })
    }
}

fn kernel_of(program: &cl::Program, info: &KernelInfo) -> Result<cl::Kernel> {
    program.kernel(&info.name).map_err(|error| match error {
        ClientError::Call { code: sys::CL_INVALID_KERNEL_NAME, .. } => {
            ExecutorError::NoKernel(info.name.clone())
        }
        other => other.into(),
    })
}

#[derive(Debug)]
struct ClLibrary {
    device: Arc<ClDevice>,
    program: cl::Program,
    kernels: Vec<KernelInfo>,
    log: String,
}

impl Library for ClLibrary {
    fn kernels(&self) -> &[KernelInfo] {
        &self.kernels
    }

    fn log(&self) -> &str {
        &self.log
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}

#[derive(Debug)]
struct ClExecutor(Arc<ClDevice>);

impl Executor for ClExecutor {
    fn allocate(&self, bytes: usize) -> Result<Arc<dyn DeviceBuffer>> {
        if bytes == 0 {
            return Err(ExecutorError::Size { offset: 0, bytes, size: 0 });
        }
        let buffer = self.0.context.buffer(sys::CL_MEM_READ_WRITE, bytes)?;
        Ok(Arc::new(ClBuffer { device: Arc::clone(&self.0), buffer, bytes }))
    }

    fn prepare(&self, library: &Arc<dyn Library>, index: usize) -> Result<Box<dyn Kernel>> {
        let ours = library.as_any().downcast_ref::<ClLibrary>();
        let library = ours
            .filter(|library| Arc::ptr_eq(&library.device, &self.0))
            .ok_or(ExecutorError::Foreign("a library"))?;
        let info = library.kernels.get(index);
        let info = info.ok_or_else(|| ExecutorError::NoKernel(format!("number {index}")))?.clone();
        let kernel = Mutex::new(Rank::Platform, kernel_of(&library.program, &info)?);
        Ok(Box::new(ClKernel { device: Arc::clone(&self.0), info, kernel }))
    }

    fn copy(
        &self,
        from: Place<'_>,
        to: Place<'_>,
        bytes: usize,
        after: &[Arc<dyn Event>],
    ) -> Result<Arc<dyn Event>> {
        let queue = &self.0.queue;
        match Copy::new(from, to, bytes)? {
            Copy::OnDevice { from, to } => {
                let source = (self.0.own_buffer(from.0)?, from.1);
                let target = (self.0.own_buffer(to.0)?, to.1);
                let waits = self.0.own_events(after)?;
                self.0.enqueued(queue.copy_after(source, target, bytes, &waits)?)
            }
            Copy::Transfer(transfer) => {
                let device = self.0.own_buffer(transfer.device)?;
                let at = transfer.device_offset;
                transfer.shared.copy(|all, last| {
                    let waits = self.0.own_events(after.iter().chain(&last))?;
                    let first = all[transfer.shared_offset..].as_mut_ptr();
                    let event = if transfer.to_host {
                        // SAFETY: the shared buffer lends these bytes to this copy until its event
                        // has completed (see `shared`).
                        unsafe { queue.read_after(device, at, first, bytes, &waits) }
                    } else {
                        // SAFETY: as above.
                        unsafe { queue.write_after(device, at, first, bytes, &waits) }
                    };
                    self.0.enqueued(event?)
                })
            }
        }
    }
}

#[derive(Debug)]
struct ClBuffer {
    device: Arc<ClDevice>,
    buffer: cl::Buffer,
    bytes: usize,
}

impl DeviceBuffer for ClBuffer {
    fn bytes(&self) -> usize {
        self.bytes
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}

#[derive(Debug)]
struct ClEvent {
    device: Arc<ClDevice>,
    event: cl::Event,
}

impl Event for ClEvent {
    fn wait(&self) -> Result<()> {
        Ok(self.event.wait()?)
    }

    fn is_complete(&self) -> bool {
        self.event.status().is_ok_and(|status| status <= sys::CL_COMPLETE)
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}

#[derive(Debug)]
struct ClKernel {
    device: Arc<ClDevice>,
    info: KernelInfo,
    /// Locked from the first argument to the enqueue.
    kernel: Mutex<cl::Kernel>,
}

impl Kernel for ClKernel {
    fn run(
        &self,
        parameters: &[Parameter<'_>],
        after: &[Arc<dyn Event>],
    ) -> Result<Arc<dyn Event>> {
        let refuse = |index: usize, reason: String| ExecutorError::Parameter {
            kernel: self.info.name.clone(),
            index,
            reason,
        };
        let mut kernel = self.kernel.lock();
        let expected = kernel.argument_count()? as usize;
        if parameters.len() != expected {
            let reason = format!("{} parameters, the kernel has {expected}", parameters.len());
            return Err(refuse(parameters.len().min(expected), reason));
        }
        for (number, parameter) in (0..).zip(parameters) {
            let set = match parameter {
                Parameter::Buffer(buffer) => {
                    kernel.set_buffer(number, self.device.own_buffer(buffer)?)
                }
                Parameter::Value(bytes) => kernel.set_bytes(number, bytes),
                Parameter::Local(bytes) => kernel.set_local(number, *bytes),
            };
            set.map_err(|error| refuse(number as usize, format!("{parameter:?}: {error}")))?;
        }
        let (global, local) = (self.info.global, self.info.local);
        let waits = self.device.own_events(after)?;
        let local = local.as_ref().map(<[usize; 3]>::as_slice);
        let event = self.device.queue.run_groups_after(&kernel, &global, local, &waits);
        self.device.enqueued(event.map_err(|error| match error {
            ClientError::Call {
                code: sys::CL_INVALID_WORK_GROUP_SIZE | sys::CL_INVALID_WORK_ITEM_SIZE,
                ..
            } => ExecutorError::Groups {
                kernel: self.info.name.clone(),
                reason: format!("groups of {local:?} are impossible ({error})"),
            },
            other => other.into(),
        })?)
    }
}
