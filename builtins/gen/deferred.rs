//! Device-side enqueue on devices where only the host can start a kernel: the device's
//! implementation of the functions that `gen/enqueue.rs` calls. They validate a request, reserve
//! space in its queue, and write a record for the host.
//!
//! The structures are those of `muxcl_types::deferred`, the checks those of `mux-host`. Work-items
//! of several harts do this at the same time, so a table entry is taken by a compare-and-exchange
//! on one word. Not here: running the commands (`mux-hal`).

use super::{enqueue, prologue};

const TEXT: &str = "\
// Everything but the library's functions is static, because programs may use any name.
#define CALL __attribute__((noinline))
#define PART static __attribute__((noinline))
typedef struct {
  ulong default_queue, owner, queues, events, records, capacity, local_memory, stack;
  uint queue_count, event_count, max_work_group, multiple;
  atomic_ulong reserved;
  atomic_uint cursor, changes;
} Heap;
typedef struct { ulong number, size; atomic_ulong used; } Queue;
typedef struct { atomic_ulong word; ulong owner; atomic_int status; uint user; ulong times[3], pad[2]; } Event;
typedef struct {
  uint bytes, kind;
  ulong queue, cost, event, what, offset[3], global_[3];
  uint local_[3], work_dim, wait_count, size_count, block_bytes, pad;
} Record;
typedef struct { uint work_dim, pad; ulong offset[3], global_[3], local_[3]; } Range;
typedef struct { ulong index, local_bytes, per_item, per_group, stack, packed, flags; } Child;
#define LOAD(p) __opencl_atomic_load(p, __ATOMIC_ACQUIRE, __OPENCL_MEMORY_SCOPE_DEVICE)
#define STORE(p, v) __opencl_atomic_store(p, v, __ATOMIC_RELEASE, __OPENCL_MEMORY_SCOPE_DEVICE)
#define ADD(p, v) __opencl_atomic_fetch_add(p, v, __ATOMIC_ACQ_REL, __OPENCL_MEMORY_SCOPE_DEVICE)
#define SUB(p, v) __opencl_atomic_fetch_sub(p, v, __ATOMIC_ACQ_REL, __OPENCL_MEMORY_SCOPE_DEVICE)
#define MOVE(p, from, to)                                                                                             \\
  __opencl_atomic_compare_exchange_strong(p, from, to, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE, __OPENCL_MEMORY_SCOPE_DEVICE)
enum { QUEUED = 3, OVERHEAD = 64, GROUP = 256, LOCAL_ALIGN = 128, KERNEL = 1, MARKER = 2, CAPTURE = 3, UNIFORM = 1 };
enum {
  OUT_OF_RESOURCES = -5, WAITS_FAILED = -14, INVALID_ARG_SIZE = -51, INVALID_EVENT_WAIT_LIST = -57,
  EVENT_ALLOCATION_FAILURE = -100, ENQUEUE_FAILURE = -101, INVALID_QUEUE = -102, INVALID_NDRANGE = -160, QUEUE_FULL = -161
};
#define SUB_GROUP_SIZE 16u /* types::sub_group::DEFAULT */
#define HOLD 0x10000UL
#define REFERENCES(word) ((word) & 0xffff)
#define HOLDS(word) ((word) >> 16 & 0xffff)
#define IN_USE(word) ((uint)(word))
#define HEAP(launch) ((__global Heap *)(launch))

