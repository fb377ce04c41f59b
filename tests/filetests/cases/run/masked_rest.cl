//! test = "run"
//! global = [52]
//! local = [13]
// Groups of 13 work-items, which fill no vector, or some vectors and a part of another. Lanes
// without a work-item must not access memory, nor change the sums of atomic operations.
kernel void test(global uint *out, global const uint *in, uint n) {
  uint g = get_global_id(0);
  private uint p[4] = {g, 2, 3, 4};
  uint sum = 0;
  for (uint i = 0; i < in[g] % 9u; i++) {
    p[(i + g) & 3] += in[(g + i) % n] & 255u;
    if (p[i & 3] % 5u == 4u) continue;
    sum += p[(i + 1) & 3];
  }
  out[g] = sum + p[g & 3];
  atomic_add(&out[n + g % 3u], sum & 15u);
  if (g % 2u) out[2u * n + (g ^ 5u) % n] = atomic_add(&out[3u * n], 0u);
}
kernel void expect(global uint *out, global const uint *in, uint n) {
  for (uint g = 0; g < n; g++) {
    uint p[4] = {g, 2, 3, 4}, sum = 0;
    for (uint i = 0; i < in[g] % 9u; i++) {
      p[(i + g) & 3] += in[(g + i) % n] & 255u;
      if (p[i & 3] % 5u == 4u) continue;
      sum += p[(i + 1) & 3];
    }
    out[g] = sum + p[g & 3];
    out[n + g % 3u] += sum & 15u;
    if (g % 2u) out[2u * n + (g ^ 5u) % n] = out[3u * n];
  }
}
