//! test = "run"
//! global = [32]
//! local = [8]
// Written by a generator of random kernels: uniform control flow, barriers anywhere, private arrays
// (seed 11).
kernel void test(global uint *out, global const uint *in, uint n) {
  local uint t[8]; uint l = get_local_id(0), g = get_group_id(0), u = g, v = n, p[5] = {1,2,3,4,5};
  uint a = in[get_global_id(0)], b = l, c = 3, d = a ^ 77;
  uint m2 = 2u;
  for (uint k1 = 0; k1 < m2; k1++) {
    u += k1;
    uint m4 = 2u;
    for (uint k3 = 0; k3 < m4; k3++) {
      u += k3;
      if ((l & 2u) == 1u) a += d;
      t[l] = (b+u);
      barrier(CLK_LOCAL_MEM_FENCE);
      a ^= t[(l+0u)%8u];
      barrier(CLK_LOCAL_MEM_FENCE);
      t[l] = p[a%5u];
      barrier(CLK_LOCAL_MEM_FENCE);
      b = t[(l+4u)%8u];
      barrier(CLK_LOCAL_MEM_FENCE);
      t[l] = (b^c);
      barrier(CLK_LOCAL_MEM_FENCE);
      d += t[(l+4u)%8u];
      barrier(CLK_LOCAL_MEM_FENCE);
      t[l] = (a>>1);
      barrier(CLK_LOCAL_MEM_FENCE);
      d = t[(l+4u)%8u];
      barrier(CLK_LOCAL_MEM_FENCE);
      if (((u>>1)+v) % 4u == 1u) break;
      p[(l+4u)%5u] += (d>>1);
      t[l] = (c*2u);
      barrier(CLK_LOCAL_MEM_FENCE);
      c ^= t[(l+1u)%8u];
      barrier(CLK_LOCAL_MEM_FENCE);
    }
    b = l;
    d = p[b%5u];
  }
  b = v^5u;
  d = (a+4u);
  if ((l & 3u) == 1u) a += (b+6u);
  b = (d+u);
  t[l] = l;
  barrier(CLK_LOCAL_MEM_FENCE);
  c += t[(l+6u)%8u];
  barrier(CLK_LOCAL_MEM_FENCE);
  t[l] = (c^d);
  barrier(CLK_LOCAL_MEM_FENCE);
  b += t[(l+9u)%8u];
  barrier(CLK_LOCAL_MEM_FENCE);
  for(uint q=0;q<(l%5u);q++) b = b*3u+q;
  b = (b*6u);
  out[get_global_id(0)] =
      a + b * 3 + c * 5 + d * 7 + u * 11 + v * 13 + p[0] * 17 + p[2] * 19 + p[4];
}
kernel void expect(global uint *out, global const uint *in, uint n) {
  for (uint g = 0; g < 4u; g++) { uint t[8], a[8], b[8], c[8], d[8], p[8][5], u = g, v = n;
    for (uint l = 0; l < 8u; l++) {
      a[l] = in[g * 8u + l];
      b[l] = l;
      c[l] = 3;
      d[l] = a[l] ^ 77;
      for (uint q = 0; q < 5; q++) p[l][q] = q + 1;
    }
  uint m2 = 2u;
  for (uint k1 = 0; k1 < m2; k1++) {
    u += k1;
    uint m4 = 2u;
    for (uint k3 = 0; k3 < m4; k3++) {
      u += k3;
      for(uint l=0;l<8u;l++){ if ((l & 2u) == 1u) a[l] += d[l]; }
      for(uint l=0;l<8u;l++){ t[l] = (b[l]+u); }
      
      for(uint l=0;l<8u;l++){ a[l] ^= t[(l+0u)%8u]; }
      
      for(uint l=0;l<8u;l++){ t[l] = p[l][a[l]%5u]; }
      
      for(uint l=0;l<8u;l++){ b[l] = t[(l+4u)%8u]; }
      
      for(uint l=0;l<8u;l++){ t[l] = (b[l]^c[l]); }
      
      for(uint l=0;l<8u;l++){ d[l] += t[(l+4u)%8u]; }
      
      for(uint l=0;l<8u;l++){ t[l] = (a[l]>>1); }
      
      for(uint l=0;l<8u;l++){ d[l] = t[(l+4u)%8u]; }
      
      if (((u>>1)+v) % 4u == 1u) break;
      for(uint l=0;l<8u;l++){ p[l][(l+4u)%5u] += (d[l]>>1); }
      for(uint l=0;l<8u;l++){ t[l] = (c[l]*2u); }
      
      for(uint l=0;l<8u;l++){ c[l] ^= t[(l+1u)%8u]; }
      
    }
    for(uint l=0;l<8u;l++){ b[l] = l; }
    for(uint l=0;l<8u;l++){ d[l] = p[l][b[l]%5u]; }
  }
  for(uint l=0;l<8u;l++){ b[l] = v^5u; }
  for(uint l=0;l<8u;l++){ d[l] = (a[l]+4u); }
  for(uint l=0;l<8u;l++){ if ((l & 3u) == 1u) a[l] += (b[l]+6u); }
  for(uint l=0;l<8u;l++){ b[l] = (d[l]+u); }
  for(uint l=0;l<8u;l++){ t[l] = l; }
  
  for(uint l=0;l<8u;l++){ c[l] += t[(l+6u)%8u]; }
  
  for(uint l=0;l<8u;l++){ t[l] = (c[l]^d[l]); }
  
  for(uint l=0;l<8u;l++){ b[l] += t[(l+9u)%8u]; }
  
  for(uint l=0;l<8u;l++){ for(uint q=0;q<(l%5u);q++) b[l] = b[l]*3u+q; }
  for(uint l=0;l<8u;l++){ b[l] = (b[l]*6u); }
  for (uint l = 0; l < 8u; l++) {
    out[g * 8u + l] = a[l] + b[l] * 3 + c[l] * 5 + d[l] * 7 + u * 11 + v * 13 + p[l][0] * 17 +
                      p[l][2] * 19 + p[l][4];
  }
  }
}
