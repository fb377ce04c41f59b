//! `cl_khr_kernel_clock`: the processor's counter. It runs alike on all cores, so it serves every scope.

use super::prologue;
use std::fmt::Write as _;

/// One member.
pub(crate) fn members(all: &mut Vec<(String, String)>) {
    let mut text = prologue();
    for scope in ["device", "work_group", "sub_group"] {
        let _ = writeln!(
            text,
            "OVL ulong clock_read_{scope}(void) {{ return __builtin_readcyclecounter(); }}\n\
             OVL uint2 clock_read_hilo_{scope}(void) {{\n  ulong now = __builtin_readcyclecounter();\n  \
             return (uint2)((uint)now, (uint)(now >> 32));\n}}"
        );
    }
    all.push(("clock".into(), text));
}
