//! Work-group functions: asynchronous copies and collectives.
//!
//! Invariant: every work-item of the group calls them (OpenCL C demands it), so they may contain
//! barriers: calls of `work_group_barrier`, which `passes` lowers. All work-items take part in a
//! copy; a wait for its event is a barrier. Collectives exchange values through
//! `__muxcl_wg_scratch()`.

use super::{SCALARS, VECTORS, WIDTHS, prologue};
use std::fmt::Write as _;

const SHARED: &str = "\
OVL __attribute__((const)) size_t get_local_linear_id(void);
OVL __attribute__((const)) size_t get_local_size(uint);
OVL __attribute__((convergent)) void work_group_barrier(cl_mem_fence_flags);
__local ulong *__muxcl_wg_scratch(void);
HELPER size_t items(void) { return get_local_size(0) * get_local_size(1) * get_local_size(2); }
";

fn copies(all: &mut Vec<(String, String)>) {
    for element in SCALARS {
        let mut text = prologue();
        text.push_str(SHARED);
        for width in WIDTHS {
            let kind = element.vector(width);
            for (to, from) in [("__local", "__global"), ("__global", "__local")] {
                let _ = writeln!(
                    text,
                    "OVL event_t async_work_group_copy({to} {kind} *d, const {from} {kind} *s, size_t n, event_t e) {{\n  \
                     size_t step = items();\n  for (size_t i = get_local_linear_id(); i < n; i += step) d[i] = s[i];\n  \
                     return e;\n}}"
                );
                let (at, source) =
                    if to == "__local" { ("i", "i * stride") } else { ("i * stride", "i") };
                let _ = writeln!(
                    text,
                    "OVL event_t async_work_group_strided_copy({to} {kind} *d, const {from} {kind} *s, size_t n, \
                     size_t stride, event_t e) {{\n  size_t step = items();\n  \
                     for (size_t i = get_local_linear_id(); i < n; i += step) d[{at}] = s[{source}];\n  return e;\n}}"
                );
            }
        }
        all.push((format!("async_copy_{}", element.name), text));
    }
    let mut text = prologue();
    text.push_str(SHARED);
    for (to, from) in [("__local", "__global"), ("__global", "__local")] {
        let _ = writeln!(
            text,
            "{} {{\n  d = ({to} char *)d + d_at * size;\n  s = (const {from} char *)s + s_at * size;\n  size_t step = items();\n  \
             for (size_t z = 0; z < planes; z++)\n    for (size_t y = 0; y < lines; y++) {{\n      \
             {to} char *to = ({to} char *)d + (z * d_area + y * d_line) * size;\n      \
             const {from} char *from = (const {from} char *)s + (z * s_area + y * s_line) * size;\n      \
             for (size_t i = get_local_linear_id(); i < n * size; i += step) to[i] = from[i];\n    }}\n  return e;\n}}\n{}",
            signature_3d(to, from),
            two_by_three(to, from)
        );
    }
    all.push(("async_copy_extended".into(), text));
    let mut text = prologue();
    for element in SCALARS {
        for width in WIDTHS {
            let kind = element.vector(width);
            let _ = writeln!(text, "OVL void prefetch(const __global {kind} *p, size_t n) {{}}");
        }
    }
    let _ = VECTORS;
    all.push(("prefetch".into(), text));
    let mut text = prologue();
    text.push_str(SHARED);
    for space in ["__private", "__generic", "__local", "__global"] {
        let _ = writeln!(
            text,
            "OVL __attribute__((convergent)) void wait_group_events(int n, {space} event_t *e) \
             {{ work_group_barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE); }}"
        );
    }
    let _ = writeln!(
        text,
        "OVL __attribute__((convergent)) void async_work_group_copy_fence(cl_mem_fence_flags flags) {{ work_group_barrier(flags); }}"
    );
    all.push(("wait_group_events".into(), text));
}

/// `cl_khr_extended_async_copies`. Offsets and lengths count elements of `size` bytes.
fn signature_3d(to: &str, from: &str) -> String {
    format!(
        "OVL event_t async_work_group_copy_3D3D({to} void *d, size_t d_at, const {from} void *s, size_t s_at, size_t size, size_t n, \
         size_t lines, size_t planes, size_t s_line, size_t s_area, size_t d_line, size_t d_area, event_t e)"
    )
}

/// A 2D copy is a 3D copy of one plane.
fn two_by_three(to: &str, from: &str) -> String {
    format!(
        "OVL event_t async_work_group_copy_2D2D({to} void *d, size_t d_at, const {from} void *s, size_t s_at, size_t size, size_t n, \
         size_t lines, size_t s_line, size_t d_line, event_t e) {{\n  \
         return async_work_group_copy_3D3D(d, d_at, s, s_at, size, n, lines, 1, s_line, 0, d_line, 0, e);\n}}"
    )
}

