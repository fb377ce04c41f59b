//! test = "run"
//! global = [24, 2]
//! local = [4, 2]
// Private arrays: one that lives across barriers in a loop (accessed by dynamic index and pointer),
// one that is new in each iteration, and one that is used only in the region between two barriers
// of a loop, across iterations.
void bump(uint *p, uint by) { for (int k = 0; k < 5; k++) p[k] = p[k] * 2 + by; }
kernel void test(global uint *out, global const uint *in, uint n) {
  local uint t[8];
  uint l = get_local_linear_id(), i = get_global_linear_id();
  uint keep[5], around[3];
  uchar small[7];
  for (int k = 0; k < 5; k++) keep[k] = in[i] + k;
  for (int k = 0; k < 7; k++) small[k] = k * l;
  for (uint r = 0;; r++) {
    barrier(CLK_LOCAL_MEM_FENCE);
    uint fresh[4] = {r, l, r + l, 1};
    if (r == 0) { around[0] = 1; around[1] = l; around[2] = 3; }
    around[(r + l) % 3] += fresh[(r ^ l) & 3];
    uint *p = (r & 1) ? keep : keep;
    bump(p, around[r % 3]);
    t[l] = keep[(l + r) % 5] + small[(r + l) % 7];
    small[r % 7] += l;
    if (r == 3) break;
    barrier(CLK_LOCAL_MEM_FENCE);
    keep[r] ^= t[7 - l];
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  out[i] = t[l ^ 1] + keep[0] + keep[4] * 3 + around[0] + small[2];
}
kernel void expect(global uint *out, global const uint *in, uint n) {
  for (uint gy = 0; gy < 1; gy++)
    for (uint gx = 0; gx < 6; gx++) {
      uint keep[8][5], around[8][3], t[8];
      uchar small[8][7];
      for (uint l = 0; l < 8; l++) {
        uint i = (l / 4) * 24 + gx * 4 + l % 4;
        for (int k = 0; k < 5; k++) keep[l][k] = in[i] + k;
        for (int k = 0; k < 7; k++) small[l][k] = k * l;
        around[l][0] = 1; around[l][1] = l; around[l][2] = 3;
      }
      for (uint r = 0; r < 4; r++) {
        for (uint l = 0; l < 8; l++) {
          uint fresh[4] = {r, l, r + l, 1};
          around[l][(r + l) % 3] += fresh[(r ^ l) & 3];
          bump(keep[l], around[l][r % 3]);
          t[l] = keep[l][(l + r) % 5] + small[l][(r + l) % 7];
          small[l][r % 7] += l;
        }
        if (r < 3) for (uint l = 0; l < 8; l++) keep[l][r] ^= t[7 - l];
      }
      for (uint l = 0; l < 8; l++)
        out[(l / 4) * 24 + gx * 4 + l % 4] =
            t[l ^ 1] + keep[l][0] + keep[l][4] * 3 + around[l][0] + small[l][2];
    }
}
