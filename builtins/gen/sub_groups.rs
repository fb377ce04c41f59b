//! Sub-group functions, in uniform control flow or not.
//!
//! Between two barriers of a sub-group, the code runs for the work-items that reached the first
//! barrier, one after the other. `__muxcl_sub_active()` is their mask (`passes::work_item_loops`).
//! Each work-item owns a word of the sub-group's scratch memory, which it may write at any time.
//! The words from [`SHARED_AT`] on belong to a function from its first barrier to its last. Code
//! after `__muxcl_sub_barrier_once()` may run for all work-items or for one: it reads the words of
//! all and writes shared ones.
//!
//! Not here: queries of ids and sizes, which `passes` lowers.

use super::{SCALARS, WIDTHS, prologue};
use std::fmt::Write as _;

/// The first word of the scratch memory that no work-item owns.
const SHARED_AT: u32 = 64;

/// The beginning of a member's text.
pub(super) fn start() -> String {
    prologue() + &declarations()
}

/// What the functions use: queries, barriers, and the scratch memory.
pub(super) fn declarations() -> String {
    format!(
        "OVL __attribute__((const)) uint get_sub_group_local_id(void);\n\
         OVL __attribute__((const)) uint get_sub_group_size(void);\n\
         OVL __attribute__((const)) uint get_max_sub_group_size(void);\n\
         __attribute__((convergent)) void __muxcl_sub_barrier(void);\n\
         __attribute__((convergent)) void __muxcl_sub_barrier_once(void);\n\
         __attribute__((convergent)) ulong __muxcl_sub_active(void);\n\
         __private ulong *__muxcl_sub_scratch(void);\n\
         #define CONV OVL __attribute__((convergent))\n\
         #define OPERATION __attribute__((convergent, noinline))\n\
         #define WORD(T, i) (*(__private T *)(__muxcl_sub_scratch() + (i)))\n\
         #define MINE(T) WORD(T, get_sub_group_local_id())\n\
         #define SHARED(T, i) WORD(T, {SHARED_AT} + (i))\n\
         #define EACH_ACTIVE(i) for (uint i = 0, n = get_sub_group_size(); i < n; i++) if (active >> i & 1)\n\
         #define FIRST(mask) ((uint)__builtin_ctzl(mask))\n"
    )
}

/// The operations that pass values of a type `T`, called `NAME`, between work-items: `pick` returns
/// the value of work-item `i`, `first` that of the first active one. Only functions marked
/// `OPERATION` exchange values between work-items; all OpenCL C functions below call them. So the
/// passes can replace the operations by vector instructions (`passes::cross_lane`).
const PASS: &str = "
OPERATION T __muxcl_sub_op_pick_NAME(T x, uint i) {
  MINE(T) = x;
  __muxcl_sub_barrier();
  T all = WORD(T, i & 63);
  __muxcl_sub_barrier();
  return all;
}
OPERATION T __muxcl_sub_op_first_NAME(T x) {
  MINE(T) = x;
  __muxcl_sub_barrier();
  T all = WORD(T, FIRST(__muxcl_sub_active()));
  __muxcl_sub_barrier();
  return all;
}
";

/// The operation `pick` for a vector type `T`, called `NAME`. The value may be longer than the word
/// that a work-item owns, so it passes through the shared words.
const PASS_VECTOR: &str = "
OPERATION T __muxcl_sub_op_pick_NAME(T x, uint i) {
  __muxcl_sub_barrier();
  if (get_sub_group_local_id() == i) __builtin_memcpy(&SHARED(T, 0), &x, sizeof(T));
  __muxcl_sub_barrier();
  T all;
  __builtin_memcpy(&all, &SHARED(T, 0), sizeof(T));
  __muxcl_sub_barrier();
  return all;
}
";

