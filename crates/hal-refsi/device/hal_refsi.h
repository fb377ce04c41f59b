// RefSi as clik's device side wants it (see tools/clik/device/clik_rt.c): REFSI_M1 has a DMA
// engine, REFSI_G1_WI a hart for each work-item. Registers and calls are those of docs/refsi.md.
#ifndef HAL_REFSI_H
#define HAL_REFSI_H

#ifdef REFSI_M1
#define HAL_HAS_DMA

// Registers of 8 bytes; every hart has its own.
enum { DMA_CTRL, DMA_START_SEQ, DMA_DONE_SEQ, DMA_SRC, DMA_DST, DMA_SIZE };

static inline uintptr_t hal_start_dma(void *dst, const void *src, size_t size,
                                      const sched_info_t *sched) {
  volatile uint64_t *dma = (volatile uint64_t *)0x20002000;
  (void)sched;
  dma[DMA_SRC] = (uintptr_t)src;
  dma[DMA_DST] = (uintptr_t)dst;
  dma[DMA_SIZE] = size;
  dma[DMA_CTRL] = 1 | 0x10;  // start, one dimension
  return dma[DMA_START_SEQ];
}

// Writing the number of a transfer waits for it.
static inline void hal_wait_dma(uintptr_t transfer, const sched_info_t *sched) {
  (void)sched;
  ((volatile uint64_t *)0x20002000)[DMA_DONE_SEQ] = transfer;
  __asm__ volatile("fence" ::: "memory");
}
#endif

#ifdef REFSI_G1_WI
#define HAL_WORK_ITEM_MODE

// The context a hart finds its work in goes on, behind the schedule, with its place in the group.
static inline uint32_t hal_local_id(const sched_info_t *sched, uint32_t rank) {
  return ((const uint32_t *)(sched + 1))[rank];
}

static inline void hal_barrier(const sched_info_t *sched) {
  (void)sched;
  register uintptr_t which __asm__("a0") = 0;
  register uintptr_t call __asm__("a7") = 2;
  __asm__ volatile("ecall" : "+r"(which) : "r"(call) : "memory");
}

// One group at a time runs, so the device's local memory is all its own.
static inline char *hal_local_memory(const sched_info_t *sched) {
  (void)sched;
  return (char *)0x10000000;
}
#endif

#endif
