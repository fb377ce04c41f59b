//! Pipes: a ring buffer of packets in global memory, which kernels fill and empty without locks.
//!
//! The layout is that of `muxcl_types::pipe`; the host writes the header. A position counts packets
//! since the pipe's creation, modulo 2^32. Its low bits are the slot's index, because the number of
//! slots is a power of two. Each slot has a sequence number: the position that may be written next,
//! that position plus one once it is written, and the slot's next position once it is read.
//!
//! A reservation takes consecutive positions whose sequence numbers allow it, by advancing `tail`
//! or `head`. A commit advances the sequence numbers. Packets are therefore read in the order of
//! their reservations, whatever the order of commits, and nothing waits.
//!
//! A reservation's id is its first position in the lower half and its number of packets in the
//! upper half. It is never 0, which is the invalid id. clang chooses the names of the called
//! functions (`__read_pipe_2`, ...).

use super::prologue;
use std::fmt::Write as _;

const SHARED: &str = "\
OVL __attribute__((const)) size_t get_local_linear_id(void);
OVL __attribute__((convergent)) void work_group_barrier(cl_mem_fence_flags);
__local ulong *__muxcl_wg_scratch(void);
typedef struct {
  uint most, packet, mask, data;
  atomic_uint available;
  uint pad0[11];
  atomic_uint head;
  uint pad1[15];
  atomic_uint tail;
  uint pad2[15];
  atomic_uint turn[];
} Pipe;
typedef __global Pipe *Handle;
Handle __muxcl_pipe_to_read(read_only pipe uchar);
Handle __muxcl_pipe_to_write(write_only pipe uchar);
reserve_id_t __muxcl_reserve_of(ulong);
ulong __muxcl_reserve_number(reserve_id_t);
#define LOAD(p, order) __opencl_atomic_load(p, order, __OPENCL_MEMORY_SCOPE_ALL_SVM_DEVICES)
#define STORE(p, v, order) __opencl_atomic_store(p, v, order, __OPENCL_MEMORY_SCOPE_ALL_SVM_DEVICES)
#define ADD(p, v) __opencl_atomic_fetch_add(p, v, __ATOMIC_RELAXED, __OPENCL_MEMORY_SCOPE_ALL_SVM_DEVICES)
#define MOVE(p, from, to)                                                                                             \\
  __opencl_atomic_compare_exchange_strong(p, from, to, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE,                            \\
                                          __OPENCL_MEMORY_SCOPE_ALL_SVM_DEVICES)
HELPER __global uchar *slot(Handle p, uint position) {
  return (__global uchar *)p + p->data + (size_t)(position & p->mask) * p->packet;
}
";

const WRITE: &str = "
HELPER bool free_from(Handle p, uint at, uint n) {
  for (uint i = at; i != at + n; i++) {
    if (LOAD(&p->turn[i & p->mask], __ATOMIC_ACQUIRE) != i) return false;
    uint old = i - p->most;
    if ((int)(LOAD(&p->turn[old & p->mask], __ATOMIC_ACQUIRE) - old - p->mask - 1) < 0) return false;
  }
  return true;
}
HELPER ulong reserve(Handle p, uint n) {
  if (n == 0 || n > p->most) return 0;
  uint at = LOAD(&p->tail, __ATOMIC_ACQUIRE);
  for (;;) {
    if (!free_from(p, at, n)) {
      uint now = LOAD(&p->tail, __ATOMIC_ACQUIRE);
      if (now == at) return 0;
      at = now;
    } else if (MOVE(&p->tail, &at, at + n))
      return (ulong)n << 32 | at;
  }
}
HELPER void commit(Handle p, ulong id) {
  uint at = (uint)id, n = (uint)(id >> 32);
  ADD(&p->available, n);
  for (uint i = at; i != at + n; i++) STORE(&p->turn[i & p->mask], i + 1, __ATOMIC_RELEASE);
}
HELPER void move(Handle p, uint at, __generic void *packet, uint size) { __builtin_memcpy(slot(p, at), packet, size); }
";

const READ: &str = "
HELPER bool full_from(Handle p, uint at, uint n) {
  for (uint i = at; i != at + n; i++)
    if (LOAD(&p->turn[i & p->mask], __ATOMIC_ACQUIRE) != i + 1) return false;
  return true;
}
HELPER ulong reserve(Handle p, uint n) {
  if (n == 0 || n > p->most) return 0;
  uint at = LOAD(&p->head, __ATOMIC_ACQUIRE);
  for (;;) {
    if (!full_from(p, at, n)) {
      uint now = LOAD(&p->head, __ATOMIC_ACQUIRE);
      if (now == at) return 0;
      at = now;
    } else if (MOVE(&p->head, &at, at + n)) {
      ADD(&p->available, -n);
      return (ulong)n << 32 | at;
    }
  }
}
HELPER void commit(Handle p, ulong id) {
  uint at = (uint)id, n = (uint)(id >> 32);
  for (uint i = at; i != at + n; i++) STORE(&p->turn[i & p->mask], i + p->mask + 1, __ATOMIC_RELEASE);
}
HELPER void move(Handle p, uint at, __generic void *packet, uint size) { __builtin_memcpy(packet, slot(p, at), size); }
";

