//! Runs files of tests with pytest: a process per file, several at a time.
//!
//! Invariant: each test of a file has a result, unless [`ENDINGS`] tests of the file ended the
//! process or its time. A test that does is left out when the file runs again. Not here:
//! what the results mean.

use std::fs::{self, File};
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, bail};

use super::junit::{self, TestResult, Tests};
use crate::outcome::Status;

/// The plugin of pytest that tells which test runs.
const PLUGIN: &str = include_str!("progress.py");
/// The number of tests of a file that may end the process before the rest is given up.
const ENDINGS: usize = 20;

/// Runs an application's tests on one driver.
pub(super) struct Runner {
    /// The interpreter of the virtual environment.
    pub(super) python: PathBuf,
    /// The folder that the files are relative to.
    pub(super) source: PathBuf,
    /// The folder for logs and results.
    pub(super) results: PathBuf,
    /// The folder of `conformance/apps`, for plugins of applications.
    pub(super) tree: PathBuf,
    /// More arguments for pytest.
    pub(super) args: Vec<String>,
    /// Environment variables.
    pub(super) variables: Vec<(String, String)>,
    /// Maximum duration of a test.
    pub(super) limit: Duration,
}

/// How a process ended.
enum End {
    Exit(ExitStatus),
    /// It was stopped.
    Timeout,
}

impl Runner {
    /// Runs `files`, up to `jobs` at a time; calls `done` with each file's results as they come.
    pub(super) fn run_all(
        &self,
        files: &[String],
        jobs: usize,
        mut done: impl FnMut(&str, Result<Tests>) -> Result<()>,
    ) -> Result<()> {
        let plugin = self.results.join("plugin");
        fs::create_dir_all(&plugin).with_context(|| plugin.display().to_string())?;
        fs::write(plugin.join("muxcl_progress.py"), PLUGIN)?;
        let next = AtomicUsize::new(0);
        let (sender, receiver) = mpsc::channel();
        thread::scope(|scope| {
            for _ in 0..jobs.max(1).min(files.len()) {
                let (sender, next) = (sender.clone(), &next);
                scope.spawn(move || {
                    while let Some(file) = files.get(next.fetch_add(1, Ordering::Relaxed)) {
                        if sender.send((file, self.run(file))).is_err() {
                            break;
                        }
                    }
                });
            }
            drop(sender);
            receiver.iter().try_for_each(|(file, tests)| done(file, tests))
        })
    }

    /// Runs the tests of `file`.
    fn run(&self, file: &str) -> Result<Tests> {
        let stem = self.results.join(file.replace('/', "."));
        let path = |extension: &str| stem.with_extension(extension);
        let (report, progress) = (path("xml"), path("progress"));
        let mut ended = Tests::new();
        for attempt in 1.. {
            let names: Vec<_> = ended.keys().map(String::as_str).collect();
            fs::write(path("leave-out"), names.join("\n"))?;
            fs::write(&progress, "")?;
            if report.exists() {
                fs::remove_file(&report)?;
            }
            let log = path(if attempt == 1 { "log" } else { "again.log" });
            let mut child = self.start(file, &stem, &log)?;
            let end = self.wait(&mut child, &progress)?;
            let current = current_test(&fs::read_to_string(&progress)?);
            let tests = match fs::read_to_string(&report) {
                Ok(text) if current.is_none() => Some(junit::parse(&text, file)?),
                _ => None,
            };
            let (status, message) = match end {
                End::Timeout => {
                    (Status::Timeout, format!("no end after {} s", self.limit.as_secs()))
                }
                End::Exit(exit) => match (exit.code(), tests) {
                    // 0: all passed, 1: some failed, 5: the file has no tests. 2: interrupted,
                    // because a file could not be imported.
                    (Some(0 | 1 | 2 | 5), Some(mut tests)) => {
                        tests.extend(ended);
                        return Ok(tests);
                    }
                    (Some(3 | 4), _) => bail!("{file}: {}", failure(&log)?),
                    (_, Some(mut tests)) => {
                        let message = format!("after the last test: {exit}");
                        tests.extend(ended);
                        tests.insert(format!("{file}::exit"), crash(Status::Crash, message));
                        return Ok(tests);
                    }
                    (_, None) => (Status::Crash, exit.to_string()),
                },
            };
            let Some(test) = current.filter(|_| ended.len() < ENDINGS) else {
                let place = if ended.len() < ENDINGS { "collection" } else { "rest" };
                ended.insert(format!("{file}::{place}"), crash(status, message));
                return Ok(ended);
            };
            ended.insert(test, crash(status, message));
        }
        Ok(ended)
    }

