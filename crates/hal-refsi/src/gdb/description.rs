//! The registers of a hart as gdb sees them: the target description (XML), and the order of the
//! registers. Invariant: the k-th `<reg>` of the XML is the k-th register of the list.

use crate::options::Options;
use muxcl_hal::target::Extensions;
use muxcl_rv_isa::{csr, f_name, x_name};
use muxcl_rv_sim::Hart;
use std::fmt::Write as _;

/// A register.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Register {
    X(u8),
    Pc,
    F(u8),
    Csr(u16),
    V(u8),
}

/// The registers of a device's harts.
pub(super) struct Description {
    pub(super) xml: String,
    /// The registers with their sizes in bytes.
    registers: Vec<(Register, usize)>,
    /// The number of registers in the packets `g` and `G`: all but CSRs and vector registers.
    general: usize,
}

const FLOAT_CSRS: [(&str, u16); 3] =
    [("fflags", csr::FFLAGS), ("frm", csr::FRM), ("fcsr", csr::FCSR)];
const CSRS: [(&str, u16); 3] =
    [("mhartid", csr::MHARTID), ("cycle", csr::CYCLE), ("instret", csr::INSTRET)];
const VECTOR_CSRS: [(&str, u16); 7] = [
    ("vstart", csr::VSTART),
    ("vxsat", csr::VXSAT),
    ("vxrm", csr::VXRM),
    ("vcsr", csr::VCSR),
    ("vl", csr::VL),
    ("vtype", csr::VTYPE),
    ("vlenb", csr::VLENB),
];

struct Writer {
    xml: String,
    registers: Vec<(Register, usize)>,
}

impl Writer {
    fn feature(&mut self, name: &str) {
        let _ = write!(self.xml, "<feature name=\"org.gnu.gdb.riscv.{name}\">");
    }

    fn end(&mut self) {
        self.xml.push_str("</feature>");
    }

    fn register(&mut self, name: &str, register: Register, bytes: usize, kind: &str) {
        let _ = write!(
            self.xml,
            "<reg name=\"{name}\" bitsize=\"{}\" type=\"{kind}\" regnum=\"{}\"/>",
            8 * bytes,
            self.registers.len()
        );
        self.registers.push((register, bytes));
    }
}

impl Description {
    pub(super) fn new(options: &Options) -> Self {
        let bits = options.word_size();
        let word = if bits == 32 { 4 } else { 8 };
        let has = |set| options.target.extensions.contains(set);
        let mut w = Writer { xml: String::new(), registers: Vec::new() };
        w.xml.push_str("<?xml version=\"1.0\"?><!DOCTYPE target SYSTEM \"gdb-target.dtd\">");
        // The OS `none` makes gdb ask for the list of libraries.
        let _ = write!(
            w.xml,
            "<target version=\"1.0\"><architecture>riscv:rv{bits}</architecture>\
             <osabi>none</osabi>"
        );
        w.feature("cpu");
        for n in 0..32 {
            let kind = match n {
                1 => "code_ptr",
                2..5 | 8 => "data_ptr",
                _ => "int",
            };
            w.register(x_name(n), Register::X(n), word, kind);
        }
        w.register("pc", Register::Pc, word, "code_ptr");
        w.end();
        if has(Extensions::F) {
            let (bytes, kind) =
                if has(Extensions::D) { (8, "ieee_double") } else { (4, "ieee_single") };
            w.feature("fpu");
            for n in 0..32 {
                w.register(f_name(n), Register::F(n), bytes, kind);
            }
            for (name, number) in FLOAT_CSRS {
                w.register(name, Register::Csr(number), 4, "int");
            }
            w.end();
        }
        let general = w.registers.len();
        w.feature("csr");
        for (name, number) in CSRS {
            w.register(name, Register::Csr(number), word, "int");
        }
        if has(Extensions::V) {
            for (name, number) in VECTOR_CSRS {
                w.register(name, Register::Csr(number), word, "int");
            }
        }
        w.end();
        if has(Extensions::V) {
            let bytes = options.vlen as usize / 8;
            w.feature("vector");
            let elements = [("b", "bytes", "uint8", 1), ("s", "shorts", "uint16", 2)];
            let longer = [("w", "words", "uint32", 4), ("l", "longs", "uint64", 8)];
            let elements = elements.into_iter().chain(longer);
            let mut union = "<union id=\"riscv_vector\">".to_owned();
            for (field, id, kind, size) in elements {
                let count = bytes / size;
                let _ = write!(w.xml, "<vector id=\"{id}\" type=\"{kind}\" count=\"{count}\"/>");
                let _ = write!(union, "<field name=\"{field}\" type=\"{id}\"/>");
            }
            w.xml.push_str(&union);
            w.xml.push_str("</union>");
            for n in 0..32 {
                w.register(&format!("v{n}"), Register::V(n), bytes, "riscv_vector");
            }
            w.end();
        }
        w.xml.push_str("</target>");
        Self { xml: w.xml, registers: w.registers, general }
    }

