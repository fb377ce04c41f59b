// Divergent work-items of a sub-group: a function sees the lanes that execute it together.
// needs: __opencl_c_subgroups cl_khr_subgroup_non_uniform_arithmetic cl_khr_subgroup_ballot
// build: -cl-std=CL3.0
// run: branches global=100 local=100|48|5
//   buf i32 100 = 0 => 1
// run: loops global=100 local=100|48|5
//   buf i32 100 = 0 => 1
// run: returns global=100 local=100|48|5
//   buf i32 100 = 0 => 1
// run: nested global=100 local=100|48|5
//   buf i32 100 = 0 => 1
// run: switches global=100 local=100|48|5
//   buf i32 100 = 0 => 1
// run: iterations global=100 local=100|48|5
//   buf i32 100 = 0 => 1
#define HERE \
  uint me = get_global_id(0), first = me - get_sub_group_local_id(), \
       end = first + get_sub_group_size(), sum = 0
kernel void branches(global int *out) {
  HERE;
  int ok;
  if (me % 3 == 0) {
    for (uint i = first; i < end; i++) sum += i % 3 == 0 ? i : 0;
    ok = sub_group_non_uniform_reduce_add(me) == sum;
  } else {
    for (uint i = first; i < end; i++) sum = i % 3 != 0 ? max(sum, i) : sum;
    ok = sub_group_non_uniform_reduce_max(me) == sum;
  }
  // The lanes have reconverged.
  out[me] = ok && sub_group_ballot_bit_count(sub_group_ballot(1)) == get_sub_group_size();
}
kernel void loops(global int *out) {
  HERE;
  int ok = 1;
  for (uint k = 0; k < me % 5; k++) {
    uint here = 0;
    for (uint i = first; i < end; i++) here += i % 5 > k;
    ok &= sub_group_non_uniform_reduce_add(1) == here;
  }
  out[me] = ok && sub_group_ballot_bit_count(sub_group_ballot(1)) == get_sub_group_size();
}
kernel void returns(global int *out) {
  HERE;
  out[me] = 1;
  if (me % 7 == 0) return;
  for (uint i = first; i < end; i++) sum += i % 7 != 0;
  out[me] = sub_group_non_uniform_reduce_add(1) == sum;
}
kernel void nested(global int *out) {
  HERE;
  int ok = 1;
  for (uint k = 0; k < 3; k++) {
    if ((me + k) % 2 == 0) {
      uint even = 0, both = 0;
      for (uint i = first; i < end; i++) even += (i + k) % 2 == 0;
      ok &= sub_group_non_uniform_reduce_add(1) == even;
      if (me % 3 == 0) {
        for (uint i = first; i < end; i++) both += (i + k) % 2 == 0 && i % 3 == 0;
        ok &= sub_group_non_uniform_reduce_add(1) == both;
        if (k == 1) continue;
      }
      ok &= sub_group_non_uniform_scan_inclusive_add(1) <= even;
    }
    ok &= sub_group_non_uniform_all(1);
  }
  out[me] = ok;
}
// A lane that skips a call in one iteration does not pair with the next iteration's call.
kernel void iterations(global int *out) {
  HERE;
  int ok = 1;
  for (uint k = 0; k < 4; k++) {
    if ((me + k) % 3 == 0) continue;
    uint here = 0, all = 0;
    for (uint i = first; i < end; i++) here += (i + k) % 3 != 0 ? k + 1 : 0;
    ok &= sub_group_non_uniform_reduce_add(k + 1) == here;
    if ((me + k) % 4 == 0)
      for (uint j = 0; j < me % 3; j++) {
        all = 0;
        for (uint i = first; i < end; i++) all += (i + k) % 3 != 0 && (i + k) % 4 == 0 && i % 3 > j;
        ok &= sub_group_non_uniform_reduce_add(1) == all;
      }
  }
  out[me] = ok;
}
kernel void switches(global int *out) {
  HERE;
  int ok = 0;
  uint same = 0, lowest = ~0u;
  for (uint i = first; i < end; i++)
    if (i % 4 == me % 4) {
      same++;
      lowest = min(lowest, i);
    }
  switch (me % 4) {
  case 0: ok = sub_group_non_uniform_reduce_add(1) == same; break;
  case 1: ok = sub_group_broadcast_first(me) == lowest; // falls through
  case 2: ok = me % 4 == 1 ? ok : sub_group_elect() <= 1; break;
  default: ok = sub_group_elect() == (me == lowest);
  }
  out[me] = ok;
}
