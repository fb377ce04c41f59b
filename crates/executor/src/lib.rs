//! The interface between a tensor compiler and devices: a [`Compiler`] turns a [`KernelList`] into
//! a [`Library`]; an [`Executor`] prepares [`Kernel`]s, runs them and copies memory, each after a
//! list of [`Event`]s.
//!
//! It follows PlaidML's hardware interface (the seed `plaidml-hardware-interface`). Two modules
//! implement it. [`opencl`] drives every OpenCL device of the system through the ICD loader.
//! [`direct`] needs no OpenCL: muxcl's compiler runs in this process, and Mux runs the kernels, on
//! the CPU and on the devices of a HAL library. A program written for one runs on the other.
//!
//! ```text
//! KernelList --Compiler::build--> Library --Executor::prepare--> Kernel --run--> Event
//!                                 SharedBuffer <--Executor::copy--> DeviceBuffer
//! ```
//!
//! Invariant: nothing that runs on a device begins before the events it was given have completed
//! successfully, and its own event fails if one of them failed. All objects are safe to use from
//! any thread, and may be dropped while work that uses them runs. Not here: the lowering of tensor
//! functions to kernels, which is the client's job.
//!
//! # Examples
//! ```
//! use muxcl_executor::{Code, KernelInfo, KernelList, Parameter, Place, SharedBuffer};
//!
//! let device = muxcl_executor::direct::host();
//! let text = "kernel void twice(global int *p) { p[get_global_id(0)] *= 2; }";
//! let kernels = KernelList {
//!     code: Code::OpenClC(text.into()),
//!     options: String::new(),
//!     kernels: vec![KernelInfo::new("twice", [4, 1, 1])],
//! };
//! let library = device.compiler().build(kernels).wait()?;
//! let executor = device.executor();
//! let kernel = executor.prepare(&library, 0)?;
//!
//! let shared = SharedBuffer::new(16);
//! let mut view = shared.map_discard(&[])?;
//! view.copy_from_slice(&[1, 0, 0, 0, 2, 0, 0, 0, 3, 0, 0, 0, 4, 0, 0, 0]);
//! drop(view);
//! let memory = executor.allocate(16)?;
//! let there = executor.copy(Place::shared(&shared), Place::device(&memory), 16, &[])?;
//! let done = kernel.run(&[Parameter::Buffer(&memory)], &[there])?;
//! let back = executor.copy(Place::device(&memory), Place::shared(&shared), 16, &[done])?;
//! assert_eq!(&shared.map_current(&[back])?[..8], [2, 0, 0, 0, 4, 0, 0, 0]);
//! # Ok::<(), muxcl_executor::ExecutorError>(())
//! ```

#[cfg(feature = "direct")]
pub mod direct;
mod error;
mod kernels;
#[cfg(any(feature = "direct", feature = "opencl"))]
mod module;
#[cfg(feature = "opencl")]
pub mod opencl;
mod shared;

pub use error::ExecutorError;
pub use kernels::{Build, Code, KernelInfo, KernelList};
pub use shared::{SharedBuffer, View};

use std::any::Any;
use std::fmt::Debug;
use std::sync::Arc;

/// The result of a call.
pub type Result<T> = std::result::Result<T, ExecutorError>;

/// A device of a module.
pub trait Device: Debug + Send + Sync {
    /// The device's name, for users.
    fn name(&self) -> &str;
    /// The compiler for this device.
    fn compiler(&self) -> Arc<dyn Compiler>;
    /// The executor of this device. Each call returns the same one.
    fn executor(&self) -> Arc<dyn Executor>;
}

/// Compiles kernels for one device.
pub trait Compiler: Debug + Send + Sync {
    /// Compiles `kernels` on another thread.
    fn build(&self, kernels: KernelList) -> Build;
}

/// Compiled kernels, in the order of their [`KernelList`].
pub trait Library: Debug + Send + Sync {
    /// The kernels.
    fn kernels(&self) -> &[KernelInfo];
    /// The compiler's warnings; empty if there are none.
    fn log(&self) -> &str;
    /// The object as [`Any`], which its module downcasts to its own type.
    fn as_any(&self) -> &dyn Any;
}

/// Runs kernels and copies memory on one device.
pub trait Executor: Debug + Send + Sync {
    /// Allocates `bytes` bytes of device memory. Their content is undefined.
    ///
    /// # Errors
    /// [`ExecutorError::Size`] for no bytes; [`ExecutorError::Device`] if the device has not that
    /// much memory.
    fn allocate(&self, bytes: usize) -> Result<Arc<dyn DeviceBuffer>>;

    /// Makes kernel `index` of a library ready to run.
    ///
    /// # Errors
    /// [`ExecutorError::Foreign`] for a library of another device, [`ExecutorError::NoKernel`] if
    /// it has no such kernel, [`ExecutorError::Device`].
    fn prepare(&self, library: &Arc<dyn Library>, index: usize) -> Result<Box<dyn Kernel>>;

