//! test = "run"
//! global = [64]
//! local = [16]
kernel void test(global uint *out, global const uint *in, uint n) {
  size_t i = get_global_id(0);
  out[i] = in[i] * 3 + i;
}
kernel void expect(global uint *out, global const uint *in, uint n) {
  for (uint i = 0; i < n; i++) out[i] = in[i] * 3 + i;
}
