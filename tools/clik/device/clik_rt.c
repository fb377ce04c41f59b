// The run-time part of clik's device side: work-items, barriers, print, DMA. Freestanding C for any
// device, without a library.
//
// Work-group mode, the default: the HAL calls kernel_main once for a box of groups, on one hart.
// The work-items of a group run one after the other. With barriers each work-item has its own
// stack, and barrier() switches to the next one, so all arrive before the first continues.
//
// Work-item mode: the HAL calls kernel_main concurrently, once for each work-item of a group.
// HAL_CLIK_HEADER then names a file of the HAL, which defines HAL_WORK_ITEM_MODE and the following
// functions:
//
// static inline uint32_t hal_local_id(const sched_info_t *, uint32_t rank);
//
// static inline void hal_barrier(const sched_info_t *);
//
// static inline char *hal_local_memory(const sched_info_t *);
//
// In either mode the file may define HAL_HAS_DMA with hal_start_dma and hal_wait_dma.
#include "clik_entry.h"

#ifdef HAL_CLIK_HEADER
#include HAL_CLIK_HEADER
#endif

// Tells a HAL that kernels of this program take hal_sched_info_t. HALs that also run programs built
// for the oneAPI Construction Kit's HALs, whose kernels take another structure, check for this
// symbol.
__attribute__((visibility("default"), used)) const uint32_t hal_kernels_take_sched_info = 1;

// Functions that compilers call implicitly.
__attribute__((used)) void *memcpy(void *restrict dst, const void *restrict src, size_t n) {
    char *d = dst;
    const char *s = src;
    while (n--)
        *d++ = *s++;
    return dst;
}
__attribute__((used)) void *memmove(void *dst, const void *src, size_t n) {
    char *d = dst;
    const char *s = src;
    if (d <= s) return memcpy(dst, src, n);
    while (n--)
        d[n] = s[n];
    return dst;
}
__attribute__((used)) void *memset(void *dst, int value, size_t n) {
    char *d = dst;
    while (n--)
        *d++ = (char)value;
    return dst;
}

// ---- print

typedef struct text {
    char at[256];
    uint32_t n;
} text_t;

static void put(text_t *t, char c) {
    if (t->n < sizeof t->at - 1) t->at[t->n++] = c;
}

static void pad(text_t *t, int width, char with) {
    while (width-- > 0)
        put(t, with);
}

static void put_field(text_t *t, const char *s, int n, const char *sign, int width, int left,
                      int zero) {
    int sign_length = *sign ? 1 : 0;
    if (!left && !zero) pad(t, width - n - sign_length, ' ');
    if (*sign) put(t, *sign);
    if (!left && zero) pad(t, width - n - sign_length, '0');
    for (int i = 0; i < n; i++)
        put(t, s[i]);
    if (left) pad(t, width - n - sign_length, ' ');
}

static int digits(char *end, unsigned long value, unsigned base, int upper) {
    int n = 0;
    do
        *--end = "0123456789abcdef0123456789ABCDEF"[value % base + (upper ? 16 : 0)], n++;
    while (value /= base);
    return n;
}

