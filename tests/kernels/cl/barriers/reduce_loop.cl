// Barriers in a loop: a tree reduction.
kernel void reduce(global const int *in, global int *out, local int *tile)
{
    size_t l = get_local_id(0);
    tile[l] = in[get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (size_t step = get_local_size(0) / 2; step > 0; step /= 2) {
        if (l < step) tile[l] += tile[l + step];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (l == 0) out[get_group_id(0)] = tile[0];
}
// run: reduce global=256 local=64|256|2|1
//   buf i32 256 = i * 3 + 1
//   buf i32 256 = -1 => i < gx / lx ? sum(k, i*lx, i*lx+lx, a0[k]) : -1
//   local 1024
