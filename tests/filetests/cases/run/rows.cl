//! test = "run"
//! global = [32, 16]
//! local = [16, 8]
// Rows of work-items can run side by side (unroll and jam), because branches and loops depend on
// the column only. Values depend on row and column.
uint item(global const uint *in, uint x, uint y) {
  uint at = y * 32 + x, sum = in[at], other = y ^ x;
  for (uint i = 0; i < (x & 7); ++i) {
    sum = sum * 31 + in[(y * 5 + i) & 255] * in[(i * 3 + x) & 255];
    if ((x & 3) == 1)
      other += sum >> (y & 15);
    else
      other ^= sum + i;
  }
  if (in[x] & 1)
    sum -= other * in[y];
  return sum ^ other;
}
kernel void test(global uint *out, global const uint *in, uint n) {
  uint x = get_global_id(0), y = get_global_id(1);
  out[y * 32 + x] = item(in, x, y);
}
kernel void expect(global uint *out, global const uint *in, uint n) {
  for (uint y = 0; y < 16; y++)
    for (uint x = 0; x < 32; x++) out[y * 32 + x] = item(in, x, y);
}