/// OpenCL C functions on a scalar type `T`, called `NAME`: broadcasts, shuffles and rotations.
const ONE_TO_ALL: &str = "
CONV T sub_group_broadcast(T x, uint i) { return __muxcl_sub_op_pick_NAME(x, i); }
CONV T sub_group_non_uniform_broadcast(T x, uint i) { return __muxcl_sub_op_pick_NAME(x, i); }
CONV T sub_group_broadcast_first(T x) { return __muxcl_sub_op_first_NAME(x); }
CONV int sub_group_non_uniform_all_equal(T x) {
  return __muxcl_sub_op_votes(!(x == __muxcl_sub_op_first_NAME(x))) == 0;
}
CONV T sub_group_shuffle(T x, uint i) { return __muxcl_sub_op_pick_NAME(x, i); }
CONV T sub_group_shuffle_xor(T x, uint mask) {
  return __muxcl_sub_op_pick_NAME(x, get_sub_group_local_id() ^ mask);
}
CONV T sub_group_shuffle_up(T x, uint by) {
  return __muxcl_sub_op_pick_NAME(x, get_sub_group_local_id() - by);
}
CONV T sub_group_shuffle_down(T x, uint by) {
  return __muxcl_sub_op_pick_NAME(x, get_sub_group_local_id() + by);
}
CONV T sub_group_rotate(T x, int by) {
  uint size = get_max_sub_group_size(), id = get_sub_group_local_id();
  return __muxcl_sub_op_pick_NAME(x, (id + (uint)(by % (int)size) + size) % size);
}
CONV T sub_group_clustered_rotate(T x, int by, uint cluster) {
  uint id = get_sub_group_local_id(), in = cluster - 1;
  return __muxcl_sub_op_pick_NAME(x, (id & ~in) | ((id + (uint)by) & in));
}
";

/// OpenCL C functions on a vector type `T`, called `NAME`.
const VECTOR_TO_ALL: &str = "
CONV T sub_group_broadcast(T x, uint i) { return __muxcl_sub_op_pick_NAME(x, i); }
CONV T sub_group_non_uniform_broadcast(T x, uint i) { return __muxcl_sub_op_pick_NAME(x, i); }
";

/// The operations that combine values of a type `T`, called `NAME`: reduction, inclusive scan,
/// exclusive scan (`before`) and clustered reduction. `COMBINE` is the binary operation, called
/// `OP`, and `IDENTITY` its neutral element.
const COMBINED: &str = "
OPERATION T __muxcl_sub_op_reduce_OP_NAME(T x) {
  MINE(T) = x;
  __muxcl_sub_barrier_once();
  ulong active = __muxcl_sub_active();
  T a = IDENTITY, b = a, c = a, d = a; // four chains of operations are shorter than one
  for (uint i = 0, n = get_sub_group_size(); i < n; i += 4) {
    if (active >> i & 1) a = COMBINE(a, WORD(T, i));
    if (active >> i & 2) b = COMBINE(b, WORD(T, i + 1));
    if (active >> i & 4) c = COMBINE(c, WORD(T, i + 2));
    if (active >> i & 8) d = COMBINE(d, WORD(T, i + 3));
  }
  a = COMBINE(a, b);
  c = COMBINE(c, d);
  SHARED(T, 0) = COMBINE(a, c);
  __muxcl_sub_barrier();
  T result = SHARED(T, 0);
  __muxcl_sub_barrier();
  return result;
}
OPERATION T __muxcl_sub_op_scan_OP_NAME(T x) {
  MINE(T) = x;
  __muxcl_sub_barrier_once();
  ulong active = __muxcl_sub_active();
  T all = IDENTITY;
  EACH_ACTIVE(i) {
    all = COMBINE(all, WORD(T, i));
    SHARED(T, i) = all;
  }
  __muxcl_sub_barrier();
  T result = SHARED(T, get_sub_group_local_id());
  __muxcl_sub_barrier();
  return result;
}
OPERATION T __muxcl_sub_op_before_OP_NAME(T x) {
  MINE(T) = x;
  __muxcl_sub_barrier_once();
  ulong active = __muxcl_sub_active();
  T all = IDENTITY;
  EACH_ACTIVE(i) {
    SHARED(T, i) = all;
    all = COMBINE(all, WORD(T, i));
  }
  __muxcl_sub_barrier();
  T result = SHARED(T, get_sub_group_local_id());
  __muxcl_sub_barrier();
  return result;
}
OPERATION T __muxcl_sub_op_cluster_OP_NAME(T x, uint cluster) {
  MINE(T) = x;
  __muxcl_sub_barrier();
  ulong active = __muxcl_sub_active();
  uint first = get_sub_group_local_id() & ~(cluster - 1);
  T all = IDENTITY;
  for (uint i = first; i < first + cluster && i < get_sub_group_size(); i++)
    if (active >> i & 1) all = COMBINE(all, WORD(T, i));
  __muxcl_sub_barrier();
  return all;
}
";

