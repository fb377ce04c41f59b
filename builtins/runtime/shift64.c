// 64-bit shifts by halves, where code generation prefers a call.
#include "runtime.h"
typedef union {
  u64 all;
  struct {
    u32 low, high;
  };
} halves;
u64 RT(__ashldi3)(u64 v, int n) {
  halves a = {v}, r;
  if (n & 32) {
    r.low = 0;
    r.high = a.low << (n & 31);
  } else {
    r.low = a.low << (n & 31);
    r.high = a.high << (n & 31) | a.low >> 1 >> (31 - (n & 31));
  }
  return r.all;
}
u64 RT(__lshrdi3)(u64 v, int n) {
  halves a = {v}, r;
  if (n & 32) {
    r.high = 0;
    r.low = a.high >> (n & 31);
  } else {
    r.high = a.high >> (n & 31);
    r.low = a.low >> (n & 31) | a.high << 1 << (31 - (n & 31));
  }
  return r.all;
}
i64 RT(__ashrdi3)(i64 v, int n) {
  halves a = {(u64)v}, r;
  if (n & 32) {
    r.high = (u32)((i32)a.high >> 31);
    r.low = (u32)((i32)a.high >> (n & 31));
  } else {
    r.high = (u32)((i32)a.high >> (n & 31));
    r.low = a.low >> (n & 31) | a.high << 1 << (31 - (n & 31));
  }
  return (i64)r.all;
}
