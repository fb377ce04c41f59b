//! `oclrun`: runs a kernel from the command line on any OpenCL device, prints or checks its
//! results, measures it, and compares two devices.
//!
//! Invariant: it is an ordinary OpenCL application over the ICD loader, so every driver runs the
//! same commands. The exit status is 0 if everything is as expected, 1 if a check or a comparison
//! fails, 2 if the kernel could not be run. Not here: expressions and tolerances (`muxcl-values`).
//!
//! * `cli`: the options; `argument`: the language of kernel arguments; `kind`: element types.
//! * `numbers`: the contents of buffers, from fills and files; `signature`: an argument must fit
//!   the kernel's parameter.
//! * `devices`, `program`, `run`: the OpenCL calls.
//! * `report`: what is printed, checked and compared; `counters`: counters of HAL devices.
#![expect(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a command line tool talks to its user"
)]

mod argument;
mod cli;
mod counters;
mod devices;
mod kind;
mod numbers;
mod program;
mod report;
mod run;
mod signature;

use std::process::ExitCode;

use anyhow::{Context as _, Result};
use muxcl_client::sys::CL_DEVICE_MAX_MEM_ALLOC_SIZE;

use cli::Cli;
use devices::Named;
use program::Source;
use report::Wanted;
use run::{Job, Machine};

fn main() -> ExitCode {
    let outcome = Cli::read().and_then(|cli| match &cli {
        Some(cli) => oclrun(cli),
        None => Ok(true),
    });
    match outcome {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::from(1),
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::from(2)
        }
    }
}

/// Does what the command line says; false if a check or the comparison fails.
fn oclrun(cli: &Cli) -> Result<bool> {
    let vendors = tempfile::tempdir()?;
    if !cli.drivers.is_empty() {
        for (number, text) in cli.drivers.iter().enumerate() {
            let library =
                muxcl_client::library(text).with_context(|| format!("the driver {text}"))?;
            muxcl_client::register(vendors.path(), &format!("{number:03}"), &library)?;
        }
        // SAFETY: no thread has been started yet.
        unsafe { muxcl_client::use_vendors(vendors.path()) };
    }
    // SAFETY: as above.
    let counters = cli.counters.then(|| unsafe { counters::Counters::start() }).transpose()?;
    let devices = devices::all()?;
    if cli.list_devices {
        print!("{}", devices::list(&devices));
        return Ok(true);
    }
    let device = devices::choose(&devices, cli.device.as_deref().unwrap_or("0"))?;
    let other = cli.compare.as_deref().map(|name| devices::choose(&devices, name)).transpose()?;
    let source = Source::read(cli.file.as_deref().context("no file is given")?)?;
    let machine = Machine::new(cli, device, &source)?;
    if let Some(path) = &cli.binary {
        let written = std::fs::write(path, machine.binary()?);
        written.with_context(|| path.display().to_string())?;
    }
    let mut limit = device.device.number(CL_DEVICE_MAX_MEM_ALLOC_SIZE)?;
    if let Some(other) = other {
        limit = limit.min(other.device.number(CL_DEVICE_MAX_MEM_ALLOC_SIZE)?);
    }
    let job = Job::new(cli, &machine, limit)?;
    let wanted = Wanted::parse(cli, &job)?;
    let outcome = job.run(&machine)?;
    let mut fine = wanted.report(&job, &outcome)?;
    // Names of devices of several drivers may be equal.
    let label = |one: &Named, other: Option<&Named>| match other {
        Some(other) if one.name == other.name => one.platform.clone(),
        _ => one.name.clone(),
    };
    let mut all = vec![(label(device, other), outcome)];
    if let Some(other) = other {
        let outcome = Machine::new(cli, other, &source)
            .and_then(|machine| job.run(&machine))
            .with_context(|| format!("on {}", other.name))?;
        all.push((label(other, Some(device)), outcome));
        fine &= report::compare(&all, cli.tolerance());
    }
    if cli.repeat.is_some() {
        print!("{}", report::times(&job, &all));
    }
    if let Some(counters) = counters {
        print!("{}", counters.text()?);
    }
    Ok(fine)
}
