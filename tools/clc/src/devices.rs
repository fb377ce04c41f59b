//! Device descriptions by name: this machine's CPU or another x86-64 processor, the RefSi devices,
//! and the devices of HAL libraries.
//!
//! Invariant: a description is the driver's for the same device, so its binaries load there. The
//! RefSi devices are described without loading their HAL.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context as _, Result, ensure};
use hal_refsi::{Options, Soc};
use muxcl_hal::Hal;
use muxcl_hal::search;
use muxcl_hal::target::Target;
use muxcl_mux_hal::HalDevice;
use muxcl_types::device::DeviceDesc;

/// The name of this machine's CPU.
const HOST: &str = "host";
/// The instruction set of `refsi-g1-rv32`: that of the G1 without 64-bit registers (docs/refsi.md).
const RV32: &str = "RV32GCV_Zfh_Zvfh";
/// The names of the RefSi devices.
const REFSI: [(&str, Soc, Option<&str>); 3] = [
    ("refsi-g1", Soc::G1, None),
    ("refsi-m1", Soc::M1, None),
    ("refsi-g1-rv32", Soc::G1, Some(RV32)),
];

/// A device to compile for.
#[derive(Debug, Clone)]
pub struct Device {
    /// Its name on the command line.
    pub name: String,
    /// Its name in OpenCL.
    pub full_name: String,
    /// The compiler's description.
    pub desc: DeviceDesc,
}

/// Choices that change the descriptions.
#[derive(Debug, Clone, Default)]
pub struct Choices {
    /// A processor instead of this machine's.
    pub cpu: Option<String>,
    /// Features in addition to those of `cpu`.
    pub features: Option<String>,
    /// The instruction set of RefSi devices.
    pub isa: Option<String>,
    /// The bits of a vector register of RefSi devices.
    pub vlen: Option<u32>,
    /// HAL libraries, by path or name.
    pub hals: Vec<String>,
}

/// All devices: the CPU, the RefSi devices, then those of the HAL libraries.
///
/// # Errors
/// A HAL library that cannot be loaded or describes a device wrongly.
pub fn all(hals: &[String]) -> Result<Vec<Device>> {
    let mut devices = vec![host(None, None)];
    for (name, soc, isa) in REFSI {
        devices.push(refsi(name, soc, isa, None)?);
    }
    let mut listed = Vec::new();
    for hal in hals {
        devices.extend(of_hal(hal, &mut listed)?);
    }
    Ok(devices)
}

/// The device named `name`, by its short name or by its name in OpenCL, as `choices` change it.
///
/// # Errors
/// No device has this name, or a choice does not fit the device.
pub fn find(name: &str, choices: &Choices) -> Result<Device> {
    let mut devices = all(&choices.hals)?;
    let at = devices
        .iter()
        .position(|d| d.name == name)
        .or_else(|| devices.iter().position(|d| d.full_name == name))
        .with_context(|| {
            let names: Vec<&str> = devices.iter().map(|d| d.name.as_str()).collect();
            format!("no device is named `{name}`; there are {}", names.join(", "))
        })?;
    let device = devices.swap_remove(at);
    if device.name == HOST {
        ensure!(
            choices.isa.is_none() && choices.vlen.is_none(),
            "--isa and --vlen belong to RefSi devices, but the device is `{name}`"
        );
        return Ok(host(choices.cpu.as_deref(), choices.features.as_deref()));
    }
    ensure!(
        choices.cpu.is_none(),
        "--cpu names a processor of the device `{HOST}`, but the device is `{name}`"
    );
    if choices.isa.is_none() && choices.vlen.is_none() {
        return Ok(device);
    }
    let known = REFSI.iter().find(|(refsi, ..)| *refsi == device.name);
    let (short, soc, isa) = known.with_context(|| {
        format!("--isa and --vlen belong to RefSi devices, but the device is `{name}`")
    })?;
    refsi(short, *soc, choices.isa.as_deref().or(*isa), choices.vlen)
}

/// The device with this name in OpenCL (`CL_DEVICE_NAME`): of those that the driver lists in this
/// environment, else one of the RefSi devices.
///
/// # Errors
/// No device has this name.
pub fn find_full_name(name: &str) -> Result<Device> {
    let mut devices = vec![host(None, None)];
    let mut listed = Vec::new();
    let environment = search::Options { folder: folder(), ..search::Options::from_environment() };
    for options in environment.each() {
        // As for the driver, a library that is missing or broken hides no other device.
        if let Ok(more) = of_library(&options, "hal", &mut listed) {
            devices.extend(more);
        }
    }
    devices.extend(all(&[])?);
    let found = devices.into_iter().find(|d| d.full_name == name.trim());
    found.with_context(|| format!("muxcl has no device `{name}`"))
}

/// The table of `--list-devices`.
#[must_use]
pub fn table(devices: &[Device]) -> String {
    let mut text = String::new();
    let width = devices.iter().map(|d| d.name.len()).max().unwrap_or(0);
    for Device { name, full_name, desc } in devices {
        let machine = match &desc.hal {
            Some(hal) if hal.vlen > 0 => {
                format!("{}, vector registers of {} bits", hal.isa, hal.vlen)
            }
            Some(hal) => hal.isa.clone(),
            None if desc.cpu.is_empty() => format!("{}, this machine's CPU", desc.id),
            None => format!("{}, {}", desc.id, desc.cpu),
        };
        // Writing to a String cannot fail.
        let _ = writeln!(text, "{name:width$}  {full_name} ({machine})");
    }
    text
}

