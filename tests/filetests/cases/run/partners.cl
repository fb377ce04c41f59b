//! test = "run"
//! global = [256]
//! local = [64]
// Accesses of a partner's element, with an index `i ^ d`: distances below and above the number of
// lanes, constant ones, negative indices, indices that do not start at a multiple of the lanes, types
// of 4 and 8 bytes, and loads and stores of some lanes only.
uint loads(global const uint *in, uint n, uint i, uint d) {
  uint l = i % 64, sum = in[i ^ d];
  int j = (int)i - 128;
  sum = sum * 31 + (in + 128)[j ^ (int)d];
  sum = sum * 31 + in[(l + 3) ^ d];
  sum = sum * 31 + in[i ^ (n / 2)] + in[i ^ 5];
  sum = sum * 31 + (uint)(((global const ulong *)in)[(i / 2) ^ d] >> 16);
  sum = sum * 31 + (uint)(((global const ulong *)in)[l ^ d] >> 16);
  sum = sum * 31 + as_uint(((global const float *)in)[(ulong)i ^ d]);
  if (in[i] & 1) sum ^= in[i ^ d] * 3;
  if (in[i] % 5 == 2) sum += in[i ^ 9] + in[l ^ d];
  return sum;
}
kernel void test(global uint *out, global const uint *in, uint n) {
  uint i = get_global_id(0), l = get_local_id(0), sum = i;
  local uint line[64];
  local ulong pairs[64];
  for (uint d = 1; d < 64; d += 1 + d / 2) {
    sum = sum * 7 + loads(in, n, i, d);
    line[l] = sum;
    pairs[l ^ d] = sum * 3ul;
    barrier(CLK_LOCAL_MEM_FENCE);
    uint other = line[l ^ d];
    barrier(CLK_LOCAL_MEM_FENCE);
    if (sum & 4) line[l ^ d] = other * 5;
    barrier(CLK_LOCAL_MEM_FENCE);
    sum += line[l] + (uint)pairs[l];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  out[i] = sum;
}
kernel void expect(global uint *out, global const uint *in, uint n) {
  for (uint g = 0; g < n; g += 64) {
    uint sums[64], line[64];
    for (uint l = 0; l < 64; l++) sums[l] = g + l;
    for (uint d = 1; d < 64; d += 1 + d / 2) {
      for (uint l = 0; l < 64; l++) {
        sums[l] = sums[l] * 7 + loads(in, n, g + l, d);
        line[l] = sums[l];
      }
      for (uint l = 0; l < 64; l++)
        if (sums[l] & 4) line[l ^ d] = sums[l ^ d] * 5;
      uint old[64];
      for (uint l = 0; l < 64; l++) old[l] = sums[l];
      for (uint l = 0; l < 64; l++) sums[l] += line[l] + old[l ^ d] * 3;
    }
    for (uint l = 0; l < 64; l++) out[g + l] = sums[l];
  }
}