/// The same functions for devices with a DMA engine, which copies while the hart continues. Its
/// 8-byte registers are at the address in the device description (docs/hal.md), which the
/// compiler passes as `__muxcl_dma_registers`. One work-item of the group starts a transfer; its
/// event is the transfer's number, which only that work-item knows. Numbers increase and transfers
/// end in their order, so a wait for one waits for all before it. A copy that joins the event of
/// another copy is complete on return, because the event holds only one number.
const DMA: &str = "\
event_t __muxcl_event_of(ulong);
ulong __muxcl_event_number(event_t);
ulong __muxcl_dma_registers(void);
#define DMA ((volatile __global ulong *)__muxcl_dma_registers())
enum { CTRL, START_SEQ, DONE_SEQ, SRC, DST, SIZE, SRC_STRIDE = 8, DST_STRIDE = 10 };
enum { START = 1, ONE = 0x10, TWO = 0x20, THREE = 0x30, STRIDE_DST = 0x40, STRIDE_SRC = 0x80 };
HELPER void finish(ulong number) {
  DMA[DONE_SEQ] = number;
  __c11_atomic_thread_fence(__ATOMIC_SEQ_CST);
}
HELPER event_t transfer(ulong how, ulong to, ulong from, ulong bytes, ulong rows, ulong planes, ulong from_row, ulong from_plane,
                        ulong to_row, ulong to_plane, event_t e) {
  ulong number = __muxcl_event_number(e);
  if (get_local_linear_id() == 0 && bytes * rows * planes != 0) {
    __c11_atomic_thread_fence(__ATOMIC_SEQ_CST);
    DMA[SRC] = from;
    DMA[DST] = to;
    DMA[SIZE] = bytes;
    DMA[SIZE + 1] = rows;
    DMA[SIZE + 2] = planes;
    DMA[SRC_STRIDE] = from_row;
    DMA[SRC_STRIDE + 1] = from_plane;
    DMA[DST_STRIDE] = to_row;
    DMA[DST_STRIDE + 1] = to_plane;
    DMA[CTRL] = how | START;
    ulong mine = DMA[START_SEQ];
    if (number != 0)
      finish(mine);
    else
      number = mine;
  }
  return __muxcl_event_of(number);
}
";

/// The members of the DMA variant. Their symbols are those of the members above.
pub(crate) fn dma_members() -> Vec<(String, String)> {
    let mut all = Vec::new();
    let start = || {
        let mut text = prologue();
        text.push_str(SHARED);
        text.push_str(DMA);
        text
    };
    let directions = [("__local", "__global", "STRIDE_SRC"), ("__global", "__local", "STRIDE_DST")];
    for element in SCALARS {
        let mut text = start();
        for width in WIDTHS {
            let kind = element.vector(width);
            for (to, from, stride) in directions {
                let _ = writeln!(
                    text,
                    "OVL event_t async_work_group_copy({to} {kind} *d, const {from} {kind} *s, size_t n, event_t e) {{\n  \
                     return transfer(ONE, (ulong)d, (ulong)s, n * sizeof(*d), 1, 1, 0, 0, 0, 0, e);\n}}\n\
                     OVL event_t async_work_group_strided_copy({to} {kind} *d, const {from} {kind} *s, size_t n, \
                     size_t stride, event_t e) {{\n  ulong step = stride * sizeof(*d);\n  \
                     return transfer(TWO | {stride}, (ulong)d, (ulong)s, sizeof(*d), n, 1, step, 0, step, 0, e);\n}}"
                );
            }
        }
        all.push((format!("dma_copy_{}", element.name), text));
    }
    let mut text = start();
    for (to, from, _) in directions {
        let _ = writeln!(
            text,
            "{} {{\n  return transfer(THREE | STRIDE_SRC | STRIDE_DST, (ulong)d + d_at * size, (ulong)s + s_at * size, n * size, lines, \
             planes, s_line * size, s_area * size, d_line * size, d_area * size, e);\n}}\n{}",
            signature_3d(to, from),
            two_by_three(to, from)
        );
    }
    all.push(("dma_copy_extended".into(), text));
    let mut text = start();
    for space in ["__private", "__generic", "__local", "__global"] {
        let _ = writeln!(
            text,
            "OVL __attribute__((convergent)) void wait_group_events(int n, {space} event_t *e) {{\n  \
             work_group_barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);\n  if (get_local_linear_id() == 0)\n    \
             for (int i = 0; i < n; i++) {{\n      ulong number = __muxcl_event_number(e[i]);\n      \
             if (number != 0) finish(number);\n    }}\n  \
             work_group_barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);\n}}"
        );
    }
    // The engine's transfers must have ended, because the next one may read what they write.
    text.push_str(
        "OVL __attribute__((convergent)) void async_work_group_copy_fence(cl_mem_fence_flags flags) {\n  \
         work_group_barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);\n  \
         if (get_local_linear_id() == 0 && DMA[START_SEQ] != 0) finish(DMA[START_SEQ]);\n  \
         work_group_barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);\n}\n",
    );
    all.push(("dma_wait_group_events".into(), text));
    all
}