/// The functions of both directions.
const FUNCTIONS: &str = "
int __DIR_pipe_2(QUAL pipe uchar pipe_, __generic void *packet, uint size, uint align) {
  Handle p = __muxcl_pipe_to_DIR(pipe_);
  ulong id = reserve(p, 1);
  if (id == 0) return -1;
  move(p, (uint)id, packet, size);
  commit(p, id);
  return 0;
}
int __DIR_pipe_4(QUAL pipe uchar pipe_, reserve_id_t id_, uint index, __generic void *packet, uint size, uint align) {
  Handle p = __muxcl_pipe_to_DIR(pipe_);
  ulong id = __muxcl_reserve_number(id_);
  if (index >= (uint)(id >> 32)) return -1;
  move(p, (uint)id + index, packet, size);
  return 0;
}
reserve_id_t __reserve_DIR_pipe(QUAL pipe uchar pipe_, uint n, uint size, uint align) {
  return __muxcl_reserve_of(reserve(__muxcl_pipe_to_DIR(pipe_), n));
}
void __commit_DIR_pipe(QUAL pipe uchar pipe_, reserve_id_t id, uint size, uint align) {
  commit(__muxcl_pipe_to_DIR(pipe_), __muxcl_reserve_number(id));
}
uint __get_pipe_num_packets_SHORT(QUAL pipe uchar pipe_, uint size, uint align) {
  return LOAD(&__muxcl_pipe_to_DIR(pipe_)->available, __ATOMIC_ACQUIRE);
}
uint __get_pipe_max_packets_SHORT(QUAL pipe uchar pipe_, uint size, uint align) { return __muxcl_pipe_to_DIR(pipe_)->most; }
";

/// The functions with barriers, in members of their own, because barriers are inlined.
const GROUP: &str = "
__attribute__((convergent)) reserve_id_t __work_group_reserve_DIR_pipe(QUAL pipe uchar pipe_, uint n, uint size, uint align) {
  __local ulong *scratch = __muxcl_wg_scratch();
  if (get_local_linear_id() == 0) *scratch = reserve(__muxcl_pipe_to_DIR(pipe_), n);
  work_group_barrier(CLK_LOCAL_MEM_FENCE);
  ulong id = *scratch;
  work_group_barrier(CLK_LOCAL_MEM_FENCE);
  return __muxcl_reserve_of(id);
}
__attribute__((convergent)) void __work_group_commit_DIR_pipe(QUAL pipe uchar pipe_, reserve_id_t id, uint size, uint align) {
  work_group_barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
  if (get_local_linear_id() == 0) commit(__muxcl_pipe_to_DIR(pipe_), __muxcl_reserve_number(id));
}
";

/// The same functions for sub-groups.
const SUB_GROUP: &str = "
OVL __attribute__((const)) uint get_sub_group_local_id(void);
__attribute__((convergent)) void __muxcl_sub_barrier(void);
__attribute__((convergent)) ulong __muxcl_sub_active(void);
__private ulong *__muxcl_sub_scratch(void);
HELPER bool first(void) { return get_sub_group_local_id() == (uint)__builtin_ctzl(__muxcl_sub_active()); }
__attribute__((convergent)) reserve_id_t __sub_group_reserve_DIR_pipe(QUAL pipe uchar pipe_, uint n, uint size, uint align) {
  __muxcl_sub_barrier();
  if (first()) __muxcl_sub_scratch()[64] = reserve(__muxcl_pipe_to_DIR(pipe_), n);
  __muxcl_sub_barrier();
  ulong id = __muxcl_sub_scratch()[64];
  __muxcl_sub_barrier();
  return __muxcl_reserve_of(id);
}
__attribute__((convergent)) void __sub_group_commit_DIR_pipe(QUAL pipe uchar pipe_, reserve_id_t id, uint size, uint align) {
  __muxcl_sub_barrier();
  if (first()) commit(__muxcl_pipe_to_DIR(pipe_), __muxcl_reserve_number(id));
}
";

/// Three members for each direction, and one for reservation ids.
pub(crate) fn members(all: &mut Vec<(String, String)>) {
    for (direction, qualifier, short, parts) in
        [("read", "read_only", "ro", READ), ("write", "write_only", "wo", WRITE)]
    {
        for (name, functions) in
            [("pipe", FUNCTIONS), ("pipe_group", GROUP), ("pipe_sub_group", SUB_GROUP)]
        {
            let mut text = prologue();
            text.push_str(SHARED);
            text.push_str(parts);
            let functions = functions
                .replace("DIR", direction)
                .replace("QUAL", qualifier)
                .replace("SHORT", short);
            text.push_str(&functions);
            all.push((format!("{name}_{direction}"), text));
        }
    }
    let mut text = prologue();
    let _ = writeln!(
        text,
        "ulong __muxcl_reserve_number(reserve_id_t);\n\
         OVL bool is_valid_reserve_id(reserve_id_t id) {{ return __muxcl_reserve_number(id) != 0; }}"
    );
    all.push(("pipe_reserve_id".into(), text));
}
