// Exponentials of double vectors. Included inside float bodies: lite forms are good to float, full forms to double.
#include "coefficients.h"
#if FP == 32
// 2^n for whole n in [-1022, 1023].
HELPER D pow2(D n) { return AS(double, AS(long, n + (D)(0x1.8p52 + 1023)) << (L)52); }
HELPER D within(D x, D limit) {
  x = (x > limit) ? limit : x;
  return (x < -limit) ? -limit : x;
}
// e^x for a float result.
HELPER D exp_lite(D x) {
  x = within(x, (D)300);
  D n = v_rint(x * (D)0x1.71547652b82fep0);
  D r = v_fma(n, (D)-0x1.62e42fefa39efp-1, x);
  D y = v_fma(r * r, EXP_LITE(D, r), r) + (D)1;
  return y * pow2(n);
}
// 2^n e^(t + tl), n whole and |n| < 2000.
HELPER D exp_scaled(D n, D t, D tl) {
  D y = (D)1 + (t + v_fma(t * t, EXP_FULL(D, t), tl));
  D half_ = v_rint(n * (D)0.5);
  return y * pow2(half_) * pow2(n - half_);
}
// e^(h + l), |l| small beside h.
HELPER D exp_sum(D h, D l) {
  l = (v_abs(h) < (D)800) ? l : (D)0;
  h = within(h, (D)800);
  D n = v_rint(h * (D)0x1.71547652b82fep0);
  D r = v_fma(n, (D)-0x1.62e42fefa39efp-1, h);
  D low = v_fma(n, (D)-0x1.abc9e3b39803fp-56, l);
  D t = r + low;
  return exp_scaled(n, t, (r - t) + low);
}
// e^a / 2 for a >= 1, without early overflow.
HELPER D exp_half(D a) {
  D h = a - (D)0x1.62e42fefa39efp-1;
  D l = ((a - h) - (D)0x1.62e42fefa39efp-1) - (D)0x1.abc9e3b39803fp-56;
  return exp_sum(h, l);
}
HELPER D exp_full(D x) { return exp_sum(x, (D)0); }
HELPER D exp2_lite(D x) { return exp_lite(x * (D)0x1.62e42fefa39efp-1); }
HELPER D exp2_full(D x) {
  x = within(x, (D)1200);
  D n = v_rint(x), r = x - n;
  D t = r * (D)0x1.62e42fefa39efp-1;
  return exp_scaled(n, t, v_fma(r, (D)0x1.62e42fefa39efp-1, -t) + r * (D)0x1.abc9e3b39803fp-56);
}
HELPER D exp10_lite(D x) { return exp_lite(x * (D)0x1.26bb1bbb55516p1); }
HELPER D exp10_full(D x) {
  x = within(x, (D)400);
  D n = v_rint(x * (D)0x1.a934f0979a371p1);
  D r = v_fma(n, (D)-0x1.34413509f79ffp-2, x);
  r = v_fma(n, (D)0x1.9dc1da994fd21p-59, r);
  D t = r * (D)0x1.26bb1bbb55516p1;
  return exp_scaled(n, t, v_fma(r, (D)0x1.26bb1bbb55516p1, -t) + r * (D)-0x1.f48ad494ea3e9p-53);
}
// e^x - 1, without cancellation near 0. The final product is halved so that 2^1024 does not overflow early.
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
