// Device-side events: order, markers, user events, profiling times, failures.
// needs: __opencl_c_device_enqueue
// build: -cl-std=CL3.0

// A chain: each child waits for the one before.
kernel void chain(global int *out) {
  size_t i = get_global_id(0);
  queue_t q = get_default_queue();
  clk_event_t last, next;
  enqueue_kernel(q, CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1), 0, NULL, &last, ^{ out[i] = 1; });
  for (int k = 1; k < 10; k++) {
    enqueue_kernel(q, CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1), 1, &last, &next,
                   ^{ out[i] = out[i] * 2 + k; });
    release_event(last);
    last = next;
  }
  release_event(last);
}
// run: chain global=100 local=10|null
//   buf i32 100 = 0 => 1525

// No child starts before the user event is set, and the marker waits for all children.
kernel void user(global int *out) {
  size_t i = get_global_id(0);
  queue_t q = get_default_queue();
  clk_event_t go = create_user_event(), ends[3], all;
  for (int k = 0; k < 3; k++)
    enqueue_kernel(q, CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1), 1, &go, &ends[k],
                   ^{ out[3 * i + k] += 10; });
  int e = enqueue_marker(q, 3, ends, &all);
  enqueue_kernel(q, CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(3), 1, &all, NULL,
                 ^{ out[3 * i + get_global_id(0)] *= 2; });
  for (int k = 0; k < 3; k++) out[3 * i + k] = e + k;
  set_user_event_status(go, CL_COMPLETE);
  retain_event(go);
  bool valid = is_valid_event(go) && is_valid_event(all);
  release_event(go);
  valid = valid && is_valid_event(go);
  release_event(go);
  valid = valid && !is_valid_event(go);
  if (!valid) out[3 * i] = -1000;
  for (int k = 0; k < 3; k++) release_event(ends[k]);
  release_event(all);
}
// run: user global=50 local=5|null
//   buf i32 150 = 0 => 2 * (i % 3 + 10)

// A command that waits for a failed event does not run; its own event fails, and so on.
kernel void failed(global int *out) {
  queue_t q = get_default_queue();
  clk_event_t bad = create_user_event(), first, second;
  enqueue_kernel(q, CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1), 1, &bad, &first, ^{ out[0] = 1; });
  enqueue_kernel(q, CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1), 1, &first, &second, ^{ out[1] = 1; });
  set_user_event_status(bad, -5);
  set_user_event_status(bad, CL_COMPLETE);
  enqueue_kernel(q, CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1), 1, &second, NULL, ^{ out[2] = 1; });
  enqueue_kernel(q, CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1), ^{ out[3] = 1; });
  release_event(bad);
  release_event(first);
  release_event(second);
}
// run: failed global=1
//   buf i32 4 = 0 => i == 3 ? 1 : 0

// A released user event that was never set blocks no command.
kernel void forgotten(global int *out) {
  clk_event_t never = create_user_event();
  enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1), 1, &never, NULL,
                 ^{ out[0] = 1; });
  release_event(never);
  out[1] = 2;
}
// run: forgotten global=1
//   buf i32 2 = 0 => i == 1 ? 2 : 0

// A child that waits for an event can read its times, whenever they were requested.
kernel void times(global ulong *out, global int *work) {
  queue_t q = get_default_queue();
  clk_event_t go = create_user_event(), end;
  enqueue_kernel(q, CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1000), 1, &go, &end, ^{
    work[get_global_id(0)]++;
    if (get_global_id(0) == 0)
      enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_WAIT_KERNEL, ndrange_1D(1000),
                     ^{ work[get_global_id(0)]++; });
  });
  capture_event_profiling_info(end, CLK_PROFILING_COMMAND_EXEC_TIME, out + 2);
  enqueue_kernel(q, CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1), 1, &end, NULL, ^{
    int whole = 0;
    for (int k = 0; k < 1000; k++) whole += work[k];
    out[0] = whole == 2000 && out[2] != 0 && out[3] >= out[2];
    capture_event_profiling_info(end, CLK_PROFILING_COMMAND_EXEC_TIME, out + 4);
    out[1] = out[4] == out[2] && out[5] == out[3];
    out[2] = out[3] = out[4] = out[5] = 1;
    release_event(end);
  });
  set_user_event_status(go, CL_COMPLETE);
  release_event(go);
}
// run: times global=1
//   buf u64 6 = 0 => 1
//   buf i32 1000 = 0 => 2

// The event of a child includes the commands that the child enqueued.
kernel void whole(global int *out) {
  queue_t q = get_default_queue();
  clk_event_t end;
  enqueue_kernel(q, CLK_ENQUEUE_FLAGS_WAIT_KERNEL, ndrange_1D(8), 0, NULL, &end, ^{
    size_t k = get_global_id(0);
    enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_WAIT_KERNEL, ndrange_1D(100), ^{
      atomic_inc((volatile global int *)out + k);
    });
  });
  enqueue_kernel(q, CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(8), 1, &end, NULL,
                 ^{ out[8 + get_global_id(0)] = out[get_global_id(0)]; });
  release_event(end);
}
// run: whole global=1
//   buf i32 16 = 0 => 100
