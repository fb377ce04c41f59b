// RefSi's part of clik's device side (see tools/clik/device/clik_rt.c). REFSI_M1 has a DMA engine;
// REFSI_G1_WI runs one hart per work-item. docs/refsi.md specifies registers and host calls.
#ifndef HAL_REFSI_H
#define HAL_REFSI_H

#ifdef REFSI_M1
#define HAL_HAS_DMA

// Registers have 8 bytes; every hart has its own set.
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

// Writing a transfer's number waits for that transfer.
static inline void hal_wait_dma(uintptr_t transfer, const sched_info_t *sched) {
  (void)sched;
  ((volatile uint64_t *)0x20002000)[DMA_DONE_SEQ] = transfer;
  __asm__ volatile("fence" ::: "memory");
}
#endif

#ifdef REFSI_G1_WI
#define HAL_WORK_ITEM_MODE

// The hart's context continues behind the schedule with the work-item's local id.
static inline uint32_t hal_local_id(const sched_info_t *sched, uint32_t rank) {
  return ((const uint32_t *)(sched + 1))[rank];
}

static inline void hal_barrier(const sched_info_t *sched) {
  (void)sched;
  register uintptr_t which __asm__("a0") = 0;
  register uintptr_t call __asm__("a7") = 2;
  __asm__ volatile("ecall" : "+r"(which) : "r"(call) : "memory");
}

// The device runs one group at a time, so the group owns all local memory.
static inline char *hal_local_memory(const sched_info_t *sched) {
  (void)sched;
  return (char *)0x10000000;
}
#endif

#endif
