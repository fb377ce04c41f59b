// Relational functions on floating-point numbers. R is the type of a truth value: int for scalars,
// otherwise an integer vector.
//@ member is_compare gen_fp.h
#include "truth.h"
OVL R isequal(F x, F y) { return x == y; }
OVL R isnotequal(F x, F y) { return x != y; }
OVL R isgreater(F x, F y) { return x > y; }
OVL R isgreaterequal(F x, F y) { return x >= y; }
OVL R isless(F x, F y) { return x < y; }
OVL R islessequal(F x, F y) { return x <= y; }
OVL R islessgreater(F x, F y) { return (x < y) || (x > y); }
#undef R
//@ member is_class gen_fp.h
#include "truth.h"
OVL R isfinite(F x) { return v_abs(x) < (F)(S)__builtin_inf(); }
OVL R isinf(F x) { return v_abs(x) == (F)(S)__builtin_inf(); }
OVL R isnan(F x) { return x != x; }
OVL R isnormal(F x) { return (v_abs(x) < (F)(S)__builtin_inf()) && (v_abs(x) >= (F)MIN_NORMAL); }
OVL R isordered(F x, F y) { return (x == x) && (y == y); }
OVL R isunordered(F x, F y) { return (x != x) || (y != y); }
#if N == 1
OVL R signbit(F x) { return AS(SI, x) < 0; }
#else
OVL R signbit(F x) { return AS(SI, x) < (I)0; }
#endif
#undef R
//@ member bitselect_fp gen_fp.h
OVL F bitselect(F a, F b, F c) {
  U x = AS(SU, a), y = AS(SU, b), z = AS(SU, c);
  return AS(S, (U)(x ^ ((x ^ y) & z)));
}
//@ member select_fp gen_fp.h
#if N == 1
OVL F select(F a, F b, I c) { return c ? b : a; }
OVL F select(F a, F b, U c) { return c ? b : a; }
#else
OVL F select(F a, F b, I c) { return (c < (I)0) ? b : a; }
OVL F select(F a, F b, U c) { return (AS(SI, c) < (I)0) ? b : a; }
#endif
