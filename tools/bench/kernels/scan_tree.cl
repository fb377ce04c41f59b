// The exclusive sums of a whole buffer: `blocks` scans 512 elements in each work-group of 256 by a
// tree (Blelloch) and writes each block's total; one work-group runs it on the totals; `add` adds
// them.

#define BLOCK 512

kernel void blocks(global const uint *in, global uint *out, global uint *totals)
{
    local uint t[BLOCK];
    uint l = get_local_id(0), base = get_group_id(0) * BLOCK;
    t[2 * l] = in[base + 2 * l];
    t[2 * l + 1] = in[base + 2 * l + 1];
    uint offset = 1;
    for (uint d = BLOCK / 2; d > 0; d >>= 1) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (l < d) t[offset * (2 * l + 2) - 1] += t[offset * (2 * l + 1) - 1];
        offset <<= 1;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l == 0) {
        totals[get_group_id(0)] = t[BLOCK - 1];
        t[BLOCK - 1] = 0;
    }
    for (uint d = 1; d < BLOCK; d <<= 1) {
        offset >>= 1;
        barrier(CLK_LOCAL_MEM_FENCE);
        if (l < d) {
            uint left = offset * (2 * l + 1) - 1, right = offset * (2 * l + 2) - 1;
            uint old = t[left];
            t[left] = t[right];
            t[right] += old;
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    out[base + 2 * l] = t[2 * l];
    out[base + 2 * l + 1] = t[2 * l + 1];
}

kernel void add(global uint *out, global const uint *before)
{
    size_t i = get_global_id(0);
    out[i] += before[i / BLOCK];
}
