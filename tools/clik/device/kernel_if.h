// The interface of clik's kernels: types, and builtins over exec_state_t. Every work-item gets its
// own exec_state_t; kernels only pass it on. All HALs share this file; HAL_CLIK_HEADER (see
// clik_rt.c) and the HAL's clik.toml contain the differences.
#ifndef CLIK_KERNEL_IF_H
#define CLIK_KERNEL_IF_H

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

typedef uint32_t uint;

#define __kernel
#define __global
#define __constant const
#define __local
#define __private

// One copy for the group. Only devices that run one group at a time support it. On others local
// memory is an argument of the kernel, and using this macro is an error.
#ifdef CLIK_ONE_GROUP_AT_A_TIME
#define __local_variable static __attribute__((section(".local")))
#endif

// hal_sched_info_32_t and hal_sched_info_64_t: words have the device's width.
typedef struct sched_info {
  uintptr_t group_id_start[3];
  uintptr_t num_groups_total[3];
  uintptr_t global_offset[3];
  uint32_t local_size[3];
  uint32_t num_dim;
  uintptr_t num_groups_per_call[3];
  uintptr_t hal_extra;
} sched_info_t;

// The buffer that print() writes and the host reads after the kernel. Every kernel of clik has it
// as its last argument.
typedef struct print_buffer {
  uint32_t capacity;
  uint32_t used;
  char text[];
} print_buffer_t;

struct work_items;

typedef struct exec_state {
  const sched_info_t *sched;
  print_buffer_t *print;
  // Local memory of the group.
  char *local;
  uintptr_t group_id[3];
  uint32_t local_id[3];
  // The group's work-items, if barriers switch between them.
  struct work_items *group;
  // The execution state of the older structure, if a call runs one work-item.
  const char *state;
} exec_state_t;

static inline uint32_t get_work_dim(exec_state_t *e) { return e->sched->num_dim; }
static inline uint32_t get_local_id(uint32_t rank, exec_state_t *e) {
  return rank < 3 ? e->local_id[rank] : 0;
}
static inline uint32_t get_local_size(uint32_t rank, exec_state_t *e) {
  return rank < 3 ? e->sched->local_size[rank] : 1;
}
static inline uint32_t get_group_id(uint32_t rank, exec_state_t *e) {
  return rank < 3 ? (uint32_t)e->group_id[rank] : 0;
}
static inline uint32_t get_num_groups(uint32_t rank, exec_state_t *e) {
  return rank < 3 ? (uint32_t)e->sched->num_groups_total[rank] : 1;
}
static inline uint32_t get_global_offset(uint32_t rank, exec_state_t *e) {
  return rank < 3 ? (uint32_t)e->sched->global_offset[rank] : 0;
}
static inline uint32_t get_global_size(uint32_t rank, exec_state_t *e) {
  return get_num_groups(rank, e) * get_local_size(rank, e);
}
static inline uint32_t get_global_id(uint32_t rank, exec_state_t *e) {
  return get_group_id(rank, e) * get_local_size(rank, e) + get_local_id(rank, e) +
         get_global_offset(rank, e);
}

// As printf: %d %i %u %x %X %c %s %p %%, with -, 0, a width, l, ll and z; %f with a precision on
// devices with doubles. The text of one call (at most 255 bytes) stays contiguous. Returns its
// length.
int print(exec_state_t *e, const char *format, ...) __attribute__((format(printf, 2, 3)));

// Start an asynchronous copy, and wait for it. One work-item of a group starts it. Without a DMA
// engine the copy is synchronous.
uintptr_t start_dma(void *dst, const void *src, size_t size_in_bytes, struct exec_state *e);
void wait_dma(uintptr_t xfer_id, struct exec_state *e);

// Every work-item of the group arrives before any continues.
void barrier(struct exec_state *e);

#endif
