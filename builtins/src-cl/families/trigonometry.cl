// Trigonometric functions and their inverses.
//@ member reduce_double none
// The first 1280 bits of 2/pi, after 64 zeros.
static __constant ulong two_over_pi[21] = {0,
                                           0xa2f9836e4e441529UL,
                                           0xfc2757d1f534ddc0UL,
                                           0xdb6295993c439041UL,
                                           0xfe5163abdebbc561UL,
                                           0xb7246e3a424dd2e0UL,
                                           0x06492eea09d1921cUL,
                                           0xfe1deb1cb129a73eUL,
                                           0xe88235f52ebb4484UL,
                                           0xe99c7026b45f7e41UL,
                                           0x3991d639835339f4UL,
                                           0x9c845f8bbdf9283bUL,
                                           0x1ff897ffde05980fUL,
                                           0xef2f118b5a0a6d1fUL,
                                           0x6d367ecf27cb09b7UL,
                                           0x4f463f669e5fea2dUL,
                                           0x7527bac7ebe5f17bUL,
                                           0x3d0739f78a5292eaUL,
                                           0x6bfb5fb11f8d5d08UL,
                                           0x56033046fc7b6babUL,
                                           0xf0cfbc209af4361dUL};
// x minus the nearest multiple of pi/2, for x > 2^29: an integer product with the relevant 192 bits
// of 2/pi.
__attribute__((noinline)) double __muxcl_reduce_double(double x, __private double *lo,
                                                       __private long *q) {
  ulong b = as_ulong(x);
  ulong m = (b & 0xfffffffffffffUL) | 0x10000000000000UL;
  int e = (int)((b >> 52) & 0x7ff) - 1023 - 52;
  uint at = (uint)(e - 2 + 64);
  uint word = at >> 6, shift = at & 63;
  ulong w[3];
  for (int i = 0; i < 3; i++) {
    ulong high = two_over_pi[word + i] << shift;
    w[i] = shift ? high | (two_over_pi[word + i + 1] >> (64 - shift)) : high;
  }
  // The product modulo 4, scaled so that 2^192 is 4: p2 p1 (the lowest word only carries).
  unsigned _BitInt(128) low = (unsigned _BitInt(128))m * w[2];
  unsigned _BitInt(128) middle = (unsigned _BitInt(128))m * w[1] + (low >> 64);
  ulong p1 = (ulong)middle, p2 = m * w[0] + (ulong)(middle >> 64);
  *q = (long)((p2 + 0x2000000000000000UL) >> 62);
  // The signed fraction, in units of 2^-128.
  _BitInt(128) f =
      (_BitInt(128))(((((unsigned _BitInt(128))p2 << 64) | p1) << 2) | ((ulong)low >> 62));
  bool negative = f < 0;
  unsigned _BitInt(128) a = negative ? -(unsigned _BitInt(128))f : (unsigned _BitInt(128))f;
  ulong top = (ulong)(a >> 64);
  int zeros = top ? __builtin_clzl(top) : 64;
  if (zeros < 128) a <<= zeros;
  top = (ulong)(a >> 64);
  // The first 53 bits and the next 53: both exact in double.
  double h = (double)(top >> 11), l = (double)(((top & 0x7ff) << 42) | (ulong)((ulong)a >> 22));
  double unit = as_double((ulong)(1023 - 53 - zeros) << 52);
  h *= unit;
  l *= unit * 0x1p-53;
  if (negative) h = -h, l = -l;
  double r = h * 0x1.921fb54442d18p0;
  double s =
      v_fma(h, 0x1.921fb54442d18p0, -r) + (h * 0x1.1a62633145c07p-54 + l * 0x1.921fb54442d18p0);
  double sum = r + s;
  *lo = (r - sum) + s;
  return sum;
}
//@ member sin gen_fp.h
#include "core_trig.h"
#if FP == 32
SINGLE1(sin, sin_single)
#elif FP == 64
OVL F sin(F x) { return sin_full(x); }
#else
HALF1(sin)
#endif
//@ member cos gen_fp.h
#include "core_trig.h"
#if FP == 32
SINGLE1(cos, cos_single)
#elif FP == 64
OVL F cos(F x) { return cos_full(x); }
#else
HALF1(cos)
#endif
//@ member sincos gen_fp.h
#include "core_trig.h"
#if FP == 32
// sin and cos of the same number share most of their instructions after inlining.
OVL INLINE_SCALAR F sincos(F x, __private F *cosine) {
  *cosine = cos_single(x);
  return sin_single(x);
}
#elif FP == 64 && N == 1
// Declares sin and cos, which other members define. They have vector variants, which vecz can call.
OVL double sin(double x);
OVL double cos(double x);
// After inlining, sin and cos of the same number share most of their instructions.
OVL INLINE_SCALAR F sincos(F x, __private F *cosine) { *cosine = cos(x); return sin(x); }
#elif FP == 64
OVL F sincos(F x, __private F *cosine) { *cosine = cos_full(x); return sin_full(x); }
#else
OVL INLINE_SCALAR F sincos(F x, __private F *cosine) {
  V(float) c, s = sincos(CVT(float, x), &c);
  *cosine = CVT(half, c);
  return CVT(half, s);
}
#endif
#define SINCOS(SPACE) \
  OVL INLINE_SCALAR F sincos(F x, SPACE F *cosine) { \
    F c, s = sincos(x, &c); \
    *cosine = c; \
    return s; \
  }
