// Arithmetic of one format. Parameters: its letter in names (s, d), its type, and its unpacking.
#define CAT_(a, b, c) a##b##c
#define CAT(a, b, c) CAT_(a, b, c)
#define FN(front, back) RT_(CAT(front, LETTER, back))
#define RT_(name) RT(name)
FLOAT FN(__add, f3)(FLOAT a, FLOAT b) { return TO(add_numbers(OF(a), OF(b))); }
FLOAT FN(__sub, f3)(FLOAT a, FLOAT b) {
  number n = OF(b);
  n.sign ^= 1;
  return TO(add_numbers(OF(a), n));
}
FLOAT FN(__mul, f3)(FLOAT a, FLOAT b) { return TO(mul_numbers(OF(a), OF(b))); }
FLOAT FN(__div, f3)(FLOAT a, FLOAT b) { return TO(div_numbers(OF(a), OF(b))); }
