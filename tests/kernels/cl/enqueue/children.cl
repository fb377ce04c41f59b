// Kernels that enqueue kernels: sizes, captures, local memory and barriers in the children.
// needs: __opencl_c_device_enqueue
// build: -cl-std=CL3.0

kernel void simple(global int *out) {
  size_t i = get_global_id(0);
  enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_WAIT_KERNEL, ndrange_1D(1),
                 ^{ out[i] += 5; });
  out[i] = 7;
}
// run: simple global=300 local=64|null|1
//   buf i32 300 = 1 => 12

// The child starts after its whole parent, and sees the writes of every work-item.
kernel void after(global int *in, global int *out) {
  size_t i = get_global_id(0);
  in[i] = (int)i;
  if (i == 0) {
    size_t n = get_global_size(0);
    enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_WAIT_KERNEL, ndrange_1D(n), ^{
      size_t k = get_global_id(0);
      out[k] = in[n - 1 - k];
    });
  }
}
// run: after global=5000 local=100|null
//   buf i32 5000 = -1 => i
//   buf i32 5000 = -1 => n - 1 - i

// Every kind of NDRange; dimensions that it lacks have size 1.
void note(global int *out, int at) {
  if (get_global_linear_id() != 0) return;
  out[at] = (int)get_work_dim();
  for (uint d = 0; d < 3; d++) {
    out[at + 1 + d] = (int)get_global_size(d);
    out[at + 4 + d] = (int)get_global_offset(d);
    out[at + 7 + d] = (int)get_global_id(d);
  }
}
kernel void ranges(global int *out) {
  queue_t q = get_default_queue();
  size_t two[2] = {6, 5}, local2[2] = {4, 5}, off2[2] = {10, 20};
  size_t three[3] = {4, 3, 2}, local3[3] = {2, 3, 1}, off3[3] = {1, 2, 3};
  int e = enqueue_kernel(q, 1, ndrange_1D(9), ^{ note(out, 0); });
  e |= enqueue_kernel(q, 1, ndrange_1D(9, 3), ^{
    note(out, 10);
    out[200 + get_global_id(0)] = (int)get_local_size(0);
  });
  e |= enqueue_kernel(q, 1, ndrange_1D(7, 9, 2), ^{
    note(out, 20);
    out[210 + get_global_id(0) - 7] = (int)get_local_size(0);
  });
  e |= enqueue_kernel(q, 1, ndrange_2D(two), ^{ note(out, 30); });
  e |= enqueue_kernel(q, 1, ndrange_2D(two, local2), ^{ note(out, 40); });
  e |= enqueue_kernel(q, 1, ndrange_2D(off2, two, local2), ^{ note(out, 50); });
  e |= enqueue_kernel(q, 1, ndrange_3D(three), ^{ note(out, 60); });
  e |= enqueue_kernel(q, 1, ndrange_3D(three, local3), ^{ note(out, 70); });
  e |= enqueue_kernel(q, 1, ndrange_3D(off3, three, local3), ^{
    note(out, 80);
    out[100 + get_global_linear_id()] =
        (int)(get_global_id(0) + 10 * get_global_id(1) + 100 * get_global_id(2));
  });
  out[90] = e;
}
// run: ranges global=1
//   buf i32 219 = -1 => i < 90 ? [[1,9,1,1,0,0,0,0,0,0][i%10], [1,9,1,1,0,0,0,0,0,0][i%10], [1,9,1,1,7,0,0,7,0,0][i%10], [2,6,5,1,0,0,0,0,0,0][i%10], [2,6,5,1,0,0,0,0,0,0][i%10], [2,6,5,1,10,20,0,10,20,0][i%10], [3,4,3,2,0,0,0,0,0,0][i%10], [3,4,3,2,0,0,0,0,0,0][i%10], [3,4,3,2,1,2,3,1,2,3][i%10]][i/10] : i == 90 ? 0 : i < 100 ? -1 : i < 124 ? 321 + (i-100)%4 + 10*((i-100)/4%3) + 100*((i-100)/12) : i < 200 ? -1 : i < 209 ? 3 : i < 210 ? -1 : i == 218 ? 1 : 2

