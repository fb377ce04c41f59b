//! The Mux target for any HAL device.
//!
//! * `connection`: creates the device at its first use, deletes it with its last object, and runs
//!   calls, one at a time unless the HAL allows more; `profile`: its counters.
//! * `info`: builds the device description from the HAL's properties; `machine`: tells whether the
//!   device takes RISC-V programs.
//! * `memory`: device memory; the host reads and writes it through calls.
//! * `executable`: programs, uploaded once and resident until they are dropped; kernels are found
//!   by symbol.
//! * `queue`: ready command buffers, run by waiting threads or by the device's own threads, which
//!   sleep while they have no work.
//! * `serial`: runs kernels one at a time, transfers beside them, and loses none.
//! * `execute`: command buffers and their transfers as HAL calls; `launch`: their kernels;
//!   `list`: commands that a HAL accepts before earlier ones have ended.
//! * `enqueue`: device-side enqueue; the host runs the enqueued kernels after their parent has
//!   ended.
//!
//! Invariants: a failing HAL fails the command, and the device stays usable. Nothing is joined or
//! destroyed at process exit. Not here: order between command buffers (`muxcl-mux`), finding HAL
//! libraries (`muxcl-hal`), OpenCL rules (`cl`).
//!
//! # Examples
//! ```no_run
//! use muxcl_hal::{Hal, search};
//! use muxcl_mux_hal::HalDevice;
//! use std::sync::Arc;
//!
//! let options = search::Options::from_environment();
//! // SAFETY: the library that the user names, or that of this build, is a HAL library.
//! let hal: Arc<dyn Hal> = Arc::from(unsafe { search::load(&options) }?);
//! let device = HalDevice::new(&hal, 0)?.device();
//! println!("{}: {} compute units", device.info().name, device.info().compute_units);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod connection;
mod device;
mod enqueue;
mod executable;
mod execute;
mod info;
mod launch;
mod list;
mod machine;
mod memory;
mod printf;
mod profile;
mod queue;
mod serial;

#[cfg(all(test, loom))]
mod models;

pub use connection::Statistics;
pub use device::HalDevice;
pub use info::translate;
