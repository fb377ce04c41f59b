// A box blur of 5 by 5 pixels, 8 bits in each of 4 channels; the border repeats. Two dimensions.
#ifndef DEVICE_BLUR_H
#define DEVICE_BLUR_H

#include "kernel_if.h"

typedef struct blur_args {
  __global const uint *src;
  __global uint *dst;
  __global struct print_buffer *print;
} blur_args;

__kernel void blur(__global const uint *src, __global uint *dst, exec_state_t *item);

#endif
