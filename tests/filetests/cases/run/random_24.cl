//! test = "run"
//! global = [32]
//! local = [8]
// Written by a generator of random kernels: uniform control flow, barriers anywhere, private arrays
// (seed 24).
kernel void test(global uint *out, global const uint *in, uint n) {
  local uint t[8]; uint l = get_local_id(0), g = get_group_id(0), u = g, v = n, p[5] = {1,2,3,4,5};
  uint a = in[get_global_id(0)], b = l, c = 3, d = a ^ 77;
  b = (b+g);
  uint m2 = ((u>>1)+v)%3u;
  for (uint k1 = 0; k1 < m2; k1++) {
    u += k1;
    b = p[d%5u];
    t[l] = u+v;
    barrier(CLK_LOCAL_MEM_FENCE);
    d += t[(l+4u)%8u];
    barrier(CLK_LOCAL_MEM_FENCE);
    if ((n) % 3u == 1u) continue;
    if ((l & 3u) == 1u) a += (a*3u);
    uint m4 = (u+v)%3u;
    for (uint k3 = 0; k3 < m4; k3++) {
      u += k3;
      d = u*3u;
      for(uint q=0;q<(l%5u);q++) b = b*3u+q;
      u = n;
      if ((u+v) % 4u == 1u) break;
      if ((l & 2u) == 1u) b += (b>>3);
      for(uint q=0;q<(l%4u);q++) c = c*3u+q;
    }
  }
  t[l] = (a^a);
  barrier(CLK_LOCAL_MEM_FENCE);
  d ^= t[(l+3u)%8u];
  barrier(CLK_LOCAL_MEM_FENCE);
  p[(l+0u)%5u] += l;
  c = (d>>5);
  for(uint q=0;q<(l%5u);q++) d = d*3u+q;
  uint m6 = (u*3u)%3u;
  for (uint k5 = 0; k5 < m6; k5++) {
    u += k5;
    if ((l & 3u) == 1u) a += c;
    t[l] = (c*5u);
    barrier(CLK_LOCAL_MEM_FENCE);
    d ^= t[(l+6u)%8u];
    barrier(CLK_LOCAL_MEM_FENCE);
    p[(l+0u)%5u] += d;
  }
  uint m8 = 1u;
  for (uint k7 = 0; k7 < m8; k7++) {
    u += k7;
    a = l;
    uint m10 = (u)%3u;
    for (uint k9 = 0; k9 < m10; k9++) {
      u += k9;
      c = (a*3u);
      a = p[c%5u];
      if (((u>>1)+v) % 3u == 1u) continue;
      t[l] = l;
      barrier(CLK_LOCAL_MEM_FENCE);
      d += t[(l+5u)%8u];
      barrier(CLK_LOCAL_MEM_FENCE);
      d = (c^b);
    }
    t[l] = (b*4u);
    barrier(CLK_LOCAL_MEM_FENCE);
    b ^= t[(l+1u)%8u];
    barrier(CLK_LOCAL_MEM_FENCE);
    d = (d^b);
    uint m12 = 1u;
    for (uint k11 = 0; k11 < m12; k11++) {
      u += k11;
      c = p[b%5u];
      if ((n) & 2u) {
        u = u*3u;
        t[l] = (d+v);
        barrier(CLK_LOCAL_MEM_FENCE);
        c += t[(l+5u)%8u];
        barrier(CLK_LOCAL_MEM_FENCE);
        for(uint q=0;q<(l%5u);q++) d = d*3u+q;
        u = v;
      } else {
      }
      if ((v) % 3u == 1u) continue;
      t[l] = (c+v);
      barrier(CLK_LOCAL_MEM_FENCE);
      c = t[(l+9u)%8u];
      barrier(CLK_LOCAL_MEM_FENCE);
    }
  }
  t[l] = p[c%5u];
  barrier(CLK_LOCAL_MEM_FENCE);
  c += t[(l+4u)%8u];
  barrier(CLK_LOCAL_MEM_FENCE);
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
  for(uint l=0;l<8u;l++){ b[l] = (b[l]+g); }
  uint m2 = ((u>>1)+v)%3u;
  for (uint k1 = 0; k1 < m2; k1++) {
    u += k1;
    for(uint l=0;l<8u;l++){ b[l] = p[l][d[l]%5u]; }
    for(uint l=0;l<8u;l++){ t[l] = u+v; }
    
    for(uint l=0;l<8u;l++){ d[l] += t[(l+4u)%8u]; }
    
    if ((n) % 3u == 1u) continue;
    for(uint l=0;l<8u;l++){ if ((l & 3u) == 1u) a[l] += (a[l]*3u); }
    uint m4 = (u+v)%3u;
    for (uint k3 = 0; k3 < m4; k3++) {
      u += k3;
      for(uint l=0;l<8u;l++){ d[l] = u*3u; }
      for(uint l=0;l<8u;l++){ for(uint q=0;q<(l%5u);q++) b[l] = b[l]*3u+q; }
      u = n;
      if ((u+v) % 4u == 1u) break;
      for(uint l=0;l<8u;l++){ if ((l & 2u) == 1u) b[l] += (b[l]>>3); }
      for(uint l=0;l<8u;l++){ for(uint q=0;q<(l%4u);q++) c[l] = c[l]*3u+q; }
    }
  }
  for(uint l=0;l<8u;l++){ t[l] = (a[l]^a[l]); }
  
  for(uint l=0;l<8u;l++){ d[l] ^= t[(l+3u)%8u]; }
  
  for(uint l=0;l<8u;l++){ p[l][(l+0u)%5u] += l; }
  for(uint l=0;l<8u;l++){ c[l] = (d[l]>>5); }
  for(uint l=0;l<8u;l++){ for(uint q=0;q<(l%5u);q++) d[l] = d[l]*3u+q; }
  uint m6 = (u*3u)%3u;
  for (uint k5 = 0; k5 < m6; k5++) {
    u += k5;
    for(uint l=0;l<8u;l++){ if ((l & 3u) == 1u) a[l] += c[l]; }
    for(uint l=0;l<8u;l++){ t[l] = (c[l]*5u); }
    
    for(uint l=0;l<8u;l++){ d[l] ^= t[(l+6u)%8u]; }
    
    for(uint l=0;l<8u;l++){ p[l][(l+0u)%5u] += d[l]; }
  }
  uint m8 = 1u;
  for (uint k7 = 0; k7 < m8; k7++) {
    u += k7;
    for(uint l=0;l<8u;l++){ a[l] = l; }
    uint m10 = (u)%3u;
    for (uint k9 = 0; k9 < m10; k9++) {
      u += k9;
      for(uint l=0;l<8u;l++){ c[l] = (a[l]*3u); }
      for(uint l=0;l<8u;l++){ a[l] = p[l][c[l]%5u]; }
      if (((u>>1)+v) % 3u == 1u) continue;
      for(uint l=0;l<8u;l++){ t[l] = l; }
      
      for(uint l=0;l<8u;l++){ d[l] += t[(l+5u)%8u]; }
      
      for(uint l=0;l<8u;l++){ d[l] = (c[l]^b[l]); }
    }
    for(uint l=0;l<8u;l++){ t[l] = (b[l]*4u); }
    
    for(uint l=0;l<8u;l++){ b[l] ^= t[(l+1u)%8u]; }
    
    for(uint l=0;l<8u;l++){ d[l] = (d[l]^b[l]); }
    uint m12 = 1u;
    for (uint k11 = 0; k11 < m12; k11++) {
      u += k11;
      for(uint l=0;l<8u;l++){ c[l] = p[l][b[l]%5u]; }
      if ((n) & 2u) {
        u = u*3u;
        for(uint l=0;l<8u;l++){ t[l] = (d[l]+v); }
        
        for(uint l=0;l<8u;l++){ c[l] += t[(l+5u)%8u]; }
        
        for(uint l=0;l<8u;l++){ for(uint q=0;q<(l%5u);q++) d[l] = d[l]*3u+q; }
        u = v;
      } else {
      }
      if ((v) % 3u == 1u) continue;
      for(uint l=0;l<8u;l++){ t[l] = (c[l]+v); }
      
      for(uint l=0;l<8u;l++){ c[l] = t[(l+9u)%8u]; }
      
    }
  }
  for(uint l=0;l<8u;l++){ t[l] = p[l][c[l]%5u]; }
  
  for(uint l=0;l<8u;l++){ c[l] += t[(l+4u)%8u]; }

  for (uint l = 0; l < 8u; l++) {
    out[g * 8u + l] = a[l] + b[l] * 3 + c[l] * 5 + d[l] * 7 + u * 11 + v * 13 + p[l][0] * 17 +
                      p[l][2] * 19 + p[l][4];
  }
  }
}
