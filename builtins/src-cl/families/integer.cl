// Integer functions. Sections become members: see gen/families.rs.
//@ member abs gen_int.h
#if SIGNED
OVL TU abs(T x) { return AS(SU, v_abs(x)); }
#else
OVL TU abs(T x) { return x; }
#endif
//@ member abs_diff gen_int.h
OVL TU abs_diff(T x, T y) { return (TU)(AS(SU, v_imax(x, y)) - AS(SU, v_imin(x, y))); }
//@ member add_sat gen_int.h
OVL T add_sat(T x, T y) { return __builtin_elementwise_add_sat(x, y); }
//@ member sub_sat gen_int.h
OVL T sub_sat(T x, T y) { return __builtin_elementwise_sub_sat(x, y); }
//@ member hadd gen_int.h
OVL T hadd(T x, T y) { return (T)((x & y) + ((x ^ y) >> (T)1)); }
//@ member rhadd gen_int.h
OVL T rhadd(T x, T y) { return (T)((x | y) - ((x ^ y) >> (T)1)); }
//@ member clz gen_int.h
OVL T clz(T x) { return AS(S, __builtin_elementwise_clzg(AS(SU, x), (TU)BITS)); }
//@ member ctz gen_int.h
OVL T ctz(T x) { return AS(S, __builtin_elementwise_ctzg(AS(SU, x), (TU)BITS)); }
//@ member popcount gen_int.h
OVL T popcount(T x) { return (T)__builtin_elementwise_popcount(x); }
//@ member bit_reverse gen_int.h
OVL T bit_reverse(T x) { return (T)__builtin_elementwise_bitreverse(x); }
//@ member rotate gen_int.h
OVL T rotate(T x, T n) {
  TU b = AS(SU, x), left = AS(SU, n) & (TU)(BITS - 1), right = (TU)(-left) & (TU)(BITS - 1);
  return AS(S, (TU)((b << left) | (b >> right)));
}
//@ member mul_hi gen_int.h
#include "wide_mul.h"
OVL T mul_hi(T x, T y) { return mxcl_mul_hi(x, y); }
//@ member mad_hi gen_int.h
#include "wide_mul.h"
OVL T mad_hi(T x, T y, T z) { return (T)(mxcl_mul_hi(x, y) + z); }
//@ member mad_sat gen_int.h
#if BITS < 64
OVL T mad_sat(T x, T y, T z) {
  V(SW) w = CVT(SW, x) * CVT(SW, y) + CVT(SW, z);
#if SIGNED
  w = v_imax(w, (V(SW))(SW)(-((SW)1 << (BITS - 1))));
  w = v_imin(w, (V(SW))(SW)(((SW)1 << (BITS - 1)) - 1));
#else
  w = v_imin(w, (V(SW))(SW)(((SW)1 << (BITS - 1)) * 2 - 1));
#endif
  return CVT(S, w);
}
#else
#include "wide_mul.h"
OVL T mad_sat(T x, T y, T z) {
  T high = mxcl_mul_hi(x, y);
  TU low = AS(SU, x) * AS(SU, y);
#if SIGNED
  TU sum = low + AS(SU, z);
  high += (z >> (T)63) + ((sum < low) ? (T)1 : (T)0);
  T limit = (high < (T)0) ? (T)LONG_MIN : (T)LONG_MAX;
  return (high != (AS(S, sum) >> (T)63)) ? limit : AS(S, sum);
#else
  return (high != (T)0) ? (T)ULONG_MAX : __builtin_elementwise_add_sat(low, z);
#endif
}
#endif
//@ member mul24 gen_int.h
#if BITS == 32
OVL T mul24(T x, T y) { return AS(S, AS(uint, x) * AS(uint, y)); }
#endif
//@ member mad24 gen_int.h
#if BITS == 32
OVL T mad24(T x, T y, T z) { return AS(S, AS(uint, x) * AS(uint, y) + AS(uint, z)); }
#endif
//@ member upsample gen_int.h
#if BITS < 64
OVL V(SW) upsample(T high, TU low) { return (CVT(SW, high) << (V(SW))(SW)BITS) | CVT(SW, low); }
#endif
//@ member bitfield_insert gen_int.h
OVL T bitfield_insert(T base, T insert, uint offset, uint count) {
  SU ones = count == 0 ? (SU)0 : (SU)((SU)-1 >> (BITS - count));
  TU mask = (TU)(SU)(ones << offset);
  return AS(S, (TU)((AS(SU, base) & ~mask) | ((AS(SU, insert) << (TU)(SU)offset) & mask)));
}
//@ member bitfield_extract_signed gen_int.h
OVL TI bitfield_extract_signed(T base, uint offset, uint count) {
  if (count == 0) return (TI)0;
  TU up = AS(SU, base) << (TU)(SU)(BITS - offset - count);
  return AS(SI, up) >> (TI)(SI)(BITS - count);
}
//@ member bitfield_extract_unsigned gen_int.h
OVL TU bitfield_extract_unsigned(T base, uint offset, uint count) {
  if (count == 0) return (TU)0;
  TU up = AS(SU, base) << (TU)(SU)(BITS - offset - count);
  return up >> (TU)(SU)(BITS - count);
}
//@ member max_int gen_int.h
OVL T max(T x, T y) { return v_imax(x, y); }
#if N > 1
OVL T max(T x, S y) { return v_imax(x, (T)y); }
#endif
//@ member min_int gen_int.h
OVL T min(T x, T y) { return v_imin(x, y); }
#if N > 1
OVL T min(T x, S y) { return v_imin(x, (T)y); }
#endif
//@ member clamp_int gen_int.h
OVL T clamp(T x, T low, T high) { return v_imin(v_imax(x, low), high); }
#if N > 1
OVL T clamp(T x, S low, S high) { return v_imin(v_imax(x, (T)low), (T)high); }
#endif
//@ member any gen_int.h
#if SIGNED
#if N == 1
OVL int any(T x) { return x < 0; }
#else
OVL int any(T x) { return __builtin_reduce_or(x) < 0; }
#endif
#endif
//@ member all gen_int.h
#if SIGNED
#if N == 1
OVL int all(T x) { return x < 0; }
#else
OVL int all(T x) { return __builtin_reduce_and(x) < 0; }
#endif
#endif
//@ member bitselect_int gen_int.h
OVL T bitselect(T a, T b, T c) { return (T)(a ^ ((a ^ b) & c)); }
//@ member select_int gen_int.h
#if N == 1
OVL T select(T a, T b, TI c) { return c ? b : a; }
OVL T select(T a, T b, TU c) { return c ? b : a; }
#else
OVL T select(T a, T b, TI c) { return (c < (TI)0) ? b : a; }
OVL T select(T a, T b, TU c) { return (AS(SI, c) < (TI)0) ? b : a; }
#endif
//@ member integer_dot_product none
#define PRODUCT(W) \
  HELPER W product(W##4 x, W##4 y) { W##4 p = x * y; return p.x + p.y + p.z + p.w; }
PRODUCT(int)
PRODUCT(uint)
#define DOT(A, B, R, P) \
  OVL R dot(A a, B b) { return product(convert(a, (R##4)0), convert(b, (R##4)0)); } \
  OVL R dot_acc_sat(A a, B b, R c) { return __builtin_elementwise_add_sat(dot(a, b), c); } \
  OVL R dot_4x8packed_##P##_##R(uint a, uint b) { \
    return dot(__builtin_astype(a, A), __builtin_astype(b, B)); \
  } \
  OVL R dot_acc_sat_4x8packed_##P##_##R(uint a, uint b, R c) { \
    return __builtin_elementwise_add_sat(dot(__builtin_astype(a, A), __builtin_astype(b, B)), c); \
  }
HELPER int4 convert(char4 x, int4 like) { return __builtin_convertvector(x, int4); }
HELPER int4 convert(uchar4 x, int4 like) { return __builtin_convertvector(x, int4); }
HELPER uint4 convert(uchar4 x, uint4 like) { return __builtin_convertvector(x, uint4); }
DOT(uchar4, uchar4, uint, uu)
DOT(char4, char4, int, ss)
DOT(uchar4, char4, int, us)
DOT(char4, uchar4, int, su)
