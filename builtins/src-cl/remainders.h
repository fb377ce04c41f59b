// Exact remainders: one division if the quotient is small in all lanes. Otherwise double uses
// integer long division of scalars, and float and half use vectors of double.
#ifndef REMAINDERS_ONCE
#define REMAINDERS_ONCE
// x - n y with n = trunc(x / y), or with `nearest` rounded to even; *quotient: the low bits of |n|.
HELPER double remainder_of(double x, double y, int nearest, __private uint *quotient) {
  *quotient = 0;
  ulong a = as_ulong(x) & 0x7fffffffffffffffUL, b = as_ulong(y) & 0x7fffffffffffffffUL;
  const ulong inf = 0x7ff0000000000000UL;
  if (b > inf || a > inf) return x + y;
  if (a == inf || b == 0) return __builtin_nan("");
  if (b == inf || a == 0) return x;
  int ea = (int)(a >> 52), eb = (int)(b >> 52);
  ulong ma = a & 0xfffffffffffffUL, mb = b & 0xfffffffffffffUL;
  if (ea == 0) {
    int z = __builtin_clzl(ma) - 11;
    ma <<= z;
    ea = 1 - z;
  } else ma |= 0x10000000000000UL;
  if (eb == 0) {
    int z = __builtin_clzl(mb) - 11;
    mb <<= z;
    eb = 1 - z;
  } else mb |= 0x10000000000000UL;
  // a = ma 2^ea, b = mb 2^eb, both with 53 bits (without the scale).
  int shift = ea - eb;
  uint q = 0;
  int e = eb;
  if (shift < -1) return x;
  if (shift < 0) {
    // b/4 < a < b: fmod is x; the nearest remainder may be a - b, in units of 2^ea.
    if (!nearest) return x;
    mb <<= 1;
    e = ea;
  } else {
    ulong d = mb;
    // Divides off 11 bits of the quotient at a time, the most that fit 64 bits.
    q = (uint)(ma / d);
    ma -= (ma / d) * d;
    while (shift > 0 && ma != 0) {
      int k = shift < 11 ? shift : 11;
      ma <<= k;
      ulong part = ma / d;
      q = (q << k) + (uint)part;
      ma -= part * d;
      shift -= k;
    }
    if (shift > 0) q = shift > 31 ? 0 : q << shift;
  }
  bool negative = as_long(x) < 0;
  if (nearest) {
    ulong twice = ma * 2;
    if (twice > mb || (twice == mb && (q & 1))) {
      ma = mb - ma;
      q++;
      negative = !negative;
    }
  }
  *quotient = q;
  if (ma == 0) return as_double(as_ulong(x) & 0x8000000000000000UL);
  // ma 2^(e - 1075) is exact: it is a multiple of the smaller last place of the operands.
  int z = __builtin_clzl(ma) - 11;
  ulong bits;
  if (z >= 0) {
    ma <<= z;
    e -= z;
  } else {
    ma >>= -z;
    e += -z;
  }
  bits = e > 0 ? ((ulong)e << 52) | (ma & 0xfffffffffffffUL) : ma >> (1 - e);
  return as_double(bits | (negative ? 0x8000000000000000UL : 0));
}
#endif
#if FP != 16
// Whether every quotient |x / y| is below 2^22 (2^51), y is finite and nonzero, and x is finite.
#define NEAR_QUOTIENT(x, y) \
  (!ANY(!(v_abs(x) < v_abs(y) * (F)(FP == 64 ? 0x1p51 : 0x1p22)) || !(v_abs(y) < (F)INF)))