    /// The bytes of a register; `None` if it does not exist.
    pub(super) fn read(&self, hart: &Hart, number: usize) -> Option<Vec<u8>> {
        let (register, bytes) = *self.registers.get(number)?;
        let value = match register {
            Register::X(n) => hart.x(n),
            Register::Pc => hart.pc(),
            Register::F(n) => hart.f(n),
            Register::Csr(number) => hart.csr(number)?,
            Register::V(n) => return Some(hart.v(n).to_vec()),
        };
        Some(value.to_le_bytes()[..bytes].to_vec())
    }

    /// Sets a register. Returns false if it does not exist, cannot be written, or has another size.
    pub(super) fn write(&self, hart: &mut Hart, number: usize, bytes: &[u8]) -> bool {
        let Some((register, size)) = self.registers.get(number).copied() else { return false };
        if bytes.len() != size {
            return false;
        }
        let mut word = [0; 8];
        if let Some(place) = word.get_mut(..size) {
            place.copy_from_slice(bytes);
        }
        let value = u64::from_le_bytes(word);
        match register {
            Register::X(n) => hart.set_x(n, value),
            Register::Pc => hart.set_pc(value),
            // A single-precision value in a wider register is NaN-boxed.
            Register::F(n) if size == 4 => hart.set_f(n, value | 0xffff_ffff_0000_0000),
            Register::F(n) => hart.set_f(n, value),
            Register::Csr(number) => return hart.set_csr(number, value),
            Register::V(n) => hart.set_v(n, bytes),
        }
        true
    }

    /// The bytes of the packet `g`.
    pub(super) fn read_general(&self, hart: &Hart) -> Vec<u8> {
        (0..self.general).filter_map(|n| self.read(hart, n)).flatten().collect()
    }

    /// Sets the registers of the packet `G`. Returns false if it has another size.
    pub(super) fn write_general(&self, hart: &mut Hart, mut bytes: &[u8]) -> bool {
        let size: usize = self.registers[..self.general].iter().map(|(_, n)| n).sum();
        if bytes.len() != size {
            return false;
        }
        for number in 0..self.general {
            let (own, rest) = bytes.split_at(self.registers[number].1);
            self.write(hart, number, own);
            bytes = rest;
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::options::Soc;
    use muxcl_rv_sim::Memory;
    use std::sync::Arc;

    fn device(target: &str, vlen: u32) -> (Options, Hart) {
        let target = target.parse().expect("an instruction set");
        let options = Options { target, vlen, ..Options::new(Soc::G1) };
        let hart = Hart::new(1, &options.hart(), Arc::new(Memory::new())).expect("a hart");
        (options, hart)
    }

    #[test]
    fn every_register_can_be_read_and_all_but_constants_written() {
        for (target, vlen, count) in [
            ("RV64GCV", 128, 33 + 35 + 10 + 32),
            ("RV32GCV", 4096, 33 + 35 + 10 + 32),
            ("RV32IMAFC", 128, 33 + 35 + 3),
            ("RV64IMAC", 128, 33 + 3),
        ] {
            let (options, mut hart) = device(target, vlen);
            let d = Description::new(&options);
            assert_eq!(d.xml.matches("<reg ").count(), count, "{target}");
            assert_eq!(d.registers.len(), count, "{target}");
            for number in 0..count {
                let (register, size) = d.registers[number];
                let pattern: Vec<u8> = (0..50).cycle().map(|k| 0x10 + k * 2).take(size).collect();
                let written = d.write(&mut hart, number, &pattern);
                let read = d.read(&hart, number).expect("a register");
                assert_eq!(read.len(), size);
                match register {
                    Register::X(0) => assert_eq!(read, vec![0; size]),
                    Register::X(_) | Register::Pc | Register::F(_) | Register::V(_) => {
                        assert!(written && read == pattern, "{target} {register:?}");
                    }
                    Register::Csr(_) => {}
                }
                assert!(!d.write(&mut hart, number, &pattern[1..]));
            }
            assert!(d.read(&hart, count).is_none() && !d.write(&mut hart, count, &[0]));
            let general = d.read_general(&hart);
            assert!(d.write_general(&mut hart, &general));
            assert!(!d.write_general(&mut hart, &general[1..]));
            assert_eq!(d.read_general(&hart), general);
        }
    }
}
