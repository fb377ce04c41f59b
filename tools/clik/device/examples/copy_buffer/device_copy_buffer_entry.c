// The entry point of copy_buffer, which the HAL calls.
#include "clik_entry.h"
#include "device_copy_buffer.h"

static void item(const void *packed, exec_state_t *e) {
  const copy_buffer_args *args = packed;
  copy_buffer(args->src, args->dst, e);
}

ENTRY(const copy_buffer_args *args, const sched_info_t *sched) {
  run_items(args, args->print, sched, 1, item);
}
