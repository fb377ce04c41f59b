// Powers, roots and lengths.
//@ member pow gen_fp.h
#include "core_pow.h"
#if FP == 32
SINGLE2(pow, pow_single)
#elif FP == 64
DOUBLE2(pow, pow_full)
#else
HALF2(pow)
#endif
//@ member powr gen_fp.h
#include "core_pow.h"
#if FP == 32
SINGLE2(powr, powr_single)
#elif FP == 64
DOUBLE2(powr, powr_full)
#else
HALF2(powr)
#endif
//@ member pown gen_fp.h
#include "core_pow.h"
#if FP == 32
OVL INLINE_SCALAR F pown(F x, V(int) n) { return pown_single(x, n); }
#elif FP == 64
OVL F pown(F x, V(int) n) { return pow_full(x, CVT(double, n)); }
#else
OVL F pown(F x, V(int) n) { return CVT(half, pown(CVT(float, x), n)); }
#endif
//@ member rootn gen_fp.h
#include "core_pow.h"
#if FP == 32
OVL INLINE_SCALAR F rootn(F x, V(int) n) { return rootn_single(x, n); }
#elif FP == 64
OVL F rootn(F x, V(int) n) { return rootn_full(x, CVT(double, n)); }
#else
OVL F rootn(F x, V(int) n) { return CVT(half, rootn(CVT(float, x), n)); }
#endif
//@ member sqrt gen_fp.h
OVL F sqrt(F x) { return v_sqrt(x); }
//@ member rsqrt gen_fp.h
#if FP == 16
HALF1(rsqrt)
#else
OVL F rsqrt(F x) { return (F)1 / v_sqrt(x); }
#endif
//@ member cbrt gen_fp.h
#include "coefficients.h"
#if FP == 32
// Halley's iteration triples the number of correct bits: 8, 24, then all.
HELPER D cbrt_full(D x) {
  D a = v_abs(x);
  D up = (a < (D)0x1p-1022) ? (D)0x1p54 : (D)1;
  D w = a * up;
  L b = AS(long, w);
  D e = (AS(double, (b >> (L)52) + (L)0x4338000000000000L) - (D)0x1.8p52) - (D)1023;
  D third = v_floor((e + (D)0.5) * (D)0x1.5555555555555p-2);
  D m = AS(double, (b & (L)0xfffffffffffffL) | (L)0x3ff0000000000000L);
  D left = e - (D)3 * third;
  m = (left == (D)1) ? m * (D)2 : (left == (D)2) ? m * (D)4 : m;
  D y = CBRT(D, m);
  D c = y * y * y;
  y = v_fma(y, (m - c) / v_fma((D)2, c, m), y);
  c = y * y * y;
  D rest = v_fma(-y * y, y, m);
  y = v_fma(y, rest / v_fma((D)2, c, m), y);
  third = third - ((up != (D)1) ? (D)18 : (D)0);
  y *= AS(double, AS(long, third + (D)(0x1.8p52 + 1023)) << (L)52);
  // w is zero for every x that is flushed.
  y = (w == (D)0) ? w : y;
  return v_copysign((a < DINF) ? y : a, x);
}
FLOAT1(cbrt, cbrt_full)
#elif FP == 64
DOUBLE1(cbrt, cbrt_full)
#else
HALF1(cbrt)
#endif
//@ member hypot gen_fp.h
#if FP == 32
OVL INLINE_SCALAR F hypot(F x, F y) {
  D a = CVT(double, x), b = CVT(double, y);
  F r = CVT(float, v_sqrt(v_fma(a, a, b * b)));
  return (v_abs(x) == (F)INF || v_abs(y) == (F)INF) ? (F)INF : r;
}
#elif FP == 64
OVL F hypot(F x, F y) {
  F a = v_abs(x), b = v_abs(y);
  F big = (a > b) ? a : b;
  F scale = (big > (F)0x1p500) ? (F)0x1p-600 : (big < (F)0x1p-400) ? (F)0x1p600 : (F)1;
  F back = (big > (F)0x1p500) ? (F)0x1p600 : (big < (F)0x1p-400) ? (F)0x1p-600 : (F)1;
  a *= scale;
  b *= scale;
  F r = v_sqrt(v_fma(a, a, b * b)) * back;
  return (v_abs(x) == (F)INF || v_abs(y) == (F)INF) ? (F)INF : r;
}
#else
HALF2(hypot)
#endif
//@ member native_powr float
#include "core_pow.h"
HELPER F powr_native(F x, F y) { return power_single(x, CVT(double, y)); }
SINGLE2(native_powr, powr_native)
