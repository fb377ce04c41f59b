//! Random programs whose work-items diverge between sub-group functions, compared with a model. The
//! lanes that execute a function together see each other's values. They reconverge after every
//! branch, before every iteration of a loop and after the loop. Conditions come from a table, so
//! that the compiler cannot prove one and change the control flow. (A branch that always leaves a
//! loop is outside that loop.)
//!
//! `MUXCL_TEST_SEED` is the first program's number, `MUXCL_TEST_SECONDS` the duration of the test.

use std::fmt::Write as _;
use std::time::{Duration, Instant};

use anyhow::{Result, ensure};
use muxcl_client::{Context, Device};
use muxcl_config::{MUXCL_TEST_SECONDS, MUXCL_TEST_SEED};

use crate::images::Random;
use crate::shared::Test;

pub(crate) const ALL: [(&str, Test); 1] = [("divergent", divergent)];

/// Number of programs without `MUXCL_TEST_SECONDS`.
const PROGRAMS: u64 = 12;

/// Number of table entries for each condition of a program. A lane's value modulo this is the
/// index.
const ENTRIES: u32 = 31;

/// A number below `modulus` that a lane reads from the table.
#[derive(Clone, Copy)]
struct Pick {
    /// True if the lane's id is the index, false if its result so far is.
    of_me: bool,
    /// Number of the condition in the program.
    condition: u32,
    modulus: u32,
}

impl Pick {
    /// The condition in OpenCL C.
    fn text(self) -> String {
        let value = if self.of_me { "me" } else { "acc" };
        format!("table[{} + {value} % {ENTRIES}] % {}", self.condition * ENTRIES, self.modulus)
    }

    /// The same condition in the model.
    fn number(self, lane: &Lane, table: &[u32]) -> u32 {
        let value = if self.of_me { lane.me } else { lane.acc };
        table[(self.condition * ENTRIES + value % ENTRIES) as usize] % self.modulus
    }
}

enum Statement {
    /// The sum or the maximum of `me` or 1.
    Call {
        sum: bool,
        of_me: bool,
    },
    If(Pick, Vec<Self>, Vec<Self>),
    /// A loop; the number of iterations comes from the table, or is fixed.
    For(Result<Pick, u32>, Vec<Self>),
    Break(Pick),
    Continue(Pick),
    Return(Pick),
}

struct Lane {
    me: u32,
    acc: u32,
}

fn program(random: &mut Random, conditions: &mut u32, depth: u32, in_loop: bool) -> Vec<Statement> {
    let count = 1 + random.next() % 3;
    (0..count).map(|_| statement(random, conditions, depth, in_loop)).collect()
}

fn statement(random: &mut Random, conditions: &mut u32, depth: u32, in_loop: bool) -> Statement {
    let mut one_of = |n: u32| random.next() % n;
    let kind = if depth == 0 { 0 } else { one_of(20) };
    let pick = Pick { of_me: one_of(2) == 0, condition: *conditions, modulus: 2 + one_of(3) };
    *conditions += 1;
    match kind {
        8..12 => {
            let other = one_of(2) == 0;
            let then = program(random, conditions, depth - 1, in_loop);
            Statement::If(
                pick,
                then,
                if other { program(random, conditions, depth - 1, in_loop) } else { Vec::new() },
            )
        }
        12..16 => {
            let iterations = if one_of(2) == 0 { Ok(pick) } else { Err(1 + one_of(4)) };
            Statement::For(iterations, program(random, conditions, depth - 1, true))
        }
        16 | 17 if in_loop => Statement::Break(pick),
        18 if in_loop => Statement::Continue(pick),
        19 => Statement::Return(Pick { modulus: pick.modulus + 3, ..pick }),
        _ => Statement::Call { sum: one_of(2) == 0, of_me: one_of(2) == 0 },
    }
}

fn write(text: &mut String, body: &[Statement], indent: usize) -> Result<()> {
    let space = "  ".repeat(indent);
    for s in body {
        match s {
            Statement::Call { sum, of_me } => {
                let (what, value) =
                    (if *sum { "add" } else { "max" }, if *of_me { "me" } else { "1u" });
                writeln!(
                    text,
                    "{space}acc = acc * 5 + sub_group_non_uniform_reduce_{what}({value});"
                )?;
            }
            Statement::If(pick, then, other) => {
                writeln!(text, "{space}if ({} == 0) {{", pick.text())?;
                write(text, then, indent + 1)?;
                writeln!(text, "{space}}} else {{")?;
                write(text, other, indent + 1)?;
                writeln!(text, "{space}}}")?;
            }
            Statement::For(iterations, body) => {
                let iterations = iterations.map_or_else(|n| n.to_string(), Pick::text);
                writeln!(
                    text,
                    "{space}for (uint i{indent} = 0, n{indent} = {iterations}; \
                    i{indent} < n{indent}; i{indent}++) {{"
                )?;
                writeln!(text, "{space}  acc += i{indent};")?;
                write(text, body, indent + 1)?;
                writeln!(text, "{space}}}")?;
            }
            Statement::Break(pick) => writeln!(text, "{space}if ({} == 0) break;", pick.text())?,
            Statement::Continue(pick) => {
                writeln!(text, "{space}if ({} == 0) continue;", pick.text())?
            }
            Statement::Return(pick) => {
                writeln!(text, "{space}if ({} == 0) {{ out[me] = acc; return; }}", pick.text())?
            }
        }
    }
    Ok(())
}

