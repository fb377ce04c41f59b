//! test = "run"
//! global = [48, 32]
//! local = [16, 16]
// Loads and stores that are consecutive from row to row, of integers of four bytes.
kernel void test(global uint *out, global const uint *in, uint n) {
  int x = get_global_id(0), y = get_global_id(1), rows = get_global_size(1);
  uint v = in[x * (rows + 1) + y] ^ in[y * 48 + x];
  out[x * rows + y] = v * 3 + in[x * rows + y + 7] + in[(x + 3) * rows - y];
  out[x * rows + y] += y;
}
kernel void expect(global uint *out, global const uint *in, uint n) {
  for (int y = 0; y < 32; y++)
    for (int x = 0; x < 48; x++) {
      uint v = in[x * 33 + y] ^ in[y * 48 + x];
      out[x * 32 + y] = v * 3 + in[x * 32 + y + 7] + in[(x + 3) * 32 - y] + y;
    }
}