/// This machine's CPU, or the processor `cpu`.
fn host(cpu: Option<&str>, features: Option<&str>) -> Device {
    let host = muxcl_mux_host::HostDevice::create();
    let mut desc = host.info().desc.clone();
    let mut full_name = host.info().name.trim().to_owned();
    if let Some(cpu) = cpu {
        cpu.clone_into(&mut full_name);
        cpu.clone_into(&mut desc.cpu);
        features.unwrap_or_default().clone_into(&mut desc.features);
    }
    Device { name: HOST.to_owned(), full_name, desc }
}

fn refsi(name: &str, soc: Soc, isa: Option<&str>, vlen: Option<u32>) -> Result<Device> {
    let mut options = Options::new(soc);
    if let Some(isa) = isa {
        let target: Result<Target, _> = isa.parse();
        options.target = target.ok().with_context(|| {
            format!("`{isa}` is no RISC-V instruction set, such as RV64GCV_Zba")
        })?;
    }
    options.vlen = vlen.unwrap_or(options.vlen);
    options.check()?;
    let info = muxcl_mux_hal::translate("RefSi", &hal_refsi::describe(&options))?;
    Ok(Device { name: name.to_owned(), full_name: info.name, desc: info.desc })
}

/// The devices of a HAL library: `NAME-0`, `NAME-1`, ...
fn of_hal(hal: &str, listed: &mut Vec<muxcl_mux::Device>) -> Result<Vec<Device>> {
    let device = if hal.contains('/') {
        std::path::absolute(hal)?.display().to_string()
    } else {
        hal.to_owned()
    };
    let options =
        search::Options { device: Some(device), folder: folder(), ..search::Options::default() };
    of_library(&options, &short_name(hal), listed)
        .with_context(|| format!("the HAL library `{hal}` cannot be used"))
}

/// The devices of a library. As in the driver, their names differ from those of the devices that
/// are `listed` already.
fn of_library(
    options: &search::Options,
    short: &str,
    listed: &mut Vec<muxcl_mux::Device>,
) -> Result<Vec<Device>> {
    // SAFETY: the library is part of the installation, or the user names it as a HAL library.
    let loaded: Arc<dyn Hal> = Arc::from(unsafe { search::load(options) }?);
    let mut devices = Vec::new();
    for index in 0..loaded.device_count() {
        let device = HalDevice::beside(&loaded, index, listed)?.device();
        let info = device.info();
        let (full_name, desc) = (info.name.trim().to_owned(), info.desc.clone());
        devices.push(Device { name: format!("{short}-{index}"), full_name, desc });
        listed.push(device);
    }
    Ok(devices)
}

/// `refsi` of `/some/libhal_refsi.so`.
fn short_name(hal: &str) -> String {
    let file = Path::new(hal).file_name().map(|f| f.to_string_lossy().into_owned());
    let file = file.unwrap_or_default();
    file.strip_prefix("libhal_").and_then(|f| f.strip_suffix(".so")).unwrap_or(&file).to_owned()
}

/// The folder of HAL libraries: `lib` beside this program's `bin`, or this program's own folder.
fn folder() -> Option<PathBuf> {
    let here = std::env::current_exe().ok()?.parent()?.to_owned();
    let lib = here.join("../lib");
    Some(if lib.join("libmuxcl.so").exists() { lib } else { here })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn devices_that_are_not_here_are_described() {
        let none = Choices::default();
        let names: Vec<String> = all(&[]).unwrap().into_iter().map(|d| d.name).collect();
        assert_eq!(names, ["host", "refsi-g1", "refsi-m1", "refsi-g1-rv32"]);
        let m1 = find("refsi-m1", &none).unwrap();
        assert_eq!((m1.desc.id.as_str(), m1.full_name.as_str()), ("riscv64", "RefSi M1"));
        assert!(m1.desc.hal.unwrap().dma.is_some());
        assert_eq!(find("RefSi G1 RV32", &none).unwrap().desc.id, "riscv32");
        let error = find("refsi-g2", &none).unwrap_err().to_string();
        assert!(error.contains("`refsi-g2`") && error.contains("refsi-m1"), "{error}");
    }

    #[test]
    fn choices_belong_to_kinds_of_devices() {
        let cpu = Choices { cpu: Some("x86-64-v3".to_owned()), ..Choices::default() };
        assert_eq!(find("host", &cpu).unwrap().desc.cpu, "x86-64-v3");
        assert!(find("refsi-g1", &cpu).unwrap_err().to_string().contains("--cpu"));
        let isa = Choices { isa: Some("RV64GC".to_owned()), ..Choices::default() };
        assert_eq!(find("refsi-g1", &isa).unwrap().desc.hal.unwrap().vlen, 0);
        assert!(find("host", &isa).unwrap_err().to_string().contains("--isa"));
        let wrong = Choices { isa: Some("MIPS".to_owned()), ..Choices::default() };
        assert!(find("refsi-g1", &wrong).unwrap_err().to_string().contains("`MIPS`"));
        let wrong = Choices { vlen: Some(100), ..Choices::default() };
        assert!(find("refsi-g1", &wrong).unwrap_err().to_string().contains("vector length"));
        let narrow = Choices { isa: Some("RV32GC".to_owned()), ..Choices::default() };
        assert_eq!(find("refsi-g1", &narrow).unwrap().full_name, "RefSi G1 RV32");
        assert!(find("refsi-m1", &narrow).unwrap_err().to_string().contains("RV32 M1"));
        let missing = Choices { hals: vec!["nothing-here".to_owned()], ..Choices::default() };
        let error = format!("{:#}", find("host", &missing).unwrap_err());
        assert!(error.contains("`nothing-here` cannot be used: "), "{error}");
    }
}
