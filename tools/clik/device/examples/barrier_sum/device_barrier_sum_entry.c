// The entry point of barrier_sum, which the HAL calls.
#include "clik_entry.h"
#include "device_barrier_sum.h"

static void item(const void *packed, exec_state_t *e) {
  const barrier_sum_args *args = packed;
  barrier_sum(args->src, args->dst, (__local uint *)e->local, e);
}

ENTRY(const barrier_sum_args *args, const sched_info_t *sched) {
  run_groups(args, args->print, sched, args->scratch, item);
}
