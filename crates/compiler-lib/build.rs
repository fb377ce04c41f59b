//! Link settings of the library.
//!
//! Rust's linker script for a cdylib exports `muxcl_compiler_request` only. `--exclude-libs` hides
//! the symbols of clang's and LLVM's archives. `-Bsymbolic` binds their calls at link time, so that
//! another LLVM in the process changes nothing. Lazy binding keeps loading cheap. The environment
//! variable `MUXCL_FUNCTION_ORDER` names a file with the order of the functions, which
//! `cargo xtask dist` makes (docs/adr/0006-cold-builds.md).
#![expect(clippy::disallowed_methods, reason = "a build script is configured by the environment")]

use std::env;
use std::path::Path;

/// Functions of clang's archives that functions of muxcl-frontend-clang replace, as `__wrap_NAME`
/// (`cpp/no_targets.cpp`).
const REPLACED: &str = include_str!("../frontend-clang/replaced.txt");

fn main() {
    println!("cargo::rerun-if-env-changed=MUXCL_FUNCTION_ORDER");
    println!("cargo::rerun-if-env-changed=MUXCL_LLVM_LINK");
    for argument in [
        "--exclude-libs,ALL",
        "-Bsymbolic",
        "-z,defs",
        "-z,lazy",
        "-z,pack-relative-relocs",
        "--gc-sections",
        "--hash-style=gnu",
        "-O1",
    ] {
        println!("cargo::rustc-cdylib-link-arg=-Wl,{argument}");
    }
    if env::var("MUXCL_LLVM_LINK").is_ok_and(|kind| kind == "static") {
        for symbol in REPLACED.lines() {
            println!("cargo::rustc-cdylib-link-arg=-Wl,--wrap={symbol}");
        }
    }
    // The option belongs to LLVM's linker, which Rust uses on x86-64.
    if let Ok(order) = env::var("MUXCL_FUNCTION_ORDER")
        && env::var("CARGO_CFG_TARGET_ARCH").is_ok_and(|arch| arch == "x86_64")
    {
        println!("cargo::rerun-if-changed={order}");
        if Path::new(&order).is_file() {
            println!("cargo::rustc-cdylib-link-arg=-Wl,--symbol-ordering-file={order}");
            // The file may name functions that this version does not have.
            println!("cargo::rustc-cdylib-link-arg=-Wl,--no-warn-symbol-ordering");
        }
    }
}
