//! test = "run"
//! global = [96]
//! local = [48]
// OpenCL vectors of consecutive work-items: through arithmetic, conversions, conditions, loops that
// lanes leave at different times, and with all or single components used.
uint4 turn(uint4 v, uint k) {
  for (uint i = 0; i < k % 7u; ++i) {
    v = v * 5u + (uint4)(1, 2, 3, i);
    if ((v.y & 15u) == 3u) break;
    if (i & 1u) v ^= v >> 3;
  }
  return v;
}
uint sum(uint4 v) { return v.x + v.y * 3u + v.z * 5u + v.w * 7u; }
kernel void test(global uint *out, global const uint *in, uint n) {
  local uint4 q[48];
  local uchar8 y[48];
  local ulong2 w[48];
  local float16 f[48];
  uint g = get_global_id(0), l = get_local_id(0);
  q[l] = (uint4)(in[g], g, in[(g + 1u) % n], 4);
  y[l] = convert_uchar8((uint8)(in[g], g, 1, 2, 3, 4, 5, 6) & 255u);
  w[l] = (ulong2)(in[g], g);
  f[l] = (float16)((float)(in[g] & 1023u));
  uint4 v = q[l], old = vload4(g % (n / 4u), in);
  v = turn(v, in[g]);
  v = in[g] & 4u ? v + old : v - q[l];
  q[l] = select(v, old, v < old);
  if (in[g] & 8u) q[l] += v;
  uchar8 z = y[l] * (uchar)3;
  z = max(z, y[l]) + (uchar8)(1);
  y[l] = z;
  ulong2 k = w[l] * 7ul + (ulong2)(1, in[0]);
  w[l] = k / (w[l] | 1ul);
  float16 h = f[l] * 0.5f + 2.0f;
  f[l] = h - f[l];
  float16 e = f[l];
  out[g] = sum(q[l]) + sum(v) * 11u + (uint)z.s3 + (uint)y[l].s7 * 256u + (uint)w[l].y;
  out[n + g] = (uint)k.x + (uint)(e.s0 * 8.0f + 10000.0f) + (uint)(h.sf * 4.0f);
}
kernel void expect(global uint *out, global const uint *in, uint n) {
  for (uint g = 0; g < n; g++) {
    uint4 q = (uint4)(in[g], g, in[(g + 1u) % n], 4);
    uchar8 y = convert_uchar8((uint8)(in[g], g, 1, 2, 3, 4, 5, 6) & 255u);
    ulong2 w = (ulong2)(in[g], g);
    float16 f = (float16)((float)(in[g] & 1023u));
    uint4 v = q, old = vload4(g % (n / 4u), in);
    v = turn(v, in[g]);
    v = in[g] & 4u ? v + old : v - q;
    q = select(v, old, v < old);
    if (in[g] & 8u) q += v;
    uchar8 z = y * (uchar)3;
    z = max(z, y) + (uchar8)(1);
    y = z;
    ulong2 k = w * 7ul + (ulong2)(1, in[0]);
    w = k / (w | 1ul);
    float16 h = f * 0.5f + 2.0f;
    f = h - f;
    out[g] = sum(q) + sum(v) * 11u + (uint)z.s3 + (uint)y.s7 * 256u + (uint)w.y;
    out[n + g] = (uint)k.x + (uint)(f.s0 * 8.0f + 10000.0f) + (uint)(h.sf * 4.0f);
  }
}
