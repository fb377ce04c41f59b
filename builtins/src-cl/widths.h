// Includes BODY once per vector width. Defines: N (width), V(T) (the vector of T of that width),
// CVT(T, x) (value conversion to V(T)), AS(T, x) (bit cast), S16..S64: mask helpers. Private to the
// gen_*.h headers.
#define AS(T, x) __builtin_astype(x, V(T))

#define N 1
#define V(T) T
#define CVT(T, x) ((T)(x))
// Converts a relational result (int 0/1 for scalars, -1/0 lanes for vectors) to a condition of ?:
// whose arms have elements of T.
#define COND(T, c) (c)
#define ANY(c) (c)
// Whether to handle rare cases: true if any lane has one. Always true for scalars, because a
// vectorizer would execute both the handling and the test.
#define RARELY(c) 1
#define AT(v, i) (v)
#define INLINE_SCALAR __attribute__((always_inline))
#include BODY
#undef N
#undef V
#undef CVT
#undef COND
#undef ANY
#undef RARELY
#undef AT
#undef INLINE_SCALAR

#define CVT(T, x) __builtin_convertvector(x, V(T))
#define COND(T, c) __builtin_convertvector(c, V(T))
// Whether the relational result c holds in any lane. All uses test for rare cases, so the compiler
// is told to expect false.
#define ANY(c) __builtin_expect(__builtin_reduce_or(c) != 0, 0)
#define RARELY(c) ANY(c)
// Lane i of v; also a target of assignments.
#define AT(v, i) (v)[i]
// Scalar float functions are always inlined, so that loops over work-items can be vectorized.
#define INLINE_SCALAR
#define N 2
#define V(T) CAT(T, 2)
#include BODY
#undef N
#undef V
#define N 3
#define V(T) CAT(T, 3)
#include BODY
#undef N
#undef V
#define N 4
#define V(T) CAT(T, 4)
#include BODY
#undef N
#undef V
#define N 8
#define V(T) CAT(T, 8)
#include BODY
#undef N
#undef V
#define N 16
#define V(T) CAT(T, 16)
#include BODY
#undef N
#undef V
#undef CVT
#undef COND
#undef ANY
#undef RARELY
#undef AT
#undef INLINE_SCALAR
#undef AS
