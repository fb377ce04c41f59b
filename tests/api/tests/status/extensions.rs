//! The page `docs/extensions.md`: which extensions the driver has comes from the devices' and the
//! platform's answers; a sentence about each one comes from `extensions.toml`.
//!
//! Invariant: an extension that a device reports and the file lacks is an error, and so is one of
//! the file that nothing reports, a test that does not exist, and one that does not test it.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;

use libtest_mimic::Failed;
use serde::Deserialize;

use crate::{Rows, wrapped};

const ABOUT: &str = include_str!("extensions.toml");
/// A file with one row for each suite of the Khronos CTS that has run.
const RESULTS: &str = "conformance/results.md";

const INTRODUCTION: &str = "\
# Extensions

After this page you know which extensions each device has, what is special about them here, and
which tests cover them. Names and versions are the answers of the devices to
`CL_DEVICE_EXTENSIONS_WITH_VERSION`, and of the platform to `CL_PLATFORM_EXTENSIONS_WITH_VERSION`.
Written by `cargo xtask status` (with the sentences of `tests/api/tests/status/extensions.toml`); do
not edit.

The host is this computer's CPU, `refsi-m1` and `refsi-g1` are the simulated RISC-V devices, and
`refsi-rv32` is a G1 with 32-bit addresses (`HAL_DESCRIPTION=RV32GCV_Zfh_Zvfh`). Devices of other
HAL libraries have what [their description](howto/add-hal.md#in-rust) allows. \"CTS\" names suites of
the Khronos CTS; their results are in [results.md](../conformance/results.md) and
[results-refsi.md](../conformance/results-refsi.md).
";

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct About {
    group: Vec<Group>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Group {
    title: String,
    extension: Vec<Extension>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Extension {
    name: String,
    what: String,
    #[serde(default)]
    special: String,
    #[serde(default)]
    tests: Vec<String>,
    #[serde(default)]
    cts: Vec<String>,
}

/// The page, from the answers of the devices `devices` and of their platforms. `root` is the
/// repository.
pub(crate) fn page(
    root: &Path,
    devices: &[&str],
    on_device: &Rows,
    on_platform: &Rows,
) -> Result<String, Failed> {
    let about: About = toml::from_str(ABOUT)?;
    let results = std::fs::read_to_string(root.join(RESULTS))?;
    let mut missing: BTreeMap<&str, ()> =
        on_device.keys().chain(on_platform.keys()).map(|name| (name.as_str(), ())).collect();
    let mut page = String::from(INTRODUCTION);
    for group in &about.group {
        write!(page, "\n## {}\n", group.title)?;
        for extension in &group.extension {
            let name = extension.name.as_str();
            if missing.remove(name).is_none() {
                return Err(format!("{name}: twice in extensions.toml, or not reported").into());
            }
            let place = match (on_device.get(name), on_platform.get(name)) {
                (Some(versions), _) => place(devices, versions),
                (None, Some(versions)) => {
                    let version = versions.first().ok_or("no device has answered")?;
                    format!("Version {version}, of the platform.")
                }
                (None, None) => return Err(format!("{name}: nothing reports it").into()),
            };
            let meaning = format!("{} {}", extension.what, extension.special);
            let facts = format!("{place} {}", tests(root, extension, &results)?);
            let (meaning, facts) = (wrapped(meaning.trim_end()), wrapped(&facts));
            write!(page, "\n### `{name}`\n\n{meaning}\n\n{facts}\n")?;
        }
    }
    match missing.keys().next() {
        Some(name) => Err(format!("extensions.toml has no sentence about {name}").into()),
        None => Ok(page),
    }
}

/// Where an extension is, from the version on each device, or `no`.
fn place(devices: &[&str], versions: &[String]) -> String {
    let first = versions.iter().find(|version| *version != "no").map_or("", String::as_str);
    if versions.iter().all(|version| version == first) {
        return format!("Version {first}, on every device.");
    }
    let list: Vec<String> = devices
        .iter()
        .zip(versions)
        .map(|(device, version)| format!("{device} {version}"))
        .collect();
    format!("Version: {}.", list.join(", "))
}

/// The sentence about tests, with links.
fn tests(root: &Path, extension: &Extension, results: &str) -> Result<String, Failed> {
    let mut list = Vec::new();
    for test in &extension.tests {
        let (path, text) = test.split_once(": ").unwrap_or((test, &extension.name));
        let content =
            std::fs::read_to_string(root.join(path)).map_err(|e| format!("{path}: {e}"))?;
        if !content.contains(text) {
            return Err(format!("{}: {path} does not contain {text}", extension.name).into());
        }
        list.push(format!("[{}](../{path})", path.rsplit('/').next().unwrap_or(path)));
    }
    for suite in &extension.cts {
        if !results.contains(&format!("\n| {suite} |")) {
            return Err(format!("{}: {RESULTS} has no suite {suite}", extension.name).into());
        }
        list.push(format!("CTS `{suite}`"));
    }
    if list.is_empty() {
        return Err(format!("{}: no test", extension.name).into());
    }
    Ok(format!("Tests: {}.", list.join(", ")))
}
