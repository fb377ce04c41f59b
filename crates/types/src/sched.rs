//! The schedule structure a kernel receives as its second argument, and the host's extension of it.
//!
//! Layouts follow the HAL specification; tests pin each offset. Not here: the code that fills them
//! in (`mux-host`, `mux-hal`) or reads them (`passes::kernel_abi`).

use bytemuck::{Pod, Zeroable};

/// `hal_sched_info_64_t`: one call runs the box of groups `[group_id_start, group_id_start +
/// num_groups_per_call)`.
#[repr(C)]
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Pod, Zeroable)]
pub struct SchedInfo64 {
    /// First group of this call, in each dimension.
    pub group_id_start: [u64; 3],
    /// Number of groups of the whole NDRange in each dimension (a partial last group counts).
    pub num_groups_total: [u64; 3],
    /// Global offset in work-items.
    pub global_offset: [u64; 3],
    /// Enqueued local size: work-items of a full group.
    pub local_size: [u32; 3],
    /// Rank of the NDRange: 1, 2 or 3.
    pub num_dim: u32,
    /// Groups this call runs, in each dimension.
    pub num_groups_per_call: [u64; 3],
    /// Address of the HAL's or host's extra information; on the host a [`HostExtra`].
    pub hal_extra: u64,
}

/// `hal_sched_info_32_t`: the same for 32-bit devices.
#[repr(C)]
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Pod, Zeroable)]
pub struct SchedInfo32 {
    /// First group of this call.
    pub group_id_start: [u32; 3],
    /// Number of groups of the whole NDRange.
    pub num_groups_total: [u32; 3],
    /// Global offset in work-items.
    pub global_offset: [u32; 3],
    /// Work-items of a full group, in each dimension.
    pub local_size: [u32; 3],
    /// Rank of the NDRange, 1 to 3.
    pub num_dim: u32,
    /// Groups that this call runs, in each dimension; 0 counts as 1.
    pub num_groups_per_call: [u32; 3],
    /// Device address of extra information, or 0.
    pub hal_extra: u32,
}

/// The host's extension of the schedule structure, at [`SchedInfo64::hal_extra`]; one per worker
/// thread and NDRange.
///
/// `local_mem` has room for the variant's static local bytes and all local arguments, `scratch`
/// for `scratch_bytes_per_item * local_size product + scratch_bytes_per_group`. Both are aligned to
/// 128 bytes.
#[repr(C)]
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Pod, Zeroable)]
pub struct HostExtra {
    /// Work-items of the whole NDRange in each dimension; the last group is partial where this is
    /// no multiple of the local size.
    pub global_size: [u64; 3],
    /// Address of the worker's local memory.
    pub local_mem: u64,
    /// Bytes at `local_mem`; a generic pointer within is local.
    pub local_mem_size: u64,
    /// Address of the worker's scratch memory: state of work-items that is live across barriers.
    pub scratch: u64,
    /// Bytes at `scratch`; a generic pointer within is private.
    pub scratch_size: u64,
    /// Lowest address of the stack the kernel runs on; a generic pointer within is private.
    pub stack_low: u64,
    /// One past the highest address of that stack.
    pub stack_high: u64,
    /// Handle of the buffer for `printf`'s records, which only the target's runtime interprets; 0
    /// for none.
    pub printf: u64,
    /// Handle of the launch to which enqueued kernels belong, which only the target's runtime
    /// interprets; 0 if kernels cannot enqueue. Behind a HAL the address of a
    /// [`crate::deferred::EnqueueHeapHeader`].
    pub launch: u64,
    /// Address of the thread's table of combined atomic operations ([`crate::combined`]); 0 if the
    /// variant has none.
    pub combined: u64,
    /// Address of an [`OperationCounts`](crate::operations::OperationCounts), to which the thread
    /// adds if the variant counts.
    pub counts: u64,
}

/// The hidden argument of every kernel for a HAL device, by value after the kernel's own arguments.
/// `mux-hal` fills it in; the wrapper that `passes::kernel_abi` makes reads it. The layout is the
/// same on 32-bit and 64-bit devices.
#[repr(C)]
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Pod, Zeroable)]
pub struct HalHidden {
    /// Work-items of the whole NDRange; the last group is partial where this is no multiple of the
    /// local size.
    pub global_size: [u64; 3],
    /// Device address of the printf buffer, or 0.
    pub printf_buffer: u64,
}

/// Alignment of local memory, of each local argument in it, and of scratch memory, in bytes: that
/// of the largest OpenCL type, `double16`.
pub const LOCAL_ALIGN: u64 = 128;

#[cfg(test)]
mod tests {
    use super::*;
    use std::mem::{offset_of, size_of};

    #[test]
    fn layouts_are_the_hal_specifications() {
        assert_eq!(offset_of!(SchedInfo64, num_groups_total), 24);
        assert_eq!(offset_of!(SchedInfo64, global_offset), 48);
        assert_eq!(offset_of!(SchedInfo64, local_size), 72);
        assert_eq!(offset_of!(SchedInfo64, num_dim), 84);
        assert_eq!(offset_of!(SchedInfo64, num_groups_per_call), 88);
        assert_eq!(offset_of!(SchedInfo64, hal_extra), 112);
        assert_eq!(size_of::<SchedInfo64>(), 120);
        assert_eq!(offset_of!(SchedInfo32, num_dim), 48);
        assert_eq!(offset_of!(SchedInfo32, hal_extra), 64);
        assert_eq!(size_of::<SchedInfo32>(), 68);
        assert_eq!(offset_of!(HostExtra, local_mem), 24);
        assert_eq!(offset_of!(HostExtra, scratch), 40);
        assert_eq!(offset_of!(HostExtra, stack_low), 56);
        assert_eq!(offset_of!(HostExtra, printf), 72);
        assert_eq!(offset_of!(HostExtra, launch), 80);
        assert_eq!(offset_of!(HostExtra, combined), 88);
        assert_eq!(offset_of!(HostExtra, counts), 96);
        assert_eq!(size_of::<HostExtra>(), 104);
        assert_eq!(offset_of!(HalHidden, printf_buffer), 24);
        assert_eq!(size_of::<HalHidden>(), 32);
    }
}
