// Private arrays and structs live across barriers, indexed by values only known at run time.
struct state { int a[4]; float b; char c; };
kernel void arrays(global const int *in, global int *out, int rounds)
{
    local int tile[64];
    int mine[16];
    struct state s;
    int l = get_local_id(0), n = get_local_size(0);
    for (int k = 0; k < 16; ++k) mine[k] = l * 100 + k;
    for (int k = 0; k < 4; ++k) s.a[k] = in[k];
    s.b = l * 0.5f;
    s.c = (char)l;
    for (int r = 0; r < rounds; ++r) {
        tile[l] = mine[(l + r) % 16] + s.a[r % 4];
        barrier(CLK_LOCAL_MEM_FENCE);
        mine[r % 16] = tile[(l + 1) % n];
        s.a[(r + 1) % 4] += 1;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    int sum = 0;
    for (int k = 0; k < 16; ++k) sum += mine[k];
    out[get_global_id(0)] = sum + s.a[0] + s.a[1] + s.a[2] + s.a[3] + (int)(s.b * 2) + s.c;
}
kernel void pointer(global int *out)
{
    local int tile[64];
    int first = get_local_id(0), second = 1000 + first;
    int *chosen = first % 3 == 0 ? &first : &second;
    int l = first;
    tile[l] = *chosen;
    barrier(CLK_LOCAL_MEM_FENCE);
    *chosen += tile[(l + 1) % get_local_size(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = first * 10000 + second;
}
// run: arrays global=32 local=16|1|32
//   buf i32 4 = i * 7
//   buf i32 32 = 0 => sum(k, 0, 16, i % lx * 100 + k) + 42 + i % lx * 2
//   val i32 0
// run: arrays global=32 local=16|32|8
//   buf i32 4 = i * 7
//   buf i32 32 = 0 => sum(k, 1, 16, i % lx * 100 + k) + ((i % lx + 1) % lx) * 100 + (i % lx + 1) % lx % 16 + 42 + 1 + i % lx * 2
//   val i32 1
// run: pointer global=64 local=64|8|1
//   buf i32 64 = 0 => (i%lx%3 == 0 ? i%lx + ((i%lx+1)%lx%3 == 0 ? (i%lx+1)%lx : 1000 + (i%lx+1)%lx) : i%lx) * 10000 + (i%lx%3 == 0 ? 1000 + i%lx : 1000 + i%lx + ((i%lx+1)%lx%3 == 0 ? (i%lx+1)%lx : 1000 + (i%lx+1)%lx))
