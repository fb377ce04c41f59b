//! `muxcl-symbol-order`: lists the functions of a library that a program runs, in the order of
//! their first calls.
//!
//! `cargo xtask dist` links the compiler library twice. In between it runs this program on builds
//! of the kernel test files, and the list becomes the linker's `--symbol-ordering-file`. A build
//! runs a tenth of a library of 120 MB; if that tenth is contiguous, the system reads a tenth of
//! the pages.
//!
//! Invariant: the list names only functions that the library defines. A program that cannot be
//! traced (no ptrace in a container) is an error, never an empty list. Not here: linking
//! (`tools/xtask`, `crates/compiler-lib/build.rs`).
#![expect(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a command line tool talks to its user"
)]

mod functions;
mod watch;

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::fs;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context, Result, ensure};
use clap::Parser;

use functions::Functions;

#[derive(Parser)]
#[command(
    name = "muxcl-symbol-order",
    about = "Lists the functions of a library a program runs, in order of their first calls"
)]
struct Cli {
    /// The library, with its symbols.
    #[arg(long)]
    library: PathBuf,
    /// The output file for the list, one name a line.
    #[arg(long)]
    out: PathBuf,
    /// The program and its arguments.
    #[arg(required = true, trailing_var_arg = true)]
    program: Vec<OsString>,
}

fn main() -> ExitCode {
    match run(&Cli::parse()) {
        Ok(count) => {
            println!("{count} functions");
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn run(cli: &Cli) -> Result<usize> {
    let library = cli.library.canonicalize().with_context(|| cli.library.display().to_string())?;
    let functions = Functions::of(&library)?;
    let called = watch::first_calls(&library, &functions, &cli.program)?;
    ensure!(!called.is_empty(), "the program never ran a function of {}", library.display());
    let mut list = String::new();
    let mut seen = BTreeSet::new();
    // Constructors run first, while the library is loaded.
    for name in
        functions.constructors().chain(called.iter().flat_map(|start| functions.names(*start)))
    {
        if seen.insert(name) {
            list.push_str(name);
            list.push('\n');
        }
    }
    fs::write(&cli.out, list).with_context(|| cli.out.display().to_string())?;
    Ok(seen.len())
}
