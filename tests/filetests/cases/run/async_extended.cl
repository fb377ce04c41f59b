//! test = "run"
//! global = [48]
//! local = [8]
// Copies in one, two and three dimensions, strided and chained by one event.
kernel void test(global uint *out, global const uint *in, uint n) {
  local uint a[64], b[24], c[16];
  uint l = get_local_id(0), i = get_global_id(0), g = get_group_id(0);
  for (uint k = l; k < 64; k += 8) a[k] = k;
  barrier(CLK_LOCAL_MEM_FENCE);
  event_t e = async_work_group_copy_2D2D(a, 3, in, 2 * g + 1, 4, 5, 4, 9, 8, 0);
  e = async_work_group_copy_3D3D(b, 0, in, g, 4, 2, 3, 4, 5, 17, 2, 6, e);
  event_t f[2] = {e, async_work_group_strided_copy(c, in + g, 16, 3, 0)};
  wait_group_events(2, f);
  out[i] = a[l] + a[l + 8] * 3 + a[l + 16] * 5 + a[l + 24] * 7 + a[63 - l] * 11 + b[l] * 13 +
           b[l + 8] * 17 + b[l + 16] * 19 + c[l] * 23 + c[l + 8] * 29;
  barrier(CLK_LOCAL_MEM_FENCE);
  a[l] = i * 3;
  barrier(CLK_LOCAL_MEM_FENCE);
  e = async_work_group_copy_2D2D(out, n + 8 * g, a, 0, 4, 4, 2, 4, 4, 0);
  wait_group_events(1, &e);
  e = async_work_group_strided_copy(out + 2 * n + g, a, 8, 6, 0);
  wait_group_events(1, &e);
}
kernel void expect(global uint *out, global const uint *in, uint n) {
  for (uint g = 0; g < n / 8; g++) {
    uint a[64], b[24], c[16];
    for (uint k = 0; k < 64; k++) a[k] = k;
    for (uint y = 0; y < 4; y++)
      for (uint x = 0; x < 5; x++) a[3 + y * 8 + x] = in[2 * g + 1 + y * 9 + x];
    for (uint z = 0; z < 4; z++)
      for (uint y = 0; y < 3; y++)
        for (uint x = 0; x < 2; x++) b[z * 6 + y * 2 + x] = in[g + z * 17 + y * 5 + x];
    for (uint k = 0; k < 16; k++) c[k] = in[g + 3 * k];
    for (uint l = 0; l < 8; l++) {
      out[g * 8 + l] = a[l] + a[l + 8] * 3 + a[l + 16] * 5 + a[l + 24] * 7 + a[63 - l] * 11 +
                       b[l] * 13 + b[l + 8] * 17 + b[l + 16] * 19 + c[l] * 23 + c[l + 8] * 29;
      out[n + g * 8 + l] = (g * 8 + l) * 3;
      out[2 * n + g + 6 * l] = (g * 8 + l) * 3;
    }
  }
}