HELPER __global Queue *queue_of(__global Heap *h, ulong number) {
  uint index = (uint)number - 1;
  if (index >= h->queue_count) return 0;
  __global Queue *q = (__global Queue *)h->queues + index;
  return q->number == number ? q : 0;
}
HELPER bool is(ulong word, ulong number) { return word >> 32 == number >> 32 && REFERENCES(word) != 0; }
HELPER __global Event *event_of(__global Heap *h, ulong number) {
  uint index = (uint)number - 1;
  if (index >= h->event_count) return 0;
  __global Event *e = (__global Event *)h->events + index;
  return is(LOAD(&e->word), number) ? e : 0;
}
HELPER bool hold(__global Heap *h, ulong number) {
  __global Event *e = event_of(h, number);
  if (!e) return false;
  ulong word = LOAD(&e->word);
  do
    if (!is(word, number) || HOLDS(word) == 0xffff) return false;
  while (!MOVE(&e->word, &word, word + HOLD));
  return true;
}
HELPER bool take(__global Queue *q, ulong bytes) {
  ulong used = LOAD(&q->used);
  do
    if (bytes > q->size || used > q->size - bytes) return false;
  while (!MOVE(&q->used, &used, used + bytes));
  return true;
}
PART ulong make_event(__global Heap *h, ulong owner, uint user) {
  for (uint n = 0; n < h->event_count; n++) {
    uint index = ADD(&h->cursor, 1) % h->event_count;
    __global Event *e = (__global Event *)h->events + index;
    ulong word = LOAD(&e->word), age = (word >> 32) + 1 & 0x7fffffff;
    if (IN_USE(word) || !MOVE(&e->word, &word, age << 32 | (user ? 0 : HOLD) | 1)) continue;
    e->owner = owner;
    e->user = user;
    e->times[0] = e->times[1] = e->times[2] = 0;
    STORE(&e->status, QUEUED);
    return age << 32 | index + 1;
  }
  return 0;
}
HELPER __global Record *reserve(__global Heap *h, ulong bytes) {
  ulong at = LOAD(&h->reserved);
  do
    if (bytes > h->capacity || at > h->capacity - bytes) return 0;
  while (!MOVE(&h->reserved, &at, at + bytes));
  return (__global Record *)(h->records + at);
}
HELPER void keep_waits(__global Heap *h, __global ulong *to, uint count,
                       __generic const ulong *waits) {
  for (uint i = 0; i < count; i++) to[i] = hold(h, waits[i]) ? waits[i] : 0;
}
HELPER int check_waits(__global Heap *h, uint count, __generic const ulong *waits) {
  if ((count == 0) != (waits == 0)) return INVALID_EVENT_WAIT_LIST;
  for (uint i = 0; i < count; i++)
    if (!event_of(h, waits[i])) return INVALID_EVENT_WAIT_LIST;
  return 0;
}
PART int begin(__global Heap *h, ulong number, ulong cost, bool wants_event, ulong bytes,
               __private ulong *event, __private ulong *record) {
  __global Queue *q = queue_of(h, number);
  if (!q) return INVALID_QUEUE;
  if (!take(q, cost)) return QUEUE_FULL;
  int status = 0;
  if (wants_event) {
    *event = make_event(h, number, 0);
    if (*event == 0) status = EVENT_ALLOCATION_FAILURE;
  }
  if (status == 0) {
    __global Record *r = reserve(h, bytes);
    if (r) {
      r->bytes = (uint)bytes;
      r->queue = number;
      r->cost = cost;
      r->event = *event;
      r->pad = 0;
      *record = (ulong)r;
      return 0;
    }
    status = OUT_OF_RESOURCES;
    if (*event != 0) STORE(&event_of(h, *event)->word, *event & ~0xffffffffUL);
  }
  SUB(&q->used, cost);
  return status;
}

HELPER ulong most_items(__global Heap *h, __generic const Child *child, ulong local_bytes) {
  ulong fixed = child->per_group + child->stack + local_bytes;
  if (fixed > h->stack) return 0;
  ulong most = h->max_work_group;
  return child->per_item == 0 ? most : v_imin(most, (h->stack - fixed) / child->per_item);
}
HELPER ulong up(ulong n) { return n + LOCAL_ALIGN - 1 & ~(ulong)(LOCAL_ALIGN - 1); }
HELPER ulong choose(ulong size, ulong budget, bool uniform) {
  ulong most = v_imin(v_imax(size, 1UL), budget);
  if (!uniform) return size <= budget ? most : 1UL << 63 - __builtin_clzl(most);
  while (size % most != 0) most--;
  return most;
}
PART int shape(__global Heap *h, __generic const Range *range, bool uniform, ulong most,
               __private Range *out) {
  uint rank = range->work_dim;
  if (rank < 1 || rank > 3) return INVALID_NDRANGE;
  out->work_dim = rank;
  bool chosen = true;
  for (uint d = 0; d < 3; d++) {
    bool there = d < rank;
    out->offset[d] = there ? range->offset[d] : 0;
    out->global_[d] = there ? range->global_[d] : 1;
    out->local_[d] = there ? range->local_[d] : 1;
    chosen &= !there || out->local_[d] == 0;
    if (out->offset[d] + out->global_[d] < out->offset[d]) return INVALID_NDRANGE;
  }
  ulong budget = v_imin(v_imin((ulong)GROUP, (ulong)h->max_work_group), v_imax(most, 1UL));
  ulong items = 1;
  for (uint d = 0; d < 3; d++) {
    if (chosen) {
      out->local_[d] = choose(out->global_[d], budget, uniform);
      budget = v_imax(budget / out->local_[d], 1UL);
    }
    ulong local_ = out->local_[d];
    if (local_ == 0 || local_ > h->max_work_group || uniform && out->global_[d] % local_ != 0)
      return INVALID_NDRANGE;
    items *= local_;
    if (items > h->max_work_group) return INVALID_NDRANGE;
  }
  return items <= most ? 0 : OUT_OF_RESOURCES;
}

