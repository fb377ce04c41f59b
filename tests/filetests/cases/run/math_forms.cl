//! test = "run"
//! global = [24]
//! local = [8]
// Vector variants of mathematical functions give the scalar's bits for any argument (most are huge,
// tiny or negative), on every machine.
float number(uint bits, uint i, uint lane) {
  uint u = (bits + i * 40503u + lane * 7919u) * 2654435761u;
  return (u & 64) ? as_float(u) : as_float((u & 0x807fffffu) | ((120u + (u >> 23) % 15u) << 23));
}
uint fold(uint sum, float x) { return sum * 31u + (isnan(x) ? 0x7fc00000u : as_uint(x)); }
uint fold_double(uint sum, double x) {
  ulong bits = isnan(x) ? 0x7ff8000000000000ul : as_ulong(x);
  return (sum * 31u + (uint)bits) * 31u + (uint)(bits >> 32);
}
kernel void test(global uint *out, global const uint *in, uint n) {
  uint i = get_global_id(0), sum = 0;
  float4 x = (float4)(number(in[i], i, 0), number(in[i], i, 1), number(in[i], i, 2),
                      number(in[i], i, 3)),
         c;
  float4 y = x.wzyx, r[12];
  r[0] = sin(x), r[1] = cos(x), r[2] = tan(x), r[3] = sincos(x, &c), r[4] = exp(x), r[5] = log(x),
  r[6] = pow(x, y);
  r[7] = fmod(x, y), r[8] = remainder(x, y), r[9] = log1p(x), r[10] = expm1(x),
  r[11] = rootn(x, (int4)(2, 3, -5, 0));
  for (int f = 0; f < 12; f++) sum = fold(fold(fold(fold(sum, r[f].x), r[f].y), r[f].z), r[f].w);
  double2 d = convert_double2(x.xy) * 1.000000001, e = convert_double2(y.xy);
  double2 s[4];
  s[0] = sin(d), s[1] = exp(d), s[2] = log(d), s[3] = pow(d, e);
  for (int f = 0; f < 4; f++) sum = fold_double(fold_double(sum, s[f].x), s[f].y);
  out[i] = sum;
}
kernel void expect(global uint *out, global const uint *in, uint n) {
  for (uint i = 0; i < n; i++) {
    uint sum = 0;
    for (int f = 0; f < 12; f++)
      for (uint lane = 0; lane < 4; lane++) {
        float x = number(in[i], i, lane), y = number(in[i], i, 3 - lane), c, r;
        switch (f) {
          case 0: case 3: r = sin(x); break;
          case 1: r = cos(x); break;
          case 2: r = tan(x); break;
          case 4: r = exp(x); break;
          case 5: r = log(x); break;
          case 6: r = pow(x, y); break;
          case 7: r = fmod(x, y); break;
          case 8: r = remainder(x, y); break;
          case 9: r = log1p(x); break;
          case 10: r = expm1(x); break;
          default: r = rootn(x, lane == 0 ? 2 : lane == 1 ? 3 : lane == 2 ? -5 : 0);
        }
        sum = fold(sum, r);
      }
    for (int f = 0; f < 4; f++)
      for (uint lane = 0; lane < 2; lane++) {
        double d = (double)number(in[i], i, lane) * 1.000000001,
               e = (double)number(in[i], i, 3 - lane);
        sum = fold_double(sum, f == 0 ? sin(d) : f == 1 ? exp(d) : f == 2 ? log(d) : pow(d, e));
      }
    out[i] = sum;
  }
}
