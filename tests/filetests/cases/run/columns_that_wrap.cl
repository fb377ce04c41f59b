//! test = "run"
//! global = [16, 32]
//! local = [8, 8]
// Indices whose steps from row to row are not constant: an unsigned index that wraps between two
// rows, bits that are masked, and a store of a part of the rows.
__attribute__((always_inline)) void item(global uint *out, global const uint *in, uint x, uint y) {
  uint at = x * 0x08000040u + y * 0x08000001u - 0x20000000u;
  uint wraps = (x * 32 + y + 0xfffffe00u + in[3] * 0) + 0x200;
  uint v = in[(at >> 27) * 32 + (at & 31)] + in[wraps & 511];
  out[x * 32 + (y ^ 1)] = v;
  if (y & 4) out[512 + x * 32 + y] = v + 1;
  out[1024 + ((x * 32 + y) & 255) * 2 + (x >> 3)] = v + 2;
}
kernel void test(global uint *out, global const uint *in, uint n) {
  item(out, in, get_global_id(0), get_global_id(1));
}
kernel void expect(global uint *out, global const uint *in, uint n) {
  for (uint y = 0; y < 32; y++)
    for (uint x = 0; x < 16; x++) item(out, in, x, y);
}
