// Single precision.
#include "soft.h"
#define LETTER s
#define FLOAT float
#define BITS u32
#define RAWTYPE single
#define OF of_f
#define TO to_f
#define RAW(v) ((single){v}.u)
#include "float_arith.h"
