//! test = "run"
//! global = [256]
//! local = [32]
// Bounds before, between and after barriers, a private array, and a local size that may be unknown.
kernel void test(global uint *out, global const uint *in, uint n) {
  local uint tile[32];
  uint i = get_global_id(0), l = get_local_id(0), own[4];
  bool inside = i < n - 40;
  for (int k = 0; k < 4; k++) own[k] = inside ? in[i + k] : k;
  tile[l] = i + 3 < n ? in[i + 3] : 5;
  barrier(CLK_LOCAL_MEM_FENCE);
  uint v = own[in[i] & 3];
  if (i >= 20 && i + 9 < n) v += tile[(l + 7) & 31];
  barrier(CLK_LOCAL_MEM_FENCE);
  tile[l] = v;
  barrier(CLK_LOCAL_MEM_FENCE);
  if (i < n / 2) v ^= tile[31 - l];
  out[i] = v;
}
kernel void expect(global uint *out, global const uint *in, uint n) {
  for (uint g = 0; g < n; g += 32) {
    uint first[32], second[32];
    for (uint l = 0; l < 32; l++) first[l] = g + l + 3 < n ? in[g + l + 3] : 5;
    for (uint l = 0; l < 32; l++) {
      uint i = g + l, k = in[i] & 3, v = i < n - 40 ? in[i + k] : k;
      if (i >= 20 && i + 9 < n) v += first[(l + 7) & 31];
      second[l] = v;
    }
    for (uint l = 0; l < 32; l++)
      out[g + l] = second[l] ^ (g + l < n / 2 ? second[31 - l] : 0);
  }
}
