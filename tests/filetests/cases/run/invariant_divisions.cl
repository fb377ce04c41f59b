//! test = "run"
//! global = [96]
//! local = [48]
// Divisions by values that are the same for all work-items, which only some work-items execute, as
// indices of loads. Lane 0 of many vectors does not execute them.
uint part(global const uint *in, uint n, int s, uint i) {
  uint sum = i;
  if (in[i] % 3u == 1) {
    sum += in[3 % n] + in[(n + 7) / (n - 90)];
    if (n != 5) sum ^= in[70 / (n - 5)];
  }
  if (in[i] % 5u == 2) sum += in[(100 / (s - 3)) & 63] + in[(77 / (s + 1) % (s - 7)) & 31];
  if (in[i] & 1) sum += 0x80000000u / (uint)s - (uint)(-s / (s / 2));
  return sum;
}
kernel void test(global uint *out, global const uint *in, uint n) {
  out[get_global_id(0)] = part(in, n, (int)n - 40, get_global_id(0));
}
kernel void expect(global uint *out, global const uint *in, uint n) {
  for (uint i = 0; i < n; i++) out[i] = part(in, n, (int)n - 40, i);
}
