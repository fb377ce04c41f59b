// The sum of two vectors, in the form that whole-function vectorization produces: one call does the
// work of WFV_WIDTH work-items.
#include "device_vector_add_wfv.h"

typedef uint vector __attribute__((vector_size(4 * WFV_WIDTH), aligned(4)));

// `item` is the first work-item of the call.
__kernel void vector_add_wfv(__global const uint *src1, __global const uint *src2,
                             __global uint *dst, exec_state_t *item) {
  uint tid = get_global_id(0, item);
  const vector a = *(__global const vector *)(src1 + tid),
               b = *(__global const vector *)(src2 + tid);
  *(__global vector *)(dst + tid) = a + b;
}
