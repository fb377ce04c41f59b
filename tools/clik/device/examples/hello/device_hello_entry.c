// The entry point of hello, which the HAL calls.
#include "clik_entry.h"
#include "device_hello.h"

static void item(const void *packed, exec_state_t *e) {
  (void)packed;
  hello(e);
}

ENTRY(const hello_args *args, const sched_info_t *sched) {
  run_items(args, args->print, sched, 1, item);
}
