// Error functions of double vectors. Included inside float bodies.
#include "core_exp.h"
#if FP == 32
// erfc(y) for y >= 1/2, from the smooth function (1 + 2y) e^(y^2) erfc(y), a polynomial in (y - 3)
// / (y + 3).
HELPER D erfc_tail_lite(D y) {
  y = (y > (D)10.5) ? (D)10.5 : y;
  D t = (y - (D)3) / (y + (D)3);
  return exp_lite(-y * y) * ERFC_LITE(D, t) / v_fma((D)2, y, (D)1);
}
HELPER D erfc_tail_full(D y) {
  y = (y > (D)28) ? (D)28 : y;
  D t = (y - (D)3) / (y + (D)3);
  D h = y * y, l = v_fma(y, y, -h);
  // The result may be subnormal, so the factor is applied before the last scaling, which would
  // round.
  D e = exp_sum((D)-0.5 * h, (D)-0.5 * l);
  return e * (ERFC_FULL(D, t) / v_fma((D)2, y, (D)1)) * e;
}
#define ERFS(SUFFIX, ERF) \
  HELPER D erf##SUFFIX(D x) { \
    D a = v_abs(x); \
    D near = x * ERF(D, x * x); \
    D far = v_copysign((D)1 - erfc_tail##SUFFIX(a), x); \
    far = (x != x) ? x : far; \
    return (a < (D)0.5) ? near : far; \
  } \
  HELPER D erfc##SUFFIX(D x) { \
    D a = v_abs(x); \
    D near = (D)1 - x * ERF(D, x * x); \
    D tail = erfc_tail##SUFFIX(a); \
    D far = (x < (D)0) ? (D)2 - tail : tail; \
    far = (x != x) ? x : far; \
    return (a < (D)0.5) ? near : far; \
  }
ERFS(_lite, ERF_LITE)
ERFS(_full, ERF_FULL)
#undef ERFS
#endif
