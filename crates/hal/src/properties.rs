//! Device properties beyond the structs of version 6. The optional function `hal_device_properties`
//! returns them as lines of `key = value`. Libraries without it have no properties, so the
//! interface stays binary compatible. Invariant: each known key has a checked value; unknown keys
//! are ignored. `docs/hal.md` lists the keys.

use crate::HalError;
use std::fmt::{self, Write as _};

/// Maximum length of the text in bytes, several times the length of all known keys.
pub(crate) const MOST_TEXT: usize = 64 << 10;

/// Maximum number of compute units and of MHz that is accepted.
const MANY: u32 = 1 << 20;

/// Instruction set of a device's programs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Machine {
    /// RISC-V, as the device's extensions and calling convention describe it.
    Riscv,
    /// Another processor, by name: `x86_64`.
    Other(String),
}

/// Properties of a device. The default has none.
///
/// ```
/// use muxcl_hal::{Machine, Properties};
/// let said: Properties = "machine = riscv\ncompute_units = 4\n".parse()?;
/// assert_eq!((said.machine, said.compute_units), (Some(Machine::Riscv), Some(4)));
/// # Ok::<(), muxcl_hal::HalError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Properties {
    /// `machine`: instruction set of programs.
    pub machine: Option<Machine>,
    /// `compute_units`: harts or cores that run work-groups at the same time; at least 1.
    pub compute_units: Option<u32>,
    /// `clock_mhz`: clock frequency in MHz; at least 1.
    pub clock_mhz: Option<u32>,
    /// `timer = time`: kernels may read the `time` register, which counts nanoseconds, the same
    /// for all harts.
    pub timer: bool,
    /// `shared_addresses = yes`: a process of the host may have pages at the addresses of device
    /// memory, so that an allocation can have one address for kernels and the host.
    pub shared_addresses: bool,
    /// `dma`: address of the registers of a DMA engine, as `docs/hal.md` describes them;
    /// a multiple of 8.
    pub dma: Option<u64>,
    /// `program_variables = kept`: variables of a program keep their values from launch to launch
    /// until the program is freed.
    pub keeps_variables: bool,
    /// `concurrent_calls = yes`: several threads may call the device at the same time, and no call
    /// waits for the end of a running kernel, except another `kernel_exec`.
    pub concurrent_calls: bool,
    /// `calls_in_flight = yes`: `hal_run_calls` accepts calls before earlier ones have ended.
    pub calls_in_flight: bool,
}

impl Properties {
    /// Properties of a device for RISC-V programs, with no other key set.
    #[must_use]
    pub const fn riscv() -> Self {
        Self {
            machine: Some(Machine::Riscv),
            compute_units: None,
            clock_mhz: None,
            timer: false,
            shared_addresses: false,
            dma: None,
            keeps_variables: false,
            concurrent_calls: false,
            calls_in_flight: false,
        }
    }
}

fn number(text: &str) -> Option<u64> {
    match text.strip_prefix("0x") {
        Some(hex) => u64::from_str_radix(hex, 16).ok(),
        None => text.parse().ok(),
    }
}

fn count(text: &str) -> Option<u32> {
    number(text).and_then(|n| u32::try_from(n).ok()).filter(|n| (1..=MANY).contains(n))
}

fn yes(text: &str) -> Option<bool> {
    match text {
        "yes" => Some(true),
        "no" => Some(false),
        _ => None,
    }
}

fn machine(text: &str) -> Option<Machine> {
    let word = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
    match text {
        "riscv" => Some(Machine::Riscv),
        other if !other.is_empty() && other.chars().all(word) => {
            Some(Machine::Other(other.to_owned()))
        }
        _ => None,
    }
}

impl std::str::FromStr for Properties {
    type Err = HalError;

