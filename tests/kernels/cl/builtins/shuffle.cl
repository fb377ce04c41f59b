// shuffle, shuffle2, swizzles and halves of vectors.
kernel void shuffles(global const int *in, global int *out)
{
    int8 a = vload8(0, in), b = vload8(1, in);
    vstore8(shuffle(a, (uint8)(7, 6, 5, 4, 3, 2, 1, 0)), 0, out);
    vstore8(shuffle2(a, b, (uint8)(0, 8, 1, 9, 2, 10, 15, 23)), 1, out);
    int4 s = (int4)(a.lo.even.x, b.hi.odd.y, a.s7, b.s0);
    s.yx = s.xy;
    s.zw += (int2)(100, 200);
    vstore4(s, 4, out);
    vstore4(shuffle(a.lo, (uint4)(2, 1, 0, 6)).xyzz, 5, out);
}
// run: shuffles global=1
//   buf i32 16 = i
//   buf i32 24 = -1 => [7, 6, 5, 4, 3, 2, 1, 0, 0, 8, 1, 9, 2, 10, 15, 7, 15, 0, 107, 208, 2, 1, 0, 0][i]
