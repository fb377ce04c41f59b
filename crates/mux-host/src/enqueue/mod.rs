//! Kernels that enqueue kernels.
//!
//! * [`calls`]: the functions compiled kernels call.
//! * [`child`]: what they enqueue, what it waits for, and when the command of the host that began
//!   it all is complete.
//! * [`event`], [`queue`]: `clk_event_t` and queues on the device.
//! * [`registry`]: their numbers.
//!
//! A child that has nothing more to wait for is a [`crate::task::Task`] of the pool like any
//! command buffer; its groups are shared by threads like any kernel's. The launch's own task is
//! parked meanwhile, and whoever ends the last child goes on with it. So children run at the same
//! time, nothing recurses, and nobody waits.

pub(crate) mod calls;
pub(crate) mod child;
pub(crate) mod event;
pub(crate) mod queue;
mod registry;
