//! `muxcl-compiler`: the compiler as a process of its own, started by the driver for one
//! application (`cl::compiler_client`).
//!
//! ```text
//! muxcl-compiler --serve VERSION [--cautious]   started by the driver; see compiler_abi::wire
//! muxcl-compiler --print-at-end                 started by the driver; writes a text when the
//!                                               application has ended (MUXCL_PROFILE=1)
//! muxcl-compiler --replay FILE                  repeats a request from MUXCL_CRASH_DIR
//! ```
//!
//! Invariant: it ends when its application ends. Each request gets at most one reply; a crash, or a
//! request that exceeds a bound, ends the process after the reply that says so. Not here: what a
//! request does (`muxcl-compiler`), how the process is started (`muxcl_os::Helper`).

#![expect(clippy::print_stderr, reason = "the words of --replay, for a person")]

mod bounds;
mod crash;
mod memory;
mod print_at_end;
mod replay;
mod sandbox;
mod serve;

use std::process::ExitCode;

use muxcl_compiler_abi::{ABI_VERSION, wire};

fn main() -> ExitCode {
    let arguments: Vec<String> =
        std::env::args_os().skip(1).map(|a| a.to_string_lossy().into_owned()).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match arguments[..] {
        [wire::SERVE, version, ref rest @ ..] => {
            if version != ABI_VERSION.to_string() {
                muxcl_os::end_process(wire::EXIT_VERSION);
            }
            // The size of the machine's memory is read from files.
            let bounds = bounds::Bounds::from_env();
            let _entered = sandbox::enter();
            serve::run(rest.contains(&wire::CAUTIOUS), bounds)
        }
        [wire::PRINT] => {
            let _entered = sandbox::enter();
            print_at_end::run()
        }
        ["--replay", file] => replay::run(file),
        _ => {
            eprintln!(
                "muxcl-compiler {}: the compiler of libmuxcl.so, which starts it.\n\
                 usage: muxcl-compiler --replay FILE   repeats a request from MUXCL_CRASH_DIR",
                env!("CARGO_PKG_VERSION")
            );
            ExitCode::from(2)
        }
    }
}
