// The entry point of concatenate_dma, which the HAL calls.
#include "clik_entry.h"
#include "device_concatenate_dma.h"

static void item(const void *packed, exec_state_t *e) {
  const concatenate_dma_args *args = packed;
  concatenate_dma(args->src1, args->src2, args->dst, e);
}

ENTRY(const concatenate_dma_args *args, const sched_info_t *sched) {
  run_items(args, args->print, sched, 1, item);
}
