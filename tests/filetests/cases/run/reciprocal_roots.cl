//! test = "run"
//! global = [64]
//! local = [32]
// Reciprocal square roots, which may come from an estimate: within 2 ULP of the quotient in
// `double`, the same in all lanes, and exact for 0, infinity and negative numbers.
bool is_near(float found, float x) {
  double right = 1.0 / sqrt((double)x);
  if (x == 0 || isinf(x) || x < 0) {
    float wanted = (float)right;
    return isnan(wanted) ? isnan(found) : as_uint(found) == as_uint(wanted);
  }
  int power;
  frexp((float)right, &power);
  return fabs((double)found - right) <= ldexp(2.0, power - 24);
}
float number(uint bits) {
  uint kind = bits % 9;
  if (kind == 0) return bits & 16 ? 0.0f : -0.0f;
  if (kind == 1) return bits & 16 ? INFINITY : -1.5f;
  if (kind == 2) return as_float(bits & 0x7fffff | 1);
  return as_float((bits * 2654435761u & 0x3fffffff) + 0x10000000);
}
kernel void test(global uint *out, global const uint *in, uint n) {
  uint i = get_global_id(0), near = 0;
  for (uint at = i; at < 4 * n; at += n) {
    float x = number(in[at]);
    float3 v = (float3)(x, 3.0f, x + 1.0f);
    near += is_near(rsqrt(x), x);
    near += is_near(1.0f / sqrt(x), x);
    float3 roots = rsqrt(v);
    near += is_near(roots.x, v.x) && is_near(roots.y, v.y);
    near += is_near(native_rsqrt(x), x);
  }
  out[i] = near;
}
kernel void expect(global uint *out, global const uint *in, uint n) {
  for (uint i = 0; i < n; i++) out[i] = 16;
}
