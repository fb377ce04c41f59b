// needs: cl_khr_int64_base_atomics cl_khr_int64_extended_atomics
// Atomic operations without a result on 300 neighbours and on others, which the host combines
// without a search: every operation, with operands of 32 and 64 bits.
#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable
#pragma OPENCL EXTENSION cl_khr_int64_extended_atomics : enable

#define KIND(name, type, op, value) \
    kernel void name(global type *c) \
    { type v = get_global_id(0), k = v / 300; op(&c[v % 300], value); }
KIND(sum, uint, atomic_add, v)
KIND(difference, uint, atomic_sub, v)
KIND(least, int, atomic_min, -v)
KIND(most, int, atomic_max, v - 5000)
KIND(least_unsigned, uint, atomic_min, v + 0x80000000u)
KIND(most_unsigned, uint, atomic_max, v + 0x80000000u)
KIND(bits_and, int, atomic_and, ~(1 << k))
KIND(bits_or, int, atomic_or, 1 << k)
KIND(bits_xor, int, atomic_xor, 1 << k)
KIND(sum_wide, ulong, atom_add, v << 33)
KIND(least_wide, long, atom_min, -(v << 33))
KIND(most_wide, long, atom_max, (v - 5000) << 33)
KIND(least_unsigned_wide, ulong, atom_min, v + 0x8000000000000000UL)
KIND(most_unsigned_wide, ulong, atom_max, v << 33)
KIND(bits_and_wide, ulong, atom_and, ~(1UL << (k + 33)))
KIND(bits_or_wide, ulong, atom_or, 1UL << (k + 33))
KIND(bits_xor_wide, ulong, atom_xor, 1UL << (k + 33))
// run: sum global=4096 local=64|null
//   buf u32 300 = 7 => 7 + (13 * i + 23400 + (i < 196) * (3900 + i))
// run: difference global=4096 local=64|null
//   buf u32 300 = 100000 => 100000 - (13 * i + 23400 + (i < 196) * (3900 + i))
// run: least global=4096 local=64|null
//   buf i32 300 = 5 => -(3600 + i + (i < 196) * 300)
// run: most global=4096 local=64|null
//   buf i32 300 = -2147483648 => (3600 + i + (i < 196) * 300) - 5000
// run: least_unsigned global=4096 local=64|null
//   buf u32 300 = 0xffffffff => 0x80000000 + i
// run: most_unsigned global=4096 local=64|null
//   buf u32 300 = 0 => 0x80000000 + (3600 + i + (i < 196) * 300)
// run: bits_and global=4096 local=64|null
//   buf i32 300 = -1 => -1 - (8191 + (i < 196) * 8192)
// run: bits_or global=4096 local=64|null
//   buf i32 300 = 0 => (8191 + (i < 196) * 8192)
// run: bits_xor global=4096 local=64|null
//   buf i32 300 = 0 => (8191 + (i < 196) * 8192)
// run: sum_wide global=4096 local=64|null
//   buf u64 300 = 7 => 7 + ((13 * i + 23400 + (i < 196) * (3900 + i)) << 33)
// run: least_wide global=4096 local=64|null
//   buf i64 300 = 5 => -((3600 + i + (i < 196) * 300) << 33)
// run: most_wide global=4096 local=64|null
//   buf i64 300 = -(1 << 62) => ((3600 + i + (i < 196) * 300) - 5000) * (1 << 33)
// run: least_unsigned_wide global=4096 local=64|null
//   buf u64 300 = 0xffffffffffffffff => 0x8000000000000000 + i
// run: most_unsigned_wide global=4096 local=64|null
//   buf u64 300 = 0 => (3600 + i + (i < 196) * 300) << 33
// run: bits_and_wide global=4096 local=64|null
//   buf i64 300 = -1 => -1 - ((8191 + (i < 196) * 8192) << 33)
// run: bits_or_wide global=4096 local=64|null
//   buf i64 300 = 0 => (8191 + (i < 196) * 8192) << 33
// run: bits_xor_wide global=4096 local=64|null
//   buf i64 300 = 0 => (8191 + (i < 196) * 8192) << 33

// The first operations are on 1024 neighbours only. The later ones are also on addresses before and
// behind these.
kernel void around(global uint *c)
{
    uint i = get_global_id(0);
    if (i < 16384) atomic_add(&c[20000 + i % 1024], 1u);
    else atomic_add(&c[i - 16384], 2u);
}
// run: around global=56384 local=64|null
//   buf u32 40000 = 5 => 7 + (i >= 20000) * (i < 21024) * 16
