//! test = "run"
//! global = [40]
//! local = [20]
// Tests library functions that have vector variants: on scalars and on OpenCL vectors, in divergent
// control flow, with a second result, and with uniform arguments. In one of 16 lanes, the argument
// has random bits. It may be huge, subnormal, infinite or NaN, which functions compute in a slow
// path.
float number(uint bits, uint i) {
  uint u = (bits + i * 40503u) * 2654435761u;
  return (u & 15) ? as_float((u & 0x807fffffu) | ((120u + (u >> 23) % 15u) << 23)) : as_float(u);
}
uint fold(uint sum, float x) { return sum * 31u + (isnan(x) ? 0x7fc00000u : as_uint(x)); }
uint fold_double(uint sum, double x) {
  ulong bits = isnan(x) ? 0x7ff8000000000000ul : as_ulong(x);
  return (sum * 31u + (uint)bits) * 31u + (uint)(bits >> 32);
}
uint item(uint bits, uint i, uint n) {
  float x = number(bits, i), y = number(bits, i + 1), c;
  double d = x * 1.000000001, e;
  uint sum = 0;
  if (bits & 1)
    sum = fold(fold(sum, sin(x)), pow(x, y));
  else if (bits & 2)
    sum = fold(fold(sum, log(x)), cos(y));
  for (uint k = 0; k < (bits >> 5) % 7; k++) {
    x = exp(-x * x) + log1p(fabs(x));
    sum = fold(sum, x);
    if (k == 3 && y > 0) break;
  }
  sum = fold(sum, sincos(y, &c));
  sum = fold(sum, c);
  sum = fold_double(sum, sincos(d, &e));
  sum = fold_double(sum, e);
  if (bits & 4) sum = fold_double(fold_double(sum, pow(d, 1.5)), sin(d));
  sum = fold_double(sum, log(d));
  sum = fold_double(sum, exp((double)n));
  int k;
  sum = fold(sum, lgamma_r(x, &k)) + k;
  sum = fold(sum, remquo(x, y, &k)) + k;
  sum = fold(sum, rootn(x, 3 + (int)(bits & 3)));
  return sum;
}
uint vectors(uint bits, uint i) {
  float4 v = (float4)(number(bits, i), number(bits, i + 1), number(bits, i + 2),
                      number(bits, i + 3));
  uint sum = 0;
  if (bits & 8) v = sin(v) + pow(fabs(v), v.yxwz);
  double2 d = exp(convert_double2(v.xy));
  sum = fold(fold(fold(fold(sum, v.x), v.y), v.z), v.w);
  return fold_double(fold_double(sum, d.x), d.y);
}
kernel void test(global uint *out, global const uint *in, uint n) {
  uint i = get_global_id(0);
  out[i] = item(in[i], i, n) + vectors(in[i], i);
}
kernel void expect(global uint *out, global const uint *in, uint n) {
  for (uint i = 0; i < n; i++) {
    uint bits = in[i], sum = 0;
    float x[4], r[4];
    for (int l = 0; l < 4; l++) x[l] = r[l] = number(bits, i + l);
    if (bits & 8)
      for (int l = 0; l < 4; l++) r[l] = sin(x[l]) + pow(fabs(x[l]), x[l ^ 1]);
    for (int l = 0; l < 4; l++) sum = fold(sum, r[l]);
    for (int l = 0; l < 2; l++) sum = fold_double(sum, exp((double)r[l]));
    out[i] = item(bits, i, n) + sum;
  }
}
