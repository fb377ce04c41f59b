// The sum of two vectors.
#include "device_vector_add.h"

__kernel void vector_add(__global const uint *src1, __global const uint *src2, __global uint *dst,
                         exec_state_t *item) {
  uint tid = get_global_id(0, item);
  dst[tid] = src1[tid] + src2[tid];
}
