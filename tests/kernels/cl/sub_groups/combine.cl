// Reductions, scans and broadcasts of whole sub-groups, for every supported size.
// needs: __opencl_c_subgroups cl_intel_required_subgroup_size
// build: -cl-std=CL3.0
// run: of_16 global=100 local=100|64|7
//   buf i32 100 = 0 => 1
// run: of_4 global=100 local=100|64|7
//   buf i32 100 = 0 => 1
// run: of_8 global=100 local=100|64|7
//   buf i32 100 = 0 => 1
// run: of_32 global=100 local=100|64|7
//   buf i32 100 = 0 => 1
// run: of_64 global=100 local=100|64|7
//   buf i32 100 = 0 => 1
// run: in_2d global=10x12 local=10x4|5x6|2x12
//   buf i32 120 = 0 => 1
uint value(uint i) { return i * 2654435761u >> 20; }
#define CHECK \
  uint me = get_global_linear_id(), first = me - get_sub_group_local_id(), \
       n = get_sub_group_size(); \
  uint sum = 0, top = 0, before = 0, least = ~0u; \
  for (uint i = 0; i < n; i++) { \
    if (first + i == me) before = sum; \
    sum += value(first + i); \
    if (first + i <= me) top = max(top, value(first + i)); \
    least = min(least, value(first + i)); \
  } \
  int ok = sub_group_reduce_add(value(me)) == sum; \
  ok &= sub_group_scan_exclusive_add(value(me)) == before; \
  ok &= sub_group_scan_inclusive_max(value(me)) == top; \
  ok &= sub_group_reduce_min((int)value(me)) == (int)least; \
  ok &= sub_group_broadcast((float)value(me), n - 1) == (float)value(first + n - 1); \
  ok &= sub_group_any(me == first + 1) == (n > 1) && sub_group_all(me < first + n) && \
        (n == 1 || !sub_group_all(me == first)); \
  out[me] = ok;
kernel void of_16(global int *out) { CHECK }
__attribute__((intel_reqd_sub_group_size(4))) kernel void of_4(global int *out) { CHECK }
__attribute__((intel_reqd_sub_group_size(8))) kernel void of_8(global int *out) { CHECK }
__attribute__((intel_reqd_sub_group_size(32))) kernel void of_32(global int *out) { CHECK }
__attribute__((intel_reqd_sub_group_size(64))) kernel void of_64(global int *out) { CHECK }
// The group is not a row of the NDRange here, so each work-item stores its own values.
kernel void in_2d(global int *out) {
  uint l = get_local_linear_id(), first = l - get_sub_group_local_id(), n = get_sub_group_size(),
       sum = 0;
  for (uint i = 0; i < n; i++) sum += value(first + i);
  out[get_global_linear_id()] =
      sub_group_reduce_add(value(l)) == sum && sub_group_shuffle(l, n - 1) == first + n - 1;
}
