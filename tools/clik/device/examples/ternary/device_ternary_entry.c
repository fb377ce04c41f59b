// The entry point of ternary, which the HAL calls.
#include "clik_entry.h"
#include "device_ternary.h"

static void item(const void *packed, exec_state_t *e) {
  const ternary_args *args = packed;
  ternary(args->src, args->dst, args->bias, args->step, args->true_value, args->false_value, e);
}

ENTRY(const ternary_args *args, const sched_info_t *sched) {
  run_items(args, args->print, sched, 1, item);
}
