//! test = "run"
//! global = [32]
//! local = [16]
//! local_bytes = 64
// Barriers in called functions, called from two places and from each other.
__attribute__((noinline)) uint rotate_by(local uint *t, uint v, uint by) {
  uint l = get_local_id(0);
  t[l] = v;
  barrier(CLK_LOCAL_MEM_FENCE);
  v = t[(l + by) % get_local_size(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  return v;
}
uint twice(local uint *t, uint v) { return rotate_by(t, rotate_by(t, v, 1) + get_group_id(0), 3); }
__attribute__((noinline)) uint helper(uint v) { return v * get_local_id(0) + get_global_size(0); }
kernel void test(global uint *out, global const uint *in, uint n, local uint *t) {
  uint i = get_global_id(0);
  uint v = twice(t, in[i]);
  for (int k = 0; k < 2; k++) v += helper(rotate_by(t, v, k));
  out[i] = v;
}
void rot(uint *v, uint by) {
  uint t[16];
  for (uint l = 0; l < 16; l++) t[l] = v[l];
  for (uint l = 0; l < 16; l++) v[l] = t[(l + by) % 16];
}
kernel void expect(global uint *out, global const uint *in, uint n) {
  for (uint g = 0; g < n / 16; g++) {
    uint v[16], w[16];
    for (uint l = 0; l < 16; l++) v[l] = in[g * 16 + l];
    rot(v, 1);
    for (uint l = 0; l < 16; l++) v[l] += g;
    rot(v, 3);
    for (uint k = 0; k < 2; k++) {
      for (uint l = 0; l < 16; l++) w[l] = v[l];
      rot(w, k);
      for (uint l = 0; l < 16; l++) v[l] += w[l] * l + n;
    }
    for (uint l = 0; l < 16; l++) out[g * 16 + l] = v[l];
  }
}
