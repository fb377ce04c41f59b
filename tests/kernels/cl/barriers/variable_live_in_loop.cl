// Values from before a loop, from the loop header, and from the last iteration, all used after
// barriers.
kernel void live(global const int *in, global int *out, int rounds)
{
    local int tile[32];
    int l = get_local_id(0), n = get_local_size(0);
    int before = in[get_global_id(0)], last = 0, previous = 1, current = 1;
    for (int r = 0; r < rounds; ++r) {
        int head = before + r;
        tile[l] = head;
        barrier(CLK_LOCAL_MEM_FENCE);
        last = tile[n - 1 - l] + head;
        int next = previous + current;
        previous = current;
        current = next;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    out[get_global_id(0)] = last * 1000 + current;
}
// run: live global=32 local=8|32|1
//   buf i32 32 = i
//   buf i32 32 = 0 => (i + i/lx*lx + lx - 1 - i%lx + 6) * 1000 + 8
//   val i32 4
// run: live global=32 local=8
//   buf i32 32 = i
//   buf i32 32 = 0 => 1
//   val i32 0
