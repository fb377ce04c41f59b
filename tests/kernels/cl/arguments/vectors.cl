// Vectors by value, including those of three components, which have the size of four.
kernel void vectors(global int *out, char2 a, int3 b, uchar a3, short8 c, float4 d, char3 e,
                    long2 f, uint16 g, int h) {
    out[0] = a.x + a.y;
    out[1] = b.x * 100 + b.y * 10 + b.z;
    out[2] = a3;
    out[3] = c.s0 + c.s7 * 10;
    out[4] = (int)(d.x + d.y * 10 + d.z * 100 + d.w * 1000);
    out[5] = e.x * 100 + e.y * 10 + e.z;
    out[6] = (int)(f.x - f.y);
    out[7] = g.s0 + g.sf;
    out[8] = h;
}
// run: vectors global=1 local=1
//   buf i32 9 = 0 => [3, 123, 77, 81, 4321, 456, -1, 117, 55][i]
//   val i8 1, 2
//   val i32 1, 2, 3, 99
//   val u8 77
//   val i16 1, 2, 3, 4, 5, 6, 7, 8
//   val f32 1, 2, 3, 4
//   val i8 4, 5, 6, 99
//   val i64 10, 11
//   val u32 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 116
//   val i32 55