int print(exec_state_t *e, const char *format, ...) {
    text_t t;
    t.n = 0;
    va_list args;
    va_start(args, format);
    for (const char *f = format; *f; f++) {
        if (*f != '%') {
            put(&t, *f);
            continue;
        }
        int left = 0, zero = 0, width = 0, precision = -1, size = 0;
        for (f++; *f == '-' || *f == '0'; f++)
            *f == '-' ? (left = 1) : (zero = 1);
        while (*f >= '0' && *f <= '9')
            width = width * 10 + (*f++ - '0');
        if (*f == '.')
            for (f++, precision = 0; *f >= '0' && *f <= '9';)
                precision = precision * 10 + (*f++ - '0');
        while (*f == 'l' || *f == 'z')
            size++, f++;
        char buffer[32], *end = buffer + sizeof buffer;
        int n;
        switch (*f) {
        case 'd':
        case 'i': {
            long value = size ? va_arg(args, long) : va_arg(args, int);
            n = digits(end, value < 0 ? 0ul - (unsigned long)value : (unsigned long)value, 10, 0);
            put_field(&t, end - n, n, value < 0 ? "-" : "", width, left, zero);
            break;
        }
        case 'u':
        case 'x':
        case 'X': {
            unsigned long value = size ? va_arg(args, unsigned long) : va_arg(args, unsigned);
            n = digits(end, value, *f == 'u' ? 10 : 16, *f == 'X');
            put_field(&t, end - n, n, "", width, left, zero);
            break;
        }
        case 'p':
            n = digits(end, (unsigned long)va_arg(args, void *), 16, 0);
            end[-n - 1] = 'x', end[-n - 2] = '0';
            put_field(&t, end - n - 2, n + 2, "", width, left, 0);
            break;
        case 'c':
            *--end = (char)va_arg(args, int);
            put_field(&t, end, 1, "", width, left, 0);
            break;
        case 's': {
            const char *s = va_arg(args, const char *);
            for (n = 0; s[n] && n != precision;)
                n++;
            put_field(&t, s, n, "", width, left, 0);
            break;
        }
#if !defined(__riscv) || (defined(__riscv_flen) && __riscv_flen >= 64)
        case 'f': {
            double value = va_arg(args, double);
            const char *sign = value < 0 ? "-" : "";
            if (value < 0) value = -value;
            if (!(value < 1e15)) {
                put_field(&t, value == value ? "inf" : "nan", 3, sign, width, left, 0);
                break;
            }
            if (precision < 0 || precision > 9) precision = 6;
            unsigned long scale = 1;
            for (int i = 0; i < precision; i++)
                scale *= 10;
            unsigned long whole = (unsigned long)value;
            unsigned long rest = (unsigned long)((value - (double)whole) * (double)scale + 0.5);
            if (rest >= scale) rest -= scale, whole++;
            if (precision) {
                n = digits(end, rest, 10, 0);
                while (n < precision)
                    end[-++n] = '0';
                end[-++n] = '.';
            } else {
                n = 0;
            }
            n += digits(end - n, whole, 10, 0);
            put_field(&t, end - n, n, sign, width, left, zero);
            break;
        }
#endif
        case '%':
            put(&t, '%');
            break;
        default:
            put(&t, '%'), put(&t, '?');
            break;
        }
        if (!*f) break;
    }
    va_end(args);
    print_buffer_t *to = e->print;
    if (!to) return 0;
#if defined(__riscv) && !defined(__riscv_atomic)
    uint32_t at = to->used; // no atomics: only one hart writes
    to->used = at + t.n;
#else
    uint32_t at = __atomic_fetch_add(&to->used, t.n, __ATOMIC_RELAXED);
#endif
    for (uint32_t i = 0; i < t.n && at + i < to->capacity; i++)
        to->text[at + i] = t.at[i];
    return (int)t.n;
}

// ---- DMA

uintptr_t start_dma(void *dst, const void *src, size_t size_in_bytes, struct exec_state *e) {
#ifdef HAL_HAS_DMA
    return hal_start_dma(dst, src, size_in_bytes, e->sched);
#else
    (void)e;
    memcpy(dst, src, size_in_bytes);
    return 0;
#endif
}

void wait_dma(uintptr_t xfer_id, struct exec_state *e) {
#ifdef HAL_HAS_DMA
    hal_wait_dma(xfer_id, e->sched);
#else
    (void)xfer_id, (void)e;
#endif
}

// ---- The older schedule structure

