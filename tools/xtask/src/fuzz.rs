//! `cargo xtask fuzz`: builds the fuzz targets of `tests/fuzz` and runs each for a bounded time.
//!
//! Invariant: a target that fails, or that executes no input, fails the command. The targets are
//! built with the pinned toolchain, AddressSanitizer and libFuzzer's coverage instrumentation, as
//! cargo-fuzz does; cargo-fuzz itself is not needed. `target/fuzz/corpus` keeps the inputs that a
//! run finds, `target/fuzz/failures` those that fail.

use std::collections::VecDeque;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command};
use std::time::Instant;

use anyhow::{Context, Result, bail};

use crate::{packages, run};

/// Instrumented build scripts would be slow. With an explicit target, `RUSTFLAGS` applies to that
/// target's code only.
const TARGET: &str = "x86_64-unknown-linux-gnu";

/// The flags of cargo-fuzz: counters and comparisons for libFuzzer, and AddressSanitizer.
const FLAGS: &str = "-Cpasses=sancov-module -Cllvm-args=-sanitizer-coverage-level=4 \
    -Cllvm-args=-sanitizer-coverage-inline-8bit-counters \
    -Cllvm-args=-sanitizer-coverage-pc-table \
    -Cllvm-args=-sanitizer-coverage-trace-compares \
    --cfg fuzzing -Zsanitizer=address -Ccodegen-units=1 -Cdebug-assertions -Copt-level=1 \
    -Cdebuginfo=line-tables-only";

/// Arguments of `fuzz`.
#[derive(clap::Args)]
pub(crate) struct FuzzArgs {
    /// Seconds for each target.
    #[arg(long, default_value_t = 60)]
    pub(crate) seconds: u32,
    /// Targets that run at the same time.
    #[arg(long, default_value_t = 2)]
    pub(crate) jobs: usize,
    /// Targets; default: all.
    pub(crate) targets: Vec<String>,
}

/// A fuzz target that is running.
struct Running {
    name: String,
    child: Child,
    log: PathBuf,
}

/// Builds the targets and runs each for the given time.
///
/// # Errors
/// A target does not build, crashes, exceeds a limit of time or memory, or executes no input.
pub(crate) fn fuzz(args: &FuzzArgs) -> Result<()> {
    packages::ensure()?;
    let root = run::root();
    let mut waiting = targets(&root, &args.targets)?;
    let built = build(&root, &waiting)?;
    let start = Instant::now();
    let mut running: VecDeque<Running> = VecDeque::new();
    let mut failed = Vec::new();
    while !waiting.is_empty() || !running.is_empty() {
        while running.len() < args.jobs.max(1)
            && let Some(name) = waiting.pop_front()
        {
            running.push_back(begin(&root, &built, name, args.seconds)?);
        }
        let Some(mut first) = running.pop_front() else { break };
        let status = first.child.wait()?;
        let log = String::from_utf8_lossy(&fs::read(&first.log)?).into_owned();
        match executed(&log) {
            Some(count) if status.success() && count > 0 => {
                println!("{:>12} inputs  {}", count, first.name);
            }
            _ => {
                println!("== {}: {status}\n{}", first.name, tail(&log, 60));
                failed.push(first.name);
            }
        }
    }
    if !failed.is_empty() {
        bail!("fuzz targets failed: {}; their inputs: target/fuzz/failures", failed.join(", "));
    }
    println!("fuzz targets passed in {:.0?}", start.elapsed());
    Ok(())
}

/// The names of the targets: the requested ones, or every file of `fuzz_targets`.
fn targets(root: &Path, wanted: &[String]) -> Result<VecDeque<String>> {
    let folder = root.join("tests/fuzz/fuzz_targets");
    let mut all = Vec::new();
    for entry in fs::read_dir(&folder).with_context(|| folder.display().to_string())? {
        let path = entry?.path();
        if path.extension().is_some_and(|ending| ending == "rs") {
            all.extend(path.file_stem().map(|stem| stem.to_string_lossy().into_owned()));
        }
    }
    all.sort();
    if let Some(unknown) = wanted.iter().find(|name| !all.contains(name)) {
        bail!("there is no fuzz target `{unknown}`; there are: {}", all.join(" "));
    }
    Ok(if wanted.is_empty() { all.into() } else { wanted.to_vec().into() })
}

/// Builds the targets; returns the folder of the programs.
fn build(root: &Path, targets: &VecDeque<String>) -> Result<PathBuf> {
    let folder = root.join("target/fuzz");
    let mut cargo = run::cargo();
    cargo
        .args(["build", "--manifest-path", "tests/fuzz/Cargo.toml", "--target", TARGET])
        // -Zsanitizer is unstable, but its runtime comes with the pinned toolchain.
        .env("RUSTC_BOOTSTRAP", "1")
        .env("RUSTFLAGS", FLAGS)
        .env("CARGO_TARGET_DIR", &folder);
    for target in targets {
        cargo.args(["--bin", target]);
    }
    run::check(&mut cargo)?;
    Ok(folder.join(TARGET).join("debug"))
}

/// Starts a target, with its output in a log.
fn begin(root: &Path, built: &Path, name: String, seconds: u32) -> Result<Running> {
    let folder = root.join("target/fuzz");
    let corpus = folder.join("corpus").join(&name);
    let failures = folder.join("failures").join(&name);
    fs::create_dir_all(&corpus)?;
    fs::create_dir_all(&failures)?;
    let log = folder.join(format!("{name}.log"));
    let output = fs::File::create(&log)?;
    let child = Command::new(built.join(&name))
        .arg(format!("-max_total_time={seconds}"))
        .arg(format!("-artifact_prefix={}/", failures.display()))
        // Seconds for one input, and MiB for the process.
        .args(["-timeout=20", "-rss_limit_mb=4096", "-print_final_stats=1"])
        .arg(&corpus)
        .env("ASAN_OPTIONS", "detect_leaks=0:detect_stack_use_after_return=0")
        .stdout(output.try_clone()?)
        .stderr(output)
        .spawn()
        .with_context(|| format!("cannot start {name}"))?;
    Ok(Running { name, child, log })
}

/// Inputs executed, as libFuzzer's final statistics report them.
fn executed(log: &str) -> Option<u64> {
    let line = log.lines().find_map(|l| l.strip_prefix("stat::number_of_executed_units:"))?;
    line.trim().parse().ok()
}

/// The last `count` lines of `text`.
fn tail(text: &str, count: usize) -> String {
    let lines: Vec<&str> = text.lines().collect();
    lines[lines.len().saturating_sub(count)..].join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn statistics_are_read() {
        let log = "Done 7 runs\nstat::number_of_executed_units: 4711\nstat::peak_rss_mb: 30\n";
        assert_eq!(executed(log), Some(4711));
        assert_eq!(executed("Done"), None);
        assert_eq!(tail(log, 1), "stat::peak_rss_mb: 30");
    }

    #[test]
    fn every_target_of_the_folder_is_a_program() {
        let root = run::root();
        let manifest = fs::read_to_string(root.join("tests/fuzz/Cargo.toml")).unwrap();
        let all = targets(&root, &[]).unwrap();
        assert!(!all.is_empty());
        for name in all {
            assert!(manifest.contains(&format!("name = \"{name}\"")), "{name} has no [[bin]]");
        }
        assert!(targets(&root, &["none".to_owned()]).is_err());
    }
}
