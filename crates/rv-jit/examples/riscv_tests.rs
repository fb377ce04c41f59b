//! Runs test programs that report by `ecall`: those of riscv-tests and riscv-arch-test, built with
//! the headers of `tests/riscv-tests` (docs/howto/riscv-tests.md says how). Not here:
//! building the programs, and what a pass is (`verdict.rs`).
#![expect(clippy::print_stdout, clippy::print_stderr, reason = "a program for people")]

#[path = "../../rv-sim/tests/common/verdict.rs"]
mod verdict;

use muxcl_rv_jit::{Executor as Jit, Translator};
use muxcl_rv_sim::{Exit, Hart};
use std::collections::BTreeMap;
use std::error::Error;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;

/// Lengths of a vector register, in bits, unless the user names one. Every program runs once with
/// each.
const LENGTHS: [u32; 2] = [128, 512];

/// Instructions of one run: far more than any of the programs needs.
const LIMIT: u64 = 100_000_000;

/// A way to execute the programs.
struct Executor {
    name: &'static str,
    /// Runs the hart until it stops, or for about so many instructions.
    run: fn(&mut Hart, u64) -> Exit,
}

/// Every program must pass on each.
const EXECUTORS: &[Executor] = &[
    Executor { name: "interpreter", run: Hart::run },
    Executor { name: "translated code", run: translated },
];

/// Translates all code at once. The programs read the floating-point flags.
fn translated(hart: &mut Hart, limit: u64) -> Exit {
    match Translator::new() {
        Ok(translator) => {
            translator.set_flags(true);
            Jit::eager(Arc::new(translator)).run(hart, limit)
        }
        // The program then fails: it has not run.
        Err(_) => Exit::Limit,
    }
}

/// Adds the files with the extension `elf` at and below `path`.
fn find(path: &Path, programs: &mut Vec<PathBuf>) -> Result<(), Box<dyn Error>> {
    if path.is_dir() {
        let entries = std::fs::read_dir(path)?.collect::<Result<Vec<_>, _>>()?;
        let mut paths: Vec<PathBuf> = entries.iter().map(std::fs::DirEntry::path).collect();
        paths.retain(|path| path.is_dir() || path.extension().is_some_and(|e| e == "elf"));
        paths.sort();
        for path in paths {
            find(&path, programs)?;
        }
    } else {
        programs.push(path.to_path_buf());
    }
    Ok(())
}

/// The failures of one program, as text; empty if it passes everywhere.
fn failures(path: &Path, lengths: &[u32]) -> Vec<String> {
    let program = match verdict::read(path) {
        Ok(program) => program,
        Err(error) => return vec![error.to_string()],
    };
    let mut all = Vec::new();
    for executor in EXECUTORS {
        for &vlen in lengths {
            let failure = match verdict::judge(&program, vlen, |hart| (executor.run)(hart, LIMIT)) {
                Ok(None) => continue,
                Ok(Some(failure)) => failure.to_string(),
                Err(error) => error.to_string(),
            };
            all.push(format!("{}, VLEN {vlen}: {failure}", executor.name));
        }
    }
    all
}

fn main() -> Result<ExitCode, Box<dyn Error>> {
    let mut programs = Vec::new();
    let mut lengths = LENGTHS.to_vec();
    let mut arguments = std::env::args_os().skip(1);
    while let Some(argument) = arguments.next() {
        if argument == "--vlen" {
            let length = arguments.next().and_then(|length| length.into_string().ok());
            lengths = vec![length.ok_or("--vlen needs a number")?.parse()?];
        } else {
            find(Path::new(&argument), &mut programs)?;
        }
    }
    if programs.is_empty() {
        eprintln!("usage: riscv_tests [--vlen BITS] ELF_OR_FOLDER...");
        return Ok(ExitCode::FAILURE);
    }
    // Passes and all, by folder.
    let mut folders: BTreeMap<&Path, (u32, u32)> = BTreeMap::new();
    for path in &programs {
        let failures = failures(path, &lengths);
        let counts = folders.entry(path.parent().unwrap_or(path)).or_default();
        counts.1 += 1;
        if failures.is_empty() {
            counts.0 += 1;
            println!("pass {}", path.display());
        }
        for failure in failures {
            println!("FAIL {}: {failure}", path.display());
        }
    }
    println!();
    for (folder, (passes, all)) in &folders {
        println!("{passes:5} of {all:5} pass in {}", folder.display());
    }
    let passed: u32 = folders.values().map(|(passes, _)| passes).sum();
    println!("{passed:5} of {:5} pass", programs.len());
    Ok(if passed as usize == programs.len() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}
