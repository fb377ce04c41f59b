// A minimal kernel, in every element type.
#define ADD(name, type) \
    kernel void name(global const type *a, global const type *b, global type *c) { \
        size_t i = get_global_id(0); \
        c[i] = (type)(a[i] + b[i]); \
    }
ADD(add_char, char)
ADD(add_uchar, uchar)
ADD(add_short, short)
ADD(add_ushort, ushort)
ADD(add_int, int)
ADD(add_uint, uint)
ADD(add_long, long)
ADD(add_ulong, ulong)
ADD(add_float, float)
// run: add_char global=100 local=10|null|1|100
//   buf i8 100 = i
//   buf i8 100 = i * 3
//   buf i8 100 = 0 => a0[i] + a1[i]
// run: add_uchar global=64 local=16
//   buf u8 64 = i * 7
//   buf u8 64 = i * 3
//   buf u8 64 = 0 => a0[i] + a1[i]
// run: add_short global=64 local=64
//   buf i16 64 = i * 1000
//   buf i16 64 = i * 70
//   buf i16 64 = 0 => a0[i] + a1[i]
// run: add_ushort global=64 local=2
//   buf u16 64 = i * 1000
//   buf u16 64 = i * 70
//   buf u16 64 = 0 => a0[i] + a1[i]
// run: add_int global=1000 local=null|8|125
//   buf i32 1000 = i * 0x12345
//   buf i32 1000 = -i
//   buf i32 1000 = 0 => a0[i] + a1[i]
// run: add_uint global=7 local=7|1|null
//   buf u32 7 = 0xffffffff - i
//   buf u32 7 = i * i
//   buf u32 7 = 0 => a0[i] + a1[i]
// run: add_long global=33 local=11
//   buf i64 33 = i << 40
//   buf i64 33 = -1
//   buf i64 33 = 0 => a0[i] + a1[i]
// run: add_ulong global=33 local=3
//   buf u64 33 = i << 58
//   buf u64 33 = i << 60
//   buf u64 33 = 0 => a0[i] + a1[i]
// run: add_float global=1024 local=128|null|32
//   buf f32 1024 = i * 0.5
//   buf f32 1024 = 1000 - i
//   buf f32 1024 = nan => a0[i] + a1[i]
