// Null queues and events, as values and in comparisons. clang 22 fails on some of these.
// needs: __opencl_c_device_enqueue
// build: -cl-std=CL3.0

kernel void nulls(global int *out, queue_t q) {
  queue_t def = get_default_queue(), none = CLK_NULL_QUEUE;
  clk_event_t e = create_user_event(), same = e, no_event = CLK_NULL_EVENT;
  out[0] = def == CLK_NULL_QUEUE;
  out[1] = none == 0;
  out[2] = q != def;
  out[3] = q == q;
  out[4] = e == same;
  out[5] = e != CLK_NULL_EVENT;
  out[6] = no_event == CLK_NULL_EVENT;
  out[7] = is_valid_event(no_event);
  out[8] = enqueue_kernel(none, CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1), ^{ out[9] = 1; });
  void (^const inside)(void) =
      ^{ out[10] = q != CLK_NULL_QUEUE && !is_valid_event(CLK_NULL_EVENT); };
  inside();
  release_event(e);
  out[11] = is_valid_event(e);
}
// run: nulls global=1
//   buf i32 12 = 0 => [0, 1, 1, 1, 1, 1, 1, 0, -101, 0, 1, 0][i]
//   queue 4096
