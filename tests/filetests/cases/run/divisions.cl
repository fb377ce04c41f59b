//! test = "run"
//! global = [256]
//! local = [64]
// Quotients and remainders of all widths, by divisors that work-items share and by their own, near
// the limits of the types.
int edge(uint bits) {
  switch (bits & 7) {
    case 0: return INT_MIN;
    case 1: return INT_MAX;
    case 2: return -1;
    case 3: return (int)(bits >> 28) - 8;
    case 4: return (int)(bits >> 16) - 32768;
    default: return (int)bits;
  }
}
uint fold(uint sum, uint x) { return (sum ^ x) * 2654435761u; }
uint all(int a, int b, uint sum) {
  sum = fold(fold(sum, a / b), a % b);
  sum = fold(fold(sum, (uint)a / (uint)b), (uint)a % (uint)b);
  sum = fold(fold(sum, (short)a / (short)b), (short)a % (short)b);
  sum = fold(fold(sum, (ushort)a / (ushort)b), (ushort)a % (ushort)b);
  sum = fold(fold(sum, (char)a / (char)b), (char)a % (char)b);
  sum = fold(fold(sum, (uchar)a / (uchar)b), (uchar)a % (uchar)b);
  int2 q = (int2)(a, b) / (int2)(b, a), r = (int2)(b, a) % (int2)(a, b);
  sum = fold(fold(fold(fold(sum, q.x), q.y), r.x), r.y);
  short2 s = (short2)(a, b) / (short2)(b, a);
  return fold(fold(sum, s.x), s.y);
}
uint of(global const uint *in, uint i, uint n) {
  uint sum = 0;
  for (uint k = 0; k < 48; k++) {
    int a = edge(in[i] * 2654435761u + k * 40503u), own = edge(in[i] * 40503u + k * 2246822519u);
    sum = all(a, own, sum);
    sum = all(a, edge(in[k]), sum);
    // Lanes outside the branch must not matter.
    if (own & 64) sum = fold(sum, a % edge(in[k + 1]));
  }
  return sum;
}
kernel void test(global uint *out, global const uint *in, uint n) {
  out[get_global_id(0)] = of(in, get_global_id(0), n);
}
kernel void expect(global uint *out, global const uint *in, uint n) {
  for (uint i = 0; i < n; i++) out[i] = of(in, i, n);
}
