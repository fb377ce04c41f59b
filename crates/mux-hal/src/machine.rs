//! Finds out whether a HAL device takes RISC-V programs, the only ones that the compiler generates
//! for HALs.
//!
//! A HAL states this by its `machine` property or by a RISC-V linker script. The structs of version
//! 6 describe RISC-V devices only. A HAL of native code without the property therefore looks like a
//! RISC-V device with position-independent programs. This module loads a RISC-V program with one
//! function on such a HAL, which refuses the program if its machine is different.

use muxcl_hal::{DeviceInfo, Hal, HalError, Machine};
use muxcl_mux::MuxError;

use crate::connection::mux_error;

/// Name of the function in the probe program.
const FUNCTION: &std::ffi::CStr = c"muxcl_probe";

/// Checks that device `index` takes RISC-V programs.
///
/// # Errors
/// `DeviceFault` if the device takes programs of another machine.
pub(crate) fn check(hal: &dyn Hal, index: u32, info: &DeviceInfo) -> Result<(), MuxError> {
    let name = &info.target_name;
    let refuse = |machine: &str| {
        let text = format!(
            "programs of `{name}` are native code{machine}, and the compiler makes RISC-V code for \
             HAL devices; it is for clik"
        );
        Err(MuxError::DeviceFault(text))
    };
    match &info.properties.machine {
        Some(Machine::Riscv) => Ok(()),
        Some(Machine::Other(machine)) => refuse(&format!(" of {machine}")),
        None if info.linker_script.is_some() || !info.should_link => Ok(()),
        None => match takes_riscv(hal, index, info.word_size).map_err(mux_error)? {
            true => Ok(()),
            false => refuse(""),
        },
    }
}

/// True if the device loads a RISC-V program.
fn takes_riscv(hal: &dyn Hal, index: u32, word_size: u32) -> Result<bool, HalError> {
    let device = hal.create_device(index)?;
    let Ok(program) = device.load(&program(word_size)) else { return Ok(false) };
    let found = device.find(program, FUNCTION).is_ok();
    device.unload(program)?;
    Ok(found)
}

/// Builds a position-independent RISC-V program with one function that returns.
fn program(word_size: u32) -> Vec<u8> {
    const RET: u32 = 0x0000_8067;
    const CODE_AT: usize = 0x1000;
    let wide = word_size == 64;
    let word = if wide { 8 } else { 4 };
    let (header, segment, section, symbol) = if wide { (64, 56, 64, 24) } else { (52, 32, 40, 16) };
    let names = b"\0muxcl_probe\0.text\0.symtab\0.strtab\0";
    let symbols_at = CODE_AT + 8;
    let names_at = symbols_at + 2 * symbol;
    let sections_at = (names_at + names.len()).next_multiple_of(8);
    let mut file = Bytes { bytes: Vec::new(), word };
    let class = if wide { 2 } else { 1 };
    file.bytes.extend([0x7f, b'E', b'L', b'F', class, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
    file.halves(&[3, 243]);
    file.int(1);
    file.words(&[CODE_AT, header, sections_at]);
    file.int(0);
    file.halves(&[header, segment, 1, section, 4, 3]);
    // One loaded segment with the code: readable and executable.
    file.int(1);
    if wide {
        file.int(5);
    }
    file.words(&[CODE_AT, CODE_AT, CODE_AT, 8, 8]);
    if !wide {
        file.int(5);
    }
    file.words(&[0x1000]);
    file.bytes.resize(CODE_AT, 0);
    file.int(RET);
    file.int(RET);
    file.bytes.resize(symbols_at + symbol, 0);
    // The symbol of a global function in section 1.
    file.int(1);
    if wide {
        file.bytes.extend([0x12, 0]);
        file.halves(&[1]);
        file.words(&[CODE_AT, 8]);
    } else {
        file.words(&[CODE_AT, 8]);
        file.bytes.extend([0x12, 0]);
        file.halves(&[1]);
    }
    file.bytes.extend(names);
    file.bytes.resize(sections_at + section, 0);
    for (name, kind, flags, at, size, link, info, entry) in [
        (13, 1, 6, CODE_AT, 8, 0, 0, 0),
        (19, 2, 0, symbols_at, 2 * symbol, 3, 1, symbol),
        (27, 3, 0, names_at, names.len(), 0, 0, 0),
    ] {
        file.int(name);
        file.int(kind);
        file.words(&[flags, if flags == 0 { 0 } else { at }, at, size]);
        file.int(link);
        file.int(info);
        file.words(&[8, entry]);
    }
    file.bytes
}

/// An ELF file under construction.
struct Bytes {
    bytes: Vec<u8>,
    /// Size of an address in bytes.
    word: usize,
}

impl Bytes {
    fn halves(&mut self, values: &[usize]) {
        for value in values {
            self.bytes.extend(value.to_le_bytes().iter().take(2));
        }
    }
    fn int(&mut self, value: u32) {
        self.bytes.extend(value.to_le_bytes());
    }
    fn words(&mut self, values: &[usize]) {
        for value in values {
            self.bytes.extend((*value as u64).to_le_bytes().iter().take(self.word));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use muxcl_hal::elf::RiscvElf;

    #[test]
    fn the_program_is_one_of_either_width() {
        for bits in [32, 64] {
            let file = program(bits);
            let elf = RiscvElf::parse(&file).unwrap();
            assert_eq!(elf.symbol(FUNCTION.to_str().unwrap()), Some(0x1000), "{bits}");
        }
    }
}
