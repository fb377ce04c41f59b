//! Device-side enqueue behind a HAL: the structures in device memory that kernels and the host
//! share.
//!
//! Only the host can start a kernel on such a device. A kernel therefore writes *records* of the
//! blocks that it enqueues, and the host runs them when the kernel has ended (`docs/adr/0005`). The
//! library's functions (`builtins/gen/deferred.rs`) declare the same structures in OpenCL C; the
//! host's side is `mux-hal`. All words are little endian; addresses have 64 bits. Tests pin the
//! layouts.
//!
//! Invariant: kernels and the host never access the memory at the same time.

use bytemuck::{Pod, Zeroable};

/// The header of an enqueue heap, the memory that kernels and the host share. The host writes it
/// before each kernel and reads it after.
#[repr(C)]
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Pod, Zeroable)]
pub struct EnqueueHeapHeader {
    /// The result of `get_default_queue`, a queue's handle or 0.
    pub default_queue: u64,
    /// The owner of user events: the number of a queue or of the launch.
    pub owner: u64,
    /// Device address of the [`Queue`]s.
    pub queues: u64,
    /// Device address of the [`Event`]s.
    pub events: u64,
    /// Device address of the records.
    pub records: u64,
    /// Size of the memory for records in bytes.
    pub capacity: u64,
    /// Local memory that a group may have, in bytes.
    pub local_memory: u64,
    /// Memory that a group may have for state, stack and local memory, in bytes.
    pub stack: u64,
    /// Capacity of the table of queues.
    pub queue_count: u32,
    /// Capacity of the table of events.
    pub event_count: u32,
    /// Maximum number of work-items of a group.
    pub max_work_group: u32,
    /// The result of `get_kernel_preferred_work_group_size_multiple`, in work-items.
    pub multiple: u32,
    /// Written by kernels: bytes of records so far.
    pub reserved: u64,
    /// Written by kernels: the index at which the search for a free event continues.
    pub cursor: u32,
    /// Written by kernels: increases when the status of a user event changes.
    pub changes: u32,
}

/// A queue. A free entry has number 0.
#[repr(C)]
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Pod, Zeroable)]
pub struct Queue {
    /// The queue's handle in kernels: the index plus 1 in the lower half, a generation in the
    /// upper.
    pub number: u64,
    /// Capacity in bytes.
    pub size: u64,
    /// Bytes taken by commands that have not run.
    pub used: u64,
}

/// An event. Its handle in kernels is the index plus 1 in the lower half, a generation in the
/// upper.
#[repr(C)]
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Pod, Zeroable)]
pub struct Event {
    /// Bits 32 to 63: the generation. Bits 16 to 31: the number of records that refer to the event.
    /// Bits 0 to 15: the references of kernels. The entry is free if both counts are 0.
    pub word: u64,
    /// [`EnqueueHeapHeader::owner`], or the queue of the event's command.
    pub owner: u64,
    /// One of [`crate::enqueue::state`], or the status that a kernel has set.
    pub status: i32,
    /// 1 for an event of `create_user_event`.
    pub user: u32,
    /// Start and end of the command, and the end of all commands that it enqueued, in nanoseconds.
    pub times: [u64; 3],
    /// Padding.
    pub pad: [u64; 2],
}

impl Event {
    /// One record's reference in [`Event::word`].
    pub const HOLD: u64 = 1 << 16;
}

/// A request of a kernel. The events to wait for and the sizes of local arguments follow, a word
/// each, then a copy of the block literal.
#[repr(C)]
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Pod, Zeroable)]
pub struct Record {
    /// Size of the whole record in bytes, a multiple of 8.
    pub bytes: u32,
    /// [`KERNEL`], [`MARKER`] or [`CAPTURE`].
    pub kind: u32,
    /// The handle of the queue.
    pub queue: u64,
    /// Bytes that the command takes in the queue.
    pub cost: u64,
    /// The handle of the command's event, or 0.
    pub event: u64,
    /// [`KERNEL`]: the index of the block in the image. [`CAPTURE`]: the address at which to store
    /// the times.
    pub what: u64,
    /// [`KERNEL`]: the global offset of the validated NDRange.
    pub offset: [u64; 3],
    /// [`KERNEL`]: the global size.
    pub global: [u64; 3],
    /// [`KERNEL`]: the local size; no element is 0.
    pub local: [u32; 3],
    /// [`KERNEL`]: the number of dimensions.
    pub work_dim: u32,
    /// Number of events to wait for.
    pub wait_count: u32,
    /// Number of local arguments.
    pub size_count: u32,
    /// Size of the block literal in bytes.
    pub block_bytes: u32,
    /// Padding.
    pub pad: u32,
}

/// A [`Record::kind`]: run a block.
pub const KERNEL: u32 = 1;
/// A [`Record::kind`]: `enqueue_marker`.
pub const MARKER: u32 = 2;
/// A [`Record::kind`]: `capture_event_profiling_info` of an event that has not completed.
pub const CAPTURE: u32 = 3;

#[cfg(test)]
mod tests {
    use super::*;
    use std::mem::{offset_of, size_of};

    #[test]
    fn layouts() {
        assert_eq!(
            (
                offset_of!(EnqueueHeapHeader, queue_count),
                offset_of!(EnqueueHeapHeader, reserved),
                size_of::<EnqueueHeapHeader>()
            ),
            (64, 80, 96)
        );
        assert_eq!(
            (offset_of!(EnqueueHeapHeader, cursor), offset_of!(EnqueueHeapHeader, changes)),
            (88, 92)
        );
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
