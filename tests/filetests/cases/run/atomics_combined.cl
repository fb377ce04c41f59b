//! test = "run"
//! global = [256]
//! local = [64]
// Atomic operations of a work-group on one address, in local and global memory, by all work-items
// and by some. The sums before each work-item make slots, so each slot is written once. The order
// does not matter.
kernel void test(global uint *out, global const uint *in, uint n) {
  local uint all[8], slots[64];
  local int least, most;
  local ulong wide;
  uint i = get_global_id(0), l = get_local_id(0), g = get_group_id(0) * 64;
  if (l == 0) {
    for (int k = 0; k < 8; k++) all[k] = k == 3 ? ~0u : 0;
    least = INT_MAX, most = INT_MIN, wide = 0;
  }
  slots[l] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  uint v = in[i] * 2654435761u;
  atomic_add(&all[0], v);
  atomic_sub(&all[1], v);
  atomic_xor(&all[2], v);
  atomic_and(&all[3], v | 0xffff0f0fu);
  atomic_or(&all[4], v & 0x00f0f000u);
  atomic_max(&all[5], v);
  if (v & 4) {
    atomic_min(&least, (int)v);
    atomic_max(&most, (int)v);
    slots[atomic_inc(&all[6])] += 1;
  } else {
    slots[63 - (atomic_sub(&all[7], 1u) * -1u)] += 2;
  }
  for (uint k = 0; k < (v >> 28); k++) atomic_add(&all[0], k);
  atomic_add((volatile local uint *)&wide, v & 3);
  atomic_inc(&slots[v & 63]);
  atomic_dec(&slots[v & 63]);
  barrier(CLK_LOCAL_MEM_FENCE);
  uint sum = slots[l] * 31 + (uint)least + 7u * (uint)most + 3u * (uint)wide;
  for (int k = 0; k < 8; k++) sum = sum * 31 + all[k];
  out[i] = sum;
  atomic_add(out + n, v & 15);
  atomic_max(out + n + 1, v);
}
kernel void expect(global uint *out, global const uint *in, uint n) {
  for (uint g = 0; g < n; g += 64) {
    uint all[8], slots[64];
    int least = INT_MAX, most = INT_MIN;
    ulong wide = 0;
    for (int k = 0; k < 8; k++) all[k] = k == 3 ? ~0u : 0;
    for (uint l = 0; l < 64; l++) slots[l] = 0;
    for (uint l = 0; l < 64; l++) {
      uint v = in[g + l] * 2654435761u;
      all[0] += v, all[1] -= v, all[2] ^= v, all[3] &= v | 0xffff0f0fu, all[4] |= v & 0x00f0f000u;
      all[5] = max(all[5], v);
      if (v & 4) {
        least = min(least, (int)v), most = max(most, (int)v);
        slots[all[6]++] += 1;
      } else {
        slots[63 + all[7]--] += 2;
      }
      for (uint k = 0; k < (v >> 28); k++) all[0] += k;
      wide += v & 3;
      out[n] += v & 15, out[n + 1] = max(out[n + 1], v);
    }
    for (uint l = 0; l < 64; l++) {
      uint sum = slots[l] * 31 + (uint)least + 7u * (uint)most + 3u * (uint)wide;
      for (int k = 0; k < 8; k++) sum = sum * 31 + all[k];
      out[g + l] = sum;
    }
  }
}
