// Logarithms. Single forms compute float functions in float. The other forms compute in double:
// lite forms with float accuracy, full forms with double accuracy.
#include "coefficients.h"
#if FP == 32
// Whether x is not a positive normal finite number, by its bits. If no lane is rare, the code for
// such numbers is skipped.
#define RARE(x) (AS(uint, x) - (U)0x800000 >= (U)0x7f000000)
// x = 2^k (1 + f) with 1 + f in [sqrt(1/2), sqrt(2)), for positive finite x.
HELPER F split_single(F x, __private I *k) {
  I b = AS(int, x), back = (I)0;
  if (RARELY(RARE(x))) {
    b = (x < (F)0x1p-126f) ? AS(int, x * (F)0x1p23f) : b;
    back = (x < (F)0x1p-126f) ? (I)23 : (I)0;
  }
  I e = (b - (I)0x3f3504f3) >> (I)23;
  *k = e - back;
  return AS(float, b - (e << (I)23)) - (F)1;
}
// log(1 + f)
HELPER F log_near_1_single(F f) { return v_fma(f * f, LOG_SINGLE(F, f), f); }
// Replaces the results outside the logarithm's domain (0, inf).
HELPER F log_special_single(F x, F y) {
  if (RARELY(RARE(x))) {
    y = (x < (F)INF) ? y : x;
    y = (x == (F)0) ? (F)-INF : y;
    y = (x < (F)0) ? (F)__builtin_nanf("") : y;
  }
  return y;
}
HELPER F log_single(F x) {
  I k;
  F y = log_near_1_single(split_single(x, &k));
  return log_special_single(x, v_fma(CVT(float, k), (F)0x1.62e430p-1f, y));
}
HELPER F log2_single(F x) {
  I k;
  F y = log_near_1_single(split_single(x, &k));
  return log_special_single(
      x, v_fma(y, (F)0x1.715476p0f, v_fma(y, (F)0x1.4ae0c0p-26f, CVT(float, k))));
}
HELPER F log10_single(F x) {
  I k;
  F y = log_near_1_single(split_single(x, &k)), n = CVT(float, k);
  return log_special_single(
      x, v_fma(n, (F)0x1.344136p-2f, v_fma(y, (F)0x1.bcb7b2p-2f, n * (F)-0x1.ec10c0p-27f)));
}
// 1 + x = 2^k (1 + f), where 1 + x is rounded only to choose k: f = 2^-k x + (2^-k - 1), both terms
// exact.
HELPER F log1p_single(F x) {
  F u = (F)1 + x;
  I e = ((AS(int, u) - (I)0x3f3504f3) >> (I)23) << (I)23;
  F s = AS(float, v_imax((I)0x3f800000 - e, (I)0));
  F f = AS(float, AS(int, x) - e) + (s - (F)1);
  F y = v_fma(CVT(float, e >> (I)23), (F)0x1.62e430p-1f, log_near_1_single(f));
  return v_copysign(log_special_single(u, y), x);
}
// The equivalent of RARE for double.
#define RARE_FULL(x) (AS(ulong, x) - (UL)0x10000000000000UL >= (UL)0x7fe0000000000000UL)
// x = 2^k m with m in [sqrt(1/2), sqrt(2)), for positive finite x.
HELPER D split_exponent(D x, __private D *k) {
  L b = AS(long, x);
  D shift = (D)0x1.8p52;
  if (RARELY(RARE_FULL(x))) {
    b = (x < (D)0x1p-1022) ? AS(long, x * (D)0x1p54) : b;
    shift = (x < (D)0x1p-1022) ? (D)(0x1.8p52 + 54) : shift;
  }
  L e = (b - (L)0x3fe6a09e667f3bcdL) >> (L)52;
  *k = AS(double, e + (L)0x4338000000000000L) - shift;
  return AS(double, b - (e << (L)52));
}
// Replaces the results outside the logarithm's domain (0, inf).
HELPER D log_special(D x, D y) {
  if (RARELY(RARE_FULL(x))) {
    y = (x < DINF) ? y : x;
    y = (x == (D)0) ? -DINF : y;
    y = (x < (D)0) ? DNAN : y;
  }
  return y;
}
#define LOGS(SUFFIX, POLY) \
  /* log(1 + f), |f| < 0.42 */ \
  HELPER D log_near_1##SUFFIX(D f, D c) { \
    D s = f / ((D)2 + f), z = s * s, h = (D)0.5 * f * f; \
    return f - (h - v_fma(s, h + z * POLY(D, z), c)); \
  } \
  HELPER D log##SUFFIX(D x) { \
    D k, m = split_exponent(x, &k); \
    D y = log_near_1##SUFFIX(m - (D)1, k * (D)0x1.abc9e3b39803fp-56); \
    return log_special(x, v_fma(k, (D)0x1.62e42fefa39efp-1, y)); \
  } \
  HELPER D log2##SUFFIX(D x) { \
    D k, m = split_exponent(x, &k); \
    D y = log_near_1##SUFFIX(m - (D)1, (D)0); \
    y = v_fma(y, (D)0x1.71547652b82fep0, v_fma(y, (D)0x1.777d0ffda0d24p-56, k)); \
    return log_special(x, y); \
  } \
  HELPER D log10##SUFFIX(D x) { \
    D k, m = split_exponent(x, &k); \
    D y = log_near_1##SUFFIX(m - (D)1, (D)0); \
    D low = v_fma(y, (D)0x1.95355baaafad3p-57, k * (D)-0x1.9dc1da994fd21p-59); \
    y = v_fma(k, (D)0x1.34413509f79ffp-2, v_fma(y, (D)0x1.bcb7b1526e50ep-2, low)); \
    return log_special(x, y); \
  } \
  HELPER D log1p##SUFFIX(D x) { \
    D u = (D)1 + x; \
    D c = (x > (D)1) ? (D)1 - (u - x) : x - (u - (D)1); \
    D k, m = split_exponent(u, &k); \
    D f = (k == (D)0) ? x : m - (D)1; \
    c = (k == (D)0) ? (D)0 : c / u; \
    D y = log_near_1##SUFFIX(f, v_fma(k, (D)0x1.abc9e3b39803fp-56, c)); \
    y = v_fma(k, (D)0x1.62e42fefa39efp-1, y); \
    y = log_special(u, y); \
    y = (x == (D)0) ? x : y; \
    return (x == DINF) ? x : y; \
  }
