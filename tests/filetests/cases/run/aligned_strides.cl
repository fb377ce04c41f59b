//! test = "run"
//! global = [120]
//! local = [24]
// Quotients, remainders and comparisons of strided values, with lane 0 at multiples of the number
// of lanes and elsewhere, in masked code and in wrapping arithmetic.
uint of(global const uint *in, uint n, uint i, uint l) {
  uint sum = 0;
  for (uint k = l; k < 96; k += 24) sum += in[(k >> 3) + (k & 7)] * (k + 1);
  for (uint k = l; k < 100; k += 24) sum += in[k / 24 + k % 24];
  for (uint k = l; k <= 96; k += 48) sum = sum * 3 + k;
  for (int k = (int)l - 48; k < 48; k += 24) sum += in[(k & 15) + (k >> 4) + 3] ^ k;
  for (uint k = 8 * l; k < 192 * 3; k += 192) sum += in[k >> 6] + (k & 63) + (k & 56) + k / 128;
  uint b = l * 0x10000000u;
  sum += (b >> 30) + (b < 0x40000000u) + (uint)((ulong)b >> 28);
  sum += (uint)((ulong)(b & 0x30000000u) >> 20);
  if (in[i] & 1) {
    uint m = l + 64;
    for (uint k = m; k < 128; k += 32) sum += in[k & 31] + (k >> 2) + (k < 80) + (96 > k) * 5;
    sum += (uint)((long)(int)(l * 4 + 0x7ffffff0) >> 3) & 0xff;
  }
  uchar c = (uchar)(l * 16);
  sum += (c >> 4) + (c < 128) * 7 + (c & 0x70);
  return sum + (l / n) + (l % n) + (i < n) + ((int)i - 60 < 4) * 2;
}
kernel void test(global uint *out, global const uint *in, uint n) {
  out[get_global_id(0)] = of(in, n, get_global_id(0), get_local_id(0));
}
kernel void expect(global uint *out, global const uint *in, uint n) {
  for (uint i = 0; i < n; i++) out[i] = of(in, n, i, i % 24);
}
