//! test = "run"
//! global = [20, 3]
//! local = [8, 2]
// Work-group functions, with partial groups.
kernel void test(global uint *out, global const uint *in, uint n) {
  uint i = get_global_linear_id();
  uint v = in[i] & 1023;
  uint s = work_group_reduce_add(v), m = work_group_reduce_max(v),
       e = work_group_scan_exclusive_add(v);
  uint b = work_group_broadcast(v, 1, 0), any = work_group_any(v > 1000),
       all = work_group_all(v > 10);
  out[i] = s; out[n + i] = m * 1024 + e; out[2 * n + i] = b; out[3 * n + i] = any * 2 + all;
}
kernel void expect(global uint *out, global const uint *in, uint n) {
  for (uint gy = 0; gy < 2; gy++)
    for (uint gx = 0; gx < 3; gx++) {
      uint w = gx == 2 ? 4 : 8, h = gy == 1 ? 1 : 2, s = 0, m = 0, any = 0, all = 1, b = 0;
      for (uint y = 0; y < h; y++)
        for (uint x = 0; x < w; x++) {
          uint i = (gy * 2 + y) * 20 + gx * 8 + x, v = in[i] & 1023;
          out[n + i] = s;
          s += v; m = max(m, v); any |= v > 1000; all &= v > 10;
          if (x == 1 && y == 0) b = v;
        }
      for (uint y = 0; y < h; y++)
        for (uint x = 0; x < w; x++) {
          uint i = (gy * 2 + y) * 20 + gx * 8 + x;
          out[i] = s; out[n + i] += m * 1024; out[2 * n + i] = b; out[3 * n + i] = any * 2 + all;
        }
    }
}
