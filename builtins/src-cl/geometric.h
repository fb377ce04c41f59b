// Sums over components and scaled norms, inside a gen_fp.h body of at most 4 components.
#undef SX
#if FP == 32
#define SX double
#elif FP == 16
#define SX float
#else
#define SX double
#endif
#ifndef SUMS
#define SUMS
#define SUM(T) \
  HELPER T sum(T x) { return x; } \
  HELPER T sum(T##2 x) { return x.x + x.y; } \
  HELPER T sum(T##3 x) { return x.x + x.y + x.z; } \
  HELPER T sum(T##4 x) { return (x.x + x.y) + (x.z + x.w); }
SUM(float)
SUM(double)
#undef SUM
#endif
#if N <= 4
#if N == 1
HELPER S largest(F x) { return x; }
#elif FP == 16
// Computes in float: LLVM 22 compiles fmax of two halves to a call of fmaxf on processors without
// half arithmetic.
HELPER S largest(F x) { return (S)__builtin_reduce_max(CVT(float, x)); }
#else
HELPER S largest(F x) { return __builtin_reduce_max(x); }
#endif
#if FP == 64
// x times a power of two that brings the largest component near 1; *scale is the inverse factor.
HELPER F scaled(F x, S *scale) {
  S top = largest(v_abs(x));
  long e = (__builtin_astype(top, long) >> 52) & 0x7ff;
  e = e < 1 ? 1 : e > 2045 ? 2045 : e;
  *scale = __builtin_astype(e << 52, double);
  return x * (F)__builtin_astype((2046 - e) << 52, double);
}
HELPER S norm(F x) {
  S top = largest(v_abs(x));
  // Infinite, or NaN if a component is NaN.
  if (top == INF) return sum(v_abs(x));
  S scale;
  F y = scaled(x, &scale);
  return v_sqrt(sum(y * y)) * scale;
}
#else
HELPER S norm(F x) {
  V(SX) w = CVT(SX, x);
  return (S)v_sqrt(sum(w * w));
}
#endif
#endif
