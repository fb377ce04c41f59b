// Double precision.
#include "soft.h"
#define LETTER d
#define FLOAT double
#define BITS u64
#define RAWTYPE twice
#define OF of_d
#define TO to_d
#define RAW(v) ((twice){v}.u)
#include "float_arith.h"
