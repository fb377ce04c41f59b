//! Runs one test again in a child process, for tests that may end their process or that need
//! another environment.

use std::process::{Command, Output};

use anyhow::{Context as _, Result, ensure};
use muxcl_client::Device;
use muxcl_client::sys::{CL_DEVICE_TYPE, CL_DEVICE_TYPE_CPU};

use crate::Body;

/// Holds the name of the test that a child process was started for.
const VARIABLE: &str = "MUXCL_REGRESSION_CHILD";

/// Holds the RefSi device of a child process.
pub(crate) const SOC: &str = "MUXCL_REGRESSION_SOC";

/// The RefSi device of this process, as in `HAL_REFSI_SOC`. Default: `g1`.
#[must_use]
pub fn soc() -> String {
    #[expect(clippy::disallowed_methods, reason = "a message between processes of this test")]
    std::env::var(SOC).unwrap_or_else(|_| "g1".to_owned())
}

/// Runs the test `name` in a child process with these environment variables and without the cache
/// of compile results. `name` is the test's name in its list. `None`: this is the child.
pub(crate) fn output(
    name: &str,
    device: Device,
    variables: &[(&str, &str)],
) -> Result<Option<Output>> {
    #[expect(clippy::disallowed_methods, reason = "a message between processes of this test")]
    let is_child = std::env::var_os(VARIABLE).is_some_and(|child| child == name);
    if is_child {
        return Ok(None);
    }
    let is_host = device.number(CL_DEVICE_TYPE)? & CL_DEVICE_TYPE_CPU != 0;
    let trial = format!("{}/{name}", if is_host { "host" } else { "hal" });
    let output = Command::new(std::env::current_exe()?)
        .args(["--exact", &trial])
        .env(VARIABLE, name)
        .env("MUXCL_CACHE", "0")
        .envs(variables.iter().copied())
        .output()
        .context("the child process does not start")?;
    let text = String::from_utf8_lossy(&output.stdout);
    ensure!(
        !output.status.success() || text.contains("1 passed"),
        "the child process ran no test:\n{text}"
    );
    Ok(Some(output))
}

/// The compiler as a process of its own.
pub(crate) const PROCESS: &[(&str, &str)] = &[("MUXCL_COMPILER", "process")];
/// The compiler as a library in the test's process.
pub(crate) const INLINE: &[(&str, &str)] = &[("MUXCL_COMPILER", "inline")];

/// Runs `body` in a child process, as [`output`].
pub(crate) fn run(
    name: &str,
    device: Device,
    variables: &[(&str, &str)],
    body: Body,
) -> Result<()> {
    let Some(output) = output(name, device, variables)? else { return body(device) };
    let text = [output.stdout, output.stderr].concat();
    let text = String::from_utf8_lossy(&text);
    ensure!(output.status.success(), "the child process: {}\n{text}", output.status);
    Ok(())
}