    /// Copies `bytes` bytes when all events of `after` have completed. Copies with the same shared
    /// buffer run one after another.
    ///
    /// # Errors
    /// [`ExecutorError::Foreign`] for memory or events of another device, [`ExecutorError::Size`]
    /// for no bytes or a range outside the memory, [`ExecutorError::Mapped`] while the shared
    /// memory is mapped, [`ExecutorError::OnHost`] if both places are shared memory;
    /// [`ExecutorError::Device`].
    fn copy(
        &self,
        from: Place<'_>,
        to: Place<'_>,
        bytes: usize,
        after: &[Arc<dyn Event>],
    ) -> Result<Arc<dyn Event>>;
}

/// A kernel that is ready to run.
pub trait Kernel: Debug + Send + Sync {
    /// Runs the kernel over its index space when all events of `after` have completed.
    ///
    /// # Errors
    /// [`ExecutorError::Foreign`] for memory or events of another device,
    /// [`ExecutorError::Parameter`] if a parameter does not fit the kernel,
    /// [`ExecutorError::Device`].
    fn run(&self, parameters: &[Parameter<'_>], after: &[Arc<dyn Event>])
    -> Result<Arc<dyn Event>>;
}

/// The completion of a kernel or a copy.
pub trait Event: Debug + Send + Sync {
    /// Waits for the completion.
    ///
    /// # Errors
    /// [`ExecutorError::Device`] if the work, or work that it waited for, has failed.
    fn wait(&self) -> Result<()>;
    /// True once complete, successfully or not.
    fn is_complete(&self) -> bool;
    /// The object as [`Any`], which its module downcasts to its own type.
    fn as_any(&self) -> &dyn Any;
}

/// Memory of a device.
pub trait DeviceBuffer: Debug + Send + Sync {
    /// Size in bytes.
    fn bytes(&self) -> usize;
    /// The object as [`Any`], which its module downcasts to its own type.
    fn as_any(&self) -> &dyn Any;
}

/// Where a copy begins to read or write.
#[derive(Clone, Copy, Debug)]
pub enum Place<'a> {
    /// Device memory, with an offset in bytes.
    Device(&'a Arc<dyn DeviceBuffer>, usize),
    /// Shared memory, with an offset in bytes.
    Shared(&'a Arc<SharedBuffer>, usize),
}

impl<'a> Place<'a> {
    /// The start of device memory.
    #[must_use]
    pub fn device(buffer: &'a Arc<dyn DeviceBuffer>) -> Self {
        Self::Device(buffer, 0)
    }

    /// The start of shared memory.
    #[must_use]
    pub fn shared(buffer: &'a Arc<SharedBuffer>) -> Self {
        Self::Shared(buffer, 0)
    }

    /// Checks that `bytes` bytes from here on are inside the memory.
    fn check(&self, bytes: usize) -> Result<()> {
        let (offset, size) = match self {
            Self::Device(buffer, offset) => (*offset, buffer.bytes()),
            Self::Shared(buffer, offset) => (*offset, buffer.bytes()),
        };
        let inside = offset.checked_add(bytes).is_some_and(|end| end <= size);
        if bytes != 0 && inside { Ok(()) } else { Err(ExecutorError::Size { offset, bytes, size }) }
    }
}

/// An argument of a kernel.
#[derive(Clone, Copy, Debug)]
pub enum Parameter<'a> {
    /// Device memory, for a pointer to global or constant memory.
    Buffer(&'a Arc<dyn DeviceBuffer>),
    /// The bytes of a value.
    Value(&'a [u8]),
    /// Local memory of this many bytes, for a pointer to local memory.
    Local(usize),
}

/// A copy between shared and device memory: both places, and whether the bytes go to the host.
struct Transfer<'a> {
    shared: &'a Arc<SharedBuffer>,
    shared_offset: usize,
    device: &'a Arc<dyn DeviceBuffer>,
    device_offset: usize,
    to_host: bool,
}

/// The kinds of copies, with the ranges checked.
enum Copy<'a> {
    /// Between shared and device memory.
    Transfer(Transfer<'a>),
    /// Within the device.
    OnDevice { from: (&'a Arc<dyn DeviceBuffer>, usize), to: (&'a Arc<dyn DeviceBuffer>, usize) },
}

impl<'a> Copy<'a> {
    fn new(from: Place<'a>, to: Place<'a>, bytes: usize) -> Result<Self> {
        from.check(bytes)?;
        to.check(bytes)?;
        Ok(match (from, to) {
            (Place::Device(from, start), Place::Device(to, end)) => {
                Self::OnDevice { from: (from, start), to: (to, end) }
            }
            (Place::Shared(shared, shared_offset), Place::Device(device, device_offset)) => {
                let to_host = false;
                Self::Transfer(Transfer { shared, shared_offset, device, device_offset, to_host })
            }
            (Place::Device(device, device_offset), Place::Shared(shared, shared_offset)) => {
                let to_host = true;
                Self::Transfer(Transfer { shared, shared_offset, device, device_offset, to_host })
            }
            (Place::Shared(..), Place::Shared(..)) => return Err(ExecutorError::OnHost),
        })
    }
}

/// Waits for every event.
///
/// # Errors
/// The first failure; the other events have completed nevertheless.
pub fn wait_all(events: &[Arc<dyn Event>]) -> Result<()> {
    let results: Vec<_> = events.iter().map(|event| event.wait()).collect();
    results.into_iter().collect()
}
