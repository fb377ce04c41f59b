//! test = "group-shape"
// The dimensions in which the driver makes groups long and wide, if the application leaves the
// local size to it.
kernel void rows(global const float *in, global float *out, int n) {
  int x = get_global_id(0), y = get_global_id(1);
  out[y * n + x] = in[y * n + x + 1];
}
kernel void columns(global const float *in, global float *out, int n) {
  int x = get_global_id(0), y = get_global_id(1);
  out[x * n + y] = in[x * n + y + 1];
}
kernel void transpose(global const float *in, global float *out, int n) {
  int x = get_global_id(0), y = get_global_id(1);
  out[x * n + y] = in[y * n + x];
}
kernel void planes(global const uchar *in, global uchar *out, int n, int m) {
  int x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);
  out[(z * n + y) * n + x] = in[(x * n + y) * m + z];
}
kernel void gather(global const int *in, global int *out, int n) {
  int x = get_global_id(0), y = get_global_id(1);
  out[y * n + x] = out[in[y * n + x]];
}
kernel void loop(global const float *in, global float *out, int n) {
  int x = get_global_id(0), y = get_global_id(1);
  for (int i = 0; i < n; i++) out[x * n + y] += in[y * n + x + i];
}
//---- expected ----
// rows: long in x, wide in x
// columns: long in y, wide in y
// transpose: long in x, wide in y
// planes: long in x, wide in z
// gather: long in x, wide in x
// loop: long in y, wide in y
