//! test = "run"
//! global = [64]
//! local = [16]
kernel void test(global uint *out, global const uint *in, uint n) {
  local uint t[16];
  size_t l = get_local_id(0), i = get_global_id(0);
  t[l] = in[i];
  barrier(CLK_LOCAL_MEM_FENCE);
  out[i] = t[15 - l] + in[i];
}
kernel void expect(global uint *out, global const uint *in, uint n) {
  for (uint i = 0; i < n; i++) out[i] = in[i / 16 * 16 + 15 - i % 16] + in[i];
}
