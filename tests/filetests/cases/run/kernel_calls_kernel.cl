//! test = "run"
//! global = [32]
//! local = [8]
//! local_bytes = 32
// A kernel with local variables and barriers called by another kernel, twice.
kernel void inner(global uint *out, global const uint *in, uint n, local uint *a) {
  local uint t[8];
  uint l = get_local_id(0), i = get_global_id(0);
  t[l] = in[i] + n; a[l] = l;
  barrier(CLK_LOCAL_MEM_FENCE);
  out[i] += t[7 - l] * (a[7 - l] + 1);
  barrier(CLK_LOCAL_MEM_FENCE);
}
kernel void test(global uint *out, global const uint *in, uint n, local uint *a) {
  out[get_global_id(0)] = 1;
  inner(out, in, n, a);
  inner(out, in, 2, a);
}
kernel void expect(global uint *out, global const uint *in, uint n) {
  for (uint i = 0; i < n; i++) {
    uint m = i / 8 * 8 + 7 - i % 8;
    out[i] = 1 + (in[m] + n) * (8 - i % 8) + (in[m] + 2) * (8 - i % 8);
  }
}
