//! The module over OpenCL: every device of every driver that the system's ICD loader finds.
//!
//! Each device has a context and one out-of-order queue (in-order if it has no other), so that only
//! the given events order work. Not here: anything specific to muxcl's driver.

use std::sync::Arc;

use muxcl_client as cl;
use muxcl_client::{ClientError, sys};
use muxcl_lock::{Mutex, Rank};

use crate::module::{self, Argument, Backend};
use crate::{Code, Device, ExecutorError, KernelInfo, KernelList, Result};

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
    let mut all = Vec::new();
    for platform in cl::Platform::all()? {
        for device in platform.devices()? {
            all.push(module::device(ClDevice::new(device)?));
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

    /// Submits the command that has been enqueued.
    fn submitted(&self, event: cl::Event) -> Result<cl::Event> {
        self.queue.flush()?;
        Ok(event)
    }
}

/// A kernel with the index space of its launches.
#[derive(Debug)]
struct ClKernel {
    info: KernelInfo,
    /// Locked from the first argument to the enqueue.
    kernel: Mutex<cl::Kernel>,
}

fn kernel_of(program: &cl::Program, info: &KernelInfo) -> Result<cl::Kernel> {
    program.kernel(&info.name).map_err(|error| match error {
        ClientError::Call { code: sys::CL_INVALID_KERNEL_NAME, .. } => {
            ExecutorError::NoKernel(info.name.clone())
        }
        other => other.into(),
    })
}

impl Backend for ClDevice {
    type Program = cl::Program;
    type Prepared = ClKernel;
    type Memory = cl::Buffer;
    type Done = cl::Event;

    fn name(&self) -> &str {
        &self.name
    }

    fn compile(&self, list: &KernelList) -> Result<(cl::Program, String)> {
        let (context, device, options) = (&self.context, self.device, &list.options);
        let program = match &list.code {
            Code::OpenClC(text) => context.build(device, text, options)?,
            Code::SpirV(il) => context.build_il(device, il, options)?,
            Code::Bitcode(_) => {
                return Err(ExecutorError::Code { module: "OpenCL", code: "LLVM bitcode" });
            }
        };
        for kernel in &list.kernels {
            kernel_of(&program, kernel)?;
        }
        let log = program.log(device)?;
        Ok((program, log))
    }

    fn allocate(&self, bytes: usize) -> Result<cl::Buffer> {
        Ok(self.context.buffer(sys::CL_MEM_READ_WRITE, bytes)?)
    }

    fn prepare(&self, program: &cl::Program, _: usize, info: &KernelInfo) -> Result<ClKernel> {
        let kernel = Mutex::new(Rank::Platform, kernel_of(program, info)?);
        Ok(ClKernel { info: info.clone(), kernel })
    }

    fn run(
        &self,
        kernel: &ClKernel,
        arguments: &[Argument<'_, cl::Buffer>],
        after: &[&cl::Event],
    ) -> Result<cl::Event> {
        let ClKernel { info, kernel } = kernel;
        let refuse = |index: usize, reason: String| ExecutorError::Parameter {
            kernel: info.name.clone(),
            index,
            reason,
        };
        let mut kernel = kernel.lock();
        let expected = kernel.argument_count()? as usize;
        if arguments.len() != expected {
            let reason = format!("{} parameters, the kernel has {expected}", arguments.len());
            return Err(refuse(arguments.len().min(expected), reason));
        }
        for (number, argument) in (0..).zip(arguments) {
            let set = match argument {
                Argument::Buffer(buffer) => kernel.set_buffer(number, buffer),
                Argument::Value(bytes) => kernel.set_bytes(number, bytes),
                Argument::Local(bytes) => kernel.set_local(number, *bytes),
            };
            set.map_err(|error| refuse(number as usize, format!("{argument:?}: {error}")))?;
        }
        let local = info.local.as_ref().map(<[usize; 3]>::as_slice);
        let event = self.queue.run_groups_after(&kernel, &info.global, local, after);
        self.submitted(event.map_err(|error| match error {
            ClientError::Call {
                code: sys::CL_INVALID_WORK_GROUP_SIZE | sys::CL_INVALID_WORK_ITEM_SIZE,
                ..
            } => ExecutorError::Groups {
                kernel: info.name.clone(),
                reason: format!("groups of {local:?} are impossible ({error})"),
            },
            other => other.into(),
        })?)
    }

    fn copy(
        &self,
        from: (&cl::Buffer, usize),
        to: (&cl::Buffer, usize),
        bytes: usize,
        after: &[&cl::Event],
    ) -> Result<cl::Event> {
        self.submitted(self.queue.copy_after(from, to, bytes, after)?)
    }

    unsafe fn transfer(
        &self,
        memory: (&cl::Buffer, usize),
        host: *mut u8,
        bytes: usize,
        to_host: bool,
        after: &[&cl::Event],
    ) -> Result<cl::Event> {
        let direction = if to_host { cl::Direction::Read } else { cl::Direction::Write };
        // SAFETY: the caller's promise.
        let event = unsafe { self.queue.transfer_after(direction, memory, host, bytes, after) };
        self.submitted(event?)
    }

    fn wait(&self, done: &cl::Event) -> Result<()> {
        Ok(done.wait()?)
    }

    fn is_complete(&self, done: &cl::Event) -> bool {
        done.status().is_ok_and(|status| status <= sys::CL_COMPLETE)
    }
}
