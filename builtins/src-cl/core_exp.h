// Exponentials. Included inside float bodies. Single forms compute float functions in float. The
// other forms compute in double: lite forms with float accuracy, full forms with double accuracy.
#include "coefficients.h"
#if FP == 32
// Adding this constant to a number below 2^22 rounds the number to an integer, which the low bits
// of the sum then hold.
#define SHIFT_SINGLE ((F)0x1.8p23f)
HELPER F within_single(F x, F low, F high) {
  x = (x > high) ? high : x;
  return (x < low) ? low : x;
}
// 2^n (1 + t) for |n| < 252. Two multiplications, since float may not represent 2^n, and the result
// may be subnormal.
HELPER F scale_single(F t, I n) {
  I h = n >> (I)1;
  F first = AS(float, (h << (I)23) + (I)0x3f800000),
    second = AS(float, ((n - h) << (I)23) + (I)0x3f800000);
  return v_fma(t, first, first) * second;
}
// 2^n y for |n| < 252, by two multiplications for the reasons given at scale_single.
HELPER F scaled_single(F y, I n) {
  I h = n >> (I)1;
  return (y * AS(float, (h << (I)23) + (I)0x3f800000)) *
         AS(float, ((n - h) << (I)23) + (I)0x3f800000);
}
// The fast path of exponentials in vector functions, for y near 1 and z = n + 0x1.8p23. It returns
// 2^n y if n is in [-125, 127] in all lanes. Then adding n to the exponent of y gives the same bits
// as scaled_single. Scalar functions never take this path, because RARELY is always true there.
#define USUAL_SINGLE(y, z) \
  if (!RARELY(AS(uint, z) - (U)(0x4b400000 - 125) > (U)252)) \
    return AS(float, AS(int, y) + (AS(int, z) << (I)23));
// x - n log 2; *z = n + 0x1.8p23. The first step is exact.
HELPER F reduce_exp_single(F x, __private F *z) {
  *z = v_fma(x, (F)0x1.715476p0f, SHIFT_SINGLE);
  F n = *z - SHIFT_SINGLE;
  return v_fma(n, (F)0x1.05c610p-29f, v_fma(n, (F)-0x1.62e430p-1f, x));
}
// The part of e^x, 2^x and 10^x that is near 1: the result divided by 2^n. *z = n + 0x1.8p23.
HELPER F exp_part(F x, __private F *z) {
  F r = reduce_exp_single(x, z);
  return v_fma(v_fma(EXP_SINGLE(F, r), r, (F)1), r, (F)1);
}
HELPER F exp2_part(F x, __private F *z) {
  *z = x + SHIFT_SINGLE;
  F r = x - (*z - SHIFT_SINGLE);
  return v_fma(r, EXP2_SINGLE(F, r), (F)1);
}
HELPER F exp10_part(F x, __private F *z) {
  *z = v_fma(x, (F)0x1.a934f0p1f, SHIFT_SINGLE);
  F n = *z - SHIFT_SINGLE, r = v_fma(n, (F)0x1.ec10c0p-27f, v_fma(n, (F)-0x1.344136p-2f, x));
  return v_fma(r, EXP10_SINGLE(F, r), (F)1);
}
#define POWER_SINGLE(NAME, PART, LOW, HIGH) \
  HELPER F NAME(F x) { \
    F z, y = PART(x, &z); \
    USUAL_SINGLE(y, z) \
    y = PART(within_single(x, (F)LOW, (F)HIGH), &z); \
    return scaled_single(y, AS(int, z)); \
  }
