// Two barriers in one loop, a value live across them: an inclusive scan.
kernel void scan(global const uint *in, global uint *out)
{
    local uint tile[128];
    uint l = get_local_id(0);
    tile[l] = in[get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint step = 1; step < get_local_size(0); step <<= 1) {
        uint before = l >= step ? tile[l - step] : 0;
        barrier(CLK_LOCAL_MEM_FENCE);
        tile[l] += before;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    out[get_global_id(0)] = tile[l];
}
// run: scan global=128 local=128|32|1|8
//   buf u32 128 = i * 7 % 13
//   buf u32 128 = 0 => sum(k, i / lx * lx, i + 1, a0[k])
