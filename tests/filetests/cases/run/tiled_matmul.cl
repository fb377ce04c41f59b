//! test = "run"
//! global = [16, 16]
//! local = [8, 8]
// The usual tiled product: two barriers in a loop over tiles.
kernel void test(global uint *out, global const uint *in, uint n) {
  local uint a[8][8], b[8][8];
  int x = get_local_id(0), y = get_local_id(1), row = get_global_id(1), col = get_global_id(0);
  uint sum = 0;
  for (int t = 0; t < 2; t++) {
    a[y][x] = in[row * 16 + t * 8 + x];
    b[y][x] = in[256 + (t * 8 + y) * 16 + col];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int k = 0; k < 8; k++) sum += a[y][k] * b[k][x];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  out[row * 16 + col] = sum;
}
kernel void expect(global uint *out, global const uint *in, uint n) {
  for (int r = 0; r < 16; r++)
    for (int c = 0; c < 16; c++) {
      uint s = 0;
      for (int k = 0; k < 16; k++) s += in[r * 16 + k] * in[256 + k * 16 + c];
      out[r * 16 + c] = s;
    }
}
