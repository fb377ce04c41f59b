// Functions on the representation of numbers: exact or correctly rounded in every precision.
//@ member fabs gen_fp.h
OVL F fabs(F x) { return v_abs(x); }
//@ member floor gen_fp.h
OVL F floor(F x) { return v_floor(x); }
//@ member ceil gen_fp.h
OVL F ceil(F x) { return v_ceil(x); }
//@ member trunc gen_fp.h
OVL F trunc(F x) { return v_trunc(x); }
//@ member rint gen_fp.h
OVL F rint(F x) { return v_rint(x); }
//@ member round gen_fp.h
OVL F round(F x) {
  F t = v_trunc(x);
  return v_copysign((v_abs(x - t) >= (F)0.5) ? t + v_copysign((F)1, x) : t, x);
}
//@ member copysign gen_fp.h
OVL F copysign(F x, F y) { return v_copysign(x, y); }
//@ member fma gen_fp.h
#if FP == 16
// The product is exact in double. The sum is rounded to odd, which makes the rounding to half
// correct.
OVL F fma(F x, F y, F z) {
  D p = CVT(double, CVT(float, x)) * CVT(double, CVT(float, y)), c = CVT(double, CVT(float, z));
  D s = p + c, t = s - p;
  D e = (p - (s - t)) + (c - t);
  L b = AS(long, s), out = (b >> (L)63) | (L)1;
  L toward = (e > (D)0) ? b + out : (e < (D)0) ? b - out : b;
  b = ((b & (L)1) != (L)0) ? b : toward;
  D odd = AS(double, b);
  V(float) f = CVT(float, odd);
  // The same step from double to float.
  D back = CVT(double, f);
  V(int) fb = AS(int, f), step = (fb >> (V(int))31) | (V(int))1;
  V(int) up = COND(int, back < odd), down = COND(int, back > odd);
  V(int) other = (up != (V(int))0) ? fb + step : (down != (V(int))0) ? fb - step : fb;
  fb = ((fb & (V(int))1) != (V(int))0) ? fb : other;
  return CVT(half, AS(float, fb));
}
#else
OVL F fma(F x, F y, F z) { return v_fma(x, y, z); }
#endif
//@ member mad gen_fp.h
#if FP == 16
OVL F mad(F x, F y, F z) { return CVT(half, v_fma(CVT(float, x), CVT(float, y), CVT(float, z))); }
#else
OVL F mad(F x, F y, F z) { return v_fma(x, y, z); }
#endif
//@ member fdim gen_fp.h
OVL F fdim(F x, F y) { return (x <= y) ? (F)0 : x - y; }
//@ member fmax gen_fp.h
OVL F fmax(F x, F y) { return (x != x || x < y) ? y : x; }
#if N > 1
OVL F fmax(F x, S y) { return (x != x || x < (F)y) ? (F)y : x; }
#endif
//@ member fmin gen_fp.h
OVL F fmin(F x, F y) { return (x != x || y < x) ? y : x; }
#if N > 1
OVL F fmin(F x, S y) { return (x != x || (F)y < x) ? (F)y : x; }
#endif
//@ member maxmag gen_fp.h
OVL F maxmag(F x, F y) {
  F a = v_abs(x), b = v_abs(y);
  F m = (x != x || x < y) ? y : x;
  return (a > b) ? x : (b > a) ? y : m;
}
//@ member minmag gen_fp.h
OVL F minmag(F x, F y) {
  F a = v_abs(x), b = v_abs(y);
  F m = (x != x || y < x) ? y : x;
  return (a < b) ? x : (b < a) ? y : m;
}
//@ member nan gen_fp.h
#if FP == 16
OVL F nan(U code) { return AS(S, (U)((code & (U)(SU)0x1ff) | (U)(SU)0x7e00)); }
#elif FP == 32
OVL F nan(U code) { return AS(S, (code & (U)0x3fffff) | (U)0x7fc00000); }
#else
OVL F nan(U code) { return AS(S, (code & (U)0x7ffffffffffffUL) | (U)0x7ff8000000000000UL); }
#endif
//@ member nextafter gen_fp.h
// Steps integers in the order of the numbers, which is exact even if denormals are flushed.
OVL F nextafter(F x, F y) {
  I least = (I)(SI)((SU)1 << (sizeof(S) * 8 - 1)), zero = (I)(SI)0, one = (I)(SI)1;
  I a = AS(SI, x), b = AS(SI, y);
  a = (a < zero) ? (I)(least - a) : a;
  b = (b < zero) ? (I)(least - b) : b;
  I next = (b > a) ? (I)(a + one) : (I)(a - one);
  next = (next < zero) ? (I)(least - next) : (next == zero) ? (I)(AS(SI, x) & least) : next;
  F r = (a == b) ? y : AS(S, next);
  return (x != x || y != y) ? x + y : r;
}
//@ member modf gen_fp.h
#define MODF(SPACE) \
  OVL F modf(F x, SPACE F *whole) { \
    F t = v_trunc(x); \
    *whole = t; \
    F rest = (v_abs(x) == (F)INF) ? (F)0 : x - t; \
    return v_copysign(rest, x); \
  }
