//! The kernels whose atomic operations may use a table of the thread (`combine-atomics`), and those
//! in which a work-item could tell.
#![expect(clippy::unwrap_used, reason = "a test")]

use muxcl_filetests::compile;
use muxcl_frontend_clang::STACK_BYTES;
use muxcl_llvm::Context;
use muxcl_passes::{Options, Runner};
use muxcl_target_host::{CodeTarget as _, Settings, Target};
use muxcl_types::variant::SpecializationKey;

/// What a pass of the compilation of the kernel `k` for groups of 64 work-items left as IR. Empty
/// if the pass did not run.
fn after(pass: &str, source: &str) -> String {
    let device = compile::device();
    let context = Context::new();
    let mut module = compile::source(&context, source, "-cl-std=CL3.0", &device).unwrap();
    let target = Target::new("x86-64-v3", "");
    let (settings, options) = (Settings::default(), Options::default());
    let library = compile::library(&device);
    let run = &mut Runner::new(&options);
    let done = target.finalise(&context, &mut module, &library, &settings, run).unwrap();
    let mut found = String::new();
    let mut observe = |name: &str, module: &muxcl_llvm::Module<'_>| {
        if name == pass {
            found = module.to_string();
        }
    };
    let mut run = Runner::with_observer(&options, &mut observe);
    let local_size = Some([64, 1, 1]);
    let default = SpecializationKey::default();
    let (uniform, zero_offset, small_ids) = (true, true, true);
    let key = SpecializationKey { local_size, uniform, zero_offset, small_ids, ..default };
    target.specialise(&done.program(&library), "k", &key, &settings, &mut run).unwrap();
    drop(run);
    found
}

/// True if the operations of the kernel `k` use a table.
fn combines(source: &str) -> bool {
    !after("combine-atomics", source).is_empty()
}

fn check(wanted: bool, params: &str, bodies: &[&str]) {
    for body in bodies {
        let source = format!(
            "kernel void k({params}) {{ uint i = get_global_id(0), l = get_local_id(0); {body} }}"
        );
        assert_eq!(combines(&source), wanted, "{source}");
    }
}

const PARAMS: &str = "global uint *c, global uint *o, local uint *s, constant uint *t, \
                      global atomic_uint *a, global const uint *restrict r, global float *f";

fn combined() {
    check(
        true,
        PARAMS,
        &[
            "atomic_inc(c);",
            "atomic_add(c + o[i], o[i + 1]); ",
            "o[i] = c[i]; atomic_dec(c);",
            "for (uint k = 0; k < i; k++) atomic_sub(c + k, r[k] + t[k]);",
            "for (uint k = 0; k < i; k++) { uint x[4] = {k, i}; atomic_max(c + x[k & 3], s[k]); }",
            "s[l] = o[i]; barrier(CLK_LOCAL_MEM_FENCE); atomic_or(c, s[l ^ 1]);",
            "if (i & 1) atomic_xor(c, i); else o[i] = c[i];",
            "atomic_inc(c); atomic_inc(o); atomic_sub(c + i, 3u);",
            "o[i] = atomic_inc(c); atomic_inc(c + 1);",
            "atom_add((volatile global ulong *)c, 1ul);",
        ],
    );
}

fn refused() {
    check(
        false,
        PARAMS,
        &[
            // The result is used.
            "o[i] = atomic_inc(c);",
            // Not a relaxed order, or the widest scope.
            "atomic_fetch_add(a, 1u);",
            "atomic_fetch_add_explicit(a, 1u, memory_order_release, memory_scope_device);",
            "atomic_fetch_add_explicit(a, 1u, memory_order_relaxed, \
             (memory_scope)__OPENCL_MEMORY_SCOPE_ALL_SVM_DEVICES);",
            // C11 atomics have generic pointers, which may be local.
            "atomic_fetch_add_explicit(a, 1u, memory_order_relaxed);",
            // Exchanges do not commute.
            "atomic_xchg(c, i);",
            "atomic_xchg(f, 1.0f);",
            // Operations of two kinds or types.
            "atomic_inc(c); atomic_max(c, i);",
            "atomic_inc(c); atom_inc((volatile global ulong *)o);",
            // Later accesses that may concern the same memory.
            "atomic_inc(c); o[i] = c[i];",
            "atomic_inc(c); o[i] = i;",
            "for (uint k = 0; k < i; k++) atomic_inc(c + o[k]);",
            "atomic_inc(c); o[i] = atomic_inc(c + 1);",
            "atomic_inc(c); atomic_xchg(o, 1u);",
            "atomic_inc((global uint *)r); s[l] = r[i];",
            "atomic_inc(c); vstore4((uint4)(i), 0, o);",
            // Barriers and fences.
            "atomic_inc(c); barrier(CLK_GLOBAL_MEM_FENCE); o[i] = 1;",
            "atomic_inc(c); barrier(CLK_LOCAL_MEM_FENCE);",
            "o[i] = 1; mem_fence(CLK_GLOBAL_MEM_FENCE); atomic_inc(c);",
            "atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE, memory_order_acquire, \
             memory_scope_device); atomic_inc(c);",
            "atomic_store_explicit(a, i, memory_order_release); atomic_inc(c);",
            // A work-item may wait.
            "if (i == 0) atomic_inc(c); else while (atomic_or(o, 0u) == 0);",
            "if (i == 0) atomic_inc(c); else while (*(volatile global uint *)o == 0);",
            // Others see memory through the call.
            "atomic_inc(c); printf(\"%d\", i);",
            "enqueue_kernel(get_default_queue(), 0, ndrange_1D(1), ^{ o[i] = 1; }); \
             atomic_inc(c);",
            // Not global memory.
            "atomic_inc(s);",
        ],
    );
}

/// A short loop over work-items has four of them in an iteration, a longer one has one.
fn copies() {
    let count = |body: &str| {
        let source = format!(
            "kernel void k(global const uchar *in, global uint *bins, global uint *o) {{
                 int i = get_global_id(0); {body} }}"
        );
        let ir = after("optimise", &source);
        // Each copy compares an offset with the size of the window, 16 KiB.
        ir.lines().filter(|l| l.contains("icmp ult i64") && l.ends_with(", 16384")).count()
    };
    assert_eq!(count("atomic_inc(&bins[in[i]]);"), 4);
    let long = "uint x = in[i]; for (int n = 0; n < 9; n++) x = (x ^ o[x & 63]) * 5; o[i] = x;
                atomic_inc(&bins[x & 255]);";
    assert_eq!(count(long), 1);
}

#[test]
fn short_loops_are_unrolled() {
    let thread = std::thread::Builder::new().stack_size(STACK_BYTES).spawn(copies).unwrap();
    thread.join().unwrap();
}

#[test]
fn only_operations_that_nothing_observes_are_combined() {
    // clang needs a large stack.
    for work in [combined as fn(), refused] {
        let thread = std::thread::Builder::new().stack_size(STACK_BYTES).spawn(work).unwrap();
        thread.join().unwrap();
    }
}
