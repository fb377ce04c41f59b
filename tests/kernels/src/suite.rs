//! The harness: one test per kernel file, device and variant. Test programs name a device and call
//! [`main`].
//!
//! On muxcl a file fails if it needs a feature that the device lacks, unless [`Target::without`]
//! names the feature; then the device must lack it. `MUXCL_TEST_ICD` names another driver library
//! to run the same files on, which distinguishes a wrong test from a wrong driver; on that driver
//! such a file is skipped.

use std::fs;
use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;

use anyhow::{Context as _, Result, bail, ensure};
use libtest_mimic::{Arguments, Failed, Trial};
use muxcl_client::{Device, Platform};

use crate::directive::File;
use crate::driver;
use crate::execute::{Variant, execute, lacking};
use crate::{external_memory, images, immutable, page_ends, requirements, shared, spirv, together};

/// A device to test.
#[derive(Clone, Copy, Debug)]
pub struct Target {
    /// The prefix of the tests' names.
    pub name: &'static str,
    /// Prefix of the device's name; empty for the first device.
    pub device: &'static str,
    /// Environment variables for the driver.
    pub environment: &'static [(&'static str, &'static str)],
    /// Features that the device lacks. A file that needs one checks only that the device does not
    /// report it.
    pub without: &'static [&'static str],
    /// Only files whose name contains one of these; empty for all.
    pub only: &'static [&'static str],
    /// Also test the files in SPIR-V, except those that [`spirv`] lists.
    pub il: bool,
    /// How each file is built: for each variant in this list, one test runs.
    pub variants: &'static [Variant],
    /// Also run the image tests.
    pub images: bool,
    /// Also test the device in one context with the host.
    pub with_host: bool,
}

/// The `main` function of a test program.
pub fn main(target: &'static Target) -> ExitCode {
    let arguments = Arguments::from_args();
    match trials(target) {
        Ok(trials) => libtest_mimic::run(&arguments, trials).exit_code(),
        Err(error) => {
            #[expect(clippy::print_stderr, reason = "a test harness reports on the terminal")]
            {
                eprintln!("{error:#}");
            }
            ExitCode::FAILURE
        }
    }
}

fn trials(target: &'static Target) -> Result<Vec<Trial>> {
    for (name, value) in target.environment {
        // SAFETY: no thread has been started yet.
        unsafe { muxcl_client::set_variable(name, value) };
    }
    // SAFETY: as above.
    let driver = unsafe { driver::choose()? };
    let is_ours = driver.is_ours;
    if !is_ours && !target.device.is_empty() {
        // Another driver lacks this device.
        return Ok(Vec::new());
    }
    let all = devices()?;
    let found: Vec<_> = all.iter().filter(|(name, _)| name.starts_with(target.device)).collect();
    if found.is_empty() {
        let names: Vec<_> = all.iter().map(|(name, _)| name.as_str()).collect();
        bail!(
            "{} has no device `{}`, only {names:?}: `cargo build -p muxcl-hal-refsi`?",
            driver.library.display(),
            target.device
        );
    }
    let files = files(&Path::new(env!("CARGO_MANIFEST_DIR")).join("cl"))?;
    ensure!(!files.is_empty(), "no kernel files");
    let mut listed = spirv::NOT_IN_SPIRV.iter().chain(spirv::WRONG_IN_SPIRV);
    if let Some((name, _)) = listed.find(|(name, _)| files.iter().all(|(file, _)| file != name)) {
        bail!(
            "there is no kernel file {name}, which is listed as one that cannot be had in SPIR-V"
        );
    }
    let mut trials = Vec::new();
    for (_, device) in found {
        let device = *device;
        for (name, file) in &files {
            if !target.only.is_empty() && !target.only.iter().any(|part| name.contains(part)) {
                continue;
            }
            let lacks = lacking(device, file)?;
            for &variant in target.variants {
                if !file.variants.is_empty()
                    && !file.variants.iter().any(|wanted| wanted == variant.name())
                {
                    continue;
                }
                if variant == Variant::Il && !(target.il && spirv::can_be_had(name)) {
                    continue;
                }
                let passed_over = !is_ours && !lacks.is_empty();
                let (file, lacks) = (Arc::clone(file), lacks.clone());
                let trial =
                    Trial::test(format!("{}/{name}/{}", target.name, variant.name()), move || {
                        if is_ours
                            && file.needs.iter().any(|need| target.without.contains(&need.as_str()))
                        {
                            return match lacks.is_empty() {
                                true => Err(Failed::from(
                                    "the device has all of it: take it out of the target's list",
                                )),
                                false => Ok(()),
                            };
                        }
                        if !lacks.is_empty() {
                            return Err(Failed::from(format!(
                                "the device lacks {}",
                                lacks.join(" ")
                            )));
                        }
                        execute(device, &file, variant)
                            .map_err(|error| Failed::from(format!("{error:#}")))
                    });
                trials.push(trial.with_ignored_flag(passed_over));
            }
        }
        if target.only.is_empty() {
            if target.images {
                trials.extend(images::trials(target.name, device));
            }
            trials.extend(requirements::trials(target.name, device));
            trials.extend(immutable::trials(target.name, device));
            // Other drivers may import the memory of their own kind of device only.
            if is_ours {
                trials.extend(external_memory::trials(target.name, device));
            }
            trials.extend(page_ends::trials(target.name, device));
        }
        if is_ours && target.only.is_empty() {
            trials.extend(shared::trials(target.name, device)?);
        }
        if target.with_host {
            let host = all
                .iter()
                .find(|(name, _)| !name.starts_with(target.device))
                .context("no host device")?
                .1;
            trials.extend(together::trials(target.name, host, device));
        }
    }
    Ok(trials)
}

fn devices() -> Result<Vec<(String, Device)>> {
    let mut devices = Vec::new();
    for platform in Platform::all()? {
        for device in platform.devices()? {
            devices.push((device.name()?, device));
        }
    }
    Ok(devices)
}

/// Paths of all `.cl` files below `root`, sorted, without the extension.
fn files(root: &Path) -> Result<Vec<(String, Arc<File>)>> {
    let (mut found, mut folders) = (Vec::new(), vec![root.to_path_buf()]);
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).with_context(|| folder.display().to_string())? {
            let path = entry?.path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|ending| ending == "cl") {
                let mut file = File::parse(&fs::read_to_string(&path)?)
                    .with_context(|| path.display().to_string())?;
                file.name = path.strip_prefix(root)?.with_extension("").display().to_string();
                found.push((file.name.clone(), Arc::new(file)));
            }
        }
    }
    found.sort_by(|one, other| one.0.cmp(&other.0));
    Ok(found)
}
