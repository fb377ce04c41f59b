//! test = "run"
//! global = [80]
//! local = [80]
// Loads of OpenCL vectors at any address in each lane, in blocks that all lanes run and under a
// mask. The input is aligned to 16 bytes only, so longer vectors use `vload`.
__attribute__((always_inline)) uint item(global const uint *in, uint x, uint n) {
  uint at = in[x] % 20;
  uint4 a = ((global const uint4 *)in)[at * 4 + (x & 3)];
  uint8 b = vload8(at * 2 + (x & 1), in);
  uint16 c = vload16(at, in);
  ushort2 d = ((global const ushort2 *)in)[at * 7];
  ushort8 e = ((global const ushort8 *)in)[at * 4 + 1];
  uchar16 f = ((global const uchar16 *)in)[at * 4 + 3];
  ulong2 g = ((global const ulong2 *)in)[at * 4 + (x & 2)];
  ulong8 h = vload8(at, (global const ulong *)in);
  uint3 i = ((global const uint3 *)in)[at * 3];
  uint hash = a.x + a.y * 3 + a.z * 5 + a.w * 7;
  hash = hash * 31 + (b.s0 ^ b.s1 * 3) + (b.s2 ^ b.s3 * 5) + (b.s4 ^ b.s5 * 7) + (b.s6 ^ b.s7 * 9);
  hash = hash * 31 + c.s0 + c.s1 * 3 + c.s5 * 5 + c.s7 * 7 + c.s8 * 9 + c.sa * 11 + c.sf * 13;
  hash = hash * 31 + d.x + d.y * 3 + e.s0 + e.s3 * 5 + e.s4 * 7 + e.s7 * 9;
  hash = hash * 31 + f.s0 + f.s1 * 3 + f.s2 * 5 + f.s9 * 7 + f.sc * 9 + f.sf * 11;
  hash = hash * 31 + (uint)(g.x >> 3) + (uint)(g.y >> 5) * 3;
  hash = hash * 31 + (uint)(h.s0 >> 3) + (uint)(h.s3 >> 5) * 3 + (uint)(h.s6 >> 7) * 5;
  hash = hash * 31 + i.x + i.y * 3 + i.z * 5;
  if (in[x] & 2) {
    uint4 m = ((global const uint4 *)in)[at * 3];
    hash = hash * 31 + m.x + m.y * 3 + m.z * 5 + m.w * 7;
  }
  return hash;
}
kernel void test(global uint *out, global const uint *in, uint n) {
  uint x = get_global_id(0);
  out[x] = item(in, x, n);
}
kernel void expect(global uint *out, global const uint *in, uint n) {
  for (uint x = 0; x < n; x++) out[x] = item(in, x, n);
}
