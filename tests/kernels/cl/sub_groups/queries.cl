// Sub-groups are consecutive work-items of a group, 16 at a time; the last one of a group may be
// smaller.
// needs: __opencl_c_subgroups
// build: -cl-std=CL3.0
// run: asked global=100 local=40|7|100
//   buf i32 100 = 0 => 1
// run: asked_in_2d global=24x5 local=8x5|24x1|3x2
//   buf i32 120 = 0 => 1
// run: asked_where_they_wait global=100 local=40|7|100
//   buf i32 100 = 0 => 1
int right(uint width) {
  uint l = get_local_linear_id(), items = get_local_size(0) * get_local_size(1) * get_local_size(2);
  uint full = get_enqueued_local_size(0) * get_enqueued_local_size(1) * get_enqueued_local_size(2);
  return get_sub_group_id() == l / width && get_sub_group_local_id() == l % width &&
         get_sub_group_size() == min(items - l / width * width, width) &&
         get_max_sub_group_size() == min(full, width) &&
         get_num_sub_groups() == (items + width - 1) / width &&
         get_enqueued_num_sub_groups() == (full + width - 1) / width;
}
kernel void asked(global int *out) { out[get_global_id(0)] = right(16); }
kernel void asked_in_2d(global int *out) { out[get_global_linear_id()] = right(16); }
kernel void asked_where_they_wait(global int *out) {
  int before = right(16);
  sub_group_barrier(CLK_GLOBAL_MEM_FENCE);
  int between = right(16);
  barrier(CLK_GLOBAL_MEM_FENCE);
  out[get_global_id(0)] = before && between && right(16);
}
