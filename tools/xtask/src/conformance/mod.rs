//! `cargo xtask conformance`: runs an existing build of the Khronos CTS, one process per sub-test,
//! and compares the outcomes with `conformance/expect/<device>.toml`.
//!
//! Invariant: every sub-test that the programs list is run; none is skipped silently. A sub-test
//! that does not pass must be in the expectation file with its reason, and one that is in the file
//! and passes is also an error. Not here: building the CTS.

mod conversions;
mod images;
mod report;
mod runner;

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Duration;

use anyhow::{Result, bail};

use crate::expect::{self, Expectations, Observed};
use crate::outcome::{Status, load, read_toml, save};
use crate::{dist, run};
use runner::{Outcome, Runner};

/// Arguments of `conformance`.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// The CTS build folder (the one with `test_conformance/` in it).
    #[arg(long)]
    cts: PathBuf,
    /// The device: `host`, or `refsi` (the system that `HAL_REFSI_SOC` names).
    #[arg(long, default_value = "host")]
    device: String,
    /// Test this driver library instead of building `target/dist`.
    #[arg(long)]
    driver: Option<PathBuf>,
    /// A folder with another `libOpenCL.so.1` to run through.
    #[arg(long)]
    loader: Option<PathBuf>,
    /// Sub-tests at a time.
    #[arg(long, default_value_t = 2)]
    jobs: usize,
    /// In suites marked `reduces`, test one in this many of the values, a power of two.
    #[arg(long)]
    one_in: Option<u32>,
    /// Keep the results of an earlier run, and run only sub-tests without a result.
    #[arg(long)]
    resume: bool,
    /// Write `conformance/results.md` (`results-refsi.md` for RefSi) from all results known.
    #[arg(long)]
    write_results: bool,
    /// Only sub-tests whose `suite/name` matches: a part of it, or a pattern with `*`. May be
    /// repeated.
    filter: Vec<String>,
}

/// `conformance/suites.toml`: the CTS programs, in the order of a run.
#[derive(serde::Deserialize)]
#[serde(deny_unknown_fields)]
struct Suites {
    suite: Vec<Suite>,
}

/// One CTS program.
#[derive(serde::Deserialize, Clone)]
#[serde(deny_unknown_fields)]
struct Suite {
    /// The short name for the results.
    name: String,
    /// The program, relative to `test_conformance/`.
    program: String,
    /// Its arguments before the sub-test's name.
    #[serde(default)]
    args: Vec<String>,
    /// Maximum duration of a sub-test, in seconds.
    #[serde(default = "default_timeout")]
    timeout: u64,
    /// Its sub-tests run one at a time, because they need most of the memory or measure time.
    #[serde(default)]
    alone: bool,
    /// Its wimpy mode has an argument for the factor by which it reduces the values.
    #[serde(default)]
    reduces: bool,
    /// A folder that the program reads, relative to `test_conformance/`.
    needs: Option<PathBuf>,
    /// The source of its sub-tests.
    #[serde(default)]
    listing: Listing,
}

/// The source of a program's sub-tests.
#[derive(serde::Deserialize, Clone, Copy, Default, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
enum Listing {
    /// The program lists them.
    #[default]
    Program,
    /// See [`conversions`].
    Conversions,
    /// The program lists them, and some are divided: see [`images`].
    Images,
}

fn default_timeout() -> u64 {
    900
}

/// A sub-test to run.
struct SubTest {
    suite: Suite,
    name: String,
    /// Its arguments on the command line.
    arguments: Vec<String>,
    /// Its name in the program's verdicts.
    verdict: String,
}

impl SubTest {
    fn id(&self) -> String {
        format!("{}/{}", self.suite.name, self.name)
    }
}

