// Without a default queue get_default_queue() is no valid queue.
// needs: __opencl_c_device_enqueue
// build: -cl-std=CL3.0 -g
// queue: none

kernel void none(global int *out, queue_t q) {
  out[0] = enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_WAIT_KERNEL, ndrange_1D(1),
                          ^{ out[1] = 1; });
  out[2] = enqueue_kernel(q, CLK_ENQUEUE_FLAGS_WAIT_KERNEL, ndrange_1D(1), ^{ out[3] = 1; });
}
// run: none global=1
//   buf i32 4 = 0 => [-102, 0, 0, 1][i]
//   queue 4096
