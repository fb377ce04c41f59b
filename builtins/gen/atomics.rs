//! Atomics of OpenCL 1.x (`atomic_add`, `atom_add`, ...) and of C11, and the fences, for every type
//! and address space.
//!
//! Invariant: all scopes are implemented as the widest one, orders given at run time are honoured
//! (clang turns them into a switch that folds away once inlined). 1.x atomics are relaxed. Nothing
//! here takes a lock. A relaxed operation of the widest scope that returns the old
//! value has acquire-release order instead.

use super::prologue;
use std::fmt::Write as _;

const OBJECT_SPACES: [&str; 4] = ["__global", "__local", "__private", "__generic"];
const INTS: [&str; 4] = ["int", "uint", "long", "ulong"];
const FLOATS: [&str; 3] = ["float", "double", "half"];

fn bits(kind: &str) -> &'static str {
    match kind {
        "double" | "long" | "ulong" => "ulong",
        "half" => "ushort",
        _ => "uint",
    }
}

fn old_style(all: &mut Vec<(String, String)>) {
    let mut text = prologue();
    for space in OBJECT_SPACES {
        for kind in INTS {
            // The 32-bit functions have two names, the 64-bit functions only the second.
            let names: &[&str] =
                if kind.ends_with("int") { &["atomic", "atom"] } else { &["atom"] };
            for prefix in names {
                for op in ["add", "sub", "and", "or", "xor", "min", "max"] {
                    let _ = writeln!(
                        text,
                        "OVL {kind} {prefix}_{op}(volatile {space} {kind} *p, {kind} v) \
                         {{ return __atomic_fetch_{op}(p, v, __ATOMIC_RELAXED); }}"
                    );
                }
                for (name, op) in [("inc", "add"), ("dec", "sub")] {
                    let _ = writeln!(
                        text,
                        "OVL {kind} {prefix}_{name}(volatile {space} {kind} *p) \
                         {{ return __atomic_fetch_{op}(p, 1, __ATOMIC_RELAXED); }}"
                    );
                }
                let _ = writeln!(
                    text,
                    "OVL {kind} {prefix}_xchg(volatile {space} {kind} *p, {kind} v) \
                     {{ return __atomic_exchange_n(p, v, __ATOMIC_RELAXED); }}\n\
                     OVL {kind} {prefix}_cmpxchg(volatile {space} {kind} *p, {kind} e, {kind} v) \
                     {{ __atomic_compare_exchange_n(p, &e, v, 0, __ATOMIC_RELAXED, __ATOMIC_RELAXED); return e; }}"
                );
            }
        }
        for prefix in ["atomic", "atom"] {
            let _ = writeln!(
                text,
                "OVL float {prefix}_xchg(volatile {space} float *p, float v) \
                 {{ return as_float(__atomic_exchange_n((volatile {space} uint *)p, as_uint(v), __ATOMIC_RELAXED)); }}"
            );
        }
    }
    all.push(("atomics_1x".into(), text));
}

/// The endings of an operation's parameter list, and the memory order of each.
const ORDERS: [(&str, &str, &str); 3] = [
    ("", "", "__ATOMIC_SEQ_CST"),
    ("_explicit", ", memory_order o", "o"),
    ("_explicit", ", memory_order o, memory_scope s", "o"),
];

/// The memory order of an operation on integers with order `o` and scope `s`. Only operations of
/// relaxed order may be delayed (the pass `combine-atomics`), and the host may watch memory that an
/// operation changes with the widest scope.
const FETCH_ORDER: &str = "(s == memory_scope_all_svm_devices && o == memory_order_relaxed \
                           ? memory_order_acq_rel : o)";

