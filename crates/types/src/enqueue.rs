//! Device-side enqueue: the request by which a kernel enqueues a block, and an object's description
//! of the kernels that may be enqueued.
//!
//! `passes::blocks` writes these structures and `mux-host` reads them; tests pin the layouts. Not
//! here: running the blocks.

use bytemuck::{Pod, Zeroable};

/// OpenCL C's `ndrange_t`. Dimensions beyond `work_dim` are ignored. With a local size of 0 the
/// runtime chooses the size.
#[repr(C)]
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Pod, Zeroable)]
pub struct NdRange {
    /// The number of dimensions: 1, 2 or 3.
    pub work_dim: u32,
    /// Padding.
    pub pad: u32,
    /// Global offset in work-items.
    pub offset: [u64; 3],
    /// Global size in work-items.
    pub global: [u64; 3],
    /// Local size in work-items.
    pub local: [u64; 3],
}

/// The header of a block literal as clang lays it out. The captured variables follow.
#[repr(C)]
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Pod, Zeroable)]
pub struct BlockHead {
    /// Size of the literal in bytes, with this header.
    pub size: u32,
    /// Alignment in bytes.
    pub align: u32,
    /// The address of the block's function; unused by this driver.
    pub invoke: u64,
}

/// The kernel of a block, for any local size: constant data of the object.
#[repr(C)]
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Pod, Zeroable)]
pub struct ChildKernel {
    /// Address of the entry point, `void(const void *packed, const SchedInfo64 *)`. The packed
    /// arguments are the address of the block literal and the size of each local argument, a word
    /// each. Behind a HAL this is an index in [`crate::variant::ElfMeta::blocks`].
    pub entry: u64,
    /// As in [`crate::variant::Variant`].
    pub local_bytes: u64,
    /// As in [`crate::variant::Variant`].
    pub scratch_bytes_per_item: u64,
    /// As in [`crate::variant::Variant`].
    pub scratch_bytes_per_group: u64,
    /// As in [`crate::variant::Variant`].
    pub stack_bytes: u64,
    /// As in [`crate::variant::Variant`].
    pub packed_bytes: u64,
    /// [`CHILD_UNIFORM`], [`CHILD_FLUSH`] and [`CHILD_ENQUEUES`].
    pub flags: u64,
}

/// The request of the library's `__enqueue_kernel_*` to `muxcl_enqueue_kernel`. Words are addresses
/// unless said otherwise.
#[repr(C)]
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Pod, Zeroable)]
pub struct Request {
    /// `HostExtra::launch`
    pub launch: u64,
    /// `queue_t`
    pub queue: u64,
    /// An [`NdRange`].
    pub range: u64,
    /// The events to wait for, or 0.
    pub waits: u64,
    /// Where the runtime stores the kernel's event, or 0.
    pub event: u64,
    /// A [`ChildKernel`].
    pub kernel: u64,
    /// A [`BlockHead`].
    pub block: u64,
    /// The sizes of local arguments in bytes, a word each.
    pub sizes: u64,
    /// `kernel_enqueue_flags_t`, a value.
    pub flags: u32,
    /// Number of events to wait for.
    pub wait_count: u32,
    /// Number of local arguments.
    pub size_count: u32,
    /// Padding.
    pub pad: u32,
}

/// [`ChildKernel::flags`]: the global size must be a multiple of the local size.
pub const CHILD_UNIFORM: u64 = 1;
/// [`ChildKernel::flags`]: denormals are flushed.
pub const CHILD_FLUSH: u64 = 2;
/// [`ChildKernel::flags`]: the kernel may enqueue blocks itself.
pub const CHILD_ENQUEUES: u64 = 4;

/// Prefix of the symbol of a [`ChildKernel`]; the kernel's name follows.
pub const CHILD_SYMBOL: &str = "muxcl.child.";

/// `CLK_PROFILING_COMMAND_EXEC_TIME`: the duration of a command, and its duration with all commands
/// that it enqueued, in nanoseconds. The arguments are start, end, and end of all descendants. A
/// duration is at least 1 ns.
#[must_use]
pub fn durations([start, end, complete]: [u64; 3]) -> [u64; 2] {
    [end, complete].map(|time| time.saturating_sub(start).max(1))
}

/// Execution statuses of an event: positive until it completes, negative if it failed.
pub mod state {
    /// `CL_COMPLETE`
    pub const COMPLETE: i32 = 0;
    /// `CL_QUEUED`
    pub const QUEUED: i32 = 3;
    /// `CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST`
    pub const DEPENDENCY_FAILED: i32 = -14;
    /// `CL_OUT_OF_RESOURCES`: the command could not run.
    pub const FAILED: i32 = -5;
}

/// Return values of OpenCL C's enqueue functions.
pub mod status {
    /// `CLK_SUCCESS`
    pub const SUCCESS: i32 = 0;
    /// `CLK_OUT_OF_RESOURCES`
    pub const OUT_OF_RESOURCES: i32 = -5;
    /// `CLK_INVALID_ARG_SIZE`
    pub const INVALID_ARG_SIZE: i32 = -51;
    /// `CLK_INVALID_EVENT_WAIT_LIST`
    pub const INVALID_EVENT_WAIT_LIST: i32 = -57;
    /// `CLK_EVENT_ALLOCATION_FAILURE`
    pub const EVENT_ALLOCATION_FAILURE: i32 = -100;
    /// `CLK_ENQUEUE_FAILURE`: every failure, unless the program is built with `-g`.
    pub const ENQUEUE_FAILURE: i32 = -101;
    /// `CLK_INVALID_QUEUE`
    pub const INVALID_QUEUE: i32 = -102;
    /// `CLK_INVALID_NDRANGE`
    pub const INVALID_NDRANGE: i32 = -160;
    /// `CLK_DEVICE_QUEUE_FULL`
    pub const DEVICE_QUEUE_FULL: i32 = -161;
}

/// `CLK_NULL_EVENT`
pub const NULL_EVENT: u64 = u64::MAX;

#[cfg(test)]
mod tests {
    use super::*;
    use std::mem::{offset_of, size_of};

    #[test]
    fn durations_are_at_least_one_nanosecond() {
        assert_eq!(durations([10, 14, 20]), [4, 10]);
        assert_eq!(durations([10, 10, 9]), [1, 1]);
    }

    #[test]
    fn layouts() {
        assert_eq!(
            (offset_of!(NdRange, offset), offset_of!(NdRange, local), size_of::<NdRange>()),
            (8, 56, 80)
        );
        assert_eq!((offset_of!(BlockHead, invoke), size_of::<BlockHead>()), (8, 16));
        assert_eq!(
            (offset_of!(ChildKernel, packed_bytes), offset_of!(ChildKernel, flags)),
            (40, 48)
        );
        assert_eq!(size_of::<ChildKernel>(), 56);
        assert_eq!((offset_of!(Request, flags), size_of::<Request>()), (64, 80));
    }
}
