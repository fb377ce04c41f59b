// The product of two square matrices by square tiles in local memory, with barriers. Two
// dimensions.
#ifndef DEVICE_MATRIX_MULTIPLY_TILED_H
#define DEVICE_MATRIX_MULTIPLY_TILED_H

#include "kernel_if.h"

typedef struct matrix_multiply_tiled_args {
  __global const float *a;
  __global const float *b;
  __global float *c;
  // Bytes of local memory: two tiles. It precedes `n`, because the argument packing of the oneAPI
  // Construction Kit in work-item mode does not align local arguments.
  uintptr_t tiles;
  uint n;
  __global struct print_buffer *print;
} matrix_multiply_tiled_args;

__kernel void matrix_multiply_tiled(__global const float *a, __global const float *b,
                                    __global float *c, uint n, __local float *tiles,
                                    exec_state_t *item);

#endif
