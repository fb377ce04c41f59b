// memcpy and the like: by words if both pointers have the same alignment, otherwise by bytes.
#include "runtime.h"

#define ONE sizeof(word)
typedef word __attribute__((may_alias)) any;

INNER void forward(u8 *d, const u8 *s, size_t n) {
  if (n >= 2 * ONE && (((word)d ^ (word)s) & (ONE - 1)) == 0) {
    for (; (word)d & (ONE - 1); n--)
      *d++ = *s++;
    for (; n >= 4 * ONE; n -= 4 * ONE, d += 4 * ONE, s += 4 * ONE) {
      word a = ((const any *)s)[0], b = ((const any *)s)[1], c = ((const any *)s)[2],
           e = ((const any *)s)[3];
      ((any *)d)[0] = a;
      ((any *)d)[1] = b;
      ((any *)d)[2] = c;
      ((any *)d)[3] = e;
    }
    for (; n >= ONE; n -= ONE, d += ONE, s += ONE)
      *(any *)d = *(const any *)s;
  }
  for (; n; n--)
    *d++ = *s++;
}

void *RT(memcpy)(void *to, const void *from, size_t n) {
  forward(to, from, n);
  return to;
}
void *RT(memmove)(void *to, const void *from, size_t n) {
  u8 *d = to;
  const u8 *s = from;
  if ((word)d - (word)s >= n) { // behind the source's start there is room, or it lies in front
    forward(d, s, n);
    return to;
  }
  d += n;
  s += n;
  if ((((word)d ^ (word)s) & (ONE - 1)) == 0) {
    for (; n && ((word)d & (ONE - 1)); n--)
      *--d = *--s;
    for (; n >= ONE; n -= ONE) {
      d -= ONE;
      s -= ONE;
      *(any *)d = *(const any *)s;
    }
  }
  for (; n; n--)
    *--d = *--s;
  return to;
}
void *RT(memset)(void *to, int value, size_t n) {
  u8 *d = to;
  word all = (u8)value;
  all |= all << 8;
  all |= all << 16;
  all |= all << (ONE * 4);
  if (n >= 2 * ONE) {
    for (; (word)d & (ONE - 1); n--)
      *d++ = (u8)value;
    for (; n >= ONE; n -= ONE, d += ONE)
      *(any *)d = all;
  }
  for (; n; n--)
    *d++ = (u8)value;
  return to;
}
int RT(memcmp)(const void *a, const void *b, size_t n) {
  const u8 *x = a, *y = b;
  for (; n; n--, x++, y++)
    if (*x != *y)
      return *x < *y ? -1 : 1;
  return 0;
}
int RT(bcmp)(const void *a, const void *b, size_t n) { return RT(memcmp)(a, b, n); }