typedef struct { long8 wide; char tail; } Wide;

// Captures are copied at the enqueue, aligned as their types require.
kernel void captured(global long *out) {
  size_t i = get_global_id(0);
  Wide w = {(long8)(i, i + 1, 2, 3, 4, 5, 6, 7), 'x'};
  float3 f = (float3)(1.5f, 2.5f, i);
  enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_WAIT_KERNEL, ndrange_1D(1), ^{
    out[i] = w.wide.s0 + w.wide.s1 + w.wide.s7 + w.tail + (long)(f.x + f.y + f.z);
  });
  w.wide = 0;
  f = 0;
}
// run: captured global=40 local=8
//   buf i64 40 = 0 => i + i + 1 + 7 + 120 + 4 + i

// Local arguments, local variables of called functions, barriers and collectives in a child.
int rotated(local int *a, local int *b, int x) {
  int l = (int)get_local_id(0), n = (int)get_local_size(0);
  a[l] = x;
  b[l] = -x;
  barrier(CLK_LOCAL_MEM_FENCE);
  int r = a[(l + 1) % n] * 1000 - b[(l + 2) % n];
  barrier(CLK_LOCAL_MEM_FENCE);
  return r + work_group_reduce_add(1);
}
kernel void locals(global int *out) {
  if (get_global_id(0) != 0) return;
  uint bytes = 8 * sizeof(int);
  int e = enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_WAIT_KERNEL, ndrange_1D(40, 8),
                         ^(local void *a, local void *b) {
                           int i = (int)get_global_id(0);
                           out[i] = rotated((local int *)a, (local int *)b, i);
                         }, bytes, 8 * sizeof(int));
  if (e != CLK_SUCCESS) out[0] = e;
}
// run: locals global=16 local=4
//   buf i32 40 = 0 => (i / 8 * 8 + (i + 1) % 8) * 1000 + i / 8 * 8 + (i + 2) % 8 + 8

// Partial last groups.
kernel void partial(global int *out) {
  enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_WAIT_KERNEL, ndrange_1D(10, 4), ^{
    out[get_global_id(0)] = (int)(get_local_size(0) + 10 * get_enqueued_local_size(0));
  });
}
// run: partial global=1
//   buf i32 10 = 0 => i < 8 ? 44 : 42

// An empty NDRange is no error.
kernel void nothing(global int *out) {
  out[0] = enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_WAIT_KERNEL, ndrange_1D(0),
                          ^{ out[1] = 1; });
}
// run: nothing global=1
//   buf i32 2 = 3 => i == 0 ? 0 : 3

constant int table[4] = {10, 20, 30, 40};
global int counter;

// A child shares its parent's program-scope variables and constants.
kernel void globals(global int *out) {
  if (get_global_id(0) == 0) counter = 0;
  enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_WAIT_KERNEL, ndrange_1D(4), ^{
    size_t k = get_global_id(0);
    atomic_add((volatile global int *)&counter, 1);
    atomic_add(out + k, table[k]);
    clk_event_t none;
    enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_WAIT_KERNEL, ndrange_1D(1),
                   ^{ out[4] = counter; });
  });
}
// run: globals global=1
//   buf i32 5 = 0 => i < 4 ? 10 * (i + 1) : 4

kernel void sizes(global int *out) {
  void (^const block)(void) = ^{ out[get_global_id(0) + 2] = 1; };
  uint most = get_kernel_work_group_size(block),
       of = get_kernel_preferred_work_group_size_multiple(block);
  out[0] = most >= 1 && most <= 65536;
  out[1] = of >= 1 && most % of == 0;
  enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_WAIT_KERNEL, ndrange_1D(4096, most), block);
}
// run: sizes global=1
//   buf i32 5000 = 0 => i < 4098 ? 1 : 0

kernel void printed(global int *out) {
  enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_WAIT_KERNEL, ndrange_1D(1),
                 ^{ out[0] = printf(""); });
}
// run: printed global=1
//   buf i32 1 = 5 => 0