POWER_SINGLE(exp_single, exp_part, -105, 89)
POWER_SINGLE(exp2_single, exp2_part, -151, 129)
POWER_SINGLE(exp10_single, exp10_part, -46, 39)
#undef POWER_SINGLE
// Halved before the last multiplication, so that 2^128 does not overflow early.
HELPER F expm1_single(F x) {
  F z, r = reduce_exp_single(within_single(x, (F)-20, (F)89), &z);
  F t = v_fma(r * r, EXP_SINGLE(F, r), r);
  F half_ = AS(float, (AS(int, z) << (I)23) + (I)0x3f000000);
  F y = (F)2 * v_fma(half_, t, half_ - (F)0.5f);
  return v_copysign((z == SHIFT_SINGLE) ? t : y, x);
}
// 2^n for integers n in [-1022, 1023].
HELPER D pow2(D n) { return AS(double, AS(long, n + (D)(0x1.8p52 + 1023)) << (L)52); }
HELPER D within(D x, D limit) {
  x = (x > limit) ? limit : x;
  return (x < -limit) ? -limit : x;
}
// e^x with float accuracy.
HELPER D exp_lite(D x) {
  x = within(x, (D)300);
  D n = v_rint(x * (D)0x1.71547652b82fep0);
  D r = v_fma(n, (D)-0x1.62e42fefa39efp-1, x);
  D y = v_fma(r * r, EXP_LITE(D, r), r) + (D)1;
  return y * pow2(n);
}
// The equivalent of SHIFT_SINGLE for double, for numbers below 2^51.
#define SHIFT_FULL ((D)0x1.8p52)
// 2^n (1 + t) for |n| < 2000 and z = n + 0x1.8p52.
HELPER D scale_full(D t, D z) {
  L n = AS(long, z), h = n >> (L)1;
  D first = AS(double, (h << (L)52) + (L)0x3ff0000000000000L);
  D second = AS(double, ((n - h) << (L)52) + (L)0x3ff0000000000000L);
  return v_fma(t, first, first) * second;
}
// e^(h + l), where |l| is small compared with |h|.
HELPER D exp_sum(D h, D l) {
  l = (v_abs(h) < (D)800) ? l : (D)0;
  h = within(h, (D)800);
  D z = v_fma(h, (D)0x1.71547652b82fep0, SHIFT_FULL), n = z - SHIFT_FULL;
  D r = v_fma(n, (D)-0x1.62e42fefa39efp-1, h);
  D low = v_fma(n, (D)-0x1.abc9e3b39803fp-56, l);
  D t = r + low;
  low += r - t;
  return scale_full(t + v_fma(t * t, EXP_FULL(D, t), low), z);
}
// e^a / 2 for a >= 1, without early overflow.
HELPER D exp_half(D a) {
  D h = a - (D)0x1.62e42fefa39efp-1;
  D l = ((a - h) - (D)0x1.62e42fefa39efp-1) - (D)0x1.abc9e3b39803fp-56;
  return exp_sum(h, l);
}
// The equivalent of USUAL_SINGLE for double: returns 2^n (1 + t) if n is in [-1020, 1023] in all
// lanes, for z = n + 0x1.8p52.
#define USUAL_FULL(t, z) \
  if (!RARELY(AS(ulong, z) - (UL)(0x4338000000000000UL - 1020) > (UL)2043)) \
    return AS(double, AS(long, (D)1 + t) + (AS(long, z) << (L)52));
// For e^x, 2^x and 10^x = 2^n (1 + t) in double: these functions return t. *z = n + 0x1.8p52.
HELPER D exp_part_full(D x, __private D *z) {
  *z = v_fma(x, (D)0x1.71547652b82fep0, SHIFT_FULL);
  D n = *z - SHIFT_FULL;
  D t = v_fma(n, (D)-0x1.abc9e3b39803fp-56, v_fma(n, (D)-0x1.62e42fefa39efp-1, x));
  return v_fma(t * t, EXP_FULL(D, t), t);
}
HELPER D exp2_part_full(D x, __private D *z) {
  *z = x + SHIFT_FULL;
  D r = x - (*z - SHIFT_FULL);
  D t = v_fma(r, (D)0x1.62e42fefa39efp-1, r * (D)0x1.abc9e3b39803fp-56);
  return v_fma(t * t, EXP_FULL(D, t), t);
}
HELPER D exp10_part_full(D x, __private D *z) {
  *z = v_fma(x, (D)0x1.a934f0979a371p1, SHIFT_FULL);
  D n = *z - SHIFT_FULL;
  D r = v_fma(n, (D)0x1.9dc1da994fd21p-59, v_fma(n, (D)-0x1.34413509f79ffp-2, x));
  D t = v_fma(r, (D)0x1.26bb1bbb55516p1, r * (D)-0x1.f48ad494ea3e9p-53);
  return v_fma(t * t, EXP_FULL(D, t), t);
}
#define POWER_FULL(NAME, PART, LIMIT) \
  HELPER D NAME(D x) { \
    D z, t = PART(x, &z); \
    USUAL_FULL(t, z) \
    t = PART(within(x, (D)LIMIT), &z); \
    return scale_full(t, z); \
  }
POWER_FULL(exp_full, exp_part_full, 800)
POWER_FULL(exp2_full, exp2_part_full, 1200)
POWER_FULL(exp10_full, exp10_part_full, 400)
#undef POWER_FULL
// e^x - 1, without cancellation near 0. The final product is halved so that 2^1024 does not
// overflow early.
#define EXPM1(NAME, POLY, LIMIT) \
  HELPER D NAME(D x) { \
    D w = (x < (D)-60) ? (D)-60 : (x > (D)LIMIT) ? (D)LIMIT : x; \
    D n = v_rint(w * (D)0x1.71547652b82fep0); \
    D r = v_fma(n, (D)-0x1.62e42fefa39efp-1, w); \
    D c = n * (D)-0x1.abc9e3b39803fp-56; \
    D t = r + c; \
    c = (r - t) + c; \
    D m = t + v_fma(t * t, POLY(D, t), c); \
    D scale = pow2(n - (D)1); \
    D y = (D)2 * v_fma(scale, m, scale - (D)0.5); \
    return (n == (D)0) ? ((x == (D)0) ? x : m) : y; \
  }
EXPM1(expm1_lite, EXP_LITE, 300)
EXPM1(expm1_full, EXP_FULL, 710)
#undef EXPM1
#endif
