//! test = "run"
//! options = "-cl-std=CL3.0"
//! global = [96]
//! local = [40]
// Sub-group functions in divergent branches and loops. A call combines the values of those
// work-items of the sub-group that execute it together.
kernel void test(global uint *out, global const uint *in, uint n) {
  uint i = get_global_id(0), v = in[i] & 255, r = 1;
  if (v & 1)
    r += sub_group_non_uniform_reduce_add(v);
  else if (v & 2)
    r += sub_group_non_uniform_scan_inclusive_max(v);
  else
    r += sub_group_broadcast_first(v) * 3;
  out[i] = r;
  uint s = 0;
  for (uint k = 0; k < (v & 7); ++k) {
    if (v & 8 && k == 2) continue;
    if (v & 16 && k == 3) break;
    s += sub_group_non_uniform_reduce_xor(v + k) + popcount(sub_group_ballot(1).x);
  }
  out[n + i] = s;
  uint t = 0, w = v;
  while (!sub_group_all(w == 0)) {
    t += sub_group_elect() ? w : 1;
    w >>= 1;
  }
  out[2 * n + i] = t;
  if (v > 200) return;
  out[3 * n + i] = sub_group_non_uniform_reduce_min(v);
}
kernel void expect(global uint *out, global const uint *in, uint n) {
  for (uint g = 0; g < 96; g += 40)
    for (uint at = g; at < min(g + 40, 96u); at += 16) {
      uint size = min(min(g + 40, 96u) - at, 16u);
      uint sum = 0, most = 0, first = 0, low = ~0u, v[16], s[16], w[16], t[16];
      bool found = false;
      for (uint l = 0; l < size; l++) {
        v[l] = in[at + l] & 255;
        if (v[l] & 1) sum += v[l];
        if (!(v[l] & 3) && !found) { first = v[l]; found = true; }
        if (v[l] <= 200) low = min(low, v[l]);
        s[l] = 0; w[l] = v[l]; t[l] = 0;
      }
      for (uint l = 0; l < size; l++) {
        if (v[l] & 1) out[at + l] = 1 + sum;
        else if (v[l] & 2) out[at + l] = 1 + (most = max(most, v[l]));
        else out[at + l] = 1 + first * 3;
      }
      for (uint k = 0; k < 7; k++) {
        uint all = 0, count = 0;
        for (uint l = 0; l < size; l++) {
          bool runs = k < (v[l] & 7) && !(v[l] & 8 && k == 2) && !(v[l] & 16 && k >= 3);
          if (runs) { all ^= v[l] + k; count++; }
        }
        for (uint l = 0; l < size; l++) {
          bool runs = k < (v[l] & 7) && !(v[l] & 8 && k == 2) && !(v[l] & 16 && k >= 3);
          if (runs) s[l] += all + count;
        }
      }
      for (;;) {
        bool zero = true;
        for (uint l = 0; l < size; l++) zero &= w[l] == 0;
        if (zero) break;
        for (uint l = 0; l < size; l++) { t[l] += l == 0 ? w[l] : 1; w[l] >>= 1; }
      }
      for (uint l = 0; l < size; l++) {
        out[n + at + l] = s[l];
        out[2 * n + at + l] = t[l];
        if (v[l] <= 200) out[3 * n + at + l] = low;
      }
    }
}