// HALs of the oneAPI Construction Kit pass an older structure to kernels: local sizes are words,
// num_groups_per_call stays 0, and an execution state surrounds it. Byte offsets on 64-bit devices:
// local sizes 72, num_dim 96, num_groups_per_call 104, hal_extra 128. On 32-bit devices they equal
// those of hal_sched_info_32_t.
//
// The execution state continues at 136 (32 bits: 72) with local_id[3]. On RefSi the magic number,
// flags (bit 0: a call runs a work-group) and thread follow at 168, 176 and 184 (32 bits: 104, 112
// and 120). On the CPU the number of threads, the thread and the barrier function follow at 172,
// 176 and 184.
typedef struct launch {
    sched_info_t sched;
    // The execution state, if a call runs one work-item on its own thread. Local arguments are then
    // addresses.
    const char *state;
    uint32_t thread;
} launch_t;

static uint32_t word_at(const void *at, uint32_t offset) {
    uint32_t value;
    memcpy(&value, (const char *)at + offset, sizeof value);
    return value;
}

// Converts the launch to the newer structure. At offset 76, hal_sched_info_64_t has local_size[1],
// at least 1; the older structure has the upper half of local_size[0], which is 0.
__attribute__((unused)) static launch_t read_launch(const sched_info_t *sched) {
    launch_t l = {*sched, 0, 0};
    const char *at = (const char *)sched;
    const uint32_t *of = (const uint32_t *)at;
    int older = sizeof(uintptr_t) == 8 ? word_at(at, 76) == 0 : of[13] == 0;
    if (!older) return l;
    for (uint32_t k = 0; k < 3; k++) {
        l.sched.num_groups_per_call[k] = 1;
        if (sizeof(uintptr_t) == 8) l.sched.local_size[k] = word_at(at, 72 + 8 * k);
    }
    if (sizeof(uintptr_t) == 8) l.sched.num_dim = word_at(at, 96);
#if defined(__riscv)
    // RefSi M1 has no work-item mode and leaves flags 0; its contexts are in TCDM, below
    // 0x20000000.
    const uint32_t magic = sizeof(uintptr_t) == 8 ? 168 : 104;
    int work_item = word_at(at, magic) == 0x69536552 && (word_at(at, magic + 8) & 1) == 0
                    && (uintptr_t)at >= 0x20000000;
    l.thread = word_at(at, magic + 16);
#else
    int work_item =
        word_at(at, 172) == l.sched.local_size[0] * l.sched.local_size[1] * l.sched.local_size[2];
    l.thread = word_at(at, 176);
#endif
    if (work_item) {
        l.state = at;
        for (uint32_t k = 0; k < 3; k++) {
            l.sched.group_id_start[k] = 0;
            l.sched.num_groups_per_call[k] = l.sched.num_groups_total[k];
        }
    }
    return l;
}

#ifndef HAL_WORK_ITEM_MODE
// All work-items of the group must arrive before any continues.
static void state_barrier(const char *state) {
#if defined(__riscv)
    (void)state;
    register uintptr_t which __asm__("a0") = 1;
    register uintptr_t call __asm__("a7") = 2;
    __asm__ volatile("ecall" : "+r"(which) : "r"(call) : "memory");
#else
    void (*function)(const void *);
    memcpy(&function, state + 184, sizeof function);
    function(state);
#endif
}
#endif

static void begin(exec_state_t *e, print_buffer_t *print, const sched_info_t *sched) {
    memset(e, 0, sizeof *e);
    e->sched = sched;
    e->print = print;
}

#define FOR_EACH_GROUP(id, sched)                                                                  \
    for (id[2] = (sched)->group_id_start[2];                                                       \
         id[2] < (sched)->group_id_start[2] + (sched)->num_groups_per_call[2]; id[2]++)            \
        for (id[1] = (sched)->group_id_start[1];                                                   \
             id[1] < (sched)->group_id_start[1] + (sched)->num_groups_per_call[1]; id[1]++)        \
            for (id[0] = (sched)->group_id_start[0];                                               \
                 id[0] < (sched)->group_id_start[0] + (sched)->num_groups_per_call[0]; id[0]++)

#ifdef HAL_WORK_ITEM_MODE

// ---- A hart for each work-item

void barrier(struct exec_state *e) { hal_barrier(e->sched); }

