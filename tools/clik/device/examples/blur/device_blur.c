// A box blur of 5 by 5 pixels, 8 bits in each of 4 channels; the border repeats. Two dimensions.
#include "device_blur.h"

static int clamp(int value, int high) { return value < 0 ? 0 : value > high ? high : value; }

__kernel void blur(__global const uint *src, __global uint *dst, exec_state_t *item) {
  const int x = (int)get_global_id(0, item), y = (int)get_global_id(1, item);
  const int width = (int)get_global_size(0, item), height = (int)get_global_size(1, item);
  uint sums[4] = {0, 0, 0, 0};
  for (int dy = -2; dy <= 2; dy++)
    for (int dx = -2; dx <= 2; dx++) {
      const uint pixel = src[clamp(y + dy, height - 1) * width + clamp(x + dx, width - 1)];
      for (int c = 0; c < 4; c++) sums[c] += pixel >> (8 * c) & 255;
    }
  uint result = 0;
  for (int c = 0; c < 4; c++) result |= (sums[c] / 25) << (8 * c);
  dst[y * width + x] = result;
}
