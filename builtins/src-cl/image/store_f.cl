// Converts four floats to a pixel in memory: rounded to nearest even, saturated; NaN gives 0.
#include "srgb.h"
INLINE uint unorm(float f, float scale) {
  f *= scale;
  f = f > 0.0f ? f : 0.0f;
  f = f < scale ? f : scale;
  return (uint)v_rint(f);
}
INLINE int snorm(float f, float scale) {
  f *= scale;
  f = f == f ? f : 0.0f;
  f = f > -scale ? f : -scale;
  f = f < scale ? f : scale;
  return (int)v_rint(f);
}
#define EACH(T, f) \
  { \
    __global T *p = (__global T *)row + ((ulong)x << channels); \
    p[0] = (T)f(v.x); \
    if (channels > 0) p[1] = (T)f(v.y); \
    if (channels > 1) { p[2] = (T)f(v.z); p[3] = (T)f(v.w); } \
    break; \
  }
#define UNORM8(c) unorm(c, 255.0f)
#define UNORM16(c) unorm(c, 65535.0f)
#define SNORM8(c) snorm(c, 127.0f)
#define SNORM16(c) snorm(c, 32767.0f)
#define SAME(c) (c)
void __muxcl_store_f(uint code, __global uchar *row, uint x, float4 v) {
  uint channels = CHANNELS_OF(code);
  switch (ORDER_OF(code)) {
  case 1: v.x = v.w; break;
  case 2: v.y = v.w; break;
  case 3: v = v.zyxw; break;
  case 4: v = v.wxyz; break;
  case 5: v = v.wzyx; break;
  }
  switch (TYPE_OF(code)) {
  case 0: EACH(char, SNORM8)
  case 1: EACH(short, SNORM16)
  case 2: EACH(uchar, UNORM8)
  case 3: EACH(ushort, UNORM16)
  case 4:
    ((__global ushort *)row)[x] =
        (ushort)(unorm(v.x, 31.0f) << 11 | unorm(v.y, 63.0f) << 5 | unorm(v.z, 31.0f));
    break;
  case 5:
    ((__global ushort *)row)[x] =
        (ushort)(unorm(v.x, 31.0f) << 10 | unorm(v.y, 31.0f) << 5 | unorm(v.z, 31.0f));
    break;
  case 6:
    ((__global uint *)row)[x] =
        unorm(v.x, 1023.0f) << 20 | unorm(v.y, 1023.0f) << 10 | unorm(v.z, 1023.0f);
    break;
  case 13: EACH(half, SAME)
  case 14: EACH(float, SAME)
  case 16:
    ((__global uint *)row)[x] = unorm(v.x, 1023.0f) << 22 | unorm(v.y, 1023.0f) << 12 |
                                unorm(v.z, 1023.0f) << 2 | unorm(v.w, 3.0f);
    break;
  case 20: {
    __global uchar *p = row + ((ulong)x << channels);
    p[0] = srgb_of_linear(v.x);
    if (channels > 0) p[1] = srgb_of_linear(v.y);
    if (channels > 1) { p[2] = srgb_of_linear(v.z); p[3] = (uchar)UNORM8(v.w); }
    break;
  }
  }
}
