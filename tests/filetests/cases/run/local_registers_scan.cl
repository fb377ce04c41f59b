//! test = "run"
//! global = [256]
//! local = [64]
// A scan whose accesses are at constant distances, and a tree that few work-items end.
kernel void test(global uint *out, global const uint *in, uint n) {
  local uint sums[64];
  local uint tree[64];
  uint l = get_local_id(0), g = get_global_id(0);
  sums[l] = in[g];
  tree[l] = in[g] >> 3;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint step = 1; step < 64; step <<= 1) {
    uint add = l >= step ? sums[l - step] : 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    sums[l] += add;
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  for (uint step = 32; step > 0; step >>= 1) {
    if (l < step) tree[l] += 3 * tree[l + step];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  out[g] = sums[l] ^ tree[0] ^ sums[63 - l];
}
kernel void expect(global uint *out, global const uint *in, uint n) {
  for (uint g = 0; g < n; g += 64) {
    uint sums[64], tree[64];
    for (uint l = 0; l < 64; l++) {
      sums[l] = in[g + l] + (l > 0 ? sums[l - 1] : 0);
      tree[l] = in[g + l] >> 3;
    }
    for (uint step = 32; step > 0; step >>= 1)
      for (uint l = 0; l < step; l++) tree[l] += 3 * tree[l + step];
    for (uint l = 0; l < 64; l++) out[g + l] = sums[l] ^ tree[0] ^ sums[63 - l];
  }
}
