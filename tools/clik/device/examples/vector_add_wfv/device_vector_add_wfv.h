// The sum of two vectors, in the form that whole-function vectorization produces: one call does the
// work of WFV_WIDTH work-items.
#ifndef DEVICE_VECTOR_ADD_WFV_H
#define DEVICE_VECTOR_ADD_WFV_H

#include "kernel_if.h"

// The local size is a multiple of WFV_WIDTH.
#define WFV_WIDTH 8

typedef struct vector_add_wfv_args {
  __global const uint *src1;
  __global const uint *src2;
  __global uint *dst;
  __global struct print_buffer *print;
} vector_add_wfv_args;

__kernel void vector_add_wfv(__global const uint *src1, __global const uint *src2,
                             __global uint *dst, exec_state_t *item);

#endif
