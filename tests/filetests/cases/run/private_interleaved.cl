//! test = "run"
//! global = [72]
//! local = [24]
// Private arrays in memory, interleaved by lane: elements of all sizes at uniform and varying
// indices, under divergent control flow, in loops that lanes leave early, and with elements that
// are never written. Then OpenCL vectors, whose components are accessed apart too, structures, and
// arrays that are not interleaved: their address escapes, or the accesses have several sizes.
#define OF_TYPE(NAME, T) \
  uint NAME(uint g, global const uint *in, uint n) { \
    T a[40], b[48]; \
    uint sum = 0, m = 20u + n % 8u; \
    for (uint i = 0; i < m; i++) a[i] = (T)(in[(g + i) % n] & 63u); \
    for (uint i = 5; i < m; i += 2) b[i] = a[i - 5], b[i + 12] = (T)(g & 7u); \
    for (uint i = 1; i < m; i++) \
      if (in[(g * 3u + i) % n] & 1u) a[i] = a[i - 1] + (T)1; \
    for (uint i = 0; i < m; i++) { \
      if (a[i] == (T)(g & 15u)) break; \
      a[i] += a[m - 1 - i]; \
      sum += i; \
    } \
    for (uint i = 0; i < in[g] % 7u; i++) { \
      a[in[(g + i) % n] % m] -= (T)i; \
      sum = sum * 31u + (uint)(long)a[(g + i) % m]; \
    } \
    if (g % 3u) { \
      short k = (short)(in[g] % 9u) - 4; \
      b[5 + 4 + (k & ~1)] += (T)3; \
      for (uint i = 7; i < m; i += 2) b[i] += b[i - 2]; \
    } \
    for (uint i = 0; i < m; i++) sum = sum * 33u + (uint)(long)a[i]; \
    for (uint i = 5; i < m; i += 2) sum = sum * 37u + (uint)(long)(b[i] + b[i + 12]); \
    return sum; \
  }
OF_TYPE(of_uchar, uchar)
OF_TYPE(of_short, short)
OF_TYPE(of_uint, uint)
OF_TYPE(of_long, long)
OF_TYPE(of_float, float)
OF_TYPE(of_double, double)

struct point {
  float x, y, z;
};
uint of_vectors(uint g, global const uint *in, uint n) {
  float4 a[20];
  float3 b[20];
  uchar2 c[70];
  struct point d[20];
  uint sum = 0, m = 12u + n % 8u;
  for (uint i = 0; i < m; i++) {
    float v = (float)(in[(g + i) % n] & 255u);
    a[i] = (float4)(v, v + 1, g, i);
    b[i] = (float3)(i, v * 2, g & 3u);
    c[i] = (uchar2)(g + i, i * 3u);
    d[i].x = v * 3, d[i].y = i, d[i].z = g;
  }
  for (uint i = 0; i < in[g] % 11u; i++) {
    uint k = in[(g + i) % n] % m;
    a[k] += a[i % m].yzwx;
    ((float *)a)[k * 4u + (i & 3u)] += 2;
    if (k & 1u) b[k].y -= b[i].x;
    c[k] ^= c[i];
    vstore2(vload2(k, (float *)a) + (float2)(i, 1), k, (float *)a);
    d[k].y += d[i].z;
  }
  for (uint i = 0; i < m; i++) {
    if (i == g % 16u) break;
    sum = sum * 31u + (uint)(long)(a[i].x + a[i].y * 3 + a[i].z * 5 + a[i].w * 7);
    sum = sum * 31u + (uint)(long)(b[i].x + b[i].y * 3 + b[i].z * 5) + c[i].x + c[i].y * 256u;
    sum = sum * 31u + (uint)(long)(d[i].x + d[i].y * 3 + d[i].z * 5);
  }
  return sum;
}

uint not_interleaved(uint g, global const uint *in, uint n) {
  uint a[40], b[40], c[40], e[40];
  uint sum = 0, m = 20u + n % 8u;
  for (uint i = 0; i < m; i++) a[i] = in[(g + i) % n], b[i] = i * g, c[i] = g, e[i] = i + g;
  // Bytes of words.
  for (uint i = 0; i < in[g] % 9u; i++) ((uchar *)a)[in[(g + i) % n] % (m * 4u)] += 3;
  // A selected array, and one whose address is compared and stored.
  uint *p = in[g] & 1u ? b : c;
  for (uint i = 0; i < m; i++) p[i] += i;
  uint *q = e + in[g] % 8u;
  for (uint i = 0; q < e + m && i < 50u; i++) *q++ += i;
  for (uint i = 0; i < m; i++) sum = sum * 31u + a[i] + b[i] * 3u + c[i] * 5u + e[i] * 7u;
  return sum;
}

#define SUM(OUT, G) \
  do { \
    OUT[G] = of_uchar(G, in, n) + of_uint(G, in, n) * 3u; \
    OUT[n + G] = of_short(G, in, n) + of_long(G, in, n) * 3u; \
    OUT[2u * n + G] = of_float(G, in, n) + of_double(G, in, n) * 3u; \
    OUT[3u * n + G] = of_vectors(G, in, n) + not_interleaved(G, in, n) * 3u; \
  } while (0)

kernel void test(global uint *out, global const uint *in, uint n) {
  uint g = get_global_id(0);
  SUM(out, g);
}
kernel void expect(global uint *out, global const uint *in, uint n) {
  for (uint g = 0; g < n; g++) SUM(out, g);
}
