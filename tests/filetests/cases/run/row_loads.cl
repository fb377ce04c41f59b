//! test = "run"
//! global = [80]
//! local = [80]
// Each work-item loads along its own row of memory. The numbers of iterations are zero, one,
// multiples of the block of iterations, and others.
__attribute__((always_inline)) float sum_of(global const uint *in, int row, int stride,
                                            int count) {
  float sum = 1.5f;
  for (int i = 0; i < count; i++) sum = sum * 0.75f + (float)in[row * stride + i];
  return sum;
}
__attribute__((always_inline)) uint mix(global const uint *in, int row, int stride, int count) {
  global const uchar *bytes = (global const uchar *)in;
  global const ushort *shorts = (global const ushort *)in;
  uint hash = 7, last = 0;
  // Several loads in one iteration, and the value of the previous iteration.
  for (int i = 0; i < count; i++) {
    uint byte = bytes[row * stride + i];
    hash = hash * 31 + byte + shorts[row * (stride / 2) + i + 1] * in[i] + last;
    last = byte;
  }
  return hash ^ last;
}
__attribute__((always_inline)) uint others(global const uint *in, int row, int stride, int count) {
  uint hash = 1;
  // A pointer that steps, and a loop that ends by `!=`.
  global const uint *p = in + row * stride;
  for (int i = 0; i != count; i++) hash = hash * 5 + *p++;
  // 64-bit indices, and a start other than 0.
  global const ulong *longs = (global const ulong *)in;
  for (size_t i = 3; i < (size_t)count; i++)
    hash = hash * 3 + (uint)(longs[(size_t)row * (stride / 3) + i] >> 7);
  // Unsigned indices may wrap, so no address is known to step by one element.
  for (uint i = 0; i < (uint)count; i++) hash = hash * 7 + in[(uint)row * (uint)stride + i];
  // No iteration.
  for (int i = 2; i < -count; i++) hash += in[row * stride + i];
  // Only some lanes run the loop.
  if (in[row] & 1)
    for (int i = 0; i < count; i++) hash = hash * 11 + in[row * stride + i];
  // The number of iterations differs between lanes.
  for (int i = 0; i < (row & 15); i++) hash = hash * 13 + in[row * stride + i];
  return hash;
}
__attribute__((always_inline)) uint item(global const uint *in, int row, uint n) {
  uint hash = 0;
  for (int count = 0; count < 20; count++) {
    hash = hash * 17 + as_uint(sum_of(in, row, n / 26, count));
    hash = hash * 19 + mix(in, row, n / 10, count);
    hash = hash * 23 + others(in, row, n / 26, count);
  }
  return hash;
}
// The loop writes memory that its loads may read.
__attribute__((always_inline)) uint writes(global const uint *in, global uint *out, int row,
                                           int stride, int count) {
  for (int i = 0; i < count; i++) out[row] = out[row] * 3 + in[row * stride + i];
  return out[row];
}
kernel void test(global uint *out, global const uint *in, uint n) {
  int x = get_global_id(0);
  out[x] = item(in, x, n);
  out[x] += writes(in, out, x, n / 26, n / 7);
}
kernel void expect(global uint *out, global const uint *in, uint n) {
  for (int x = 0; x < (int)n; x++) {
    out[x] = item(in, x, n);
    out[x] += writes(in, out, x, n / 26, n / 7);
  }
}
