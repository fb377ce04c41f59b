// Sub-group functions in branches that only some work-items of a sub-group take, with work-group
// barriers before and after each branch.
// needs: __opencl_c_subgroups cl_khr_subgroup_non_uniform_arithmetic cl_khr_subgroup_ballot
// build: -cl-std=CL3.0
// run: steps global=128 local=64|5
//   buf i32 128 = 0 => 1
//   buf i32 64 = i * 40503 % 65536
#define STEP(k) \
    tile[l] = sum; \
    barrier(CLK_LOCAL_MEM_FENCE); \
    if (flags & (1 << k)) { \
        int next = tile[(l + 1) % n]; \
        barrier(CLK_LOCAL_MEM_FENCE); \
        if (me % (k + 2) == 0) { \
            int count = 0; \
            for (uint i = first; i < end; i++) count += i % (k + 2) == 0; \
            ok &= sub_group_non_uniform_reduce_add(1) == count; \
            sum += count; \
        } else { \
            ok &= sub_group_non_uniform_reduce_max((int)me) % (k + 2) != 0; \
        } \
        ok &= sub_group_ballot_bit_count(sub_group_ballot(1)) == get_sub_group_size(); \
        sum ^= next; \
        tile[l] = sum; \
        barrier(CLK_LOCAL_MEM_FENCE); \
        ok &= tile[l] == sum; \
    } \
    barrier(CLK_LOCAL_MEM_FENCE);
kernel void steps(global int *out, global const int *in)
{
    local int tile[64];
    int l = get_local_id(0), n = get_local_size(0), ok = 1, sum = 0;
    int flags = in[get_group_id(0)];
    uint me = get_global_id(0), first = me - get_sub_group_local_id(),
         end = first + get_sub_group_size();
    for (int t = 0; t < 2; t++) {
        STEP(0) STEP(1) STEP(2) STEP(3) STEP(4) STEP(5) STEP(6) STEP(7)
    }
    // The same without barriers: the sums of the whole group, step by step.
    int now[64];
    for (int i = 0; i < 64; i++) now[i] = 0;
    uint start = me - l;
    for (int t = 0; t < 2; t++)
        for (int k = 0; k < 8; k++) {
            if (!(flags & (1 << k))) continue;
            int old[64];
            for (int i = 0; i < n; i++) old[i] = now[i];
            for (int i = 0; i < n; i++) {
                uint id = start + i, width = get_max_sub_group_size();
                uint from = start + i / width * width, to = min(from + width, start + n);
                int count = 0;
                for (uint j = from; j < to; j++) count += j % (k + 2) == 0;
                now[i] = (id % (k + 2) == 0 ? old[i] + count : old[i]) ^ old[(i + 1) % n];
            }
        }
    out[me] = ok && sum == now[l];
}
