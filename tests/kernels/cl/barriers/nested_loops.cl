// Barriers at three depths of nested loops with trip counts from arguments.
kernel void nested(global int *out, int outer, int inner)
{
    local int tile[64];
    int l = get_local_id(0), n = get_local_size(0), value = l;
    for (int a = 0; a < outer; ++a) {
        tile[l] = value;
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int b = 0; b < inner; ++b) {
            int next = tile[(l + 1) % n];
            barrier(CLK_LOCAL_MEM_FENCE);
            tile[l] = next;
            barrier(CLK_LOCAL_MEM_FENCE);
        }
        value = tile[l] + 100;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    out[get_global_id(0)] = value;
}
// run: nested global=64 local=8|64|1|16
//   buf i32 64 = -1 => (i % lx + 6) % lx + 300
//   val i32 3
//   val i32 2
// run: nested global=16 local=4
//   buf i32 16 = -1 => i % lx
//   val i32 0
//   val i32 2
// run: nested global=16 local=4
//   buf i32 16 = -1 => i % lx + 200
//   val i32 2
//   val i32 0