/// The OpenCL C functions that combine values, with `OP` in their names. They call the operations
/// with `OF` in their names. For example, `logical_and` uses the bitwise `and`. `FROM(x)` converts
/// an argument for the operation, `TO(r)` converts the operation's result.
const COMBINING: &str = "
CONV T sub_group_reduce_OP(T x) { return TO(__muxcl_sub_op_reduce_OF_NAME(FROM(x))); }
CONV T sub_group_scan_inclusive_OP(T x) { return TO(__muxcl_sub_op_scan_OF_NAME(FROM(x))); }
CONV T sub_group_scan_exclusive_OP(T x) { return TO(__muxcl_sub_op_before_OF_NAME(FROM(x))); }
CONV T sub_group_clustered_reduce_OP(T x, uint n) {
  return TO(__muxcl_sub_op_cluster_OF_NAME(FROM(x), n));
}
CONV T sub_group_non_uniform_reduce_OP(T x) { return sub_group_reduce_OP(x); }
CONV T sub_group_non_uniform_scan_inclusive_OP(T x) { return sub_group_scan_inclusive_OP(x); }
CONV T sub_group_non_uniform_scan_exclusive_OP(T x) { return sub_group_scan_exclusive_OP(x); }
";

/// The operation `votes`, which returns the work-items for which `p` is true, one bit each, and the
/// OpenCL C functions that use it: votes, ballots and elections.
const VOTES: &str = "
OPERATION ulong __muxcl_sub_op_votes(bool p) {
  MINE(uint) = p;
  __muxcl_sub_barrier_once();
  ulong active = __muxcl_sub_active(), all = 0;
  EACH_ACTIVE(i) all |= (ulong)WORD(uint, i) << i;
  SHARED(ulong, 0) = all;
  __muxcl_sub_barrier();
  ulong result = SHARED(ulong, 0);
  __muxcl_sub_barrier();
  return result;
}
CONV int sub_group_all(int p) { return __muxcl_sub_op_votes(p == 0) == 0; }
CONV int sub_group_any(int p) { return __muxcl_sub_op_votes(p != 0) != 0; }
CONV int sub_group_non_uniform_all(int p) { return __muxcl_sub_op_votes(p == 0) == 0; }
CONV int sub_group_non_uniform_any(int p) { return __muxcl_sub_op_votes(p != 0) != 0; }
CONV uint4 sub_group_ballot(int p) {
  ulong v = __muxcl_sub_op_votes(p != 0);
  return (uint4)((uint)v, (uint)(v >> 32), 0, 0);
}
CONV int sub_group_elect(void) {
  return get_sub_group_local_id() == FIRST(__muxcl_sub_op_votes(true));
}
";

const VOTES_DECLARED: &str = "__attribute__((convergent)) ulong __muxcl_sub_op_votes(bool);";

/// Functions on the results of ballots, which need no values of other work-items.
const BALLOTS: &str = "
HELPER ulong low(uint n) { return n >= 64 ? ~0ul : (1ul << n) - 1; }
HELPER uint4 split(ulong v) { return (uint4)((uint)v, (uint)(v >> 32), 0, 0); }
HELPER ulong joined(uint4 v) { return (ulong)v.y << 32 | v.x; }
HELPER ulong all(void) { return low(get_max_sub_group_size()); }
HELPER ulong lanes(uint4 v) { return joined(v) & all(); }
OVL uint4 get_sub_group_eq_mask(void) { return split(1ul << get_sub_group_local_id()); }
OVL uint4 get_sub_group_ge_mask(void) { return split(all() & ~low(get_sub_group_local_id())); }
OVL uint4 get_sub_group_gt_mask(void) { return split(all() & ~low(get_sub_group_local_id() + 1)); }
OVL uint4 get_sub_group_le_mask(void) { return split(low(get_sub_group_local_id() + 1)); }
OVL uint4 get_sub_group_lt_mask(void) { return split(low(get_sub_group_local_id())); }
OVL int sub_group_ballot_bit_extract(uint4 v, uint i) { return (int)(joined(v) >> (i & 63) & 1); }
OVL int sub_group_inverse_ballot(uint4 v) { return sub_group_ballot_bit_extract(v, get_sub_group_local_id()); }
OVL uint sub_group_ballot_bit_count(uint4 v) { return (uint)__builtin_popcountl(lanes(v)); }
OVL uint sub_group_ballot_inclusive_scan(uint4 v) {
  return (uint)__builtin_popcountl(lanes(v) & low(get_sub_group_local_id() + 1));
}
OVL uint sub_group_ballot_exclusive_scan(uint4 v) {
  return (uint)__builtin_popcountl(lanes(v) & low(get_sub_group_local_id()));
}
OVL uint sub_group_ballot_find_lsb(uint4 v) {
  ulong b = lanes(v);
  return b == 0 ? 0 : (uint)__builtin_ctzl(b);
}
OVL uint sub_group_ballot_find_msb(uint4 v) {
  ulong b = lanes(v);
  return b == 0 ? 0 : 63 - (uint)__builtin_clzl(b);
}
";

