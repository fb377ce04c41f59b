//! test = "run"
//! global = [80]
//! local = [40]
// Library functions on OpenCL vectors that are loaded, computed and stored whole: of several
// arguments and types, in divergent control flow, and of three components. In one of 16 lanes, the
// argument has random bits, which functions compute in a slow path.
float number(uint bits, uint i) {
  uint u = (bits + i * 40503u) * 2654435761u;
  return (u & 15) ? as_float((u & 0x807fffffu) | ((120u + (u >> 23) % 15u) << 23)) : as_float(u);
}
uint fold(uint sum, float x) { return sum * 31u + (isnan(x) ? 0x7fc00000u : as_uint(x)); }
uint fold_double(uint sum, double x) {
  ulong bits = isnan(x) ? 0x7ff8000000000000ul : as_ulong(x);
  return (sum * 31u + (uint)bits) * 31u + (uint)(bits >> 32);
}
kernel void test(global uint *out, global const uint *in, uint n) {
  local float4 a[40], b[40];
  local double2 d[40];
  local float3 t[40];
  uint g = get_global_id(0), l = get_local_id(0), h = in[g];
  a[l] = (float4)(number(h, 0), number(h, 1), number(h, 2), number(h, 3));
  b[l] = (float4)(number(h, 4), number(h, 5), number(h, 6), number(h, 7));
  d[l] = (double2)(number(h, 8) * 1.000000001, number(h, 9));
  t[l] = (float3)(number(h, 10), number(h, 11), number(h, 12));
  barrier(CLK_LOCAL_MEM_FENCE);
  b[l] = pow(fabs(a[l]), b[l]);
  if (h & 1)
    a[l] = sin(a[l]) + exp(-a[l]);
  else if (h & 2)
    a[l] = ldexp(log(a[l]), (int4)(h & 7));
  for (uint k = 0; k < (h >> 5) % 5u; ++k) d[l] = cos(d[l]) + 1.0;
  if (h & 4) t[l] = tan(t[l]);
  barrier(CLK_LOCAL_MEM_FENCE);
  uint sum = fold(fold(fold(fold(7, a[l].x), a[l].y), a[l].z), a[l].w);
  sum = fold(fold(fold(fold(sum, b[l].x), b[l].y), b[l].z), b[l].w);
  out[g] = sum;
  sum = fold_double(fold_double(9, d[l].x), d[l].y);
  out[n + g] = fold(fold(fold(sum, t[l].x), t[l].y), t[l].z);
}
kernel void expect(global uint *out, global const uint *in, uint n) {
  for (uint g = 0; g < n; g++) {
    uint h = in[g], sum = 7;
    float a[4], b[4];
    for (uint c = 0; c < 4; c++) {
      a[c] = number(h, c);
      b[c] = pow(fabs(a[c]), number(h, 4 + c));
      if (h & 1)
        a[c] = sin(a[c]) + exp(-a[c]);
      else if (h & 2)
        a[c] = ldexp(log(a[c]), (int)(h & 7));
    }
    for (uint c = 0; c < 4; c++) sum = fold(sum, a[c]);
    for (uint c = 0; c < 4; c++) sum = fold(sum, b[c]);
    out[g] = sum;
    sum = 9;
    for (uint c = 0; c < 2; c++) {
      double d = c ? (double)number(h, 9) : number(h, 8) * 1.000000001;
      for (uint k = 0; k < (h >> 5) % 5u; ++k) d = cos(d) + 1.0;
      sum = fold_double(sum, d);
    }
    for (uint c = 0; c < 3; c++) {
      float t = number(h, 10 + c);
      if (h & 4) t = tan(t);
      sum = fold(sum, t);
    }
    out[n + g] = sum;
  }
}
