//! Measures one row: runs a function over its arguments and judges every result.
#![expect(
    clippy::cast_possible_truncation,
    clippy::cast_possible_wrap,
    reason = "the values are bits of an int"
)]

use std::thread;

use crate::arguments;
use crate::bound::{Bound, Freedom, judge};
use crate::catalogue::{Function, Parameters};
use crate::estimate::{self, Estimate};
use crate::exact::Exact;
use crate::format::Format;
use crate::kernel::{Arguments, Compiled, Session};
use crate::reference::{self, Call, Reference};
use crate::report::Row;
use anyhow::{Result, bail};

/// The settings of a measurement.
#[derive(Debug)]
pub struct Plan<'a> {
    /// The function.
    pub function: &'static Function,
    /// The type.
    pub format: Format,
    /// The bound.
    pub bound: Bound,
    /// The deviations that the build options allow.
    pub freedom: Freedom,
    /// The build options.
    pub options: &'a str,
    /// Number of random arguments.
    pub samples: usize,
    /// Number of threads that compute references.
    pub threads: usize,
    /// Try every float, if the function has one argument.
    pub full: bool,
}

/// The number of calls in one run of the kernels.
const CHUNK: usize = 48 << 14;

/// One in this number of estimated results is also computed exactly.
const CHECKED: usize = 1021;

/// The largest tolerated error of an estimate, in units in the last place.
const TRUST: f64 = 1.0 / 128.0;

/// The results so far.
#[derive(Clone, Debug, Default)]
struct Seen {
    worst: f64,
    /// Arguments and result of the worst result, or of the first one out of bound.
    at: Option<(Vec<u64>, i32, u64, usize)>,
    bad: u64,
    /// The largest error of an estimate, in units in the last place.
    estimate: f64,
}

impl Seen {
    fn merge(&mut self, other: Self) {
        let take = if (self.bad > 0) == (other.bad > 0) {
            other.worst > self.worst
        } else {
            other.bad > 0
        };
        if other.at.is_some() && (take || self.at.is_none()) {
            self.at = other.at;
        }
        self.worst = self.worst.max(other.worst);
        self.bad += other.bad;
        self.estimate = self.estimate.max(other.estimate);
    }
}

/// Measures a function of one type.
pub fn measure(session: &Session, plan: &Plan<'_>) -> Result<Row> {
    let (function, format) = (plan.function, plan.format);
    let Some(reference) = reference::find(function.reference()) else {
        bail!("{} has no reference in tools/ulp/src/reference.rs", function.name)
    };
    // Scalars and one vector width, which differs between functions: all widths have the same
    // source.
    let width = [2, 3, 4, 8, 16][(function.name.len() + format.bytes()) % 5];
    let mut compiled = Compiled::new(session, function, format, &[1, width], plan.options)?;
    let mut seen = Seen::default();
    let mut tried = 0;
    let sampled = arguments::sampled(function, format, plan.samples);
    for from in (0..sampled.len()).step_by(CHUNK) {
        let part = sampled.part(from, (from + CHUNK).min(sampled.len()));
        tried += part.len() as u64;
        seen.merge(judge_all(&mut compiled, plan, reference, None, &part, seen.worst)?);
    }
    let every = function.parameters == Parameters::Unary
        && (format == Format::Half || (plan.full && format == Format::Float));
    if every {
        let parts = if format == Format::Half { 1 } else { 1 << 12 };
        let estimate =
            if format == Format::Half { None } else { estimate::find(function.reference()) };
        tried = 0;
        for part in 0..parts {
            let part = arguments::exhaustive(format, part, parts);
            seen.merge(judge_all(&mut compiled, plan, reference, estimate, &part, seen.worst)?);
        }
        tried += 1_u64 << (8 * format.bytes());
        if seen.estimate > TRUST {
            bail!(
                "the estimate of {} is {} units off: use MPFR alone",
                function.name,
                seen.estimate
            );
        }
    }
    Ok(Row {
        function: function.name.to_owned(),
        format: format.name(),
        options: plan.options.to_owned(),
        bound: plan.bound.text(),
        worst: seen.worst,
        gives: seen.at.as_ref().map_or_else(String::new, |(_, _, got, width)| {
            format!("{} ({width} wide)", number(value(plan, *got)))
        }),
        at: seen.at.map_or_else(|| "-".to_owned(), |(arguments, n, ..)| place(plan, &arguments, n)),
        tried,
        all: every,
        bad: seen.bad,
    })
}

/// The number with the bits of a result.
fn value(plan: &Plan<'_>, bits: u64) -> f64 {
    if !plan.function.int {
        return plan.format.value(bits);
    }
    let number = f64::from(bits as u32 as i32);
    if plan.function.name == "remquo: quotient" { reference::low_bits(number) } else { number }
}

/// Arguments as hexadecimal text, which C reads back exactly.
fn place(plan: &Plan<'_>, arguments: &[u64], n: i32) -> String {
    let mut all: Vec<String> =
        arguments.iter().map(|bits| number(plan.format.value(*bits))).collect();
    if plan.function.parameters == Parameters::WithInt {
        all.push(n.to_string());
    }
    all.join(", ")
}

/// `x` in C's hexadecimal notation.
fn number(x: f64) -> String {
    if x.is_nan() || x.is_infinite() || x == 0.0 {
        return x.to_string();
    }
    let (m, e) = crate::exact::split(x);
    let digits = format!("{:013x}", m.to_bits() & 0x000f_ffff_ffff_ffff);
    let digits = digits.trim_end_matches('0');
    let point = if digits.is_empty() { "" } else { "." };
    format!("{}0x1{point}{digits}p{e}", if x < 0.0 { "-" } else { "" })
}

