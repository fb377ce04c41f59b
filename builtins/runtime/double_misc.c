// Comparison and conversion in double precision.
#include "soft.h"
#define LETTER d
#define FLOAT double
#define BITS u64
#define RAWTYPE twice
#define OF of_d
#define TO to_d
#define RAW(v) bits_d(v)
#include "float_misc.h"
