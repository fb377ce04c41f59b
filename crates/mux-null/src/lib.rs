//! A Mux target with no compute device behind it: tests of the layers above run on it, and a new
//! target starts from it.
//!
//! Memory is host memory, transfers are real, kernels count their work-items and do nothing. Ready
//! work runs on the thread that waits, or on one background thread. An "executable" is the content
//! of a `.note.muxcl` section.
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
//! Invariant: everything the Mux contract says of order and completion holds here, in the simplest
//! way there is. Not here: speed.

mod device;
mod execute;
mod memory;
mod queue;

pub use device::{NullDevice, NullKernel, fail};