fn load_store(all: &mut Vec<(String, String)>) {
    for kind in INTS.into_iter().chain(FLOATS) {
        let mut text = prologue();
        let bits = bits(kind);
        for space in OBJECT_SPACES {
            let object = format!("volatile {space} atomic_{kind} *p");
            let raw = format!("(volatile {space} {bits} *)p");
            let to = format!("__builtin_astype(v, {bits})");
            let _ = writeln!(
                text,
                "OVL void atomic_init({object}, {kind} v) {{ *(volatile {space} {kind} *)p = v; }}"
            );
            for (suffix, tail, order) in ORDERS {
                let _ = writeln!(
                    text,
                    "OVL {kind} atomic_load{suffix}({object}{tail}) \
                     {{ return __builtin_astype(__atomic_load_n({raw}, {order}), {kind}); }}\n\
                     OVL void atomic_store{suffix}({object}, {kind} v{tail}) {{ __atomic_store_n({raw}, {to}, {order}); }}\n\
                     OVL {kind} atomic_exchange{suffix}({object}, {kind} v{tail}) \
                     {{ return __builtin_astype(__atomic_exchange_n({raw}, {to}, {order}), {kind}); }}"
                );
            }
        }
        if kind == "half" {
            store_half(&mut text);
        }
        all.push((format!("atomic_access_{kind}"), text));
    }
}

/// clang's own table declares the value parameter of `atomic_store` on an `atomic_half` as
/// `atomic_half`. Calls therefore use symbols that no definition in OpenCL C gets.
fn store_half(text: &mut String) {
    for (space, number) in [("__global", 1), ("__local", 3), ("__generic", 4)] {
        for (nth, (suffix, tail, order)) in ORDERS.into_iter().enumerate() {
            let name = format!("atomic_store{suffix}");
            let mangled = ["", "12memory_order", "12memory_order12memory_scope"][nth];
            let head = format!(
                "void store_half_{number}_{nth}(volatile {space} atomic_half *p, half v{tail})"
            );
            let _ = writeln!(
                text,
                "{head} __asm__(\"_Z{}{name}PU3AS{number}VU7_AtomicDhS_{mangled}\");\n\
                 {head} {{ __atomic_store_n((volatile {space} ushort *)p, as_ushort(v), {order}); }}",
                name.len()
            );
        }
    }
}

fn compare_exchange(all: &mut Vec<(String, String)>) {
    for kind in INTS.into_iter().chain(FLOATS) {
        let mut text = prologue();
        let bits = bits(kind);
        for space in OBJECT_SPACES {
            for expected in OBJECT_SPACES {
                for (strength, weak) in [("strong", 0), ("weak", 1)] {
                    for (suffix, tail, success, failure) in [
                        ("", "", "__ATOMIC_SEQ_CST", "__ATOMIC_SEQ_CST"),
                        ("_explicit", ", memory_order o, memory_order f", "o", "f"),
                        ("_explicit", ", memory_order o, memory_order f, memory_scope s", "o", "f"),
                    ] {
                        let _ = writeln!(
                            text,
                            "OVL bool atomic_compare_exchange_{strength}{suffix}(volatile {space} atomic_{kind} *p, \
                             {expected} {kind} *e, {kind} v{tail}) {{\n  {bits} x = __builtin_astype(*e, {bits});\n  \
                             bool done = __atomic_compare_exchange_n((volatile {space} {bits} *)p, &x, \
                             __builtin_astype(v, {bits}), {weak}, {success}, {failure});\n  \
                             if (!done) *e = __builtin_astype(x, {kind});\n  return done;\n}}"
                        );
                    }
                }
            }
        }
        all.push((format!("atomic_compare_exchange_{kind}"), text));
    }
}

