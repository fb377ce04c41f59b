//! The devices that the ICD loader finds, and the choice of one.

use anyhow::{Result, bail, ensure};
use muxcl_client::{Device, Platform, sys};

/// A device with what users call it.
#[derive(Debug)]
pub(crate) struct Named {
    /// The device.
    pub(crate) device: Device,
    /// Its name.
    pub(crate) name: String,
    /// Its platform's name.
    pub(crate) platform: String,
}

/// Every device of every platform, in the loader's order.
pub(crate) fn all() -> Result<Vec<Named>> {
    let mut all = Vec::new();
    for platform in Platform::all()? {
        let name = platform.name()?;
        // A platform without a device is no reason to fail.
        for device in platform.devices().unwrap_or_default() {
            let platform = name.trim().to_owned();
            all.push(Named { name: device.name()?.trim().to_owned(), device, platform });
        }
    }
    ensure!(
        !all.is_empty(),
        "there is no OpenCL device: install a driver, or name one by --driver"
    );
    Ok(all)
}

/// A line for each device: number, name, platform, OpenCL version and the driver's version.
pub(crate) fn list(devices: &[Named]) -> String {
    let width = |text: fn(&Named) -> &str| devices.iter().map(|d| text(d).len()).max().unwrap_or(0);
    let (names, platforms) = (width(|d| &d.name), width(|d| &d.platform));
    let line = |(number, d): (usize, &Named)| {
        let text = |property| d.device.text(property).unwrap_or_default();
        let (version, driver) = (text(sys::CL_DEVICE_VERSION), text(sys::CL_DRIVER_VERSION));
        let (name, platform) = (&d.name, &d.platform);
        format!("{number:>2}  {name:names$}  {platform:platforms$}  {version}, driver {driver}\n")
    };
    devices.iter().enumerate().map(line).collect()
}

/// The device with this number, or with this text in its name or its platform's.
pub(crate) fn choose<'d>(devices: &'d [Named], text: &str) -> Result<&'d Named> {
    if let Ok(number) = text.parse::<usize>() {
        return match devices.get(number) {
            Some(device) => Ok(device),
            None => bail!("there is no device {number}:\n{}", list(devices)),
        };
    }
    let wanted = text.to_lowercase();
    let named: Vec<_> = devices.iter().filter(|d| d.name.to_lowercase() == wanted).collect();
    let has = |name: &str| name.to_lowercase().contains(&wanted);
    let close: Vec<_> = devices.iter().filter(|d| has(&d.name) || has(&d.platform)).collect();
    match (&named[..], &close[..]) {
        ([device], _) | ([], [device]) => Ok(device),
        ([], []) => bail!("no device is named `{text}`:\n{}", list(devices)),
        _ => bail!("several devices are named `{text}`; use a number:\n{}", list(devices)),
    }
}