/// The binary operations on a scalar type: the name of each, its formula of `a` and `b`, and its
/// neutral element.
fn operations(name: &str, float: bool, signed: bool) -> Vec<(&'static str, &'static str, String)> {
    let (lowest, highest) = match (name, float, signed) {
        (_, true, _) => ("((T)-__builtin_inff())".into(), "((T)__builtin_inff())".into()),
        (_, _, false) => ("0".to_owned(), "((T)~(T)0)".to_owned()),
        _ => {
            let limit = name.to_uppercase();
            let limit = if limit == "SHORT" { "SHRT".to_owned() } else { limit };
            (format!("{limit}_MIN"), format!("{limit}_MAX"))
        }
    };
    let text = str::to_owned;
    let mut all = vec![("add", "(a) + (b)", text("0")), ("mul", "(a) * (b)", text("1"))];
    if float {
        all.push(("min", "__builtin_elementwise_minnum(a, b)", highest));
        all.push(("max", "__builtin_elementwise_maxnum(a, b)", lowest));
        return all;
    }
    all.push(("min", "__builtin_elementwise_min(a, b)", highest));
    all.push(("max", "__builtin_elementwise_max(a, b)", lowest));
    all.extend([
        ("and", "(a) & (b)", text("~(T)0")),
        ("or", "(a) | (b)", text("0")),
        ("xor", "(a) ^ (b)", text("0")),
    ]);
    all
}

/// Adds the library members. Each scalar type has a member with its `pick` and `first`, one for its
/// vector types, and one with the operations that combine values. Votes and ballots are one member
/// each. A member also has the OpenCL C functions that call its operations.
pub(crate) fn members(all: &mut Vec<(String, String)>) {
    for element in SCALARS {
        let name = element.name;
        let named = |text: &str, name: &str| text.replace("NAME", name);
        let mut text = start();
        let _ = writeln!(text, "#define T {name}\n{VOTES_DECLARED}");
        text.push_str(&named(PASS, name));
        text.push_str(&named(ONE_TO_ALL, name));
        all.push((format!("sub_group_pass_{name}"), text));
        let mut text = start();
        for width in WIDTHS.into_iter().filter(|w| *w > 1) {
            let vector = element.vector(width);
            let _ = writeln!(text, "#define T {vector}");
            text.push_str(&named(PASS_VECTOR, &vector));
            text.push_str(&named(VECTOR_TO_ALL, &vector));
            text.push_str("#undef T\n");
        }
        all.push((format!("sub_group_vectors_{name}"), text));
        let mut text = start();
        let _ = writeln!(text, "#define T {name}");
        let functions = |op: &str, of: &str| {
            named(&COMBINING.replace("_OP", &format!("_{op}")).replace("OF", of), name)
        };
        text.push_str("#define FROM(x) (x)\n#define TO(r) (r)\n");
        for (op, combine, identity) in operations(name, element.float, element.signed) {
            let _ = writeln!(
                text,
                "#define COMBINE(a, b) ((T)({combine}))\n#define IDENTITY {identity}"
            );
            text.push_str(&named(&COMBINED.replace("_OP", &format!("_{op}")), name));
            text.push_str("#undef COMBINE\n#undef IDENTITY\n");
            text.push_str(&functions(op, op));
        }
        if name == "int" {
            // The logical functions combine the numbers 0 and 1. The neutral element of `and` has
            // all bits set, so the result is reduced to its lowest bit.
            text.push_str("#undef FROM\n#undef TO\n#define FROM(x) ((x) != 0)\n");
            text.push_str("#define TO(r) ((r) & 1)\n");
            for of in ["and", "or", "xor"] {
                text.push_str(&functions(&format!("logical_{of}"), of));
            }
        }
        all.push((format!("sub_group_combine_{name}"), text));
    }
    for (name, functions) in [("sub_group_votes", VOTES), ("sub_group_ballots", BALLOTS)] {
        let mut text = start();
        text.push_str(functions);
        all.push((name.into(), text));
    }
}
