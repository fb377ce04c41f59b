//! test = "run"
//! options = "-cl-std=CL3.0"
//! global = [100]
//! local = [40]
// Tests all kinds of sub-group functions, in full sub-groups and in partial ones (groups of 40 have
// sub-groups of 16, 16 and 8). Sums of floating-point numbers have a fixed order, so that the
// results of all variants are equal.
#pragma OPENCL FP_CONTRACT OFF
uint mixed(uint h, uint v) { return (h ^ v) * 0x9E3779B1u + (h >> 15); }
uint fold(uint4 v) { return mixed(mixed(mixed(v.x, v.y), v.z), v.w); }

kernel void test(global uint *out, global const uint *in, uint n) {
  uint i = get_global_id(0), me = get_sub_group_local_id();
  uint v = in[i] & 1023;
  int s = (int)v - 500;
  float f = v * 0.37f;
  ulong w = (ulong)v << 33 | in[i];
  uchar c = (uchar)in[i];
  uint h = sub_group_reduce_add(v);
  h = mixed(h, sub_group_reduce_min(s));
  h = mixed(h, sub_group_reduce_max(s));
  h = mixed(h, sub_group_reduce_min(v));
  h = mixed(h, as_uint(sub_group_reduce_add(f)));
  h = mixed(h, as_uint(sub_group_reduce_max(f)));
  h = mixed(h, (uint)(sub_group_reduce_add(w) >> 7));
  h = mixed(h, sub_group_non_uniform_reduce_mul((int)(v | 1)));
  h = mixed(h, sub_group_non_uniform_reduce_xor(c));
  out[i] = mixed(h, sub_group_non_uniform_reduce_logical_and((int)(v & 3)));
  h = sub_group_scan_inclusive_add(v);
  h = mixed(h, sub_group_scan_exclusive_add(s));
  h = mixed(h, as_uint(sub_group_scan_inclusive_add(f)));
  h = mixed(h, as_uint(sub_group_scan_exclusive_max(f)));
  h = mixed(h, (uint)(sub_group_scan_exclusive_min((long)w) >> 9));
  h = mixed(h, sub_group_non_uniform_scan_exclusive_logical_or((int)(v > 900)));
  h = mixed(h, sub_group_clustered_reduce_add(v, 4));
  out[n + i] = mixed(h, as_uint(sub_group_clustered_reduce_add(f, 8)));
  h = sub_group_broadcast(v, 2);
  h = mixed(h, sub_group_broadcast(c, in[0] & 3));
  h = mixed(h, fold(sub_group_broadcast((uint4)(v, s, i, 7), 1)));
  h = mixed(h, sub_group_broadcast_first(v));
  h = mixed(h, sub_group_shuffle_xor(v, 3));
  h = mixed(h, (uint)sub_group_shuffle_xor(w, 1));
  uint down = sub_group_shuffle_down(v, 2), up = sub_group_shuffle_up(v, 1);
  h = mixed(h, me + 2 < get_sub_group_size() ? down : me);
  h = mixed(h, me ? up : me);
  uint from = (in[i] >> 5) % get_sub_group_size();
  h = mixed(h, sub_group_shuffle(v, from));
  h = mixed(h, as_uint(sub_group_shuffle(f, from)));
  h = mixed(h, (uint)(sub_group_shuffle(w, from) >> 3));
  h = mixed(h, sub_group_shuffle(c, from));
  h = mixed(h, sub_group_clustered_rotate(v, 1, 4));
  out[2 * n + i] = mixed(h, sub_group_shuffle((ushort)v, from));
  uint4 b = sub_group_ballot(v & 1);
  h = mixed(b.x, sub_group_ballot_bit_count(b));
  h = mixed(h, sub_group_ballot_exclusive_scan(b));
  h = mixed(h, sub_group_any(v == 77) * 2 + sub_group_all(v > 3));
  h = mixed(h, sub_group_elect() * 2 + sub_group_non_uniform_all_equal(v >> 10));
  out[3 * n + i] = mixed(h, sub_group_non_uniform_all_equal(v));
}

