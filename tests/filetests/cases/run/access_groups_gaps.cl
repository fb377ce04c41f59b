//! test = "run"
//! global = [64]
//! local = [64]
// Stores with gaps of one to three elements, which must keep their values.
kernel void test(global uint *out, global const uint *in, uint n) {
  size_t x = get_global_id(0);
  uint v = in[x];
  out[4 * x + 2] = v;
  out[4 * x] = v ^ 0xffff;
  global ushort *shorts = (global ushort *)(out + 3);
  shorts[8 * x] = v;
  shorts[8 * x + 1] = v >> 8;
}
kernel void expect(global uint *out, global const uint *in, uint n) {
  for (volatile uint i = 0; i < n; i++) {
    uint x = i, v = in[x];
    out[4 * x] = v ^ 0xffff;
    out[4 * x + 2] = v;
    out[4 * x + 3] = (v & 0xffff) | ((v >> 8) & 0xffff) << 16;
  }
}
