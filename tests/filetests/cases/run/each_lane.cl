//! test = "run"
//! global = [256]
//! local = [64]
// Atomic operations on elements at varying indices, in all lanes and under masks. Their addresses
// are computed for each lane: extended indices of several types, in this block and in earlier
// ones, negative ones too, and bases that are offsets of variables.
kernel void test(global uint *out, global const uint *in, uint n) {
  local uint count[256], flags[64];
  local int least[64];
  uint i = get_global_id(0), l = get_local_id(0);
  for (int k = l; k < 256; k += 64) count[k] = 0;
  flags[l] = 0, least[l] = INT_MAX;
  barrier(CLK_LOCAL_MEM_FENCE);
  uint v = in[i] * 2654435761u;
  atomic_inc(&count[(uchar)(v >> 24)]);
  char near = (char)(v >> 8) >> 2;
  uint early = v & 15;
  if (v & 2) {
    atomic_add(&count[128 + near], v);
    atomic_xor(flags + 32 + near, v | 1);
  }
  for (uint k = 0; k < (v >> 29); k++) {
    atomic_min(&least[early * 4 + (k & 3)], (int)v);
    if (k & early) atomic_sub(&count[early], k);
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  if (i < n) atomic_or(&flags[(v >> 3) & 63], v & 0xf0);
  if (v & 1) atomic_dec(&count[(ushort)v & 31]);
  barrier(CLK_LOCAL_MEM_FENCE);
  uint all = 0;
  for (int k = l; k < 256; k += 64) all = all * 31 + count[k];
  out[i] = all * 7 + flags[l] * 3 + least[l];
}
kernel void expect(global uint *out, global const uint *in, uint n) {
  for (uint g = 0; g < n; g += 64) {
    uint count[256], flags[64];
    int least[64];
    for (int k = 0; k < 256; k++) count[k] = 0;
    for (int k = 0; k < 64; k++) flags[k] = 0, least[k] = INT_MAX;
    for (uint l = 0; l < 64; l++) {
      uint v = in[g + l] * 2654435761u;
      count[v >> 24]++;
      int near = (char)(v >> 8) >> 2;
      if (v & 2) count[128 + near] += v;
      for (uint k = 0; k < (v >> 29); k++) {
        uint at = (v & 15) * 4 + (k & 3);
        least[at] = min(least[at], (int)v);
        if (k & v & 15) count[v & 15] -= k;
      }
      if (v & 1) count[v & 31]--;
    }
    for (uint l = 0; l < 64; l++) {
      uint v = in[g + l] * 2654435761u;
      int near = (char)(v >> 8) >> 2;
      if (v & 2) flags[32 + near] ^= v | 1;
    }
    for (uint l = 0; l < 64; l++) {
      uint v = in[g + l] * 2654435761u;
      flags[(v >> 3) & 63] |= v & 0xf0;
    }
    for (uint l = 0; l < 64; l++) {
      uint all = 0;
      for (int k = l; k < 256; k += 64) all = all * 31 + count[k];
      out[g + l] = all * 7 + flags[l] * 3 + least[l];
    }
  }
}
