//! RefSi M1 and G1: simulated RISC-V devices behind the HAL interface, as `libhal_refsi.so`. Memory
//! maps, registers and packets are those of docs/refsi.md. Invariant: a kernel that faults or never
//! ends is an error of its launch and of nothing else. Not here: the instructions (`rv-sim`), the
//! interface (`hal`).

pub mod command;
pub mod context;
mod device;
pub mod dma;
mod hal;
mod machine;
pub mod map;
mod options;
pub mod perf;
mod processor;
mod profile;
mod program;
mod rom;
mod trace;
mod worker_pool;

pub use device::RefsiDevice;
pub use hal::RefsiHal;
pub use machine::host_io;
pub use options::{MOST_HARTS, Options, Soc, ThreadMode};

/// A launch that has begun finishes when the host's memory ends; what would take more is refused.
#[global_allocator]
static ALLOCATOR: muxcl_os::reserve::ReserveAllocator = muxcl_os::reserve::ReserveAllocator;

muxcl_hal::export_hal!(RefsiHal::from_environment());
