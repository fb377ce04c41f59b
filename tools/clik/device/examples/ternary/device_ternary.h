// Chooses between two values by a comparison; values of several sizes as arguments.
#ifndef DEVICE_TERNARY_H
#define DEVICE_TERNARY_H

#include "kernel_if.h"

typedef struct ternary_args {
  __global const int *src;
  __global long long *dst;
  int bias;
  unsigned char step;
  long long true_value;
  short false_value;
  __global struct print_buffer *print;
} ternary_args;

__kernel void ternary(__global const int *src, __global long long *dst, int bias,
                      unsigned char step, long long true_value, short false_value,
                      exec_state_t *item);

#endif
