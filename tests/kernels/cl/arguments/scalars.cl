// Every scalar type by value, in an order that needs padding.
kernel void scalars(global long *out, char a, long b, uchar c, short d, int e, ushort f, float g,
                    uint h, ulong k) {
    out[0] = a;
    out[1] = b;
    out[2] = c;
    out[3] = d;
    out[4] = e;
    out[5] = f;
    out[6] = (long)(g * 4);
    out[7] = h;
    out[8] = (long)k;
    out[9] = sizeof(size_t);
}
// run: scalars global=1 local=1
//   buf i64 10 = 0 => [-7, -5000000000, 200, -30000, -2000000000, 60000, 10, 4000000000, 6000000000, word][i]
//   val i8 -7
//   val i64 -5000000000
//   val u8 200
//   val i16 -30000
//   val i32 -2000000000
//   val u16 60000
//   val f32 2.5
//   val u32 4000000000
//   val u64 6000000000
