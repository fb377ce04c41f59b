// Error and gamma functions.
//@ member erf gen_fp.h
#include "core_erf.h"
#if FP == 32
FLOAT1(erf, erf_lite)
#elif FP == 64
DOUBLE1(erf, erf_full)
#else
HALF1(erf)
#endif
//@ member erfc gen_fp.h
#include "core_erf.h"
#if FP == 32
FLOAT1(erfc, erfc_lite)
#elif FP == 64
DOUBLE1(erfc, erfc_full)
#else
HALF1(erfc)
#endif
//@ member tgamma gen_fp.h
#include "core_gamma.h"
#if FP == 32
OVL F tgamma(F x) { return CVT(float, tgamma_lite(CVT(double, x))); }
#elif FP == 64
OVL F tgamma(F x) { return tgamma_full(x); }
#else
HALF1(tgamma)
#endif
//@ member lgamma gen_fp.h
#include "core_gamma.h"
#if FP == 32
OVL F lgamma(F x) { D sign; return CVT(float, lgamma_lite(CVT(double, x), &sign)); }
#elif FP == 64
OVL F lgamma(F x) { D sign; return lgamma_full(x, &sign); }
#else
HALF1(lgamma)
#endif
//@ member lgamma_r gen_fp.h
#include "core_gamma.h"
#if FP == 32
OVL F lgamma_r(F x, __private V(int) *sign) {
  D s, y = lgamma_lite(CVT(double, x), &s);
  *sign = CVT(int, s);
  return CVT(float, y);
}
#elif FP == 64
OVL F lgamma_r(F x, __private V(int) *sign) {
  D s, y = lgamma_full(x, &s);
  *sign = CVT(int, s);
  return y;
}
#else
OVL F lgamma_r(F x, __private V(int) *sign) { return CVT(half, lgamma_r(CVT(float, x), sign)); }
#endif
#define LGAMMA_R(SPACE) \
  OVL F lgamma_r(F x, SPACE V(int) *sign) { V(int) s; F y = lgamma_r(x, &s); *sign = s; return y; }
OTHER_SPACES(LGAMMA_R)
