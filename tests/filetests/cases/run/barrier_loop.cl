//! test = "run"
//! global = [64]
//! local = [32]
//! local_bytes = 128
// Tree reduction: barrier in a loop, local argument, divergent work between barriers.
kernel void test(global uint *out, global const uint *in, uint n, local uint *t) {
  uint l = get_local_id(0), i = get_global_id(0);
  t[l] = in[i];
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint s = get_local_size(0) / 2; s > 0; s >>= 1) {
    if (l < s) t[l] += t[l + s];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (l == 0) out[get_group_id(0)] = t[0];
}
kernel void expect(global uint *out, global const uint *in, uint n) {
  for (uint g = 0; g < n / 32; g++) {
    uint s = 0;
    for (uint i = 0; i < 32; i++) s += in[g * 32 + i];
    out[g] = s;
  }
}
