// The entry point of matrix_multiply, which the HAL calls.
#include "clik_entry.h"
#include "device_matrix_multiply.h"

static void item(const void *packed, exec_state_t *e) {
  const matrix_multiply_args *args = packed;
  matrix_multiply(args->a, args->b, args->c, args->n, e);
}

ENTRY(const matrix_multiply_args *args, const sched_info_t *sched) {
  run_items(args, args->print, sched, 1, item);
}
