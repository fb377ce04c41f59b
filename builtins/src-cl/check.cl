// The checks that the pass `check` adds to kernels (`MUXCL_CHECK`). The structures are those of
// `types::check`; docs/checker.md describes the design.
//
// Functions on the path of a correct access are inlined into the kernel, where most of their
// arguments are constants. Shadow cells are volatile, because the compiler assumes that work-items
// do not share memory between barriers, and several of them do use one cell.
#include "muxcl.h"

OVL __attribute__((const)) size_t get_group_id(uint);
OVL __attribute__((const)) size_t get_num_groups(uint);
OVL __attribute__((const)) size_t get_local_size(uint);
OVL __attribute__((const)) size_t get_enqueued_local_size(uint);
OVL __attribute__((const)) size_t get_local_linear_id(void);

#define CHECK __attribute__((always_inline))
#define RARE __attribute__((noinline, cold))
#define REPORTS 64

enum { BOUNDS, UNINITIALISED, MISALIGNED, RACE, DIVERGENCE };
#define ENDED (~0u)
enum { HOW_WRITE = 1, HOW_ATOMIC = 2, HOW_USED = 4, HOW_MEMORY = 8, HOW_RACE = 16 };
enum { ALIGN_SHIFT = 8 };
enum { FIRST_ARGUMENT = 2 };

typedef struct {
  uint site, kind, region, size;
  ulong address, limit, item;
  uint other, other_item, writes, unused;
} Report;
typedef struct {
  ulong low, size, end, init, race;
} Region;
typedef struct {
  uint launch;
  atomic_uint reported;
  uint regions, unknown, unused[28];
  uchar scrap[128];
  Report reports[REPORTS];
  Region table[];
} State;

// A cell remembers an access as a number with these fields, from bit 0:
//   26 bits  the work-item
//   12 bits  the number of barriers that it has passed; the greatest number stands for more
//    5 bits  the launch
//   14 bits  the site; the greatest number stands for an unknown one
//    4 bits  which of the cell's four bytes
//    1 bit   the access was atomic
//    1 bit   reads only: other work-items of the group have read since the last barrier
//    1 bit   reads only: work-items of several groups have read
typedef struct {
  ulong write, read;
} Cell;
#define ITEMS ((1u << 26) - 1)
#define EPOCHS ((1u << 12) - 1)
#define LAUNCHES ((1u << 5) - 1)
#define SITES ((1u << 14) - 1)
#define EPOCH_AT 26
#define LAUNCH_AT 38
#define SITE_AT 43
#define BYTES_AT 57
#define ATOMIC (1ul << 61)
#define MANY_ITEMS (1ul << 62)
#define MANY_GROUPS (1ul << 63)

#define NEXT(p) __opencl_atomic_fetch_add(p, 1u, __ATOMIC_RELAXED, __OPENCL_MEMORY_SCOPE_DEVICE)

// Writes a report, unless the site has one already.
RARE void __muxcl_check_report(global State *s, uint kind, uint site, uint region, uint size,
                               ulong address, ulong limit, ulong item, uint other,
                               uint other_item, uint writes) {
  global atomic_uint *seen = (global atomic_uint *)(s->table + s->regions);
  if (NEXT(&seen[site]) != 0) return;
  uint n = NEXT(&s->reported);
  if (n >= REPORTS) return;
  global Report *r = &s->reports[n];
  r->site = site;
  r->kind = kind;
  r->region = region;
  r->size = size;
  r->address = address;
  r->limit = limit;
  r->item = item;
  r->other = other;
  r->other_item = other_item;
  r->writes = writes;
}

// The number of the region that contains an address.
RARE __attribute__((pure)) uint __muxcl_check_find(const global State *s, ulong address) {
  for (uint n = FIRST_ARGUMENT; n < s->regions; ++n) {
    const global Region *r = &s->table[n];
    if (address - r->low < r->end - r->low) return n;
  }
  return s->unknown;
}

typedef ushort bytes2 __attribute__((aligned(1)));
typedef uint bytes4 __attribute__((aligned(1)));
typedef ulong bytes8 __attribute__((aligned(1)));

// The work-item that makes an access.
typedef struct {
  // The access in the form that cells store, without its bytes.
  ulong self;
  // The work-item's number.
  ulong item;
  // The number of the group's first work-item, in the form that cells store, and the size of a
  // full group.
  uint first, items;
} Item;

HELPER ulong items_before_group(ulong full) {
  size_t plane = get_group_id(2) * get_num_groups(1) + get_group_id(1);
  return (plane * get_num_groups(0) + get_group_id(0)) * full;
}
HELPER ulong full_group(void) {
  return get_enqueued_local_size(0) * get_enqueued_local_size(1) * get_enqueued_local_size(2);
}
// The number of this work-item: group * size of a full group + local linear id.
HELPER ulong this_item(void) { return items_before_group(full_group()) + get_local_linear_id(); }

