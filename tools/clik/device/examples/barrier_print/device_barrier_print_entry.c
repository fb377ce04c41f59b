// The entry point of barrier_print, which the HAL calls.
#include "clik_entry.h"
#include "device_barrier_print.h"

static void item(const void *packed, exec_state_t *e) {
  (void)packed;
  barrier_print(e);
}

ENTRY(const barrier_print_args *args, const sched_info_t *sched) {
  run_groups(args, args->print, sched, 0, item);
}
