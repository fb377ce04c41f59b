// The sum of two vectors.
#ifndef DEVICE_VECTOR_ADD_H
#define DEVICE_VECTOR_ADD_H

#include "kernel_if.h"

typedef struct vector_add_args {
  __global const uint *src1;
  __global const uint *src2;
  __global uint *dst;
  __global struct print_buffer *print;
} vector_add_args;

__kernel void vector_add(__global const uint *src1, __global const uint *src2, __global uint *dst,
                         exec_state_t *item);

#endif
