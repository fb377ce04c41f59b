//! test = "run"
//! global = [32]
//! local = [8]
// Several barriers in nested loops, loop-carried values, a private array alive across them.
kernel void test(global uint *out, global const uint *in, uint n) {
  local uint a[8], b[8];
  uint l = get_local_id(0), i = get_global_id(0);
  uint mine[6];
  for (uint k = 0; k < 6; k++) mine[k] = in[i] >> k;
  uint acc = l;
  for (uint j = 0; j < 3; j++) {
    a[l] = acc + j;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint k = 0; k < 2; k++) {
      b[l] = a[(l + 1) & 7] * 3 + mine[j + k];
      barrier(CLK_LOCAL_MEM_FENCE);
      acc += b[(l + k) & 7];
      mine[(k * 2 + j) % 6] ^= acc;
      barrier(CLK_LOCAL_MEM_FENCE);
    }
    acc ^= a[l];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  uint h = acc;
  for (uint k = 0; k < 6; k++) h = h * 31 + mine[k];
  out[i] = h;
}
kernel void expect(global uint *out, global const uint *in, uint n) {
  for (uint g = 0; g < n / 8; g++) {
    uint a[8], b[8], acc[8], mine[8][6];
    for (uint l = 0; l < 8; l++) {
      acc[l] = l;
      for (uint k = 0; k < 6; k++) mine[l][k] = in[g * 8 + l] >> k;
    }
    for (uint j = 0; j < 3; j++) {
      for (uint l = 0; l < 8; l++) a[l] = acc[l] + j;
      for (uint k = 0; k < 2; k++) {
        for (uint l = 0; l < 8; l++) b[l] = a[(l + 1) & 7] * 3 + mine[l][j + k];
        for (uint l = 0; l < 8; l++) {
          acc[l] += b[(l + k) & 7];
          mine[l][(k * 2 + j) % 6] ^= acc[l];
        }
      }
      for (uint l = 0; l < 8; l++) acc[l] ^= a[l];
    }
    for (uint l = 0; l < 8; l++) {
      uint h = acc[l];
      for (uint k = 0; k < 6; k++) h = h * 31 + mine[l][k];
      out[g * 8 + l] = h;
    }
  }
}
