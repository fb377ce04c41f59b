//! The OpenCL C functions that the passes lower themselves, by mangled name.
//!
//! Not here: everything the builtin library defines.

use muxcl_types::enqueue::CHILD_SYMBOL;

/// A function whose result depends on the work-item that calls it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum WorkItem {
    /// `get_global_id`
    GlobalId,
    /// `get_local_id`
    LocalId,
    /// `get_group_id`
    GroupId,
    /// `get_global_size`
    GlobalSize,
    /// `get_local_size`
    LocalSize,
    /// `get_enqueued_local_size`
    EnqueuedLocalSize,
    /// `get_num_groups`
    NumGroups,
    /// `get_global_offset`
    GlobalOffset,
    /// `get_work_dim`
    WorkDim,
    /// `get_global_linear_id`
    GlobalLinearId,
    /// `get_local_linear_id`
    LocalLinearId,
    /// The address of the stream for printf's records, for pass `printf`.
    PrintfStream,
    /// The handle of the launch that owns the enqueued kernels, for the library's enqueue
    /// functions.
    Launch,
    /// `get_sub_group_size`
    SubGroupSize,
    /// `get_max_sub_group_size`
    MaxSubGroupSize,
    /// `get_num_sub_groups`
    NumSubGroups,
    /// `get_enqueued_num_sub_groups`
    EnqueuedNumSubGroups,
    /// `get_sub_group_id`
    SubGroupId,
    /// `get_sub_group_local_id`
    SubGroupLocalId,
    /// The index of the current sub-group, in the function of one sub-group ([`SUB_GROUP_INDEX`]).
    SubGroupIndex,
}

impl WorkItem {
    /// True for the sub-group queries.
    pub fn of_sub_groups(self) -> bool {
        matches!(
            self,
            Self::SubGroupSize
                | Self::MaxSubGroupSize
                | Self::NumSubGroups
                | Self::EnqueuedNumSubGroups
                | Self::SubGroupId
                | Self::SubGroupLocalId
        )
    }
}

const WORK_ITEM: &[(&str, WorkItem)] = &[
    (GLOBAL_ID, WorkItem::GlobalId),
    (LOCAL_ID, WorkItem::LocalId),
    ("_Z12get_group_idj", WorkItem::GroupId),
    ("_Z15get_global_sizej", WorkItem::GlobalSize),
    ("_Z14get_local_sizej", WorkItem::LocalSize),
    ("_Z23get_enqueued_local_sizej", WorkItem::EnqueuedLocalSize),
    ("_Z14get_num_groupsj", WorkItem::NumGroups),
    (GLOBAL_OFFSET, WorkItem::GlobalOffset),
    ("_Z12get_work_dimv", WorkItem::WorkDim),
    ("_Z20get_global_linear_idv", WorkItem::GlobalLinearId),
    ("_Z19get_local_linear_idv", WorkItem::LocalLinearId),
    (PRINTF_STREAM, WorkItem::PrintfStream),
    (LAUNCH, WorkItem::Launch),
    ("_Z18get_sub_group_sizev", WorkItem::SubGroupSize),
    ("_Z22get_max_sub_group_sizev", WorkItem::MaxSubGroupSize),
    ("_Z18get_num_sub_groupsv", WorkItem::NumSubGroups),
    ("_Z27get_enqueued_num_sub_groupsv", WorkItem::EnqueuedNumSubGroups),
    ("_Z16get_sub_group_idv", WorkItem::SubGroupId),
    ("_Z22get_sub_group_local_idv", WorkItem::SubGroupLocalId),
    (SUB_GROUP_INDEX, WorkItem::SubGroupIndex),
];

const BARRIERS: &[(&str, &str)] = &[
    ("_Z7barrierj", BARRIER),
    ("_Z18work_group_barrierj", BARRIER),
    ("_Z18work_group_barrierj12memory_scope", BARRIER),
    (BARRIER, BARRIER),
    ("_Z17sub_group_barrierj", SUB_BARRIER),
    ("_Z17sub_group_barrierj12memory_scope", SUB_BARRIER),
    (SUB_BARRIER, SUB_BARRIER),
    (SUB_BARRIER_ONCE, SUB_BARRIER_ONCE),
];

