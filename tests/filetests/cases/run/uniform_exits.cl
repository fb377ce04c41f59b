//! test = "run"
//! global = [48]
//! local = [24]
// Divergent loops that all remaining lanes leave together, by a scalar condition in the header:
// with lanes that have left before by other exits, in nested loops, and for a limit of zero.
uint item(uint a, uint b, uint limit) {
  uint v = a % 11u, n = 0, c = 0;
  for (; n < limit; ++n) {
    if (v > 200u) break;
    v = v * 3u + b % 5u;
  }
  c = v * 64u + n;
  for (uint i = 0; i < limit; ++i) {
    if ((a + i) % 7u == 3u) continue;
    c += i;
    for (uint j = 0; j < i; ++j) {
      if (((c + j) & 15u) == a % 13u) break;
      if (((c ^ j) & 63u) == 17u) return c + 1000u * i;
      c += j ^ b;
    }
    if (c % 29u == 4u) goto out;
  }
  c += 7u;
out:
  for (uint i = 0; i < limit - limit; ++i) {
    if (c == i) break;
    c *= 3u;
  }
  return c;
}
kernel void test(global uint *out, global const uint *in, uint n) {
  uint g = get_global_id(0), v = item(in[g], in[(g + 5u) % n], n % 9u);
  if (in[g] & 1u) v ^= item(in[g] >> 1, g, n % 7u + 3u);
  out[g] = v;
}
kernel void expect(global uint *out, global const uint *in, uint n) {
  for (uint g = 0; g < n; g++) {
    uint v = item(in[g], in[(g + 5u) % n], n % 9u);
    if (in[g] & 1u) v ^= item(in[g] >> 1, g, n % 7u + 3u);
    out[g] = v;
  }
}