/// The lanes that have left the body of the innermost loop.
#[derive(Default)]
struct Left {
    broken: Vec<usize>,
    continued: Vec<usize>,
}

/// Runs the statements for the lanes in `here`; returns the lanes that reach the end.
fn run(
    body: &[Statement],
    mut here: Vec<usize>,
    lanes: &mut [Lane],
    table: &[u32],
    left: &mut Left,
) -> Vec<usize> {
    let divide = |here: Vec<usize>, pick: Pick, lanes: &[Lane]| -> (Vec<usize>, Vec<usize>) {
        here.into_iter().partition(|l| pick.number(&lanes[*l], table) == 0)
    };
    for s in body {
        match s {
            _ if here.is_empty() => break,
            Statement::Call { sum, of_me } => {
                let values = here.iter().map(|l| if *of_me { lanes[*l].me } else { 1 });
                let all = if *sum {
                    values.fold(0, u32::wrapping_add)
                } else {
                    values.max().unwrap_or(0)
                };
                for l in &here {
                    lanes[*l].acc = lanes[*l].acc.wrapping_mul(5).wrapping_add(all);
                }
            }
            Statement::If(pick, then, other) => {
                let (yes, no) = divide(here, *pick, lanes);
                here = run(then, yes, lanes, table, left);
                here.extend(run(other, no, lanes, table, left));
            }
            Statement::For(iterations, body) => {
                let mut behind = Vec::new();
                let iterations: Vec<u32> = lanes
                    .iter()
                    .map(|lane| iterations.map_or_else(|n| n, |p| p.number(lane, table)))
                    .collect();
                for turn in 0.. {
                    let (stay, leave): (Vec<_>, Vec<_>) =
                        here.into_iter().partition(|l| turn < iterations[*l]);
                    behind.extend(leave);
                    if stay.is_empty() {
                        break;
                    }
                    for l in &stay {
                        lanes[*l].acc = lanes[*l].acc.wrapping_add(turn);
                    }
                    let mut inner = Left::default();
                    here = run(body, stay, lanes, table, &mut inner);
                    here.extend(inner.continued);
                    behind.extend(inner.broken);
                }
                here = behind;
            }
            Statement::Break(pick) => {
                let (go, stay) = divide(here, *pick, lanes);
                left.broken.extend(go);
                here = stay;
            }
            Statement::Continue(pick) => {
                let (go, stay) = divide(here, *pick, lanes);
                left.continued.extend(go);
                here = stay;
            }
            Statement::Return(pick) => here = divide(here, *pick, lanes).1,
        }
    }
    here
}

fn divergent(device: Device) -> Result<()> {
    let context = Context::new(device)?;
    let queue = context.queue(device, 0)?;
    let first = MUXCL_TEST_SEED.parse::<u64>().unwrap_or(1);
    let length = MUXCL_TEST_SECONDS.parse::<u64>().map(Duration::from_secs);
    let start = Instant::now();
    for seed in first.. {
        if length.map_or(seed >= first + PROGRAMS, |l| start.elapsed() >= l) {
            break;
        }
        let mut random = Random::new(seed);
        let width = [4, 8, 16, 32, 64][random.next() as usize % 5];
        let (global, local) = [(64, 64), (48, 48), (70, 35), (20, 20)][random.next() as usize % 4];
        let mut conditions = 0;
        let body = program(&mut random, &mut conditions, 3, false);
        let table: Vec<u32> = (0..conditions * ENTRIES).map(|_| random.next()).collect();
        let mut source = format!(
            "__attribute__((intel_reqd_sub_group_size({width})))\nkernel void k(global uint *out, global const uint *table) {{\n  \
             uint me = get_global_id(0), acc = me * 7;\n"
        );
        write(&mut source, &body, 1)?;
        source.push_str("  out[me] = acc;\n}\n");

        let mut lanes: Vec<Lane> = (0..global).map(|me| Lane { me, acc: me * 7 }).collect();
        for group in lanes.chunks_mut(local) {
            for sub_group in group.chunks_mut(width) {
                run(&body, (0..sub_group.len()).collect(), sub_group, &table, &mut Left::default());
            }
        }
        let options = if seed % 4 == 0 { "-cl-std=CL3.0 -cl-opt-disable" } else { "-cl-std=CL3.0" };
        let mut kernel = context.build(device, &source, options)?.kernel("k")?;
        let mut seen = vec![0_u32; lanes.len()];
        let out = context.buffer_with(&seen)?;
        kernel.set_buffer(0, &out)?;
        let numbers = context.buffer_with(&table)?;
        kernel.set_buffer(1, &numbers)?;
        queue.run(&kernel, &[lanes.len()], Some(&[local]), None)?;
        queue.read(&out, &mut seen)?;
        let wrong = seen.iter().zip(&lanes).position(|(seen, lane)| *seen != lane.acc);
        ensure!(
            wrong.is_none(),
            "seed {seed}: work-item {} of {global}, {local} a group, is {}, should be {}\n{source}",
            wrong.unwrap_or(0),
            seen[wrong.unwrap_or(0)],
            lanes[wrong.unwrap_or(0)].acc
        );
    }
    Ok(())
}
