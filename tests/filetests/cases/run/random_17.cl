//! test = "run"
//! global = [64]
//! local = [16]
// Written by a generator of random kernels: uniform control flow, barriers anywhere, private arrays
// (seed 17).
kernel void test(global uint *out, global const uint *in, uint n) {
  local uint t[16]; uint l = get_local_id(0), g = get_group_id(0), u = g, v = n, p[5] = {1,2,3,4,5};
  uint a = in[get_global_id(0)], b = l, c = 3, d = a ^ 77;
  uint m2 = (g)%3u;
  for (uint k1 = 0; k1 < m2; k1++) {
    u += k1;
    if ((v^5u) & 3u) {
      c = (b>>5);
      b = g+u;
      uint m4 = 3u;
      for (uint k3 = 0; k3 < m4; k3++) {
        u += k3;
        if (((l^u) & 3u) == 1u) a += p[b%5u];
      }
      c = c;
      d = (a^d);
    } else {
      if ((u*3u) & 1u) {
        c = (b+u+v);
        if (((l^u) & 3u) == 1u) c += l;
        if (((l^u) & 3u) == 1u) a += (a^d);
      } else {
        t[l] = p[a%5u];
        barrier(CLK_LOCAL_MEM_FENCE);
        c = t[(l+1u)%16u];
        barrier(CLK_LOCAL_MEM_FENCE);
        t[l] = (b>>2);
        barrier(CLK_LOCAL_MEM_FENCE);
        d ^= t[(l+9u)%16u];
        barrier(CLK_LOCAL_MEM_FENCE);
      }
      t[l] = (c*4u);
      barrier(CLK_LOCAL_MEM_FENCE);
      b += t[(l+8u)%16u];
      barrier(CLK_LOCAL_MEM_FENCE);
      p[(l+3u)%5u] += (c*7u);
    }
    for(uint q=0;q<(l%3u);q++) a = a*3u+q;
    if ((4u) % 4u == 1u) break;
    c = d;
    t[l] = (d>>1);
    barrier(CLK_LOCAL_MEM_FENCE);
    d ^= t[(l+8u)%16u];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  c = (c+u);
  if ((9u) & 3u) {
    c = n;
    t[l] = (d*4u);
    barrier(CLK_LOCAL_MEM_FENCE);
    c ^= t[(l+3u)%16u];
    barrier(CLK_LOCAL_MEM_FENCE);
    u = 3u;
    if ((g) & 2u) {
      for(uint q=0;q<(l%5u);q++) b = b*3u+q;
      for(uint q=0;q<(l%4u);q++) c = c*3u+q;
      a = p[c%5u];
      t[l] = l;
      barrier(CLK_LOCAL_MEM_FENCE);
      b = t[(l+4u)%16u];
      barrier(CLK_LOCAL_MEM_FENCE);
      a = p[c%5u];
    }
    if ((u) & 2u) {
      uint m6 = (v)%3u;
      for (uint k5 = 0; k5 < m6; k5++) {
        u += k5;
        t[l] = (c*4u);
        barrier(CLK_LOCAL_MEM_FENCE);
        a ^= t[(l+8u)%16u];
        barrier(CLK_LOCAL_MEM_FENCE);
        t[l] = (a^a);
        barrier(CLK_LOCAL_MEM_FENCE);
        d = t[(l+0u)%16u];
        barrier(CLK_LOCAL_MEM_FENCE);
        if ((v) % 3u == 1u) continue;
        if ((l & 2u) == 1u) b += p[c%5u];
        a = (c>>2);
      }
      for(uint q=0;q<(l%3u);q++) b = b*3u+q;
      u = v;
    } else {
      uint m8 = 3u;
      for (uint k7 = 0; k7 < m8; k7++) {
        u += k7;
        t[l] = (a>>5);
        barrier(CLK_LOCAL_MEM_FENCE);
        c += t[(l+4u)%16u];
        barrier(CLK_LOCAL_MEM_FENCE);
        t[l] = (d^b);
        barrier(CLK_LOCAL_MEM_FENCE);
        b ^= t[(l+8u)%16u];
        barrier(CLK_LOCAL_MEM_FENCE);
        for(uint q=0;q<(l%4u);q++) b = b*3u+q;
        if ((u*3u) % 4u == 1u) break;
        for(uint q=0;q<(l%2u);q++) d = d*3u+q;
      }
      p[(l+0u)%5u] += u+v;
      if (((l^u) & 3u) == 1u) d += (b^b);
      if (((l^u) & 3u) == 1u) c += v;
      b = (d^d);
    }
  } else {
    if ((l & 3u) == 1u) b += (a^a);
    if (((l^u) & 2u) == 1u) d += (d>>5);
  }
  for(uint q=0;q<(l%5u);q++) b = b*3u+q;
  b = (b^b);
  t[l] = (c+g);
  barrier(CLK_LOCAL_MEM_FENCE);
  d = t[(l+7u)%16u];
  barrier(CLK_LOCAL_MEM_FENCE);
  for(uint q=0;q<(l%3u);q++) a = a*3u+q;
  d = (b>>4);
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
  uint m2 = (g)%3u;
  for (uint k1 = 0; k1 < m2; k1++) {
    u += k1;
    if ((v^5u) & 3u) {
      for(uint l=0;l<16u;l++){ c[l] = (b[l]>>5); }
      for(uint l=0;l<16u;l++){ b[l] = g+u; }
      uint m4 = 3u;
      for (uint k3 = 0; k3 < m4; k3++) {
        u += k3;
        for(uint l=0;l<16u;l++){ if (((l^u) & 3u) == 1u) a[l] += p[l][b[l]%5u]; }
      }
      for(uint l=0;l<16u;l++){ c[l] = c[l]; }
      for(uint l=0;l<16u;l++){ d[l] = (a[l]^d[l]); }
    } else {
      if ((u*3u) & 1u) {
        for(uint l=0;l<16u;l++){ c[l] = (b[l]+u+v); }
        for(uint l=0;l<16u;l++){ if (((l^u) & 3u) == 1u) c[l] += l; }
        for(uint l=0;l<16u;l++){ if (((l^u) & 3u) == 1u) a[l] += (a[l]^d[l]); }
      } else {
        for(uint l=0;l<16u;l++){ t[l] = p[l][a[l]%5u]; }
        
        for(uint l=0;l<16u;l++){ c[l] = t[(l+1u)%16u]; }
        
        for(uint l=0;l<16u;l++){ t[l] = (b[l]>>2); }
        
        for(uint l=0;l<16u;l++){ d[l] ^= t[(l+9u)%16u]; }
        
      }
      for(uint l=0;l<16u;l++){ t[l] = (c[l]*4u); }
      
      for(uint l=0;l<16u;l++){ b[l] += t[(l+8u)%16u]; }
      
      for(uint l=0;l<16u;l++){ p[l][(l+3u)%5u] += (c[l]*7u); }
    }
    for(uint l=0;l<16u;l++){ for(uint q=0;q<(l%3u);q++) a[l] = a[l]*3u+q; }
    if ((4u) % 4u == 1u) break;
    for(uint l=0;l<16u;l++){ c[l] = d[l]; }
    for(uint l=0;l<16u;l++){ t[l] = (d[l]>>1); }
    
    for(uint l=0;l<16u;l++){ d[l] ^= t[(l+8u)%16u]; }
    
  }
  for(uint l=0;l<16u;l++){ c[l] = (c[l]+u); }
  if ((9u) & 3u) {
    for(uint l=0;l<16u;l++){ c[l] = n; }
    for(uint l=0;l<16u;l++){ t[l] = (d[l]*4u); }
    
    for(uint l=0;l<16u;l++){ c[l] ^= t[(l+3u)%16u]; }
    
    u = 3u;
    if ((g) & 2u) {
      for(uint l=0;l<16u;l++){ for(uint q=0;q<(l%5u);q++) b[l] = b[l]*3u+q; }
      for(uint l=0;l<16u;l++){ for(uint q=0;q<(l%4u);q++) c[l] = c[l]*3u+q; }
      for(uint l=0;l<16u;l++){ a[l] = p[l][c[l]%5u]; }
      for(uint l=0;l<16u;l++){ t[l] = l; }
      
      for(uint l=0;l<16u;l++){ b[l] = t[(l+4u)%16u]; }
      
      for(uint l=0;l<16u;l++){ a[l] = p[l][c[l]%5u]; }
    }
    if ((u) & 2u) {
      uint m6 = (v)%3u;
      for (uint k5 = 0; k5 < m6; k5++) {
        u += k5;
        for(uint l=0;l<16u;l++){ t[l] = (c[l]*4u); }
        
        for(uint l=0;l<16u;l++){ a[l] ^= t[(l+8u)%16u]; }
        
        for(uint l=0;l<16u;l++){ t[l] = (a[l]^a[l]); }
        
        for(uint l=0;l<16u;l++){ d[l] = t[(l+0u)%16u]; }
        
        if ((v) % 3u == 1u) continue;
        for(uint l=0;l<16u;l++){ if ((l & 2u) == 1u) b[l] += p[l][c[l]%5u]; }
        for(uint l=0;l<16u;l++){ a[l] = (c[l]>>2); }
      }
      for(uint l=0;l<16u;l++){ for(uint q=0;q<(l%3u);q++) b[l] = b[l]*3u+q; }
      u = v;
    } else {
      uint m8 = 3u;
      for (uint k7 = 0; k7 < m8; k7++) {
        u += k7;
        for(uint l=0;l<16u;l++){ t[l] = (a[l]>>5); }
        
        for(uint l=0;l<16u;l++){ c[l] += t[(l+4u)%16u]; }
        
        for(uint l=0;l<16u;l++){ t[l] = (d[l]^b[l]); }
        
        for(uint l=0;l<16u;l++){ b[l] ^= t[(l+8u)%16u]; }
        
        for(uint l=0;l<16u;l++){ for(uint q=0;q<(l%4u);q++) b[l] = b[l]*3u+q; }
        if ((u*3u) % 4u == 1u) break;
        for(uint l=0;l<16u;l++){ for(uint q=0;q<(l%2u);q++) d[l] = d[l]*3u+q; }
      }
      for(uint l=0;l<16u;l++){ p[l][(l+0u)%5u] += u+v; }
      for(uint l=0;l<16u;l++){ if (((l^u) & 3u) == 1u) d[l] += (b[l]^b[l]); }
      for(uint l=0;l<16u;l++){ if (((l^u) & 3u) == 1u) c[l] += v; }
      for(uint l=0;l<16u;l++){ b[l] = (d[l]^d[l]); }
    }
  } else {
    for(uint l=0;l<16u;l++){ if ((l & 3u) == 1u) b[l] += (a[l]^a[l]); }
    for(uint l=0;l<16u;l++){ if (((l^u) & 2u) == 1u) d[l] += (d[l]>>5); }
  }
  for(uint l=0;l<16u;l++){ for(uint q=0;q<(l%5u);q++) b[l] = b[l]*3u+q; }
  for(uint l=0;l<16u;l++){ b[l] = (b[l]^b[l]); }
  for(uint l=0;l<16u;l++){ t[l] = (c[l]+g); }
  
  for(uint l=0;l<16u;l++){ d[l] = t[(l+7u)%16u]; }
  
  for(uint l=0;l<16u;l++){ for(uint q=0;q<(l%3u);q++) a[l] = a[l]*3u+q; }
  for(uint l=0;l<16u;l++){ d[l] = (b[l]>>4); }
  for (uint l = 0; l < 16u; l++) {
    out[g * 16u + l] = a[l] + b[l] * 3 + c[l] * 5 + d[l] * 7 + u * 11 + v * 13 + p[l][0] * 17 +
                       p[l][2] * 19 + p[l][4];
  }
  }
}
