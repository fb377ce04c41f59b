//! Disassembles instructions in the syntax of `llvm-objdump -M no-aliases`. Invariant: the text
//! assembles to the same word. Not here: symbols and absolute targets; branch targets are printed
//! as offsets.

use crate::csr;
use crate::format::{Inst, Operand};
use crate::op::Op;
use std::fmt::Write;

const X_NAMES: [&str; 32] = [
    "zero", "ra", "sp", "gp", "tp", "t0", "t1", "t2", "s0", "s1", "a0", "a1", "a2", "a3", "a4",
    "a5", "a6", "a7", "s2", "s3", "s4", "s5", "s6", "s7", "s8", "s9", "s10", "s11", "t3", "t4",
    "t5", "t6",
];
const F_NAMES: [&str; 32] = [
    "ft0", "ft1", "ft2", "ft3", "ft4", "ft5", "ft6", "ft7", "fs0", "fs1", "fa0", "fa1", "fa2",
    "fa3", "fa4", "fa5", "fa6", "fa7", "fs2", "fs3", "fs4", "fs5", "fs6", "fs7", "fs8", "fs9",
    "fs10", "fs11", "ft8", "ft9", "ft10", "ft11",
];

/// The ABI name of an integer register.
#[must_use]
pub const fn x_name(register: u8) -> &'static str {
    X_NAMES[(register & 31) as usize]
}

/// The ABI name of a floating-point register.
#[must_use]
pub const fn f_name(register: u8) -> &'static str {
    F_NAMES[(register & 31) as usize]
}

/// `vtype` in assembly syntax: `e32, m1, ta, ma`, or the number if the value is reserved.
#[must_use]
pub fn vtype_name(vtype: u32) -> String {
    const SEW: [&str; 4] = ["e8", "e16", "e32", "e64"];
    const LMUL: [&str; 8] = ["m1", "m2", "m4", "m8", "", "mf8", "mf4", "mf2"];
    let (lmul, sew) = (LMUL[(vtype & 7) as usize], vtype >> 3 & 7);
    if vtype >> 8 != 0 || sew > 3 || lmul.is_empty() {
        return vtype.to_string();
    }
    let tail = if vtype & 64 == 0 { "tu" } else { "ta" };
    let mask = if vtype & 128 == 0 { "mu" } else { "ma" };
    format!("{}, {lmul}, {tail}, {mask}", SEW[sew as usize])
}

fn fence_set(set: u32) -> String {
    if set == 0 {
        return "0".to_owned();
    }
    "iorw".chars().enumerate().filter(|(i, _)| set & 8 >> i != 0).map(|(_, c)| c).collect()
}

/// Conversions that are always exact: their rounding mode is `rne` and is not printed.
const fn exact_conversion(op: Op) -> bool {
    matches!(op, Op::FcvtDS | Op::FcvtDW | Op::FcvtDWu | Op::FcvtSH | Op::FcvtDH)
}

fn operand(inst: &Inst, operand: Operand) -> Option<String> {
    let v = |n: u8| format!("v{n}");
    Some(match operand {
        Operand::Xd => x_name(inst.rd).to_owned(),
        Operand::X1 => x_name(inst.rs1).to_owned(),
        Operand::X2 => x_name(inst.rs2).to_owned(),
        Operand::Fd => f_name(inst.rd).to_owned(),
        Operand::F1 => f_name(inst.rs1).to_owned(),
        Operand::F2 => f_name(inst.rs2).to_owned(),
        Operand::F3 => f_name(inst.rs3).to_owned(),
        Operand::Vd => v(inst.rd),
        Operand::V1 => v(inst.rs1),
        Operand::V2 => v(inst.rs2),
        Operand::MemI | Operand::MemS => format!("{}({})", inst.imm, x_name(inst.rs1)),
        Operand::Base => format!("({})", x_name(inst.rs1)),
        Operand::UImm => (inst.imm.cast_unsigned() >> 12).to_string(),
        Operand::Csr => {
            let number = inst.imm.cast_unsigned();
            u16::try_from(number)
                .ok()
                .and_then(csr::name)
                .map_or_else(|| number.to_string(), str::to_owned)
        }
        Operand::Zimm => inst.rs1.to_string(),
        Operand::FenceSets => {
            let sets = inst.imm.cast_unsigned();
            format!("{}, {}", fence_set(sets >> 4), fence_set(sets & 15))
        }
        Operand::Rm => match inst.aux {
            0 if exact_conversion(inst.op) => return None,
            0 => "rne",
            1 => "rtz",
            2 => "rdn",
            3 => "rup",
            4 => "rmm",
            _ => "dyn",
        }
        .to_owned(),
        Operand::AqRl | Operand::Nf => return None,
        Operand::VType11 | Operand::VType10 => vtype_name(inst.imm.cast_unsigned()),
        Operand::VMask if inst.unmasked => return None,
        Operand::VMask => "v0.t".to_owned(),
        Operand::V0 => "v0".to_owned(),
        Operand::ImmI
        | Operand::BOff
        | Operand::JOff
        | Operand::Shamt
        | Operand::Shamt5
        | Operand::SImm5
        | Operand::UImm5 => inst.imm.to_string(),
    })
}

/// Disassembles an instruction.
#[must_use]
pub fn disassemble(inst: &Inst) -> String {
    let row = inst.op.row();
    let mut text = row.mnemonic.replace('%', &(inst.aux + 1).to_string());
    let operands = row.format.operands();
    if operands.contains(&Operand::AqRl) {
        text.push_str(["", ".rl", ".aq", ".aqrl"][(inst.aux & 3) as usize]);
    }
    let mut separator = " ";
    for &kind in operands {
        if let Some(word) = operand(inst, kind) {
            // Writing into a String cannot fail.
            let _ = write!(text, "{separator}{word}");
            separator = ", ";
        }
    }
    text
}