/// `get_global_id`
pub const GLOBAL_ID: &str = "_Z13get_global_idj";
/// `get_local_id`
pub const LOCAL_ID: &str = "_Z12get_local_idj";
/// `get_global_offset`
pub const GLOBAL_OFFSET: &str = "_Z17get_global_offsetj";
/// The work-group barrier: `inline-barriers` replaces all other work-group barriers by it.
pub const BARRIER: &str = "__muxcl_barrier";
/// The sub-group barrier: `inline-barriers` replaces all other sub-group barriers by it.
pub const SUB_BARRIER: &str = "__muxcl_sub_barrier";
/// A barrier of the library's collectives. Up to the next barrier, one work-item may run the code
/// for the whole sub-group: the effect is the same.
pub const SUB_BARRIER_ONCE: &str = "__muxcl_sub_barrier_once";
/// Reconvergence point before the next loop iteration, for divergent work-items of a sub-group:
/// `void ()`.
pub const SUB_RECONVERGE: &str = "__muxcl_sub_reconverge";
/// Starts a region like a barrier, without synchronisation. Its calls stand where a path with a
/// barrier or a collective and a path without one meet: `void ()`.
pub const JOIN: &str = "__muxcl_join";
/// The sub-group's memory for the library's collectives: `ptr ()`.
pub const SUB_SCRATCH: &str = "__muxcl_sub_scratch";
/// Mask of the sub-group's work-items that run the current region together, one bit each: `i64 ()`.
pub const SUB_ACTIVE: &str = "__muxcl_sub_active";
/// Prefix of the library's operations between the work-items of a sub-group, such as
/// `__muxcl_sub_op_reduce_add_int`. Their bodies use sub-group barriers. Calls of them are not
/// inlined before the pass `cross-lane`, which may replace them by operations between lanes.
pub const SUB_OPERATION: &str = "__muxcl_sub_op_";
/// Yield point of a sub-group that spins on memory, so that other sub-groups run: `void ()`.
pub const YIELD: &str = "__muxcl_yield";
/// The index of the current sub-group: `i64 ()`.
pub const SUB_GROUP_INDEX: &str = "__muxcl_sub_group_index";
/// OpenCL C's only variadic function; pass `printf` lowers it.
pub const PRINTF: &str = "printf";
/// The address of the stream for printf's records: `i64 ()`.
pub const PRINTF_STREAM: &str = "__muxcl_printf_stream";
/// The handle of the launch that owns the enqueued kernels: `i64 ()`.
pub const LAUNCH: &str = "__muxcl_launch";
/// Functions that the host's runtime defines, for the library's enqueue functions.
pub const HOST_ENQUEUE: [&str; 9] = [
    "muxcl_enqueue_kernel",
    "muxcl_enqueue_marker",
    "muxcl_default_queue",
    "muxcl_create_user_event",
    "muxcl_set_user_event_status",
    "muxcl_retain_event",
    "muxcl_release_event",
    "muxcl_is_valid_event",
    "muxcl_capture_event_profiling_info",
];
/// Queries that the host's runtime answers. The first two are about a block's kernel: the largest
/// work-group, and the preferred multiple of its size, `i32 (i64 launch, i64 kernel)`. The others
/// are about an NDRange: the size and the number of its sub-groups, `i32 (i64 launch, i64 range)`.
pub const HOST_BLOCK: [&str; 4] = [
    "muxcl_block_work_group_size",
    "muxcl_block_work_group_multiple",
    "muxcl_block_sub_group_size",
    "muxcl_block_sub_group_count",
];
/// Memory of the work-group for the library's collectives.
pub const GROUP_SCRATCH: &str = "__muxcl_wg_scratch";
/// Memory of the work-group for the checks of a kernel: `ptr addrspace(3) ()`. The kernel's
/// attribute [`CHECK_BYTES`] has its size.
pub const CHECK_MEMORY: &str = "__muxcl_check_memory";
/// The attribute of a kernel with the size of [`CHECK_MEMORY`] in bytes.
pub const CHECK_BYTES: &str = "muxcl-check-bytes";
/// True if a generic pointer points to local memory: `i1 (ptr addrspace(4))`.
pub const IS_LOCAL: &str = "__muxcl_is_local";
/// True if a generic pointer points to private memory: `i1 (ptr addrspace(4))`.
pub const IS_PRIVATE: &str = "__muxcl_is_private";

/// Converts a number to an event: `event_t (i64)`; number 0 is no event.
pub const EVENT_OF: &str = "__muxcl_event_of";
/// Converts an event to its number: `i64 (event_t)`.
pub const EVENT_NUMBER: &str = "__muxcl_event_number";

/// The address of a pipe's memory: `ptr addrspace(1) (pipe)`; and the pipe at an address.
const PIPES: [&str; 4] = [
    "__muxcl_pipe_to_read",
    "__muxcl_pipe_to_write",
    "__muxcl_pipe_of_read",
    "__muxcl_pipe_of_write",
];
/// Conversions between a reservation of packets and its number: `reserve_id_t (i64)` and `i64
/// (reserve_id_t)`. Number 0 is no reservation.
const RESERVATIONS: [&str; 2] = ["__muxcl_reserve_of", "__muxcl_reserve_number"];

/// The address of an image's descriptor, for every image type, by mangled name: `ptr (image)`.
const IMAGE: &str = "_Z13__muxcl_image";
/// Conversions of samplers: from a sampler to the number that encodes its properties, `i32
/// (sampler)`, and from the number of a `sampler_t` in the source to a sampler.
const SAMPLERS: [&str; 2] = ["__muxcl_sampler_bits", "__translate_sampler_initializer"];

/// Address of the registers of the device's DMA engine: `i64 ()`. The code target defines it.
pub const DMA_REGISTERS: &str = "__muxcl_dma_registers";

