//! Runs the regression tests on the host and on RefSi G1. Some tests start a process with RefSi M1.

use std::process::ExitCode;

use anyhow::{Context as _, Result};
use libtest_mimic::{Failed, Trial};
use muxcl_client::Platform;
use muxcl_test_kernels::driver;
use muxcl_test_regressions::{Devices, all, soc};

fn main() -> ExitCode {
    let soc = soc();
    for (name, value) in
        [("MUXCL_DEVICES", "host,hal"), ("CA_HAL_DEVICE", "refsi"), ("HAL_REFSI_SOC", &soc)]
    {
        // SAFETY: no thread has been started yet.
        unsafe { muxcl_client::set_variable(name, value) };
    }
    // SAFETY: as above.
    unsafe { driver::run(trials) }
}

fn trials() -> Result<Vec<Trial>> {
    let devices = Platform::all()?.first().context("no platform")?.devices()?;
    let host = *devices.first().context("no host device")?;
    let hal = *devices.get(1).context("no HAL device")?;
    let mut trials = Vec::new();
    for (name, wanted, body) in all() {
        for (kind, device, other) in [("host", host, Devices::Hal), ("hal", hal, Devices::Host)] {
            if wanted != other {
                trials.push(Trial::test(format!("{kind}/{name}"), move || {
                    body(device).map_err(|error| Failed::from(format!("{error:#}")))
                }));
            }
        }
    }
    Ok(trials)
}
