//! test = "run"
//! global = [32]
//! local = [8]
//! options = "-g -cl-std=CL1.2"
// Kernels and variables with the names of C functions, debug information, and large copies that
// become memcpy.
typedef struct { uint a[64]; } block;
kernel void memcpy(global block *a, global const block *b) { a[0] = b[0]; }
kernel void pow(global float *a) { a[0] = sqrt(a[1]); }
kernel void malloc(global uint *a) { a[0] = 1; }
constant uint memset[3] = {1, 2, 3};
kernel void test(global uint *out, global const uint *in, uint n) {
  block b;
  for (int i = 0; i < 64; i++) b.a[i] = in[(get_global_id(0) + i) % n];
  block c = b;
  c.a[get_global_id(0) % 64] += memset[get_local_id(0) % 3];
  barrier(CLK_LOCAL_MEM_FENCE);
  b = c;
  uint s = 0;
  for (int i = 0; i < 64; i++) s = s * 3 + b.a[i];
  out[get_global_id(0)] = s;
}
kernel void expect(global uint *out, global const uint *in, uint n) {
  for (uint g = 0; g < n; g++) {
    uint s = 0;
    for (uint i = 0; i < 64; i++) s = s * 3 + in[(g + i) % n] + (i == g ? g % 8 % 3 + 1 : 0);
    out[g] = s;
  }
}
