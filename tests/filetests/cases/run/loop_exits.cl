//! test = "run"
//! global = [40]
//! local = [20]
// A loop with several exits in a divergent loop. Lanes that leave by one exit in an early iteration
// wait there, also if the last iteration does not reach the branch to this exit.
uint item(uint a, uint m, uint *stop) {
  uint c = 3, k1 = 0;
  while (k1++ < a % 3u) {
    uint k2 = 0;
    while (k2++ < 4u) {
      c += a;
      uint k3 = 0;
      while (k3++ < c % 4u) {
        if (m % 3u == 0u) { *stop = 1; return 0; }
      }
      if (a & 8) break;
    }
  }
  return a + c;
}
kernel void test(global uint *out, global const uint *in, uint n) {
  uint g = get_global_id(0), stop = 0, v = item(in[g], n % 7u, &stop);
  if (stop) return;
  out[g] = v;
}
kernel void expect(global uint *out, global const uint *in, uint n) {
  for (uint g = 0; g < n; g++) {
    uint stop = 0, v = item(in[g], n % 7u, &stop);
    if (!stop) out[g] = v;
  }
}
