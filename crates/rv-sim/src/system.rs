//! CSRs. Invariant: accesses to a CSR that `rv_isa::csr` does not list are illegal. The machine has
//! one privilege level and takes no traps, so the machine-mode registers only store the written
//! values.

use crate::fault::Trap;
use crate::hart::Hart;
use muxcl_rv_isa::{Extension, Inst, Op, Xlen, csr};
use std::time::Instant;

/// Machine-mode registers without side effects.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Plain {
    mstatus: u64,
    mtvec: u64,
    mscratch: u64,
    mepc: u64,
    mcause: u64,
    mtval: u64,
}

/// Nanoseconds since the first call in this process.
fn now() -> u64 {
    static START: std::sync::OnceLock<Instant> = std::sync::OnceLock::new();
    START.get_or_init(Instant::now).elapsed().as_nanos() as u64
}

impl Hart {
    /// The clock, which has another value when an instruction is repeated.
    fn clock(&self) -> u64 {
        self.note_once();
        now()
    }

    fn plain(&mut self, number: u16) -> Option<&mut u64> {
        Some(match number {
            csr::MSTATUS => &mut self.plain.mstatus,
            csr::MTVEC => &mut self.plain.mtvec,
            csr::MSCRATCH => &mut self.plain.mscratch,
            csr::MEPC => &mut self.plain.mepc,
            csr::MCAUSE => &mut self.plain.mcause,
            csr::MTVAL => &mut self.plain.mtval,
            _ => return None,
        })
    }

    fn misa(&self) -> u64 {
        let mut bits = 0;
        for (extension, letter) in [
            (Extension::A, b'a'),
            (Extension::C, b'c'),
            (Extension::D, b'd'),
            (Extension::F, b'f'),
            (Extension::I, b'i'),
            (Extension::M, b'm'),
            (Extension::V, b'v'),
        ] {
            if self.has(extension) {
                bits |= 1 << (letter - b'a');
            }
        }
        match self.xlen() {
            Xlen::Rv64 => bits | 2 << 62,
            Xlen::Rv32 => (bits | 1 << 30) as u32 as u64,
        }
    }

    /// Reads a CSR; `None` if it does not exist.
    #[must_use]
    pub fn csr(&self, number: u16) -> Option<u64> {
        let narrow = self.xlen() == Xlen::Rv32;
        Some(match number {
            csr::FFLAGS => self.fflags.into(),
            csr::FRM => self.frm.into(),
            csr::FCSR => u64::from(self.frm) << 5 | u64::from(self.fflags),
            csr::VSTART => self.v.vstart as u64,
            csr::VXSAT => self.v.vxsat.into(),
            csr::VXRM => self.v.vxrm.into(),
            csr::VCSR => u64::from(self.v.vxrm) << 1 | u64::from(self.v.vxsat),
            csr::VL => self.v.vl as u64,
            csr::VTYPE => self.v.vtype.bits(self.xlen()),
            csr::VLENB => self.v.vlenb as u64,
            csr::MISA => self.misa(),
            csr::MSTATUS => self.plain.mstatus,
            csr::MTVEC => self.plain.mtvec,
            csr::MSCRATCH => self.plain.mscratch,
            csr::MEPC => self.plain.mepc,
            csr::MCAUSE => self.plain.mcause,
            csr::MTVAL => self.plain.mtval,
            csr::CYCLE | csr::MCYCLE | csr::INSTRET | csr::MINSTRET => self.retired(),
            csr::TIME => self.clock(),
            csr::CYCLEH | csr::MCYCLEH | csr::INSTRETH | csr::MINSTRETH if narrow => {
                self.retired() >> 32
            }
            csr::TIMEH if narrow => self.clock() >> 32,
            csr::MVENDORID | csr::MARCHID | csr::MIMPID => 0,
            csr::MHARTID => self.id().into(),
            _ => return None,
        })
    }

    /// Writes a CSR; false if it does not exist or is read-only.
    #[must_use]
    pub fn set_csr(&mut self, number: u16, value: u64) -> bool {
        match number {
            csr::FFLAGS => self.fflags = (value & 31) as u8,
            csr::FRM => self.frm = (value & 7) as u8,
            csr::FCSR => {
                self.fflags = (value & 31) as u8;
                self.frm = (value >> 5 & 7) as u8;
            }
            csr::VSTART => self.v.vstart = (value as usize) & (self.v.vlenb * 8 - 1),
            csr::VXSAT => self.v.vxsat = value & 1 == 1,
            csr::VXRM => self.v.vxrm = (value & 3) as u8,
            csr::VCSR => {
                self.v.vxsat = value & 1 == 1;
                self.v.vxrm = (value >> 1 & 3) as u8;
            }
            // Writes to constant registers and counters are legal and have no effect.
            csr::MISA | csr::MCYCLE | csr::MINSTRET | csr::MCYCLEH | csr::MINSTRETH => {}
            _ => match self.plain(number) {
                Some(place) => *place = value,
                None => return false,
            },
        }
        true
    }

    /// Executes a CSR instruction.
    pub(crate) fn csr_instruction(&mut self, i: &Inst) -> Result<(), Trap> {
        let number = i.imm as u16;
        let operand = if matches!(i.op, Op::Csrrwi | Op::Csrrsi | Op::Csrrci) {
            i.rs1.into()
        } else {
            self.x(i.rs1)
        };
        let old = self.csr(number).ok_or(Trap::ILLEGAL)?;
        let (write, value) = match i.op {
            Op::Csrrw | Op::Csrrwi => (true, operand),
            Op::Csrrs | Op::Csrrsi => (i.rs1 != 0, old | operand),
            _ => (i.rs1 != 0, old & !operand),
        };
        if write && !self.set_csr(number, value) {
            return Err(Trap::ILLEGAL);
        }
        let old =
            if self.xlen() == Xlen::Rv32 { i64::from(old as i32).cast_unsigned() } else { old };
        self.set_x(i.rd, old);
        Ok(())
    }
}