    fn from_str(text: &str) -> Result<Self, HalError> {
        let mut said = Self::default();
        let lines = text.lines().map(|l| l.split('#').next().unwrap_or_default().trim());
        for line in lines.filter(|l| !l.is_empty()) {
            let nonsense = || HalError::Nonsense(format!("the device property `{line}`"));
            let (key, value) = line.split_once('=').ok_or_else(nonsense)?;
            let value = value.trim();
            match key.trim() {
                "machine" => said.machine = Some(machine(value).ok_or_else(nonsense)?),
                "compute_units" => said.compute_units = Some(count(value).ok_or_else(nonsense)?),
                "clock_mhz" => said.clock_mhz = Some(count(value).ok_or_else(nonsense)?),
                "timer" if value == "time" => said.timer = true,
                "timer" => return Err(nonsense()),
                "shared_addresses" => said.shared_addresses = yes(value).ok_or_else(nonsense)?,
                "dma" => {
                    let address = number(value).filter(|a| *a != 0 && a.is_multiple_of(8));
                    said.dma = Some(address.ok_or_else(nonsense)?);
                }
                "program_variables" if value == "kept" => said.keeps_variables = true,
                "program_variables" if value == "reset" => said.keeps_variables = false,
                "program_variables" => return Err(nonsense()),
                "concurrent_calls" => said.concurrent_calls = yes(value).ok_or_else(nonsense)?,
                "calls_in_flight" => said.calls_in_flight = yes(value).ok_or_else(nonsense)?,
                other => tracing::debug!(target: "hal", "device property `{other}` is not known"),
            }
        }
        Ok(said)
    }
}

/// Formats text that parses to the same properties.
impl fmt::Display for Properties {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.machine {
            Some(Machine::Riscv) => f.write_str("machine = riscv\n")?,
            Some(Machine::Other(name)) => writeln!(f, "machine = {name}")?,
            None => {}
        }
        if let Some(count) = self.compute_units {
            writeln!(f, "compute_units = {count}")?;
        }
        if let Some(mhz) = self.clock_mhz {
            writeln!(f, "clock_mhz = {mhz}")?;
        }
        if let Some(address) = self.dma {
            writeln!(f, "dma = {address:#x}")?;
        }
        let flags = [
            (self.timer, "timer = time"),
            (self.shared_addresses, "shared_addresses = yes"),
            (self.keeps_variables, "program_variables = kept"),
            (self.concurrent_calls, "concurrent_calls = yes"),
            (self.calls_in_flight, "calls_in_flight = yes"),
        ];
        flags.iter().filter(|(set, _)| *set).try_for_each(|(_, line)| {
            f.write_str(line)?;
            f.write_char('\n')
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_property_is_read_and_written() {
        let text = "# a chip\nmachine = riscv\n compute_units=64 # harts\nclock_mhz = 1500\n\n\
                    timer = time\nshared_addresses = yes\ndma = 0x20002000\n\
                    program_variables = kept\nconcurrent_calls = yes\n\
                    calls_in_flight = yes\nsomething_newer = 3\n";
        let said: Properties = text.parse().expect("properties");
        let expected = Properties {
            machine: Some(Machine::Riscv),
            compute_units: Some(64),
            clock_mhz: Some(1500),
            timer: true,
            shared_addresses: true,
            dma: Some(0x2000_2000),
            keeps_variables: true,
            concurrent_calls: true,
            calls_in_flight: true,
        };
        assert_eq!(said, expected);
        assert_eq!(said.to_string().parse(), Ok(expected));
        assert_eq!("".parse(), Ok(Properties::default()));
        assert_eq!(Properties::default().to_string(), "");
        let other: Properties = "machine = x86_64".parse().expect("properties");
        assert_eq!(other.machine, Some(Machine::Other("x86_64".to_owned())));
        assert_eq!(other.to_string().parse(), Ok(other));
        let page = include_str!("../../../docs/hal.md");
        for line in said.to_string().lines() {
            let (key, value) = line.split_once(" = ").expect("a property");
            assert!(page.contains(&format!("| `{key}` | ")), "docs/hal.md lacks {key}");
            let named = matches!(key, "compute_units" | "clock_mhz" | "dma");
            assert!(named || page.contains(&format!("`{value}`")), "docs/hal.md lacks {line}");
        }
    }

    #[test]
    fn values_that_cannot_be_are_refused() {
        for line in [
            "no equals sign",
            "machine =",
            "machine = two words",
            "compute_units = 0",
            "compute_units = many",
            "compute_units = 99999999999",
            "clock_mhz = -1",
            "timer = fast",
            "shared_addresses = maybe",
            "dma = 0",
            "dma = 0x20002004",
            "program_variables = sometimes",
            "concurrent_calls = 2",
            "calls_in_flight = many",
        ] {
            let refused = line.parse::<Properties>();
            assert!(matches!(refused, Err(HalError::Nonsense(_))), "{line}: {refused:?}");
        }
    }
}
