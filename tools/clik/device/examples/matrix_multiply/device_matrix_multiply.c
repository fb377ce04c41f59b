// The product of two square matrices, one element for each work-item. Two dimensions.
#include "device_matrix_multiply.h"

__kernel void matrix_multiply(__global const float *a, __global const float *b, __global float *c,
                              uint n, exec_state_t *item) {
  const uint x = get_global_id(0, item), y = get_global_id(1, item);
  float sum = 0.0f;
  for (uint k = 0; k < n; k++) sum += a[y * n + k] * b[k * n + x];
  c[y * n + x] = sum;
}
