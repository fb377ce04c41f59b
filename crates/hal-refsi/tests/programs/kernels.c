// Kernels of the tests with the HAL's kernel interface: packed arguments and the schedule
// structure. One call runs one work-group.
typedef unsigned long word;
typedef unsigned int u32;
typedef unsigned char u8;

typedef struct {
    word group[3], groups[3], offset[3];
    u32 local[3], dimensions;
    word per_call[3], extra;
} sched;

static word item(const sched *s, int k, u32 local) {
    return s->group[k] * s->local[k] + local + s->offset[k];
}

struct add { const u32 *a, *b; u32 *c; u32 bias; };
void add(const struct add *p, const sched *s) {
    for (u32 l = 0; l < s->local[0]; l++) {
        word k = item(s, 0, l);
        p->c[k] = p->a[k] + p->b[k] + p->bias;
    }
}

// Stores every field of the schedule and the hart's number, for each group.
struct fields { word *out; };
void fields(const struct fields *p, const sched *s) {
    word number = (s->group[2] * s->groups[1] + s->group[1]) * s->groups[0] + s->group[0];
    word *o = p->out + 20 * number;
    for (int k = 0; k < 3; k++) {
        o[k] = s->group[k];
        o[3 + k] = s->groups[k];
        o[6 + k] = s->offset[k];
        o[9 + k] = s->local[k];
        o[12 + k] = s->per_call[k];
    }
    word sp, hart;
    __asm__ volatile("mv %0, sp" : "=r"(sp));
    __asm__ volatile("csrr %0, mhartid" : "=r"(hart));
    o[15] = s->dimensions;
    o[16]++;
    o[17] = hart;
    o[18] = sp & 15;
}

// Arguments of odd sizes, and a local argument, which is a size.
struct odd { u8 one; word *out; u8 twelve[12]; word local; unsigned short two; };
void odd(const u8 *p, const sched *s) {
    word *out = *(word *const *)(p + sizeof(word));
    (void)s;
    out[0] = p[0];
    word at = 2 * sizeof(word);
    at = (at + 15) & ~15ul;
    for (int k = 0; k < 12; k++) out[1 + k] = p[at + k];
    at = (at + 12 + sizeof(word) - 1) & ~(sizeof(word) - 1);
    out[13] = *(const word *)(p + at);
    at += sizeof(word);
    out[14] = *(const unsigned short *)(p + at);
}

void empty(void) {}

// Data with relocations, and variables that keep their values between launches.
static u32 table[4] = {10, 20, 30, 40};
static u32 *const volatile places[4] = {&table[3], &table[2], &table[1], &table[0]};
u32 count_of_calls;
struct globals { u32 *out; };
void globals(const struct globals *p, const sched *s) {
    p->out[0] = *places[s->local[0] & 3];
    p->out[1] = ++count_of_calls;
}

struct what { word what; word address; };
void fault(const struct what *p, const sched *s) {
    if (s->group[0] != s->groups[0] - 1) return;
    switch (p->what) {
    case 0: *(volatile u32 *)p->address = 1; break;
    case 1: (void)*(volatile u32 *)p->address; break;
    case 2: __asm__ volatile(".word 0"); break;
    case 3: for (;;) __asm__ volatile(""); break;
    case 4: ((void (*)(void))p->address)(); break;
    case 5: __asm__ volatile("ebreak"); break;
    case 6: { register word a7 __asm__("a7") = 99; __asm__ volatile("ecall" ::"r"(a7)); break; }
    case 7: {
        register word a7 __asm__("a7") = 0, a0 __asm__("a0") = 5;
        __asm__ volatile("ecall" ::"r"(a7), "r"(a0));
        break;
    }
    case 8: { volatile word *at = (volatile word *)(p->address + 1); (void)*at; break; }
    }
}

// Writes down the stack.
static word deep(word n) {
    volatile word here[64];
    here[0] = n;
    return n == 0 ? 0 : deep(n - 1) + here[0];
}
struct depth { word *out; word n; };
void depth(const struct depth *p, const sched *s) {
    (void)s;
    *p->out = deep(p->n);
}

// Atomic additions from all groups.
struct sum { word *out; word times; };
void sum(const struct sum *p, const sched *s) {
    for (word k = 0; k < p->times; k++)
        __atomic_fetch_add(p->out, s->group[0] + 1, __ATOMIC_RELAXED);
}

// Some work, to measure speed and to see that harts share it.
struct spin { word *out; word times; };
void spin(const struct spin *p, const sched *s) {
    word x = s->group[0] + 88172645463325252ul;
    for (word k = 0; k < p->times; k++) {
        x ^= x << 13;
        x ^= x >> 7;
        x ^= x << 17;
    }
    p->out[s->group[0]] = x;
}

// Reads the initial rounding mode and leaves another one.
struct rounding { u32 *out; };
void rounding(const struct rounding *p, const sched *s) {
    (void)s;
    word mode;
    __asm__ volatile("frrm %0" : "=r"(mode));
    *p->out = (u32)mode;
    __asm__ volatile("fsrmi 1");
}

struct text { const char *text; };
void text(const struct text *p, const sched *s) {
    (void)s;
    register word a7 __asm__("a7") = 1;
    register const char *a0 __asm__("a0") = p->text;
    __asm__ volatile("ecall" ::"r"(a7), "r"(a0) : "memory");
}

// Reads the counters of the hart.
struct perf { word *out; };
void perf(const struct perf *p, const sched *s) {
    (void)s;
    volatile word *c = (volatile word *)0x20100000;
    word a = c[2];
    __asm__ volatile("nop\nnop\nnop\nnop\nnop\nnop\nnop\nnop");
    word b = c[2];
    p->out[0] = b - a;
    p->out[1] = c[0] >= b;
}

// Overwrites memory that it does not own with ones.
struct wild { word *at; word count; };
void wild(const struct wild *p, const sched *s) {
    word *at = p->at, count = p->count;
    (void)s;
    for (word k = 0; k < count; k++) at[k] = ~0ul;
}
