// Functions of the mathematics library that LLVM calls, in single precision.
#include "soft.h"
#define NAME(n) RT(n##f)
#define POWI RT(__powisf2)
#define P 24
#define E 8
#define LETTER s
#define FLOAT float
#define BITS u32
#define RAWTYPE single
#define OF of_f
#define TO to_f
#define RAW(v) bits_f(v)
#include "parts.h"
