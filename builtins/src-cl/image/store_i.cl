// Converts four integers to a pixel in memory, saturated.
#define EACH(T, low, high) \
  { \
    v = v > (int)(low) ? v : (int)(low); \
    v = v < (int)(high) ? v : (int)(high); \
    __global T *p = (__global T *)row + ((ulong)x << channels); \
    p[0] = (T)v.x; \
    if (channels > 0) p[1] = (T)v.y; \
    if (channels > 1) { p[2] = (T)v.z; p[3] = (T)v.w; } \
    break; \
  }
void __muxcl_store_i(uint code, __global uchar *row, uint x, int4 v) {
  uint channels = CHANNELS_OF(code);
  switch (ORDER_OF(code)) {
  case 1: v.x = v.w; break;
  case 2: v.y = v.w; break;
  case 3: v = v.zyxw; break;
  case 4: v = v.wxyz; break;
  case 5: v = v.wzyx; break;
  }
  switch (TYPE_OF(code)) {
  case 7: EACH(char, -128, 127)
  case 8: EACH(short, -32768, 32767)
  case 9: EACH(int, INT_MIN, INT_MAX)
  }
}
