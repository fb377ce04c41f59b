// The inclusive sums of each work-group's part, after Hillis and Steele.
kernel void k(global const uint *in, global uint *out, local uint *sums)
{
    size_t g = get_global_id(0);
    uint l = get_local_id(0), size = get_local_size(0);
    sums[l] = in[g];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint step = 1; step < size; step <<= 1) {
        uint add = l >= step ? sums[l - step] : 0;
        barrier(CLK_LOCAL_MEM_FENCE);
        sums[l] += add;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    out[g] = sums[l];
}
