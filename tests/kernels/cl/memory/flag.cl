// A flag in local memory, tested and set by atomics: exactly one work-item of a group sets it.
// build: -cl-std=CL3.0
// needs: CL3.0
kernel void winner(global int *out)
{
    local atomic_flag flag;
    local int winners;
    if (get_local_id(0) == 0) {
        atomic_flag_clear_explicit(&flag, memory_order_relaxed, memory_scope_work_group);
        winners = 0;
    }
    work_group_barrier(CLK_LOCAL_MEM_FENCE);
    if (!atomic_flag_test_and_set_explicit(&flag, memory_order_acq_rel, memory_scope_work_group))
        atomic_add(&winners, 1);
    work_group_barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = winners;
}
// run: winner global=64 local=16|64
//   buf i32 64 = 0 => 1
