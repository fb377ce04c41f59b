//! The Mux target over any HAL device.
//!
//! * `connection`: the device in use: created at the first need, deleted with its last object, one
//!   call at a time; `profile`: its counters.
//! * `info`: what the device reports, from what the HAL says of it; `machine`: whether it takes
//!   RISC-V programs.
//! * `memory`: device memory; the host reads and writes it through calls.
//! * `executable`: programs, uploaded once and resident until they are dropped; kernels found by
//!   symbol.
//! * `queue`: ready command buffers, run one after another by whoever waits, or by the device's own
//!   thread, which sleeps when there is nothing to do.
//! * `execute`: command buffers and their transfers as HAL calls; `launch`: their kernels.
//! * `enqueue`: kernels that enqueue kernels: what they ask for is run when they have ended.
//!
//! Invariants: a HAL that fails is an error of the command, and the device goes on; nothing is
//! joined or destroyed at process exit. Not here: order between command buffers (`muxcl-mux`),
//! finding HAL libraries (`muxcl-hal`), OpenCL rules (`cl`).

mod connection;
mod device;
mod enqueue;
mod executable;
mod execute;
mod info;
mod launch;
mod machine;
mod memory;
mod printf;
mod profile;
mod queue;

pub use connection::Statistics;
pub use device::HalDevice;
