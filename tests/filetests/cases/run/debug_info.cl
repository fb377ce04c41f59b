//! test = "run"
//! global = [64]
//! local = [16]
//! options = "-g"
// Debug information with divergent branches, a divergent loop, and a function that is not inlined.
__attribute__((noinline)) uint step(uint v, uint n) { return v * 1664525u + n; }
uint item(global const uint *in, uint n, uint v) {
  uint sum = 0;
  for (uint i = 0; i < v % 7; i++) {
    uint w = step(v, i);
    if (w & 1)
      sum += w;
    else if (w % 5 == 3)
      break;
    else
      sum ^= in[w % n];
  }
  return sum;
}
kernel void test(global uint *out, global const uint *in, uint n) {
  size_t x = get_global_id(0);
  out[x] = item(in, n, in[x]);
}
kernel void expect(global uint *out, global const uint *in, uint n) {
  for (uint x = 0; x < n; x++) out[x] = item(in, n, in[x]);
}
