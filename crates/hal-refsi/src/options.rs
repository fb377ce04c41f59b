//! The configuration of a RefSi device, read from environment variables (docs/env.md). Invariant:
//! an invalid value is an error that names the variable.

use muxcl_config as config;
use muxcl_hal::HalError;
use muxcl_hal::target::{Extensions, Target};
use muxcl_rv_sim::{Extension, HartConfig, Xlen};
use std::ffi::OsString;
use std::path::PathBuf;

/// The device type.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Soc {
    /// M1: with command processor and DMA engine.
    M1,
    /// G1: with neither.
    G1,
}

/// The unit of work of one kernel call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ThreadMode {
    /// A whole work-group.
    WorkGroup,
    /// One work-item; the harts of a group synchronize at barriers.
    WorkItem,
}

/// How harts execute code.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Exec {
    /// The interpreter.
    Interpreter,
    /// The interpreter, and translations of what is hot.
    Jit,
    /// Translations of all code, for tests.
    Eager,
    /// The same, compared with the interpreter.
    Check,
}

/// Configuration of a device.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Options {
    /// The device type.
    pub soc: Soc,
    /// The instruction set.
    pub target: Target,
    /// Bits of a vector register.
    pub vlen: u32,
    /// Number of harts.
    pub harts: u32,
    /// The unit of work of a kernel call.
    pub mode: ThreadMode,
    /// How harts execute code.
    pub exec: Exec,
    /// Size in bytes of each hart's stack area.
    pub stack: u64,
    /// Maximum number of instructions of one hart in one launch.
    pub max_instructions: u64,
    /// If true, misaligned accesses fault.
    pub strict_alignment: bool,
    /// If true, detailed counters are enabled.
    pub detailed_counters: bool,
    /// If true, the command processor traces its packets.
    pub trace_commands: bool,
    /// If true, the HAL traces its calls.
    pub trace_calls: bool,
    /// The port on which the device listens for a debugger; 0 is any free port.
    pub gdb: Option<u16>,
    /// Where the executed instructions are written.
    pub trace: Option<TraceOptions>,
}

/// A trace of executed instructions.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TraceOptions {
    /// The file, to which the trace is appended.
    pub path: PathBuf,
    /// Maximum number of instructions.
    pub limit: u64,
}

/// Maximum number of harts of a device.
pub const MOST_HARTS: u32 = 64;

fn wrong(variable: &config::Var) -> HalError {
    HalError::Nonsense(format!("the value of {}", variable.name))
}

/// The variable's value as a number, or `default` if it is unset.
fn number(variable: &config::Var, default: u64, least: u64, most: u64) -> Result<u64, HalError> {
    parsed(variable, variable.get().as_deref(), default, least, most)
}

fn parsed(
    variable: &config::Var,
    text: Option<&str>,
    default: u64,
    least: u64,
    most: u64,
) -> Result<u64, HalError> {
    let Some(text) = text else { return Ok(default) };
    let value = text.trim().parse().ok().filter(|n| (least..=most).contains(n));
    value.ok_or_else(|| wrong(variable))
}

/// The place of a device among those of `HAL_REFSI_SOC`.
#[derive(Debug, Clone, Copy)]
struct Place {
    index: usize,
    count: usize,
}

impl Place {
    /// This device's value of a variable: of a list, the item at its place, or the last one.
    fn value(self, variable: &config::Var) -> Result<Option<String>, HalError> {
        self.item(variable.list()).map_err(|()| wrong(variable))
    }

    /// An error if the list has more items than there are devices.
    fn item(self, mut list: Vec<String>) -> Result<Option<String>, ()> {
        if list.len() > self.count {
            return Err(());
        }
        list.truncate(self.index + 1);
        Ok(list.pop())
    }

    /// The trace file of this device: devices after the first have a file of their own, because
    /// lines name only the hart.
    fn trace(self, path: OsString) -> PathBuf {
        let mut path = path;
        if self.index != 0 {
            path.push(format!(".{}", self.index));
        }
        path.into()
    }
}

impl Options {
    /// The standard device: instruction set, vector length and number of harts as docs/refsi.md
    /// lists them, WG mode, 8 MiB of stack for each hart, at most 2^40 instructions a launch.
    #[must_use]
    pub fn new(soc: Soc) -> Self {
        let half = Extensions::ZFH | Extensions::ZVFH;
        let base = Extensions::G | Extensions::C | Extensions::V | half;
        let (extensions, vlen, harts) = match soc {
            Soc::M1 => (base | Extensions::ZBC, 512, 4),
            Soc::G1 => (base, 128, 2),
        };
        Self {
            soc,
            target: Target { xlen: 64, extensions },
            vlen,
            harts,
            mode: ThreadMode::WorkGroup,
            exec: Exec::Jit,
            stack: 8 << 20,
            max_instructions: 1 << 40,
            strict_alignment: false,
            detailed_counters: false,
            trace_commands: false,
            trace_calls: false,
            gdb: None,
            trace: None,
        }
    }

