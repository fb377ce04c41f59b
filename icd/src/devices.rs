//! The list of devices: the host's, and those of the HAL libraries that the search finds.
//!
//! Invariant: a missing or broken HAL library, or a device that it cannot describe, leaves the
//! other devices unchanged. If the user named the library, the reason is an error on stderr, else a
//! line in the log. HAL devices are created when first needed, not here. Not here: the search for
//! libraries (`muxcl-hal`), the behaviour of devices.

use muxcl_hal::{Hal, search};
use muxcl_mux::Device;
use muxcl_mux_hal::HalDevice;
use muxcl_mux_host::HostDevice;
use std::sync::Arc;

/// Maximum number of listed devices of all HALs, so that a context can have all devices: it has at
/// most 63 memories (`cl::core::storage`).
const MOST_OF_HALS: usize = 60;

/// The devices in the order of `MUXCL_DEVICES`, the default one first.
pub(crate) fn all() -> Vec<Device> {
    let mut wanted = muxcl_config::MUXCL_DEVICES.list();
    if wanted.is_empty() {
        wanted = vec!["host".to_owned(), "hal".to_owned()];
    }
    let mut devices = Vec::new();
    for (i, kind) in wanted.iter().enumerate() {
        if wanted[..i].contains(kind) {
            continue;
        }
        match kind.as_str() {
            "host" => devices.push(HostDevice::create()),
            "hal" => devices.extend(of_hals()),
            other => {
                say(&format!("MUXCL_DEVICES: `{other}` is neither `host` nor `hal`"));
            }
        }
    }
    devices
}

/// The devices of the HAL libraries that the search finds, in the order in which the user names
/// the libraries.
fn of_hals() -> Vec<Device> {
    let mut devices = Vec::new();
    let mut hals: Vec<Arc<dyn Hal>> = Vec::new();
    for options in search::Options::from_environment().each() {
        // SAFETY: the library comes from this driver's build, or the user names it.
        let hal: Arc<dyn Hal> = match unsafe { search::load(&options) } {
            Ok(hal) => Arc::from(hal),
            Err(error) => {
                match options.named() {
                    Some(name) => say(&format!("CA_HAL_DEVICE is `{name}`: {error}")),
                    None if options.installed.is_some() => tracing::warn!(target: "hal", "{error}"),
                    None => tracing::info!(target: "hal", "no HAL devices: {error}"),
                }
                continue;
            }
        };
        let loaded = |other: &Arc<dyn Hal>| other.library() == hal.library();
        if hal.library().is_some() && hals.iter().any(loaded) {
            tracing::info!(target: "hal", "CA_HAL_DEVICE lists HAL `{}` twice", hal.name());
            continue;
        }
        add_devices(&hal, options.named(), &mut devices);
        hals.push(hal);
    }
    devices
}

/// Appends the devices of `hal`, which the user may have `named`.
fn add_devices(hal: &Arc<dyn Hal>, named: Option<&str>, devices: &mut Vec<Device>) {
    let report = |text: &str| match named {
        Some(name) => say(&format!("CA_HAL_DEVICE is `{name}`: {text}")),
        None => tracing::warn!(target: "hal", "{text}"),
    };
    let count = hal.device_count();
    if count == 0 {
        report(&format!("HAL `{}` has no devices", hal.name()));
    }
    for index in 0..count {
        if devices.len() == MOST_OF_HALS || index as usize == MOST_OF_HALS {
            report(&format!(
                "device {index} and later ones of HAL `{}` are left out: at most {MOST_OF_HALS} \
                 devices are listed",
                hal.name()
            ));
            return;
        }
        match HalDevice::beside(hal, index, devices) {
            Ok(device) => devices.push(device.device()),
            Err(error) => {
                report(&format!("HAL `{}`, device {index} is left out: {error}", hal.name()));
            }
        }
    }
}

/// Prints an error about an invalid setting on stderr, because the log is off by default.
#[expect(clippy::print_stderr, reason = "no call of the application can return this error")]
fn say(text: &str) {
    tracing::warn!(target: "cl::config", "{text}");
    eprintln!("muxcl: {text}");
}