/// Reductions and scans of a work-group. Work-item 0 combines the values of all work-items while
/// the others wait at a barrier. The loop over the values is in a function that is not inlined, so
/// that the compiler's loops over work-items contain no other loop. `FROM(x)` converts an argument:
/// to `x` itself, or to 0 or 1 for the logical operations.
const REDUCE: &str = "
__attribute__((noinline)) T __muxcl_group_reduce_OP_NAME(const __local T *values, size_t n) {
  T all = values[0];
  for (size_t i = 1; i < n; i++) all = (T)COMBINE(all, values[i]);
  return all;
}
OVL __attribute__((convergent)) T work_group_reduce_OP(T x) {
  __local T *values = (__local T *)__muxcl_wg_scratch();
  size_t id = get_local_linear_id(), n = items();
  values[id] = FROM(x);
  work_group_barrier(CLK_LOCAL_MEM_FENCE);
  if (id == 0) values[n] = __muxcl_group_reduce_OP_NAME(values, n);
  work_group_barrier(CLK_LOCAL_MEM_FENCE);
  T all = values[n];
  work_group_barrier(CLK_LOCAL_MEM_FENCE);
  return all;
}
OVL __attribute__((convergent)) T work_group_scan_inclusive_OP(T x) {
  __local T *values = (__local T *)__muxcl_wg_scratch();
  size_t id = get_local_linear_id(), n = items();
  values[id] = FROM(x);
  work_group_barrier(CLK_LOCAL_MEM_FENCE);
  if (id == 0) __muxcl_group_scan_OP_NAME(values, n);
  work_group_barrier(CLK_LOCAL_MEM_FENCE);
  T mine = values[id];
  work_group_barrier(CLK_LOCAL_MEM_FENCE);
  return mine;
}
OVL __attribute__((convergent)) T work_group_scan_exclusive_OP(T x) {
  __local T *values = (__local T *)__muxcl_wg_scratch();
  size_t id = get_local_linear_id(), n = items();
  values[id] = FROM(x);
  work_group_barrier(CLK_LOCAL_MEM_FENCE);
  if (id == 0) __muxcl_group_before_OP_NAME(values, n);
  work_group_barrier(CLK_LOCAL_MEM_FENCE);
  T mine = values[id];
  work_group_barrier(CLK_LOCAL_MEM_FENCE);
  return mine;
}
";

/// The inclusive and the exclusive scan of `n` values, for floating-point numbers. These are
/// combined in order, so that results do not depend on the code.
const SCAN_IN_ORDER: &str = "
__attribute__((noinline)) void __muxcl_group_scan_OP_NAME(__local T *values, size_t n) {
  T all = values[0];
  for (size_t i = 1; i < n; i++) values[i] = all = COMBINE(all, values[i]);
}
__attribute__((noinline)) void __muxcl_group_before_OP_NAME(__local T *values, size_t n) {
  T all = IDENTITY;
  for (size_t i = 0; i < n; i++) {
    T next = values[i];
    values[i] = all;
    all = COMBINE(all, next);
  }
}
";

/// The inclusive and the exclusive scan of `n` integers, in blocks of eight. `block_OP` scans a
/// block by itself in three steps (distances 1, 2 and 4). Only one operation per block waits for
/// the result of the previous blocks, so the processor works on several blocks at once.
const SCAN_IN_BLOCKS: &str = "
HELPER V block_OP(__local T *values) {
  V v, none = (V)(IDENTITY);
  __builtin_memcpy(&v, values, sizeof(v));
  v = COMBINE(v, __builtin_shufflevector(v, none, 8, 0, 1, 2, 3, 4, 5, 6));
  v = COMBINE(v, __builtin_shufflevector(v, none, 8, 8, 0, 1, 2, 3, 4, 5));
  return COMBINE(v, __builtin_shufflevector(v, none, 8, 8, 8, 8, 0, 1, 2, 3));
}
__attribute__((noinline)) void __muxcl_group_scan_OP_NAME(__local T *values, size_t n) {
  size_t i = 0;
  V all = (V)(IDENTITY);
  for (; i + 8 <= n; i += 8) {
    V sums = block_OP(values + i);
    sums = COMBINE(sums, all);
    __builtin_memcpy(values + i, &sums, sizeof(sums));
    all = sums.s77777777;
  }
  for (T sum = all.s0; i < n; i++) values[i] = sum = COMBINE(sum, values[i]);
}
__attribute__((noinline)) void __muxcl_group_before_OP_NAME(__local T *values, size_t n) {
  size_t i = 0;
  V all = (V)(IDENTITY);
  for (; i + 8 <= n; i += 8) {
    V sums = block_OP(values + i);
    sums = COMBINE(sums, all);
    V before = __builtin_shufflevector(sums, all, 8, 0, 1, 2, 3, 4, 5, 6);
    __builtin_memcpy(values + i, &before, sizeof(before));
    all = sums.s77777777;
  }
  for (T sum = all.s0; i < n; i++) {
    T next = values[i];
    values[i] = sum;
    sum = COMBINE(sum, next);
  }
}
";