CALL int muxcl_enqueue_kernel(__private Request *r) {
  __global Heap *h = HEAP(r->launch);
  __generic const Child *child = (__generic const Child *)r->kernel_;
  __generic const ulong *waits = (__generic const ulong *)r->waits, *sizes = (__generic const ulong *)r->sizes;
  if (!queue_of(h, r->queue)) return INVALID_QUEUE;
  if (!r->range) return INVALID_NDRANGE;
  if (!child || !r->block) return ENQUEUE_FAILURE;
  ulong local_bytes = up(child->local_bytes);
  for (uint i = 0; i < r->size_count; i++) {
    if (sizes[i] == 0) return INVALID_ARG_SIZE;
    if (sizes[i] > h->local_memory) return OUT_OF_RESOURCES;
    local_bytes += up(sizes[i]);
    if (local_bytes > h->local_memory) return OUT_OF_RESOURCES;
  }
  Range range;
  int status = shape(h, (__generic const Range *)r->range, child->flags & UNIFORM,
                     most_items(h, child, local_bytes), &range);
  if (status != 0) return status;
  status = check_waits(h, r->wait_count, waits);
  if (status != 0) return status;
  if (r->flags > 2) return ENQUEUE_FAILURE;
  uint block_bytes = *(__generic const uint *)r->block;
  ulong words = 1 + (ulong)r->size_count;
  ulong cost = OVERHEAD + 8 * words + block_bytes;
  ulong behind = 8 * ((ulong)r->wait_count + r->size_count), bytes = sizeof(Record) + behind + (block_bytes + 7UL & ~7UL);
  ulong event = 0, address = 0;
  status = begin(h, r->queue, cost, r->event != 0, bytes, &event, &address);
  if (status != 0) return status;
  __global Record *record = (__global Record *)address;
  record->kind = KERNEL;
  record->what = child->index;
  for (uint d = 0; d < 3; d++) {
    record->offset[d] = range.offset[d];
    record->global_[d] = range.global_[d];
    record->local_[d] = (uint)range.local_[d];
  }
  record->work_dim = range.work_dim;
  record->wait_count = r->wait_count;
  record->size_count = r->size_count;
  record->block_bytes = block_bytes;
  __global ulong *more = (__global ulong *)(record + 1);
  keep_waits(h, more, r->wait_count, waits);
  more += r->wait_count;
  for (uint i = 0; i < r->size_count; i++) more[i] = sizes[i];
  __builtin_memcpy(more + r->size_count, (__generic const void *)r->block, block_bytes);
  if (r->event) *(__generic ulong *)r->event = event;
  return 0;
}

CALL int muxcl_enqueue_marker(ulong launch, ulong queue, uint wait_count, ulong waits, ulong event) {
  __global Heap *h = HEAP(launch);
  if (!queue_of(h, queue)) return INVALID_QUEUE;
  __generic const ulong *list = (__generic const ulong *)waits;
  int status = list ? check_waits(h, wait_count, list) : INVALID_EVENT_WAIT_LIST;
  if (status != 0 || event == 0) return status;
  ulong made = 0, address = 0;
  status = begin(h, queue, OVERHEAD, true, sizeof(Record) + 8UL * wait_count, &made, &address);
  if (status != 0) return status;
  __global Record *record = (__global Record *)address;
  record->kind = MARKER;
  record->wait_count = wait_count;
  record->size_count = 0;
  record->block_bytes = 0;
  keep_waits(h, (__global ulong *)(record + 1), wait_count, list);
  *(__generic ulong *)event = made;
  return 0;
}

