//! test = "run"
//! global = [40]
//! local = [20]
// LLVM makes two nested loops of a loop with `continue`. Lanes leave the inner one and come back by
// the outer one, so that both are divergent although their condition is uniform.
uint item(uint d, uint l, uint m) {
  float f = (float)(d % 1000u);
  uint k = 0;
  while (k++ < m % 4u) {
    if (d % 4u > 1u) continue;
    f = f * 0.25f - (float)l;
  }
  return as_uint(f);
}
kernel void test(global uint *out, global const uint *in, uint n) {
  uint g = get_global_id(0);
  out[g] = item(in[g], get_local_id(0), n % 7u);
}
kernel void expect(global uint *out, global const uint *in, uint n) {
  for (uint g = 0; g < n; g++) out[g] = item(in[g], g % 20u, n % 7u);
}
