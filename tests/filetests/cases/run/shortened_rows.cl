//! test = "run"
//! global = [12, 10]
//! local = [6, 5]
//! local_bytes = 240
// Only work-items below a bound in both dimensions do something between the barriers.
kernel void test(global uint *out, global const uint *in, uint n, local uint *t) {
  uint x = get_local_id(0), y = get_local_id(1), at = y * 6 + x;
  uint group = get_group_id(1) * 2 + get_group_id(0), seed = in[group];
  t[at] = seed + at;
  t[at + 30] = 1;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint s = 0; s < 4; ++s) {
    if (x < s && y < (seed & 3)) t[at] += t[29 - at] * 5;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (x == 0 && y == 0) t[30] += t[s] + s;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (x < y) t[at + 30] += t[30] & s;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (at == 0) t[59] ^= t[30];
    barrier(CLK_LOCAL_MEM_FENCE);
    if (y == 4 && x < 2) t[31 + x] += t[59];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  out[get_global_id(1) * 12 + get_global_id(0)] = t[at] ^ t[at + 30];
}
kernel void expect(global uint *out, global const uint *in, uint n) {
  for (uint group = 0; group < 4; ++group) {
    uint t[60], seed = in[group];
    for (uint at = 0; at < 30; ++at) {
      t[at] = seed + at;
      t[at + 30] = 1;
    }
    for (uint s = 0; s < 4; ++s) {
      for (uint y = 0; y < (seed & 3); ++y)
        for (uint x = 0; x < s; ++x) t[y * 6 + x] += t[29 - y * 6 - x] * 5;
      t[30] += t[s] + s;
      for (uint y = 0; y < 5; ++y)
        for (uint x = 0; x < y; ++x) t[y * 6 + x + 30] += t[30] & s;
      t[59] ^= t[30];
      for (uint x = 0; x < 2; ++x) t[31 + x] += t[59];
    }
    for (uint y = 0; y < 5; ++y)
      for (uint x = 0; x < 6; ++x)
        out[(group / 2 * 5 + y) * 12 + group % 2 * 6 + x] = t[y * 6 + x] ^ t[y * 6 + x + 30];
  }
}
