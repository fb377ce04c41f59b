// No work-item of a group prints its second text before all have printed their first.
#include "device_barrier_print.h"

__kernel void barrier_print(exec_state_t *item) {
  const uint tid = get_global_id(0, item), group = get_group_id(0, item);
  print(item, "before the barrier: tid=%u, gid=%u\n", tid, group);
  barrier(item);
  print(item, "after the barrier: tid=%u, gid=%u\n", tid, group);
}
