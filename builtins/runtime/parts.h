// Functions of one format on its bits: rounding to integers, minima, remainders. `P`: bits of the
// significand, `E`: bits of the exponent.
#define TOP ((BITS)1 << (P - 1 + E))
#define BIAS ((1 << (E - 1)) - 1)
#define HIGH(b) ((int)((b) >> (P - 1)) & ((1 << E) - 1))
#define LOW_MASK (((BITS)1 << (P - 1)) - 1)
INNER BITS bits(FLOAT f) { return RAW(f); }
INNER FLOAT value(BITS b) {
  RAWTYPE r;
  r.u = b;
  return r.f;
}
INNER int is_nan(BITS b) { return HIGH(b) == (1 << E) - 1 && (b & LOW_MASK) != 0; }
INNER BITS quiet(BITS b) { return b | (BITS)1 << (P - 2); }
enum { DOWN, UP, CUT, EVEN, AWAY };
INNER FLOAT round_to(FLOAT f, int mode) {
  BITS b = bits(f), one = (BITS)BIAS << (P - 1), sign = b & TOP;
  int exp = HIGH(b) - BIAS;
  if (exp >= P - 1)
    return is_nan(b) ? value(quiet(b)) : f;
  if ((b & ~TOP) == 0)
    return f;
  if (exp < 0) {
    BITS magnitude = b & ~TOP, half = (BITS)(BIAS - 1) << (P - 1);
    int away = mode == DOWN   ? sign != 0
               : mode == UP   ? sign == 0
               : mode == EVEN ? magnitude > half
                              : mode == AWAY && magnitude >= half;
    return value(sign | (away ? one : 0));
  }
  BITS unit = (BITS)1 << (P - 1 - exp), rest = b & (unit - 1), half = unit >> 1;
  if (rest == 0)
    return f;
  b -= rest;
  int away = mode == DOWN   ? sign != 0
             : mode == UP   ? sign == 0
             : mode == EVEN ? rest > half || (rest == half && ((exp ? b & unit : 1) != 0))
                            : mode == AWAY && rest >= half;
  return value(b + (away ? unit : 0));
}
FLOAT NAME(floor)(FLOAT f) { return round_to(f, DOWN); }
FLOAT NAME(ceil)(FLOAT f) { return round_to(f, UP); }
FLOAT NAME(trunc)(FLOAT f) { return round_to(f, CUT); }
FLOAT NAME(rint)(FLOAT f) { return round_to(f, EVEN); }
FLOAT NAME(nearbyint)(FLOAT f) { return round_to(f, EVEN); }
FLOAT NAME(roundeven)(FLOAT f) { return round_to(f, EVEN); }
FLOAT NAME(round)(FLOAT f) { return round_to(f, AWAY); }
FLOAT NAME(fabs)(FLOAT f) { return value(bits(f) & ~TOP); }
FLOAT NAME(copysign)(FLOAT f, FLOAT s) { return value((bits(f) & ~TOP) | (bits(s) & TOP)); }

// Maps a number's bits to an integer with the same order; -0 is less than +0.
INNER BITS order(BITS b) { return b & TOP ? ~b : b | TOP; }
INNER FLOAT smaller(FLOAT a, FLOAT b) { return order(bits(a)) <= order(bits(b)) ? a : b; }
INNER FLOAT larger(FLOAT a, FLOAT b) { return order(bits(a)) >= order(bits(b)) ? a : b; }
FLOAT NAME(fmin)(FLOAT a, FLOAT b) {
  return is_nan(bits(a)) ? b : is_nan(bits(b)) ? a : smaller(a, b);
}
FLOAT NAME(fmax)(FLOAT a, FLOAT b) {
  return is_nan(bits(a)) ? b : is_nan(bits(b)) ? a : larger(a, b);
}
FLOAT NAME(fminimum_num)(FLOAT a, FLOAT b) {
  return is_nan(bits(a)) ? b : is_nan(bits(b)) ? a : smaller(a, b);
}
FLOAT NAME(fmaximum_num)(FLOAT a, FLOAT b) {
  return is_nan(bits(a)) ? b : is_nan(bits(b)) ? a : larger(a, b);
}
FLOAT NAME(fminimum)(FLOAT a, FLOAT b) {
  return is_nan(bits(a)) ? a : is_nan(bits(b)) ? b : smaller(a, b);
}
FLOAT NAME(fmaximum)(FLOAT a, FLOAT b) {
  return is_nan(bits(a)) ? a : is_nan(bits(b)) ? b : larger(a, b);
}

FLOAT NAME(fmod)(FLOAT x, FLOAT y) {
  BITS a = bits(x) & ~TOP, b = bits(y) & ~TOP, sign = bits(x) & TOP;
  if (is_nan(a) || is_nan(b) || HIGH(a) == (1 << E) - 1 || b == 0)
    return value(((BITS)((1 << E) - 1) << (P - 1)) | (BITS)1 << (P - 2));
  if (a < b)
    return x;
  int ea = HIGH(a), eb = HIGH(b);
  BITS ma = (a & LOW_MASK) | (ea ? (BITS)1 << (P - 1) : 0),
       mb = (b & LOW_MASK) | (eb ? (BITS)1 << (P - 1) : 0);
  ea += !ea;
  eb += !eb;
  for (; !(ma >> (P - 1)); ea--)
    ma <<= 1;
  for (; !(mb >> (P - 1)); eb--)
    mb <<= 1;
  for (; ea > eb; ea--) {
    if (ma >= mb)
      ma -= mb;
    ma <<= 1;
  }
  if (ma >= mb)
    ma -= mb;
  if (ma == 0)
    return value(sign);
  for (; !(ma >> (P - 1)) && ea > 1; ea--)
    ma <<= 1;
  if (ea < 1) { // the divisor was denormal: what falls out is zeros
    ma >>= 1 - ea;
    ea = 1;
  }
  BITS exponent = ma >> (P - 1) ? (BITS)ea << (P - 1) : 0;
  return value(sign | exponent | (ma & LOW_MASK));
}
FLOAT NAME(ldexp)(FLOAT f, int n) {
  number v = OF(f);
  if (v.kind != FINITE)
    return v.kind == NAN_ ? value(quiet(bits(f))) : f;
  v.exp += n > 10000 ? 10000 : n < -10000 ? -10000 : n;
  return TO(v);
}
FLOAT NAME(scalbn)(FLOAT f, int n) { return NAME(ldexp)(f, n); }
FLOAT NAME(frexp)(FLOAT f, int *exponent) {
  number v = OF(f);
  *exponent = 0;
  if (v.kind != FINITE)
    return f;
  *exponent = v.exp + 1;
  v.exp = -1;
  return TO(v);
}
long NAME(lrint)(FLOAT f) { return (long)to_signed(OF(round_to(f, EVEN)), sizeof(long) * 8); }
i64 NAME(llrint)(FLOAT f) { return to_signed(OF(round_to(f, EVEN)), 64); }
long NAME(lround)(FLOAT f) { return (long)to_signed(OF(round_to(f, AWAY)), sizeof(long) * 8); }
i64 NAME(llround)(FLOAT f) { return to_signed(OF(round_to(f, AWAY)), 64); }
FLOAT POWI(FLOAT a, int n) {
  number r = of_u64(1, 0), b = OF(a);
  unsigned k = n < 0 ? -(unsigned)n : (unsigned)n;
  for (; k; k >>= 1) {
    if (k & 1)
      r = OF(TO(mul_numbers(r, b)));
    b = OF(TO(mul_numbers(b, b)));
  }
  return n < 0 ? TO(div_numbers(of_u64(1, 0), r)) : TO(r);
}
