// Every work-item prints its ids.
#ifndef DEVICE_HELLO_H
#define DEVICE_HELLO_H

#include "kernel_if.h"

typedef struct hello_args {
  __global struct print_buffer *print;
} hello_args;

__kernel void hello(exec_state_t *item);

#endif
