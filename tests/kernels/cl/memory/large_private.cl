// A private array of 16 KiB per work-item, and one that lives across a barrier.
kernel void big(global int *out)
{
    int a[4096];
    size_t g = get_global_id(0);
    for (int i = 0; i < 4096; ++i) a[i] = i * (int)g;
    int s = 0;
    for (int i = 0; i < 4096; i += (int)g + 1) s += a[4095 - i];
    out[g] = s;
}
kernel void across(global int *out)
{
    int a[512];
    size_t g = get_global_id(0);
    for (int i = 0; i < 512; ++i) a[i] = i + (int)g;
    barrier(CLK_GLOBAL_MEM_FENCE);
    int s = 0;
    for (int i = 0; i < 512; ++i) s += a[(i * 7) % 512];
    barrier(CLK_GLOBAL_MEM_FENCE);
    out[g] = s + a[g];
}
// run: big global=8 local=4|8
//   buf i32 8 = -1 => i * sum(k, 0, (4095 / (i + 1)) + 1, 4095 - k * (i + 1))
// run: across global=64 local=64|32
//   buf i32 64 = -1 => 512 * 511 / 2 + 512 * i + 2 * i