/// Runs the sub-tests that the filter selects, and reports.
///
/// # Errors
/// A sub-test is not as expected, or the programs cannot be listed or started.
pub(crate) fn conformance(args: &Args) -> Result<()> {
    let folder = run::root().join("conformance");
    let suites: Suites = read_toml(&folder.join("suites.toml"))?;
    let expectations =
        Expectations::read(&folder.join("expect").join(format!("{}.toml", args.device)))?;
    let programs = args.cts.join("test_conformance");
    if !programs.is_dir() {
        bail!("{} is not a folder: --cts needs the CTS build folder", programs.display());
    }

    let driver = match &args.driver {
        Some(library) => std::path::absolute(library)?,
        None => dist::dist()?.library,
    };
    let results = run::root().join("target/conformance").join(&args.device);
    let Some(variables) = run::device_variables(&args.device) else {
        bail!("`{}` is neither `host` nor `refsi`", args.device);
    };
    let runner = Runner::new(&programs, &driver, args.loader.as_deref(), &results, variables)?;

    let mut known =
        if args.resume || !args.filter.is_empty() { load(&results)? } else { BTreeMap::new() };
    let mut listed = Vec::new();
    let mut absent = Vec::new();
    for mut suite in suites.suite {
        if let Some(factor) = args.one_in.filter(|_| suite.reduces) {
            suite.args.push(format!("-[{factor}]"));
        }
        match runner.list(&suite) {
            Ok(tests) => listed.extend(tests),
            Err(error) => absent.push(format!("{}: {error:#}", suite.name)),
        }
    }
    let selected: Vec<_> = listed
        .into_iter()
        .filter(|test| {
            args.filter.is_empty() || args.filter.iter().any(|filter| selects(filter, &test.id()))
        })
        .filter(|test| !(args.resume && known.contains_key(&test.id())))
        .collect();
    println!("{} sub-test(s) to run, driver {}", selected.len(), driver.display());

    let mut unexpected = Vec::new();
    runner.run_all(selected, args.jobs, |id, outcome| {
        let verdict = expectations.judge(observed(id, &outcome));
        println!("{:>8} {:>7.1}s  {id}{}", outcome.status, outcome.seconds, verdict.remark());
        if verdict.is_unexpected() {
            unexpected.push(format!("{:>8}  {id}{}", outcome.status, verdict.remark()));
        }
        known.insert(id.to_owned(), outcome);
        // Written after every sub-test, so that a stopped run can resume.
        save(&results, &known)
    })?;

    for line in &absent {
        println!("not run: {line}");
    }
    report::summary(&known);
    if args.write_results {
        let file = if args.device == "host" {
            "results.md".to_owned()
        } else {
            format!("results-{}.md", args.device)
        };
        report::write(&folder.join(file), &args.device, &known, &expectations, &absent)?;
    }
    if !unexpected.is_empty() {
        println!("\nnot as {}.toml expects:", args.device);
        for line in &unexpected {
            println!("{line}");
        }
        bail!(
            "{} sub-test(s) are not as expected; their logs are below {}",
            unexpected.len(),
            results.display()
        );
    }
    if !absent.is_empty() && args.filter.is_empty() {
        bail!("{} program(s) of conformance/suites.toml could not be listed", absent.len());
    }
    Ok(())
}

fn selects(filter: &str, id: &str) -> bool {
    if filter.contains('*') { expect::matches(filter, id) } else { id.contains(filter) }
}

/// A result as expectation files see it. CTS programs say nothing about an outcome, and each device
/// has a file of its own.
fn observed<'a>(id: &'a str, outcome: &Outcome) -> Observed<'a> {
    Observed { test: id, status: outcome.status, message: "", device: "" }
}

/// The time limit of a suite.
fn limit(suite: &Suite) -> Duration {
    Duration::from_secs(suite.timeout)
}

/// The number of results with `status` in the suite `suite`.
fn count(known: &BTreeMap<String, Outcome>, suite: &str, status: Status) -> usize {
    known
        .iter()
        .filter(|(id, outcome)| id.split('/').next() == Some(suite) && outcome.status == status)
        .count()
}
