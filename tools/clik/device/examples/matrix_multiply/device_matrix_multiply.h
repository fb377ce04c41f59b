// The product of two square matrices, one element for each work-item. Two dimensions.
#ifndef DEVICE_MATRIX_MULTIPLY_H
#define DEVICE_MATRIX_MULTIPLY_H

#include "kernel_if.h"

typedef struct matrix_multiply_args {
  __global const float *a;
  __global const float *b;
  __global float *c;
  uint n;
  __global struct print_buffer *print;
} matrix_multiply_args;

__kernel void matrix_multiply(__global const float *a, __global const float *b, __global float *c,
                              uint n, exec_state_t *item);

#endif
