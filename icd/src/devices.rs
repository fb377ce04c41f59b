//! The list of devices: the host's, and those of the HAL library that the search finds.
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

/// Maximum number of listed devices of a HAL. No known HAL has more.
const MOST_OF_HAL: u32 = 16;

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
            "hal" => devices.extend(of_hal()),
            other => {
                say(&format!("MUXCL_DEVICES: `{other}` is neither `host` nor `hal`"));
            }
        }
    }
    devices
}

/// The devices of the HAL library that the search finds.
fn of_hal() -> Vec<Device> {
    let options = search::Options::from_environment();
    // SAFETY: the library comes from this driver's build, or the user names it.
    let hal: Arc<dyn Hal> = match unsafe { search::load(&options) } {
        Ok(hal) => Arc::from(hal),
        Err(error) => {
            match options.named() {
                Some(name) => say(&format!("CA_HAL_DEVICE is `{name}`: {error}")),
                None => tracing::info!(target: "hal", "no HAL devices: {error}"),
            }
            return Vec::new();
        }
    };
    let count = hal.device_count();
    if count > MOST_OF_HAL {
        tracing::warn!(target: "hal", "HAL `{}` has {count} devices; the first {MOST_OF_HAL} are used", hal.name());
    }
    let device = |index| match HalDevice::new(&hal, index) {
        Ok(device) => Some(device.device()),
        Err(error) => {
            let text = format!("HAL `{}`, device {index} is left out: {error}", hal.name());
            if options.named().is_some() {
                say(&text);
            } else {
                tracing::warn!(target: "hal", "{text}");
            }
            None
        }
    };
    (0..count.min(MOST_OF_HAL)).filter_map(device).collect()
}

/// Prints an error about an invalid setting on stderr, because the log is off by default.
#[expect(clippy::print_stderr, reason = "no call of the application can return this error")]
fn say(text: &str) {
    tracing::warn!(target: "cl::config", "{text}");
    eprintln!("muxcl: {text}");
}