static void run(const void *args, print_buffer_t *print, const sched_info_t *sched, uint32_t step,
                char *local, item_fn item) {
    exec_state_t e;
    begin(&e, print, sched);
    for (uint32_t k = 0; k < 3; k++)
        e.local_id[k] = hal_local_id(sched, k);
    e.local = local;
    FOR_EACH_GROUP(e.group_id, sched) {
        if (e.local_id[0] % step == 0) item(args, &e);
        // The next group reuses the same local memory.
        if (local) hal_barrier(sched);
    }
}

void run_items(const void *args, print_buffer_t *print, const sched_info_t *sched, uint32_t step,
               item_fn item) {
    run(args, print, sched, step, 0, item);
}

void run_groups(const void *args, print_buffer_t *print, const sched_info_t *sched,
                size_t local_bytes, item_fn item) {
    (void)local_bytes;
    run(args, print, sched, 1, hal_local_memory(sched), item);
}

#else

// ---- A hart for each group

// Runs this call's work-item of every group: work-item mode of the older structure.
static void run_state(const void *args, print_buffer_t *print, const launch_t *l, uint32_t step,
                      char *local, item_fn item) {
    const sched_info_t *sched = &l->sched;
    exec_state_t e;
    begin(&e, print, sched);
    e.local_id[0] = l->thread % sched->local_size[0];
    e.local_id[1] = l->thread / sched->local_size[0] % sched->local_size[1];
    e.local_id[2] = l->thread / sched->local_size[0] / sched->local_size[1];
    e.local = local;
    e.state = l->state;
    FOR_EACH_GROUP(e.group_id, sched) {
        if (e.local_id[0] % step == 0) item(args, &e);
        // The next group reuses the same local memory.
        state_barrier(l->state);
    }
}

void run_items(const void *args, print_buffer_t *print, const sched_info_t *given, uint32_t step,
               item_fn item) {
    const launch_t l = read_launch(given);
    const sched_info_t *sched = &l.sched;
    if (l.state) {
        run_state(args, print, &l, step, 0, item);
        return;
    }
    exec_state_t e;
    begin(&e, print, sched);
    FOR_EACH_GROUP(e.group_id, sched)
    for (e.local_id[2] = 0; e.local_id[2] < sched->local_size[2]; e.local_id[2]++)
        for (e.local_id[1] = 0; e.local_id[1] < sched->local_size[1]; e.local_id[1]++)
            for (e.local_id[0] = 0; e.local_id[0] < sched->local_size[0]; e.local_id[0] += step)
                item(args, &e);
}

// Bytes of a work-item's stack. On RISC-V the stacks of a group are part of the hart's stack, which
// may be small: RefSi M1 of the oneAPI Construction Kit has 512 KiB for a hart. Native code may
// receive a signal, whose frame needs some KiB.
#ifndef STACK_BYTES
#ifdef __riscv
#define STACK_BYTES 4096
#else
#define STACK_BYTES 16384
#endif
#endif

// A work-item with a stack of its own.
typedef struct work_item {
    void *sp;
    uint32_t done;
    exec_state_t state;
} work_item_t;

typedef struct work_items {
    void *caller_sp;
    uint32_t count, current, left;
    const void *args;
    item_fn item;
    work_item_t *items;
} work_items_t;

// Saves the callee-saved registers on the stack, stores the stack pointer in *save, and switches to
// the stack `load`.
void clik_switch(void **save, void *load);
// The entry of a new work-item; clik_switch restores a register that holds the group.
void clik_begin(void);

#if defined(__riscv)
#if __riscv_xlen == 64
#define X "8"
#define ST "sd "
#define LD "ld "
#define WORD 8
#else
#define X "4"
#define ST "sw "
#define LD "lw "
#define WORD 4
#endif
#if defined(__riscv_flen) && !defined(__riscv_float_abi_soft)
#if __riscv_flen == 64
#define FST "fsd "
#define FLD "fld "
#else
#define FST "fsw "
#define FLD "flw "
#endif
#define FLOATS(OP)                                                                                 \
    OP "fs0, 128(sp)\n" OP "fs1, 136(sp)\n" OP "fs2, 144(sp)\n" OP "fs3, 152(sp)\n" OP             \
       "fs4, 160(sp)\n" OP "fs5, 168(sp)\n" OP "fs6, 176(sp)\n" OP "fs7, 184(sp)\n" OP             \
       "fs8, 192(sp)\n" OP "fs9, 200(sp)\n" OP "fs10, 208(sp)\n" OP "fs11, 216(sp)\n"