HELPER Item of_item(uint launch, uint epoch, uint how, uint site) {
  Item i;
  i.items = (uint)full_group();
  ulong first = items_before_group(full_group());
  i.first = (uint)first & ITEMS;
  i.item = first + get_local_linear_id();
  i.self = ((uint)i.item & ITEMS) | (ulong)epoch << EPOCH_AT | (ulong)launch << LAUNCH_AT |
           (ulong)(site < SITES ? site : SITES) << SITE_AT | (how & HOW_ATOMIC ? ATOMIC : 0);
  return i;
}

HELPER bool same_group(Item i, ulong other) { return (((uint)other - i.first) & ITEMS) < i.items; }
HELPER bool same_epoch(ulong a, ulong b) {
  return ((a ^ b) >> EPOCH_AT & EPOCHS) == 0 && (a >> EPOCH_AT & EPOCHS) != EPOCHS;
}
HELPER bool same_item(ulong a, ulong b) { return ((a ^ b) & ITEMS) == 0; }
HELPER bool share_bytes(ulong a, ulong b) { return ((a & b) >> BYTES_AT & 15) != 0; }
HELPER bool same_launch(ulong a, ulong b) { return ((a ^ b) >> LAUNCH_AT & LAUNCHES) == 0; }

// In the following functions, `own` is constant, and true for local memory: all accesses that its
// cells remember are of this group.

// True if nothing orders an earlier access `other` and `self`, and one of them writes.
HELPER bool conflict(Item i, ulong self, ulong other, bool own) {
  if (own ? !same_epoch(self, other) : !same_launch(self, other)) return false;
  if (!share_bytes(self, other) || (self & other & ATOMIC)) return false;
  if (!own && (other & MANY_GROUPS)) return true;
  if (same_item(self, other) && !(other & MANY_ITEMS)) return false;
  return own || !same_group(i, other) || same_epoch(self, other);
}

// The reads that a cell remembers after another read. An access that adds nothing leaves the cell
// as it is, so that threads do not take the memory of cells from each other.
HELPER ulong merged(Item i, ulong self, ulong before, bool own) {
  if (own ? !same_epoch(self, before) : !same_launch(self, before)) return self;
  if (!share_bytes(self, before)) return self;
  bool within = own || same_group(i, before);
  bool same = own || same_epoch(self, before);
  ulong many = before & MANY_GROUPS;
  if (!within) many |= MANY_GROUPS;
  else if (same) many |= same_item(self, before) ? before & MANY_ITEMS : MANY_ITEMS;
  ulong fields = 15ul << BYTES_AT | ATOMIC;
  ulong known = before & (MANY_ITEMS | MANY_GROUPS);
  bool added = ((self ^ before) & fields) != 0 || (many & ~known) != 0;
  if (!added && ((known & MANY_GROUPS) || (within && same && (known || same_item(self, before)))))
    return before;
  return self | many;
}

// Marks `n` bytes as written.
HELPER void mark(global uchar *init, ulong n) {
  if (n == 2) *(global bytes2 *)init = 0x0101;
  else if (n == 4) *(global bytes4 *)init = 0x01010101u;
  else {
    ulong k = 0;
    for (; k + 8 <= n; k += 8) *(global bytes8 *)(init + k) = 0x0101010101010101ul;
    for (; k < n; ++k) init[k] = 1;
  }
}
// True if all of `n` bytes are written.
HELPER bool marked(const global uchar *init, ulong n) {
  if (n == 2) return *(const global bytes2 *)init == 0x0101;
  if (n == 4) return *(const global bytes4 *)init == 0x01010101u;
  ulong all = 0x0101010101010101ul, k = 0;
  for (; k + 8 <= n; k += 8) all &= *(const global bytes8 *)(init + k);
  bool rest = true;
  for (; k < n; ++k) rest &= init[k];
  return rest && all == 0x0101010101010101ul;
}

HELPER uint site_of(ulong access) {
  uint site = (uint)(access >> SITE_AT) & SITES;
  return site == SITES ? ~0u : site;
}
HELPER void cell(global State *s, uint region, volatile global Cell *c, Item i, uint bytes,
                 ulong n, ulong place, ulong limit, uint how, uint site, bool own) {
  ulong self = i.self | (ulong)bytes << BYTES_AT;
  bool writes = how & HOW_WRITE;
  ulong written = c->write, read = c->read;
  // Plain reads beside atomic writes are no error: loops with `atomic_cmpxchg` begin with one.
  if (conflict(i, self, written, own) && (writes || !(written & ATOMIC)))
    __muxcl_check_report(s, RACE, site, region, (uint)n, place, limit, i.item, site_of(written),
                         (uint)written & ITEMS, 2u | writes);
  else if (writes && !(self & ATOMIC) && conflict(i, self, read, own))
    __muxcl_check_report(s, RACE, site, region, (uint)n, place, limit, i.item, site_of(read),
                         (uint)read & ITEMS, 1u);
  if (writes) {
    c->write = self;
  } else {
    ulong now = merged(i, self, read, own);
    if (now != read) c->read = now;
  }
}
// The cells of an access that begins or ends inside a cell.
RARE void __muxcl_check_parts(global State *s, uint region, volatile global Cell *c, ulong self,
                              ulong item, uint first, uint items, ulong at, ulong n, ulong place,
                              ulong limit, uint how, uint site, bool own) {
  Item i = {self, item, first, items};
  for (ulong w = at >> 2; w << 2 < at + n; ++w) {
    ulong start = w << 2, end = at + n - start;
    uint bytes = end < 4 ? (1u << end) - 1 : 15;
    if (start < at) bytes &= 15u << (at - start);
    cell(s, region, c + w, i, bytes, n, place, limit, how, site, own);
  }
}
HELPER void cells(global State *s, uint region, volatile global Cell *c, Item i, ulong at,
                  ulong n, ulong place, ulong limit, uint how, uint site, bool own) {
  if (((at | n) & 3) != 0)
    __muxcl_check_parts(s, region, c, i.self, i.item, i.first, i.items, at, n, place, limit, how,
                        site, own);
  else
    for (ulong w = 0; w << 2 < n; ++w)
      cell(s, region, c + (at >> 2) + w, i, 15, n, place, limit, how, site, own);
}

