// The sum of each group by a tree of additions in local memory, with a barrier at every level.
#ifndef DEVICE_BARRIER_SUM_H
#define DEVICE_BARRIER_SUM_H

#include "kernel_if.h"

typedef struct barrier_sum_args {
  __global const uint *src;
  __global uint *dst;
  // Bytes of local memory: one word for each work-item.
  uintptr_t scratch;
  __global struct print_buffer *print;
} barrier_sum_args;

__kernel void barrier_sum(__global const uint *src, __global uint *dst, __local uint *scratch,
                          exec_state_t *item);

#endif
