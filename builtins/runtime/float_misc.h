// Comparison and conversion of one format; see float_arith.h.
#define CAT_(a, b, c) a##b##c
#define CAT(a, b, c) CAT_(a, b, c)
#define FN(front, back) RT_(CAT(front, LETTER, back))
#define RT_(name) RT(name)
INNER int unordered(FLOAT a, FLOAT b) { return OF(a).kind == NAN_ || OF(b).kind == NAN_; }
INNER int compare(FLOAT a, FLOAT b, int other) {
  if (unordered(a, b))
    return other;
  BITS x = RAW(a), y = RAW(b), top = (BITS)1 << (sizeof(BITS) * 8 - 1);
  if (((x | y) & ~top) == 0 || x == y)
    return 0;
  if ((x ^ y) & top)
    return x & top ? -1 : 1;
  return ((x < y) != ((x & top) != 0)) ? -1 : 1;
}
int FN(__eq, f2)(FLOAT a, FLOAT b) { return compare(a, b, 1); }
int FN(__ne, f2)(FLOAT a, FLOAT b) { return compare(a, b, 1); }
int FN(__lt, f2)(FLOAT a, FLOAT b) { return compare(a, b, 1); }
int FN(__le, f2)(FLOAT a, FLOAT b) { return compare(a, b, 1); }
int FN(__cmp, f2)(FLOAT a, FLOAT b) { return compare(a, b, 1); }
int FN(__gt, f2)(FLOAT a, FLOAT b) { return compare(a, b, -1); }
int FN(__ge, f2)(FLOAT a, FLOAT b) { return compare(a, b, -1); }
int FN(__unord, f2)(FLOAT a, FLOAT b) { return unordered(a, b); }
FLOAT FN(__neg, f2)(FLOAT a) {
  RAWTYPE r;
  r.u = RAW(a) ^ (BITS)1 << (sizeof(BITS) * 8 - 1);
  return r.f;
}
i32 FN(__fix, fsi)(FLOAT a) { return (i32)to_signed(OF(a), 32); }
i64 FN(__fix, fdi)(FLOAT a) { return to_signed(OF(a), 64); }
u32 FN(__fixuns, fsi)(FLOAT a) { return (u32)to_unsigned(OF(a), 32); }
u64 FN(__fixuns, fdi)(FLOAT a) { return to_unsigned(OF(a), 64); }
FLOAT FN(__floatsi, f)(i32 v) { return TO(of_u64(v < 0 ? -(u64)v : (u64)v, v < 0)); }
FLOAT FN(__floatdi, f)(i64 v) { return TO(of_u64(v < 0 ? -(u64)v : (u64)v, v < 0)); }
FLOAT FN(__floatunsi, f)(u32 v) { return TO(of_u64(v, 0)); }
FLOAT FN(__floatundi, f)(u64 v) { return TO(of_u64(v, 0)); }
