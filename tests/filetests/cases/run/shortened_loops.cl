//! test = "run"
//! global = [320]
//! local = [80]
//! local_bytes = 640
// Between the barriers, only work-items below a bound do something: a bound that changes from
// barrier to barrier, may be 0 or negative, exceed the group, or depend on a branch.
kernel void test(global uint *out, global const uint *in, uint n, local uint *t) {
  uint l = get_local_id(0), i = get_global_id(0), g = get_group_id(0), size = get_local_size(0);
  t[l] = in[i];
  t[l + 80] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint s = size / 2; s > 0; s >>= 1) {
    if (l < s) t[l] += t[l + s];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  // Negative bounds, and bounds above the size of the group.
  for (int s = -20; s < 120; s += 35) {
    if ((int)l < s) t[l] = t[l] * 3 + s;
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  // A branch that all work-items take in the same way selects between bounds.
  for (uint s = 0; s < 6; ++s) {
    if (in[g] >> s & 1) {
      if (l < 7 * s) t[l + 80] += in[s];
    } else if (l == 0) {
      t[80] ^= s;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  // A condition inside another one; effects in front of a condition; a lower bound.
  for (uint s = 1; s < 5; ++s) {
    if (l < 20 * s && (t[l + 80] & 1)) {
      if (l < 30) t[l] += s;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (s & 1) t[l] ^= s;
    if (l < 3 * s) t[l] += 5;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l >= 77 - s) t[l] += l;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (!(l >= 2 * s)) t[l] += 9;
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  // All work-items read what one has stored.
  if (l == 0) t[159] = t[1] + t[81];
  barrier(CLK_LOCAL_MEM_FENCE);
  uint all = t[159];
  barrier(CLK_LOCAL_MEM_FENCE);
  if (l == 0) t[159] = all * 2;
  barrier(CLK_LOCAL_MEM_FENCE);
  if ((l | g) == 0) t[0] += 11;
  barrier(CLK_LOCAL_MEM_FENCE);
  out[i] = t[l] + t[l + 80 - (l == 79)] + all + t[159];
}
kernel void expect(global uint *out, global const uint *in, uint n) {
  for (uint g = 0; g < n / 80; g++) {
    uint t[160];
    for (uint l = 0; l < 80; ++l) {
      t[l] = in[g * 80 + l];
      t[l + 80] = 0;
    }
    for (uint s = 40; s > 0; s >>= 1)
      for (uint l = 0; l < s; ++l) t[l] += t[l + s];
    for (int s = -20; s < 120; s += 35)
      for (int l = 0; l < s && l < 80; ++l) t[l] = t[l] * 3 + s;
    for (uint s = 0; s < 6; ++s) {
      if (in[g] >> s & 1) {
        for (uint l = 0; l < 7 * s; ++l) t[l + 80] += in[s];
      } else {
        t[80] ^= s;
      }
    }
    for (uint s = 1; s < 5; ++s) {
      for (uint l = 0; l < 30; ++l)
        if (l < 20 * s && (t[l + 80] & 1)) t[l] += s;
      for (uint l = 0; l < 80; ++l) {
        if (s & 1) t[l] ^= s;
        if (l < 3 * s) t[l] += 5;
        if (l >= 77 - s) t[l] += l;
        if (l < 2 * s) t[l] += 9;
      }
    }
    uint all = t[1] + t[81];
    t[159] = all * 2;
    if (g == 0) t[0] += 11;
    for (uint l = 0; l < 80; ++l) out[g * 80 + l] = t[l] + t[l + 80 - (l == 79)] + all + t[159];
  }
}
