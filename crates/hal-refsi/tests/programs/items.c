// Kernels for WI mode: a call runs one work-item, whose local id follows the schedule in the
// context.
typedef unsigned long word;
typedef unsigned int u32;
typedef struct {
    word group[3], groups[3], offset[3];
    u32 local[3], dimensions;
    word per_call[3], extra;
    u32 id[3], thread;
} context;

static void barrier(void) {
    register word a7 __asm__("a7") = 2, a0 __asm__("a0");
    __asm__ volatile("auipc %0, 0" : "=r"(a0));
    __asm__ volatile("ecall" : : "r"(a7), "r"(a0) : "memory");
}

static u32 number(const context *c) {
    return (c->id[2] * c->local[1] + c->id[1]) * c->local[0] + c->id[0];
}
static word group(const context *c) {
    return (c->group[2] * c->groups[1] + c->group[1]) * c->groups[0] + c->group[0];
}

struct ids { u32 *out; };
void ids(const struct ids *p, const context *c) {
    u32 n = c->local[0] * c->local[1] * c->local[2];
    u32 *o = p->out + 4 * (group(c) * n + number(c));
    o[0] = c->id[0];
    o[1] = c->id[1];
    o[2] = c->id[2];
    o[3] = c->thread;
}

// Sums a group's numbers in local memory, in a loop with several barriers.
struct sum { word *out; u32 *local; u32 rounds; };
void sum(const struct sum *p, const context *c) {
    u32 n = c->local[0], me = c->id[0];
    for (u32 r = 0; r < p->rounds; r++) {
        p->local[me] = me + r;
        barrier();
        if (me == 0) {
            word total = 0;
            for (u32 k = 0; k < n; k++) total += p->local[k];
            p->out[c->group[0]] += total;
        }
        barrier();
    }
}

// One work-item waits for another without a barrier.
struct flag { volatile u32 *flag; };
void flag(const struct flag *p, const context *c) {
    if (c->id[0] == 0) {
        while (*p->flag != 1) {}
        *p->flag = 2;
    } else if (c->id[0] == 1) {
        *p->flag = 1;
        while (*p->flag != 2) {}
    }
}

void odd(const void *p, const context *c) {
    (void)p;
    if (c->id[0] != 2) barrier();
}

struct what { word what; };
void wild(const struct what *p, const context *c) {
    if (c->id[0] == 3) *(volatile u32 *)p->what = 1;
    barrier();
}
