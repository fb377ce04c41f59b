//! The driver that cargo built beside a test program, its devices one by one, and processes that
//! see only this driver.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;

use muxcl_config::MUXCL_COMPILER_PATH;

/// A device as the only one of the platform: its name here, and the variables that make it so.
pub type OnlyDevice = (&'static str, &'static [(&'static str, &'static str)]);

/// The devices the driver has on this machine.
pub const DEVICES: &[OnlyDevice] = &[
    ("host", &[("MUXCL_DEVICES", "host")]),
    ("refsi-m1", &[("MUXCL_DEVICES", "hal"), ("CA_HAL_DEVICE", "refsi"), ("HAL_REFSI_SOC", "m1")]),
    ("refsi-g1", &[("MUXCL_DEVICES", "hal"), ("CA_HAL_DEVICE", "refsi"), ("HAL_REFSI_SOC", "g1")]),
];

/// The folder with the driver's libraries: a test program lies in its `deps`, or the compiler
/// library is named by variable.
///
/// # Errors
/// The command that builds them, for a message.
pub fn libraries() -> Result<PathBuf, &'static str> {
    let program = std::env::current_exe().map_err(|_| "this program has no path")?;
    let beside = program.ancestors().nth(2).map(Path::to_path_buf);
    let named = MUXCL_COMPILER_PATH
        .get_os()
        .and_then(|file: OsString| Some(Path::new(&file).parent()?.to_path_buf()));
    let complete = |folder: &PathBuf| {
        ["libmuxcl.so", "libmuxcl_compiler.so", "libhal_refsi.so"]
            .iter()
            .all(|name| folder.join(name).exists())
    };
    let found = [beside, named].into_iter().flatten().find(complete);
    found.ok_or("run `cargo build -p muxcl-icd -p muxcl-compiler-lib -p muxcl-hal-refsi` first")
}

/// This program again, seeing only the driver and of it only the device; what it keeps lies below
/// `folder`.
///
/// # Errors
/// Of the file system, or of a driver that was not built.
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
        // The driver the loader finds is not instrumented: ThreadSanitizer would see half of what
        // orders it.
        .env("TSAN_OPTIONS", "report_bugs=0:die_after_fork=0");
    Ok(command)
}
