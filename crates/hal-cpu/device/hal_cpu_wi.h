// Work-item mode of libhal_cpu.so for clik's device side: accessors for the structure that
// hal_extra points at (WorkItem in src/run.rs).
#ifndef HAL_CPU_WI_H
#define HAL_CPU_WI_H

#define HAL_WORK_ITEM_MODE

typedef struct hal_cpu_item {
  uint32_t local_id[3];
  uint32_t padding;
  void (*barrier)(const void *);
  const void *rendezvous;
  void *local_memory;
  uint64_t local_size;
} hal_cpu_item_t;

static inline const hal_cpu_item_t *hal_cpu_item(const sched_info_t *sched) {
  return (const hal_cpu_item_t *)sched->hal_extra;
}
static inline uint32_t hal_local_id(const sched_info_t *sched, uint32_t rank) {
  return hal_cpu_item(sched)->local_id[rank];
}
static inline void hal_barrier(const sched_info_t *sched) {
  hal_cpu_item(sched)->barrier(hal_cpu_item(sched)->rendezvous);
}
static inline char *hal_local_memory(const sched_info_t *sched) {
  return hal_cpu_item(sched)->local_memory;
}

#endif
