//! What compiled kernels hand to the runtime when they enqueue a block ("device-side enqueue"), and
//! what an object says of the kernels in it that may be enqueued. Written by `passes::blocks`, read
//! by `mux-host`; tests pin the layouts.
//!
//! Not here: what the runtime does with it.

use bytemuck::{Pod, Zeroable};

/// OpenCL C's `ndrange_t`. Dimensions beyond `work_dim` are not looked at; a local size of 0 leaves
/// the choice to the runtime.
#[repr(C)]
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Pod, Zeroable)]
pub struct NdRange {
    /// 1, 2 or 3.
    pub work_dim: u32,
    /// Nothing.
    pub pad: u32,
    /// Global offset.
    pub offset: [u64; 3],
    /// Global size.
    pub global: [u64; 3],
    /// Local size.
    pub local: [u64; 3],
}

/// The beginning of a block as clang lays it out; what it has captured follows.
#[repr(C)]
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Pod, Zeroable)]
pub struct BlockHead {
    /// Bytes, this head included.
    pub size: u32,
    /// Alignment.
    pub align: u32,
    /// Where other compilers keep the address of the block's function.
    pub invoke: u64,
}

/// A kernel that may be enqueued: constant data of the object, one for each block, for any local
/// size.
#[repr(C)]
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Pod, Zeroable)]
pub struct ChildKernel {
    /// Address of the entry point, `void(const void *packed, const SchedInfo64 *)`. Packed are the
    /// address of the block and a word for the size of each local argument. Behind a HAL its place
    /// in [`crate::variant::ElfMeta::blocks`].
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
    /// [`CHILD_UNIFORM`] and its like.
    pub flags: u64,
}

/// What `muxcl_enqueue_kernel` is asked to do, by the library's `__enqueue_kernel_*`. All words are
/// addresses but where said.
#[repr(C)]
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Pod, Zeroable)]
pub struct Request {
    /// `HostExtra::launch`
    pub launch: u64,
    /// `queue_t`
    pub queue: u64,
    /// An [`NdRange`].
    pub range: u64,
    /// Events to wait for, or 0.
    pub waits: u64,
    /// Where to put the kernel's event, or 0.
    pub event: u64,
    /// A [`ChildKernel`].
    pub kernel: u64,
    /// A [`BlockHead`].
    pub block: u64,
    /// The sizes of local arguments, words.
    pub sizes: u64,
    /// `kernel_enqueue_flags_t`, a number.
    pub flags: u32,
    /// How many events to wait for.
    pub wait_count: u32,
    /// How many local arguments.
    pub size_count: u32,
    /// Nothing.
    pub pad: u32,
}

/// The global size must be a multiple of the local size.
pub const CHILD_UNIFORM: u64 = 1;
/// Denormals are flushed.
pub const CHILD_FLUSH: u64 = 2;
/// It may itself enqueue.
pub const CHILD_ENQUEUES: u64 = 4;

/// Names of [`ChildKernel`]s in an object begin so; the kernel's name follows.
pub const CHILD_SYMBOL: &str = "muxcl.child.";

/// `CLK_PROFILING_COMMAND_EXEC_TIME` of a command that began and ended, and whose descendants had
/// ended, at these times: how long it took, and how long with all it enqueued. A clock that is read
/// twice in the same nanosecond has still moved on.
#[must_use]
pub fn durations([start, end, complete]: [u64; 3]) -> [u64; 2] {
    [end, complete].map(|time| time.saturating_sub(start).max(1))
}

/// The state of an event: positive until it completes, negative if it has failed.
pub mod state {
    /// `CL_COMPLETE`
    pub const COMPLETE: i32 = 0;
    /// `CL_QUEUED`
    pub const QUEUED: i32 = 3;
    /// `CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST`
    pub const DEPENDENCY_FAILED: i32 = -14;
    /// `CL_OUT_OF_RESOURCES`: it could not be run.
    pub const FAILED: i32 = -5;
}

/// What the functions of OpenCL C return.
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
    /// `CLK_ENQUEUE_FAILURE`: all there is without `-g`.
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
    fn a_command_takes_time() {
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
