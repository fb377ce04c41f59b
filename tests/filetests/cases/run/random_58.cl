//! test = "run"
//! global = [64]
//! local = [16]
// Written by a generator of random kernels: uniform control flow, barriers anywhere, private arrays
// (seed 58).
kernel void test(global uint *out, global const uint *in, uint n) {
  local uint t[16]; uint l = get_local_id(0), g = get_group_id(0), u = g, v = n, p[5] = {1,2,3,4,5};
  uint a = in[get_global_id(0)], b = l, c = 3, d = a ^ 77;
  b = b;
  for(uint q=0;q<(l%4u);q++) c = c*3u+q;
  uint m2 = (7u)%3u;
  for (uint k1 = 0; k1 < m2; k1++) {
    u += k1;
    uint m4 = 1u;
    for (uint k3 = 0; k3 < m4; k3++) {
      u += k3;
      t[l] = a;
      barrier(CLK_LOCAL_MEM_FENCE);
      d = t[(l+5u)%16u];
      barrier(CLK_LOCAL_MEM_FENCE);
      if ((l & 3u) == 1u) b += (c*3u);
      t[l] = p[b%5u];
      barrier(CLK_LOCAL_MEM_FENCE);
      a += t[(l+3u)%16u];
      barrier(CLK_LOCAL_MEM_FENCE);
      uint m6 = 1u;
      for (uint k5 = 0; k5 < m6; k5++) {
        u += k5;
        v = u*3u;
        t[l] = (d+3u);
        barrier(CLK_LOCAL_MEM_FENCE);
        b += t[(l+4u)%16u];
        barrier(CLK_LOCAL_MEM_FENCE);
        t[l] = (c*7u);
        barrier(CLK_LOCAL_MEM_FENCE);
        b ^= t[(l+7u)%16u];
        barrier(CLK_LOCAL_MEM_FENCE);
        t[l] = b;
        barrier(CLK_LOCAL_MEM_FENCE);
        b += t[(l+2u)%16u];
        barrier(CLK_LOCAL_MEM_FENCE);
        a = l;
      }
      for(uint q=0;q<(l%5u);q++) c = c*3u+q;
    }
    if ((u*3u) & 3u) {
      uint m8 = 2u;
      for (uint k7 = 0; k7 < m8; k7++) {
        u += k7;
        t[l] = p[b%5u];
        barrier(CLK_LOCAL_MEM_FENCE);
        c += t[(l+1u)%16u];
        barrier(CLK_LOCAL_MEM_FENCE);
        t[l] = u;
        barrier(CLK_LOCAL_MEM_FENCE);
        b ^= t[(l+0u)%16u];
        barrier(CLK_LOCAL_MEM_FENCE);
        p[(l+2u)%5u] += p[a%5u];
      }
      if ((6u) & 3u) {
        for(uint q=0;q<(l%2u);q++) d = d*3u+q;
        if ((l & 1u) == 1u) b += (b>>5);
        p[(l+0u)%5u] += l;
      } else {
        t[l] = (a>>2);
        barrier(CLK_LOCAL_MEM_FENCE);
        c ^= t[(l+0u)%16u];
        barrier(CLK_LOCAL_MEM_FENCE);
        if ((l & 3u) == 1u) d += d;
        v = v;
        p[(l+0u)%5u] += v;
      }
    } else {
      p[(l+2u)%5u] += (u>>1)+v;
      v = v^5u;
      t[l] = (b^a);
      barrier(CLK_LOCAL_MEM_FENCE);
      c = t[(l+2u)%16u];
      barrier(CLK_LOCAL_MEM_FENCE);
      uint m10 = 2u;
      for (uint k9 = 0; k9 < m10; k9++) {
        u += k9;
        b = (b^b);
        d = p[b%5u];
        for(uint q=0;q<(l%3u);q++) a = a*3u+q;
        c = l;
      }
      d = (d^d);
    }
    p[(l+0u)%5u] += (a>>3);
    u = v;
    if ((u*3u) % 4u == 1u) break;
    d = g+u;
    c = p[b%5u];
  }
  t[l] = l;
  barrier(CLK_LOCAL_MEM_FENCE);
  b ^= t[(l+7u)%16u];
  barrier(CLK_LOCAL_MEM_FENCE);
  d = l;
  d = v^5u;
  out[get_global_id(0)] =
      a + b * 3 + c * 5 + d * 7 + u * 11 + v * 13 + p[0] * 17 + p[2] * 19 + p[4];
}
kernel void expect(global uint *out, global const uint *in, uint n) {
  for (uint g = 0; g < 4u; g++) { uint t[16], a[16], b[16], c[16], d[16], p[16][5], u = g, v = n;
    for (uint l = 0; l < 16u; l++) {
      a[l] = in[g * 16u + l];
      b[l] = l;
      c[l] = 3;
      d[l] = a[l] ^ 77;
      for (uint q = 0; q < 5; q++) p[l][q] = q + 1;
    }
  for(uint l=0;l<16u;l++){ b[l] = b[l]; }
  for(uint l=0;l<16u;l++){ for(uint q=0;q<(l%4u);q++) c[l] = c[l]*3u+q; }
  uint m2 = (7u)%3u;
  for (uint k1 = 0; k1 < m2; k1++) {
    u += k1;
    uint m4 = 1u;
    for (uint k3 = 0; k3 < m4; k3++) {
      u += k3;
      for(uint l=0;l<16u;l++){ t[l] = a[l]; }
      
      for(uint l=0;l<16u;l++){ d[l] = t[(l+5u)%16u]; }
      
      for(uint l=0;l<16u;l++){ if ((l & 3u) == 1u) b[l] += (c[l]*3u); }
      for(uint l=0;l<16u;l++){ t[l] = p[l][b[l]%5u]; }
      
      for(uint l=0;l<16u;l++){ a[l] += t[(l+3u)%16u]; }
      
      uint m6 = 1u;
      for (uint k5 = 0; k5 < m6; k5++) {
        u += k5;
        v = u*3u;
        for(uint l=0;l<16u;l++){ t[l] = (d[l]+3u); }
        
        for(uint l=0;l<16u;l++){ b[l] += t[(l+4u)%16u]; }
        
        for(uint l=0;l<16u;l++){ t[l] = (c[l]*7u); }
        
        for(uint l=0;l<16u;l++){ b[l] ^= t[(l+7u)%16u]; }
        
        for(uint l=0;l<16u;l++){ t[l] = b[l]; }
        
        for(uint l=0;l<16u;l++){ b[l] += t[(l+2u)%16u]; }
        
        for(uint l=0;l<16u;l++){ a[l] = l; }
      }
      for(uint l=0;l<16u;l++){ for(uint q=0;q<(l%5u);q++) c[l] = c[l]*3u+q; }
    }
    if ((u*3u) & 3u) {
      uint m8 = 2u;
      for (uint k7 = 0; k7 < m8; k7++) {
        u += k7;
        for(uint l=0;l<16u;l++){ t[l] = p[l][b[l]%5u]; }
        
        for(uint l=0;l<16u;l++){ c[l] += t[(l+1u)%16u]; }
        
        for(uint l=0;l<16u;l++){ t[l] = u; }
        
        for(uint l=0;l<16u;l++){ b[l] ^= t[(l+0u)%16u]; }
        
        for(uint l=0;l<16u;l++){ p[l][(l+2u)%5u] += p[l][a[l]%5u]; }
      }
      if ((6u) & 3u) {
        for(uint l=0;l<16u;l++){ for(uint q=0;q<(l%2u);q++) d[l] = d[l]*3u+q; }
        for(uint l=0;l<16u;l++){ if ((l & 1u) == 1u) b[l] += (b[l]>>5); }
        for(uint l=0;l<16u;l++){ p[l][(l+0u)%5u] += l; }
      } else {
        for(uint l=0;l<16u;l++){ t[l] = (a[l]>>2); }
        
        for(uint l=0;l<16u;l++){ c[l] ^= t[(l+0u)%16u]; }
        
        for(uint l=0;l<16u;l++){ if ((l & 3u) == 1u) d[l] += d[l]; }
        v = v;
        for(uint l=0;l<16u;l++){ p[l][(l+0u)%5u] += v; }
      }
    } else {
      for(uint l=0;l<16u;l++){ p[l][(l+2u)%5u] += (u>>1)+v; }
      v = v^5u;
      for(uint l=0;l<16u;l++){ t[l] = (b[l]^a[l]); }
      
      for(uint l=0;l<16u;l++){ c[l] = t[(l+2u)%16u]; }
      
      uint m10 = 2u;
      for (uint k9 = 0; k9 < m10; k9++) {
        u += k9;
        for(uint l=0;l<16u;l++){ b[l] = (b[l]^b[l]); }
        for(uint l=0;l<16u;l++){ d[l] = p[l][b[l]%5u]; }
        for(uint l=0;l<16u;l++){ for(uint q=0;q<(l%3u);q++) a[l] = a[l]*3u+q; }
        for(uint l=0;l<16u;l++){ c[l] = l; }
      }
      for(uint l=0;l<16u;l++){ d[l] = (d[l]^d[l]); }
    }
    for(uint l=0;l<16u;l++){ p[l][(l+0u)%5u] += (a[l]>>3); }
    u = v;
    if ((u*3u) % 4u == 1u) break;
    for(uint l=0;l<16u;l++){ d[l] = g+u; }
    for(uint l=0;l<16u;l++){ c[l] = p[l][b[l]%5u]; }
  }
  for(uint l=0;l<16u;l++){ t[l] = l; }
  
  for(uint l=0;l<16u;l++){ b[l] ^= t[(l+7u)%16u]; }
  
  for(uint l=0;l<16u;l++){ d[l] = l; }
  for(uint l=0;l<16u;l++){ d[l] = v^5u; }
  for (uint l = 0; l < 16u; l++) {
    out[g * 16u + l] = a[l] + b[l] * 3 + c[l] * 5 + d[l] * 7 + u * 11 + v * 13 + p[l][0] * 17 +
                       p[l][2] * 19 + p[l][4];
  }
  }
}
