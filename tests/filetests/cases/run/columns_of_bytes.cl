//! test = "run"
//! global = [64, 32]
//! local = [32, 16]
// Loads and stores that are consecutive from row to row, of integers of one, two and eight bytes.
__attribute__((always_inline))
void item(global uint *out, global const uint *in, int x, int y, int rows) {
  global const uchar *bytes = (global const uchar *)in;
  global const ushort *shorts = (global const ushort *)in;
  global const ulong *longs = (global const ulong *)in;
  int at = x * rows + y, all = 64 * rows;
  ulong l = longs[at] ^ longs[at + 5];
  ((global uchar *)out)[at] = bytes[at + 1] + bytes[y * 64 + x] + (uchar)l;
  ((global ushort *)out)[at + all] = shorts[at] * 3 + (ushort)(l >> 40);
  ((global ulong *)out)[at + all] = l * 3 + y;
}
kernel void test(global uint *out, global const uint *in, uint n) {
  item(out, in, get_global_id(0), get_global_id(1), get_global_size(1));
}
kernel void expect(global uint *out, global const uint *in, uint n) {
  for (int y = 0; y < 32; y++)
    for (int x = 0; x < 64; x++) item(out, in, x, y, 32);
}
