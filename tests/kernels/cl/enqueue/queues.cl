// Queues as arguments and captures.
// needs: __opencl_c_device_enqueue
// build: -cl-std=CL3.0

kernel void passed(global int *out, queue_t a, queue_t b) {
  size_t i = get_global_id(0);
  enqueue_kernel(a, CLK_ENQUEUE_FLAGS_WAIT_KERNEL, ndrange_1D(1), ^{
    out[i] += 1;
    enqueue_kernel(b, CLK_ENQUEUE_FLAGS_WAIT_KERNEL, ndrange_1D(1), ^{ out[i] += 2; });
  });
  if (i == 0)
    out[32] = enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_WAIT_KERNEL, ndrange_1D(1),
                             ^{ out[33] = 7; });
}
// run: passed global=32 local=8|null
//   buf i32 34 = 0 => i < 32 ? 3 : i == 32 ? 0 : 7
//   queue 65536
//   queue 16384
