// Atomic operations without a result, which a thread combines before they reach memory: on few
// addresses, on many, and on so many that combining them does not pay. Other kernels see these
// operations' effects by barriers, fences, reads, or while they wait.
kernel void count(global uint *bins, uint n, uint times)
{
    uint i = get_global_id(0);
    for (uint k = 0; k < times; k++) atomic_inc(&bins[(i + k * 7) % n]);
}
// run: count global=65536 local=256|null
//   buf u32 16 = 0 => 24576
//   val u32 16
//   val u32 6
// run: count global=60000 local=100|null
//   buf u32 300 = i => i + 400
//   val u32 300
//   val u32 2
// run: count global=65536 local=64|null
//   buf u32 65536 = i => i + 3
//   val u32 65536
//   val u32 3
// run: count global=3 local=3|1|null
//   buf u32 5 = 1 => [2, 2, 3, 2, 2][i]
//   val u32 5
//   val u32 2

// Two parts of the buffer with different behaviour, one after the other.
kernel void phases(global uint *bins, uint n)
{
    uint i = get_global_id(0);
    if (i < n) atomic_sub(&bins[i], 1u);
    else atomic_add(&bins[i % 4], 1u);
}
// run: phases global=131072 local=64|null
//   buf u32 65536 = 7 => 6 + (i < 4) * 16384
//   val u32 65536

// Operations of one kind on two buffers.
kernel void two(global uint *a, global uint *b)
{
    uint i = get_global_id(0);
    atomic_add(&a[i % 64], 1u);
    atomic_add(&b[i % 32], 2u);
}
// run: two global=32768 local=128|null
//   buf u32 64 = 0 => 512
//   buf u32 32 = 0 => 2048

#define KIND(name, type, op, value) \
    kernel void name(global type *c, global const type *in) \
    { size_t i = get_global_id(0); type v = in[i]; op(&c[i % 3], value); }
KIND(least, int, atomic_min, -v)
KIND(most, int, atomic_max, v)
KIND(least_unsigned, uint, atomic_min, v + 0x80000000u)
KIND(most_unsigned, uint, atomic_max, v + 0x80000000u)
KIND(bits_and, int, atomic_and, ~(1 << (v % 31)))
KIND(bits_or, int, atomic_or, 1 << (v % 31))
KIND(bits_xor, int, atomic_xor, v)
// run: least global=4096 local=64|null
//   buf i32 3 = 5 => [-4095, -4093, -4094][i]
//   buf i32 4096 = i
// run: most global=4096 local=64|null
//   buf i32 3 = -5 => [4095, 4093, 4094][i]
//   buf i32 4096 = i
// run: least_unsigned global=4096 local=64|null
//   buf u32 3 = 0xffffffff => 0x80000000 + i
//   buf u32 4096 = i
// run: most_unsigned global=4096 local=64|null
//   buf u32 3 = 5 => 0x80000000 + [4095, 4093, 4094][i]
//   buf u32 4096 = i
// run: bits_and global=4096 local=64|null
//   buf i32 3 = -1 => -2147483648
//   buf i32 4096 = i
// run: bits_or global=4096 local=64|null
//   buf i32 3 = 0 => 2147483647
//   buf i32 4096 = i
// run: bits_xor global=3072 local=64|null
//   buf i32 3 = 9 => 9
//   buf i32 3072 = i / 6

// The work-item reads what it has added.
kernel void own(global uint *bins, global uint *out)
{
    uint i = get_global_id(0);
    for (uint k = 1; k <= 3; k++) {
        atomic_add(&bins[i], k);
        out[i] += bins[i];
    }
}
// run: own global=4096 local=64|null
//   buf u32 4096 = 0 => 6
//   buf u32 4096 = 0 => 10

// The group reads what its work-items have added before a barrier.
kernel void group_reads(global uint *bins, global uint *out)
{
    uint g = get_group_id(0);
    atomic_inc(&bins[g]);
    barrier(CLK_GLOBAL_MEM_FENCE);
    out[get_global_id(0)] = bins[g];
}
// run: group_reads global=8192 local=64|16
//   buf u32 512 = 0 => (i < 8192 / lx) * lx
//   buf u32 8192 = 0 => lx

// The last group reads the sums of all.
kernel void last_reads(global uint *sums, global uint *done, global uint *out)
{
    atomic_inc(&sums[get_global_id(0) % 8]);
    mem_fence(CLK_GLOBAL_MEM_FENCE);
    if (atomic_inc(done) == get_global_size(0) - 1) {
        mem_fence(CLK_GLOBAL_MEM_FENCE);
        for (int k = 0; k < 8; k++) out[k] = atomic_or(&sums[k], 0u);
    }
}
// run: last_reads global=16384 local=64|null
//   buf u32 8 = 0 => 2048
//   buf u32 1 = 0 => 16384
//   buf u32 8 = 0 => 2048

// Each group waits for the group before it, which tells it by an operation without a result.
kernel void waits(global volatile uint *flags)
{
    uint g = get_group_id(0);
    if (get_local_id(0) == 0) {
        if (g > 0) while (atomic_or(flags + g - 1, 0) == 0);
        atomic_inc(flags + g);
    }
}
// run: waits global=65536 local=16
//   buf u32 4096 = 0 => 1
