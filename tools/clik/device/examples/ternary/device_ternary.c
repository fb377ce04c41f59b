// Chooses between two values by a comparison; values of several sizes as arguments.
#include "device_ternary.h"

__kernel void ternary(__global const int *src, __global long long *dst, int bias,
                      unsigned char step, long long true_value, short false_value,
                      exec_state_t *item) {
  uint tid = get_global_id(0, item);
  dst[tid] = src[tid] > bias ? true_value + step : false_value;
}
