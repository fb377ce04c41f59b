//! The Mux target for the CPU this process runs on.
//!
//! Memory is process memory, executables are ELF objects loaded by `elf-loader`, and ready command
//! buffers run on a pool of threads that belongs to the process. A thread that waits helps the pool
//! ([`muxcl_mux::target::TargetQueue::help`]), so the work of an idle queue runs on the caller's
//! own thread, without waking another.
//!
//! ```
//! let device = muxcl_mux_host::HostDevice::create();
//! assert!(device.info().compute_units >= 1);
//! let memory = device.allocate(4096, 0, muxcl_mux::AllocationType::Host)?;
//! memory.write(16, b"bytes")?;
//! let mut back = [0; 5];
//! memory.read(16, &mut back)?;
//! assert_eq!(&back, b"bytes");
//! # Ok::<(), muxcl_mux::MuxError>(())
//! ```
//!
//! * `task`: one command buffer in execution; any thread can continue it.
//! * `job`: one large command split into chunks that threads claim with an atomic counter.
//! * `work`: units: groups of a kernel, blocks of a copy or fill, rows of a rectangle.
//! * `pool`: threads, how they find work, spin, sleep and are woken.
//! * `enqueue`: kernels that enqueue kernels.
//! * `arena`: each thread's local memory, scratch memory and, where needed, a stack for kernels.
//!
//! Invariants: no thread blocks on another inside the pool: the last thread to leave a job
//! continues its command buffer. Nothing is joined or destroyed at process exit. After `fork`
//! the child starts a pool of its own. Not here: order between command buffers (`muxcl-mux`), code
//! generation (`target-host`), OpenCL rules (`cl`).

mod arena;
mod counts;
mod device;
mod enqueue;
mod epoch;
mod executable;
mod info;
mod job;
mod memory;
#[cfg(all(test, loom))]
mod models;
mod pace;
mod pool;
mod pools;
mod printf;
mod queue;
mod ready;
mod slabs;
mod streaming;
mod symbols;
mod task;
mod transfer;
mod work;

pub use device::HostDevice;
pub use info::{MAX_SCRATCH_BYTES, MAX_STACK_BYTES};
pub use symbols::host_symbol;
