// Inverse trigonometric functions of double vectors. Included inside float bodies.
#include "coefficients.h"
#if FP == 32
#define ARCS(SUFFIX, ATAN, ASIN) \
  HELPER D asin##SUFFIX(D x) { \
    D a = v_abs(x), big = (D)0.5 * ((D)1 - a); \
    D z = (a > (D)0.5) ? big : a * a; \
    D t = (a > (D)0.5) ? v_sqrt(big) : a; \
    D p = t * z * ASIN(D, z); \
    D far = (D)0x1.921fb54442d18p0 - ((D)2 * t + ((D)2 * p - (D)0x1.1a62633145c07p-54)); \
    return v_copysign((a > (D)0.5) ? far : t + p, x); \
  } \
  HELPER D acos##SUFFIX(D x) { \
    D a = v_abs(x), big = (D)0.5 * ((D)1 - a); \
    D z = (a > (D)0.5) ? big : a * a; \
    D t = (a > (D)0.5) ? v_sqrt(big) : x; \
    D y = t + t * z * ASIN(D, z); \
    D far = (D)2 * y; \
    far = (x < (D)0) ? (D)0x1.921fb54442d18p1 - (far - (D)0x1.1a62633145c07p-53) : far; \
    return (a > (D)0.5) ? far : (D)0x1.921fb54442d18p0 - (y - (D)0x1.1a62633145c07p-54); \
  } \
  /* The angle of (x, y) with 0 <= x, y, not both 0. */ \
  HELPER D angle##SUFFIX(D y, D x) { \
    D top = (y > x) ? x : y, bottom = (y > x) ? y : x; \
    D wide = (top > bottom * (D)0x1.a827999fcef32p-2) ? (D)1 : (D)0; \
    D t = ((wide != (D)0) ? top - bottom : top) / ((wide != (D)0) ? top + bottom : bottom); \
    D z = t * t; \
    D a = v_fma(t * z, ATAN(D, z), t); \
    a = (wide != (D)0) ? (D)0x1.921fb54442d18p-1 + (a + (D)0x1.1a62633145c07p-55) : a; \
    return (y > x) ? (D)0x1.921fb54442d18p0 - (a - (D)0x1.1a62633145c07p-54) : a; \
  } \
  HELPER D atan##SUFFIX(D x) { \
    return v_copysign((x != x) ? x : angle##SUFFIX(v_abs(x), (D)1), x); \
  } \
  HELPER D atan2##SUFFIX(D y, D x) { \
    D a = v_abs(y), b = v_abs(x); \
    D big = (a > b) ? a : b; \
    D scale = (big > (D)0x1p1000) ? (D)0x1p-200 : (big < (D)0x1p-700) ? (D)0x1p300 : (D)1; \
    D c = (big == DINF) ? ((a == DINF) ? (D)1 : (D)0) : a * scale; \
    D d = (big == DINF) ? ((b == DINF) ? (D)1 : (D)0) : (big == (D)0) ? (D)1 : b * scale; \
    D r = angle##SUFFIX(c, d); \
    L left = AS(long, x) >> (L)63; \
    r = (left != (L)0) ? (D)0x1.921fb54442d18p1 - (r - (D)0x1.1a62633145c07p-53) : r; \
    r = v_copysign(r, y); \
    return (x != x || y != y) ? x + y : r; \
  } \
  /* Times 1/pi in two parts: halves and quarters come out exact. */ \
  HELPER D by_pi##SUFFIX(D r) { \
    return v_copysign(v_fma(r, (D)0x1.45f306dc9c883p-2, r * (D)-0x1.6b01ec5417056p-56), r); \
  } \
  HELPER D asinpi##SUFFIX(D x) { return by_pi##SUFFIX(asin##SUFFIX(x)); } \
  HELPER D acospi##SUFFIX(D x) { return by_pi##SUFFIX(acos##SUFFIX(x)); } \
  HELPER D atanpi##SUFFIX(D x) { return by_pi##SUFFIX(atan##SUFFIX(x)); } \
  HELPER D atan2pi##SUFFIX(D y, D x) { return by_pi##SUFFIX(atan2##SUFFIX(y, x)); }
ARCS(_lite, ATAN_LITE, ASIN_LITE)
ARCS(_full, ATAN_FULL, ASIN_FULL)
#undef ARCS
#endif
