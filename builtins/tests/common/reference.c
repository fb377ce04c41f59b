// The mathematical functions of OpenCL C in 113-bit precision. A result is the sum of two doubles.
#include <quadmath.h>
#include <stddef.h>
typedef __float128 Q;
static Q turns(Q x, int cosine) {
  // sin(pi x) or cos(pi x), exact at multiples of 1/2.
  Q t = fmodq(x, 2.0Q), r;
  int q = (int)rintq(t * 2.0Q);
  Q f = (t - q * 0.5Q) * M_PIq;
  if (cosine) q += 1;
  switch (q & 3) {
    case 0: r = sinq(f); break;
    case 1: r = cosq(f); break;
    case 2: r = -sinq(f); break;
    default: r = -cosq(f); break;
  }
  return r;
}
static Q q_sinpi(Q x) { Q r = turns(x, 0); return r == 0 ? copysignq(0, x) : r; }
static Q q_cospi(Q x) { Q r = turns(x, 1); return r == 0 ? 0.0Q : r; }
static Q q_tanpi(Q x) {
  if (!finiteq(x)) return nanq("");
  Q s = turns(x, 0), c = turns(x, 1);
  if (s == 0) return c > 0 ? copysignq(0, x) : copysignq(0, -x);
  if (c == 0) return s > 0 ? HUGE_VALQ : -HUGE_VALQ;
  return s / c;
}
static Q q_exp10(Q x) { return x > 5000 ? HUGE_VALQ : x < -5000 ? 0 : powq(10.0Q, x); }
static Q q_exp2(Q x) { return exp2q(x); }
static Q q_rsqrt(Q x) { return 1.0Q / sqrtq(x); }
static Q q_asinpi(Q x) { return asinq(x) / M_PIq; }
static Q q_acospi(Q x) { return acosq(x) / M_PIq; }
static Q q_atanpi(Q x) { return atanq(x) / M_PIq; }
static Q q_tgamma(Q x) {
  if (x == 0) return 1.0Q / x;
  if (x < 0 && (isinfq(x) || floorq(x) == x)) return nanq("");
  if (x > 200) return x > 1e300Q * 1e300Q ? x : HUGE_VALQ;
  if (x < -0.5Q) {
    Q s = q_sinpi(-x);
    return x < -1000 ? copysignq(0, -s) : -M_PIq / (-x * s * tgammaq(-x));
  }
  return tgammaq(x);
}
static Q q_lgamma(Q x) { return lgammaq(x); }
static Q q_erfc(Q x) { return x > 100 ? 0 : x < -20 ? 2 : erfcq(x); }
static Q q_round(Q x) { return roundq(x); }
static Q q_logb(Q x) {
  return x == 0 ? -HUGE_VALQ : isinfq(x) ? fabsq(x) : isnanq(x) ? x : (Q)ilogbq(x);
}
static Q q_powr(Q x, Q y) {
  if (isnanq(x) || isnanq(y) || x < 0) return nanq("");
  if (x == 0 && y == 0) return nanq("");
  if (isinfq(x) && y == 0) return nanq("");
  if (x == 1 && isinfq(y)) return nanq("");
  return powq(fabsq(x), y);
}
static Q q_atan2pi(Q y, Q x) { return atan2q(y, x) / M_PIq; }
static Q q_maxmag(Q x, Q y) {
  Q a = fabsq(x), b = fabsq(y);
  return a > b ? x : b > a ? y : fmaxq(x, y);
}
static Q q_minmag(Q x, Q y) {
  Q a = fabsq(x), b = fabsq(y);
  return a < b ? x : b < a ? y : fminq(x, y);
}
static Q q_pow(Q x, Q y) { return powq(x, y); }
static Q q_pown(Q x, int n) { return powq(x, n); }
static Q q_rootn(Q x, int n) {
  if (n == 0 || isnanq(x) || (x < 0 && n % 2 == 0)) return nanq("");
  if (x == 0) { Q r = n > 0 ? 0 : HUGE_VALQ; return n % 2 ? copysignq(r, x) : r; }
  if (isinfq(x)) { Q r = n > 0 ? HUGE_VALQ : 0; return copysignq(r, x); }
  return copysignq(powq(fabsq(x), 1.0Q / n), x);
}
static Q q_ldexp(Q x, int n) { return scalbnq(x, n > 9000 ? 9000 : n < -9000 ? -9000 : n); }
#define UNARY(NAME, CALL) \
  void ref_##NAME(const double *a, const double *b, const int *n, double *hi, double *lo, \
                  size_t count) { \
    for (size_t i = 0; i < count; i++) { \
      Q r = CALL((Q)a[i]); \
      double h = (double)r; \
      hi[i] = h; \
      lo[i] = (h - h == 0) ? (double)(r - h) : 0; \
    } \
  }
