// The entry point of vector_add_wfv, which the HAL calls.
#include "clik_entry.h"
#include "device_vector_add_wfv.h"

static void item(const void *packed, exec_state_t *e) {
  const vector_add_wfv_args *args = packed;
  vector_add_wfv(args->src1, args->src2, args->dst, e);
}

ENTRY(const vector_add_wfv_args *args, const sched_info_t *sched) {
  run_items(args, args->print, sched, WFV_WIDTH, item);
}
