// Square roots and fused multiply-add.
#include "soft.h"
float RT(sqrtf)(float a) { return to_f(sqrt_number(of_f(a))); }
double RT(sqrt)(double a) { return to_d(sqrt_number(of_d(a))); }
float RT(fmaf)(float a, float b, float c) { return to_f(fma_numbers(of_f(a), of_f(b), of_f(c))); }
double RT(fma)(double a, double b, double c) {
    return to_d(fma_numbers(of_d(a), of_d(b), of_d(c)));
}
