// Integer builtins on several types.
kernel void ints(global const int *a, global const int *b, global int *out)
{
    size_t i = get_global_id(0);
    global int *o = out + i * 16;
    int x = a[i], y = b[i];
    o[0] = (int)abs(x); o[1] = (int)abs_diff(x, y); o[2] = add_sat(x, y); o[3] = sub_sat(x, y);
    o[4] = hadd(x, y); o[5] = rhadd(x, y); o[6] = clamp(x, -5, 5); o[7] = clz(x);
    o[8] = ctz(x | 1 << 20); o[9] = mul_hi(x, y); o[10] = max(x, y); o[11] = min(x, y);
    o[12] = rotate(x, 5);
    o[13] = popcount(x);
    o[14] = mad24(x & 0xff, y & 0xff, 3);
    o[15] = upsample((short)3, (ushort)4);
}
kernel void bytes(global const uchar *a, global const uchar *b, global uchar *out)
{
    size_t i = get_global_id(0);
    uchar x = a[i], y = b[i];
    out[i * 8 + 0] = add_sat(x, y);
    out[i * 8 + 1] = sub_sat(x, y);
    out[i * 8 + 2] = hadd(x, y);
    out[i * 8 + 3] = rhadd(x, y);
    out[i * 8 + 4] = mul_hi(x, y);
    out[i * 8 + 5] = rotate(x, (uchar)3);
    out[i * 8 + 6] = clz(x);
    out[i * 8 + 7] = abs_diff(x, y);
}
kernel void longs(global const long *a, global long *out)
{
    size_t i = get_global_id(0);
    out[i * 4 + 0] = mul_hi(a[i], a[i]);
    out[i * 4 + 1] = mad_sat(a[i], 4L, 7L);
    out[i * 4 + 2] = clz(a[i]);
    out[i * 4 + 3] = popcount(a[i]);
}
// build: -cl-std=CL3.0
// needs: CL3.0
// run: ints global=6 local=3
//   buf i32 6 = [7, -7, 2147483647, -2147483648, 0, 123456789][i]
//   buf i32 6 = [3, 5, 2, -3, 0, -987654321][i]
//   buf i32 96 = 0 => [i32(abs(a0[i/16])), i32(abs(a0[i/16]-a1[i/16])), clamp(a0[i/16]+a1[i/16], -2147483648, 2147483647), clamp(a0[i/16]-a1[i/16], -2147483648, 2147483647), (a0[i/16]+a1[i/16])>>1, (a0[i/16]+a1[i/16]+1)>>1, clamp(a0[i/16],-5,5), [29,0,1,0,32,5][i/16], [0,0,0,20,20,0][i/16], (a0[i/16]*a1[i/16])>>32, max(a0[i/16],a1[i/16]), min(a0[i/16],a1[i/16]), i32((u32(a0[i/16])<<5) | (u32(a0[i/16])>>27)), popcount(u32(a0[i/16])), (a0[i/16]&0xff)*(a1[i/16]&0xff)+3, 0x30004][i%16]
// run: bytes global=256 local=64
//   buf u8 256 = i
//   buf u8 256 = i * 37 + 11
//   buf u8 2048 = 0 => [min(a0[i/8]+a1[i/8],255), max(a0[i/8]-a1[i/8],0), (a0[i/8]+a1[i/8])>>1, (a0[i/8]+a1[i/8]+1)>>1, (a0[i/8]*a1[i/8])>>8, (a0[i/8]<<3)|(a0[i/8]>>5), 8 - sum(k,0,8,a0[i/8]>>k != 0), abs(a0[i/8]-a1[i/8])][i%8]
// run: longs global=4
//   buf i64 4 = [5, -1, 1 << 62, -(1 << 63)][i]
//   buf i64 16 = 0 => [(a0[i/4]*a0[i/4])>>64, clamp(a0[i/4]*4+7, -(1<<63), (1<<63)-1), [61,0,1,0][i/4], popcount(u64(a0[i/4]))][i%4]
