// Groups exchange values through global memory; fences of every kind; barriers at the start and
// end.
// build: -cl-std=CL3.0
// needs: CL3.0
kernel void exchange(global int *data, global int *out)
{
    barrier(CLK_GLOBAL_MEM_FENCE);
    size_t g = get_global_id(0), l = get_local_id(0), n = get_local_size(0), first = g - l;
    data[g] = (int)g + 1;
    work_group_barrier(CLK_GLOBAL_MEM_FENCE);
    int value = data[first + (l + 1) % n];
    mem_fence(CLK_GLOBAL_MEM_FENCE);
    read_mem_fence(CLK_LOCAL_MEM_FENCE);
    write_mem_fence(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    work_group_barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE, memory_scope_work_group);
    out[g] = value;
    barrier(0);
}
// run: exchange global=64 local=16|64|1
//   buf i32 64 = 0 => i + 1
//   buf i32 64 = 0 => i / lx * lx + (i % lx + 1) % lx + 1
