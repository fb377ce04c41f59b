//! test = "run"
//! global = [512]
//! local = [256]
// Long chains of dependent operations, for which the cost model chooses many lanes: elements of 8,
// 16 and 32 bits, in OpenCL vectors of several lengths. Each region between barriers has one chain.
#pragma OPENCL FP_CONTRACT OFF
#define INTS(NAME, T, FROM) \
  T NAME(uint seed, uint i) { \
    T x = FROM seed, c = FROM(i % 251); \
    for (int r = 0; r < 9; r++) { \
      x = x * x + c; \
      x = x * (T)3 - c; \
      x = x * x + c; \
      x = (x ^ c) * x; \
    } \
    return x; \
  }
INTS(of_char, char, (char))
INTS(of_short, short, (short))
INTS(of_char2, char2, (char2)(char))
INTS(of_short4, short4, (short4)(short))
INTS(of_short16, short16, (short16)(short))
INTS(of_char16, char16, (char16)(char))
INTS(of_int16, int16, (int16)(int))
#define FLOATS(NAME, T, FROM) \
  T NAME(uint seed, uint i) { \
    T x = FROM(seed & 7), c = FROM(i & 3); \
    x.s1 = x.s0 + FROM(1).s0; \
    for (int r = 0; r < 9; r++) { \
      x = x * FROM(3) + c; \
      x = x * FROM(0.1f) - c; \
      x = x * FROM(0.5f) + c; \
      x = x * x + c; \
      x = x * FROM(0.125f) - FROM(0.4f); \
    } \
    return x; \
  }
FLOATS(of_float2, float2, (float2))
FLOATS(of_float16, float16, (float16))
#ifdef cl_khr_fp16
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
FLOATS(of_half2, half2, (half2)(half))
FLOATS(of_half16, half16, (half16)(half))
#define HALF(BETWEEN) \
  BETWEEN sum = sum * 31 + as_ushort2(of_half2(in[i], i)).y; \
  BETWEEN sum = sum * 31 + as_ushort16(of_half16(in[i], i)).s1;
#else
#define HALF(BETWEEN)
#endif
#define ALL(BETWEEN) \
  uint sum = (uchar)of_char(in[i], i); \
  BETWEEN sum = sum * 31 + (ushort)of_short(in[i], i); \
  BETWEEN sum = sum * 31 + as_ushort(of_char2(in[i], i)); \
  BETWEEN sum = sum * 31 + as_uint2(of_short4(in[i], i)).y; \
  BETWEEN sum = sum * 31 + as_uint8(of_short16(in[i], i)).s5; \
  BETWEEN sum = sum * 31 + as_uint4(of_char16(in[i], i)).z; \
  BETWEEN sum = sum * 31 + as_uint16(of_int16(in[i], i)).sb; \
  BETWEEN sum = sum * 31 + as_uint2(of_float2(in[i], i)).y; \
  BETWEEN sum = sum * 31 + as_uint16(of_float16(in[i], i)).s1; \
  HALF(BETWEEN)
kernel void test(global uint *out, global const uint *in, uint n) {
  uint i = get_global_id(0);
  ALL(barrier(CLK_LOCAL_MEM_FENCE);)
  out[i] = sum;
}
kernel void expect(global uint *out, global const uint *in, uint n) {
  for (uint i = 0; i < n; i++) {
    ALL()
    out[i] = sum;
  }
}
