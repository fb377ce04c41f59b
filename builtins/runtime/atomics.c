// Atomic operations for devices without A. Such a device runs one program in order, so plain
// operations are atomic.
#include "runtime.h"
#ifndef MUXCL_RUNTIME_TEST
#define NAMED(name) __asm__(name)
#define SIZED(T, N) \
  T load##N(const volatile T *p, int o) NAMED("__atomic_load_" #N); \
  T load##N(const volatile T *p, int o) { return *p; } \
  void store##N(volatile T *p, T v, int o) NAMED("__atomic_store_" #N); \
  void store##N(volatile T *p, T v, int o) { *p = v; } \
  T swap##N(volatile T *p, T v, int o) NAMED("__atomic_exchange_" #N); \
  T swap##N(volatile T *p, T v, int o) { \
    T old = *p; \
    *p = v; \
    return old; \
  } \
  _Bool cas##N(volatile T *p, T *expected, T v, int o, int f) \
      NAMED("__atomic_compare_exchange_" #N); \
  _Bool cas##N(volatile T *p, T *expected, T v, int o, int f) { \
    T old = *p; \
    _Bool same = old == *expected; \
    if (same) *p = v; \
    else *expected = old; \
    return same; \
  } \
  CHANGE(T, N, add, old + v) \
  CHANGE(T, N, sub, old - v) \
  CHANGE(T, N, and, old &v) \
  CHANGE(T, N, or, old | v) \
  CHANGE(T, N, xor, old ^ v) \
  CHANGE(T, N, nand, ~(old & v))
#define CHANGE(T, N, what, result) \
  T fetch_##what##N(volatile T *p, T v, int o) NAMED("__atomic_fetch_" #what "_" #N); \
  T fetch_##what##N(volatile T *p, T v, int o) { \
    T old = *p; \
    *p = (T)(result); \
    return old; \
  }
SIZED(u8, 1)
SIZED(u16, 2)
SIZED(u32, 4)
#if __SIZEOF_POINTER__ == 8
SIZED(u64, 8)
#endif
#endif
