//! test = "run"
//! global = [256]
//! local = [64]
// Loops whose iterations load from addresses that are far apart: the index steps up and down by the
// local size, which may be unknown, or by a multiple of an argument. The compiler prefetches these
// loads.
kernel void test(global uint *out, global const uint *in, uint n) {
  local uint count[64], flags[64];
  size_t g = get_global_size(0);
  uint l = get_local_id(0);
  count[l] = 0, flags[l] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int i = l; i < (int)n; i += get_local_size(0)) {
    atomic_add(&count[in[i] & 63], i);
    atomic_inc(&count[(in[i] >> 6) & 63]);
  }
  for (int i = (int)n - 1 - (int)l; i >= 0; i -= get_local_size(0)) {
    if (in[i] & 1) atomic_sub(&count[in[i] & 63], 3 * i);
    atomic_xor(&flags[in[i] >> 3 & 63], i);
  }
  for (size_t j = 0; j < g / 64; j++) {
    atomic_add(&count[in[j * (n / 4) + l] & 63], j);
    atomic_xor(&flags[in[j * 1024 % n + l] & 63], l);
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  out[get_global_id(0)] = count[l] * 3 + flags[l];
}
kernel void expect(global uint *out, global const uint *in, uint n) {
  for (uint g = 0; g < n; g += 64) {
    uint count[64], flags[64];
    for (int k = 0; k < 64; k++) count[k] = 0, flags[k] = 0;
    for (uint i = 0; i < n; i++) {
      count[in[i] & 63] += i;
      count[(in[i] >> 6) & 63]++;
      if (in[i] & 1) count[in[i] & 63] -= 3 * i;
      flags[(in[i] >> 3) & 63] ^= i;
    }
    for (uint j = 0; j < n / 64; j++)
      for (uint l = 0; l < 64; l++) {
        count[in[j * (n / 4) + l] & 63] += j;
        flags[in[j * 1024 % n + l] & 63] ^= l;
      }
    for (int k = 0; k < 64; k++) out[g + k] = count[k] * 3 + flags[k];
  }
}
