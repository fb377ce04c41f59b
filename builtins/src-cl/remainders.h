// Exact remainders by integer long division, for scalars of every type (all are exact in double).
#ifndef REMAINDERS_ONCE
#define REMAINDERS_ONCE
// x - n y with n = trunc(x / y), or, when nearest, rounded to even; *quotient: the low bits of |n|.
HELPER double remainder_of(double x, double y, int nearest, __private uint *quotient) {
  *quotient = 0;
  ulong a = as_ulong(x) & 0x7fffffffffffffffUL, b = as_ulong(y) & 0x7fffffffffffffffUL;
  const ulong inf = 0x7ff0000000000000UL;
  if (b > inf || a > inf) return x + y;
  if (a == inf || b == 0) return __builtin_nan("");
  if (b == inf || a == 0) return x;
  int ea = (int)(a >> 52), eb = (int)(b >> 52);
  ulong ma = a & 0xfffffffffffffUL, mb = b & 0xfffffffffffffUL;
  if (ea == 0) { int z = __builtin_clzl(ma) - 11; ma <<= z; ea = 1 - z; } else ma |= 0x10000000000000UL;
  if (eb == 0) { int z = __builtin_clzl(mb) - 11; mb <<= z; eb = 1 - z; } else mb |= 0x10000000000000UL;
  // a = ma 2^ea, b = mb 2^eb, both 53 bits (scale left out).
  int shift = ea - eb;
  uint q = 0;
  int e = eb;
  if (shift < -1) return x;
  if (shift < 0) {
    // b/4 < a < b: fmod is x; the nearest remainder may be a - b, in units of 2^ea.
    if (!nearest) return x;
    mb <<= 1;
    e = ea;
  } else {
    ulong d = mb;
    // 11 bits of the quotient at a time, as many as 64 bits leave.
    q = (uint)(ma / d);
    ma -= (ma / d) * d;
    while (shift > 0 && ma != 0) {
      int k = shift < 11 ? shift : 11;
      ma <<= k;
      ulong part = ma / d;
      q = (q << k) + (uint)part;
      ma -= part * d;
      shift -= k;
    }
    if (shift > 0) q = shift > 31 ? 0 : q << shift;
  }
  bool negative = as_long(x) < 0;
  if (nearest) {
    ulong twice = ma * 2;
    if (twice > mb || (twice == mb && (q & 1))) {
      ma = mb - ma;
      q++;
      negative = !negative;
    }
  }
  *quotient = q;
  if (ma == 0) return as_double(as_ulong(x) & 0x8000000000000000UL);
  // ma 2^(e - 1075): exact, since no smaller than both operands' last places.
  int z = __builtin_clzl(ma) - 11;
  ulong bits;
  if (z >= 0) {
    ma <<= z;
    e -= z;
  } else {
    ma >>= -z;
    e += -z;
  }
  bits = e > 0 ? ((ulong)e << 52) | (ma & 0xfffffffffffffUL) : ma >> (1 - e);
  return as_double(bits | (negative ? 0x8000000000000000UL : 0));
}
#endif
#undef FROM_DOUBLE
#if FP == 16
// Remainders are exact; a detour avoids a conversion that CPUs without half arithmetic do in a library call.
#define FROM_DOUBLE(x) ((half)(float)(x))
#else
#define FROM_DOUBLE(x) ((S)(x))
#endif
