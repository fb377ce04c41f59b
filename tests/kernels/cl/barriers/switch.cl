// Barriers in the cases of a switch, with fall-through.
kernel void cases(global int *out, int which)
{
    local int tile[32];
    int l = get_local_id(0), n = get_local_size(0), value = l;
    tile[l] = l * 3;
    switch (which) {
    case 0:
        barrier(CLK_LOCAL_MEM_FENCE);
        value = tile[n - 1 - l];
        break;
    case 1:
        value += 100;
        barrier(CLK_LOCAL_MEM_FENCE);
        // falls through
    case 2:
        barrier(CLK_LOCAL_MEM_FENCE);
        value += tile[(l + 1) % n];
        break;
    default:
        value = -value;
    }
    out[get_global_id(0)] = value;
}
// run: cases global=32 local=8|32
//   buf i32 32 = 0 => (lx - 1 - i % lx) * 3
//   val i32 0
// run: cases global=32 local=8|1
//   buf i32 32 = 0 => i % lx + 100 + (i % lx + 1) % lx * 3
//   val i32 1
// run: cases global=32 local=8
//   buf i32 32 = 0 => i % lx + (i % lx + 1) % lx * 3
//   val i32 2
// run: cases global=32 local=8
//   buf i32 32 = 0 => -(i % lx)
//   val i32 3
