//! The section `builtins`: the time of a mathematical function per element, as a scalar and in
//! vectors of 64 bytes, compared with SLEEF's vector functions in the same process.
//!
//! Invariant: within each round the three run one after another over the same arrays, which fit the
//! first-level caches. A result that differs from SLEEF's is an error. A loop calls the scalar
//! functions; the driver's compiler may vectorize it. Not here: accuracy (`cargo xtask ulp`).
#![expect(clippy::print_stdout, reason = "a command line tool talks to its user")]

use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::time::Instant;

use anyhow::{Context as _, Result, bail, ensure};
use indicatif::{ProgressBar, ProgressStyle};
use muxcl_client::sys::CL_MEM_READ_WRITE;
use muxcl_client::{Buffer, Kernel};
use serde::{Deserialize, Serialize};

use crate::driver::Driver;
use crate::rows::{Bench, Cache};
use crate::sleef::{COUNT, Cells, Data, Element, Function, Signature, Sleef};

/// The prefix of the section's rows.
pub(crate) const SECTION: &str = "builtins";

/// Passes over the arrays in one launch, which make the launch overhead negligible; SLEEF makes the
/// same number.
const TIMES: usize = 256;

/// A function that SLEEF also implements.
struct Compared {
    name: &'static str,
    /// The accuracy in the name of SLEEF's function.
    accuracy: &'static str,
    signature: Signature,
    /// The ranges of its first and second argument.
    first: (f64, f64),
    second: (f64, f64),
}

const UNIT: (f64, f64) = (0.5, 2.0);
const AROUND: (f64, f64) = (-100.0, 100.0);

const fn unary(name: &'static str, first: (f64, f64)) -> Compared {
    Compared { name, accuracy: "u10", signature: Signature::One, first, second: UNIT }
}

const fn exact(name: &'static str, signature: Signature) -> Compared {
    Compared { name, accuracy: "", signature, first: AROUND, second: AROUND }
}

const fn named(
    name: &'static str,
    accuracy: &'static str,
    signature: Signature,
    first: (f64, f64),
) -> Compared {
    Compared { name, accuracy, signature, first, second: AROUND }
}

/// All functions; the first five have a documented bound relative to SLEEF.
const COMPARED: &[Compared] = &[
    unary("sin", (-10.0, 10.0)),
    unary("cos", (-10.0, 10.0)),
    unary("exp", (-20.0, 20.0)),
    unary("log", (1e-3, 1e3)),
    Compared {
        name: "pow",
        accuracy: "u10",
        signature: Signature::Two,
        first: (0.01, 20.0),
        second: (-10.0, 10.0),
    },
    unary("tan", (-10.0, 10.0)),
    named("sincos", "u10", Signature::Pair, (-10.0, 10.0)),
    named("sinpi", "u05", Signature::One, (-10.0, 10.0)),
    named("cospi", "u05", Signature::One, (-10.0, 10.0)),
    unary("asin", (-1.0, 1.0)),
    unary("acos", (-1.0, 1.0)),
    unary("atan", (-10.0, 10.0)),
    named("atan2", "u10", Signature::Two, AROUND),
    unary("sinh", (-10.0, 10.0)),
    unary("cosh", (-10.0, 10.0)),
    unary("tanh", (-10.0, 10.0)),
    unary("asinh", AROUND),
    unary("acosh", (1.0, 100.0)),
    unary("atanh", (-1.0, 1.0)),
    unary("exp2", (-20.0, 20.0)),
    unary("exp10", (-20.0, 20.0)),
    unary("expm1", (-20.0, 20.0)),
    unary("log2", (1e-3, 1e3)),
    unary("log10", (1e-3, 1e3)),
    unary("log1p", (-0.9, 1e3)),
    unary("cbrt", AROUND),
    named("sqrt", "", Signature::One, (0.0, 100.0)),
    named("hypot", "u35", Signature::Two, AROUND),
    unary("erf", (-4.0, 4.0)),
    named("erfc", "u15", Signature::One, (-4.0, 8.0)),
    unary("tgamma", (0.1, 30.0)),
    unary("lgamma", (0.1, 30.0)),
    exact("fma", Signature::Three),
    exact("fmod", Signature::Two),
    exact("remainder", Signature::Two),
    exact("fdim", Signature::Two),
    exact("fmax", Signature::Two),
    exact("fmin", Signature::Two),
    exact("copysign", Signature::Two),
    exact("nextafter", Signature::Two),
    exact("fabs", Signature::One),
    exact("ceil", Signature::One),
    exact("floor", Signature::One),
    exact("trunc", Signature::One),
    exact("round", Signature::One),
    exact("rint", Signature::One),
    exact("modf", Signature::Pair),
    exact("ldexp", Signature::Scale),
    exact("ilogb", Signature::Exponent),
    exact("frexp", Signature::Split),
];

