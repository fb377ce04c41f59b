// A barrier under a condition that is the same for the whole group.
kernel void conditional(global int *out, int flag)
{
    local int tile[32];
    int l = get_local_id(0), n = get_local_size(0), value = -1;
    tile[l] = l * 10;
    if (flag) {
        barrier(CLK_LOCAL_MEM_FENCE);
        value = tile[n - 1 - l];
    } else {
        value = l;
    }
    out[get_global_id(0)] = value;
}
kernel void by_group(global int *out)
{
    local int tile[32];
    int l = get_local_id(0), n = get_local_size(0), value = 5;
    tile[l] = l * 10;
    if (get_group_id(0) % 2 == 0) {
        barrier(CLK_LOCAL_MEM_FENCE);
        value = tile[n - 1 - l];
    } else {
        value += 1;
        barrier(CLK_LOCAL_MEM_FENCE);
        value += tile[(l + 1) % n];
        barrier(CLK_LOCAL_MEM_FENCE);
        value *= 2;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    tile[l] = value;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = tile[l ^ 1];
}
// run: conditional global=64 local=32|8
//   buf i32 64 = 0 => (lx - 1 - i % lx) * 10
//   val i32 1
// run: conditional global=64 local=32|1
//   buf i32 64 = 0 => i % lx
//   val i32 0
// run: by_group global=64 local=8|32|2
//   buf i32 64 = 0 => i / lx % 2 == 0 ? (lx - 1 - ((i % lx) ^ 1)) * 10 : (6 + ((((i % lx) ^ 1) + 1) % lx) * 10) * 2
