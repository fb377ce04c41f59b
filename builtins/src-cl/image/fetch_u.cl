// Converts a pixel in memory to four integers; signed formats give two's complement.
#define EACH(T) \
  { \
    const __global T *p = (const __global T *)row + ((ulong)x << channels); \
    v.x = (uint)(int)p[0]; \
    if (channels > 0) v.y = (uint)(int)p[1]; \
    if (channels > 1) { v.z = (uint)(int)p[2]; v.w = (uint)(int)p[3]; } \
    break; \
  }
__attribute__((pure)) uint4 __muxcl_fetch_u(uint code, ROW row, uint x) {
  uint channels = CHANNELS_OF(code);
  uint4 v = (uint4)(0u, 0u, 0u, 1u);
  switch (TYPE_OF(code)) {
  case 7: EACH(char)
  case 8: EACH(short)
  case 9: EACH(int)
  case 10: EACH(uchar)
  case 11: EACH(ushort)
  case 12: EACH(int)
  // Packed pixels (cl_ext_image_raw10_raw12): the top eight bits of each pixel, then the remaining
  // bits of all.
  case 21: {
    ROW p = row + (ulong)(x >> 2) * 5;
    v.x = (uint)p[x & 3] << 2 | ((uint)p[4] >> 2 * (x & 3) & 3u);
    break;
  }
  case 22: {
    ROW p = row + (ulong)(x >> 1) * 3;
    v.x = (uint)p[x & 1] << 4 | ((uint)p[2] >> 4 * (x & 1) & 15u);
    break;
  }
  }
  switch (ORDER_OF(code)) {
  case 1: return (uint4)(0u, 0u, 0u, v.x);
  case 2: return (uint4)(v.x, 0u, 0u, v.y);
  case 3: return v.zyxw;
  case 4: return v.yzwx;
  case 5: return v.wzyx;
  case 6: return v.xxxx;
  case 7: return (uint4)(v.xxx, 1u);
  default: return v;
  }
}
