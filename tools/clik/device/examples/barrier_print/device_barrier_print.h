// No work-item of a group prints its second text before all have printed their first.
#ifndef DEVICE_BARRIER_PRINT_H
#define DEVICE_BARRIER_PRINT_H

#include "kernel_if.h"

typedef struct barrier_print_args {
  __global struct print_buffer *print;
} barrier_print_args;

__kernel void barrier_print(exec_state_t *item);

#endif
