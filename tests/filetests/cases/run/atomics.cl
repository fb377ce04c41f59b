//! test = "run"
//! global = [64]
//! local = [16]
kernel void test(global uint *out, global const uint *in, uint n) {
  local uint c;
  if (get_local_id(0) == 0) c = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  atomic_add(&c, in[get_global_id(0)] & 255);
  atomic_max(out + n, in[get_global_id(0)]);
  atomic_inc(out + n + 1);
  barrier(CLK_LOCAL_MEM_FENCE);
  out[get_global_id(0)] = c;
}
kernel void expect(global uint *out, global const uint *in, uint n) {
  for (uint g = 0; g < n / 16; g++) {
    uint c = 0;
    for (uint l = 0; l < 16; l++) {
      c += in[g * 16 + l] & 255;
      out[n] = max(out[n], in[g * 16 + l]);
      out[n + 1]++;
    }
    for (uint l = 0; l < 16; l++) out[g * 16 + l] = c;
  }
}
