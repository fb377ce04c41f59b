//! test = "run"
//! global = [96]
//! local = [48]
// Stores of OpenCL vectors at any address in each lane, in blocks that all lanes run and under a
// mask. The places are a permutation of the work-items.
__attribute__((always_inline))
void item(global uint *out, global const uint *in, uint x, uint n) {
  uint at = (x * 35 + 11) % n;
  uint4 v = ((global const uint4 *)in)[x];
  ((global uint4 *)out)[at] = v * 3 + x;
  if (in[x] & 1) ((global ushort8 *)out)[at] = as_ushort8(v) ^ (ushort)x;
  if (in[x] & 2) ((global uchar16 *)out)[at] += as_uchar16(v);
  ((global ulong2 *)out)[at] += as_ulong2(v) >> 7;
  if (in[x] & 4) ((global uint2 *)out)[at * 2 + 1] = v.wx;
  ((global float4 *)out)[at] = as_float4(as_uint4(((global float4 *)out)[at]) ^ v.yzwx);
}
kernel void test(global uint *out, global const uint *in, uint n) {
  item(out, in, get_global_id(0), n);
}
kernel void expect(global uint *out, global const uint *in, uint n) {
  for (uint x = 0; x < n; x++) item(out, in, x, n);
}