    /// The devices that the environment requests. An item is an error if a variable has an invalid
    /// value for this device.
    ///
    /// # Errors
    /// The list of devices is invalid.
    pub fn from_environment() -> Result<Vec<Result<Self, HalError>>, HalError> {
        let socs = config::HAL_REFSI_SOC.list();
        let socs = if socs.is_empty() { vec!["g1".to_owned()] } else { socs };
        let count = socs.len();
        let read = |(index, name): (u16, &String)| {
            let soc = match name.to_ascii_lowercase().as_str() {
                "m1" => Soc::M1,
                "g1" => Soc::G1,
                _ => return Err(wrong(&config::HAL_REFSI_SOC)),
            };
            let read = || {
                let mut options = Self::read(soc, Place { index: index.into(), count })?;
                // Each device has a port of its own.
                if let Some(port) = options.gdb.filter(|port| *port != 0) {
                    let own = port.checked_add(index);
                    options.gdb = Some(own.ok_or_else(|| wrong(&config::HAL_REFSI_GDB))?);
                }
                Ok(options)
            };
            Ok(read())
        };
        (0..).zip(&socs).map(read).collect()
    }

    fn read(soc: Soc, place: Place) -> Result<Self, HalError> {
        let mut o = Self::new(soc);
        if let Some(text) = place.value(&config::HAL_DESCRIPTION)? {
            o.target = text.trim().parse().map_err(|_| wrong(&config::HAL_DESCRIPTION))?;
        }
        if let Some(text) = place.value(&config::HAL_REFSI_THREAD_MODE)? {
            o.mode = match text.trim().to_ascii_lowercase().as_str() {
                "wg" => ThreadMode::WorkGroup,
                // M1 supports WG mode only.
                "wi" if soc == Soc::M1 => ThreadMode::WorkGroup,
                "wi" => ThreadMode::WorkItem,
                _ => return Err(wrong(&config::HAL_REFSI_THREAD_MODE)),
            };
        }
        if o.mode == ThreadMode::WorkItem {
            o.harts = MOST_HARTS;
        }
        if let Some(text) = place.value(&config::HAL_REFSI_EXEC)? {
            o.exec = match text.trim().to_ascii_lowercase().as_str() {
                "interp" => Exec::Interpreter,
                "jit" => Exec::Jit,
                "eager" => Exec::Eager,
                "check" => Exec::Check,
                _ => return Err(wrong(&config::HAL_REFSI_EXEC)),
            };
        }
        let large = |variable, default, least, most| {
            parsed(variable, place.value(variable)?.as_deref(), default, least, most)
        };
        let small = |variable, default: u32, least, most| {
            large(variable, default.into(), least, most)
                .map(|n| u32::try_from(n).unwrap_or(default))
        };
        o.vlen = small(&config::CA_RISCV_VLEN_BITS_MIN, o.vlen, 64, 4096)?;
        o.harts = small(&config::HAL_REFSI_HARTS, o.harts, 1, MOST_HARTS.into())?;
        o.stack = large(&config::HAL_REFSI_STACK_MB, o.stack >> 20, 4, 256)? << 20;
        o.max_instructions =
            match large(&config::HAL_REFSI_MAX_INSTRUCTIONS, o.max_instructions, 0, u64::MAX)? {
                0 => u64::MAX,
                n => n,
            };
        o.strict_alignment = config::HAL_REFSI_STRICT_ALIGN.flag(false);
        o.detailed_counters =
            config::CA_PROFILE_LEVEL.parse::<u32>().is_some_and(|level| level > 2);
        o.trace_commands = config::REFSI_DEBUG.flag(false);
        o.trace_calls = config::CA_HAL_DEBUG.flag(false);
        if config::HAL_REFSI_GDB.get().is_some() {
            let port = number(&config::HAL_REFSI_GDB, 0, 0, u16::MAX.into())?;
            o.gdb = u16::try_from(port).ok();
        }
        let limit = match number(&config::HAL_REFSI_TRACE_LIMIT, 1_000_000, 0, u64::MAX)? {
            0 => u64::MAX,
            n => n,
        };
        let path = config::HAL_REFSI_TRACE.get_os();
        o.trace = path.map(|path| TraceOptions { path: place.trace(path), limit });
        o.check()?;
        Ok(o)
    }

