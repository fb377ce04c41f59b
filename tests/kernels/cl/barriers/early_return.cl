// Whole groups return before a barrier.
kernel void leave(global int *out, int last)
{
    local int tile[32];
    int l = get_local_id(0);
    if ((int)get_group_id(0) > last) return;
    tile[l] = l;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (get_group_id(0) == 1) {
        out[get_global_id(0)] = 77;
        return;
    }
    int value = tile[get_local_size(0) - 1 - l];
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l % 2) return;
    out[get_global_id(0)] = value;
}
// run: leave global=64 local=8|16|1
//   buf i32 64 = -1 => i / lx > 2 ? -1 : i / lx == 1 ? 77 : i % lx % 2 ? -1 : lx - 1 - i % lx
//   val i32 2
