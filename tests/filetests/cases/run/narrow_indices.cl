//! test = "run"
//! global = [256]
//! local = [64]
// Indices of few bits wrap within a vector: `l & 3`, `g & 7`, and a number of 8 bits.
kernel void test(global uint *out, global const uint *in, uint n) {
  uint l = get_local_id(0), g = get_global_id(0);
  out[g] = in[l & 3] + 3 * in[g & 7] + 5 * in[(uchar)(l * 4)];
}
kernel void expect(global uint *out, global const uint *in, uint n) {
  for (uint g = 0; g < n; g++) {
    // LLVM cannot tell that a volatile variable counts.
    volatile uint l = g % 64, h = g;
    out[g] = in[l & 3] + 3 * in[h & 7] + 5 * in[(uchar)(l * 4)];
  }
}
