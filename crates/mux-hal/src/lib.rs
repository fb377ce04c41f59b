//! The Mux target over any HAL device.
//!
//! * `link`: the device in use: taken at the first need, one call at a time, memory given back by
//!   anyone; counters.
//! * `info`: what the device reports, from what the HAL says of it.
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

mod device;
mod enqueue;
mod executable;
mod execute;
mod info;
mod launch;
mod link;
mod memory;
mod printf;
mod queue;

pub use device::HalDevice;
pub use link::Statistics;