    fn start(&self, file: &str, stem: &Path, log: &Path) -> Result<Child> {
        let log = File::create(log).with_context(|| log.display().to_string())?;
        let plugin = self.results.join("plugin");
        // The tests end with this process, however it ends.
        let mut command = Command::new("setpriv");
        command.args(["--pdeathsig", "KILL", "--"]).arg(&self.python);
        command.args([
            "-m",
            "pytest",
            "-v",
            "-p",
            "muxcl_progress",
            "-p",
            "no:cacheprovider",
            "--rootdir=.",
        ]);
        command.args(["-o", "addopts=", "-o", "junit_family=xunit2"]);
        for (option, extension) in [
            ("--junitxml", "xml"),
            ("--progress-file", "progress"),
            ("--leave-out-file", "leave-out"),
        ] {
            command.arg(format!("{option}={}", stem.with_extension(extension).display()));
        }
        command
            .args(&self.args)
            .arg(file)
            .current_dir(&self.source)
            .env_remove("OCL_ICD_FILENAMES")
            .env("PYTHONNOUSERSITE", "1")
            .env("PYTHONPATH", format!("{}:{}", plugin.display(), self.tree.display()))
            .env("PYTHONDONTWRITEBYTECODE", "1")
            .envs(self.variables.iter().map(|(name, value)| (name, value)))
            // Its own group: a timeout also ends the processes that a test has started.
            .process_group(0)
            .stdin(Stdio::null())
            .stdout(log.try_clone()?)
            .stderr(log);
        command.spawn().with_context(|| format!("cannot start {}", self.python.display()))
    }

    /// Waits until the process ends, or until neither a test starts nor one ends for too long.
    fn wait(&self, child: &mut Child, progress: &Path) -> Result<End> {
        let mut length = 0;
        let mut since = Instant::now();
        loop {
            if let Some(exit) = child.try_wait()? {
                return Ok(End::Exit(exit));
            }
            let now = fs::metadata(progress)?.len();
            if now != length {
                length = now;
                since = Instant::now();
            }
            if since.elapsed() >= self.limit {
                let group = format!("-{}", child.id());
                Command::new("kill").args(["-KILL", "--", &group]).status()?;
                child.wait()?;
                return Ok(End::Timeout);
            }
            thread::sleep(Duration::from_millis(50));
        }
    }
}

fn crash(status: Status, message: String) -> TestResult {
    TestResult { status, seconds: 0.0, message }
}

/// The test that has started and not ended.
fn current_test(progress: &str) -> Option<String> {
    progress.lines().next_back()?.strip_prefix("start ").map(str::to_owned)
}