impl Compared {
    /// The bound of the vector function's time, divided by SLEEF's time.
    fn limit(&self) -> f64 {
        if matches!(self.name, "sin" | "cos" | "exp" | "log" | "pow") { 1.2 } else { 2.0 }
    }

    /// Two kernels, for elements and for vectors of `lanes`.
    fn source(&self, element: &str, lanes: usize) -> String {
        let name = self.name;
        let body = match self.signature {
            Signature::One => format!("o[i] = {name}(a[i]);"),
            Signature::Two => format!("o[i] = {name}(a[i], b[i]);"),
            Signature::Three => format!("o[i] = {name}(a[i], b[i], c[i]);"),
            Signature::Pair => format!("T other; o[i] = {name}(a[i], &other); p[i] = other;"),
            Signature::Exponent => format!("m[i] = {name}(a[i]);"),
            Signature::Scale => format!("o[i] = {name}(a[i], n[i]);"),
            Signature::Split => format!("I other; o[i] = {name}(a[i], &other); m[i] = other;"),
        };
        let kernel = |kernel: &str, vector: &str, whole: &str| {
            format!(
                "kernel void {kernel}(global const T *restrict a, global const T *restrict b, global const T *restrict c, \
                 global const I *restrict n, global T *restrict o, global T *restrict p, global I *restrict m, int count, \
                 int times)\n{{ for (int t = 0; t < times; t++) for (int i = 0; i < count; i++) {{ {body} }} }}\n"
            )
            .replace("T ", &format!("{vector} "))
            .replace("I ", &format!("{whole} "))
        };
        kernel("scalar", element, "int")
            + &kernel("vector", &format!("{element}{lanes}"), &format!("int{lanes}"))
    }
}

/// Nanoseconds per element, round by round.
#[derive(Serialize, Deserialize)]
struct Times {
    scalar: Vec<f64>,
    vector: Vec<f64>,
    sleef: Vec<f64>,
}

/// The parent's results for a function and type on a driver.
#[derive(Serialize)]
struct Measured {
    driver: String,
    name: &'static str,
    element: &'static str,
    limit: f64,
    times: Times,
}

/// Measures the request `FUNCTION ELEMENT ROUNDS` in this process; returns [`Times`] as JSON.
pub(crate) fn child(what: &str) -> Result<String> {
    let mut words = what.split(' ');
    let (name, element) = (words.next().unwrap_or_default(), words.next().unwrap_or_default());
    let rounds = words
        .next()
        .and_then(|text| text.parse().ok())
        .context("the number of rounds is missing")?;
    let Some(compared) = COMPARED.iter().find(|compared| compared.name == name) else {
        bail!("no function {name}")
    };
    let times = if element == f32::NAME {
        measure::<f32>(compared, rounds)
    } else {
        measure::<f64>(compared, rounds)
    };
    Ok(serde_json::to_string(&times?)?)
}

