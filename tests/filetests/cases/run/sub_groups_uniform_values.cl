//! test = "run"
//! options = "-cl-std=CL3.0"
//! global = [24]
//! local = [12]
// `m` has the same value in all work-items and lives across barriers. Normally the last iteration
// of a loop over work-items stores such a value for all. Here the last four lanes of the sub-group
// have no work-item, so the value of `m` must not come from them.
kernel void test(global uint *out, global const uint *in, uint n) {
  local uint t[12];
  uint g = get_global_id(0), l = get_local_id(0), m = n % 7u, a = in[g] & 255, b = l;
  for (uint k1 = 0; k1 < b % 3u; k1++)
    a += sub_group_non_uniform_reduce_add(in[(g + k1) % n] & 255);
  t[l] = g;
  barrier(CLK_LOCAL_MEM_FENCE);
  b ^= t[(l + 7u) % 12u];
  barrier(CLK_LOCAL_MEM_FENCE);
  out[g] = a + b * 3 + m * 13;
}
kernel void expect(global uint *out, global const uint *in, uint n) {
  for (uint g = 0; g < 24; g++) {
    uint first = g / 12 * 12, l = g - first, sum = in[g] & 255;
    for (uint k = 0; k < l % 3; k++)
      for (uint i = 0; i < 12; i++)
        if (k < i % 3) sum += in[(first + i + k) % n] & 255;
    out[g] = sum + (l ^ (first + (l + 7) % 12)) * 3 + n % 7 * 13;
  }
}