/// Conversions between a queue or device-side event and its number, such as `i64 (queue_t)`.
const ENQUEUE: [&str; 4] = [
    "__muxcl_queue_number",
    "__muxcl_queue_of",
    "__muxcl_clk_event_number",
    "__muxcl_clk_event_of",
];

/// True for a conversion between an opaque type and its representation.
pub fn is_handle(name: &str) -> bool {
    matches!(name, EVENT_OF | EVENT_NUMBER)
        || name.starts_with(IMAGE)
        || [&PIPES[..], &RESERVATIONS, &SAMPLERS, &ENQUEUE].iter().any(|list| list.contains(&name))
}

/// True for a query of the address of memory that the work-items of a group or of a sub-group
/// share.
pub fn is_shared_memory(name: &str) -> bool {
    matches!(name, GROUP_SCRATCH | SUB_SCRATCH | CHECK_MEMORY)
}

/// Looks up the work-item function of this name.
pub fn work_item(name: &str) -> Option<WorkItem> {
    WORK_ITEM.iter().find(|(n, _)| *n == name).map(|(_, w)| *w)
}

/// True for a barrier of a work-group or a sub-group.
pub fn is_barrier(name: &str) -> bool {
    barrier_kind(name).is_some()
}

/// The barrier that `inline-barriers` replaces this one by.
pub fn barrier_kind(name: &str) -> Option<&'static str> {
    BARRIERS.iter().find(|(n, _)| *n == name).map(|(_, kind)| *kind)
}

/// True if the result, or the effect, depends on how work-items form groups.
pub fn depends_on_groups(name: &str) -> bool {
    let global = work_item(name).is_some_and(|w| {
        matches!(
            w,
            WorkItem::GlobalId
                | WorkItem::GlobalSize
                | WorkItem::GlobalOffset
                | WorkItem::GlobalLinearId
                | WorkItem::WorkDim
                | WorkItem::PrintfStream
        )
    });
    let plain = global
        || is_handle(name)
        || address_query(name).is_some()
        || matches!(name, IS_LOCAL | IS_PRIVATE | PRINTF);
    is_lowered(name) && !plain
}

/// True if the result belongs to the running kernel, so that only a kernel's own body may call it.
pub fn belongs_in_kernels(name: &str) -> bool {
    is_barrier(name)
        || matches!(name, SUB_SCRATCH | SUB_ACTIVE)
        || work_item(name).is_some_and(WorkItem::of_sub_groups)
}

/// True if a pass lowers the function, so that the function may stay undefined until then.
pub fn is_lowered(name: &str) -> bool {
    name == DMA_REGISTERS
        || work_item(name).is_some()
        || is_barrier(name)
        || is_shared_memory(name)
        || matches!(name, SUB_ACTIVE | IS_LOCAL | IS_PRIVATE | PRINTF)
        || is_handle(name)
        || name.starts_with(CHILD_SYMBOL)
        || HOST_ENQUEUE.contains(&name)
        || HOST_BLOCK.contains(&name)
        || address_query(name).is_some()
}

/// A query of a generic pointer's address space.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AddressQuery {
    /// `to_global`
    ToGlobal,
    /// `to_local`
    ToLocal,
    /// `to_private`
    ToPrivate,
    /// `get_fence`
    GetFence,
}

/// Looks up an address-space query. Depending on its version, clang emits `__to_global` or a
/// mangled name.
pub fn address_query(name: &str) -> Option<AddressQuery> {
    if name.starts_with("__to_global") || name.starts_with("_Z9to_global") {
        Some(AddressQuery::ToGlobal)
    } else if name.starts_with("__to_local") || name.starts_with("_Z8to_local") {
        Some(AddressQuery::ToLocal)
    } else if name.starts_with("__to_private") || name.starts_with("_Z10to_private") {
        Some(AddressQuery::ToPrivate)
    } else if name.starts_with("_Z9get_fence") {
        Some(AddressQuery::GetFence)
    } else {
        None
    }
}

/// The name as written in the source, for messages: `_Z3foofPU3AS1i` becomes `foo`.
pub fn readable(name: &str) -> String {
    let Some(rest) = name.strip_prefix("_Z") else {
        return name.to_owned();
    };
    let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
    let len: usize = rest[..digits].parse().unwrap_or(0);
    match rest.get(digits..digits + len) {
        Some(plain) if len > 0 => plain.to_owned(),
        _ => name.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names() {
        assert_eq!(readable("_Z3foofPU3AS1i"), "foo");
        assert_eq!(readable("bar"), "bar");
        assert_eq!(readable("_Z99x"), "_Z99x");
        for name in ["_Z12get_local_idj", "_Z7barrierj", GROUP_SCRATCH, SUB_SCRATCH, LAUNCH] {
            assert!(depends_on_groups(name), "{name}");
        }
        for name in ["_Z13get_global_idj", PRINTF_STREAM, IS_LOCAL, "_Z3sinf"] {
            assert!(!depends_on_groups(name), "{name}");
        }
        assert!(
            is_lowered("_Z7barrierj") && is_lowered("_Z12get_work_dimv") && !is_lowered("_Z3sinf")
        );
    }
}
