//! Starts other programs, and finds the workspace. Not here: which programs.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail};

/// The root of the workspace that contains this xtask.
pub(crate) fn root() -> PathBuf {
    let manifest = Path::new(env!("CARGO_MANIFEST_DIR"));
    manifest.ancestors().nth(2).unwrap_or(manifest).to_path_buf()
}

/// Cargo, started in the workspace's root.
pub(crate) fn cargo() -> Command {
    let mut command = Command::new(env!("CARGO"));
    command.current_dir(root());
    command
}

/// Runs `command` with this program's input and output. Fails if the command fails.
pub(crate) fn check(command: &mut Command) -> Result<()> {
    let shown = show(command);
    let status = command.status().with_context(|| format!("cannot start {shown}"))?;
    if !status.success() {
        bail!("{shown}: {status}");
    }
    Ok(())
}

/// Runs `command` and returns its output. On failure the error contains its error output.
pub(crate) fn output(command: &mut Command) -> Result<String> {
    let shown = show(command);
    let output =
        command.stdin(Stdio::null()).output().with_context(|| format!("cannot start {shown}"))?;
    if !output.status.success() {
        bail!("{shown}: {}\n{}", output.status, String::from_utf8_lossy(&output.stderr));
    }
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

/// Environment variables with which the driver's platform has only the device `name`: `host`, or
/// `refsi` (the system that `HAL_REFSI_SOC` names).
pub(crate) fn device_variables(name: &str) -> Option<&'static [(&'static str, &'static str)]> {
    match name {
        "host" => Some(&[("MUXCL_DEVICES", "host")]),
        "refsi" => Some(&[("MUXCL_DEVICES", "hal"), ("CA_HAL_DEVICE", "refsi")]),
        _ => None,
    }
}

/// A folder with one `.icd` file, for `OCL_ICD_VENDORS`: the loader finds `driver` and no other.
pub(crate) fn vendors(folder: PathBuf, driver: &Path) -> Result<PathBuf> {
    std::fs::create_dir_all(&folder).with_context(|| folder.display().to_string())?;
    std::fs::write(folder.join("driver.icd"), format!("{}\n", driver.display()))?;
    Ok(folder)
}

/// True if `command` can be started and succeeds. Prints nothing.
pub(crate) fn succeeds(command: &mut Command) -> bool {
    command
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()
        .is_ok_and(|status| status.success())
}

/// The command line as a person would type it.
pub(crate) fn show(command: &Command) -> String {
    let program = Path::new(command.get_program()).file_name().unwrap_or(command.get_program());
    std::iter::once(program)
        .chain(command.get_args())
        .map(|part| part.to_string_lossy())
        .collect::<Vec<_>>()
        .join(" ")
}
