//! Random kernels in scalar code and in lanes of vectors, on the host and on RISC-V machines.
//!
//! `RANDOM_KERNELS=FIRST..LAST` selects the seeds for the host, `RANDOM_KERNELS_RISCV=FIRST..LAST`
//! those for RISC-V. If only one variable is set, the kernels of the other do not run.
//!
//! On the host, the kernels of the first seeds run with every number of lanes, and the results are
//! compared with those of code without optimisation. The kernels of later seeds run with one number
//! of lanes only, compared with optimised scalar code, so that a run tries more kernels. If results
//! differ, the test minimises and prints the kernel. It becomes a file under `cases/run`.
//! `cargo run -p muxcl-filetests --example seed N` prints the kernel of a seed.
//!
//! Each trial runs its seeds in a process of its own, so that a kernel that ends the process by a
//! signal is found and minimised too: the trial repeats each seed, then each smaller program of the
//! seed, in a new process. `RANDOM_KERNELS_STEPS` names a smaller program of a seed: the index in
//! `Program::smaller` of each step, with commas between. It is empty in the process of a trial.

use std::ops::Range;
use std::os::unix::process::ExitStatusExt as _;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::process::{Command, Output};

use libtest_mimic::{Arguments, Failed, Trial};
use muxcl_filetests::random::{Program, SHORT};
use muxcl_filetests::{riscv, run, run_riscv};

/// The kernels of the seeds below this number are compared in every way on the host.
const THOROUGH: u64 = 16;
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

/// The variables that select seeds for the host and for RISC-V.
const VARIABLES: [&str; 2] = ["RANDOM_KERNELS", "RANDOM_KERNELS_RISCV"];
/// The variable that selects a smaller program, and says that this process is one of a trial.
const STEPS: &str = "RANDOM_KERNELS_STEPS";

fn main() {
    let args = Arguments::from_args();
    let mut ranges = VARIABLES.map(chosen);
    if let Some(steps) = variable(STEPS) {
        return in_this_process(ranges, &steps);
    }
    if ranges.iter().all(Option::is_none) {
        ranges = [Some(SHORT), Some(RISCV_SEEDS)];
    }
    let mut trials = Vec::new();
    for (name, place, seeds) in
        [(VARIABLES[0], "", &ranges[0]), (VARIABLES[1], "RISC-V ", &ranges[1])]
    {
        let Some(seeds) = seeds.clone() else { continue };
        trials.extend(seeds.clone().step_by(usize::try_from(TRIAL).unwrap_or(1)).map(|first| {
            let last = (first + TRIAL).min(seeds.end);
            Trial::test(format!("{place}seeds {first} to {}", last - 1), move || {
                in_a_process(name, first..last)
            })
        }));
    }
    libtest_mimic::run(&args, trials).exit();
}

/// Tests the kernels of the seeds, or of one seed's smaller program. Panics with a text about
/// the first difference.
fn in_this_process([host, riscv]: [Option<Range<u64>>; 2], steps: &str) {
    let mut all: Vec<_> = host.into_iter().flatten().map(|seed| (seed, None)).collect();
    all.extend(riscv.into_iter().flatten().map(|seed| (seed, Some(Machine::of(seed)))));
    for (seed, machine) in all {
        let mut program = Program::of(seed);
        for step in steps.split(',').filter_map(|n| n.parse().ok()) {
            program = program.smaller().swap_remove(step);
        }
        if let Err(failed) = check(&program, seed, machine) {
            panic!("{}", failed.message().unwrap_or_default());
        }
    }
}

/// Tests the kernels of a trial's seeds in a new process. If a signal ends the process, finds the
/// seed and minimises its program.
fn in_a_process(name: &str, seeds: Range<u64>) -> Result<(), Failed> {
    let dies = |seed, steps: &[usize]| {
        let output = child(name, seed..seed + 1, steps)?;
        Ok::<_, Failed>(output.status.signal().is_some())
    };
    let output = child(name, seeds.clone(), &[])?;
    if output.status.success() {
        return Ok(());
    }
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    let Some(signal) = output.status.signal() else { return Err(Failed::from(text)) };
    for seed in seeds {
        if !dies(seed, &[])? {
            continue;
        }
        let (mut program, mut steps) = (Program::of(seed), Vec::new());
        'smaller: loop {
            for (n, smaller) in program.smaller().into_iter().enumerate() {
                steps.push(n);
                if dies(seed, &steps)? {
                    program = smaller;
                    continue 'smaller;
                }
                steps.pop();
            }
            break;
        }
        let text = format!("seed {seed}: the process ended by signal {signal}");
        return Err(report(&program, &format!("{text}\nminimised, steps {steps:?}")));
    }
    Err(Failed::from(format!("signal {signal}, but no seed alone ends the process\n{text}")))
}

/// Runs this test program in a new process, for these seeds and steps ([`STEPS`]).
fn child(name: &str, seeds: Range<u64>, steps: &[usize]) -> std::io::Result<Output> {
    let steps: Vec<String> = steps.iter().map(ToString::to_string).collect();
    let mut command = Command::new(std::env::current_exe()?);
    for variable in VARIABLES {
        command.env_remove(variable);
    }
    command.env(name, format!("{}..{}", seeds.start, seeds.end));
    command.env(STEPS, steps.join(",")).output()
}

/// The error of a failed test: `text`, and the program.
fn report(program: &Program, text: &str) -> Failed {
    let case = program.case();
    let (global, local) = (&case.header.global, &case.header.local);
    Failed::from(format!("{text}, global {global:?}, local {local:?}:\n{}", case.source))
}

/// The value of an environment variable; `None` if it is not set.
#[expect(clippy::disallowed_methods, reason = "variables of a test are not part of the driver")]
fn variable(name: &str) -> Option<String> {
    std::env::var(name).ok()
}

/// The range of seeds in an environment variable; `None` if it is not set.
fn chosen(name: &str) -> Option<Range<u64>> {
    let text = variable(name)?;
    let (first, last) = text.split_once("..")?;
    Some(first.parse().ok()?..last.parse().ok()?)
}

/// Tests `program`, the program of `seed` or a smaller one, on a RISC-V machine, or on the host if
/// `machine` is `None`.
fn check(program: &Program, seed: u64, machine: Option<Machine>) -> Result<(), Failed> {
    let Some(text) = outcome(program, seed, machine)? else { return Ok(()) };
    let fails = |smaller: &Program| matches!(outcome(smaller, seed, machine), Ok(Some(_)));
    let smallest = program.minimised(fails);
    let last = outcome(&smallest, seed, machine).ok().flatten().unwrap_or_default();
    Err(report(&smallest, &format!("seed {seed}, {machine:?}: {text}\nminimised ({last})")))
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