OTHER_SPACES(SINCOS)
//@ member tan gen_fp.h
#include "core_trig.h"
#if FP == 32
SINGLE1(tan, tan_single)
#elif FP == 64
OVL F tan(F x) { return tan_full(x); }
#else
HALF1(tan)
#endif
//@ member sinpi gen_fp.h
#include "core_trig.h"
#if FP == 32
FLOAT1(sinpi, sinpi_lite)
#elif FP == 64
DOUBLE1(sinpi, sinpi_full)
#else
HALF1(sinpi)
#endif
//@ member cospi gen_fp.h
#include "core_trig.h"
#if FP == 32
FLOAT1(cospi, cospi_lite)
#elif FP == 64
DOUBLE1(cospi, cospi_full)
#else
HALF1(cospi)
#endif
//@ member tanpi gen_fp.h
#include "core_trig.h"
#if FP == 32
FLOAT1(tanpi, tanpi_lite)
#elif FP == 64
DOUBLE1(tanpi, tanpi_full)
#else
HALF1(tanpi)
#endif
//@ member asin gen_fp.h
#include "core_arc.h"
#if FP == 32
FLOAT1(asin, asin_lite)
#elif FP == 64
DOUBLE1(asin, asin_full)
#else
HALF1(asin)
#endif
//@ member acos gen_fp.h
#include "core_arc.h"
#if FP == 32
FLOAT1(acos, acos_lite)
#elif FP == 64
DOUBLE1(acos, acos_full)
#else
HALF1(acos)
#endif
//@ member atan gen_fp.h
#include "core_arc.h"
#if FP == 32
FLOAT1(atan, atan_lite)
#elif FP == 64
DOUBLE1(atan, atan_full)
#else
HALF1(atan)
#endif
//@ member asinpi gen_fp.h
#include "core_arc.h"
#if FP == 32
FLOAT1(asinpi, asinpi_lite)
#elif FP == 64
DOUBLE1(asinpi, asinpi_full)
#else
HALF1(asinpi)
#endif
//@ member acospi gen_fp.h
#include "core_arc.h"
#if FP == 32
FLOAT1(acospi, acospi_lite)
#elif FP == 64
DOUBLE1(acospi, acospi_full)
#else
HALF1(acospi)
#endif
//@ member atanpi gen_fp.h
#include "core_arc.h"
#if FP == 32
FLOAT1(atanpi, atanpi_lite)
#elif FP == 64
DOUBLE1(atanpi, atanpi_full)
#else
HALF1(atanpi)
#endif
//@ member atan2 gen_fp.h
#include "core_arc.h"
#if FP == 32
FLOAT2(atan2, atan2_lite)
#elif FP == 64
OVL INLINE_SCALAR F atan2(F y, F x) { return atan2_full(y, x); }
#else
HALF2(atan2)
#endif
//@ member atan2pi gen_fp.h
#include "core_arc.h"
#if FP == 32
FLOAT2(atan2pi, atan2pi_lite)
#elif FP == 64
DOUBLE2(atan2pi, atan2pi_full)
#else
HALF2(atan2pi)
#endif
//@ member native_sin float
#include "core_trig.h"
SINGLE1(native_sin, sin_native)
//@ member native_cos float
#include "core_trig.h"
SINGLE1(native_cos, cos_native)
//@ member native_tan float
#include "core_trig.h"
SINGLE1(native_tan, tan_native)
