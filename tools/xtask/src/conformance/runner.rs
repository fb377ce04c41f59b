//! Runs CTS programs: one process per sub-test, with a time limit and a log, several at a time.

use std::fs::{self, File};
use std::os::unix::process::ExitStatusExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};

use super::{Listing, SubTest, Suite, conversions, images, limit};
use crate::outcome::Status;
use crate::run;

/// The result of one sub-test.
#[derive(Clone, Debug, serde::Serialize, serde::Deserialize)]
pub(super) struct Outcome {
    pub(super) status: Status,
    pub(super) seconds: f64,
}

/// Starts CTS programs on one driver.
pub(super) struct Runner<'a> {
    programs: &'a Path,
    loader: Option<&'a Path>,
    /// A folder with one `.icd` file, for `OCL_ICD_VENDORS`.
    vendors: PathBuf,
    /// The folder for logs and results.
    results: &'a Path,
    /// Environment variables that choose the device.
    variables: &'a [(&'a str, &'a str)],
}

/// A sub-test that is running.
struct Running {
    test: SubTest,
    child: Child,
    start: Instant,
    verdicts: PathBuf,
}

impl<'a> Runner<'a> {
    pub(super) fn new(
        programs: &'a Path,
        driver: &Path,
        loader: Option<&'a Path>,
        results: &'a Path,
        variables: &'a [(&'a str, &'a str)],
    ) -> Result<Self> {
        let vendors = run::vendors(results.join("vendors"), driver)?;
        Ok(Self { programs, loader, vendors, results, variables })
    }

    fn command(&self, suite: &Suite) -> Result<Command> {
        let program = self.programs.join(&suite.program);
        let folder = program.parent().context("a program without a folder")?;
        if !program.exists() {
            bail!("{} does not exist", program.display());
        }
        if let Some(needs) =
            suite.needs.as_ref().map(|folder| self.programs.join(folder)).filter(|f| !f.is_dir())
        {
            bail!("{} does not exist, which the program reads", needs.display());
        }
        // The sub-tests end with this process, however it ends.
        let mut command = Command::new("setpriv");
        command
            .args(["--pdeathsig", "KILL", "--"])
            .arg(&program)
            .current_dir(folder)
            .env("OCL_ICD_VENDORS", &self.vendors)
            .env_remove("OCL_ICD_FILENAMES");
        command.envs(self.variables.iter().copied());
        if let Some(loader) = self.loader {
            command.env("LD_LIBRARY_PATH", loader);
        }
        Ok(command)
    }

    /// The sub-tests of a program.
    pub(super) fn list(&self, suite: &Suite) -> Result<Vec<SubTest>> {
        let mut command = self.command(suite)?;
        let output = command.arg("--list").stdin(Stdio::null()).output()?;
        let names: Vec<_> = String::from_utf8_lossy(&output.stdout)
            .lines()
            .filter_map(|line| line.strip_prefix('\t'))
            .map(|name| name.trim().to_owned())
            .collect();
        if names.is_empty() {
            bail!("it lists no sub-test ({})", output.status);
        }
        Ok(match suite.listing {
            Listing::Program => names
                .into_iter()
                .map(|name| SubTest {
                    suite: suite.clone(),
                    arguments: vec![name.clone()],
                    verdict: name.clone(),
                    name,
                })
                .collect(),
            Listing::Images => names
                .into_iter()
                .flat_map(|verdict| {
                    images::sub_tests(&verdict).into_iter().map(move |part| (verdict.clone(), part))
                })
                .map(|(verdict, (name, arguments))| SubTest {
                    suite: suite.clone(),
                    name,
                    arguments,
                    verdict,
                })
                .collect(),
            Listing::Conversions => conversions::sub_tests()
                .into_iter()
                .map(|(name, arguments)| SubTest {
                    suite: suite.clone(),
                    name,
                    arguments,
                    verdict: "conversions".into(),
                })
                .collect(),
        })
    }

    /// Runs `tests`, up to `jobs` at a time, in order; calls `done` with each result as it comes.
    pub(super) fn run_all(
        &self,
        tests: Vec<SubTest>,
        jobs: usize,
        mut done: impl FnMut(&str, Outcome) -> Result<()>,
    ) -> Result<()> {
        let mut waiting = tests.into_iter().peekable();
        let mut running: Vec<Running> = Vec::new();
        while waiting.peek().is_some() || !running.is_empty() {
            while running.len() < jobs.max(1)
                && !running.iter().any(|other| other.test.suite.alone)
                && waiting.peek().is_some_and(|next| !next.suite.alone || running.is_empty())
            {
                let Some(test) = waiting.next() else { break };
                running.push(self.start(test)?);
            }
            let mut index = 0;
            while index < running.len() {
                match finished(&mut running[index])? {
                    None => index += 1,
                    Some(outcome) => done(&running.swap_remove(index).test.id(), outcome)?,
                }
            }
            thread::sleep(Duration::from_millis(10));
        }
        Ok(())
    }

    fn start(&self, test: SubTest) -> Result<Running> {
        let folder = self.results.join(&test.suite.name);
        fs::create_dir_all(&folder)?;
        let verdicts = folder.join(format!("{}.json", test.name));
        if verdicts.exists() {
            fs::remove_file(&verdicts)?;
        }
        let log = File::create(folder.join(format!("{}.log", test.name)))?;
        let mut command = self.command(&test.suite)?;
        command
            .args(&test.suite.args)
            .args(&test.arguments)
            .env("CL_CONFORMANCE_RESULTS_FILENAME", &verdicts)
            .stdin(Stdio::null())
            .stdout(log.try_clone()?)
            .stderr(log);
        let child = command.spawn().with_context(|| test.id())?;
        Ok(Running { test, child, start: Instant::now(), verdicts })
    }
}

/// The outcome of a sub-test that has ended or exceeded its time limit.
fn finished(running: &mut Running) -> Result<Option<Outcome>> {
    let seconds = running.start.elapsed().as_secs_f64();
    if let Some(exit) = running.child.try_wait()? {
        return Ok(Some(Outcome {
            status: verdict(&running.verdicts, &running.test.verdict, exit),
            seconds,
        }));
    }
    if running.start.elapsed() < limit(&running.test.suite) {
        return Ok(None);
    }
    running.child.kill()?;
    running.child.wait()?;
    Ok(Some(Outcome { status: Status::Timeout, seconds }))
}

/// The verdict that the CTS wrote. A process that wrote none, or died after it, counts as crashed.
fn verdict(path: &Path, name: &str, exit: ExitStatus) -> Status {
    let Ok(text) = fs::read_to_string(path) else { return Status::Crash };
    let Ok(value) = serde_json::from_str::<serde_json::Value>(&text) else { return Status::Crash };
    if exit.signal().is_some() {
        return Status::Crash;
    }
    match value["results"][name].as_str() {
        Some("pass") if exit.success() => Status::Pass,
        Some("skip") => Status::Skip,
        Some(_) => Status::Fail,
        None => Status::Crash,
    }
}
