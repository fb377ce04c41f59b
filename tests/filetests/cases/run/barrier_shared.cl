//! test = "run"
//! global = [32]
//! local = [16]
//! local_bytes = 64
// Functions with barriers that would need more than a thousand copies. The kernel gets one copy of
// each, with arguments, results, and values that live across the calls.
uint f0(local uint *t, uint v, uint by) {
  uint l = get_local_id(0);
  t[l] = v;
  barrier(CLK_LOCAL_MEM_FENCE);
  v = t[(l + by) % get_local_size(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  return v + sub_group_reduce_add(1u) - get_sub_group_size();
}
#define LEVEL(n, m) \
  uint f##n(local uint *t, uint v, uint by) { \
    uint2 keep = (uint2)(v * 3, by); \
    v = f##m(t, v, by); \
    if (by & 1) return v + f##m(t, keep.x, keep.y + 1); \
    for (uint k = 0; k < n % 2 + 1; k++) v += f##m(t, v ^ keep.x, by + 2 * k); \
    return v + (by > 2 ? f##m(t, v, 0) : v) + keep.y; \
  }
LEVEL(1, 0)
LEVEL(2, 1)
LEVEL(3, 2)
LEVEL(4, 3)
kernel void test(global uint *out, global const uint *in, uint n, local uint *t) {
  uint i = get_global_id(0);
  uint v = f2(t, in[i], 1);
  for (uint k = 0; k < 3; k++) v ^= f4(t, v, k);
  out[i] = f1(t, v, 4) + v;
}
void g0(uint *v, uint by) {
  uint t[16];
  for (uint l = 0; l < 16; l++) t[l] = v[l];
  for (uint l = 0; l < 16; l++) v[l] = t[(l + by) % 16];
}
#define SERIAL(n, m) \
  void g##n(uint *v, uint by) { \
    uint keep[16], r[16]; \
    for (uint l = 0; l < 16; l++) keep[l] = v[l] * 3; \
    g##m(v, by); \
    if (by & 1) { \
      g##m(keep, by + 1); \
      for (uint l = 0; l < 16; l++) v[l] += keep[l]; \
      return; \
    } \
    for (uint k = 0; k < n % 2 + 1; k++) { \
      for (uint l = 0; l < 16; l++) r[l] = v[l] ^ keep[l]; \
      g##m(r, by + 2 * k); \
      for (uint l = 0; l < 16; l++) v[l] += r[l]; \
    } \
    for (uint l = 0; l < 16; l++) r[l] = v[l]; \
    if (by > 2) g##m(r, 0); \
    for (uint l = 0; l < 16; l++) v[l] += r[l] + by; \
  }
SERIAL(1, 0)
SERIAL(2, 1)
SERIAL(3, 2)
SERIAL(4, 3)
kernel void expect(global uint *out, global const uint *in, uint n) {
  for (uint g = 0; g < n / 16; g++) {
    uint v[16], w[16];
    for (uint l = 0; l < 16; l++) v[l] = in[g * 16 + l];
    g2(v, 1);
    for (uint k = 0; k < 3; k++) {
      for (uint l = 0; l < 16; l++) w[l] = v[l];
      g4(w, k);
      for (uint l = 0; l < 16; l++) v[l] ^= w[l];
    }
    for (uint l = 0; l < 16; l++) w[l] = v[l];
    g1(w, 4);
    for (uint l = 0; l < 16; l++) out[g * 16 + l] = w[l] + v[l];
  }
}
