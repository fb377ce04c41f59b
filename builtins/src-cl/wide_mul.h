// The upper half of the double-width product. Included inside a gen_int.h body.
#if BITS < 64
HELPER T mxcl_mul_hi(T x, T y) { return CVT(S, (CVT(SW, x) * CVT(SW, y)) >> (V(SW))(SW)BITS); }
#elif N == 1
#if SIGNED
HELPER T mxcl_mul_hi(T x, T y) { return (T)(((_BitInt(128))x * (_BitInt(128))y) >> 64); }
#else
HELPER T mxcl_mul_hi(T x, T y) {
  return (T)(((unsigned _BitInt(128))x * (unsigned _BitInt(128))y) >> 64);
}
#endif
#else
HELPER T mxcl_mul_hi(T x, T y) {
  TU a = AS(SU, x), b = AS(SU, y);
  TU low = (TU)0xffffffffUL, half_ = (TU)32UL;
  TU al = a & low, ah = a >> half_, bl = b & low, bh = b >> half_;
  TU middle = ah * bl + ((al * bl) >> half_);
  TU other = al * bh + (middle & low);
  TU high = ah * bh + (middle >> half_) + (other >> half_);
#if SIGNED
  high -= AS(SU, (x >> (T)63)) & b;
  high -= AS(SU, (y >> (T)63)) & a;
#endif
  return AS(S, high);
}
#endif
