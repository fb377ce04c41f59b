// Gamma functions of double vectors: a shift beyond 10, Stirling's series there, reflection below
// 0.
#include "core_exp.h"
#include "core_log.h"
#include "core_trig.h"
#include "lgamma_near.h"
#if FP == 32
// The tail of Stirling's series, for x >= 10: sum of B(2k) / (2k (2k-1) x^(2k-1)).
HELPER D stirling(D x) {
  D r = (D)1 / x, z = r * r;
  D p = (D)(43867.0 / 244188.0);
  p = v_fma(p, z, (D)(-3617.0 / 122400.0));
  p = v_fma(p, z, (D)(1.0 / 156.0));
  p = v_fma(p, z, (D)(-691.0 / 360360.0));
  p = v_fma(p, z, (D)(1.0 / 1188.0));
  p = v_fma(p, z, (D)(-1.0 / 1680.0));
  p = v_fma(p, z, (D)(1.0 / 1260.0));
  p = v_fma(p, z, (D)(-1.0 / 360.0));
  p = v_fma(p, z, (D)(1.0 / 12.0));
  return p * r;
}
// x (x+1) ... (x+9), for 0 <= x < 10, in pairs from both ends.
HELPER D rising(D x) {
  D u = v_fma(x, x, (D)9 * x);
  return u * (u + (D)8) * ((u + (D)14) * (u + (D)18)) * (u + (D)20);
}
HELPER D tgamma_lite(D x) {
  D a = v_abs(x), b = (a > (D)200) ? (D)200 : a;
  D w = (b < (D)10) ? b + (D)10 : b;
  D e = exp_lite(v_fma(w - (D)0.5, log_lite(w), -w) + ((D)0x1.d67f1c864beb5p-1 + stirling(w)));
  D g = (b < (D)10) ? e / rising(b) : e;
  D s = sinpi_lite(a);
  D below = (D)-0x1.921fb54442d18p1 / (a * s * g);
  D y = (x < (D)0) ? below : g;
  y = (x == (D)0) ? (D)1 / x : y;
  y = (x < (D)0 && s == (D)0) ? DNAN : y;
  return (x == -DINF) ? DNAN : (x != x) ? x : y;
}
HELPER D tgamma_full(D x) {
  D a = v_abs(x), b = (a > (D)200) ? (D)200 : a;
  D w = (b < (D)10) ? b + (D)10 : b;
  // The rounding error of the shift; the derivative of the logarithm is about log w - 1 / 2w.
  D lost = (b < (D)10) ? ((D)10 - (w - b)) + (b - (w - (w - b))) : (D)0;
  D ll, lh = log_double(w, &ll);
  D f = w - (D)0.5;
  D p = f * lh, pl = v_fma(f, lh, -p) + f * ll;
  D h = p - w;
  D l = ((p - h) - w) + pl;
  l += stirling(w) + lost * (lh - (D)0.5 / w);
  // e^(h+l) as the square of its square root, which stays normal on both sides of the reflection.
  D c = (D)0x1.d67f1c864beb5p-1;
  D t = h + c;
  l += (c - (t - h)) + (h - (t - (t - h))) + (D)-0x1.65b5a1b7ff5dfp-55;
  D up = exp_sum((D)0.5 * t, (D)0.5 * l);
  D g = (b < (D)10) ? up / rising(b) * up : up * up;
  D s = sinpi_full(a);
  D down = exp_sum((D)-0.5 * t, (D)-0.5 * l);
  D factor = (D)-0x1.921fb54442d18p1 / (a * s);
  factor = (b < (D)10) ? factor * rising(b) : factor;
  D below = factor * down * down;
  D y = (x < (D)0) ? below : g;
  y = (x == (D)0) ? (D)1 / x : y;
  // 1/x, for which rising() is too inaccurate in the subnormal range.
  y = (a < (D)0x1p-60) ? (D)1 / x : y;
  y = (x < (D)0 && s == (D)0) ? DNAN : y;
  return (x == -DINF) ? DNAN : (x != x) ? x : y;
}
// Two logarithms, and a third one for negative numbers.
HELPER D lgamma_lite(D x, __private D *sign) {
  D a = v_abs(x), w = (a < (D)10) ? a + (D)10 : a;
  D z = (a < (D)0.7) ? a + (D)1 : (a > (D)2.6) ? a - (D)1 : a;
  D q = (a < (D)3.6) ? ((a < (D)0.7) ? a : z) : ((a < (D)10) ? rising(a) : (D)1);
  D lq = log_lite(q);
  // Near the zeros at 1 and 2, and one step to both sides.
  D t = (z - (D)1.65) * (D)(1 / 0.95);
  t = (a < (D)3.6) ? t : (D)0;
  D step = (a < (D)0.7) ? -lq : (a > (D)2.6) ? lq : (D)0;
  D near = v_fma((z - (D)1) * (z - (D)2), LGAMMA_NEAR_LITE(D, t), step);
  D r = (D)1 / w, rr = r * r;
  D tail = v_fma(v_fma(v_fma((D)(-1.0 / 1680.0), rr, (D)(1.0 / 1260.0)), rr, (D)(-1.0 / 360.0)), rr,
                 (D)(1.0 / 12.0));
  D g = v_fma(w - (D)0.5, log_lite(w) - (D)1, v_fma(tail, r, (D)0x1.acfe390c97d69p-2)) - lq;
  g = (a < (D)3.6) ? near : g;
  *sign = (x == (D)0) ? (D)0 : (D)1;
  if (ANY(AS(long, x) < (L)0)) {
    D s = sinpi_lite(a);
    D below = log_lite((D)0x1.921fb54442d18p1 / (a * v_abs(s))) - g;
    below = (s == (D)0) ? DINF : below;
    g = (x < (D)0) ? below : g;
    *sign = (x < (D)0 && s > (D)0) ? (D)-1 : (x < (D)0 && s == (D)0) ? (D)0 : *sign;
  }
  g = (a == DINF) ? DINF : g;
  return (x != x) ? x : g;
}
HELPER D lgamma_full(D x, __private D *sign) {
  D a = v_abs(x);
  D w = (a < (D)10) ? a + (D)10 : a;
  D g = (w - (D)0.5) * (log_full(w) - (D)1) + ((D)0x1.acfe390c97d69p-2 + stirling(w));
  D p = rising(a);
  D small = (a < (D)0x1p-60) ? -log_full(a) : g - log_full(p);
  g = (a < (D)10) ? small : g;
  // Near the zeros at 1 and 2, and one step to both sides.
  D z = (a < (D)0.7) ? a + (D)1 : (a > (D)2.6) ? a - (D)1 : a;
  D t = (z - (D)1.65) * (D)(1 / 0.95);
  t = (v_abs(t) < (D)1) ? t : (D)0;
  D step = log_full((a < (D)0.7) ? a : z);
  step = (a < (D)0.7) ? -step : (a > (D)2.6) ? step : (D)0;
  D near = v_fma((z - (D)1) * (z - (D)2), LGAMMA_NEAR(D, t), step);
  g = (a < (D)3.6 && a > (D)0x1p-60) ? near : g;
  D s = sinpi_full(a);
  D below = (a < (D)0x1p-60) ? small : log_full((D)0x1.921fb54442d18p1 / (a * v_abs(s))) - g;
  below = (s == (D)0) ? DINF : below;
  D y = (x < (D)0) ? below : g;
  y = (a == DINF) ? DINF : y;
  y = (x == (D)1 || x == (D)2) ? (D)0 : y;
  *sign = (x <= (D)0 && s == (D)0) ? (D)0 : (x < (D)0 && s > (D)0) ? (D)-1 : (D)1;
  return (x != x) ? x : y;
}
#endif
