//! Random kernels in scalar code and in lanes of vectors, on the host and on RISC-V machines.
//!
//! `RANDOM_KERNELS=FIRST..LAST` selects the seeds for the host, `RANDOM_KERNELS_RISCV=FIRST..LAST`
//! those for RISC-V. If only one variable is set, the kernels of the other do not run.
//!
//! On the host, the kernels of the first seeds run with every number of lanes, and the results are
//! compared with those of code without optimisation. The kernels of later seeds run with one number
//! of lanes only, compared with optimised scalar code, so that a run tries more kernels. If results
//! differ, the test minimises and prints the kernel. It becomes a file under `cases/run`.

use std::ops::Range;
use std::panic::{AssertUnwindSafe, catch_unwind};

use libtest_mimic::{Arguments, Failed, Trial};
use muxcl_filetests::random::Program;
use muxcl_filetests::{riscv, run, run_riscv};

/// The seeds of a plain test run on the host.
const SEEDS: Range<u64> = 0..1000;
/// The kernels of the seeds below this number are compared in every way on the host.
const THOROUGH: u64 = 32;
/// The seeds of a plain test run on RISC-V.
const RISCV_SEEDS: Range<u64> = 0..40;

/// A RISC-V machine for random kernels.
#[derive(Debug, Clone, Copy)]
struct Machine {
    /// The length of a vector register in bits.
    vlen: u32,
    /// The length in bits that the compiler assumes; 0 if it must not know the length, so that it
    /// generates scalable vectors.
    known: u32,
}

impl Machine {
    /// The machine for a seed. Consecutive seeds use all lengths in turn. The compiler knows the
    /// length in every second group of four seeds.
    fn of(seed: u64) -> Self {
        let vlen = riscv::LENGTHS[(seed % 4) as usize];
        Self { vlen, known: if (seed / 4).is_multiple_of(2) { vlen } else { 0 } }
    }
}
/// The number of seeds in one trial.
const TRIAL: u64 = 20;

fn main() {
    let args = Arguments::from_args();
    let (mut host, mut riscv) = (chosen("RANDOM_KERNELS"), chosen("RANDOM_KERNELS_RISCV"));
    if host.is_none() && riscv.is_none() {
        (host, riscv) = (Some(SEEDS), Some(RISCV_SEEDS));
    }
    let mut trials = Vec::new();
    for (place, seeds, machine) in [
        ("", host, (|_| None) as fn(u64) -> Option<Machine>),
        ("RISC-V ", riscv, |seed| Some(Machine::of(seed))),
    ] {
        let seeds = seeds.unwrap_or_default();
        trials.extend(seeds.clone().step_by(20).map(|first| {
            let last = (first + TRIAL).min(seeds.end);
            Trial::test(format!("{place}seeds {first} to {}", last - 1), move || {
                (first..last).try_for_each(|seed| check(seed, machine(seed)))
            })
        }));
    }
    libtest_mimic::run(&args, trials).exit();
}

/// The range of seeds in an environment variable; `None` if it is not set.
fn chosen(variable: &str) -> Option<Range<u64>> {
    #[expect(
        clippy::disallowed_methods,
        reason = "a variable that selects seeds is not part of the driver"
    )]
    let text = std::env::var(variable).ok()?;
    let (first, last) = text.split_once("..")?;
    Some(first.parse().ok()?..last.parse().ok()?)
}

/// Tests the kernel of one seed on a RISC-V machine, or on the host if `machine` is `None`.
fn check(seed: u64, machine: Option<Machine>) -> Result<(), Failed> {
    let program = Program::of(seed);
    let Some(text) = outcome(&program, seed, machine)? else { return Ok(()) };
    let fails = |smaller: &Program| matches!(outcome(smaller, seed, machine), Ok(Some(_)));
    let smallest = program.minimised(fails);
    let last = outcome(&smallest, seed, machine).ok().flatten().unwrap_or_default();
    let case = smallest.case();
    let (global, local) = (&case.header.global, &case.header.local);
    Err(Failed::from(format!(
        "seed {seed}, {machine:?}: {text}\n\
         minimised ({last}), global {global:?}, local {local:?}:\n{}",
        case.source
    )))
}

/// The numbers of lanes with which the kernel of a seed runs on the host.
fn lanes_of(seed: u64) -> &'static [u32] {
    if seed < THOROUGH {
        return &run::LANES;
    }
    // Code for 64 lanes compiles slowly, so only every eighth kernel gets it.
    let n = match seed % 8 {
        0 => 2,
        1..4 => 1,
        _ => 0,
    };
    &run::LANES[n..=n]
}

/// A text about the first difference between the results of a program's variants; `None` if all are
/// equal. An error if the program cannot be compiled.
fn outcome(
    program: &Program,
    seed: u64,
    machine: Option<Machine>,
) -> Result<Option<String>, Failed> {
    let case = program.case();
    let differs = || match machine {
        Some(m) => run_riscv::differs(&case, &riscv::device("RV64GCV", m.known), m.vlen),
        None => run::differs(&case, lanes_of(seed), seed < THOROUGH),
    };
    let work = || match catch_unwind(AssertUnwindSafe(differs)) {
        Ok(outcome) => outcome.map_err(|e| format!("{e:#}")),
        Err(_) => Ok(Some("panicked".to_owned())),
    };
    // Clang needs a large stack.
    let outcome = std::thread::scope(|s| {
        let thread = std::thread::Builder::new().stack_size(64 << 20).spawn_scoped(s, work);
        thread.map(|t| t.join())
    });
    match outcome {
        Ok(Ok(Ok(difference))) => Ok(difference),
        Ok(Ok(Err(text))) => Err(Failed::from(format!("{text}\n{}", case.source))),
        Ok(Err(_)) | Err(_) => Err(Failed::from("no thread")),
    }
}
