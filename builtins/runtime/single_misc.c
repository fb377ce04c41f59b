// Comparison and conversion in single precision.
#include "soft.h"
#define LETTER s
#define FLOAT float
#define BITS u32
#define RAWTYPE single
#define OF of_f
#define TO to_f
#define RAW(v) bits_f(v)
#include "float_misc.h"