/// Why pytest ran no test, in one line.
fn failure(log: &Path) -> Result<String> {
    let text = fs::read_to_string(log)?;
    let lines = || text.lines().rev().map(str::trim).filter(|line| !line.is_empty());
    let line = lines()
        .find_map(|line| line.strip_prefix("INTERNALERROR> ").or(line.strip_prefix("ERROR: ")))
        .or_else(|| lines().next());
    Ok(format!("{} (log: {})", line.unwrap_or("pytest wrote no error"), log.display()))
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt as _;

    use super::*;

    /// Runs a file with a shell script in place of Python, which sees the plugin's files as
    /// `$progress`, `$leave_out` and `$xml`.
    fn run(script: &str, limit: Duration) -> Result<Tests> {
        let folder = tempfile::tempdir().unwrap();
        let python = folder.path().join("python");
        let text = format!(
            "#!/bin/sh\nfor a in \"$@\"; do case $a in --progress-file=*) progress=${{a#*=}};; \
             --leave-out-file=*) leave_out=${{a#*=}};; --junitxml=*) xml=${{a#*=}};; esac; done\n\
             report() {{ echo \"<testsuites>$1</testsuites>\" > $xml; }}\n{script}\n"
        );
        fs::write(&python, text).unwrap();
        fs::set_permissions(&python, fs::Permissions::from_mode(0o755)).unwrap();
        let runner = Runner {
            python,
            source: folder.path().to_owned(),
            results: folder.path().join("results"),
            tree: folder.path().to_owned(),
            args: Vec::new(),
            variables: Vec::new(),
            limit,
        };
        let mut results = Vec::new();
        runner
            .run_all(&["t.py".to_owned()], 2, |file, tests| {
                assert_eq!(file, "t.py");
                results.push(tests);
                Ok(())
            })
            .unwrap();
        results.pop().unwrap()
    }

    const LONG: Duration = Duration::from_secs(60);

    #[test]
    fn a_crash_names_its_test_and_the_others_run() {
        let tests = run(
            "if grep -q '^t.py::b$' $leave_out; then\n\
             report '<testcase classname=\"t\" name=\"a\" time=\"1\"/>'; exit 0; fi\n\
             printf 'start t.py::a\\nend t.py::a\\nstart t.py::b\\n' >> $progress; kill -SEGV $$",
            LONG,
        )
        .unwrap();
        assert_eq!(tests["t.py::t::a"].status, Status::Pass);
        assert_eq!(tests["t.py::b"].status, Status::Crash);
        assert!(tests["t.py::b"].message.contains("SIGSEGV"), "{tests:?}");
        assert_eq!(tests.len(), 2);
    }

    #[test]
    fn a_test_without_end_is_stopped() {
        let tests = run(
            "grep -q '^t.py::b$' $leave_out && report '' && exit 5\n\
             echo 'start t.py::b' >> $progress; sleep 600",
            Duration::from_millis(300),
        )
        .unwrap();
        assert_eq!(tests["t.py::b"].status, Status::Timeout);
        assert_eq!(tests.len(), 1);
    }

    #[test]
    fn an_end_outside_of_tests_is_reported() {
        let tests = run("kill -ABRT $$", LONG).unwrap();
        assert_eq!(tests["t.py::collection"].status, Status::Crash);
        let tests = run("exit 0", LONG).unwrap();
        assert_eq!(tests["t.py::collection"].status, Status::Crash, "no report was written");
        let script = "report '<testcase classname=\"t\" name=\"a\"/>'; kill -ABRT $$";
        let tests = run(script, LONG).unwrap();
        assert_eq!(tests["t.py::exit"].status, Status::Crash);
        assert_eq!(tests["t.py::t::a"].status, Status::Pass);
    }

    #[test]
    fn a_file_in_which_everything_crashes_is_given_up() {
        let tests =
            run("echo \"start t.py::$(wc -c < $leave_out)\" >> $progress; kill -SEGV $$", LONG)
                .unwrap();
        assert_eq!(tests.len(), ENDINGS + 1);
        assert!(tests.contains_key("t.py::rest"), "{tests:?}");
    }

    #[test]
    fn a_wrong_call_of_pytest_is_an_error() {
        let error =
            run("echo 'ERROR: unrecognized arguments: --x'; echo '  inifile: None'; exit 4", LONG)
                .unwrap_err();
        assert!(error.to_string().starts_with("t.py: unrecognized arguments"), "{error}");
    }
}
