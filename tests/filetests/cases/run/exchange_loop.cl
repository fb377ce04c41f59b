//! test = "run"
//! global = [96]
//! local = [24]
// Loops that repeat an exchange until it succeeds: a product in global memory, and the largest
// value in local memory. Few addresses, so that lanes compete.
kernel void test(global uint *out, global const uint *in, uint n) {
  local uint most[4];
  uint g = get_global_id(0), l = get_local_id(0);
  if (l < 4) most[l] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  volatile global uint *p = &out[2 * n + in[g] % 7];
  uint old, expected;
  do {
    expected = *p;
    old = atomic_cmpxchg(p, expected, expected * 3);
  } while (old != expected);
  if (in[g] % 3) {
    volatile local uint *q = &most[in[g] % 4];
    old = *q;
    while (old < in[g] % 1000) {
      expected = old;
      old = atomic_cmpxchg(q, expected, in[g] % 1000);
      if (old == expected) break;
    }
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  out[g] = most[l % 4];
  out[n + g] = atomic_cmpxchg(&out[3 * n + g % 48], g % 48, 5);
}
kernel void expect(global uint *out, global const uint *in, uint n) {
  for (uint g = 0; g < n; g++) {
    out[2 * n + in[g] % 7] *= 3;
    uint most = 0;
    for (uint k = g / 24 * 24; k < g / 24 * 24 + 24; k++)
      if (in[k] % 3 && in[k] % 4 == g % 24 % 4) most = max(most, in[k] % 1000);
    out[g] = most;
    out[n + g] = atomic_cmpxchg(&out[3 * n + g % 48], g % 48, 5);
  }
}
