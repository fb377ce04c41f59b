//! RefSi M1 and G1: simulated RISC-V devices behind the HAL interface, as `libhal_refsi.so`.
//! docs/refsi.md specifies memory maps, registers and packets. Invariant: a kernel that faults or
//! never ends fails its launch and affects nothing else, and no kernel changes the code of a
//! program. Not here: the instructions (`rv-sim`), the interface (`hal`).
//!
//! # Examples
//! ```
//! use hal_refsi::{Options, RefsiHal, Soc};
//! use muxcl_hal::Hal;
//!
//! let hal = RefsiHal::new(vec![Options::new(Soc::M1)]);
//! assert_eq!(hal.device_info(0)?.target_name, "RefSi M1");
//! let device = hal.create_device(0)?;
//! let address = device.alloc(16, 8)?;
//! device.write(address, b"device memory")?;
//! let mut back = [0; 6];
//! device.read(address, &mut back)?;
//! assert_eq!(&back, b"device");
//! device.free(address)?;
//! # Ok::<(), muxcl_hal::HalError>(())
//! ```

pub mod command;
pub mod context;
mod device;
pub mod dma;
mod gdb;
mod hal;
mod instruction_trace;
mod machine;
pub mod map;
mod options;
pub mod perf;
mod processor;
mod profile;
mod program;
mod rom;
mod trace;
mod translation;
mod worker_pool;

pub use device::RefsiDevice;
pub use hal::{RefsiHal, describe};
pub use machine::host_io;
pub use options::{Exec, MOST_HARTS, Options, Soc, ThreadMode, TraceOptions};

/// On exhaustion of host memory, launches in progress finish, and new allocations are refused.
#[global_allocator]
static ALLOCATOR: muxcl_os::reserve::ReserveAllocator = muxcl_os::reserve::ReserveAllocator;

muxcl_hal::export_hal!(RefsiHal::from_environment());
