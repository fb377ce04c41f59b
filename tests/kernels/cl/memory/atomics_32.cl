// OpenCL 1.x atomics on global and local memory, signed and unsigned.
kernel void all(global int *c, global uint *u, global int *old)
{
    size_t i = get_global_id(0);
    old[i] = atomic_add(&c[0], 2);
    atomic_sub(&c[1], 3);
    atomic_inc(&c[2]);
    atomic_dec(&c[3]);
    atomic_min(&c[4], (int)i - 10);
    atomic_max(&c[5], (int)i);
    atomic_and(&c[6], ~(1 << (i % 32)));
    atomic_or(&c[7], 1 << (i % 32));
    atomic_xor(&c[8], 1 << (i % 8));
    int seen = c[9], want;
    do { want = seen; seen = atomic_cmpxchg(&c[9], want, want + 5); } while (seen != want);
    atomic_xchg(&c[10], 77);
    atomic_min(&u[0], 0x80000000u + (uint)i);
    atomic_max(&u[1], 0x80000000u + (uint)i);
    atomic_add(&u[2], 0xffffffffu);
}
kernel void floats(global float *f) { atomic_xchg(f, 2.5f); }
kernel void in_local(global int *out)
{
    local int sum, most;
    local uint bits;
    size_t l = get_local_id(0);
    if (l == 0) { sum = 0; most = -1; bits = 0; }
    barrier(CLK_LOCAL_MEM_FENCE);
    atomic_add(&sum, (int)l);
    atomic_max(&most, (int)(l * 3));
    atomic_or(&bits, 1u << (l % 32));
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l == 0) {
        size_t g = get_group_id(0);
        out[g * 3] = sum;
        out[g * 3 + 1] = most;
        out[g * 3 + 2] = popcount(bits);
    }
}
// run: all global=256 local=16|null|1
//   buf i32 11 = [0, 0, 0, 0, 1000, -1000, -1, 0, 0, 0, 0][i] => [512, -768, 256, -256, -10, 255, 0, -1, 0, 1280, 77][i]
//   buf u32 3 = [0xffffffff, 0, 256][i] => [0x80000000, 0x800000ff, 0][i]
//   buf i32 256 = -1 => any
// run: floats global=32 local=8
//   buf f32 1 = 0 => 2.5
// run: in_local global=128 local=64
//   buf i32 6 = 0 => [2016, 189, 32][i%3]