LOGS(_lite, LOG_LITE)
LOGS(_full, LOG_FULL)
#undef LOGS
// log x with fewer instructions than log_full, and an error of at most 2 ULP.
HELPER D log_short(D x) {
  D k, m = split_exponent(x, &k), s = (m - (D)1) / (m + (D)1), z = s * s;
  D y = v_fma(s * z, LOG_FULL(D, z), v_fma(k, (D)0x1.abc9e3b39803fp-56, s + s));
  return log_special(x, v_fma(k, (D)0x1.62e42fefa39efp-1, y));
}
// log x as the sum hi + lo, accurate to about 100 bits, for positive finite x.
HELPER D log_double(D x, __private D *lo) {
  D k, m = split_exponent(x, &k);
  D f = m - (D)1, d = m + (D)1, one = d - m;
  D dl = ((D)1 - one) + (m - (d - one));
  D inverse = (D)1 / d;
  D s = f * inverse;
  D sl = v_fma(-s, dl, v_fma(-s, d, f)) * inverse;
  D z = s * s;
  D zl = v_fma(s, s, -z) + (D)2 * s * sl;
  D t = z * (D)0x1.5555555555555p-2;
  D tl = v_fma(z, (D)0x1.5555555555555p-2, -t) +
         (z * (D)0x1.5555555555555p-56 + zl * (D)0x1.5555555555555p-2);
  D q = z * z * LOG_DD(D, z);
  D u = t + q, ul = ((t - u) + q) + tl;
  D p = s * u, pl = v_fma(s, u, -p) + (s * ul + sl * u);
  D a = s + p, al = ((s - a) + p) + (sl + pl);
  a = a + a;
  al = al + al;
  D n = k * (D)0x1.62e42fefa39efp-1;
  D nl = v_fma(k, (D)0x1.62e42fefa39efp-1, -n) + k * (D)0x1.abc9e3b39803fp-56;
  D h = n + a, l = ((n - h) + a) + (nl + al);
  D sum = h + l;
  *lo = (h - sum) + l;
  return sum;
}
#endif
