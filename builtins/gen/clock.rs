//! `cl_khr_kernel_clock`: all scopes read the same counter. On the host it is the processor's,
//! which is synchronous on all cores. On RISC-V it is the timer, because each hart has its own
//! cycle counter.

use super::prologue;
use std::fmt::Write as _;

fn member(name: &str, read: &str) -> (String, String) {
    let mut text = prologue();
    for scope in ["device", "work_group", "sub_group"] {
        let _ = writeln!(
            text,
            "OVL ulong clock_read_{scope}(void) {{ return {read}; }}\n\
             OVL uint2 clock_read_hilo_{scope}(void) {{\n  ulong now = {read};\n  \
             return (uint2)((uint)now, (uint)(now >> 32));\n}}"
        );
    }
    (name.into(), text)
}

/// The host's functions.
pub(crate) fn counter() -> (String, String) {
    member("clock", "__builtin_readcyclecounter()")
}

/// RISC-V's functions.
pub(crate) fn timer() -> (String, String) {
    member("clock_timer", "__builtin_readsteadycounter()")
}
