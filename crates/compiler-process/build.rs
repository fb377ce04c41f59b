//! Link settings of the program.
//!
//! It lies at a fixed address, so that loading it relocates nothing: LLVM's and clang's tables have
//! 200,000 addresses. The environment variable `MUXCL_FUNCTION_ORDER` names a file with the order
//! of the functions, which `cargo xtask dist` makes (docs/adr/0006-cold-builds.md).
#![expect(clippy::disallowed_methods, reason = "a build script is configured by the environment")]

use std::env;
use std::path::Path;

/// Functions of clang's archives that functions of muxcl-frontend-clang replace, as `__wrap_NAME`
/// (`cpp/no_targets.cpp`).
const REPLACED: &str = include_str!("../frontend-clang/replaced.txt");

fn main() {
    println!("cargo::rerun-if-env-changed=MUXCL_FUNCTION_ORDER");
    println!("cargo::rerun-if-env-changed=MUXCL_LLVM_LINK");
    for argument in ["-z,now", "--gc-sections", "--hash-style=gnu", "-O1"] {
        println!("cargo::rustc-link-arg-bins=-Wl,{argument}");
    }
    println!("cargo::rustc-link-arg-bins=-no-pie");
    if env::var("MUXCL_LLVM_LINK").is_ok_and(|kind| kind == "static") {
        for symbol in REPLACED.lines() {
            println!("cargo::rustc-link-arg-bins=-Wl,--wrap={symbol}");
        }
    }
    // The option belongs to LLVM's linker, which Rust uses on x86-64.
    if let Ok(order) = env::var("MUXCL_FUNCTION_ORDER")
        && env::var("CARGO_CFG_TARGET_ARCH").is_ok_and(|arch| arch == "x86_64")
    {
        println!("cargo::rerun-if-changed={order}");
        if Path::new(&order).is_file() {
            println!("cargo::rustc-link-arg-bins=-Wl,--symbol-ordering-file={order}");
            // The file may name functions that this version does not have.
            println!("cargo::rustc-link-arg-bins=-Wl,--no-warn-symbol-ordering");
        }
    }
}