// An access to `n` bytes at `address`, offset `at` of `size` bytes of memory. Returns whether it is
// inside. `place` and `limit` describe the address in reports.
HELPER bool access(global State *s, uint region, ulong size, ulong marks, ulong race, ulong address,
                   ulong at, ulong n, ulong place, ulong limit, uint how, uint site, uint epoch,
                   uint launch, bool own) {
  if (at > size || size - at < n) {
    if (how & HOW_MEMORY)
      __muxcl_check_report(s, BOUNDS, site, region, (uint)n, place, limit, this_item(), 0,
                           0, how & HOW_WRITE);
    return false;
  }
  if (how & HOW_MEMORY) {
    if (address & ((1ul << (how >> ALIGN_SHIFT)) - 1))
      __muxcl_check_report(s, MISALIGNED, site, region, (uint)n, address,
                           1ul << (how >> ALIGN_SHIFT), this_item(), 0, 0, how & HOW_WRITE);
    if (marks != 0) {
      global uchar *init = (global uchar *)(size_t)(marks + at);
      if ((how & HOW_USED) && !marked(init, n))
        __muxcl_check_report(s, UNINITIALISED, site, region, (uint)n, place, limit, this_item(), 0,
                             0, 0);
      if (how & HOW_WRITE) mark(init, n);
    }
  }
  if ((how & HOW_RACE) && race != 0) {
    volatile global Cell *c = (volatile global Cell *)(size_t)race;
    cells(s, region, c, of_item(launch, epoch, how, site), at, n, place, limit, how, site, own);
  }
  return true;
}

// An access to global memory. `low`, `size`, `marks` and `race` are the region's fields, which the
// pass loads once a kernel.
CHECK bool __muxcl_check_global(global State *s, uint region, ulong low, ulong size, ulong marks,
                                ulong race, ulong address, ulong n, uint how, uint site,
                                uint epoch, uint launch) {
  return access(s, region, size, marks, race, address, address - low, n, address, 0, how, site,
                epoch, launch, false);
}

// An access to a local or private variable of `size` bytes at `low`.
CHECK bool __muxcl_check_own(global State *s, ulong low, ulong size, ulong marks, ulong race,
                             ulong address, ulong n, uint how, uint site, uint epoch,
                             uint launch) {
  ulong at = address - low;
  return access(s, 0, size, marks, race, address, at, n, at, size, how, site, epoch, launch, true);
}

// Clears shadow memory of the group at the kernel's start.
CHECK void __muxcl_check_clear(global uchar *memory, ulong bytes) {
  if (get_local_linear_id() == 0) __builtin_memset(memory, 0, bytes);
}

// The arrivals of a group's work-items at barriers and at the kernel's end. Each work-item that has
// not ended arrives once between two barriers.
typedef struct {
  // Arrivals since the last barrier.
  uint arrived;
  // True once two work-items have arrived at different places.
  uint diverged;
  // The place and the work-item of the first arrival.
  uint site, item;
} Arrivals;

// A work-item arrives at the barrier `site`, or has ended (ENDED).
CHECK void __muxcl_check_arrive(global State *s, volatile local Arrivals *a, uint site) {
  uint n = a->arrived, items = (uint)(get_local_size(0) * get_local_size(1) * get_local_size(2));
  if (n == 0) {
    a->site = site;
    a->item = (uint)this_item();
  } else if (a->site != site) {
    bool ended = site == ENDED;
    __muxcl_check_report(s, DIVERGENCE, ended ? a->site : site, 0, 0, 0, 0, this_item(),
                         ended ? ENDED : a->site, a->item, ended);
    a->diverged = 1;
  }
  a->arrived = n + 1 == items ? 0 : n + 1;
}

// True if the group must end, because its work-items have arrived at different places.
CHECK bool __muxcl_check_diverged(const volatile local Arrivals *a) { return a->diverged; }
