// For the entry files: runs a kernel for the work-items of a call. The HAL calls kernel_main(packed
// arguments, schedule).
#ifndef CLIK_ENTRY_H
#define CLIK_ENTRY_H

#include "kernel_if.h"

typedef void (*item_fn)(const void *args, exec_state_t *item);

// Runs `item` for every work-item of the call's groups. One call of `item` covers `step` work-items
// along dimension 0. Such kernels must not call barrier().
void run_items(const void *args, print_buffer_t *print, const sched_info_t *sched, uint32_t step,
               item_fn item);

// The same for kernels with barriers, with `local_bytes` of local memory for each group.
void run_groups(const void *args, print_buffer_t *print, const sched_info_t *sched,
                size_t local_bytes, item_fn item);

#define ENTRY __attribute__((visibility("default"), used)) void kernel_main

#endif
