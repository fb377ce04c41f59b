// Each group concatenates its block of the first buffer and its block of the second, by DMA.
#ifndef DEVICE_CONCATENATE_DMA_H
#define DEVICE_CONCATENATE_DMA_H

#include "kernel_if.h"

typedef struct concatenate_dma_args {
  __global const uint *src1;
  __global const uint *src2;
  __global uint *dst;
  __global struct print_buffer *print;
} concatenate_dma_args;

__kernel void concatenate_dma(__global const uint *src1, __global const uint *src2,
                              __global uint *dst, exec_state_t *item);

#endif
