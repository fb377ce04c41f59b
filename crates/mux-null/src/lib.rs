//! A Mux target without a compute device: tests of the layers above run on it, and it is the model
//! for new targets.
//!
//! Memory is host memory and transfers are real, but kernels only count their work-items. Ready
//! work runs on the waiting thread, or on one background thread. An "executable" is the content of
//! a `.note.muxcl` section.
//!
//! ```
//! let device = muxcl_mux_null::NullDevice::create();
//! let mut commands = device.create_command_buffer();
//! commands.finalise()?;
//! device.queue().dispatch(&commands, muxcl_mux::Dispatch::default())?;
//! device.queue().wait_all();
//! # Ok::<(), muxcl_mux::MuxError>(())
//! ```
//!
//! Invariant: the Mux contract on order and completion holds here, in the simplest possible way.
//! Not here: speed.

mod device;
mod execute;
mod memory;
mod queue;

pub use device::{NullDevice, NullKernel, fail};
