// 64-bit atomic operations for 32-bit devices, under a lock in the image. The lock is atomic if the
// device has A.
#include "runtime.h"
#if __SIZEOF_POINTER__ == 4 && !defined(MUXCL_RUNTIME_TEST)
#define NAMED(name) __asm__(name)
static volatile u32 locked;
INNER void lock(void) {
  while (__atomic_exchange_n(&locked, 1, __ATOMIC_ACQUIRE))
    ;
}
INNER void unlock(void) { __atomic_store_n(&locked, 0, __ATOMIC_RELEASE); }
u64 load8(const volatile u64 *p, int o) NAMED("__atomic_load_8");
u64 load8(const volatile u64 *p, int o) {
  lock();
  u64 v = *p;
  unlock();
  return v;
}
void store8(volatile u64 *p, u64 v, int o) NAMED("__atomic_store_8");
void store8(volatile u64 *p, u64 v, int o) {
  lock();
  *p = v;
  unlock();
}
_Bool cas8(volatile u64 *p, u64 *expected, u64 v, int o, int f)
    NAMED("__atomic_compare_exchange_8");
_Bool cas8(volatile u64 *p, u64 *expected, u64 v, int o, int f) {
  lock();
  u64 old = *p;
  _Bool same = old == *expected;
  if (same)
    *p = v;
  unlock();
  if (!same)
    *expected = old;
  return same;
}
#define CHANGE(name, label, result) \
  u64 name(volatile u64 *p, u64 v, int o) NAMED(label); \
  u64 name(volatile u64 *p, u64 v, int o) { \
    lock(); \
    u64 old = *p; \
    *p = (result); \
    unlock(); \
    return old; \
  }
CHANGE(swap8, "__atomic_exchange_8", v)
CHANGE(add8, "__atomic_fetch_add_8", old + v)
CHANGE(sub8, "__atomic_fetch_sub_8", old - v)
CHANGE(and8, "__atomic_fetch_and_8", old & v)
CHANGE(or8, "__atomic_fetch_or_8", old | v)
CHANGE(xor8, "__atomic_fetch_xor_8", old ^ v)
CHANGE(nand8, "__atomic_fetch_nand_8", ~(old & v))
#endif
