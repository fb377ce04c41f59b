// Sine and cosine, with argument reduction for all magnitudes. Included inside float bodies. Single
// forms compute float functions in float. The other forms compute in double: lite forms with float
// accuracy, full forms with double accuracy.
#include "coefficients.h"
#ifndef TRIG_ONCE
#define TRIG_ONCE
// x minus the nearest multiple of pi/2, for x >= 2^30, as a sum of two numbers; *q is that multiple
// modulo 4. Defined in member reduce_double.
double __muxcl_reduce_double(double x, __private double *lo, __private long *q);
#endif
#if FP == 32
// The remark on sums with 0x1.8p23 in core_exp.h applies here too.
#define TURN_SHIFT ((F)0x1.8p23f)
// Below this bound, three parts of pi and fused multiply-add reduce with sufficient accuracy.
#define FAR_SINGLE ((F)0x1p17f)
#define LESS_PI(n, a) \
  v_fma(n, (F)0x1.ee59dap-49f, v_fma(n, (F)0x1.777a5cp-24f, v_fma(n, (F)-0x1.921fb6p1f, a)))
// The fraction of a / 2 pi in units of 2^-64, for finite a >= 2^17: an integer product with the
// relevant 96 bits of 1 / 2 pi. Comparisons select these bits, which is cheaper than a gather if
// all lanes do it.
HELPER UL turn_single(F a) {
  I b = AS(int, a), at = (b >> (I)23) - (I)118;
  UL m = CVT(ulong, (b & (I)0x7fffff) | (I)0x800000), shift = CVT(ulong, at & (I)31);
  L word = CVT(long, at >> (I)5);
  UL w0 = (UL)0x28be60dbUL, w1 = (UL)0x28be60db9391054aUL, w2 = (UL)0x9391054a7f09d5f4UL;
#define WORD(n, p0, p1, p2) \
  w0 = (word == (L)n) ? (UL)p0 : w0; \
  w1 = (word == (L)n) ? (UL)p1 : w1; \
  w2 = (word == (L)n) ? (UL)p2 : w2;
  WORD(1, 0x28be60db9391054aUL, 0x9391054a7f09d5f4UL, 0x7f09d5f47d4d3770UL)
  WORD(2, 0x9391054a7f09d5f4UL, 0x7f09d5f47d4d3770UL, 0x7d4d377036d8a566UL)
  WORD(3, 0x7f09d5f47d4d3770UL, 0x7d4d377036d8a566UL, 0x36d8a5664f10e410UL)
  WORD(4, 0x7d4d377036d8a566UL, 0x36d8a5664f10e410UL, 0x4f10e4107f9458eaUL)
#undef WORD
  w0 = (w0 << shift) >> (UL)32;
  w1 = (w1 << shift) >> (UL)32;
  w2 = (w2 << shift) >> (UL)32;
  return ((m * w0) << (UL)32) + m * w1 + ((m * w2) >> (UL)32);
}
// Limits the result to 1 in magnitude, because programs take the square root of 1 - s s.
HELPER F sine_half_turn(F r) {
  F z = r * r, y = v_fma(r * z, SIN_HALF_TURN(F, z), r);
  y = (y > (F)1) ? (F)1 : y;
  return (y < (F)-1) ? (F)-1 : y;
}
#define SIGN_SINGLE(x) (AS(int, x) & (I)0x80000000)
// One polynomial over half a turn, without the case of large arguments. For native forms.
HELPER F sin_native(F x) {
  F a = v_abs(x), z = v_fma(a, (F)0x1.45f306p-2f, TURN_SHIFT), n = z - TURN_SHIFT;
  F y = sine_half_turn(LESS_PI(n, a));
  return AS(float, AS(int, y) ^ (SIGN_SINGLE(x) ^ (AS(int, z) << (I)31)));
}
HELPER F cos_native(F x) {
  F a = v_abs(x), z = v_fma(a, (F)0x1.45f306p-2f, (F)0.5f) + TURN_SHIFT,
    n = (z - TURN_SHIFT) - (F)0.5f;
  return AS(float, AS(int, sine_half_turn(LESS_PI(n, a))) ^ (AS(int, z) << (I)31));
}
// a minus q pi/2, where q is the integer nearest to a / (pi/2), for 0 <= a < FAR_SINGLE. The two
// lowest bits of *q are q modulo 4.
HELPER F quarter_near(F a, __private I *q) {
  F z = v_fma(a, (F)0x1.45f306p-1f, TURN_SHIFT), n = z - TURN_SHIFT;
  *q = AS(int, z);
  return v_fma(n, (F)0x1.ee59dap-50f,
               v_fma(n, (F)0x1.777a5cp-25f, v_fma(n, (F)-0x1.921fb6p0f, a)));
}
// Extends quarter_near to all a >= 0: returns `near`, the result of quarter_near, in lanes with
// a < FAR_SINGLE, and reduces large arguments in the others. NaN for infinity and NaN.
HELPER F quarter_far(F a, F near, __private I *q) {
  UL u = turn_single(a);
  I k = CVT(int, (u + (UL)0x2000000000000000UL) >> (UL)62);
  F away = CVT(float, CVT(double, AS(long, u << (UL)2)) * (D)0x1.921fb54442d18p-64) + (a - a);
  *q = (a < FAR_SINGLE) ? *q : k;
  return (a < FAR_SINGLE) ? near : away;
}
HELPER F quarter_turn(F x, int far, __private I *q) {
  F a = v_abs(x), r = quarter_near(a, q);
  if (far && ANY(!(a < FAR_SINGLE))) r = quarter_far(a, r, q);
  return r;
}
HELPER F sin_quarter(F r) { F z = r * r; return v_fma(r * z, SIN_SINGLE(F, z), r); }
HELPER F cos_quarter(F r) {
  F z = r * r;
  return v_fma(z * z, COS_SINGLE(F, z), v_fma(z, (F)-0.5f, (F)1));
}
// The sine of q pi/2 + r, for |r| at most about pi/4.
HELPER F sine_of(F r, I q) {
  F s = sin_quarter(r), c = cos_quarter(r), y = ((q & (I)1) != (I)0) ? c : s;
  return AS(float, AS(int, y) ^ ((q << (I)30) & (I)0x80000000));
}
// The sine of |x| + quarters pi/2: sin |x| for 0, cos x for 1. If a kernel computes both for one
// number, LLVM merges the common code before the branch: the reduction and both polynomials.
// Therefore vector functions compute the result for small arguments before they test for large
// ones.
HELPER F sine_single(F x, int quarters) {
  F a = v_abs(x);
  I q;
  F r = quarter_near(a, &q);
#if N == 1
  if (!(a < FAR_SINGLE)) r = quarter_far(a, r, &q);
  return sine_of(r, q + (I)quarters);
#else
  F y = sine_of(r, q + (I)quarters);
  if (ANY(!(a < FAR_SINGLE))) {
    r = quarter_far(a, r, &q);
    y = sine_of(r, q + (I)quarters);
  }
  return y;
#endif
}
HELPER F sin_single(F x) { return AS(float, AS(int, sine_single(x, 0)) ^ SIGN_SINGLE(x)); }
HELPER F cos_single(F x) { return sine_single(x, 1); }
HELPER F tan_quarter(F x, int far) {
  I q;
  F r = quarter_turn(x, far, &q), s = sin_quarter(r), c = cos_quarter(r);
  I odd = q << (I)31;
  F top = (odd < (I)0) ? c : s, bottom = (odd < (I)0) ? s : c;
  return AS(float, AS(int, top / bottom) ^ (SIGN_SINGLE(x) ^ odd));
}
HELPER F tan_single(F x) { return tan_quarter(x, 1); }
HELPER F tan_native(F x) { return tan_quarter(x, 0); }
HELPER D reduce_full(D x, __private D *lo, __private L *q) {
  D n = v_rint(x * (D)0x1.45f306dc9c883p-1);
  D r = v_fma(n, (D)-0x1.921fb54442d18p0, x);
  D h = v_fma(n, (D)-0x1.1a62633145c07p-54, r);
  D l = v_fma(n, (D)-0x1.1a62633145c07p-54, r - h);
  *lo = v_fma(n, (D)0x1.f1976b7ed8fbcp-110, l);
  *q = AS(long, n + (D)0x1.8p52) & (L)3;
  if (ANY(v_abs(x) > (D)0x1p30)) {
    for (int i = 0; i < N; i++) {
      double a = AT(x, i);
      if (v_abs(a) > 0x1p30 && v_abs(a) < __builtin_inf()) {
        long k;
        double low, y = __muxcl_reduce_double(v_abs(a), &low, &k);
        AT(h, i) = a < 0 ? -y : y;
        AT(*lo, i) = a < 0 ? -low : low;
        AT(*q, i) = (a < 0 ? -k : k) & 3;
      }
    }
  }
  return h;
}
HELPER D sin_lite_(D r) { D z = r * r; return v_fma(r * z, SIN_LITE(D, z), r); }
HELPER D cos_lite_(D r) {
  D z = r * r;
  return v_fma(z * z, COS_LITE(D, z), v_fma(z, (D)-0.5, (D)1));
}
HELPER D sin_full_(D r, D lo) {
  D z = r * r;
  return r + v_fma(r * z, SIN_FULL(D, z), v_fma(z * lo, (D)-0.5, lo));
}
HELPER D cos_full_(D r, D lo) {
  D z = r * r, h = (D)0.5 * z, w = (D)1 - h;
  return w + ((((D)1 - w) - h) + v_fma(z * z, COS_FULL(D, z), -(r * lo)));
}
#define QUADRANTS(q, s, c) \
  D a = ((q & (L)1) != (L)0) ? c : s; \
  a = ((q & (L)2) != (L)0) ? -a : a;
