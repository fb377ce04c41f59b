// Sub-groups in groups whose sub-groups wait for each other: values and arrays live across both
// kinds of barriers.
// needs: __opencl_c_subgroups
// build: -cl-std=CL3.0
// run: rounds global=192 local=64|96|48
//   buf i32 192 = 0 => 1
// run: arrays global=192 local=64|96|48
//   buf i32 192 = 0 => 1
// run: one_sub_group_only global=192 local=64|96|48
//   buf i32 192 = 0 => 1
kernel void rounds(global int *out) {
  local uint sums[24];
  uint me = get_local_id(0), items = get_local_size(0), mine = me, expected = me;
  int ok = 1;
  for (uint k = 0; k < 4; k++) {
    uint sum = sub_group_reduce_add(mine);
    if (get_sub_group_local_id() == 0) sums[get_sub_group_id()] = sum;
    barrier(CLK_LOCAL_MEM_FENCE);
    uint all = 0;
    for (uint i = 0; i < get_num_sub_groups(); i++) all += sums[i];
    barrier(CLK_LOCAL_MEM_FENCE);
    // All started with their ids and added the same value.
    uint base = expected - me;
    ok &= all == items * base + items * (items - 1) / 2;
    mine += all % 100;
    expected += all % 100;
    ok &= work_group_reduce_add(mine) == items * (expected - me) + items * (items - 1) / 2;
  }
  out[get_global_id(0)] = ok;
}
kernel void arrays(global int *out) {
  uint me = get_local_id(0), kept[8];
  for (uint k = 0; k < 8; k++) {
    kept[k] = sub_group_scan_inclusive_add(me + k);
    if (k % 3 == 2) barrier(CLK_LOCAL_MEM_FENCE);
  }
  int ok = 1;
  for (uint k = 0; k < 8; k++) {
    uint sum = 0;
    for (uint i = me - get_sub_group_local_id(); i <= me; i++) sum += i + k;
    ok &= kept[k] == sum;
  }
  out[get_global_id(0)] = ok;
}
// Control flow that is uniform in a sub-group, but not in the group.
kernel void one_sub_group_only(global int *out) {
  uint me = get_local_id(0), id = get_sub_group_id(), sum = 0;
  int ok = 1;
  if (id == 1) {
    sum = sub_group_reduce_add(1);
    ok = sum == get_sub_group_size();
  }
  for (uint k = 0; k <= id; k++) ok &= sub_group_broadcast(me, 0) == me - get_sub_group_local_id();
  barrier(CLK_LOCAL_MEM_FENCE);
  out[get_global_id(0)] =
      ok && sub_group_reduce_max(me) == me - get_sub_group_local_id() + get_sub_group_size() - 1;
}