SPACES(MODF)
//@ member fract gen_fp.h
#undef BELOW_1
#if FP == 16
#define BELOW_1 ((half)0x1.ffcp-1f)
#elif FP == 32
#define BELOW_1 0x1.fffffep-1f
#else
#define BELOW_1 0x1.fffffffffffffp-1
#endif
#define FRACT(SPACE) \
  OVL F fract(F x, SPACE F *whole) { \
    F t = v_floor(x); \
    *whole = t; \
    F rest = (v_abs(x) == (F)INF) ? (F)0 : x - t; \
    rest = (rest >= (F)1) ? (F)BELOW_1 : rest; \
    return v_copysign(rest, x != x ? x : (x == (F)0 || v_abs(x) == (F)INF) ? x : (F)1); \
  }
SPACES(FRACT)
//@ member frexp gen_fp.h
#undef WIDE
#undef NARROW
#if FP == 32
#define WIDE CVT(double, x)
#define NARROW CVT(float, r)
#elif FP == 64
#define WIDE x
#define NARROW r
#else
#define WIDE CVT(double, CVT(float, x))
#define NARROW CVT(half, CVT(float, r))
#endif
#define FREXP(SPACE) \
  OVL F frexp(F x, SPACE V(int) *exponent) { \
    D w = WIDE, a = v_abs(w); \
    D up = (a < (D)0x1p-1022) ? (D)0x1p54 : (D)1; \
    D t = w * up; \
    L b = AS(long, t); \
    L e = ((b >> (L)52) & (L)0x7ff) - (L)1022 - ((up != (D)1) ? (L)54 : (L)0); \
    D m = AS(double, (b & (L)0x800fffffffffffffL) | (L)0x3fe0000000000000L); \
    /* t is zero for every x that is flushed */ \
    D r = (t == (D)0) ? t : (a < DINF) ? m : w; \
    e = (t == (D)0 || !(a < DINF)) ? (L)0 : e; \
    *exponent = CVT(int, e); \
    return NARROW; \
  }
