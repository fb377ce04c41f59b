//! test = "run"
//! global = [20]
//! local = [5]
// The fifth work-item of a group is the only lane of a masked store, which truncates 64-bit values.
// The store must not overwrite the next element.
kernel void test(global uint *out, global const uint *in, uint n) {
  uint g = get_global_id(0);
  ulong wide = ((ulong)in[g] << 20) + g;
  out[g] = wide;
  out[2 * n + g] = wide >> 40;
}
kernel void expect(global uint *out, global const uint *in, uint n) {
  for (uint g = 0; g < n; g++) {
    volatile ulong wide = ((ulong)in[g] << 20) + g;
    out[g] = wide;
    out[2 * n + g] = wide >> 40;
  }
}
