// needs: cl_khr_int64_base_atomics cl_khr_int64_extended_atomics
#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable
#pragma OPENCL EXTENSION cl_khr_int64_extended_atomics : enable
kernel void all(global long *c, global ulong *u)
{
    size_t i = get_global_id(0);
    atom_add(&c[0], 0x100000000L);
    atom_sub(&c[1], 3L);
    atom_inc(&c[2]);
    atom_dec(&c[3]);
    atom_min(&c[4], -(long)i);
    atom_max(&c[5], (long)i << 33);
    atom_xor(&c[6], 1L << (i % 64));
    long seen = c[7], want;
    do { want = seen; seen = atom_cmpxchg(&c[7], want, want + 5); } while (seen != want);
    atom_max(&u[0], 0x8000000000000000UL + i);
    atom_or(&u[1], 1UL << (i % 64));
}
// run: all global=256 local=16|1
//   buf i64 8 = 0 => [256 << 32, -768, 256, -256, -255, 255 << 33, 0, 1280][i]
//   buf u64 2 = 0 => [(1 << 63) + 255, (1 << 64) - 1][i]
