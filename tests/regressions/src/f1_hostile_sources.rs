//! Sources that ended the application's process in clang.
//!
//! Three sources crashed clang: a kernel with the attribute of another calling convention, `#pragma
//! clang __debug`, which asks clang to crash, and two million consecutive line continuations, for
//! each of which clang's lexer calls itself. The first and the last are build errors now; the
//! pragma is unknown.

use anyhow::{Result, ensure};
use muxcl_client::sys::CL_BUILD_PROGRAM_FAILURE;
use muxcl_client::{Context, Device};

use crate::{Devices, Test, build_log, own_process};

pub(crate) const TESTS: &[Test] = &[
    ("f1_calling_conventions", Devices::All, |device| {
        own_process::run("f1_calling_conventions", device, own_process::INLINE, calling_conventions)
    }),
    ("f1_debug_pragma", Devices::Host, |device| {
        own_process::run("f1_debug_pragma", device, own_process::INLINE, debug_pragma)
    }),
    ("f1_line_continuations", Devices::Host, |device| {
        own_process::run("f1_line_continuations", device, own_process::INLINE, line_continuations)
    }),
];

fn calling_conventions(device: Device) -> Result<()> {
    for attribute in [
        "cdecl",
        "stdcall",
        "fastcall",
        "thiscall",
        "vectorcall",
        "pascal",
        "ms_abi",
        "sysv_abi",
        "regcall",
        "pcs(\"aapcs\")",
        "intel_ocl_bicc",
        "swiftcall",
        "swiftasynccall",
        "preserve_most",
        "preserve_all",
        "preserve_none",
        "aarch64_vector_pcs",
        "aarch64_sve_pcs",
        "m68k_rtd",
        "riscv_vector_cc",
        "riscv_vls_cc",
        "riscv_vls_cc(256)",
    ] {
        let source = format!(
            "__attribute__(({attribute})) kernel void before(global int *p) {{ *p = 1; }}
            kernel void after(global int *p) __attribute__(({attribute}));
            kernel void after(global int *p) {{ *p = 1; }}"
        );
        let (code, log) = build_log::failure(device, &source, "")?;
        let plain = attribute.split('(').next().unwrap_or_default();
        for kernel in ["before", "after"] {
            let named = format!("error: kernel '{kernel}' has the calling convention attribute");
            ensure!(log.contains(&named), "{attribute}: {log}");
        }
        ensure!(code == CL_BUILD_PROGRAM_FAILURE && log.contains(plain), "{attribute}: {log}");
    }
    Ok(())
}

fn debug_pragma(device: Device) -> Result<()> {
    for command in [
        "crash",
        "parser_crash",
        "llvm_fatal_error",
        "llvm_unreachable",
        "overflow_stack",
        "handle_crash",
        "assert",
        "dump k",
        "captured",
        "macro __OPENCL_VERSION__",
    ] {
        let source = format!("#pragma clang __debug {command}\nkernel void k() {{}}\n");
        Context::new(device)?.build(device, &source, "")?;
        let source = format!("_Pragma(\"clang __debug {command}\") kernel void k() {{}}\n");
        Context::new(device)?.build(device, &source, "")?;
    }
    Ok(())
}

fn line_continuations(device: Device) -> Result<()> {
    for continuation in ["\\\n", "\\ \t\r\n", "??/\n"] {
        let source = |count: usize| {
            format!("kernel void k(global int *p) {{ *p = 1 {}; }}", continuation.repeat(count))
        };
        let (code, log) = build_log::failure(device, &source(2_000_000), "")?;
        ensure!(code == CL_BUILD_PROGRAM_FAILURE && log.contains("line continuations"), "{log}");
        Context::new(device)?.build(device, &source(90_000), "")?;
    }
    Ok(())
}
