// Multiplication and division by shifts, for every integer width that a device may lack.
#define DIVIDE(T, S, BITS, MUL, UDIV, UMOD, DIV, MOD) \
  INNER T MUL##_parts(T a, T b) { \
    T sum = 0; \
    for (; b; b >>= 1, a <<= 1) \
      if (b & 1) sum += a; \
    return sum; \
  } \
  INNER T UDIV##_parts(T a, T b, T *rest) { \
    T q = 0, r = 0; \
    if (b == 0) { \
      *rest = a; \
      return (T)-1; \
    } \
    for (int k = BITS - 1; k >= 0; k--) { \
      T out = r >> (BITS - 1); \
      r = r << 1 | (a >> k & 1); \
      if (out || r >= b) { \
        r -= b; \
        q |= (T)1 << k; \
      } \
    } \
    *rest = r; \
    return q; \
  } \
  T RT(MUL)(T a, T b) { return MUL##_parts(a, b); } \
  T RT(UDIV)(T a, T b) { \
    T r; \
    return UDIV##_parts(a, b, &r); \
  } \
  T RT(UMOD)(T a, T b) { \
    T r; \
    UDIV##_parts(a, b, &r); \
    return r; \
  } \
  S RT(DIV)(S a, S b) { \
    T r, q = UDIV##_parts(a < 0 ? -(T)a : (T)a, b < 0 ? -(T)b : (T)b, &r); \
    return (S)((a < 0) != (b < 0) ? -q : q); \
  } \
  S RT(MOD)(S a, S b) { \
    T r; \
    UDIV##_parts(a < 0 ? -(T)a : (T)a, b < 0 ? -(T)b : (T)b, &r); \
    return (S)(a < 0 ? -r : r); \
  }
