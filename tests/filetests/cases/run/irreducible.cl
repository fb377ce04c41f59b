//! test = "run"
//! global = [48]
//! local = [16]
#define INLINE __attribute__((always_inline))
// Jumps into loops, with work-items that enter a loop at different blocks.
INLINE uint two_entries(uint x, uint k, uint odd) {
  uint r = 0;
  if (odd) goto middle;
top:
  r = r * 3u + x;
middle:
  x = x * 5u + 1u;
  r ^= x >> 3;
  if (k-- > 0) goto top;
  return r ^ x;
}
INLINE uint three_entries(uint x, uint k, uint which) {
  uint a = x, b = 1;
  switch (which) {
    case 0: goto first;
    case 1: goto second;
    default: goto third;
  }
first:
  a += b * 3u;
  if (a & 4u) goto third;
second:
  b ^= a;
  if (b % 3u == 0u) goto first;
third:
  a = a * 7u + b;
  if (k == 0) return a;
  k--;
  if (a & 8u) goto second;
  goto first;
}
// A loop inside the part that is copied, and an inner loop with two entries.
INLINE uint nested(global const uint *in, uint x, uint k, uint odd) {
  uint p[4] = {x, 1, 2, 3}, i = 0, j = 0;
  if (odd & 1u) goto inside;
outer:
  p[i & 3u] += x;
  j = 0;
  if (odd & 2u) goto inner;
again:
  x ^= in[(x + j) % 64u];
inner:
  p[(x + j) & 3u] += j;
  if (++j < (x & 3u)) goto again;
inside:
  for (uint m = 0; m < (x & 3u); m++) {
    if (p[m] == 7u) break;
    x = x * 3u + p[m];
  }
  if (i++ < k) goto outer;
  return x ^ p[0] ^ p[1] * 3u ^ p[2] * 5u ^ p[3] * 7u;
}
// The condition is the same for all work-items.
INLINE uint uniform_entry(global const uint *in, uint x, uint n) {
  uint i = 0;
  if (n & 1u) goto middle;
top:
  x += in[i];
middle:
  x = x * 3u ^ in[i + 1u];
  if (++i < 5u) goto top;
  return x;
}
INLINE uint of(global const uint *in, uint i, uint n) {
  uint x = in[i];
  uint r = two_entries(x, i & 7u, x & 1u);
  r += three_entries(x, (i >> 1) & 7u, x % 3u) * 3u;
  r += nested(in, x & 1023u, i & 3u, x >> 4) * 5u;
  r += uniform_entry(in, x, n + 1u) * 11u;
  return r;
}
kernel void test(global uint *out, global const uint *in, uint n) {
  uint i = get_global_id(0);
  out[i] = of(in, i, n);
}
kernel void expect(global uint *out, global const uint *in, uint n) {
  for (uint i = 0; i < n; i++) out[i] = of(in, i, n);
}
