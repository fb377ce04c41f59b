// Common definitions for all members of the library: the OpenCL base types, attributes and
// width-generic helpers.
//
// Compiled WITHOUT -fdeclare-opencl-builtins: every builtin is an ordinary overloadable function
// here. Its definition therefore mangles like the calls that clang emits for user code, and clang
// cannot turn a builtin into a call of itself.
#ifndef MUXCL_H
#define MUXCL_H
#include <opencl-c-base.h>
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#pragma OPENCL FP_CONTRACT OFF

// A definition that user code can call.
#define OVL __attribute__((overloadable))
// An internal helper: one copy per member, inlined at every use.
#define HELPER static inline __attribute__((overloadable, always_inline))
#define CAT_(a, b) a##b
#define CAT(a, b) CAT_(a, b)
#define STR_(x) #x
#define STR(x) STR_(x)

#define v_fma(a, b, c) __builtin_elementwise_fma(a, b, c)
#define v_abs(x) __builtin_elementwise_abs(x)
#define v_sqrt(x) __builtin_elementwise_sqrt(x)
#define v_floor(x) __builtin_elementwise_floor(x)
#define v_ceil(x) __builtin_elementwise_ceil(x)
#define v_trunc(x) __builtin_elementwise_trunc(x)
#define v_rint(x) __builtin_elementwise_roundeven(x)
#define v_copysign(x, y) __builtin_elementwise_copysign(x, y)
#define v_minnum(a, b) __builtin_elementwise_minnum(a, b)
#define v_maxnum(a, b) __builtin_elementwise_maxnum(a, b)
#define v_imin(a, b) __builtin_elementwise_min(a, b)
#define v_imax(a, b) __builtin_elementwise_max(a, b)
#endif
