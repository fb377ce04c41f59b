//! HAL devices, safely. A HAL library is found by [`search`] and used through the traits [`Hal`]
//! and [`Device`]; one is written in Rust by implementing the same traits and [`export_hal!`].
//! Beside that, what drivers and HALs share: [`allocator`], [`elf`], [`args`], [`schedule`],
//! [`target`], [`counters`], [`profiler`]. Invariant: what a library says is checked before it is
//! believed; a HAL that fails is an error, never a panic. Not here: Mux, OpenCL, any particular
//! device.

pub mod allocator;
pub mod args;
mod contain;
pub mod counters;
mod device;
pub mod elf;
mod error;
#[doc(hidden)]
pub mod export;
mod library_file;
mod loaded;
pub mod profiler;
mod properties;
pub mod schedule;
pub mod search;
mod section;
pub mod target;

pub use device::{Argument, Device, DeviceInfo, Hal, Kernel, NdRange, Program};
pub use error::HalError;
pub use loaded::load_library;
pub use properties::{Machine, Properties};
pub use section::section_of;
