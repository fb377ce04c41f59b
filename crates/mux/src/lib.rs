//! The Mux runtime contract: the interface between compute devices and everything above them.
//!
//! * A [`Device`] has [`DeviceInfo`], allocates [`Memory`], loads [`Executable`]s and has one
//!   [`Queue`].
//! * A [`Buffer`] is a view on a range of memory bound to it; kernels see its device address.
//! * Work is recorded into a [`CommandBuffer`] (record, finalise, reset, clone, update) and
//!   dispatched to a queue with semaphores to wait for and to signal, a fence and a completion
//!   callback.
//! * Within a command buffer, commands take effect in the order recorded. Command buffers have
//!   **no** implicit order: only semaphores order them.
//! * Completion order of one dispatch: its callback, then its signal semaphores, then its fence,
//!   then the queue's count.
//!
//! Validation: the API layer above (`cl`) checks the application's errors. This crate checks its
//! own contract (bounds, states, sizes, local memory) and returns [`MuxError`]. A target
//! ([`target`]) trusts its arguments.
//!
//! This crate contains the only dependency engine (waits, signals, error propagation, helping
//! waiters): a target executes command buffers that are ready.
//!
//! Invariant: no callback runs while a lock of this crate is held, and a failed or dropped dispatch
//! never causes an endless wait. Not here: OpenCL types and errors, LLVM, any particular device.
//!
//! # Examples
//! ```
//! use muxcl_mux::{AllocationType, Dispatch, Fence, FillPattern};
//!
//! let device = muxcl_mux_null::NullDevice::create(); // any target gives a `muxcl_mux::Device`
//! let memory = device.allocate(64, 0, AllocationType::Host)?;
//! let buffer = device.create_buffer(&memory, 16, 32)?;
//!
//! let mut commands = device.create_command_buffer();
//! commands.fill_buffer(&buffer, 0, 32, FillPattern::new(&[7])?)?;
//! commands.finalise()?;
//! let fence = Fence::new();
//! device.queue().dispatch(&commands, Dispatch { fence: Some(&fence), ..Dispatch::default() })?;
//! fence.wait(device.queue(), None)?;
//!
//! let mut bytes = [0; 3];
//! memory.read(15, &mut bytes)?;
//! assert_eq!(bytes, [0, 7, 7]);
//! # Ok::<(), muxcl_mux::MuxError>(())
//! ```

mod args;
mod buffer;
mod command;
mod command_buffer;
mod device;
mod device_queue;
mod error;
mod executable;
mod fence;
mod memory;
#[cfg(all(test, loom))]
mod models;
pub mod profile;
mod query;
mod queue;
mod semaphore;
pub mod sync;
pub mod target;

pub use args::{ArgBlock, Descriptor};
pub use buffer::Buffer;
pub use command::{
    Callback, CallbackInfo, CheckedLaunch, Command, Condition, FillPattern, HostMut, HostRef,
    Launch, NdRange, RectRegion,
};
pub use command_buffer::{CommandBuffer, CommandId};
pub use device::{
    AffinityDomain, AtomicCaps, Device, DeviceInfo, DeviceType, FloatCaps, LocalMemoryType,
};
pub use device_queue::{DeviceQueue, DeviceQueueLimits};
pub use error::MuxError;
pub use executable::{Canceller, Executable, Kernel};
pub use fence::Fence;
pub use memory::{AllocationType, Memory};
pub use query::{DurationResult, QueryPool};
pub use queue::{CompleteFn, Dispatch, Queue, SubmitHint, Wait};
pub use semaphore::Semaphore;