// In this range the quotient's integer part is exact or one too large, and the remainder of x is
// exact: both are multiples of the same last place. (Rounding cannot take a quotient below an
// integer that it reaches.)
HELPER F near_fmod(F x, F y) {
  F a = v_abs(x), b = v_abs(y), q = v_trunc(a / b), r = v_fma(-q, b, a);
  return v_copysign((r < (F)0) ? r + b : r, x);
}
HELPER F near_remainder(F x, F y) {
  F a = v_abs(x), b = v_abs(y), q = v_rint(a / b), r = v_fma(-q, b, a), s = v_abs(r);
  r = (s > b - s) ? r - v_copysign(b, r) : r;
  r = AS(S, AS(SI, r) ^ (AS(SI, x) & AS(SI, (F)-0.0)));
  return (r == (F)0) ? v_copysign(r, x) : r;
}
#endif
#if FP == 32
// One digit of a long division in base 2^40: subtracts the multiple of y 2^(40 k) that brings r
// into [0, y 2^(40 k)).
HELPER D divide_step(D r, D y, D inverse, double unit, __private D *quotient) {
  D d = y * (D)unit;
  D q = v_trunc(r * (inverse * (D)(1 / unit)));
  r = v_fma(-q, d, r);
  D up = (r < (D)0) ? (D)1 : (D)0, down = (r >= d) ? (D)1 : (D)0;
  *quotient = q - up + down;
  r = (up != (D)0) ? r + d : r;
  return (down != (D)0) ? r - d : r;
}
// remainder_of for float and half, without branches: every intermediate result is exact. The range
// of the type determines the number of digits above the first.
#define REMAINDER(NAME, DIGITS) \
  HELPER D NAME(D x, D y, int nearest, __private D *quotient) { \
    D r = v_abs(x), b = v_abs(y), inverse = (D)1 / b, q; \
    DIGITS \
    r = divide_step(r, b, inverse, 1, &q); \
    if (nearest) { \
      D odd = (v_trunc(q * (D)0.5) * (D)2 != q) ? (D)1 : (D)0; \
      D up = (r + r > b || (r + r == b && odd != (D)0)) ? (D)1 : (D)0; \
      r = (up != (D)0) ? r - b : r; \
      q += up; \
    } \
    q -= (D)128 * v_floor(q * (D)(1.0 / 128)); \
    r = (AS(long, x) < (L)0) ? -r : r; \
    r = (r == (D)0) ? v_copysign(r, x) : r; \
    q = ((AS(long, x) ^ AS(long, y)) < (L)0) ? -q : q; \
    r = (b == DINF) ? x : r; \
    q = (b == DINF) ? (D)0 : q; \
    D bad = (b == (D)0 || !(v_abs(x) < DINF) || b != b) ? (D)1 : (D)0; \
    *quotient = (bad != (D)0) ? (D)0 : q; \
    return (bad != (D)0) ? DNAN : r; \
  }
#define DIGIT(UNIT) r = divide_step(r, b, inverse, UNIT, &q);
REMAINDER(float_remainder,
          DIGIT(0x1p240) DIGIT(0x1p200) DIGIT(0x1p160) DIGIT(0x1p120) DIGIT(0x1p80) DIGIT(0x1p40))
REMAINDER(half_remainder, DIGIT(0x1p40))
#undef DIGIT
#undef REMAINDER
#endif
#undef WIDE
#undef NARROW
#undef REMAINDER_OF
#undef FAR
#undef FAR_NAME
// One name for each type and width; functions with this prefix are not inlined.
#define FAR_NAME(f) CAT(CAT(CAT(__muxcl_far_, f), S), N)
// Large quotients are rare, so they take a call; inline code would be vectorized and run for every
// lane. Half has no large quotients.
#if FP == 32
#define FAR __attribute__((noinline))
#else
#define FAR inline __attribute__((always_inline))
#endif
#if FP == 32
#define WIDE(x) CVT(double, x)
#define NARROW(x) CVT(float, x)
#define REMAINDER_OF float_remainder
#elif FP == 16
#define WIDE(x) CVT(double, CVT(float, x))
#define NARROW(x) CVT(half, CVT(float, x))
#define REMAINDER_OF half_remainder
#endif
