// Sine and cosine of double vectors, with argument reduction for every magnitude. Included inside float bodies.
#include "coefficients.h"
#ifndef TRIG_ONCE
#define TRIG_ONCE
#include "reduce_table.h"
// x >= 2^30 less the nearest multiple of pi/2, which *q counts (modulo 4). No branch: the scalar form is made to be
// vectorized, its loads as gathers.
HELPER double reduce_large_float(double x, __private long *q) {
  long b = as_long(x);
  int at = 2 * ((int)(b >> 52) - 1053);
  double m = as_double((b & 0xfffffffffffffL) | 0x4160000000000000L);
  double p = m * two_over_pi_by_exponent[at];
  double n = v_rint(p);
  *q = as_long(n + 0x1.8p52);
  return v_fma(m, two_over_pi_by_exponent[at + 1], p - n) * 0x1.921fb54442d18p0;
}
// The same for double, as a sum of two; in member reduce_double.
__attribute__((overloadable)) double __muxcl_reduce_double(double x, __private double *lo, __private long *q);
#endif
#if FP == 32
// x less the nearest multiple of pi/2, good to float up to 2^30; *q: which multiple, modulo 4.
HELPER D reduce_fast(D x, __private L *q) {
  D n = v_rint(x * (D)0x1.45f306dc9c883p-1);
  D r = v_fma(n, (D)-0x1.921fb54442d18p0, x);
  r = v_fma(n, (D)-0x1.1a62633145c07p-54, r);
  *q = AS(long, n + (D)0x1.8p52) & (L)3;
  return r;
}
// The same for every x.
HELPER D reduce_lite(D x, __private L *q) {
  D r = reduce_fast(x, q);
#if N == 1
  if (v_abs(x) >= 0x1p30 && v_abs(x) < __builtin_inf()) {
    long k;
    double y = reduce_large_float(v_abs(x), &k);
    r = x < 0 ? -y : y;
    *q = (x < 0 ? -k : k) & 3;
  }
#else
  if (ANY(v_abs(x) >= (D)0x1p30)) {
    for (int i = 0; i < N; i++) {
      double a = AT(x, i);
      if (v_abs(a) >= 0x1p30 && v_abs(a) < __builtin_inf()) {
        long k;
        double y = reduce_large_float(v_abs(a), &k);
        AT(r, i) = a < 0 ? -y : y;
        AT(*q, i) = (a < 0 ? -k : k) & 3;
      }
    }
  }
#endif
  return r;
}
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
HELPER D cos_lite_(D r) { D z = r * r; return v_fma(z * z, COS_LITE(D, z), v_fma(z, (D)-0.5, (D)1)); }
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
#define SINES(SUFFIX, REDUCE) \
  HELPER D sin##SUFFIX(D x) { \
    L q; \
    D r = REDUCE(x, &q), s = sin_lite_(r), c = cos_lite_(r); \
    QUADRANTS(q, s, c) \
    return a; \
  } \
  HELPER D cos##SUFFIX(D x) { \
    L q; \
    D r = REDUCE(x, &q), s = sin_lite_(r), c = cos_lite_(r); \
    q += (L)1; \
    QUADRANTS(q, s, c) \
    return a; \
  } \
  HELPER D tan##SUFFIX(D x) { \
    L q; \
    D r = REDUCE(x, &q), s = sin_lite_(r), c = cos_lite_(r); \
    D top = ((q & (L)1) != (L)0) ? -c : s, bottom = ((q & (L)1) != (L)0) ? s : c; \
    return top / bottom; \
  }
SINES(_lite, reduce_lite)
SINES(_fast, reduce_fast)
#undef SINES
HELPER D sincos_lite(D x, __private D *cosine) {
  L q;
  D r = reduce_lite(x, &q), s = sin_lite_(r), c = cos_lite_(r);
  QUADRANTS(q, s, c)
  D b = ((q & (L)1) != (L)0) ? s : c;
  *cosine = (((q + (L)1) & (L)2) != (L)0) ? -b : b;
  return a;
}
HELPER D sincos_full(D x, __private D *cosine) {
  L q;
  D lo, r = reduce_full(x, &lo, &q), s = sin_full_(r, lo), c = cos_full_(r, lo);
  s = (r == (D)0) ? r : s;
  QUADRANTS(q, s, c)
  D b = ((q & (L)1) != (L)0) ? s : c;
  *cosine = (((q + (L)1) & (L)2) != (L)0) ? -b : b;
  return a;
}
HELPER D tan_full(D x) {
  L q;
  D lo, r = reduce_full(x, &lo, &q), s = sin_full_(r, lo), c = cos_full_(r, lo);
  s = (r == (D)0) ? r : s;
  D top = ((q & (L)1) != (L)0) ? -c : s, bottom = ((q & (L)1) != (L)0) ? s : c;
  return top / bottom;
}
// x in half turns: x = 2k + q/2 + f exactly, |f| <= 1/4; gives f pi as a sum.
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
