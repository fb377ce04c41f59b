// Functions of the mathematics library that LLVM calls, in double precision.
#include "soft.h"
#define NAME(n) RT(n)
#define POWI RT(__powidf2)
#define P 53
#define E 11
#define LETTER d
#define FLOAT double
#define BITS u64
#define RAWTYPE twice
#define OF of_d
#define TO to_d
#define RAW(v) bits_d(v)
#include "parts.h"