/// `COUNT` unordered numbers in a range, the same in every run.
#[expect(clippy::cast_precision_loss, reason = "numbers below 2^32")]
fn numbers<T: Element>((low, high): (f64, f64), seed: usize) -> Cells<T> {
    Cells::new(|nth| {
        let mixed = ((nth + seed) as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32;
        T::of(low + (high - low) * (mixed as f64 / 4_294_967_296.0))
    })
}

fn measure<T: Element>(compared: &Compared, rounds: usize) -> Result<Times> {
    let sleef = Sleef::load()?;
    let function = sleef.function::<T>(compared.name, compared.accuracy, compared.signature)?;
    let mut data = Data {
        a: numbers::<T>(compared.first, 0),
        b: numbers::<T>(compared.second, 7777),
        c: numbers::<T>(AROUND, 99_999),
        n: Cells::new(|nth| i32::try_from(nth % 41).unwrap_or_default() - 20),
        first: Cells::new(|_| T::of(0.0)),
        second: Cells::new(|_| T::of(0.0)),
        whole: Cells::new(|_| 0),
    };
    let bench = Bench::new()?;
    let buffers = Buffers::new(&bench, &data)?;
    let program = bench.context.build(bench.device, &compared.source(T::NAME, T::LANES), "")?;
    let kernel = |name: &str, count: usize| -> Result<Kernel> {
        let mut kernel = program.kernel(name)?;
        for (index, buffer) in (0..).zip(&buffers.0) {
            kernel.set_buffer(index, buffer)?;
        }
        kernel.set(7, i32::try_from(count)?)?;
        kernel.set(8, i32::try_from(TIMES)?)?;
        Ok(kernel)
    };
    let (scalar, vector) = (kernel("scalar", COUNT)?, kernel("vector", COUNT / T::LANES)?);
    let run = |kernel: &Kernel| -> Result<()> {
        bench.queue.run(kernel, &[1], Some(&[1]), None)?;
        Ok(bench.queue.finish()?)
    };
    T::run(&function, &mut data, 1);
    for (kernel, form) in [(&scalar, "the scalar form"), (&vector, "the vector form")] {
        run(kernel)?;
        buffers.compare(&bench, compared, &data).context(form)?;
    }
    rounds_of(rounds, || run(&scalar), || run(&vector), &function, &mut data)
}

fn rounds_of<T: Element>(
    rounds: usize,
    scalar: impl Fn() -> Result<()>,
    vector: impl Fn() -> Result<()>,
    function: &Function,
    data: &mut Data<T>,
) -> Result<Times> {
    let mut times = Times { scalar: Vec::new(), vector: Vec::new(), sleef: Vec::new() };
    #[expect(clippy::cast_precision_loss, reason = "the number is about a million")]
    let per_element = |start: Instant| start.elapsed().as_secs_f64() * 1e9 / (COUNT * TIMES) as f64;
    for round in 0..=rounds {
        let start = Instant::now();
        scalar()?;
        let first = per_element(start);
        let start = Instant::now();
        vector()?;
        let second = per_element(start);
        let start = Instant::now();
        T::run(function, data, TIMES);
        let third = per_element(start);
        // The first round warms up.
        if round > 0 {
            times.scalar.push(first);
            times.vector.push(second);
            times.sleef.push(third);
        }
    }
    Ok(times)
}

/// The kernels' first seven arguments.
struct Buffers([Buffer; 7]);

impl Buffers {
    fn new<T: Element>(bench: &Bench, data: &Data<T>) -> Result<Self> {
        let input = |cells: &Cells<T>| bench.context.buffer_with(cells.slice());
        let empty = |bytes: usize| bench.context.buffer(CL_MEM_READ_WRITE, COUNT * bytes);
        Ok(Self([
            input(&data.a)?,
            input(&data.b)?,
            input(&data.c)?,
            bench.context.buffer_with(data.n.slice())?,
            empty(size_of::<T>())?,
            empty(size_of::<T>())?,
            empty(4)?,
        ]))
    }

    /// Whether the kernel's results agree with SLEEF's, within the error bounds of both.
    fn compare<T: Element>(
        &self,
        bench: &Bench,
        compared: &Compared,
        data: &Data<T>,
    ) -> Result<()> {
        let tolerance = if size_of::<T>() == 4 { 2e-6 } else { 4e-15 };
        let near = |found: f64, wanted: f64| {
            found == wanted
                || (found.is_nan() && wanted.is_nan())
                || (found - wanted).abs() <= tolerance * wanted.abs().max(1.0)
        };
        let same = |buffer: &Buffer, wanted: &Cells<T>| -> Result<()> {
            let mut found = vec![T::of(0.0); COUNT];
            bench.queue.read(buffer, &mut found)?;
            for (nth, (found, wanted)) in found.iter().zip(wanted.slice()).enumerate() {
                let (found, wanted, at): (f64, f64, f64) =
                    ((*found).into(), (*wanted).into(), data.a.slice()[nth].into());
                ensure!(
                    near(found, wanted),
                    "{}({at:e}, ...) is {found:e}, SLEEF says {wanted:e}",
                    compared.name
                );
            }
            Ok(())
        };
        if compared.signature != Signature::Exponent {
            same(&self.0[4], &data.first)?;
        }
        if compared.signature == Signature::Pair {
            same(&self.0[5], &data.second)?;
        }
        if matches!(compared.signature, Signature::Exponent | Signature::Split) {
            let mut found = vec![0_i32; COUNT];
            bench.queue.read(&self.0[6], &mut found)?;
            ensure!(
                found == data.whole.slice(),
                "{} returns other whole numbers than SLEEF",
                compared.name
            );
        }
        Ok(())
    }
}

/// Measures every function whose name is `only` (all, if empty) on every driver, and prints the
/// table.
pub(crate) fn parent(drivers: &[Driver], only: &str, rounds: u32, json: &Path) -> Result<()> {
    let chosen: Vec<&Compared> = COMPARED
        .iter()
        .filter(|compared| only.is_empty() || only.split(',').any(|one| one == compared.name))
        .collect();
    ensure!(!chosen.is_empty(), "there is no function {only} in this section");
    let progress = ProgressBar::new((chosen.len() * 2 * drivers.len()) as u64);
    progress.set_style(ProgressStyle::with_template("{bar:30} {pos}/{len} {msg}")?);
    let (mut measured, mut failures) = (Vec::new(), Vec::new());
    for driver in drivers {
        for element in [f32::NAME, f64::NAME] {
            for compared in &chosen {
                // SLEEF 3.5.1's expfrexpf returns 0 for every number.
                if compared.signature == Signature::Split && element == f32::NAME {
                    continue;
                }
                progress.set_message(compared.name);
                let what = format!("{SECTION} {} {element} {}", compared.name, rounds * 9);
                let outcome = driver
                    .child(&what, Cache::Off)
                    .and_then(|said| Ok(serde_json::from_str(&said)?));
                match outcome {
                    Ok(times) => measured.push(Measured {
                        driver: driver.name.clone(),
                        name: compared.name,
                        element,
                        limit: compared.limit(),
                        times,
                    }),
                    Err(error) => failures
                        .push(format!("{} {element} on {}: {error:#}", compared.name, driver.name)),
                }
                progress.inc(1);
            }
        }
    }
    progress.finish_and_clear();
    print!("{}", table(&measured));
    if let Some(folder) = json.parent() {
        fs::create_dir_all(folder).with_context(|| folder.display().to_string())?;
    }
    fs::write(json, serde_json::to_string_pretty(&measured)?)
        .with_context(|| json.display().to_string())?;
    if !failures.is_empty() {
        bail!("not measured:\n  {}", failures.join("\n  "));
    }
    Ok(())
}

fn table(measured: &[Measured]) -> String {
    let mut text = format!(
        "{:<22}{:<12}{:>10}{:>10}{:>10}{:>14}{:>14}{:>8}\n",
        "ns per element",
        "driver",
        "scalar",
        "vector",
        "SLEEF",
        "vector/SLEEF",
        "scalar/SLEEF",
        "limit"
    );
    for row in measured {
        let [scalar, vector, sleef] =
            [&row.times.scalar, &row.times.vector, &row.times.sleef].map(|times| median(times));
        let ratio = vector / sleef;
        let _ = writeln!(
            text,
            "{:<22}{:<12}{scalar:>10.3}{vector:>10.3}{sleef:>10.3}{ratio:>14.2}{:>14.2}{:>8}{}",
            format!("{} {}", row.name, row.element),
            row.driver,
            scalar / sleef,
            row.limit,
            if ratio <= row.limit { "" } else { " OVER" }
        );
    }
    text
}

fn median(times: &[f64]) -> f64 {
    let mut sorted = times.to_vec();
    sorted.sort_by(f64::total_cmp);
    sorted.get(sorted.len() / 2).copied().unwrap_or(f64::NAN)
}
