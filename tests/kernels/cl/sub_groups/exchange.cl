// Shuffles, rotations, clusters and ballots.
// needs: __opencl_c_subgroups cl_khr_subgroup_shuffle cl_khr_subgroup_shuffle_relative cl_khr_subgroup_rotate cl_khr_subgroup_clustered_reduce cl_khr_subgroup_ballot cl_khr_subgroup_extended_types
// build: -cl-std=CL3.0
// run: shuffled global=128 local=128|64|32
//   buf i32 128 = 0 => 1
// run: vectors global=128 local=128|64|32
//   buf i32 128 = 0 => 1
// run: ballots global=120 local=120|40
//   buf i32 120 = 0 => 1
kernel void shuffled(global int *out) {
  uint me = get_global_id(0), l = get_sub_group_local_id(), first = me - l;
  int ok = sub_group_shuffle(me, (l * 5 + 3) % 16) == first + (l * 5 + 3) % 16;
  ok &= sub_group_shuffle_xor((ulong)me << 40, 5) == (ulong)(first + (l ^ 5)) << 40;
  uint up = sub_group_shuffle_up(me, 3), down = sub_group_shuffle_down(me, 3);
  ok &= l < 3 || up == me - 3;
  ok &= l >= 13 || down == me + 3;
  ok &= sub_group_rotate((short)me, 5) == (short)(first + (l + 5) % 16);
  ok &= sub_group_rotate(me, -1) == first + (l + 15) % 16;
  ok &= sub_group_clustered_rotate(me, 1, 4) == first + (l & ~3u) + ((l + 1) & 3);
  uint sum = 0;
  for (uint i = 0; i < 4; i++) sum += first + (l & ~3u) + i;
  ok &= sub_group_clustered_reduce_add(me, 4) == sum;
  ok &= sub_group_clustered_reduce_max(me, 1) == me;
  out[me] = ok;
}
kernel void vectors(global int *out) {
  uint me = get_global_id(0), l = get_sub_group_local_id(), from = me - l + 7;
  int ok = all(sub_group_broadcast((long16)(me), 7) == (long16)(from));
  ok &= all(sub_group_broadcast((uchar3)(me, 1, 2), 7) == (uchar3)(from, 1, 2));
  ok &= all(sub_group_non_uniform_broadcast((float4)(me, me + 1, 0, 0), 7) ==
            (float4)(from, from + 1, 0, 0));
  out[me] = ok;
}
kernel void ballots(global int *out) {
  uint me = get_global_id(0), l = get_sub_group_local_id(), n = get_sub_group_size(),
       first = me - l;
  uint4 odd = sub_group_ballot(me & 1);
  uint mask = 0;
  for (uint i = 0; i < n; i++) mask |= ((first + i) & 1) << i;
  int ok = odd.x == mask && odd.y == 0 && odd.z == 0 && odd.w == 0;
  ok &= sub_group_inverse_ballot(odd) == (me & 1) &&
        sub_group_ballot_bit_extract(odd, 1) == ((first + 1) & 1);
  ok &= sub_group_ballot_bit_count(odd) == popcount(mask);
  ok &= sub_group_ballot_inclusive_scan(odd) == popcount(mask & ((2u << l) - 1));
  ok &= sub_group_ballot_exclusive_scan(odd) == popcount(mask & ((1u << l) - 1));
  ok &= sub_group_ballot_find_lsb(odd) == ctz(mask) &&
        sub_group_ballot_find_msb(odd) == 31 - clz(mask);
  ok &= get_sub_group_eq_mask().x == 1u << l && get_sub_group_lt_mask().x == (1u << l) - 1;
  ok &= get_sub_group_le_mask().x == (2u << l) - 1 && (get_sub_group_ge_mask().x & 1u << l) != 0;
  ok &= (get_sub_group_gt_mask().x & get_sub_group_le_mask().x) == 0;
  out[me] = ok;
}
