// The entry point of matrix_multiply_tiled, which the HAL calls.
#include "clik_entry.h"
#include "device_matrix_multiply_tiled.h"

static void item(const void *packed, exec_state_t *e) {
  const matrix_multiply_tiled_args *args = packed;
  matrix_multiply_tiled(args->a, args->b, args->c, args->n, (__local float *)e->local, e);
}

ENTRY(const matrix_multiply_tiled_args *args, const sched_info_t *sched) {
  run_groups(args, args->print, sched, args->tiles, item);
}