ulong muxcl_default_queue(ulong launch) { return HEAP(launch)->default_queue; }

CALL ulong muxcl_create_user_event(ulong launch) {
  __global Heap *h = HEAP(launch);
  ulong number = make_event(h, h->owner, 1);
  return number != 0 ? number : ~0UL;
}

HELPER void complete(__global Heap *h, __global Event *e, int status) {
  int seen = QUEUED;
  if (MOVE(&e->status, &seen, status)) ADD(&h->changes, 1);
}

CALL void muxcl_set_user_event_status(ulong launch, ulong event, int status) {
  __global Heap *h = HEAP(launch);
  __global Event *e = event_of(h, event);
  if (e && e->user && status <= 0) complete(h, e, status);
}

CALL void muxcl_retain_event(ulong launch, ulong event) {
  __global Event *e = event_of(HEAP(launch), event);
  if (!e) return;
  ulong word = LOAD(&e->word);
  do
    if (!is(word, event) || REFERENCES(word) == 0xffff) return;
  while (!MOVE(&e->word, &word, word + 1));
}

CALL void muxcl_release_event(ulong launch, ulong event) {
  __global Heap *h = HEAP(launch);
  __global Event *e = event_of(h, event);
  if (!e) return;
  ulong word = LOAD(&e->word);
  do {
    if (!is(word, event)) return;
    if (REFERENCES(word) == 1 && e->user && HOLDS(word) != 0) complete(h, e, WAITS_FAILED);
  } while (!MOVE(&e->word, &word, word - 1));
}

CALL int muxcl_is_valid_event(ulong launch, ulong event) {
  return event_of(HEAP(launch), event) != 0;
}

CALL void muxcl_capture_event_profiling_info(ulong launch, ulong event, int name, ulong to) {
  __global Heap *h = HEAP(launch);
  __global Event *e = event_of(h, event);
  if (name != 1 || to == 0 || !e || e->user) return;
  if (LOAD(&e->status) <= 0) {
    __generic ulong *times = (__generic ulong *)to;
    for (uint n = 0; n < 2; n++) times[n] = e->times[n + 1] > e->times[0] ? e->times[n + 1] - e->times[0] : 1;
  } else if (hold(h, event)) {
    __global Record *r = reserve(h, sizeof(Record));
    if (!r) {
      SUB(&e->word, HOLD);
      return;
    }
    r->bytes = sizeof(Record);
    r->kind = CAPTURE;
    r->event = event;
    r->what = to;
    r->wait_count = r->size_count = r->block_bytes = 0;
  }
}

CALL uint muxcl_block_work_group_size(ulong launch, ulong kernel_) {
  __generic const Child *child = (__generic const Child *)kernel_;
  return child ? (uint)most_items(HEAP(launch), child, up(child->local_bytes)) : 0;
}
uint muxcl_block_work_group_multiple(ulong launch, ulong kernel_) { return HEAP(launch)->multiple; }
HELPER uint items(ulong launch, ulong range) {
  Range r;
  __global Heap *h = HEAP(launch);
  if (!range || shape(h, (__generic const Range *)range, false, h->max_work_group, &r) != 0)
    return 0;
  return (uint)(r.local_[0] * r.local_[1] * r.local_[2]);
}
CALL uint muxcl_block_sub_group_size(ulong launch, ulong range) { return v_imin(items(launch, range), SUB_GROUP_SIZE); }
CALL uint muxcl_block_sub_group_count(ulong launch, ulong range) {
  return (items(launch, range) + SUB_GROUP_SIZE - 1) / SUB_GROUP_SIZE;
}
";

/// One member with all functions.
pub(crate) fn member() -> (String, String) {
    ("enqueue_deferred".into(), prologue() + enqueue::SHARED + TEXT)
}
