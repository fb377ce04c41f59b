//! The harness: one test per kernel file, device and variant.
//!
//! On muxcl a file that needs what the device lacks is a failure, unless [`NOT_YET`] says so; then it must lack it.
//! `MUXCL_TEST_ICD` names another driver library to run the same files on, to tell a wrong test from a wrong driver; there, a
//! file that needs what the device lacks is passed over.

use std::fs;
use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;

use anyhow::{Context as _, Result, ensure};
use libtest_mimic::{Arguments, Failed, Trial};
use muxcl_client::Platform;
use muxcl_test_kernels::directive::File;
use muxcl_test_kernels::driver;
use muxcl_test_kernels::execute::{Variant, execute, lacking};

/// What muxcl's devices do not have yet: a file that needs it checks that it is not claimed, and nothing else.
const NOT_YET: &[&str] = &[];

fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    match trials() {
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

fn trials() -> Result<Vec<Trial>> {
    // SAFETY: no thread has been started yet.
    let driver = unsafe { driver::choose()? };
    let is_ours = driver.is_ours;

    let files = files(&Path::new(env!("CARGO_MANIFEST_DIR")).join("cl"))?;
    ensure!(!files.is_empty(), "no kernel files");
    let mut trials = Vec::new();
    for platform in Platform::all()? {
        for (number, device) in platform.devices()?.into_iter().enumerate() {
            for (name, file) in &files {
                let lacks = lacking(device, file)?;
                for variant in Variant::ALL {
                    if !file.variants.is_empty() && !file.variants.iter().any(|wanted| wanted == variant.name()) {
                        continue;
                    }
                    let passed_over = !is_ours && !lacks.is_empty();
                    let (file, lacks) = (Arc::clone(file), lacks.clone());
                    let trial = Trial::test(format!("device{number}/{name}/{}", variant.name()), move || {
                        if is_ours && file.needs.iter().any(|need| NOT_YET.contains(&need.as_str())) {
                            return match lacks.is_empty() {
                                true => Err(Failed::from("the device has all of it now: take it out of NOT_YET")),
                                false => Ok(()),
                            };
                        }
                        if !lacks.is_empty() {
                            return Err(Failed::from(format!("the device lacks {}", lacks.join(" "))));
                        }
                        execute(device, &file, variant).map_err(|error| Failed::from(format!("{error:#}")))
                    });
                    trials.push(trial.with_ignored_flag(passed_over));
                }
            }
        }
    }
    ensure!(!trials.is_empty(), "{} has no device", driver.library.display());
    Ok(trials)
}

/// Every `.cl` file below `root`, by its path without the ending, in order.
fn files(root: &Path) -> Result<Vec<(String, Arc<File>)>> {
    let (mut found, mut folders) = (Vec::new(), vec![root.to_path_buf()]);
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).with_context(|| folder.display().to_string())? {
            let path = entry?.path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|ending| ending == "cl") {
                let file = File::parse(&fs::read_to_string(&path)?).with_context(|| path.display().to_string())?;
                let name = path.strip_prefix(root)?.with_extension("").display().to_string();
                found.push((name, Arc::new(file)));
            }
        }
    }
    found.sort_by(|one, other| one.0.cmp(&other.0));
    Ok(found)
}
