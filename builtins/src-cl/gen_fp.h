// Includes BODY for float, double, half (in this order, so that half may call float) and all widths. Defines beside
// those of widths.h: FP (32, 64, 16), S, SI, SU (element, and integers of its size), F, I, U (their vectors).
#include "muxcl.h"
#define F V(S)
#define I V(SI)
#define U V(SU)

#define FP 32
#define S float
#define SI int
#define SU uint
#include "widths.h"
#undef FP
#undef S
#undef SI
#undef SU
#define FP 64
#define S double
#define SI long
#define SU ulong
#include "widths.h"
#undef FP
#undef S
#undef SI
#undef SU
#define FP 16
#define S half
#define SI short
#define SU ushort
#include "widths.h"
#undef FP
#undef S
#undef SI
#undef SU