#define SAVE_FLOATS FLOATS(FST)
#define LOAD_FLOATS FLOATS(FLD)
#else
#define SAVE_FLOATS
#define LOAD_FLOATS
#endif
#ifdef __riscv_32e
#define INTEGERS(OP) OP "ra, 0(sp)\n" OP "s0, 1*" X "(sp)\n" OP "s1, 2*" X "(sp)\n"
#else
#define INTEGERS(OP)                                                                               \
    OP "ra, 0(sp)\n" OP "s0, 1*" X "(sp)\n" OP "s1, 2*" X "(sp)\n" OP "s2, 3*" X "(sp)\n" OP       \
       "s3, 4*" X "(sp)\n" OP "s4, 5*" X "(sp)\n" OP "s5, 6*" X "(sp)\n" OP "s6, 7*" X "(sp)\n" OP \
       "s7, 8*" X "(sp)\n" OP "s8, 9*" X "(sp)\n" OP "s9, 10*" X "(sp)\n" OP "s10, 11*" X          \
       "(sp)\n" OP "s11, 12*" X "(sp)\n"
#endif
#define FRAME 224
__asm__(".text\n.globl clik_switch\n.hidden clik_switch\n.balign 4\nclik_switch:\naddi sp, sp, "
        "-224\n" INTEGERS(ST) SAVE_FLOATS ST "sp, 0(a0)\nmv sp, a1\n" INTEGERS(LD) LOAD_FLOATS
        "addi sp, sp, 224\nret\n"
        ".globl clik_begin\n.hidden clik_begin\nclik_begin:\nmv a0, s0\ncall clik_run_item\n");
static void *first_frame(char *top, work_items_t *group) {
    uintptr_t *frame = (uintptr_t *)(top - FRAME);
    memset(frame, 0, FRAME);
    frame[0] = (uintptr_t)clik_begin;
    frame[1] = (uintptr_t)group;
    return frame;
}
#elif defined(__x86_64__)
__asm__(".text\n.globl clik_switch\n.hidden clik_switch\n.p2align 4\nclik_switch:\npush %rbp\npush "
        "%rbx\npush %r12\npush %r13\npush %r14\n"
        "push %r15\nmov %rsp, (%rdi)\nmov %rsi, %rsp\npop %r15\npop %r14\npop %r13\npop %r12\npop "
        "%rbx\npop %rbp\nret\n"
        ".globl clik_begin\n.hidden clik_begin\nclik_begin:\nmov %rbx, %rdi\ncall "
        "clik_run_item\nhlt\n");
static void *first_frame(char *top, work_items_t *group) {
    uintptr_t *frame = (uintptr_t *)(top - 72);
    memset(frame, 0, 64);
    frame[4] = (uintptr_t)group;
    frame[6] = (uintptr_t)clik_begin; // leaves sp at a multiple of 16, as the ABI requires
    return frame;
}
#elif defined(__aarch64__)
__asm__(
    ".text\n.globl clik_switch\n.hidden clik_switch\n.balign 4\nclik_switch:\nsub sp, sp, "
    "#160\nstp x19, x20, [sp]\nstp x21, x22, [sp, #16]\n"
    "stp x23, x24, [sp, #32]\nstp x25, x26, [sp, #48]\nstp x27, x28, [sp, #64]\nstp x29, x30, [sp, "
    "#80]\nstp d8, d9, [sp, #96]\n"
    "stp d10, d11, [sp, #112]\nstp d12, d13, [sp, #128]\nstp d14, d15, [sp, #144]\nmov x9, sp\nstr "
    "x9, [x0]\nmov sp, x1\n"
    "ldp x19, x20, [sp]\nldp x21, x22, [sp, #16]\nldp x23, x24, [sp, #32]\nldp x25, x26, [sp, "
    "#48]\nldp x27, x28, [sp, #64]\n"
    "ldp x29, x30, [sp, #80]\nldp d8, d9, [sp, #96]\nldp d10, d11, [sp, #112]\nldp d12, d13, [sp, "
    "#128]\nldp d14, d15, [sp, #144]\n"
    "add sp, sp, #160\nret\n"
    ".globl clik_begin\n.hidden clik_begin\nclik_begin:\nmov x0, x19\nbl clik_run_item\nbrk #0\n");
