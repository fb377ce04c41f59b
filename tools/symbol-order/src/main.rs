//! `muxcl-symbol-order`: lists the functions of a library that a program runs, the most generally
//! used first.
//!
//! `cargo xtask dist` links the compiler library twice. In between it runs this program on builds
//! of the kernel test files, and the list becomes the linker's `--symbol-ordering-file`. A build
//! runs a tenth of a library of 120 MB; if that tenth is contiguous, the system reads a tenth of
//! the pages.
//!
//! The program runs once for each input. Functions that more of these runs call come first, and
//! among equals the order of their first calls decides. The functions that every build runs are
//! then contiguous, whichever kernel it builds.
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

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};
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
    about = "Lists the functions of a library that a program runs, the most generally used first"
)]
struct Cli {
    /// The library, with its symbols.
    #[arg(long)]
    library: PathBuf,
    /// The output file for the list, one name a line.
    #[arg(long)]
    out: PathBuf,
    /// The program.
    #[arg(long)]
    program: OsString,
    /// The program runs once for each of these, which is its only argument.
    #[arg(required = true, trailing_var_arg = true)]
    inputs: Vec<OsString>,
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
    let runs = cli
        .inputs
        .iter()
        .map(|input| {
            watch::first_calls(&library, &functions, &[cli.program.clone(), input.clone()])
        })
        .collect::<Result<Vec<_>>>()?;
    let called = by_generality(&runs);
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

/// The functions of all runs. Those that more runs call come first; among equals, the order of
/// first calls decides, in the order of the runs.
fn by_generality(runs: &[Vec<u64>]) -> Vec<u64> {
    let mut counts: BTreeMap<u64, usize> = BTreeMap::new();
    let mut functions = Vec::new();
    for start in runs.iter().flatten() {
        let count = counts.entry(*start).or_default();
        if *count == 0 {
            functions.push(*start);
        }
        *count += 1;
    }
    functions.sort_by_key(|start| Reverse(counts.get(start).copied()));
    functions
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn functions_of_more_runs_come_first() {
        let runs = [vec![7, 3, 5], vec![3, 9, 5], vec![3, 4, 9]];
        assert_eq!(by_generality(&runs), [3, 5, 9, 7, 4]);
        assert!(by_generality(&[]).is_empty());
    }
}
