// Each group concatenates its block of the first buffer and its block of the second, by DMA.
#include "device_concatenate_dma.h"

__kernel void concatenate_dma(__global const uint *src1, __global const uint *src2,
                              __global uint *dst, exec_state_t *item) {
  if (get_local_id(0, item) != 0) return;
  const uint n = get_local_size(0, item), group = get_group_id(0, item);
  const uintptr_t first = start_dma(dst + 2 * n * group, src1 + n * group, n * sizeof(uint), item);
  const uintptr_t second =
      start_dma(dst + 2 * n * group + n, src2 + n * group, n * sizeof(uint), item);
  wait_dma(first, item);
  wait_dma(second, item);
}
