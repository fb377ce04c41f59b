//! test = "run"
//! global = [48]
//! local = [16]
// Paths that never end, which no work-item takes: the elements of `in` are below 1 << 24. The loop
// over work-items stays scalar.
kernel void test(global uint *out, global const uint *in, uint n) {
  uint i = get_global_id(0), x = in[i];
  for (uint k = 0; k < (x & 7u); k++) x = x * 3u + k;
  if (in[i] >= 1u << 24) __builtin_trap();
  if (in[i] > (1u << 23) + n) {
    while (n == 0) out[0]++;
  }
  if (n == 0) {
    while (1) out[1]++;
  }
  out[i] = x;
}
kernel void expect(global uint *out, global const uint *in, uint n) {
  for (uint i = 0; i < n; i++) {
    uint x = in[i];
    for (uint k = 0; k < (x & 7u); k++) x = x * 3u + k;
    out[i] = x;
  }
}
