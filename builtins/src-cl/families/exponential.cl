// Exponentials, logarithms and hyperbolic functions.
//@ member exp gen_fp.h
#include "core_exp.h"
#if FP == 32
SINGLE1(exp, exp_single)
#elif FP == 64
DOUBLE1(exp, exp_full)
#else
HALF1(exp)
#endif
//@ member exp2 gen_fp.h
#include "core_exp.h"
#if FP == 32
SINGLE1(exp2, exp2_single)
#elif FP == 64
DOUBLE1(exp2, exp2_full)
#else
HALF1(exp2)
#endif
//@ member exp10 gen_fp.h
#include "core_exp.h"
#if FP == 32
SINGLE1(exp10, exp10_single)
#elif FP == 64
DOUBLE1(exp10, exp10_full)
#else
HALF1(exp10)
#endif
//@ member expm1 gen_fp.h
#include "core_exp.h"
#if FP == 32
SINGLE1(expm1, expm1_single)
#elif FP == 64
DOUBLE1(expm1, expm1_full)
#else
HALF1(expm1)
#endif
//@ member log gen_fp.h
#include "core_log.h"
#if FP == 32
SINGLE1(log, log_single)
#elif FP == 64
DOUBLE1(log, log_short)
#else
HALF1(log)
#endif
//@ member log2 gen_fp.h
#include "core_log.h"
#if FP == 32
SINGLE1(log2, log2_single)
#elif FP == 64
DOUBLE1(log2, log2_full)
#else
HALF1(log2)
#endif
//@ member log10 gen_fp.h
#include "core_log.h"
#if FP == 32
SINGLE1(log10, log10_single)
#elif FP == 64
DOUBLE1(log10, log10_full)
#else
HALF1(log10)
#endif
//@ member log1p gen_fp.h
#include "core_log.h"
#if FP == 32
SINGLE1(log1p, log1p_single)
#elif FP == 64
DOUBLE1(log1p, log1p_full)
#else
HALF1(log1p)
#endif
//@ member sinh gen_fp.h
#include "core_exp.h"
#if FP == 32
HELPER D sinh_lite(D x) {
  D t = expm1_lite(v_abs(x));
  return (x == (D)0) ? x : v_copysign((D)0.5 * (t + t / (t + (D)1)), x);
}
FLOAT1(sinh, sinh_lite)
#elif FP == 64
OVL F sinh(F x) {
  F a = v_abs(x);
  F t = expm1_full((a < (F)22) ? a : (F)22);
  F e = exp_half((a < (F)22) ? (F)22 : a);
  F y = (a < (F)22) ? (F)0.5 * (t + t / (t + (F)1)) : e;
  y = (x == (F)0 || x != x) ? x : y;
  return v_copysign(y, x);
}
#else
HALF1(sinh)
#endif
//@ member cosh gen_fp.h
#include "core_exp.h"
#if FP == 32
HELPER D cosh_lite(D x) {
  D e = exp_lite(v_abs(x));
  return (D)0.5 * (e + (D)1 / e);
}
FLOAT1(cosh, cosh_lite)
#elif FP == 64
OVL F cosh(F x) {
  F a = v_abs(x);
  F h = exp_half((a < (F)1) ? (F)1 : a);
  F small = exp_full((a < (F)1) ? a : (F)1) * (F)0.5;
  h = (a < (F)1) ? small : h;
  return h + (F)0.25 / h;
}
#else
HALF1(cosh)
#endif
//@ member tanh gen_fp.h
#include "core_exp.h"
#if FP == 32
HELPER D tanh_lite(D x) {
  D a = v_abs(x);
  D t = expm1_lite((D)2 * ((a > (D)22) ? (D)22 : a));
  return (x == (D)0) ? x : v_copysign(t / (t + (D)2), x);
}
FLOAT1(tanh, tanh_lite)
#elif FP == 64
OVL F tanh(F x) {
  F a = v_abs(x);
  F t = expm1_full((F)2 * ((a > (F)22) ? (F)22 : a));
  return (x == (F)0) ? x : v_copysign(t / (t + (F)2), x);
}
#else
HALF1(tanh)
#endif
//@ member asinh gen_fp.h
#include "core_log.h"
#if FP == 32
HELPER D asinh_lite(D x) {
  D a = v_abs(x), z = a * a;
  D y = log1p_lite(a + z / ((D)1 + v_sqrt((D)1 + z)));
  y = (a == DINF) ? a : y;
  return v_copysign(y, x);
}
FLOAT1(asinh, asinh_lite)
#elif FP == 64
OVL F asinh(F x) {
  F a = v_abs(x), b = (a < (F)0x1p28) ? a : (F)1, z = b * b;
  F y = log1p_full(b + z / ((F)1 + v_sqrt((F)1 + z)));
  y = (a < (F)0x1p28) ? y : log_full(a) + (F)0x1.62e42fefa39efp-1;
  return v_copysign(y, x);
}
#else
HALF1(asinh)
#endif
//@ member acosh gen_fp.h
#include "core_log.h"
#if FP == 32
HELPER D acosh_lite(D x) {
  D t = x - (D)1;
  D y = log1p_lite(t + v_sqrt(t * (x + (D)1)));
  return (x < (D)1) ? DNAN : y;
}
FLOAT1(acosh, acosh_lite)
#elif FP == 64
OVL F acosh(F x) {
  F b = (x < (F)0x1p28) ? x : (F)2, t = b - (F)1;
  F y = log1p_full(t + v_sqrt((F)2 * t + t * t));
  y = (x >= (F)0x1p28) ? log_full(x) + (F)0x1.62e42fefa39efp-1 : y;
  return (x < (F)1) ? DNAN : (x != x) ? x : y;
}
#else
HALF1(acosh)
#endif
//@ member atanh gen_fp.h
#include "core_log.h"
#if FP == 32
// Beyond 1 the argument of the logarithm is negative.
HELPER F atanh_single(F x) {
  F a = v_abs(x);
  return v_copysign((F)0.5f * log1p_single((F)2 * a / ((F)1 - a)), x);
}
SINGLE1(atanh, atanh_single)
#elif FP == 64
OVL F atanh(F x) {
  F a = v_abs(x);
  F y = (F)0.5 * log1p_full((F)2 * a / ((F)1 - a));
  y = (a > (F)1) ? DNAN : y;
  return v_copysign(y, x);
}
#else
HALF1(atanh)
#endif
