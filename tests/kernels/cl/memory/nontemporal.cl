// Stores that bypass the caches. A second command and the host see them once the kernel has ended.

kernel void scaled(global const int *in, global int *out) {
  size_t i = get_global_id(0);
  __builtin_nontemporal_store(in[i] * 3, out + i);
}
// run: scaled global=19200 local=64
//   buf i32 19200 = i
//   buf i32 19200 = -1 => i * 3

kernel void vectors(global const int4 *in, global int4 *out) {
  size_t i = get_global_id(0);
  __builtin_nontemporal_store(in[i].wzyx, out + i);
}
// run: vectors global=5000
//   buf i32 20000 = i
//   buf i32 20000 = -1 => i / 4 * 4 + 3 - i % 4

kernel void loads(global const int *in, global int *out) {
  size_t i = get_global_id(0);
  out[i] = __builtin_nontemporal_load(in + (get_global_size(0) - 1 - i));
}
// run: loads global=3000
//   buf i32 3000 = i
//   buf i32 3000 = -1 => 2999 - i