fn fetch(all: &mut Vec<(String, String)>) {
    for kind in INTS {
        let mut text = prologue();
        // The operand of a function on a pointer-sized type has the other signedness on some
        // devices.
        let operands = if kind.ends_with("long") { ["long", "ulong"] } else { ["int", "uint"] };
        for space in OBJECT_SPACES {
            for operand in operands {
                for op in ["add", "sub", "or", "xor", "and", "min", "max"] {
                    for (suffix, tail, order) in ORDERS {
                        let order = if tail.ends_with(" s") { FETCH_ORDER } else { order };
                        let _ = writeln!(
                            text,
                            "OVL {kind} atomic_fetch_{op}{suffix}(volatile {space} atomic_{kind} *p, {operand} v{tail}) \
                             {{ return __atomic_fetch_{op}((volatile {space} {kind} *)p, ({kind})v, {order}); }}"
                        );
                    }
                }
            }
        }
        all.push((format!("atomic_fetch_{kind}"), text));
    }
    for kind in FLOATS {
        let mut text = prologue();
        let bits = bits(kind);
        for (op, next) in [
            ("add", "old + v"),
            ("sub", "old - v"),
            ("min", "__builtin_elementwise_minnum(old, v)"),
            ("max", "__builtin_elementwise_maxnum(old, v)"),
        ] {
            for space in OBJECT_SPACES {
                for (suffix, tail, order) in ORDERS {
                    let _ = writeln!(
                        text,
                        "OVL {kind} atomic_fetch_{op}{suffix}(volatile {space} atomic_{kind} *p, {kind} v{tail}) {{\n  \
                         volatile {space} {bits} *q = (volatile {space} {bits} *)p;\n  \
                         {bits} seen = __atomic_load_n(q, __ATOMIC_RELAXED);\n  {kind} old;\n  do {{\n    \
                         old = __builtin_astype(seen, {kind});\n  }} while (!__atomic_compare_exchange_n(q, &seen, \
                         __builtin_astype(({kind})({next}), {bits}), 1, {order}, __ATOMIC_RELAXED));\n  return old;\n}}"
                    );
                }
            }
        }
        all.push((format!("atomic_fetch_{kind}"), text));
    }
}

fn flags_and_fences(all: &mut Vec<(String, String)>) {
    let mut text = prologue();
    for space in OBJECT_SPACES {
        let raw = format!("(volatile {space} int *)p");
        for (suffix, tail, order) in ORDERS {
            let _ = writeln!(
                text,
                "OVL bool atomic_flag_test_and_set{suffix}(volatile {space} atomic_flag *p{tail}) \
                 {{ return __atomic_exchange_n({raw}, 1, {order}) != 0; }}\n\
                 OVL void atomic_flag_clear{suffix}(volatile {space} atomic_flag *p{tail}) \
                 {{ __atomic_store_n({raw}, 0, {order}); }}"
            );
        }
    }
    text.push_str(
        "OVL void atomic_work_item_fence(cl_mem_fence_flags flags, memory_order o, memory_scope s) {\n  switch (o) {\n  \
         case memory_order_relaxed: break;\n  \
         case memory_order_acquire: __scoped_atomic_thread_fence(__ATOMIC_ACQUIRE, __MEMORY_SCOPE_SYSTEM); break;\n  \
         case memory_order_release: __scoped_atomic_thread_fence(__ATOMIC_RELEASE, __MEMORY_SCOPE_SYSTEM); break;\n  \
         case memory_order_acq_rel: __scoped_atomic_thread_fence(__ATOMIC_ACQ_REL, __MEMORY_SCOPE_SYSTEM); break;\n  \
         default: __scoped_atomic_thread_fence(__ATOMIC_SEQ_CST, __MEMORY_SCOPE_SYSTEM); break;\n  }\n}\n\
         OVL void mem_fence(cl_mem_fence_flags flags) { __scoped_atomic_thread_fence(__ATOMIC_ACQ_REL, __MEMORY_SCOPE_SYSTEM); }\n\
         OVL void read_mem_fence(cl_mem_fence_flags flags) { __scoped_atomic_thread_fence(__ATOMIC_ACQUIRE, __MEMORY_SCOPE_SYSTEM); }\n\
         OVL void write_mem_fence(cl_mem_fence_flags flags) { __scoped_atomic_thread_fence(__ATOMIC_RELEASE, __MEMORY_SCOPE_SYSTEM); }\n",
    );
    all.push(("atomic_flags_fences".into(), text));
}

/// One member per operation group and type.
pub(crate) fn members(all: &mut Vec<(String, String)>) {
    old_style(all);
    load_store(all);
    compare_exchange(all);
    fetch(all);
    flags_and_fences(all);
}