#define BINARY(NAME, CALL) \
  void ref_##NAME(const double *a, const double *b, const int *n, double *hi, double *lo, \
                  size_t count) { \
    for (size_t i = 0; i < count; i++) { \
      Q r = CALL((Q)a[i], (Q)b[i]); \
      double h = (double)r; \
      hi[i] = h; \
      lo[i] = (h - h == 0) ? (double)(r - h) : 0; \
    } \
  }
#define POWER(NAME, CALL) \
  void ref_##NAME(const double *a, const double *b, const int *n, double *hi, double *lo, \
                  size_t count) { \
    for (size_t i = 0; i < count; i++) { \
      Q r = CALL((Q)a[i], n[i]); \
      double h = (double)r; \
      hi[i] = h; \
      lo[i] = (h - h == 0) ? (double)(r - h) : 0; \
    } \
  }
UNARY(exp, expq)
UNARY(exp2, q_exp2) UNARY(exp10, q_exp10) UNARY(expm1, expm1q) UNARY(log, logq) UNARY(log2, log2q)
    UNARY(log10, log10q) UNARY(log1p, log1pq) UNARY(sin, sinq) UNARY(cos, cosq) UNARY(tan, tanq)
        UNARY(sinpi, q_sinpi) UNARY(cospi, q_cospi) UNARY(tanpi, q_tanpi) UNARY(asin, asinq)
            UNARY(acos, acosq) UNARY(atan, atanq) UNARY(asinpi, q_asinpi) UNARY(acospi, q_acospi)
                UNARY(atanpi, q_atanpi) UNARY(sinh, sinhq) UNARY(cosh, coshq) UNARY(tanh, tanhq)
                    UNARY(asinh, asinhq) UNARY(acosh, acoshq) UNARY(atanh, atanhq)
                        UNARY(sqrt, sqrtq) UNARY(rsqrt, q_rsqrt) UNARY(cbrt, cbrtq) UNARY(erf, erfq)
                            UNARY(erfc, q_erfc) UNARY(tgamma, q_tgamma) UNARY(lgamma, q_lgamma)
                                UNARY(floor, floorq) UNARY(ceil, ceilq) UNARY(trunc, truncq)
                                    UNARY(rint, rintq) UNARY(round, q_round) UNARY(fabs, fabsq)
                                        UNARY(logb, q_logb) BINARY(pow, q_pow) BINARY(powr, q_powr)
                                            BINARY(atan2, atan2q) BINARY(atan2pi,
                                                                         q_atan2pi) BINARY(hypot,
                                                                                           hypotq)
                                                BINARY(fmod, fmodq) BINARY(remainder, remainderq)
                                                    BINARY(fdim, fdimq) BINARY(fmax, fmaxq)
                                                        BINARY(fmin, fminq) BINARY(maxmag, q_maxmag)
                                                            BINARY(minmag, q_minmag)
                                                                BINARY(copysign, copysignq)
                                                                    POWER(pown, q_pown)
                                                                        POWER(rootn, q_rootn)
                                                                            POWER(ldexp, q_ldexp)
