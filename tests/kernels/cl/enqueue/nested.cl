// Children of children: deep, wide, and both.
// needs: __opencl_c_device_enqueue
// build: -cl-std=CL3.0
// queue: 67108864

void down(global int *out, int depth) {
  out[0] += 1;
  if (depth > 0)
    enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_WAIT_KERNEL, ndrange_1D(1),
                   ^{ down(out, depth - 1); });
}
kernel void deep(global int *out, int depth) { down(out, depth); }
// run: deep global=1
//   buf i32 1 = 0 => 100001
//   val i32 100000

// Each level waits for the end of the one below, so completion propagates through all levels.
void down_with_event(global int *out, int depth) {
  atomic_inc((volatile global int *)out);
  if (depth > 0) {
    clk_event_t end;
    queue_t q = get_default_queue();
    enqueue_kernel(q, CLK_ENQUEUE_FLAGS_WAIT_KERNEL, ndrange_1D(1), 0, NULL, &end,
                   ^{ down_with_event(out, depth - 1); });
    enqueue_kernel(q, CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1), 1, &end, NULL,
                   ^{ atomic_inc((volatile global int *)out + 1); });
    release_event(end);
  }
}
kernel void deep_with_events(global int *out, int depth) { down_with_event(out, depth); }
// run: deep_with_events global=1
//   buf i32 2 = 0 => i == 0 ? 20001 : 20000
//   val i32 20000

void tree(global int *out, int depth) {
  atomic_inc((volatile global int *)out);
  if (depth > 0)
    for (int k = 0; k < 3; k++)
      enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1),
                     ^{ tree(out, depth - 1); });
}
kernel void wide(global int *out, int depth) { tree(out, depth); }
// run: wide global=1
//   buf i32 1 = 0 => 29524
//   val i32 9

// All flags, from many work-items on several threads concurrently.
kernel void many(global int *out) {
  size_t i = get_global_id(0);
  queue_t q = get_default_queue();
  out[i] = 0;
  enqueue_kernel(q, CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1),
                 ^{ atomic_add((volatile global int *)out + i + 4096, 1); });
  enqueue_kernel(q, CLK_ENQUEUE_FLAGS_WAIT_WORK_GROUP, ndrange_1D(1),
                 ^{ atomic_add((volatile global int *)out + i, 10); });
  enqueue_kernel(q, CLK_ENQUEUE_FLAGS_WAIT_KERNEL, ndrange_1D(1),
                 ^{ atomic_add((volatile global int *)out + i, 100); });
}
// run: many global=4096 local=64|1024|null
//   buf i32 8192 = 0 => i < 4096 ? 110 : 1
