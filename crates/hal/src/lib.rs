//! A safe interface to HAL devices. [`search`] finds a HAL library; the traits [`Hal`] and
//! [`Device`] use it. A HAL in Rust implements the same traits and calls [`export_hal!`].
//!
//! Drivers and HALs share [`allocator`], [`elf`], [`args`], [`schedule`], [`target`], [`counters`]
//! and [`profiler`].
//!
//! Invariants: every value from a library is checked before use. A failing HAL causes an error,
//! never a panic. Not here: Mux, OpenCL, any particular device.

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

pub use device::{
    Argument, Call, Device, DeviceInfo, Hal, Kernel, NdRange, Program, check_allocation,
};
pub use error::HalError;
pub use loaded::load_library;
pub use properties::{Machine, Properties};
pub use section::section_of;
