//! What kernels behind a HAL and the host tell each other about blocks that are enqueued
//! ("device-side enqueue"). Nothing there can start a kernel but the host; so kernels leave
//! *records* in device memory, and the host runs what they ask for once they have ended
//! (`docs/adr/0005`).
//!
//! Kernels write by the library's functions (`builtins/gen/deferred.rs`), which has the same
//! structures in OpenCL C; the host's side is `mux-hal`. Both are 64-bit and little-endian. Tests
//! pin the layouts.
//!
//! Invariant: kernels and the host never work on an area at the same time.

use bytemuck::{Pod, Zeroable};

/// The head of the area: written before each kernel, read after it.
#[repr(C)]
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Pod, Zeroable)]
pub struct Area {
    /// `get_default_queue`, or 0.
    pub default_queue: u64,
    /// What user events belong to: a queue's number, or one of the launch.
    pub owner: u64,
    /// Device address of [`Queue`]s.
    pub queues: u64,
    /// Device address of [`Event`]s.
    pub events: u64,
    /// Device address of the records.
    pub records: u64,
    /// Bytes for records.
    pub capacity: u64,
    /// Bytes of local memory a group may have.
    pub local_memory: u64,
    /// Bytes a group may have for state, stack and local memory.
    pub stack: u64,
    /// How many queues there is room for.
    pub queue_count: u32,
    /// How many events there is room for.
    pub event_count: u32,
    /// Most work-items of a group.
    pub max_work_group: u32,
    /// `get_kernel_preferred_work_group_size_multiple`
    pub multiple: u32,
    /// Kernels': bytes of records so far.
    pub reserved: u64,
    /// Kernels': where the search for a free event goes on.
    pub cursor: u32,
    /// Kernels': grows when the status of a user event changes.
    pub changes: u32,
}

/// A queue. Free places have number 0.
#[repr(C)]
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Pod, Zeroable)]
pub struct Queue {
    /// What kernels know it by: the place plus 1, and its age above.
    pub number: u64,
    /// Bytes.
    pub size: u64,
    /// Bytes taken by what has not run.
    pub used: u64,
}

/// An event. The number kernels know it by: the place plus 1, and its age above.
#[repr(C)]
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Pod, Zeroable)]
pub struct Event {
    /// Its age in the upper half, then how many records refer to it ([`Event::HOLD`] each), then
    /// the application's references. The place is free if both are 0.
    pub word: u64,
    /// [`Area::owner`] or the queue it was made with.
    pub owner: u64,
    /// One of [`crate::enqueue::state`], or what a kernel has set.
    pub status: i32,
    /// Made by `create_user_event`.
    pub user: u32,
    /// Start and end of its command, and the end of all it enqueued, in ns.
    pub times: [u64; 3],
    /// Nothing.
    pub pad: [u64; 2],
}

impl Event {
    /// One record in [`Event::word`].
    pub const HOLD: u64 = 1 << 16;
}

/// What a kernel asks for. There follow the events it waits for and the sizes of local arguments,
/// words, and a copy of the block.
#[repr(C)]
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Pod, Zeroable)]
pub struct Record {
    /// Of all of it, a multiple of 8.
    pub bytes: u32,
    /// [`KERNEL`] and its like.
    pub kind: u32,
    /// The number of the queue.
    pub queue: u64,
    /// Bytes taken in the queue.
    pub cost: u64,
    /// The number of its event, or 0.
    pub event: u64,
    /// Kernels: which of the image's blocks. Captures: where the times are to be written.
    pub what: u64,
    /// Kernels: the NDRange, checked.
    pub offset: [u64; 3],
    /// As above.
    pub global: [u64; 3],
    /// As above; nothing is left to choose.
    pub local: [u32; 3],
    /// As above.
    pub work_dim: u32,
    /// Events to wait for.
    pub wait_count: u32,
    /// Local arguments.
    pub size_count: u32,
    /// Bytes of the block.
    pub block_bytes: u32,
    /// Nothing.
    pub pad: u32,
}

/// [`Record::kind`]: a block to run.
pub const KERNEL: u32 = 1;
/// [`Record::kind`]: `enqueue_marker`
pub const MARKER: u32 = 2;
/// [`Record::kind`]: `capture_event_profiling_info` of what has not completed.
pub const CAPTURE: u32 = 3;

#[cfg(test)]
mod tests {
    use super::*;
    use std::mem::{offset_of, size_of};

    #[test]
    fn layouts() {
        assert_eq!(
            (offset_of!(Area, queue_count), offset_of!(Area, reserved), size_of::<Area>()),
            (64, 80, 96)
        );
        assert_eq!((offset_of!(Area, cursor), offset_of!(Area, changes)), (88, 92));
        assert_eq!((offset_of!(Queue, used), size_of::<Queue>()), (16, 24));
        assert_eq!(
            (offset_of!(Event, status), offset_of!(Event, times), size_of::<Event>()),
            (16, 24, 64)
        );
        assert_eq!(
            (offset_of!(Record, what), offset_of!(Record, local), size_of::<Record>()),
            (32, 88, 120)
        );
        assert_eq!(offset_of!(Record, wait_count), 104);
    }
}
