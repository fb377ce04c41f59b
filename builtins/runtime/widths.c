// Conversions between precisions.
#include "soft.h"
typedef union {
  _Float16 f;
  u16 u;
} half;
INNER number of_h(_Float16 f) {
  half h = {f};
  volatile u16 hidden = h.u;
  return unpack(hidden, 11, 5);
}
INNER _Float16 to_h(number n) {
  half h;
  h.u = (u16)pack(n, 11, 5);
  return h.f;
}
double RT(__extendsfdf2)(float f) { return to_d(of_f(f)); }
float RT(__truncdfsf2)(double f) { return to_f(of_d(f)); }
float RT(__extendhfsf2)(_Float16 f) { return to_f(of_h(f)); }
double RT(__extendhfdf2)(_Float16 f) { return to_d(of_h(f)); }
_Float16 RT(__truncsfhf2)(float f) { return to_h(of_f(f)); }
_Float16 RT(__truncdfhf2)(double f) { return to_h(of_d(f)); }
float RT(__gnu_h2f_ieee)(u16 bits) { return to_f(unpack(bits, 11, 5)); }
u16 RT(__gnu_f2h_ieee)(float f) { return (u16)pack(of_f(f), 11, 5); }
