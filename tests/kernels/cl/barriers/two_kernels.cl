// Two kernels that share a function with a barrier and its own arguments.
int pass_on(local int *tile, int value)
{
    size_t l = get_local_id(0);
    tile[l] = value;
    barrier(CLK_LOCAL_MEM_FENCE);
    value = tile[get_local_size(0) - 1 - l];
    barrier(CLK_LOCAL_MEM_FENCE);
    return value;
}
kernel void once(global int *out, local int *tile) {
    out[get_global_id(0)] = pass_on(tile, get_local_id(0));
}
kernel void static_tile(global int *out)
{
    local int tile[64];
    int value = pass_on(tile, get_local_id(0) * 2);
    out[get_global_id(0)] = pass_on(tile, value + (get_local_id(0) == 0));
}
// run: once global=32 local=8|16
//   buf i32 32 = 0 => lx - 1 - i % lx
//   local 64
// run: static_tile global=32 local=8|16
//   buf i32 32 = 0 => i % lx * 2 + (i % lx == lx - 1)
