//! `cargo xtask sanitize address|thread`: the driver's tests under a sanitizer.
//!
//! Invariant: runs the same tests as `cargo xtask test`, built with the same toolchain, which
//! includes the sanitizer runtimes. The standard library, LLVM and compiled kernels are not
//! instrumented, so they are not checked.

use std::process::Command;

use anyhow::Result;

use crate::{build, run};

/// The package of the compiler library.
const COMPILER: &str = "muxcl-compiler-lib";

/// Arguments of `sanitize`.
#[derive(clap::Args)]
pub(crate) struct SanitizeArgs {
    /// The sanitizer.
    pub(crate) sanitizer: Sanitizer,
    /// Packages to test; default: every crate of the driver, and the API, kernel and regression
    /// tests.
    #[arg(long, short)]
    pub(crate) package: Vec<String>,
    /// Passed on to the tests.
    #[arg(trailing_var_arg = true)]
    pub(crate) rest: Vec<String>,
}

#[derive(Clone, Copy, Debug, clap::ValueEnum)]
pub(crate) enum Sanitizer {
    /// Memory errors.
    Address,
    /// Data races.
    Thread,
}

/// Crates whose Rust code runs inside applications, and the tests that run it through OpenCL.
const DRIVER: [&str; 10] = [
    "muxcl-lock",
    "muxcl-os",
    "muxcl-elf-loader",
    "muxcl-mux-null",
    "muxcl-mux-host",
    "muxcl-mux-hal",
    "muxcl-cl",
    "muxcl-test-api",
    "muxcl-test-kernels",
    "muxcl-test-regressions",
];

/// Builds into `target/sanitize-*` and runs the tests. The first report fails.
pub(crate) fn sanitize(args: &SanitizeArgs) -> Result<()> {
    // The compiler library is loaded at run time and is not instrumented.
    let driver = build::development()?;
    let suppressions = run::root().join("tests/tsan-suppressions.txt");
    // Some tests load the driver as a library.
    let mut library = cargo(args.sanitizer, "build");
    for package in build::DRIVER_PACKAGES.iter().filter(|package| **package != COMPILER) {
        library.args(["-p", package]);
    }
    run::check(&mut library)?;
    let mut command = cargo(args.sanitizer, "test");
    command
        .args(["--tests", "--no-fail-fast"])
        // Applications end without releasing objects, and so do tests. `os::stack_remaining` does
        // not know the separate stack on which AddressSanitizer would put local variables.
        .env("ASAN_OPTIONS", "detect_leaks=0:detect_stack_use_after_return=0")
        // Some tests fork, and the children start threads.
        .env(
            "TSAN_OPTIONS",
            format!("halt_on_error=1:die_after_fork=0:suppressions={}", suppressions.display()),
        )
        .env("MUXCL_COMPILER_PATH", driver.library.with_file_name("libmuxcl_compiler.so"));
    let packages: Vec<&str> = if args.package.is_empty() {
        DRIVER.to_vec()
    } else {
        args.package.iter().map(String::as_str).collect()
    };
    for package in packages {
        command.args(["-p", package]);
    }
    // Tests that exhaust the process's memory also exhaust the sanitizer's, which ends the process.
    // The heap belongs to the sanitizer, which keeps freed memory for a while.
    command.arg("--");
    for skipped in ["memory_ends", "no_memory", "a_widened_heap", "many_children_leave_nothing"] {
        command.args(["--skip", skipped]);
    }
    command.args(&args.rest);
    run::check(&mut command)
}

/// `cargo WHAT` for instrumented code. Programs contain the sanitizer's functions and export them
/// to the instrumented driver library, which contains none.
fn cargo(sanitizer: Sanitizer, what: &str) -> Command {
    let (name, flags) = match sanitizer {
        Sanitizer::Address => ("address", ["-Zsanitizer=address", &export("asan")].join(" ")),
        Sanitizer::Thread => {
            let mismatch = "-Cunsafe-allow-abi-mismatch=sanitizer";
            ("thread", ["-Zsanitizer=thread", mismatch, &export("tsan")].join(" "))
        }
    };
    let mut command = run::cargo();
    command
        .arg(what)
        .args(["--target", "x86_64-unknown-linux-gnu"])
        .env("RUSTC_BOOTSTRAP", "1")
        .env("RUSTFLAGS", flags)
        .env("CARGO_TARGET_DIR", run::root().join(format!("target/sanitize-{name}")));
    command
}

/// The linker argument that exports the functions of a sanitizer's runtime.
fn export(runtime: &str) -> String {
    format!("-Clink-arg=-Wl,--export-dynamic-symbol=__{runtime}_*")
}
