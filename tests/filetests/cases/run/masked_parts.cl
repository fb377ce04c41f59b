//! test = "run"
//! global = [66]
//! local = [33]
// Groups of 33 work-items in 64 lanes: of the registers of a load of OpenCL vectors, some have no
// lane that runs (random kernel 116712, for which code generation of LLVM 22 never ended).
uint item(uint4 v, uint4 w, uint a, uint h) {
  v = select(v, w, v > w);
  float f = (float)(v[a & 3]) * 0.25f - (float)h;
  return as_uint(f) + v.x + v.y * 3 + v.z * 5 + v.w * 7;
}
kernel void test(global uint *out, global const uint *in, uint n) {
  local uint t[33];
  local uint4 q[33];
  uint g = get_global_id(0), l = get_local_id(0), a = in[g], d = a ^ 77;
  uint4 v = (uint4)(a, l, g, 9);
  q[l] = v;
  t[l] = 19;
  barrier(CLK_LOCAL_MEM_FENCE);
  if ((l ^ 16) < 33 && (d & 3) != 1) t[l ^ 16] = l > 1 ? d : 3;
  barrier(CLK_LOCAL_MEM_FENCE);
  d += t[l];
  barrier(CLK_LOCAL_MEM_FENCE);
  out[g] = item(v, q[l], a, l) + d;
  v ^= q[l];
  out[n + g] = v.x * 17 + v.w * 19;
}
kernel void expect(global uint *out, global const uint *in, uint n) {
  for (uint g = 0; g < n; g++) {
    uint l = g % 33, a = in[g], d = a ^ 77, t = 19, other = l ^ 16;
    if (other < 33) {
      uint e = in[g - l + other] ^ 77;
      if ((e & 3) != 1) t = other > 1 ? e : 3;
    }
    uint4 v = (uint4)(a, l, g, 9);
    out[g] = item(v, v, a, l) + d + t;
    out[n + g] = 0;
  }
}
