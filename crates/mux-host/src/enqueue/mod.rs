//! Kernels that enqueue kernels.
//!
//! * [`calls`]: the functions that compiled kernels call.
//! * [`child`]: the enqueued commands, their dependencies, and the completion of the host's
//!   command.
//! * [`event`], [`queue`]: `clk_event_t` and queues on the device.
//! * [`registry`]: their handles.
//!
//! A child without dependencies is a [`crate::task::Task`] of the pool like any command buffer;
//! threads share its groups like any kernel's. The launch's own task is parked meanwhile, and the
//! thread that ends the last child resumes it. So children run concurrently, nothing recurses, and
//! no thread waits for another.

pub(crate) mod calls;
pub(crate) mod child;
pub(crate) mod event;
pub(crate) mod queue;
mod registry;
