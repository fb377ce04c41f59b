// Includes BODY for float, double, half (in this order, so that half may call float) and all
// widths. A member exports one precision, ONLY, and has private copies of the functions that it
// needs in other precisions. Defines, in addition to widths.h: FP (32, 64, 16), S, SI, SU (the
// element type, and the integers of its size), F, I, U (their vectors).
#include "muxcl.h"
#define F V(S)
#define I V(SI)
#define U V(SU)
// The type in which many float functions compute.
#define D V(double)
#define L V(long)
#define UL V(ulong)
#define INF ((S)__builtin_inf())
#define DINF ((D)__builtin_inf())
#define DNAN ((D)__builtin_nan(""))

// half functions round the results of float functions.
#define HALF1(f) OVL INLINE_SCALAR F f(F x) { return CVT(half, f(CVT(float, x))); }
#define HALF2(f) \
    OVL INLINE_SCALAR F f(F x, F y) { return CVT(half, f(CVT(float, x), CVT(float, y))); }
// A float function that computes in float.
#define SINGLE1(f, single) OVL INLINE_SCALAR F f(F x) { return single(x); }
#define SINGLE2(f, single) OVL INLINE_SCALAR F f(F x, F y) { return single(x, y); }
// A float (lite) or double (full) function with one or two arguments.
#define FLOAT1(f, lite) OVL INLINE_SCALAR F f(F x) { return CVT(float, lite(CVT(double, x))); }
#define FLOAT2(f, lite) \
    OVL INLINE_SCALAR F f(F x, F y) { return CVT(float, lite(CVT(double, x), CVT(double, y))); }
#define DOUBLE1(f, full) OVL INLINE_SCALAR F f(F x) { return full(x); }
#define DOUBLE2(f, full) OVL F f(F x, F y) { return full(x, y); }
// Repeats X for each address space of result pointers.
#define OTHER_SPACES(X) X(__global) X(__local) X(__generic)
#define SPACES(X) X(__private) X(__global) X(__local) X(__generic)

#if ONLY != 32
#undef OVL
#define OVL static __attribute__((overloadable))
#endif
#define FP 32
#define S float
#define SI int
#define SU uint
#include "widths.h"
#undef OVL
#define OVL __attribute__((overloadable))
#undef FP
#undef S
#undef SI
#undef SU
#if ONLY == 64
#define FP 64
#define S double
#define SI long
#define SU ulong
#include "widths.h"
#undef FP
#undef S
#undef SI
#undef SU
#endif
#if ONLY == 16
#define FP 16
#define S half
#define SI short
#define SU ushort
#include "widths.h"
#undef FP
#undef S
#undef SI
#undef SU
#endif
