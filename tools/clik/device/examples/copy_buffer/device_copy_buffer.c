// Copies a buffer, one element for each work-item.
#include "device_copy_buffer.h"

__kernel void copy_buffer(__global const uint *src, __global uint *dst, exec_state_t *item) {
  uint tid = get_global_id(0, item);
  dst[tid] = src[tid];
}
