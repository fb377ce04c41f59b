//! test = "run"
//! global = [16]
//! local = [4]
// Written by a generator of random kernels: uniform control flow, barriers anywhere, private arrays
// (seed 3).
kernel void test(global uint *out, global const uint *in, uint n) {
  local uint t[4]; uint l = get_local_id(0), g = get_group_id(0), u = g, v = n, p[5] = {1,2,3,4,5};
  uint a = in[get_global_id(0)], b = l, c = 3, d = a ^ 77;
  v = (u>>1)+v;
  t[l] = (b*3u);
  barrier(CLK_LOCAL_MEM_FENCE);
  a = t[(l+7u)%4u];
  barrier(CLK_LOCAL_MEM_FENCE);
  uint m2 = 2u;
  for (uint k1 = 0; k1 < m2; k1++) {
    u += k1;
    uint m4 = 3u;
    for (uint k3 = 0; k3 < m4; k3++) {
      u += k3;
      t[l] = (d*6u);
      barrier(CLK_LOCAL_MEM_FENCE);
      a = t[(l+0u)%4u];
      barrier(CLK_LOCAL_MEM_FENCE);
      p[(l+3u)%5u] += (d>>5);
      if ((u*3u) & 1u) {
        b = (d*7u);
      } else {
        v = n;
        t[l] = g+u;
        barrier(CLK_LOCAL_MEM_FENCE);
        a = t[(l+9u)%4u];
        barrier(CLK_LOCAL_MEM_FENCE);
        t[l] = l;
        barrier(CLK_LOCAL_MEM_FENCE);
        b += t[(l+4u)%4u];
        barrier(CLK_LOCAL_MEM_FENCE);
        t[l] = l;
        barrier(CLK_LOCAL_MEM_FENCE);
        d ^= t[(l+5u)%4u];
        barrier(CLK_LOCAL_MEM_FENCE);
      }
      if ((v^5u) % 4u == 1u) break;
      a = (c>>5);
    }
    if ((g+u) & 1u) {
      if ((l & 3u) == 1u) a += l;
      if ((u+v) & 3u) {
        a = (c^c);
        p[(l+4u)%5u] += p[d%5u];
      }
    } else {
      p[(l+4u)%5u] += (c+u+v);
      if (((l^u) & 3u) == 1u) c += d;
      b = c;
      for(uint q=0;q<(l%4u);q++) c = c*3u+q;
    }
    t[l] = (c^d);
    barrier(CLK_LOCAL_MEM_FENCE);
    a ^= t[(l+0u)%4u];
    barrier(CLK_LOCAL_MEM_FENCE);
    if ((g) % 3u == 1u) continue;
    if ((l & 1u) == 1u) c += (c*5u);
    if ((u+v) & 3u) {
      t[l] = v;
      barrier(CLK_LOCAL_MEM_FENCE);
      c += t[(l+5u)%4u];
      barrier(CLK_LOCAL_MEM_FENCE);
      t[l] = l;
      barrier(CLK_LOCAL_MEM_FENCE);
      b ^= t[(l+2u)%4u];
      barrier(CLK_LOCAL_MEM_FENCE);
    } else {
      a = b;
      if (((l^u) & 1u) == 1u) b += (c*7u);
      t[l] = (d*4u);
      barrier(CLK_LOCAL_MEM_FENCE);
      d = t[(l+8u)%4u];
      barrier(CLK_LOCAL_MEM_FENCE);
      p[(l+1u)%5u] += (a>>4);
      d = (b>>1);
    }
  }
  t[l] = l;
  barrier(CLK_LOCAL_MEM_FENCE);
  c = t[(l+3u)%4u];
  barrier(CLK_LOCAL_MEM_FENCE);
  b = a;
  if ((n) & 2u) {
    a = u+v;
    a = (a>>5);
  } else {
    d = c;
    a = l;
    c = (u>>1)+v;
  }
  t[l] = (c+g+u);
  barrier(CLK_LOCAL_MEM_FENCE);
  d = t[(l+4u)%4u];
  barrier(CLK_LOCAL_MEM_FENCE);
  for(uint q=0;q<(l%2u);q++) a = a*3u+q;
  t[l] = l;
  barrier(CLK_LOCAL_MEM_FENCE);
  a ^= t[(l+0u)%4u];
  barrier(CLK_LOCAL_MEM_FENCE);
  out[get_global_id(0)] =
      a + b * 3 + c * 5 + d * 7 + u * 11 + v * 13 + p[0] * 17 + p[2] * 19 + p[4];
}
kernel void expect(global uint *out, global const uint *in, uint n) {
  for (uint g = 0; g < 4u; g++) { uint t[4], a[4], b[4], c[4], d[4], p[4][5], u = g, v = n;
    for (uint l = 0; l < 4u; l++) {
      a[l] = in[g * 4u + l];
      b[l] = l;
      c[l] = 3;
      d[l] = a[l] ^ 77;
      for (uint q = 0; q < 5; q++) p[l][q] = q + 1;
    }
  v = (u>>1)+v;
  for(uint l=0;l<4u;l++){ t[l] = (b[l]*3u); }
  
  for(uint l=0;l<4u;l++){ a[l] = t[(l+7u)%4u]; }
  
  uint m2 = 2u;
  for (uint k1 = 0; k1 < m2; k1++) {
    u += k1;
    uint m4 = 3u;
    for (uint k3 = 0; k3 < m4; k3++) {
      u += k3;
      for(uint l=0;l<4u;l++){ t[l] = (d[l]*6u); }
      
      for(uint l=0;l<4u;l++){ a[l] = t[(l+0u)%4u]; }
      
      for(uint l=0;l<4u;l++){ p[l][(l+3u)%5u] += (d[l]>>5); }
      if ((u*3u) & 1u) {
        for(uint l=0;l<4u;l++){ b[l] = (d[l]*7u); }
      } else {
        v = n;
        for(uint l=0;l<4u;l++){ t[l] = g+u; }
        
        for(uint l=0;l<4u;l++){ a[l] = t[(l+9u)%4u]; }
        
        for(uint l=0;l<4u;l++){ t[l] = l; }
        
        for(uint l=0;l<4u;l++){ b[l] += t[(l+4u)%4u]; }
        
        for(uint l=0;l<4u;l++){ t[l] = l; }
        
        for(uint l=0;l<4u;l++){ d[l] ^= t[(l+5u)%4u]; }
        
      }
      if ((v^5u) % 4u == 1u) break;
      for(uint l=0;l<4u;l++){ a[l] = (c[l]>>5); }
    }
    if ((g+u) & 1u) {
      for(uint l=0;l<4u;l++){ if ((l & 3u) == 1u) a[l] += l; }
      if ((u+v) & 3u) {
        for(uint l=0;l<4u;l++){ a[l] = (c[l]^c[l]); }
        for(uint l=0;l<4u;l++){ p[l][(l+4u)%5u] += p[l][d[l]%5u]; }
      }
    } else {
      for(uint l=0;l<4u;l++){ p[l][(l+4u)%5u] += (c[l]+u+v); }
      for(uint l=0;l<4u;l++){ if (((l^u) & 3u) == 1u) c[l] += d[l]; }
      for(uint l=0;l<4u;l++){ b[l] = c[l]; }
      for(uint l=0;l<4u;l++){ for(uint q=0;q<(l%4u);q++) c[l] = c[l]*3u+q; }
    }
    for(uint l=0;l<4u;l++){ t[l] = (c[l]^d[l]); }
    
    for(uint l=0;l<4u;l++){ a[l] ^= t[(l+0u)%4u]; }
    
    if ((g) % 3u == 1u) continue;
    for(uint l=0;l<4u;l++){ if ((l & 1u) == 1u) c[l] += (c[l]*5u); }
    if ((u+v) & 3u) {
      for(uint l=0;l<4u;l++){ t[l] = v; }
      
      for(uint l=0;l<4u;l++){ c[l] += t[(l+5u)%4u]; }
      
      for(uint l=0;l<4u;l++){ t[l] = l; }
      
      for(uint l=0;l<4u;l++){ b[l] ^= t[(l+2u)%4u]; }
      
    } else {
      for(uint l=0;l<4u;l++){ a[l] = b[l]; }
      for(uint l=0;l<4u;l++){ if (((l^u) & 1u) == 1u) b[l] += (c[l]*7u); }
      for(uint l=0;l<4u;l++){ t[l] = (d[l]*4u); }
      
      for(uint l=0;l<4u;l++){ d[l] = t[(l+8u)%4u]; }
      
      for(uint l=0;l<4u;l++){ p[l][(l+1u)%5u] += (a[l]>>4); }
      for(uint l=0;l<4u;l++){ d[l] = (b[l]>>1); }
    }
  }
  for(uint l=0;l<4u;l++){ t[l] = l; }
  
  for(uint l=0;l<4u;l++){ c[l] = t[(l+3u)%4u]; }
  
  for(uint l=0;l<4u;l++){ b[l] = a[l]; }
  if ((n) & 2u) {
    for(uint l=0;l<4u;l++){ a[l] = u+v; }
    for(uint l=0;l<4u;l++){ a[l] = (a[l]>>5); }
  } else {
    for(uint l=0;l<4u;l++){ d[l] = c[l]; }
    for(uint l=0;l<4u;l++){ a[l] = l; }
    for(uint l=0;l<4u;l++){ c[l] = (u>>1)+v; }
  }
  for(uint l=0;l<4u;l++){ t[l] = (c[l]+g+u); }
  
  for(uint l=0;l<4u;l++){ d[l] = t[(l+4u)%4u]; }
  
  for(uint l=0;l<4u;l++){ for(uint q=0;q<(l%2u);q++) a[l] = a[l]*3u+q; }
  for(uint l=0;l<4u;l++){ t[l] = l; }
  
  for(uint l=0;l<4u;l++){ a[l] ^= t[(l+0u)%4u]; }

  for (uint l = 0; l < 4u; l++) {
    out[g * 4u + l] = a[l] + b[l] * 3 + c[l] * 5 + d[l] * 7 + u * 11 + v * 13 + p[l][0] * 17 +
                      p[l][2] * 19 + p[l][4];
  }
  }
}
