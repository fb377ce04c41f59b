//! test = "run"
//! global = [64]
//! local = [32]
// Several components become one number, and one number several components. LLVM cannot compile what
// it makes of these conversions in 32 and 64 lanes if they run lane by lane (seed 1944).
void item(global uint *out, global const uint *in, uint n, uint g, uint l) {
  uint a = in[g];
  ulong w = ((ulong)a << 20) | g;
  uint4 v = (uint4)(a, l, g, 9);
  uchar4 y = convert_uchar4(v);
  if (w % 2u) {
    if (any(v == (uint4)(9u)) || y.x > y.y) v = v.wzyx + (uint4)(a % (l | 1u));
    if (all(convert_int4(v) > (int4)(1))) v.x += 7u;
  } else {
    out[n + g] = a & n;
  }
  ushort4 parts = as_ushort4(w * 0x123456789abcdefUL);
  float2 halves = as_float2(w & 0x3fffffff3fffffffUL);
  ulong2 both = as_ulong2(v);
  uchar8 bytes = as_uchar8(as_ulong(as_uint2(both.x)) ^ both.y);
  out[g] = v.x + v.y * 3 + v.z * 5 + v.w * 7 + as_uint(y) + as_uint(y.wzyx) * 11;
  out[n + g] ^= parts.x + parts.y * 3u + parts.z * 5u + parts.w * 7u;
  out[n + g] += as_uint(halves.x) ^ as_uint(halves.y) * 3u;
  out[n + g] ^= bytes.s0 + bytes.s3 * 256u + bytes.s5 * 65536u + bytes.s7 * 3u;
}
kernel void test(global uint *out, global const uint *in, uint n) {
  item(out, in, n, get_global_linear_id(), get_local_linear_id());
}
kernel void expect(global uint *out, global const uint *in, uint n) {
  if (get_global_id(0) == 0)
    for (uint g = 0; g < n; g++) item(out, in, n, g, g % 32u);
}
