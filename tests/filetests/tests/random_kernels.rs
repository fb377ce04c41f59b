//! Random kernels in scalar code and in lanes of vectors, on the host and on RISC-V machines.
//!
//! `RANDOM_KERNELS=FIRST..LAST` selects the seeds for the host, `RANDOM_KERNELS_RISCV=FIRST..LAST`
//! those for RISC-V. If only one is set, the other part does not run. On the host, the first seeds
//! run with every number of lanes, and are compared with code without optimisation. Others compare
//! optimised scalar code with one number of lanes, so that a run tries more kernels. A kernel whose
//! results differ is minimised and printed. It becomes a file under `cases/run`.

use std::ops::Range;
use std::panic::{AssertUnwindSafe, catch_unwind};

use libtest_mimic::{Arguments, Failed, Trial};
use muxcl_filetests::random::Program;
use muxcl_filetests::{riscv, run, run_riscv};

/// The seeds of a plain test run on the host.
const SEEDS: Range<u64> = 0..1000;
/// The seeds below this number are compared in every way.
const THOROUGH: u64 = 32;
/// The seeds of a plain test run on RISC-V.
const RISCV_SEEDS: Range<u64> = 0..40;

/// A RISC-V machine for random kernels.
#[derive(Debug, Clone, Copy)]
struct Machine {
    /// Bits of a vector register.
    vlen: u32,
    /// The length that the compiler knows; 0: none, so that vectors are scalable.
    known: u32,
}

impl Machine {
    /// The seeds use each length in turn, known or not.
    fn of(seed: u64) -> Self {
        let vlen = riscv::LENGTHS[(seed % 4) as usize];
        Self { vlen, known: if (seed / 4).is_multiple_of(2) { vlen } else { 0 } }
    }
}
/// Seeds of one trial.
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

fn chosen(variable: &str) -> Option<Range<u64>> {
    #[expect(
        clippy::disallowed_methods,
        reason = "a variable that selects seeds is not part of the driver"
    )]
    let text = std::env::var(variable).ok()?;
    let (first, last) = text.split_once("..")?;
    Some(first.parse().ok()?..last.parse().ok()?)
}

/// `machine`: `None` is the host.
fn check(seed: u64, machine: Option<Machine>) -> Result<(), Failed> {
    let program = Program::of(seed);
    let Some(text) = outcome(&program, seed, machine)? else { return Ok(()) };
    let fails = |smaller: &Program| matches!(outcome(smaller, seed, machine), Ok(Some(_)));
    let smallest = program.minimised(fails);
    let last = outcome(&smallest, seed, machine).ok().flatten().unwrap_or_default();
    let case = smallest.case();
    let (global, local) = (&case.header.global, &case.header.local);
    Err(Failed::from(format!(
        "seed {seed}, {machine:?}: {text}\nminimised ({last}), global {global:?}, local {local:?}:\n{}",
        case.source
    )))
}

/// The numbers of lanes that a seed's kernel runs with on the host.
fn lanes_of(seed: u64) -> &'static [u32] {
    if seed < THOROUGH {
        return &run::LANES;
    }
    // Code for many lanes is large, so it compiles slowly.
    let n = match seed % 8 {
        0 => 2,
        1..4 => 1,
        _ => 0,
    };
    &run::LANES[n..=n]
}

/// The difference of a program's results, if there is one; an error if it cannot be compiled.
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