fn judge_all(
    compiled: &mut Compiled<'_>,
    plan: &Plan<'_>,
    reference: Reference,
    estimate: Option<Estimate>,
    arguments: &Arguments,
    worst: f64,
) -> Result<Seen> {
    let results = compiled.run(arguments)?;
    let count = arguments.len();
    let share = count.div_ceil(plan.threads);
    let mut seen = Seen { worst, ..Seen::default() };
    thread::scope(|scope| {
        let threads: Vec<_> = (0..plan.threads)
            .map(|nth| {
                let results = &results;
                let range = (nth * share).min(count)..((nth + 1) * share).min(count);
                scope.spawn(move || {
                    let mut judge =
                        Judge { plan, reference, estimate, call: Call::new(plan.format), worst };
                    let mut seen = Seen::default();
                    for at in range {
                        if !judge.pass(arguments, results, at) {
                            judge.one(arguments, results, at, &mut seen);
                        }
                    }
                    seen
                })
            })
            .collect();
        for thread in threads {
            match thread.join() {
                Ok(part) => seen.merge(part),
                Err(panic) => std::panic::resume_unwind(panic),
            }
        }
    });
    Ok(seen)
}

/// The data with which one thread judges results.
struct Judge<'a> {
    plan: &'a Plan<'a>,
    reference: Reference,
    estimate: Option<Estimate>,
    call: Call,
    /// The worst error so far. Results that are certainly better are skipped.
    worst: f64,
}

impl Judge<'_> {
    /// True if call `at` can be skipped: all widths gave the same result, and it is certainly not
    /// the worst.
    fn pass(&self, arguments: &Arguments, results: &[(usize, Vec<u8>)], at: usize) -> bool {
        if self.estimate.is_none() || at.is_multiple_of(CHECKED) {
            return false;
        }
        let format = self.plan.format;
        let got = format.unpack(&results[0].1, at);
        results[1..].iter().all(|(_, bytes)| format.unpack(bytes, at) == got)
            && self.surely_less(format.value(arguments.numbers[0][at]), format.value(got))
    }

    fn one(
        &mut self,
        arguments: &Arguments,
        results: &[(usize, Vec<u8>)],
        at: usize,
        seen: &mut Seen,
    ) {
        let format = self.plan.format;
        let mut bits = [0; 3];
        let mut values = [0.0; 3];
        let mut count = 0;
        for numbers in arguments.numbers.iter().filter(|numbers| !numbers.is_empty()) {
            bits[count] = numbers[at];
            values[count] = format.value(numbers[at]);
            count += 1;
        }
        let n = arguments.whole.get(at).copied().unwrap_or(0);
        let mut exact = None;
        let mut before = None;
        for (width, bytes) in results {
            let got = if self.plan.function.int {
                Format::Float.unpack(bytes, at)
            } else {
                format.unpack(bytes, at)
            };
            if before == Some(got) {
                continue;
            }
            before = Some(got);
            let exact =
                *exact.get_or_insert_with(|| self.call.value(self.reference, &values[..count], n));
            if let Some(estimate) = self.estimate {
                let off = exact.error(format, estimate(values[0]));
                if off.is_finite() && !exact.beyond(format) {
                    seen.estimate = seen.estimate.max(off);
                }
            }
            self.verdict(&bits[..count], &values[..count], n, got, *width, exact, seen);
        }
    }

    /// True if the estimate shows that the result is neither the worst nor out of bound.
    fn surely_less(&self, x: f64, got: f64) -> bool {
        let Some(estimate) = self.estimate else { return false };
        let limit = match self.plan.bound {
            Bound::Ulp(ulp) => ulp.min(self.worst),
            Bound::Open => self.worst,
            _ => return false,
        };
        estimate::error(self.plan.format, estimate(x), got)
            .is_some_and(|error| error + TRUST < limit)
    }

    #[expect(clippy::too_many_arguments, reason = "the parameters describe one result")]
    fn verdict(
        &mut self,
        bits: &[u64],
        values: &[f64],
        n: i32,
        got: u64,
        width: usize,
        exact: Exact,
        seen: &mut Seen,
    ) {
        let Plan { format, bound, freedom, function, .. } = *self.plan;
        let taken = format;
        // An `int` is exact in a double, but not in every format.
        let format = if function.int { Format::Double } else { format };
        let mut freedom = freedom;
        freedom.no_signed_zeros |= function.any_zero || function.int;
        let number = value(self.plan, got);
        let (call, reference) = (&mut self.call, self.reference);
        let mut flushed = || {
            let flushed: Vec<f64> = values
                .iter()
                .map(|x| if taken.subnormal(*x) { 0f64.copysign(*x) } else { *x })
                .collect();
            if flushed == values { None } else { Some(call.value(reference, &flushed, n)) }
        };
        let mut verdict = judge(bound, freedom, format, number, exact, values, &mut flushed);
        if let (false, Some(other)) = (verdict.kept, reference::alternative(function.name)) {
            let exact = self.call.value(other, values, n);
            let second = judge(bound, freedom, format, number, exact, values, &mut || None);
            if second.kept {
                verdict = second;
            }
        }
        let first_bad = !verdict.kept && seen.bad == 0;
        if first_bad
            || ((verdict.error > seen.worst || seen.at.is_none())
                && (seen.bad == 0 || !verdict.kept))
        {
            seen.at = Some((bits.to_vec(), n, got, width));
        }
        seen.worst = seen.worst.max(verdict.error);
        seen.bad += u64::from(!verdict.kept);
        self.worst = self.worst.max(seen.worst);
    }
}
