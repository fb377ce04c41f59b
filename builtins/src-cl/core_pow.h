// Powers of double vectors. Included inside float bodies.
#include "core_exp.h"
#include "core_log.h"
#if FP == 32
// |x|^(y + yl) without special cases.
HELPER D power_lite(D a, D y, D yl) { return exp_lite(y * log_lite(a)); }
HELPER D power_full(D a, D y, D yl) {
  D low, high = log_double(a, &low);
  // Zero and infinity have no logarithm; the sign of y decides.
  high = (a == (D)0) ? (D)-800 : (a == DINF) ? (D)800 : high;
  low = (a == (D)0 || a == DINF) ? (D)0 : low;
  y = (y > (D)0x1p200) ? (D)0x1p200 : (y < (D)-0x1p200) ? (D)-0x1p200 : y;
  D p = high * y;
  D pl = v_fma(high, y, -p) + (low * y + yl * high);
  D r = exp_sum(p, pl);
  return (a != a) ? a : r;
}
// y as pow sees it: whole, and odd.
#define ODD(y) (v_abs(y) < (D)0x1p53 && v_trunc(y * (D)0.5) != y * (D)0.5)
#define WHOLE(y) (v_trunc(y) == y)
#define POWERS(SUFFIX) \
  HELPER D pow##SUFFIX(D x, D y) { \
    D a = v_abs(x); \
    D r = power##SUFFIX(a, y, (D)0); \
    D zero = (y > (D)0) ? (D)0 : DINF, inf = (y > (D)0) ? DINF : (D)0; \
    r = (a == (D)0) ? zero : (a == DINF) ? inf : r; \
    r = (a == (D)1) ? (D)1 : r; \
    D negative = (AS(long, x) < (L)0) ? (D)1 : (D)0; \
    D odd = (WHOLE(y) && ODD(y)) ? (D)1 : (D)0; \
    r = (negative != (D)0 && odd != (D)0) ? -r : r; \
    r = (x < (D)0 && x != -DINF && !WHOLE(y)) ? DNAN : r; \
    r = (x != x || y != y) ? x + y : r; \
    return (x == (D)1 || y == (D)0) ? (D)1 : r; \
  } \
  HELPER D powr##SUFFIX(D x, D y) { \
    D r = power##SUFFIX(x, y, (D)0); \
    D zero = (y > (D)0) ? (D)0 : DINF, inf = (y > (D)0) ? DINF : (D)0; \
    r = (x == (D)0) ? zero : (x == DINF) ? inf : r; \
    r = (x == (D)1 || y == (D)0) ? (D)1 : r; \
    r = ((x == (D)0 || x == DINF) && y == (D)0) ? DNAN : r; \
    r = (x == (D)1 && v_abs(y) == DINF) ? DNAN : r; \
    r = (x < (D)0) ? DNAN : r; \
    return (x != x || y != y) ? x + y : r; \
  } \
  HELPER D rootn##SUFFIX(D x, D n) { \
    D a = v_abs(x); \
    D y = (D)1 / n, yl = v_fma(-y, n, (D)1) / n; \
    D r = power##SUFFIX(a, y, yl); \
    D zero = (n > (D)0) ? (D)0 : DINF, inf = (n > (D)0) ? DINF : (D)0; \
    r = (a == (D)0) ? zero : (a == DINF) ? inf : (a == (D)1) ? (D)1 : r; \
    D odd = ODD(n) ? (D)1 : (D)0; \
    r = (AS(long, x) < (L)0 && odd != (D)0) ? -r : r; \
    r = (x < (D)0 && odd == (D)0) ? DNAN : r; \
    r = (n == (D)0) ? DNAN : r; \
    return (x != x) ? x : r; \
  }
POWERS(_lite)
POWERS(_full)
#undef POWERS
#endif
