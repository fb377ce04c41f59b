// Converts a pixel in memory to four floats (specification, section 8.3), for all formats but
// integer ones.
#include "srgb.h"
INLINE float snorm(float c, float scale) {
  float v = c * scale;
  return v > -1.0f ? v : -1.0f;
}
#define EACH(T, f) \
  { \
    const __global T *p = (const __global T *)row + ((ulong)x << channels); \
    v.x = f(p[0]); \
    if (channels > 0) v.y = f(p[1]); \
    if (channels > 1) { v.z = f(p[2]); v.w = f(p[3]); } \
    break; \
  }
#define UNORM8(c) ((float)(c) * 0x1.010102p-8f)
#define UNORM16(c) ((float)(c) * 0x1.0001p-16f)
#define SNORM8(c) snorm((float)(c), 0x1.020408p-7f)
#define SNORM16(c) snorm((float)(c), 0x1.0002p-15f)
#define FLOAT(c) ((float)(c))
#define SRGB8(c) srgb_to_linear[c]
__attribute__((pure)) float4 __muxcl_fetch_f(uint code, ROW row, uint x) {
  uint channels = CHANNELS_OF(code);
  float4 v = (float4)(0.0f, 0.0f, 0.0f, 1.0f);
  switch (TYPE_OF(code)) {
  case 0: EACH(char, SNORM8)
  case 1: EACH(short, SNORM16)
  case 2: EACH(uchar, UNORM8)
  case 3: EACH(ushort, UNORM16)
  case 4: {
    uint p = ((const __global ushort *)row)[x];
    v.x = (float)(p >> 11) / 31.0f;
    v.y = (float)(p >> 5 & 63) / 63.0f;
    v.z = (float)(p & 31) / 31.0f;
    break;
  }
  case 5: {
    uint p = ((const __global ushort *)row)[x];
    v.x = (float)(p >> 10 & 31) / 31.0f;
    v.y = (float)(p >> 5 & 31) / 31.0f;
    v.z = (float)(p & 31) / 31.0f;
    break;
  }
  case 6: {
    uint p = ((const __global uint *)row)[x];
    v.x = (float)(p >> 20 & 1023) / 1023.0f;
    v.y = (float)(p >> 10 & 1023) / 1023.0f;
    v.z = (float)(p & 1023) / 1023.0f;
    break;
  }
  case 13: EACH(half, FLOAT)
  case 14: EACH(float, FLOAT)
  case 16: {
    uint p = ((const __global uint *)row)[x];
    v.x = (float)(p >> 22) / 1023.0f;
    v.y = (float)(p >> 12 & 1023) / 1023.0f;
    v.z = (float)(p >> 2 & 1023) / 1023.0f;
    v.w = (float)(p & 3) / 3.0f;
    break;
  }
  case 20: {
    const __global uchar *p = row + ((ulong)x << channels);
    v.x = SRGB8(p[0]);
    if (channels > 0) v.y = SRGB8(p[1]);
    // Alpha is linear.
    if (channels > 1) { v.z = SRGB8(p[2]); v.w = UNORM8(p[3]); }
    break;
  }
  }
  switch (ORDER_OF(code)) {
  case 1: return (float4)(0.0f, 0.0f, 0.0f, v.x);
  case 2: return (float4)(v.x, 0.0f, 0.0f, v.y);
  case 3: return v.zyxw;
  case 4: return v.yzwx;
  case 5: return v.wzyx;
  case 6: return v.xxxx;
  case 7: return (float4)(v.xxx, 1.0f);
  default: return v;
  }
}
