//! test = "run"
//! global = [24]
//! local = [6, 1, 1]
// Vectors (three-component ones too), booleans, bytes, doubles and pointers live across barriers.
kernel void test(global uint *out, global const uint *in, uint n) {
  local double t[6];
  uint i = get_global_id(0), l = get_local_id(0);
  uint3 v3 = (uint3)(in[i], in[i] >> 1, l);
  uchar c = in[i];
  bool big = in[i] > 100000;
  double d = in[i] * 0.5;
  ulong16 wide = (ulong16)(in[i]) + (ulong16)(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
  global const uint *p = big ? in : in + 1;
  t[l] = d;
  barrier(CLK_LOCAL_MEM_FENCE);
  double e = t[5 - l];
  barrier(CLK_LOCAL_MEM_FENCE);
  out[i] = v3.x + v3.y + v3.z + c + (big ? 3 : 9) + (uint)(d + e);
  out[n + i] = wide.s3 + wide.sf + *p;
}
kernel void expect(global uint *out, global const uint *in, uint n) {
  for (uint i = 0; i < n; i++) {
    uint l = i % 6, b = i / 6 * 6;
    out[i] = in[i] + (in[i] >> 1) + l + (uchar)in[i] + (in[i] > 100000 ? 3 : 9) +
             (uint)(in[i] * 0.5 + in[b + 5 - l] * 0.5);
    out[n + i] = in[i] + 3 + in[i] + 15 + (in[i] > 100000 ? in[0] : in[1]);
  }
}
