//! test = "run"
//! global = [48]
//! local = [48]
// All work-items of a sub-group call the function together, although they enter the loop at
// different blocks.
kernel void test(global uint *out, global const uint *in, uint n) {
  uint i = get_global_id(0), x = in[i], k = 0;
  if (x & 1u) goto middle;
top:
  x = x * 5u + 1u;
middle:
  x += sub_group_reduce_add(x & 255u);
  if (k++ < 3u) goto top;
  out[i] = x;
}
kernel void expect(global uint *out, global const uint *in, uint n) {
  for (uint s = 0; s < n / 16u; s++) {
    uint x[16];
    for (uint l = 0; l < 16; l++) x[l] = in[16 * s + l];
    for (uint k = 0; k < 4u; k++) {
      uint sum = 0;
      for (uint l = 0; l < 16; l++) {
        if (k > 0 || !(x[l] & 1u)) x[l] = x[l] * 5u + 1u;
        sum += x[l] & 255u;
      }
      for (uint l = 0; l < 16; l++) x[l] += sum;
    }
    for (uint l = 0; l < 16; l++) out[16 * s + l] = x[l];
  }
}