    /// Checks the configuration.
    ///
    /// # Errors
    /// The configuration is invalid; the error says why.
    pub fn check(&self) -> Result<(), HalError> {
        let wrong = |text: &str| Err(HalError::Nonsense(text.to_owned()));
        if !self.vlen.is_power_of_two() || !(64..=4096).contains(&self.vlen) {
            return wrong("a vector length that is no power of two from 64 to 4096");
        }
        if !(1..=MOST_HARTS).contains(&self.harts) || self.stack < 4 << 20 || self.stack > 256 << 20
        {
            return wrong("a number of harts or a stack out of range");
        }
        if self.soc == Soc::M1 && self.stack * u64::from(self.harts) > 1 << 30 {
            return wrong("more than half of M1's memory for stacks");
        }
        if self.soc == Soc::M1 && (self.target.xlen != 64 || self.mode == ThreadMode::WorkItem) {
            return wrong("an RV32 M1, or one in WI mode");
        }
        let has = |set| self.target.extensions.contains(set);
        if !has(Extensions::M) {
            return wrong("a device without the M extension, which its loader needs");
        }
        let half = Extensions::V | Extensions::ZFH;
        if has(Extensions::ZVFH) && !has(half) {
            return wrong("Zvfh without V and Zfh");
        }
        Ok(())
    }

    /// Width of an address in bits.
    #[must_use]
    pub fn word_size(&self) -> u32 {
        self.target.xlen
    }

    /// Name of the target.
    #[must_use]
    pub fn name(&self) -> &'static str {
        match (self.soc, self.target.xlen) {
            (Soc::M1, _) => "RefSi M1",
            (Soc::G1, 32) => "RefSi G1 RV32",
            (Soc::G1, _) => "RefSi G1",
        }
    }

    /// Configuration of the harts for the simulator.
    #[must_use]
    pub fn hart(&self) -> HartConfig {
        let known = [
            (Extensions::M, Extension::M),
            (Extensions::A, Extension::A),
            (Extensions::F, Extension::F),
            (Extensions::D, Extension::D),
            (Extensions::C, Extension::C),
            (Extensions::V, Extension::V),
            (Extensions::ZBA, Extension::Zba),
            (Extensions::ZBB, Extension::Zbb),
            (Extensions::ZBC, Extension::Zbc),
            (Extensions::ZBS, Extension::Zbs),
            (Extensions::ZFH, Extension::Zfh),
            (Extensions::ZVFH, Extension::Zvfh),
        ];
        let has = |set| self.target.extensions.contains(set);
        HartConfig {
            xlen: if self.target.xlen == 32 { Xlen::Rv32 } else { Xlen::Rv64 },
            vlen: self.vlen,
            extensions: known.into_iter().filter(|(set, _)| has(*set)).map(|(_, e)| e).collect(),
            strict_alignment: self.strict_alignment,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_device_has_its_item_of_a_list() {
        let items = |list: &[&str], count: usize| -> Vec<_> {
            let list: Vec<String> = list.iter().map(|item| (*item).to_owned()).collect();
            (0..count).map(|index| Place { index, count }.item(list.clone())).collect()
        };
        let some = |item: &str| Ok(Some(item.to_owned()));
        assert_eq!(items(&[], 2), [Ok(None), Ok(None)]);
        assert_eq!(items(&["4"], 2), [some("4"), some("4")]);
        assert_eq!(items(&["4", "2"], 3), [some("4"), some("2"), some("2")]);
        assert_eq!(items(&["4", "2"], 1), [Err(())]);
        let file = |index| Place { index, count: 2 }.trace("/tmp/trace".into());
        assert_eq!([file(0), file(1)], ["/tmp/trace", "/tmp/trace.1"].map(PathBuf::from));
    }

    #[test]
    fn standard_devices_have_their_properties() {
        let m1 = Options::new(Soc::M1);
        assert_eq!(
            (m1.name(), m1.vlen, m1.harts, m1.target.to_string().as_str()),
            ("RefSi M1", 512, 4, "RV64GCV_Zbc_Zfh_Zvfh")
        );
        let g1 = Options::new(Soc::G1);
        assert_eq!(
            (g1.name(), g1.vlen, g1.harts, g1.target.to_string().as_str()),
            ("RefSi G1", 128, 2, "RV64GCV_Zfh_Zvfh")
        );
        assert!(m1.check().is_ok() && g1.check().is_ok());
        assert!(Options { vlen: 96, ..g1.clone() }.check().is_err());
        assert!(Options { harts: 65, ..g1.clone() }.check().is_err());
        assert!(Options { stack: 256 << 20, harts: 5, ..m1.clone() }.check().is_err());
        assert!(Options { mode: ThreadMode::WorkItem, ..m1 }.check().is_err());
        for (isa, fine) in [
            ("RV64GCV", true),
            ("RV64GCV_Zfh", true),
            ("RV32GCV_Zfh_Zvfh", true),
            ("RV64GCV_Zvfh", false),
            ("RV64GC_Zfh_Zvfh", false),
        ] {
            let target = isa.parse().unwrap();
            let options = Options { target, ..g1.clone() };
            assert_eq!(options.check().is_ok(), fine, "{isa}");
            assert_eq!(options.hart().extensions.contains(&Extension::Zvfh), isa.contains("Zvfh"));
        }
        assert!(
            g1.hart().extensions.contains(&Extension::V)
                && !g1.hart().extensions.contains(&Extension::Zbc)
        );
    }
}
