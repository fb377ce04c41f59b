//! The loader: the code that harts start in. It computes the groups of an instance and calls the
//! kernel for each. Invariant: the code is position independent, uses no stack, and only relies on
//! the kernel preserving `s0` and `s1`; a kernel that does not can at worst fault. On entry `a0`
//! holds the instance, `a3` the context's address and `ra` the return address.

use crate::context::{Convention, Layout};
use muxcl_hal::HalError;
use muxcl_rv_isa::{Inst, Op, Xlen, encode};

/// The loader's code, and its entry points as offsets.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Rom {
    /// The machine code.
    pub code: Vec<u8>,
    /// Entry point that runs the groups of an instance.
    pub instance: u64,
    /// Entry point that runs the context's current group.
    pub group: u64,
    /// Entry point that ends the instance by a host call.
    pub exit: u64,
}

const ZERO: u8 = 0;
const RA: u8 = 1;
const T0: u8 = 5;
const T1: u8 = 6;
const T2: u8 = 7;
const S0: u8 = 8;
const S1: u8 = 9;
const A0: u8 = 10;
const A1: u8 = 11;
const A3: u8 = 13;
const A7: u8 = 17;
const T3: u8 = 28;
const T4: u8 = 29;

struct Assembler {
    code: Vec<Inst>,
    load: Op,
    store: Op,
}

impl Assembler {
    fn emit(&mut self, op: Op, rd: u8, rs1: u8, rs2: u8, imm: i32) {
        self.code.push(Inst { rd, rs1, rs2, imm, ..Inst::new(op) });
    }

    fn here(&self) -> usize {
        self.code.len()
    }

    fn load(&mut self, rd: u8, offset: u64) {
        self.emit(self.load, rd, S0, 0, i32::try_from(offset).unwrap_or(0));
    }

    fn store(&mut self, rs2: u8, offset: u64) {
        self.emit(self.store, 0, S0, rs2, i32::try_from(offset).unwrap_or(0));
    }

    /// Stores the context's address at the offset that the context names.
    fn store_own_address(&mut self, l: Layout) {
        self.load(T0, l.own_address_at());
        self.emit(Op::Add, T0, T0, S0, 0);
        self.emit(self.store, 0, T0, S0, 0);
    }

    fn mv(&mut self, rd: u8, rs1: u8) {
        self.emit(Op::Addi, rd, rs1, 0, 0);
    }

    /// Emits a branch, whose target [`Self::aim`] sets.
    fn branch(&mut self, op: Op, rs1: u8, rs2: u8) -> usize {
        self.emit(op, 0, rs1, rs2, 0);
        self.here() - 1
    }

    fn aim(&mut self, branch: usize, target: usize) {
        let distance = i64::try_from(target).unwrap_or(0) - i64::try_from(branch).unwrap_or(0);
        self.code[branch].imm = i32::try_from(distance * 4).unwrap_or(0);
    }
}

impl Rom {
    /// Assembles the loader for harts with words of `bits` bits.
    ///
    /// # Errors
    /// The instruction table lacks an instruction that the loader uses, which does not happen.
    pub(crate) fn new(bits: u32) -> Result<Self, HalError> {
        let (xlen, load, store) =
            if bits == 32 { (Xlen::Rv32, Op::Lw, Op::Sw) } else { (Xlen::Rv64, Op::Ld, Op::Sd) };
        // The loader's fields have the same offsets in both conventions.
        let l = Layout::new(bits, Convention::Schedule);
        let mut a = Assembler { code: Vec::new(), load, store };
        let instance = a.here();
        a.mv(S0, A3);
        a.mv(S1, RA);
        a.store_own_address(l);
        // first = instance * chunk; left = min(chunk, total - first)
        a.load(T0, l.chunk());
        a.emit(Op::Mul, T1, A0, T0, 0);
        a.load(T2, l.total());
        a.emit(Op::Sub, T2, T2, T1, 0);
        let fewer = a.branch(Op::Bltu, T2, T0);
        a.mv(T2, T0);
        let here = a.here();
        a.aim(fewer, here);
        a.store(T2, l.left());
        a.load(T3, l.groups(0));
        a.load(T4, l.groups(1));
        a.emit(Op::Remu, T0, T1, T3, 0);
        a.store(T0, l.group(0));
        a.emit(Op::Divu, T1, T1, T3, 0);
        a.emit(Op::Remu, T0, T1, T4, 0);
        a.store(T0, l.group(1));
        a.emit(Op::Divu, T1, T1, T4, 0);
        a.store(T1, l.group(2));
        let again = a.here();
        a.load(T0, l.entry());
        a.load(A0, l.args());
        a.mv(A1, S0);
        a.emit(Op::Jalr, RA, T0, 0, 0);
        a.load(T0, l.left());
        a.emit(Op::Addi, T0, T0, 0, -1);
        a.store(T0, l.left());
        let done = a.branch(Op::Beq, T0, ZERO);
        // Advances to the next group: x first, then y, then z.
        for k in 0..2 {
            a.load(T0, l.group(k));
            a.emit(Op::Addi, T0, T0, 0, 1);
            a.store(T0, l.group(k));
            a.load(T1, l.groups(k));
            let inside = a.branch(Op::Bltu, T0, T1);
            a.aim(inside, again);
            a.store(ZERO, l.group(k));
        }
        a.load(T0, l.group(2));
        a.emit(Op::Addi, T0, T0, 0, 1);
        a.store(T0, l.group(2));
        let back = a.branch(Op::Jal, 0, 0);
        a.aim(back, again);
        let end = a.here();
        a.aim(done, end);
        a.emit(Op::Jalr, ZERO, S1, 0, 0);
        let group = a.here();
        a.mv(S0, A3);
        a.mv(S1, RA);
        a.store_own_address(l);
        let go = a.branch(Op::Jal, 0, 0);
        a.aim(go, again);
        let exit = a.here();
        a.mv(A0, ZERO);
        a.mv(A7, ZERO);
        a.emit(Op::Ecall, 0, 0, 0, 0);
        let words: Option<Vec<u32>> = a.code.iter().map(|i| encode(i, xlen)).collect();
        let words = words.ok_or(HalError::Failed("the loader's code"))?;
        let code = words.iter().flat_map(|w| w.to_le_bytes()).collect();
        Ok(Self {
            code,
            instance: 4 * instance as u64,
            group: 4 * group as u64,
            exit: 4 * exit as u64,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use muxcl_rv_isa::{decode, disassemble};

    #[test]
    fn the_loader_is_code_for_both_widths() {
        for (bits, xlen) in [(32, Xlen::Rv32), (64, Xlen::Rv64)] {
            let rom = Rom::new(bits).expect("code");
            let text: Vec<String> = rom
                .code
                .chunks(4)
                .map(|w| {
                    disassemble(
                        &decode(u32::from_le_bytes(w.try_into().expect("four")), xlen)
                            .expect("one"),
                    )
                })
                .collect();
            assert_eq!(text.last().map(String::as_str), Some("ecall"));
            assert!(text.iter().any(|t| t.starts_with("jalr")), "{text:?}");
        }
    }
}
