// Two megabytes of private arrays live across a barrier.
// run: kept global=256 local=128
//   buf i32 256 = 0 => 5 + 7 * i
//   buf i32 256 = 0
kernel void kept(global int *out, global const int *zero) {
  int a[4096], i = get_global_id(0);
  for (int j = 0; j < 4096; j++) a[j] = j * i;
  a[zero[i] & 4095] = 5;
  out[i] = a[(zero[i] * 3) & 4095];
  barrier(CLK_GLOBAL_MEM_FENCE);
  out[i] += a[(zero[i] + 7) & 4095];
}
