// Converts four integers to a pixel in memory, saturated.
#define EACH(T, high) \
  { \
    v = v < (uint)(high) ? v : (uint)(high); \
    __global T *p = (__global T *)row + ((ulong)x << channels); \
    p[0] = (T)v.x; \
    if (channels > 0) p[1] = (T)v.y; \
    if (channels > 1) { p[2] = (T)v.z; p[3] = (T)v.w; } \
    break; \
  }
void __muxcl_store_u(uint code, __global uchar *row, uint x, uint4 v) {
  uint channels = CHANNELS_OF(code);
  switch (ORDER_OF(code)) {
  case 1: v.x = v.w; break;
  case 2: v.y = v.w; break;
  case 3: v = v.zyxw; break;
  case 4: v = v.wxyz; break;
  case 5: v = v.wzyx; break;
  }
  switch (TYPE_OF(code)) {
  case 10: EACH(uchar, 255)
  case 11: EACH(ushort, 65535)
  case 12: EACH(uint, UINT_MAX)
  }
}
