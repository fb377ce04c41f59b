// With -cl-uniform-work-group-size an NDRange with partial groups is an error.
// needs: __opencl_c_device_enqueue
// build: -cl-std=CL3.0 -g -cl-uniform-work-group-size

kernel void uniform_groups(global int *out) {
  queue_t q = get_default_queue();
  out[0] = enqueue_kernel(q, CLK_ENQUEUE_FLAGS_WAIT_KERNEL, ndrange_1D(10, 4), ^{ out[2] = 1; });
  out[1] = enqueue_kernel(q, CLK_ENQUEUE_FLAGS_WAIT_KERNEL, ndrange_1D(10, 5),
                          ^{ out[3 + get_group_id(0)] = 1; });
  enqueue_kernel(q, CLK_ENQUEUE_FLAGS_WAIT_KERNEL, ndrange_1D(10),
                 ^{ out[5 + get_global_id(0)] = (int)(10 % get_local_size(0)); });
}
// run: uniform_groups global=1
//   buf i32 15 = 9 => i < 5 ? [-160, 0, 9, 1, 1][i] : 0
