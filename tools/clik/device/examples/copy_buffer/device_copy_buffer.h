// Copies a buffer, one element for each work-item.
#ifndef DEVICE_COPY_BUFFER_H
#define DEVICE_COPY_BUFFER_H

#include "kernel_if.h"

typedef struct copy_buffer_args {
  __global const uint *src;
  __global uint *dst;
  __global struct print_buffer *print;
} copy_buffer_args;

__kernel void copy_buffer(__global const uint *src, __global uint *dst, exec_state_t *item);

#endif
