//! test = "run"
//! options = "-cl-std=CL3.0"
//! global = [30, 4]
//! local = [10, 4]
// Sub-group functions between work-group barriers, in a loop that ends after a barrier, with values
// and private arrays that live across barriers. The rows of a group have 10 work-items, so that
// sub-groups of 16 extend over several rows.
kernel void test(global uint *out, global const uint *in, uint n) {
  local uint sums[4], all[40];
  uint i = get_global_linear_id(), l = get_local_linear_id(), v = in[i] & 255, r = 0, own[4];
  for (uint k = 0; k < 4; k++) own[k] = v + k;
  for (uint round = 0; round < 3; ++round) {
    uint sum = sub_group_reduce_add(v + own[(v + round) & 3]);
    if (sub_group_elect()) sums[get_sub_group_id()] = sum;
    barrier(CLK_LOCAL_MEM_FENCE);
    uint total = 0;
    for (uint k = 0; k < get_num_sub_groups(); k++) total += sums[k];
    r += total ^ sub_group_scan_exclusive_add(v);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (total & 1) { r += 5; break; }
    v += round;
  }
  all[l] = r;
  sub_group_barrier(CLK_LOCAL_MEM_FENCE);
  uint base = l - get_sub_group_local_id();
  uint other = base + (get_sub_group_local_id() + 1) % get_sub_group_size();
  out[i] = all[other];
  out[n + i] = own[r & 3];
  out[2 * n + i] = other;
}
kernel void expect(global uint *out, global const uint *in, uint n) {
  for (uint g = 0; g < 3; g++) {
    uint v[40], own[40], r[40], at[40];
    for (uint l = 0; l < 40; l++) {
      at[l] = l / 10 * 30 + g * 10 + l % 10;
      v[l] = own[l] = in[at[l]] & 255;
      r[l] = 0;
    }
    for (uint round = 0; round < 3; ++round) {
      uint total = 0;
      for (uint l = 0; l < 40; l++) total += v[l] + own[l] + ((v[l] + round) & 3);
      // `total` is the sum of all sub-groups. The exclusive scan below restarts in each sub-group.
      uint before = 0;
      for (uint l = 0; l < 40; l++) {
        if (l % 16 == 0) before = 0;
        r[l] += total ^ before;
        before += v[l];
      }
      if (total & 1) { for (uint l = 0; l < 40; l++) r[l] += 5; break; }
      for (uint l = 0; l < 40; l++) v[l] += round;
    }
    for (uint l = 0; l < 40; l++) {
      uint base = l & ~15u, size = min(40 - base, 16u), other = base + (l - base + 1) % size;
      out[at[l]] = r[other];
      out[n + at[l]] = own[l] + (r[l] & 3);
      out[2 * n + at[l]] = other;
    }
  }
}