static void *first_frame(char *top, work_items_t *group) {
    uintptr_t *frame = (uintptr_t *)(top - 160);
    memset(frame, 0, 160);
    frame[0] = (uintptr_t)group;
    frame[11] = (uintptr_t)clik_begin;
    return frame;
}
#else
#error "no context switch for this processor: add one, or run in work-item mode"
#endif

// Switches to the next unfinished work-item; returns to the caller when all are done.
static void next(work_items_t *group, void **save) {
    if (group->left == 0) {
        clik_switch(save, group->caller_sp);
        return;
    }
    do
        group->current = group->current + 1 == group->count ? 0 : group->current + 1;
    while (group->items[group->current].done);
    void *to = group->items[group->current].sp;
    if (save != &group->items[group->current].sp) clik_switch(save, to);
}

__attribute__((visibility("hidden"), used)) void clik_run_item(work_items_t *group) {
    work_item_t *me = &group->items[group->current];
    group->item(group->args, &me->state);
    me->done = 1;
    group->left--;
    next(group, &me->sp);
}

void barrier(struct exec_state *e) {
    if (e->state) {
        state_barrier(e->state);
        return;
    }
    next(e->group, &e->group->items[e->group->current].sp);
}

static void run_group(work_items_t *group, char *stacks, const uintptr_t *id, print_buffer_t *print,
                      const sched_info_t *sched, char *local) {
    uint32_t n = 0;
    for (uint32_t z = 0; z < sched->local_size[2]; z++)
        for (uint32_t y = 0; y < sched->local_size[1]; y++)
            for (uint32_t x = 0; x < sched->local_size[0]; x++, n++) {
                work_item_t *item = &group->items[n];
                begin(&item->state, print, sched);
                for (int k = 0; k < 3; k++)
                    item->state.group_id[k] = id[k];
                item->state.local_id[0] = x, item->state.local_id[1] = y,
                item->state.local_id[2] = z;
                item->state.local = local;
                item->state.group = group;
                item->done = 0;
                item->sp = first_frame(stacks + (size_t)(n + 1) * STACK_BYTES, group);
            }
    group->current = 0;
    group->left = n;
    clik_switch(&group->caller_sp, group->items[0].sp);
}

void run_groups(const void *args, print_buffer_t *print, const sched_info_t *given,
                size_t local_bytes, item_fn item) {
    const launch_t l = read_launch(given);
    const sched_info_t *sched = &l.sched;
    if (l.state) {
        run_state(args, print, &l, 1, (char *)local_bytes, item);
        return;
    }
    const uint32_t count = sched->local_size[0] * sched->local_size[1] * sched->local_size[2];
    work_items_t group;
    memset(&group, 0, sizeof group);
    group.count = count, group.args = args, group.item = item;
    group.items = __builtin_alloca_with_align(count * sizeof(work_item_t), 128);
    char *stacks = __builtin_alloca_with_align((size_t)count * STACK_BYTES, 128);
    char *local = __builtin_alloca_with_align(local_bytes + 1, 1024);
    uintptr_t id[3];
    FOR_EACH_GROUP(id, sched) run_group(&group, stacks, id, print, sched, local);
}

#endif
