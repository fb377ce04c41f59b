//! test = "run"
//! global = [96]
//! local = [48]
// Indices that stop at an edge, plus and minus numbers that are the same for all work-items.
uint of(global const uint *in, uint n, int x) {
  int w = n / 4;
  uint sum = 0;
  int column = clamp(x % w + 1, 0, w - 1), back = max(x - 3, 0);
  for (int y = 0; y < 3; y++) sum = sum * 3 + in[y * w + column] + in[column + 3 * w - y];
  if (in[x] & 1) sum += in[min(x + 7, (int)n - 1)];
  return sum ^ in[back] ^ in[min(x + 5, (int)n - 1)];
}
kernel void test(global uint *out, global const uint *in, uint n) {
  out[get_global_id(0)] = of(in, n, get_global_id(0));
}
kernel void expect(global uint *out, global const uint *in, uint n) {
  for (uint x = 0; x < n; x++) out[x] = of(in, n, x);
}
