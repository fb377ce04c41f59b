//! A Mux target with no compute device behind it: tests of the layers above run on it, and a new
//! target starts from it.
//!
//! Memory is host memory, transfers are real, kernels count their launches and do nothing. Ready
//! work runs on the thread that waits, or on one background thread where nobody does. An
//! "executable" is the content of a `.note.muxcl` section.
//!
//! Invariant: everything the Mux contract says of order and completion holds here, in the simplest
//! way there is. Not here: speed.

mod device;
mod execute;
mod memory;
mod queue;

pub use device::{NullDevice, NullKernel, fail};