SPACES(FREXP)
//@ member ilogb gen_fp.h
#include "exponent.h"
OVL V(int) ilogb(F x) {
  D w = WIDE, a = v_abs(w);
  L e = exponent(a);
  e = (a == (D)0) ? (L)FP_ILOGB0 : (a == DINF) ? (L)INT_MAX : (a != a) ? (L)FP_ILOGBNAN : e;
  return CVT(int, e);
}
//@ member logb gen_fp.h
#include "exponent.h"
OVL F logb(F x) {
  D w = WIDE, a = v_abs(w);
  D r = CVT(double, exponent(a));
  r = (a == (D)0) ? -DINF : (a < DINF) ? r : a;
  return NARROW;
}
//@ member ldexp gen_fp.h
#if FP == 32
// x 2^n, rounded once: only the last factor can make the result subnormal.
HELPER D scale_full(D x, V(int) k) {
  D n = CVT(double, k);
  D first = (n < (D)-1022) ? (D)0x1p-969 : (n > (D)1023) ? (D)0x1p1023 : (D)1;
  n = (n < (D)-1022) ? n + (D)969 : (n > (D)1023) ? n - (D)1023 : n;
  D second = (n < (D)-1022) ? (D)0x1p-969 : (n > (D)1023) ? (D)0x1p1023 : (D)1;
  n = (n < (D)-1022) ? n + (D)969 : (n > (D)1023) ? n - (D)1023 : n;
  n = (n < (D)-1022) ? (D)-1022 : (n > (D)1023) ? (D)1023 : n;
  return x * first * second * AS(double, AS(long, n + (D)(0x1.8p52 + 1023)) << (L)52);
}
HELPER D scale_lite(D x, V(int) k) {
  D n = CVT(double, k);
  n = (n < (D)-500) ? (D)-500 : (n > (D)500) ? (D)500 : n;
  return x * AS(double, AS(long, n + (D)(0x1.8p52 + 1023)) << (L)52);
}
OVL F ldexp(F x, V(int) n) { return CVT(float, scale_lite(CVT(double, x), n)); }
#elif FP == 64
OVL F ldexp(F x, V(int) n) { return scale_full(x, n); }
#else
OVL F ldexp(F x, V(int) n) {
  return CVT(half, CVT(float, scale_lite(CVT(double, CVT(float, x)), n)));
}
#endif
#if N > 1
OVL F ldexp(F x, int n) { return ldexp(x, (V(int))n); }
#endif
//@ member fmod gen_fp.h
#include "remainders.h"
#if FP == 64
OVL F fmod(F x, F y) {
  if (NEAR_QUOTIENT(x, y)) return near_fmod(x, y);
  F r;
  for (int i = 0; i < N; i++) { uint q; AT(r, i) = remainder_of(AT(x, i), AT(y, i), 0, &q); }
  return r;
}
#else
static FAR F FAR_NAME(fmod)(F x, F y) { D q; return NARROW(REMAINDER_OF(WIDE(x), WIDE(y), 0, &q)); }
OVL INLINE_SCALAR F fmod(F x, F y) {
#if FP == 32
  if (NEAR_QUOTIENT(x, y)) return near_fmod(x, y);
#endif
  return FAR_NAME(fmod)(x, y);
}
#endif
//@ member remainder gen_fp.h
#include "remainders.h"
#if FP == 64
OVL F remainder(F x, F y) {
  if (NEAR_QUOTIENT(x, y)) return near_remainder(x, y);
  F r;
  for (int i = 0; i < N; i++) { uint q; AT(r, i) = remainder_of(AT(x, i), AT(y, i), 1, &q); }
  return r;
}
#else
static FAR F FAR_NAME(remainder)(F x, F y) {
  D q;
  return NARROW(REMAINDER_OF(WIDE(x), WIDE(y), 1, &q));
}
OVL INLINE_SCALAR F remainder(F x, F y) {
#if FP == 32
  if (NEAR_QUOTIENT(x, y)) return near_remainder(x, y);
#endif
  return FAR_NAME(remainder)(x, y);
}
#endif
//@ member remquo gen_fp.h
#include "remainders.h"
#if FP == 64
OVL F remquo(F x, F y, __private V(int) *quotient) {
  F r;
  V(int) k;
  for (int i = 0; i < N; i++) {
    uint q;
    AT(r, i) = remainder_of(AT(x, i), AT(y, i), 1, &q);
    AT(k, i) = (as_long(AT(x, i)) ^ as_long(AT(y, i))) < 0 ? -(int)(q & 127) : (int)(q & 127);
  }
  *quotient = k;
  return r;
}
#else
OVL INLINE_SCALAR F remquo(F x, F y, __private V(int) *quotient) {
  D q, r = REMAINDER_OF(WIDE(x), WIDE(y), 1, &q);
  *quotient = CVT(int, q);
  return NARROW(r);
}
#endif
#define REMQUO(SPACE) \
  OVL F remquo(F x, F y, SPACE V(int) * quotient) { \
    V(int) k; \
    F r = remquo(x, y, &k); \
    *quotient = k; \
    return r; \
  }
OTHER_SPACES(REMQUO)
