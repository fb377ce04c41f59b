//! test = "run"
//! global = [256]
//! local = [64]
// Atomic operations without a result, which the host combines in a table: by some work-items, in
// loops with different numbers of iterations, on few addresses and on one for each work-item.
kernel void test(global uint *out, global const uint *in, uint n) {
  local uint sums[64];
  uint i = get_global_id(0), l = get_local_id(0), v = in[i];
  sums[l] = v;
  barrier(CLK_LOCAL_MEM_FENCE);
  v ^= sums[(l + 1) % 64];
  out[i] = v;
  for (uint k = 0; k < v % 37; k++) {
    if ((v >> (k & 15)) & 1) atomic_add(&out[2 * n + (v + k * k) % n], v + k);
    else atomic_sub(&out[2 * n + k % 5], k);
  }
  if (v & 2) atomic_inc(&out[3 * n]);
  else if (v & 8) atomic_dec(&out[3 * n + l]);
}
kernel void expect(global uint *out, global const uint *in, uint n) {
  for (uint i = 0; i < n; i++) {
    uint l = i % 64, v = in[i] ^ in[i - l + (l + 1) % 64];
    out[i] = v;
    for (uint k = 0; k < v % 37; k++) {
      if ((v >> (k & 15)) & 1) out[2 * n + (v + k * k) % n] += v + k;
      else out[2 * n + k % 5] -= k;
    }
    if (v & 2) out[3 * n]++;
    else if (v & 8) out[3 * n + l]--;
  }
}
