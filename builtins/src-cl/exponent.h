// The binary exponent of a positive double, inside a gen_fp.h body.
#undef WIDE
#undef NARROW
#if FP == 32
#define WIDE CVT(double, x)
#define NARROW CVT(float, r)
HELPER L exponent(D a) {
  D up = (a < (D)0x1p-1022) ? (D)0x1p54 : (D)1;
  L b = AS(long, a * up);
  return (b >> (L)52) - (L)1023 - ((up != (D)1) ? (L)54 : (L)0);
}
#elif FP == 64
#define WIDE x
#define NARROW r
#else
#define WIDE CVT(double, CVT(float, x))
#define NARROW CVT(half, CVT(float, r))
#endif
