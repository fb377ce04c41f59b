//! Named barriers of SPIR-V (`cl_khr_subgroup_named_barrier`): some sub-groups of a work-group wait
//! for each other.
//!
//! A barrier is a structure in local memory: the number of sub-groups that it is for, the number of
//! those that wait, and a round, which advances when all have come. A sub-group that waits spins on
//! the round. Sub-groups of a kernel with spin loops make independent progress: the pass
//! `work_item_loops` ends a region in each such loop, and the other sub-groups run. So a named
//! barrier may stand in any control flow that is uniform in the sub-group.

use super::prologue;

const TEXT: &str = "\
OVL __attribute__((const)) size_t get_local_linear_id(void);
OVL __attribute__((const)) uint get_sub_group_local_id(void);
OVL __attribute__((convergent)) void work_group_barrier(cl_mem_fence_flags);
OVL __attribute__((convergent)) void sub_group_barrier(cl_mem_fence_flags);
typedef struct {
  uint count;
  atomic_uint waiting, round;
} Barrier;
#define SCOPE __OPENCL_MEMORY_SCOPE_WORK_GROUP
// In a loop, the same memory holds one barrier after another. The work-group barriers keep a
// sub-group that still waits at the old one apart from the new one.
__attribute__((convergent)) void __muxcl_work_group_named_barrier(__local Barrier *b, uint count) {
  work_group_barrier(CLK_LOCAL_MEM_FENCE);
  if (get_local_linear_id() == 0) {
    b->count = count;
    __opencl_atomic_store(&b->waiting, 0, __ATOMIC_RELAXED, SCOPE);
    __opencl_atomic_store(&b->round, 0, __ATOMIC_RELAXED, SCOPE);
  }
  work_group_barrier(CLK_LOCAL_MEM_FENCE);
}
__attribute__((convergent)) void __muxcl_sub_group_named_barrier(__local Barrier *b) {
  uint round = __opencl_atomic_load(&b->round, __ATOMIC_RELAXED, SCOPE);
  // All work-items have read the round, and done their accesses, before the sub-group counts.
  sub_group_barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
  if (get_sub_group_local_id() == 0 &&
      __opencl_atomic_fetch_add(&b->waiting, 1, __ATOMIC_ACQ_REL, SCOPE) + 1 == b->count) {
    __opencl_atomic_store(&b->waiting, 0, __ATOMIC_RELAXED, SCOPE);
    __opencl_atomic_store(&b->round, round + 1, __ATOMIC_RELEASE, SCOPE);
  }
  sub_group_barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
  while (__opencl_atomic_load(&b->round, __ATOMIC_ACQUIRE, SCOPE) == round) {}
  sub_group_barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
}
";

/// The member of the library: its name and its source.
pub(crate) fn member() -> (String, String) {
    ("named_barriers".into(), prologue() + TEXT)
}
