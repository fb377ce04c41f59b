//! test = "run"
//! global = [64]
//! local = [16]
// A loop that counts from 0 and ends by the result of an exchange, beside a bound.
kernel void test(global uint *out, global const uint *in, uint n) {
  uint i = get_global_id(0), k = 0, old;
  volatile global uint *at = &out[n + (in[i] & 7)];
  do {
    old = *at;
    if (k < i) k = i;
    k++;
  } while (atomic_cmpxchg(at, old, old + (i < n - 20 ? 3 : 5)) != old);
  uint c = 0;
  bool again;
  do {
    c++;
    again = atomic_cmpxchg(&out[2 * n + i], c - 1, c) == c - 1;
  } while (again && c < (in[i] & 15) + 1);
  out[i] = c * 5 + (k > i);
}
kernel void expect(global uint *out, global const uint *in, uint n) {
  for (uint i = 0; i < n; i++) {
    out[n + (in[i] & 7)] += i < n - 20 ? 3 : 5;
    uint c = 0;
    while (out[2 * n + i] == c) {
      out[2 * n + i] = ++c;
      if (c >= (in[i] & 15) + 1) break;
    }
    out[i] = c * 5 + 1;
  }
}
