// The entry point of blur, which the HAL calls.
#include "clik_entry.h"
#include "device_blur.h"

static void item(const void *packed, exec_state_t *e) {
  const blur_args *args = packed;
  blur(args->src, args->dst, e);
}

ENTRY(const blur_args *args, const sched_info_t *sched) {
  run_items(args, args->print, sched, 1, item);
}
