// Powers. Included inside float bodies. Single forms have float accuracy, full forms double
// accuracy.
#include "core_exp.h"
#include "core_log.h"
#if FP == 32
// a^y without special cases. The logarithm needs 10 bits more than float has, so the first terms of
// its series are double.
HELPER F power_single(F a, D y) {
  I k;
  F f = split_single(a, &k);
  D g = CVT(double, f);
  D l = v_fma(CVT(double, LOG2_TAIL_SINGLE(F, f)), g, (D)-0x1.71547652b82fep-2);
  l = v_fma(l, g, (D)0x1.ec709dc3a03fdp-2);
  l = v_fma(l, g, (D)-0x1.71547652b82fep-1);
  l = v_fma(l, g, (D)0x1.71547652b82fep0);
  D p = y * v_fma(l, g, CVT(double, k));
  p = (p > (D)160) ? (D)160 : p;
  p = (p < (D)-160) ? (D)-160 : p;
  D z = p + (D)0x1.8p52;
  F r = CVT(float, p - (z - (D)0x1.8p52));
  return scale_single(r * EXP2_SINGLE(F, r), CVT(int, AS(long, z)));
}
#define NAN_SINGLE ((F)__builtin_nanf(""))
// Special cases that all powers share for rare x: the sign of the exponent decides between zero and
// infinity, and odd exponents keep the sign.
HELPER F power_special_single(F x, F r, I up, I odd) {
  F a = v_abs(x);
  r = (a == (F)0)     ? ((up != (I)0) ? (F)0 : (F)INF)
      : (a == (F)INF) ? ((up != (I)0) ? (F)INF : (F)0)
                      : r;
  return (AS(int, x) < (I)0 && odd != (I)0) ? -r : r;
}
HELPER F pow_single(F x, F y) {
  F r = power_single(v_abs(x), CVT(double, y));
  if (RARELY(RARE(x) || !(v_abs(y) < (F)INF))) {
    F t = v_trunc(y), h = y * (F)0.5f;
    I whole = (t == y) ? (I)1 : (I)0;
    I odd = (v_abs(y) < (F)0x1p24f && v_trunc(h) != h) ? whole : (I)0;
    r = (v_abs(y) == (F)INF) ? (((v_abs(x) > (F)1) == (y > (F)0)) ? (F)INF : (F)0) : r;
    r = (v_abs(x) == (F)1) ? (F)1 : r;
    r = power_special_single(x, r, (y > (F)0) ? (I)1 : (I)0, odd);
    r = (x < (F)0 && x != -(F)INF && whole == (I)0) ? NAN_SINGLE : r;
    r = (x != x || y != y) ? x + y : r;
    r = (x == (F)1 || y == (F)0) ? (F)1 : r;
  }
  return r;
}
HELPER F powr_single(F x, F y) {
  F r = power_single(x, CVT(double, y));
  if (RARELY(RARE(x) || !(v_abs(y) < (F)INF))) {
    r = (v_abs(y) == (F)INF) ? (((x > (F)1) == (y > (F)0)) ? (F)INF : (F)0) : r;
    r = power_special_single(x, r, (y > (F)0) ? (I)1 : (I)0, (I)0);
    r = (y == (F)0) ? ((x == (F)0 || x == (F)INF) ? NAN_SINGLE : (F)1) : r;
    r = (x == (F)1 && v_abs(y) == (F)INF) ? NAN_SINGLE : r;
    r = (x < (F)0) ? NAN_SINGLE : r;
    r = (x != x || y != y) ? x + y : r;
  }
  return r;
}
HELPER F pown_single(F x, I n) {
  F r = power_single(v_abs(x), CVT(double, n));
  if (RARELY(RARE(x))) {
    r = power_special_single(x, r, (n > (I)0) ? (I)1 : (I)0, n & (I)1);
    r = (x != x) ? x : r;
    r = (n == (I)0) ? (F)1 : r;
  }
  return r;
}
HELPER F rootn_single(F x, I n) {
  F r = power_single(v_abs(x), (D)1 / CVT(double, n));
  if (RARELY(RARE(x))) {
    r = power_special_single(x, r, (n > (I)0) ? (I)1 : (I)0, n & (I)1);
    r = (x < (F)0 && (n & (I)1) == (I)0) ? NAN_SINGLE : r;
    r = (x != x) ? x : r;
  }
  return (n == (I)0) ? NAN_SINGLE : r;
}
// a^(y + yl) for a >= 0, except for the product of an infinite logarithm or exponent and zero.
HELPER D power_full(D a, D y, D yl) {
  D low, high = log_double(a, &low);
  if (ANY(RARE_FULL(a) || !(v_abs(y) < (D)0x1p200))) {
    // Zero and infinity have no finite logarithm; the sign of y decides.
    high = (a == (D)0) ? (D)-800 : (a == DINF) ? (D)800 : high;
    low = (a == (D)0 || a == DINF) ? (D)0 : low;
    y = (y > (D)0x1p200) ? (D)0x1p200 : (y < (D)-0x1p200) ? (D)-0x1p200 : y;
  }
  D p = high * y;
  D pl = v_fma(high, y, -p) + v_fma(low, y, yl * high);
  return exp_sum(p, pl);
}
// The equivalent of power_special_single for double.
HELPER D power_special_full(D x, D r, L up, L odd) {
  D a = v_abs(x);
  r = (a == (D)0) ? ((up != (L)0) ? (D)0 : DINF) : (a == DINF) ? ((up != (L)0) ? DINF : (D)0) : r;
  r = (AS(long, x) < (L)0 && odd != (L)0) ? -r : r;
  return (x != x) ? x : r;
}
HELPER D pow_full(D x, D y) {
  D r = power_full(v_abs(x), y, (D)0);
  if (ANY(RARE_FULL(x) || !(v_abs(y) < DINF))) {
    D t = v_trunc(y), h = y * (D)0.5;
    L whole = (t == y) ? (L)1 : (L)0;
    L odd = (v_abs(y) < (D)0x1p53 && v_trunc(h) != h) ? whole : (L)0;
    r = (v_abs(x) == (D)1) ? (D)1 : r;
    r = power_special_full(x, r, (y > (D)0) ? (L)1 : (L)0, odd);
    r = (x < (D)0 && x != -DINF && whole == (L)0) ? DNAN : r;
    r = (y != y) ? y : r;
    r = (x == (D)1 || y == (D)0) ? (D)1 : r;
  }
  return r;
}
HELPER D powr_full(D x, D y) {
  D r = power_full(x, y, (D)0);
  if (ANY(RARE_FULL(x) || !(v_abs(y) < DINF))) {
    r = power_special_full(x, r, (y > (D)0) ? (L)1 : (L)0, (L)0);
    r = (y == (D)0) ? ((x == (D)0 || x == DINF) ? DNAN : (D)1) : r;
    r = (x == (D)1 && v_abs(y) == DINF) ? DNAN : r;
    r = (x < (D)0) ? DNAN : r;
    r = (x != x) ? x : (y != y) ? y : r;
  }
  return r;
}
HELPER D rootn_full(D x, D n) {
  D y = (D)1 / n, yl = v_fma(-y, n, (D)1) / n;
  D r = power_full(v_abs(x), y, yl);
  if (ANY(RARE_FULL(x))) {
    D h = n * (D)0.5;
    L odd = (v_trunc(h) != h) ? (L)1 : (L)0;
    r = power_special_full(x, r, (n > (D)0) ? (L)1 : (L)0, odd);
    r = (x < (D)0 && odd == (L)0) ? DNAN : r;
  }
  return (n == (D)0) ? DNAN : r;
}
#endif
