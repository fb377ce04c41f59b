//! test = "run"
//! global = [40]
//! local = [8]
// Whole groups return between barriers, others continue to more barriers; a loop ends by a break
// behind a barrier.
kernel void test(global uint *out, global const uint *in, uint n) {
  local uint t[8];
  uint l = get_local_id(0), i = get_global_id(0), g = get_group_id(0);
  t[l] = in[i];
  barrier(CLK_LOCAL_MEM_FENCE);
  uint v = t[l ^ 1];
  if (g == 2) { out[i] = v; return; }
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint k = 0;; k++) {
    t[l] = v + k;
    barrier(CLK_LOCAL_MEM_FENCE);
    v = t[(l + k) & 7];
    if (k >= g) break;
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  out[i] = v;
}
kernel void expect(global uint *out, global const uint *in, uint n) {
  for (uint g = 0; g < n / 8; g++) {
    uint v[8], t[8];
    for (uint l = 0; l < 8; l++) v[l] = in[g * 8 + (l ^ 1)];
    if (g != 2)
      for (uint k = 0;; k++) {
        for (uint l = 0; l < 8; l++) t[l] = v[l] + k;
        for (uint l = 0; l < 8; l++) v[l] = t[(l + k) & 7];
        if (k >= g) break;
      }
    for (uint l = 0; l < 8; l++) out[g * 8 + l] = v[l];
  }
}
