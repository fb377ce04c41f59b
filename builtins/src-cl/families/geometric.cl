// Geometric functions, for 1 to 4 components. To avoid overflow, float computes in double and half
// in float.
//@ member dot gen_fp.h
#include "geometric.h"
#if N <= 4
OVL S dot(F x, F y) {
#if FP == 64
  return sum(x * y);
#else
  return (S)sum(CVT(SX, x) * CVT(SX, y));
#endif
}
#endif
//@ member length gen_fp.h
#include "geometric.h"
#if N <= 4
OVL S length(F x) { return norm(x); }
#endif
//@ member fast_length gen_fp.h
#include "geometric.h"
#if N <= 4 && FP == 32
OVL S fast_length(F x) { return v_sqrt(sum(x * x)); }
#endif
//@ member distance gen_fp.h
#include "geometric.h"
#if N <= 4
OVL S distance(F x, F y) {
#if FP == 64
  return norm(x - y);
#else
  V(SX) d = CVT(SX, x) - CVT(SX, y);
  return (S)v_sqrt(sum(d * d));
#endif
}
#endif
//@ member fast_distance gen_fp.h
#include "geometric.h"
#if N <= 4 && FP == 32
OVL S fast_distance(F x, F y) {
  F d = x - y;
  return v_sqrt(sum(d * d));
}
#endif
//@ member normalize gen_fp.h
#include "geometric.h"
#if N <= 4
OVL F normalize(F x) {
#if N == 1
  return (x == 0 || x != x) ? x : v_copysign((S)1, x);
#else
  // Infinite components outweigh finite ones. The sum keeps NaNs.
  F high = v_abs(x);
  if (largest(high) == INF) x = (high == (F)INF) ? v_copysign((F)1, x) : x * (F)0;
#if FP == 64
  S scale;
  F w = scaled(x, &scale);
  S square = sum(w * w);
  return square == 0 ? x : w / (F)v_sqrt(square);
#else
  V(SX) w = CVT(SX, x);
  SX square = sum(w * w);
  return square == 0 ? x : CVT(S, w / (V(SX))v_sqrt(square));
#endif
#endif
}
#endif
//@ member fast_normalize gen_fp.h
#include "geometric.h"
#if N <= 4 && FP == 32
OVL F fast_normalize(F x) {
  S square = sum(x * x);
  return square == 0 ? x : x / (F)v_sqrt(square);
}
#endif
//@ member cross gen_fp.h
#if N == 3
OVL F cross(F a, F b) { return a.yzx * b.zxy - a.zxy * b.yzx; }
#elif N == 4
OVL F cross(F a, F b) { return (F)(a.yzx * b.zxy - a.zxy * b.yzx, (S)0); }
#endif
