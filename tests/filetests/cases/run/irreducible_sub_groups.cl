//! test = "run"
//! global = [48]
//! local = [48]
// Sub-group functions around and in loops with two entries. Work-items of a sub-group enter
// `diverges` at different blocks. All work-items call the function in `meets` together.
#define INLINE __attribute__((always_inline))
INLINE uint diverges(uint x, uint k, uint odd) {
  uint r = 0;
  if (odd) goto middle;
top:
  r = r * 3u + x;
  x ^= r >> 2;
middle:
  x = x * 5u + 1u;
  if (k-- > 0) goto top;
  return r ^ x;
}
kernel void test(global uint *out, global const uint *in, uint n) {
  uint i = get_global_id(0), x = in[i], k = n & 3u;
  // Before and behind a loop that work-items enter at different blocks.
  x += sub_group_reduce_add(x & 255u);
  x = diverges(x, i & 7u, x & 1u);
  x += sub_group_scan_inclusive_add(x & 255u);
  // All work-items of a sub-group enter at the same block.
  if (get_sub_group_id() & 1u) goto middle;
top:
  x += sub_group_reduce_max(x & 1023u);
middle:
  x = x * 3u + sub_group_scan_exclusive_add(x & 255u);
  if (k++ < 6u) goto top;
  out[i] = x;
}
kernel void expect(global uint *out, global const uint *in, uint n) {
  for (uint s = 0; s < n / 16u; s++) {
    uint x[16], sum = 0, k = n & 3u;
    for (uint l = 0; l < 16; l++) sum += in[16 * s + l] & 255u;
    for (uint l = 0; l < 16; l++) {
      x[l] = in[16 * s + l] + sum;
      x[l] = diverges(x[l], l & 7u, x[l] & 1u);
    }
    sum = 0;
    for (uint l = 0; l < 16; l++) {
      sum += x[l] & 255u;
      x[l] += sum;
    }
    for (int first = 1;; first = 0) {
      if (!(first && (s & 1u))) {
        uint most = 0;
        for (uint l = 0; l < 16; l++) most = max(most, x[l] & 1023u);
        for (uint l = 0; l < 16; l++) x[l] += most;
      }
      sum = 0;
      for (uint l = 0; l < 16; l++) {
        uint before = sum;
        sum += x[l] & 255u;
        x[l] = x[l] * 3u + before;
      }
      if (k++ >= 6u) break;
    }
    for (uint l = 0; l < 16; l++) out[16 * s + l] = x[l];
  }
}
