//! test = "run"
//! global = [13, 7]
//! local = [4, 4]
kernel void test(global uint *out, global const uint *in, uint n) {
  local uint t[16];
  uint i = get_global_linear_id(), l = get_local_linear_id();
  uint size = get_local_size(0) * get_local_size(1);
  t[l] = in[i];
  barrier(CLK_LOCAL_MEM_FENCE);
  uint s = 0;
  for (uint k = 0; k < size; k++) s += t[k] * (k + 1);
  barrier(CLK_LOCAL_MEM_FENCE);
  t[l] = s ^ l;
  barrier(CLK_LOCAL_MEM_FENCE);
  out[i] = t[size - 1 - l];
}
kernel void expect(global uint *out, global const uint *in, uint n) {
  for (uint gy = 0; gy < 2; gy++)
    for (uint gx = 0; gx < 4; gx++) {
      uint w = gx == 3 ? 1 : 4, h = gy == 1 ? 3 : 4, s = 0;
      for (uint l = 0; l < w * h; l++) s += in[(gy * 4 + l / w) * 13 + gx * 4 + l % w] * (l + 1);
      for (uint l = 0; l < w * h; l++)
        out[(gy * 4 + l / w) * 13 + gx * 4 + l % w] = s ^ (w * h - 1 - l);
    }
}