kernel void expect(global uint *out, global const uint *in, uint n) {
  for (uint g = 0; g < 100; g += 40)
    for (uint at = g; at < min(g + 40, 100u); at += 16) {
      uint size = min(min(g + 40, 100u) - at, 16u), x = 0, votes = 0, any = 0, all = 1, equal = 1;
      uint sum = 0, low = ~0u, product = 1, same = 1, bytes = 0;
      int least = INT_MAX, most = INT_MIN;
      float chain[4] = {0, 0, 0, 0}, top = -INFINITY;
      ulong wide = 0;
      for (uint k = 0; k < size; k++) {
        uint v = in[at + k] & 1023;
        sum += v; low = min(low, v); product *= v | 1; bytes ^= in[at + k] & 255;
        least = min(least, (int)v - 500); most = max(most, (int)v - 500);
        chain[k & 3] += v * 0.37f; top = max(top, v * 0.37f);
        wide += (ulong)v << 33 | in[at + k];
        all &= (v & 3) != 0; votes |= (v & 1) << k; any |= v == 77; same &= v > 3;
        equal &= v == (in[at] & 1023);
      }
      uint scan = 0, crossed = 0;
      int before = 0;
      float sums = 0, tops = -INFINITY;
      long bottom = LONG_MAX;
      for (uint k = 0; k < size; k++) {
        uint i = at + k, v = in[i] & 1023;
        ulong w = (ulong)v << 33 | in[i];
        uint h = sum;
        h = mixed(h, least); h = mixed(h, most); h = mixed(h, low);
        h = mixed(h, as_uint((chain[0] + chain[1]) + (chain[2] + chain[3])));
        h = mixed(h, as_uint(top)); h = mixed(h, (uint)(wide >> 7)); h = mixed(h, product);
        h = mixed(h, bytes);
        out[i] = mixed(h, all);
        scan += v; sums += v * 0.37f;
        h = scan;
        h = mixed(h, before); h = mixed(h, as_uint(sums)); h = mixed(h, as_uint(tops));
        h = mixed(h, (uint)(bottom >> 9)); h = mixed(h, crossed);
        before += (int)v - 500; tops = max(tops, v * 0.37f); crossed |= v > 900;
        bottom = min(bottom, (long)w);
        uint four = 0;
        for (uint j = k & ~3u; j < (k & ~3u) + 4 && j < size; j++) four += in[at + j] & 1023;
        float eight = 0;
        for (uint j = k & ~7u; j < (k & ~7u) + 8 && j < size; j++)
          eight += (in[at + j] & 1023) * 0.37f;
        h = mixed(h, four);
        out[n + i] = mixed(h, as_uint(eight));
        h = in[at + 2] & 1023;
        h = mixed(h, in[at + (in[0] & 3)] & 255);
        uint v1 = in[at + 1] & 1023;
        h = mixed(h, fold((uint4)(v1, (int)v1 - 500, at + 1, 7)));
        h = mixed(h, in[at] & 1023);
        h = mixed(h, in[at + (k ^ 3)] & 1023);
        h = mixed(h, in[at + (k ^ 1)]);
        h = mixed(h, k + 2 < size ? in[i + 2] & 1023 : k);
        h = mixed(h, k ? in[i - 1] & 1023 : k);
        uint from = at + (in[i] >> 5) % size, u = in[from] & 1023;
        h = mixed(h, u); h = mixed(h, as_uint(u * 0.37f));
        h = mixed(h, (uint)(((ulong)u << 33 | in[from]) >> 3));
        h = mixed(h, in[from] & 255);
        h = mixed(h, in[at + ((k & ~3u) | ((k + 1) & 3))] & 1023);
        out[2 * n + i] = mixed(h, u);
        h = mixed(votes, popcount(votes));
        h = mixed(h, popcount(votes & ((1u << k) - 1)));
        h = mixed(h, any * 2 + same);
        h = mixed(h, (k == 0) * 2 + 1);
        out[3 * n + i] = mixed(h, equal);
      }
    }
}
