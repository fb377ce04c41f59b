// The product of two square matrices by square tiles in local memory, with barriers. Two
// dimensions.
#include "device_matrix_multiply_tiled.h"

__kernel void matrix_multiply_tiled(__global const float *a, __global const float *b,
                                    __global float *c, uint n, __local float *tiles,
                                    exec_state_t *item) {
  const uint x = get_global_id(0, item), y = get_global_id(1, item);
  const uint lx = get_local_id(0, item), ly = get_local_id(1, item), tile = get_local_size(0, item);
  __local float *tile_a = tiles, *tile_b = tiles + tile * tile;
  float sum = 0.0f;
  for (uint at = 0; at < n; at += tile) {
    tile_a[ly * tile + lx] = a[y * n + at + lx];
    tile_b[ly * tile + lx] = b[(at + ly) * n + x];
    barrier(item);
    for (uint k = 0; k < tile; k++) sum += tile_a[ly * tile + k] * tile_b[k * tile + lx];
    barrier(item);
  }
  c[y * n + x] = sum;
}
