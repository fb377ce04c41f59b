//! The driver under test: the driver that cargo builds beside the tests, or the one that
//! `MUXCL_TEST_ICD` names.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context as _, Result, ensure};
use libtest_mimic::{Arguments, Failed, Trial};

/// The driver under test.
#[derive(Debug)]
pub struct Driver {
    /// Path of the library.
    pub library: PathBuf,
    /// True if the driver is muxcl.
    pub is_ours: bool,
}

/// Makes the ICD loader find only the driver under test.
///
/// # Safety
/// No other thread may run, because this changes the environment. Call it first in `main`.
pub unsafe fn choose() -> Result<Driver> {
    let other = muxcl_config::MUXCL_TEST_ICD.get_os().map(PathBuf::from);
    let is_ours = other.is_none();
    let library = match other {
        Some(library) => library,
        None => ours()?,
    };
    // SAFETY: the caller promises that no other thread runs.
    unsafe { muxcl_client::use_vendors(&vendors(&library)?) };
    Ok(Driver { library, is_ours })
}

/// The `main` function of a test program: chooses the driver and runs the tests that `trials`
/// returns for its devices.
///
/// # Safety
/// As [`choose`].
pub unsafe fn run(trials: impl FnOnce() -> Result<Vec<Trial>>) -> ExitCode {
    let arguments = Arguments::from_args();
    // SAFETY: as the caller promises.
    match unsafe { choose() }.and_then(|_| trials()) {
        Ok(trials) => libtest_mimic::run(&arguments, trials).exit_code(),
        Err(error) => exit(Err(error)),
    }
}

/// The exit status of a program that did `result`. An error is written to stderr.
pub fn exit(result: Result<()>) -> ExitCode {
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            #[expect(clippy::print_stderr, reason = "a test harness reports on the terminal")]
            {
                eprintln!("{error:#}");
            }
            ExitCode::FAILURE
        }
    }
}

/// A test that does `test`.
pub fn trial(name: &str, test: impl FnOnce() -> Result<()> + Send + 'static) -> Trial {
    Trial::test(name, move || test().map_err(|error| Failed::from(format!("{error:#}"))))
}

/// Runs tests of what only muxcl has: none if the driver under test is another one.
pub fn run_ours(trials: Vec<Trial>) -> ExitCode {
    let ours = muxcl_config::MUXCL_TEST_ICD.get_os().is_none();
    let trials = if ours { trials } else { Vec::new() };
    libtest_mimic::run(&Arguments::from_args(), trials).exit_code()
}

/// `target/debug/libmuxcl.so` for `target/debug/deps/kernels-...`.
fn ours() -> Result<PathBuf> {
    let program = std::env::current_exe()?;
    let folder = program.ancestors().nth(2).context("no target folder")?;
    let library = folder.join("libmuxcl.so");
    ensure!(
        library.exists(),
        "{} is not there: `cargo build -p muxcl-icd -p muxcl-compiler-process`, or set \
         MUXCL_TEST_ICD",
        library.display()
    );
    Ok(library)
}

/// A folder with one `.icd` file that names `library`; always the same for one library.
fn vendors(library: &Path) -> Result<PathBuf> {
    let name: String = library
        .display()
        .to_string()
        .chars()
        .map(|c| if c.is_ascii_alphanumeric() { c } else { '-' })
        .collect();
    let program = std::env::current_exe()?;
    let target = program.ancestors().nth(2).context("no target folder")?;
    let folder = target.join("test-vendors").join(name.trim_start_matches('-'));
    fs::create_dir_all(&folder).with_context(|| folder.display().to_string())?;
    // The file is renamed into place once complete, because another test may be reading it. The
    // loader reads only names that end in `.icd`.
    let staged = folder.join(format!("driver.{}", std::process::id()));
    fs::write(&staged, format!("{}\n", library.display()))?;
    fs::rename(staged, folder.join("driver.icd"))?;
    Ok(folder)
}
