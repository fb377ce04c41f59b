// 128-bit arithmetic, for 64-bit devices.
#include "runtime.h"
#ifdef __SIZEOF_INT128__
typedef unsigned __int128 u128;
typedef __int128 i128;
#include "divide.h"
DIVIDE(u128, i128, 128, __multi3, __udivti3, __umodti3, __divti3, __modti3)
u128 RT(__udivmodti4)(u128 a, u128 b, u128 *rest) { return __udivti3_parts(a, b, rest); }
i128 RT(__divmodti4)(i128 a, i128 b, i128 *rest) {
  *rest = RT(__modti3)(a, b);
  return RT(__divti3)(a, b);
}
u128 RT(__ashlti3)(u128 v, int n) {
  u64 low = (u64)v, high = (u64)(v >> 64);
  u64 l = n & 64 ? 0 : low << (n & 63);
  u64 h = n & 64 ? low << (n & 63) : high << (n & 63) | low >> 1 >> (63 - (n & 63));
  return (u128)h << 64 | l;
}
u128 RT(__lshrti3)(u128 v, int n) {
  u64 low = (u64)v, high = (u64)(v >> 64);
  u64 h = n & 64 ? 0 : high >> (n & 63);
  u64 l = n & 64 ? high >> (n & 63) : low >> (n & 63) | high << 1 << (63 - (n & 63));
  return (u128)h << 64 | l;
}
i128 RT(__ashrti3)(i128 v, int n) {
  u64 low = (u64)v;
  i64 high = (i64)(v >> 64);
  u64 h = (u64)(n & 64 ? high >> 63 : high >> (n & 63));
  u64 l = n & 64 ? (u64)(high >> (n & 63)) : low >> (n & 63) | (u64)high << 1 << (63 - (n & 63));
  return (i128)((u128)h << 64 | l);
}
#endif
