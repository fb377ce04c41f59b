// Without -g all errors have one code.
// needs: __opencl_c_device_enqueue
// build: -cl-std=CL3.0
// queue: 16384

kernel void errors(global int *out) {
  queue_t q = get_default_queue();
  clk_event_t go = create_user_event(), gone = create_user_event(), end;
  release_event(gone);
  size_t big[2] = {65536, 65536};
  void (^const block)(void) = ^{ atomic_inc((volatile global int *)out + 30); };
  ndrange_t bad = ndrange_1D(1);
  bad.workDimension = 4;
  out[0] = enqueue_kernel(q, 1, ndrange_1D(1), block);
  out[1] = enqueue_kernel(q, 1, bad, block);
  out[2] = enqueue_kernel(q, 1, ndrange_2D(big, big), block);
  out[3] = enqueue_kernel(q, 1, ndrange_1D(1), 1, NULL, &end, block);
  out[4] = enqueue_kernel(q, 1, ndrange_1D(1), 0, &go, &end, block);
  out[5] = enqueue_kernel(q, 1, ndrange_1D(1), 1, &gone, &end, block);
  out[6] = enqueue_kernel(q, 1, ndrange_1D(1), ^(local void *p) { out[31] = 1; }, 0u);
  out[7] = enqueue_kernel(q, 1, ndrange_1D(1), ^(local void *p) { out[31] = 1; }, 1u << 30);
  out[8] = enqueue_marker(q, 0, NULL, &end);
  out[9] = enqueue_marker(q, 0, &go, &end);
  out[10] = enqueue_marker(q, 1, &gone, &end);
  out[11] = enqueue_marker(q, 1, &go, NULL);
  out[12] = enqueue_kernel(q, 7, ndrange_1D(1), block);
  int count = 0, e;
  while ((e = enqueue_kernel(q, 0, ndrange_1D(1), 1, &go, NULL, block)) == CLK_SUCCESS) count++;
  out[13] = e;
  out[14] = count > 10 && count < 1000;
  set_user_event_status(go, CL_COMPLETE);
  release_event(go);
  atomic_sub((volatile global int *)out + 30, count);
}
// run: errors global=1
//   buf i32 32 = 0 => i < 15 ? [0, -101, -101, -101, -101, -101, -101, -101, -101, -101, -101, 0, -101, -101, 1][i] : i == 30 ? 1 : 0
