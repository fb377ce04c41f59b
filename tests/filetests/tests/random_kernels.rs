//! Random kernels in scalar code and in lanes of vectors.
//!
//! `RANDOM_KERNELS=FIRST..LAST` selects the seeds; the default is 200. Seeds below 1000 run with
//! every number of lanes, others with one, so that long runs try more kernels. A kernel whose
//! results differ is minimised and printed. It becomes a file under `cases/run`.

use std::panic::{AssertUnwindSafe, catch_unwind};

use libtest_mimic::{Arguments, Failed, Trial};
use muxcl_filetests::random::Program;
use muxcl_filetests::run;

/// The seeds of a plain test run.
const SEEDS: std::ops::Range<u64> = 0..200;
/// Seeds of one trial.
const TRIAL: u64 = 20;

fn main() {
    let args = Arguments::from_args();
    let seeds = chosen().unwrap_or(SEEDS);
    let trials = seeds.clone().step_by(20).map(|first| {
        let last = (first + TRIAL).min(seeds.end);
        Trial::test(format!("seeds {first} to {}", last - 1), move || {
            (first..last).try_for_each(check)
        })
    });
    let trials = trials.collect();
    libtest_mimic::run(&args, trials).exit();
}

fn chosen() -> Option<std::ops::Range<u64>> {
    #[expect(
        clippy::disallowed_methods,
        reason = "the variable that selects seeds is not part of the driver"
    )]
    let text = std::env::var("RANDOM_KERNELS").ok()?;
    let (first, last) = text.split_once("..")?;
    Some(first.parse().ok()?..last.parse().ok()?)
}

fn check(seed: u64) -> Result<(), Failed> {
    let program = Program::of(seed);
    let lanes = lanes_of(seed);
    let Some(text) = outcome(&program, lanes)? else { return Ok(()) };
    let fails = |smaller: &Program| matches!(outcome(smaller, lanes), Ok(Some(_)));
    let smallest = program.minimised(fails);
    let last = outcome(&smallest, lanes).ok().flatten().unwrap_or_default();
    let case = smallest.case();
    let (global, local) = (&case.header.global, &case.header.local);
    Err(Failed::from(format!(
        "seed {seed}: {text}\nminimised ({last}), global {global:?}, local {local:?}:\n{}",
        case.source
    )))
}

/// The numbers of lanes that a seed's kernel runs with.
fn lanes_of(seed: u64) -> &'static [u32] {
    if seed < 1000 {
        return &run::LANES;
    }
    let n = usize::try_from(seed % 3).unwrap_or(0);
    &run::LANES[n..=n]
}

/// The difference of a program's results, if there is one; an error if it cannot be compiled.
fn outcome(program: &Program, lanes: &[u32]) -> Result<Option<String>, Failed> {
    let case = program.case();
    let work = || match catch_unwind(AssertUnwindSafe(|| run::differs(&case, lanes))) {
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