const BROADCAST: &str = "
HELPER T broadcast(T x, size_t from) {
  __local ulong *scratch = __muxcl_wg_scratch();
  if (get_local_linear_id() == from) *(__local T *)scratch = x;
  work_group_barrier(CLK_LOCAL_MEM_FENCE);
  T all = *(__local T *)scratch;
  work_group_barrier(CLK_LOCAL_MEM_FENCE);
  return all;
}
OVL __attribute__((convergent)) T work_group_broadcast(T x, size_t i) { return broadcast(x, i); }
OVL __attribute__((convergent)) T work_group_broadcast(T x, size_t i, size_t j) {
  return broadcast(x, i + j * get_local_size(0));
}
OVL __attribute__((convergent)) T work_group_broadcast(T x, size_t i, size_t j, size_t k) {
  return broadcast(x, i + (j + k * get_local_size(1)) * get_local_size(0));
}
";

fn collectives(all: &mut Vec<(String, String)>) {
    for kind in ["int", "uint", "long", "ulong", "half", "float", "double"] {
        let float = matches!(kind, "half" | "float" | "double");
        let mut text = prologue();
        text.push_str(SHARED);
        let _ = writeln!(text, "#define T {kind}\n#define V {kind}8");
        text.push_str(BROADCAST);
        let (lowest, highest) = match kind {
            "int" => ("INT_MIN", "INT_MAX"),
            "uint" => ("0", "UINT_MAX"),
            "long" => ("LONG_MIN", "LONG_MAX"),
            "ulong" => ("0", "ULONG_MAX"),
            _ => ("((T)-__builtin_inff())", "((T)__builtin_inff())"),
        };
        let mut operations = vec![("add", "0"), ("mul", "1"), ("min", highest), ("max", lowest)];
        if !float {
            operations.extend([("and", "~(T)0"), ("or", "0"), ("xor", "0")]);
        }
        if kind == "int" {
            operations.extend([("logical_and", "1"), ("logical_or", "0"), ("logical_xor", "0")]);
        }
        for (op, identity) in operations {
            let combine = match (op, float) {
                ("add", _) => "(a) + (b)",
                ("mul", _) => "(a) * (b)",
                // The arguments of the logical operations are 0 or 1, so bitwise operations serve.
                ("and" | "logical_and", _) => "(a) & (b)",
                ("or" | "logical_or", _) => "(a) | (b)",
                ("xor" | "logical_xor", _) => "(a) ^ (b)",
                ("min", true) => "__builtin_elementwise_minnum(a, b)",
                ("max", true) => "__builtin_elementwise_maxnum(a, b)",
                ("min", false) => "__builtin_elementwise_min(a, b)",
                _ => "__builtin_elementwise_max(a, b)",
            };
            let _ =
                writeln!(text, "#define COMBINE(a, b) ({combine})\n#define IDENTITY {identity}");
            let from = if op.starts_with("logical") { "(x) != 0" } else { "x" };
            let scan = if float { SCAN_IN_ORDER } else { SCAN_IN_BLOCKS };
            let functions = [scan, REDUCE].concat().replace("NAME", kind).replace("FROM(x)", from);
            text.push_str(&functions.replace("_OP", &format!("_{op}")));
            text.push_str("#undef COMBINE\n#undef IDENTITY\n");
        }
        all.push((format!("work_group_{kind}"), text));
    }
    let mut text = prologue();
    text.push_str(SHARED);
    text.push_str(
        "#define T int\nOVL __attribute__((convergent)) T work_group_reduce_max(T);\nOVL __attribute__((convergent)) T \
         work_group_reduce_min(T);\n\
         OVL __attribute__((convergent)) int work_group_all(int p) { return work_group_reduce_min((int)(p != 0)); }\n\
         OVL __attribute__((convergent)) int work_group_any(int p) { return work_group_reduce_max((int)(p != 0)); }\n",
    );
    all.push(("work_group_vote".into(), text));
}

/// One member of copies per element type, one of collectives per type.
pub(crate) fn members(all: &mut Vec<(String, String)>) {
    copies(all);
    collectives(all);
}
