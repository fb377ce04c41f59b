// Kernels that drive the DMA engine of M1 through its registers.
typedef unsigned long word;
typedef unsigned int u32;
typedef struct {
    word group[3], groups[3], offset[3];
    u32 local[3], dimensions;
    word per_call[3], extra;
} sched;

#define REG(n) (((volatile word *)0x20002000)[n])
enum { CTRL, START, DONE, SRC, DST, SIZE, SRC_STRIDE = 8, DST_STRIDE = 10 };

struct copy { word dst, src, size[3], dst_stride[2], src_stride[2], control; word *out; };
static word begin(const struct copy *p) {
    REG(SRC) = p->src;
    REG(DST) = p->dst;
    for (int k = 0; k < 3; k++) REG(SIZE + k) = p->size[k];
    for (int k = 0; k < 2; k++) {
        REG(SRC_STRIDE + k) = p->src_stride[k];
        REG(DST_STRIDE + k) = p->dst_stride[k];
    }
    REG(CTRL) = p->control | 1;
    return REG(START);
}

void copy(const struct copy *p, const sched *s) {
    (void)s;
    word id = begin(p);
    REG(DONE) = id;
    p->out[0] = id;
    p->out[1] = REG(DONE);
    p->out[2] = REG(CTRL);
}

// Each group copies a block into local memory on its stack, changes it, and copies it back.
struct staged { u32 *dst; const u32 *src; };
void staged(const struct staged *p, const sched *s) {
    u32 local[64];
    word at = s->group[0] * 64;
    REG(SRC) = (word)(p->src + at);
    REG(DST) = (word)local;
    REG(SIZE) = sizeof local;
    REG(CTRL) = 0x11;
    REG(DONE) = REG(START);
    __asm__ volatile("" ::: "memory");
    for (int k = 0; k < 64; k++) local[k] = local[k] * 2 + 1;
    __asm__ volatile("" ::"r"(local) : "memory");
    REG(SRC) = (word)local;
    REG(DST) = (word)(p->dst + at);
    REG(CTRL) = 0x11;
    REG(DONE) = REG(START);
}

// Many transfers, with consecutive numbers; polling terminates.
void many(const struct copy *p, const sched *s) {
    (void)s;
    word first = begin(p), last = first;
    for (int k = 1; k < 10; k++) {
        REG(DST) = p->dst + k * p->size[0];
        REG(CTRL) = p->control | 1;
        last = REG(START);
    }
    p->out[0] = last - first;
    // Two are in flight; starting the others completed the earlier ones.
    p->out[1] = 0;
    while (REG(DONE) < last) p->out[1]++;
    p->out[2] = REG(DONE) == last;
}

// Never waits: the end of the kernel completes the transfers all the same.
void careless(const struct copy *p, const sched *s) {
    (void)s;
    begin(p);
}

struct touch { word what; };
void touch(const struct touch *p, const sched *s) {
    (void)s;
    if (p->what == 0) *(volatile u32 *)0x20002018 = 1;       // half a register
    if (p->what == 1) *(volatile word *)0x2000201c = 1;      // between two
    if (p->what == 2) *(volatile word *)0x20002080 = 1;      // no register
    if (p->what == 3) REG(CTRL) = 1;                         // no dimensions
    if (p->what == 4) REG(START) = 77;                       // cannot be written: no effect
}

// For the command processor: a function with arguments in registers.
void instance(word id, word *out, word a, word b) {
    __atomic_fetch_add(&out[0], 1, __ATOMIC_RELAXED);
    out[1 + id] = a * 1000 + b * 10 + id;
}

// The same with packed arguments and a hart-local block.
struct slice { word *out; };
struct own { word counter; };
void slice(word id, word slice, const struct slice *p, struct own *own) {
    word hart;
    __asm__ volatile("csrr %0, mhartid" : "=r"(hart));
    own->counter++;
    p->out[3 * id] = slice;
    p->out[3 * id + 1] = hart;
    p->out[3 * id + 2] = own->counter;
}

// Accesses through a window that shows each hart its own memory.
void through(word id, word *window) {
    word hart;
    (void)id;
    __asm__ volatile("csrr %0, mhartid" : "=r"(hart));
    window[0] = hart + 100;
}

void forever(void) { for (;;) __asm__ volatile(""); }
