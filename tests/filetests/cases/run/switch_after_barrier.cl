//! test = "run"
//! global = [64]
//! local = [16]
// Two cases of a switch lead to the same block with a value from before the barrier.
kernel void test(global uint *out, global const uint *in, uint n) {
  local uint t[2][16];
  uint g = get_global_id(0), l = get_local_id(0);
  for (uint k = 0; k < n % 5u; k++) {
    uint v = in[g + k], x = v;
    t[k & 1][l] = v;
    barrier(CLK_LOCAL_MEM_FENCE);
    switch (in[g] % 8u) {
    case 1:
    case 5: break;
    case 2: x = v * 5u; break;
    default: x = v * 3u;
    }
    out[g] += x + t[k & 1][(l + k) % 16u];
  }
}
kernel void expect(global uint *out, global const uint *in, uint n) {
  for (uint g = 0; g < n; g++) {
    for (uint k = 0; k < n % 5u; k++) {
      uint v = in[g + k], x = v, from = g / 16u * 16u + (g + k) % 16u;
      uint how = in[g] % 8u;
      x = how == 1 || how == 5 ? v : how == 2 ? v * 5u : v * 3u;
      out[g] += x + in[from + k];
    }
  }
}