HELPER D sincos_full(D x, __private D *cosine) {
  L q;
  D lo, r = reduce_full(x, &lo, &q), s = sin_full_(r, lo), c = cos_full_(r, lo);
  s = (r == (D)0) ? x : s; // -0
  QUADRANTS(q, s, c)
  D b = ((q & (L)1) != (L)0) ? s : c;
  *cosine = (((q + (L)1) & (L)2) != (L)0) ? -b : b;
  return a;
}
// Below this bound, pi as a sum of three numbers is exact enough to subtract multiples of pi from
// |x|.
#define FAR_FULL ((D)0x1p30)
#define LESS_PI_FULL(n, a) \
  v_fma(n, (D)0x1.f1976b7ed8fbcp-109, \
        v_fma(n, (D)-0x1.1a62633145c07p-53, v_fma(n, (D)-0x1.921fb54442d18p1, a)))
// The sine of r for |r| up to about pi/2. It is limited to 1 in magnitude, because programs compute
// the square root of 1 - s s, which must not be negative.
HELPER D sine_half_full(D r) {
  D z = r * r, y = v_fma(r * z, SIN_HALF_FULL(D, z), r);
  y = (y > (D)1) ? (D)1 : y;
  return (y < (D)-1) ? (D)-1 : y;
}
HELPER D sin_full(D x) {
  D a = v_abs(x), z = v_fma(a, (D)0x1.45f306dc9c883p-2, (D)0x1.8p52);
  D y = sine_half_full(LESS_PI_FULL((z - (D)0x1.8p52), a));
  y = AS(double, AS(long, y) ^ ((AS(long, z) << (L)63) ^ (AS(long, x) & (L)0x8000000000000000L)));
  if (ANY(!(a < FAR_FULL))) {
    D c, far = sincos_full(x, &c);
    y = (a < FAR_FULL) ? y : far;
  }
  return y;
}
HELPER D cos_full(D x) {
  D a = v_abs(x), z = v_fma(a, (D)0x1.45f306dc9c883p-2, (D)0.5) + (D)0x1.8p52;
  D y = sine_half_full(LESS_PI_FULL(((z - (D)0x1.8p52) - (D)0.5), a));
  y = AS(double, AS(long, y) ^ (AS(long, z) << (L)63));
  if (ANY(!(a < FAR_FULL))) {
    D far;
    sincos_full(x, &far);
    y = (a < FAR_FULL) ? y : far;
  }
  return y;
}
HELPER D tan_full(D x) {
  L q;
  D lo, r = reduce_full(x, &lo, &q), s = sin_full_(r, lo), c = cos_full_(r, lo);
  s = (r == (D)0) ? x : s; // -0
  D top = ((q & (L)1) != (L)0) ? -c : s, bottom = ((q & (L)1) != (L)0) ? s : c;
  return top / bottom;
}
// x in half turns: x = 2k + q/2 + f exactly, |f| <= 1/4; returns f pi as a sum.
HELPER D reduce_pi(D x, __private D *lo, __private L *q) {
  D t = v_fma((D)-2, v_rint(x * (D)0.5), x);
  D n = v_rint(t + t);
  D f = v_fma(n, (D)-0.5, t);
  D r = f * (D)0x1.921fb54442d18p1;
  *lo = v_fma(f, (D)0x1.921fb54442d18p1, -r) + f * (D)0x1.1a62633145c07p-53;
  *q = AS(long, n + (D)0x1.8p52) & (L)3;
  return r;
}
#define TURNS(SUFFIX, SIN, COS) \
  HELPER D sinpi##SUFFIX(D x) { \
    L q; D lo, r = reduce_pi(x, &lo, &q), s = SIN, c = COS; \
    s = (r == (D)0) ? r : s; \
    QUADRANTS(q, s, c) \
    return (a == (D)0) ? v_copysign(a, x) : a; \
  } \
  HELPER D cospi##SUFFIX(D x) { \
    L q; D lo, r = reduce_pi(x, &lo, &q), s = SIN, c = COS; \
    q += (L)1; \
    QUADRANTS(q, s, c) \
    return a + (D)0; \
  } \
  HELPER D tanpi##SUFFIX(D x) { \
    L q; D lo, r = reduce_pi(x, &lo, &q), s = SIN, c = COS; \
    s = (r == (D)0) ? r : s; \
    D zero = ((q & (L)2) != (L)0) ? v_copysign((D)0, -x) : v_copysign((D)0, x); \
    D pole = ((q & (L)2) != (L)0) ? -DINF : DINF; \
    D even = (s == (D)0) ? zero : s / c, odd = (s == (D)0) ? pole : -c / s; \
    return ((q & (L)1) != (L)0) ? odd : even; \
  }
TURNS(_lite, sin_lite_(r), cos_lite_(r))
TURNS(_full, sin_full_(r, lo), cos_full_(r, lo))
#undef TURNS
#endif
