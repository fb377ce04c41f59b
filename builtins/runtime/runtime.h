// The run-time library of devices that lack instructions: what code generation calls, in C without
// a library. Nothing here may use what it implements: no floating-point arithmetic, no memcpy in
// disguise (compiled with -fno-builtin).
#pragma once
typedef signed char i8;
typedef unsigned char u8;
typedef short i16;
typedef unsigned short u16;
typedef int i32;
typedef unsigned int u32;
typedef long long i64;
typedef unsigned long long u64;
typedef __SIZE_TYPE__ size_t;
typedef __UINTPTR_TYPE__ word;

// Tests on the host call every function by a name of its own.
#ifdef MUXCL_RUNTIME_TEST
#define RT(name) rt_##name
#else
#define RT(name) name
#endif
#define INNER static inline __attribute__((always_inline))
