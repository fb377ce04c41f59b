// break, continue, do-while and goto around barriers, and loops between barriers whose trip counts
// differ between work-items.
kernel void exits(global int *out, int stop)
{
    local int tile[32];
    int l = get_local_id(0), n = get_local_size(0), value = 0, round = 0;
    do {
        tile[l] = l + round;
        barrier(CLK_LOCAL_MEM_FENCE);
        value += tile[(l + 1) % n];
        barrier(CLK_LOCAL_MEM_FENCE);
        if (++round == stop) break;
        if (round % 2) continue;
        tile[l] = 1000;
        barrier(CLK_LOCAL_MEM_FENCE);
        value += tile[(l + 2) % n];
        barrier(CLK_LOCAL_MEM_FENCE);
    } while (round < 10);
    for (int k = 0; k < l % 5; ++k) value += 1;
    tile[l] = value;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = tile[(l + 1) % n];
}
kernel void with_goto(global int *out, int times)
{
    local int tile[32];
    int l = get_local_id(0), n = get_local_size(0), value = l;
again:
    tile[l] = value;
    barrier(CLK_LOCAL_MEM_FENCE);
    value = tile[(l + 1) % n];
    barrier(CLK_LOCAL_MEM_FENCE);
    if (--times > 0) goto again;
    out[get_global_id(0)] = value;
}
// run: exits global=32 local=8|32|1
//   buf i32 32 = -1 => (i%lx+1)%lx%5 + 3*((i%lx+2)%lx) + 3 + 1000
//   val i32 3
// run: exits global=32 local=8
//   buf i32 32 = -1 => (i%lx+1)%lx%5 + 10*((i%lx+2)%lx) + 45 + 5000
//   val i32 99
// run: with_goto global=32 local=8|32|1
//   buf i32 32 = -1 => (i%lx + 5) % lx
//   val i32 5
