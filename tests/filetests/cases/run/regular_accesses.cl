//! test = "run"
//! global = [192]
//! local = [48]
// Accesses that are consecutive in most vectors: indices that wrap, stop at a bound, or have parts
// that depend on arguments, in masked code, for OpenCL vectors, and for types that wrap themselves.
uint of(global const uint *in, uint n, uint i) {
  uint sum = 0;
  for (uint k = 0; k < 40; k += 7) {
    sum = sum * 31 + in[(i + k) % n];
    sum = sum * 31 + in[clamp((int)i - (int)k, 3, 150)];
    sum = sum * 31 + in[i + k < n ? i + k : 0];
    sum = sum * 31 + in[((i - (i & 7)) << 0) + (i & (k | 7))];
    sum = sum * 31 + in[(ushort)(i + 65500 + k) % n];
    sum = sum * 31 + in[(uchar)(i + k) % 192];
    uint2 pair = ((global const uint2 *)in)[(i + k) % (n / 2)];
    sum = sum * 31 + pair.x - pair.y;
    if (in[i] & 3) sum ^= in[min(i + k, n - 1)];
    if (i & 1) sum ^= in[(i + k) % n] * 5;
    if (i % 5 > 1) sum += in[(i * 2147483648u + i) & 127];
  }
  return sum;
}
kernel void test(global uint *out, global const uint *in, uint n) {
  uint i = get_global_id(0), g = i - i % 48, l = i % 48;
  local uint line[48];
  local uint2 pairs[48];
  line[(l + 5) % 48] = of(in, n, i);
  pairs[l < 43 ? l + 5 : l - 43] = (uint2)(in[i], i);
  barrier(CLK_LOCAL_MEM_FENCE);
  if (in[i] & 1) line[(l + 9) % 48] ^= 77;
  barrier(CLK_LOCAL_MEM_FENCE);
  out[i] = line[l] + pairs[l].x * 3 + pairs[l].y;
}
kernel void expect(global uint *out, global const uint *in, uint n) {
  for (uint g = 0; g < n; g += 48) {
    for (uint l = 0; l < 48; l++) out[g + (l + 5) % 48] = of(in, n, g + l);
    for (uint l = 0; l < 48; l++)
      if (in[g + l] & 1) out[g + (l + 9) % 48] ^= 77;
    for (uint l = 0; l < 48; l++) out[g + (l + 5) % 48] += in[g + l] * 3 + g + l;
  }
}
