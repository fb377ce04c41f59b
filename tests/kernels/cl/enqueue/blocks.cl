// Blocks that are called, not enqueued: captures are copies, barriers act as in the caller.
// needs: __opencl_c_device_enqueue
// build: -cl-std=CL3.0

int (^const doubled)(int) = ^(int x) { return 2 * x; };

typedef struct { int a; float4 b; } Pair;

kernel void captures(global int *out) {
  int i = (int)get_global_id(0), k = 3;
  Pair p = {i, (float4)(1, 2, 3, 4)};
  int (^const scaled)(int) = ^(int x) { return k * x + p.a + (int)p.b.w; };
  k = 100;
  p.a = 100;
  out[i] = doubled(scaled(i));
}
// run: captures global=64 local=16|null
//   buf i32 64 = 0 => 2 * (4 * i + 4)

kernel void nested(global int *out) {
  int i = (int)get_global_id(0);
  int (^const outer)(int) = ^(int x) {
    int (^const inner)(int) = ^(int y) { return y + x + i; };
    return inner(10) * 2;
  };
  out[i] = outer(5);
}
// run: nested global=33
//   buf i32 33 = 0 => (15 + i) * 2

kernel void barriers(global int *out, local int *shared) {
  int l = (int)get_local_id(0), n = (int)get_local_size(0);
  void (^const turn)(int) = ^(int by) {
    shared[l] = l;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] += shared[(l + by) % n];
    barrier(CLK_LOCAL_MEM_FENCE);
  };
  turn(1);
  turn(2);
}
// run: barriers global=64 local=8
//   buf i32 64 = i => i + (i % 8 + 1) % 8 + (i % 8 + 2) % 8
//   local 32
