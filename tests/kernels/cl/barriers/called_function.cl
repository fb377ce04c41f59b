// Barriers in functions the kernel calls, in functions those call, and a function called twice.
void share(local int *tile, int l, int value)
{
    barrier(CLK_LOCAL_MEM_FENCE);
    tile[l] = value;
    barrier(CLK_LOCAL_MEM_FENCE);
}
int neighbour(local int *tile, int l, int n, int value)
{
    share(tile, l, value);
    int result = tile[(l + 1) % n];
    share(tile, l, result * 2);
    return tile[(l + n - 1) % n];
}
__attribute__((noinline)) int twice(local int *tile, int l, int n, int value)
{
    int total = 0;
    for (int k = 0; k < 2; ++k) total += neighbour(tile, l, n, value + k);
    return total;
}
kernel void called(global int *out)
{
    local int tile[64];
    int l = get_local_id(0), n = get_local_size(0);
    int a = neighbour(tile, l, n, l);
    int b = twice(tile, l, n, a);
    out[get_global_id(0)] = a * 1000 + b;
}
// run: called global=64 local=64|16|1|4
//   buf i32 64 = 0 => i % lx * 2 * 1000 + i % lx * 2 * 2 + (i % lx * 2 + 1) * 2
