// One barrier, static local memory.
kernel void reverse(global const int *in, global int *out)
{
    local int tile[256];
    size_t l = get_local_id(0), n = get_local_size(0);
    tile[l] = in[get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = tile[n - 1 - l];
}
// run: reverse global=1024 local=256|16|1|2|128
//   buf i32 1024 = i * i
//   buf i32 1024 = 0 => a0[i / lx * lx + lx - 1 - i % lx]
