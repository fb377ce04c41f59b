// The run-time library of devices that lack instructions: the functions that code generation calls,
// in freestanding C. No function may use an operation that the library implements: no
// floating-point arithmetic, no implicit memcpy (compiled with -fno-builtin).
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

// Tests on the host call every function by a different name.
#ifdef MUXCL_RUNTIME_TEST
#define RT(name) rt_##name
#else
#define RT(name) name
#endif
#define INNER static inline __attribute__((always_inline))
