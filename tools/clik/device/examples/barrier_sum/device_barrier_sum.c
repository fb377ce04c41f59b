// The sum of each group by a tree of additions in local memory, with a barrier at every level.
#include "device_barrier_sum.h"

__kernel void barrier_sum(__global const uint *src, __global uint *dst, __local uint *scratch,
                          exec_state_t *item) {
  const uint lid = get_local_id(0, item), size = get_local_size(0, item);
  scratch[lid] = src[get_global_id(0, item)];
  barrier(item);
  for (uint half = size / 2; half > 0; half /= 2) {
    if (lid < half) scratch[lid] += scratch[lid + half];
    barrier(item);
  }
  if (lid == 0) dst[get_group_id(0, item)] = scratch[0];
}
