//! test = "run"
//! global = [12]
//! local = [3]
// Written by a generator of random kernels: uniform control flow, barriers anywhere, private arrays
// (seed 42).
kernel void test(global uint *out, global const uint *in, uint n) {
  local uint t[3]; uint l = get_local_id(0), g = get_group_id(0), u = g, v = n, p[5] = {1,2,3,4,5};
  uint a = in[get_global_id(0)], b = l, c = 3, d = a ^ 77;
  t[l] = l;
  barrier(CLK_LOCAL_MEM_FENCE);
  b = t[(l+2u)%3u];
  barrier(CLK_LOCAL_MEM_FENCE);
  v = u;
  b = b;
  t[l] = (a*3u);
  barrier(CLK_LOCAL_MEM_FENCE);
  d = t[(l+7u)%3u];
  barrier(CLK_LOCAL_MEM_FENCE);
  b = (a^a);
  out[get_global_id(0)] =
      a + b * 3 + c * 5 + d * 7 + u * 11 + v * 13 + p[0] * 17 + p[2] * 19 + p[4];
}
kernel void expect(global uint *out, global const uint *in, uint n) {
  for (uint g = 0; g < 4u; g++) { uint t[3], a[3], b[3], c[3], d[3], p[3][5], u = g, v = n;
    for (uint l = 0; l < 3u; l++) {
      a[l] = in[g * 3u + l];
      b[l] = l;
      c[l] = 3;
      d[l] = a[l] ^ 77;
      for (uint q = 0; q < 5; q++) p[l][q] = q + 1;
    }
  for(uint l=0;l<3u;l++){ t[l] = l; }
  
  for(uint l=0;l<3u;l++){ b[l] = t[(l+2u)%3u]; }
  
  v = u;
  for(uint l=0;l<3u;l++){ b[l] = b[l]; }
  for(uint l=0;l<3u;l++){ t[l] = (a[l]*3u); }
  
  for(uint l=0;l<3u;l++){ d[l] = t[(l+7u)%3u]; }
  
  for(uint l=0;l<3u;l++){ b[l] = (a[l]^a[l]); }
  for (uint l = 0; l < 3u; l++) {
    out[g * 3u + l] = a[l] + b[l] * 3 + c[l] * 5 + d[l] * 7 + u * 11 + v * 13 + p[l][0] * 17 +
                      p[l][2] * 19 + p[l][4];
  }
  }
}
