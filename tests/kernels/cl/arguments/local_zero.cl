// An argument in local memory of size zero, between others that must not overlap.
// needs: CL3.1
// build: -cl-std=CL3.1

kernel void between(local int *a, local int *none, local int *b, int count, global int *out) {
  int l = (int)get_local_id(0), n = (int)get_local_size(0);
  a[l] = l;
  for (int i = 0; i < count; i++) none[i] = 1000;
  b[l] = 100 * l;
  barrier(CLK_LOCAL_MEM_FENCE);
  out[get_global_id(0)] = a[n - 1 - l] + b[(l + 1) % n];
}
// run: between global=64 local=16
//   local 64
//   local 0
//   local 64
//   val i32 0
//   buf i32 64 = -1 => 15 - i % 16 + 100 * ((i % 16 + 1) % 16)

kernel void alone(local int *none, global int *out) {
  size_t i = get_global_id(0);
  if (out[i] == 0) none[i] = 1;
  barrier(CLK_LOCAL_MEM_FENCE);
  out[i] += (int)get_group_id(0);
}
// run: alone global=40 local=8
//   local 0
//   buf i32 40 = 7 => 7 + i / 8
