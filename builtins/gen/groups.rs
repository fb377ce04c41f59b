//! What a work-group does together: asynchronous copies and the collective functions.
//!
//! Invariant: every work-item of the group calls these (the specification's rule), so barriers inside are allowed; they
//! are calls of `work_group_barrier` that `passes` turns into regions. Copies are spread over the work-items; waiting
//! for their events is a barrier. Collectives pass values through `__muxcl_wg_scratch()`.

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
                let (at, source) = if to == "__local" { ("i", "i * stride") } else { ("i * stride", "i") };
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
    all.push(("wait_group_events".into(), text));
}

/// Work-item 0 combines everybody's value; the others wait. Linear, where each for itself would be quadratic.
const REDUCE: &str = "
OVL __attribute__((convergent)) T work_group_reduce_OP(T x) {
  __local ulong *scratch = __muxcl_wg_scratch();
  size_t id = get_local_linear_id(), n = items();
  *(__local T *)(scratch + id) = x;
  work_group_barrier(CLK_LOCAL_MEM_FENCE);
  if (id == 0) {
    T all = *(__local T *)scratch;
    for (size_t i = 1; i < n; i++) all = COMBINE(all, *(__local T *)(scratch + i));
    *(__local T *)(scratch + n) = all;
  }
  work_group_barrier(CLK_LOCAL_MEM_FENCE);
  T all = *(__local T *)(scratch + n);
  work_group_barrier(CLK_LOCAL_MEM_FENCE);
  return all;
}
OVL __attribute__((convergent)) T work_group_scan_inclusive_OP(T x) {
  __local ulong *scratch = __muxcl_wg_scratch();
  size_t id = get_local_linear_id(), n = items();
  *(__local T *)(scratch + id) = x;
  work_group_barrier(CLK_LOCAL_MEM_FENCE);
  if (id == 0) {
    T all = *(__local T *)scratch;
    for (size_t i = 1; i < n; i++) {
      all = COMBINE(all, *(__local T *)(scratch + i));
      *(__local T *)(scratch + i) = all;
    }
  }
  work_group_barrier(CLK_LOCAL_MEM_FENCE);
  T mine = *(__local T *)(scratch + id);
  work_group_barrier(CLK_LOCAL_MEM_FENCE);
  return mine;
}
OVL __attribute__((convergent)) T work_group_scan_exclusive_OP(T x) {
  __local ulong *scratch = __muxcl_wg_scratch();
  size_t id = get_local_linear_id(), n = items();
  *(__local T *)(scratch + id) = x;
  work_group_barrier(CLK_LOCAL_MEM_FENCE);
  if (id == 0) {
    T all = IDENTITY;
    for (size_t i = 0; i < n; i++) {
      T next = *(__local T *)(scratch + i);
      *(__local T *)(scratch + i) = all;
      all = COMBINE(all, next);
    }
  }
  work_group_barrier(CLK_LOCAL_MEM_FENCE);
  T mine = *(__local T *)(scratch + id);
  work_group_barrier(CLK_LOCAL_MEM_FENCE);
  return mine;
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
        let _ = writeln!(text, "#define T {kind}");
        text.push_str(BROADCAST);
        let (lowest, highest) = match kind {
            "int" => ("INT_MIN", "INT_MAX"),
            "uint" => ("0", "UINT_MAX"),
            "long" => ("LONG_MIN", "LONG_MAX"),
            "ulong" => ("0", "ULONG_MAX"),
            _ => ("((T)-__builtin_inff())", "((T)__builtin_inff())"),
        };
        for (op, identity) in [("add", "0"), ("min", highest), ("max", lowest)] {
            let combine = match (op, float) {
                ("add", _) => "(a) + (b)",
                ("min", true) => "__builtin_elementwise_minnum(a, b)",
                ("max", true) => "__builtin_elementwise_maxnum(a, b)",
                ("min", false) => "__builtin_elementwise_min(a, b)",
                _ => "__builtin_elementwise_max(a, b)",
            };
            let _ = writeln!(text, "#define COMBINE(a, b) ((T)({combine}))\n#define IDENTITY {identity}");
            text.push_str(&REDUCE.replace("_OP", &format!("_{op}")));
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

/// Copies by element type, collectives by type.
pub(crate) fn members(all: &mut Vec<(String, String)>) {
    copies(all);
    collectives(all);
}
