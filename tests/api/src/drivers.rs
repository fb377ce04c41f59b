//! The driver that cargo built with this test program, each of its devices alone, and processes
//! that see only this driver.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;

use libtest_mimic::{Arguments, Failed, Trial};
use muxcl_config::MUXCL_COMPILER_PATH;

/// A device as the only one of the platform: its name here, and the environment variables that
/// select it.
pub type OnlyDevice = (&'static str, &'static [(&'static str, &'static str)]);

/// A test in a process of its own: its name, and its body, which gets a folder for its files.
pub type Scenario = (&'static str, fn(&Path));

/// The scenario, and its folder, for which this process was started with `--child NAME FOLDER`.
///
/// # Panics
/// If there is no such scenario.
#[must_use]
pub fn started_for(scenarios: &[Scenario]) -> Option<(Scenario, PathBuf)> {
    let arguments: Vec<String> = std::env::args().collect();
    let [_, child, name, folder] = arguments.as_slice() else { return None };
    let wanted = scenarios.iter().find(|(known, _)| known == name);
    (child == "--child").then(|| (*wanted.expect("a known scenario"), PathBuf::from(folder)))
}

/// The main function of a test program of scenarios. If this process was started for one, runs its
/// body. Else passes each scenario that is not in `parts` to `run`, one after another.
pub fn scenarios(all: &'static [Scenario], parts: &[&str], run: fn(&str) -> Result<(), Failed>) {
    if let Some(((_, body), folder)) = started_for(all) {
        crate::use_loader();
        body(&folder);
        return;
    }
    let mut arguments = Arguments::from_args();
    arguments.test_threads = Some(1);
    let trials = all
        .iter()
        .filter(|(name, _)| !parts.contains(name))
        .map(|(name, _)| Trial::test(*name, move || run(name)))
        .collect();
    libtest_mimic::run(&arguments, trials).exit();
}

/// The driver's devices on this machine.
pub const DEVICES: &[OnlyDevice] = &[
    ("host", &[("MUXCL_DEVICES", "host")]),
    ("refsi-m1", &[("MUXCL_DEVICES", "hal"), ("CA_HAL_DEVICE", "refsi"), ("HAL_REFSI_SOC", "m1")]),
    ("refsi-g1", &[("MUXCL_DEVICES", "hal"), ("CA_HAL_DEVICE", "refsi"), ("HAL_REFSI_SOC", "g1")]),
];

/// The folder with the driver's libraries: the parent of the test program's folder `deps`, or the
/// folder of the compiler library that a variable names.
///
/// # Errors
/// The command that builds the libraries, for a message.
pub fn libraries() -> Result<PathBuf, &'static str> {
    let program = std::env::current_exe().map_err(|_| "this program has no path")?;
    let beside = program.ancestors().nth(2).map(Path::to_path_buf);
    let named = MUXCL_COMPILER_PATH
        .get_os()
        .and_then(|file: OsString| Some(Path::new(&file).parent()?.to_path_buf()));
    let complete = |folder: &PathBuf| {
        ["libmuxcl.so", "libmuxcl_compiler.so", "muxcl-compiler", "libhal_refsi.so"]
            .iter()
            .all(|name| folder.join(name).exists())
    };
    let found = [beside, named].into_iter().flatten().find(complete);
    found.ok_or(
        "run `cargo build -p muxcl-icd -p muxcl-compiler-lib -p muxcl-compiler-process \
         -p muxcl-hal-refsi` first",
    )
}

/// This program again, with this driver and this device only. Its files go below `folder`.
///
/// # Errors
/// Errors of the file system, or a driver that was not built.
pub fn alone(device: &OnlyDevice, folder: &Path) -> std::io::Result<Command> {
    let libraries = libraries().map_err(std::io::Error::other)?;
    let vendors = folder.join("vendors");
    std::fs::create_dir_all(&vendors)?;
    std::fs::write(
        vendors.join("muxcl.icd"),
        format!("{}\n", libraries.join("libmuxcl.so").display()),
    )?;
    let mut command = Command::new(std::env::current_exe()?);
    command
        .env("OCL_ICD_VENDORS", format!("{}/", vendors.display()))
        .env("MUXCL_CACHE_DIR", folder.join("cache"))
        .env("MUXCL_LOG", "warn")
        .envs(device.1.iter().copied())
        // The driver that the loader finds is not instrumented, so ThreadSanitizer would miss half
        // of the synchronization.
        .env("TSAN_OPTIONS", "report_bugs=0:die_after_fork=0");
    Ok(command)
}
