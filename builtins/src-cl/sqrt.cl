// sqrt: correctly rounded at every precision (the CPU's own instruction).
#ifndef BODY
#define BODY "sqrt.cl"
#include "gen_fp.h"
#else
OVL F sqrt(F x) { return v_sqrt(x); }
#endif
