//! The 16-bit instructions: one table whose rows name the base instructions that they expand to.
//! Invariant: an expansion has `len` 2 and is otherwise an ordinary [`Inst`]. Not here: Zcb and
//! Zcmp.

use crate::disasm::{f_name, x_name};
use crate::format::Inst;
use crate::op::{Op, Xlen, XlenSet};

/// The mapping from the bits of a 16-bit instruction to operands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Encoding {
    Nop,
    Ebreak,
    Addi4spn,
    LoadW,
    LoadD,
    StoreW,
    StoreD,
    Imm,
    LoadImm,
    Addi16sp,
    Lui,
    ShiftP,
    ImmP,
    Alu,
    Jump,
    JumpLink,
    Branch,
    Shift,
    LoadSpW,
    LoadSpD,
    StoreSpW,
    StoreSpD,
    Jr,
    Jalr,
    Mv,
    Add,
}

/// A row of the table: a 16-bit instruction.
#[derive(Debug, Clone, Copy)]
pub struct CompressedRow {
    /// Mnemonic.
    pub mnemonic: &'static str,
    matches: u16,
    mask: u16,
    encoding: Encoding,
    base: Op,
    xlen: XlenSet,
}

macro_rules! rows {
    ($($name:literal, $matches:literal, $mask:literal, $encoding:ident, $base:ident,
        $xlen:ident;)*) => {
        &[$(CompressedRow {
            mnemonic: $name, matches: $matches, mask: $mask, encoding: Encoding::$encoding,
                base: Op::$base, xlen: XlenSet::$xlen,
        }),*]
    };
}

/// More specific rows come first.
const ROWS: &[CompressedRow] = rows! {
    "c.addi4spn", 0x0000, 0xe003, Addi4spn, Addi, Any;
    "c.fld", 0x2000, 0xe003, LoadD, Fld, Any;
    "c.lw", 0x4000, 0xe003, LoadW, Lw, Any;
    "c.flw", 0x6000, 0xe003, LoadW, Flw, Rv32;
    "c.ld", 0x6000, 0xe003, LoadD, Ld, Rv64;
    "c.fsd", 0xa000, 0xe003, StoreD, Fsd, Any;
    "c.sw", 0xc000, 0xe003, StoreW, Sw, Any;
    "c.fsw", 0xe000, 0xe003, StoreW, Fsw, Rv32;
    "c.sd", 0xe000, 0xe003, StoreD, Sd, Rv64;
    "c.nop", 0x0001, 0xef83, Nop, Addi, Any;
    "c.addi", 0x0001, 0xe003, Imm, Addi, Any;
    "c.jal", 0x2001, 0xe003, JumpLink, Jal, Rv32;
    "c.addiw", 0x2001, 0xe003, Imm, Addiw, Rv64;
    "c.li", 0x4001, 0xe003, LoadImm, Addi, Any;
    "c.addi16sp", 0x6101, 0xef83, Addi16sp, Addi, Any;
    "c.lui", 0x6001, 0xe003, Lui, Lui, Any;
    "c.srli", 0x8001, 0xec03, ShiftP, Srli, Any;
    "c.srai", 0x8401, 0xec03, ShiftP, Srai, Any;
    "c.andi", 0x8801, 0xec03, ImmP, Andi, Any;
    "c.sub", 0x8c01, 0xfc63, Alu, Sub, Any;
    "c.xor", 0x8c21, 0xfc63, Alu, Xor, Any;
    "c.or", 0x8c41, 0xfc63, Alu, Or, Any;
    "c.and", 0x8c61, 0xfc63, Alu, And, Any;
    "c.subw", 0x9c01, 0xfc63, Alu, Subw, Rv64;
    "c.addw", 0x9c21, 0xfc63, Alu, Addw, Rv64;
    "c.j", 0xa001, 0xe003, Jump, Jal, Any;
    "c.beqz", 0xc001, 0xe003, Branch, Beq, Any;
    "c.bnez", 0xe001, 0xe003, Branch, Bne, Any;
    "c.slli", 0x0002, 0xe003, Shift, Slli, Any;
    "c.fldsp", 0x2002, 0xe003, LoadSpD, Fld, Any;
    "c.lwsp", 0x4002, 0xe003, LoadSpW, Lw, Any;
    "c.flwsp", 0x6002, 0xe003, LoadSpW, Flw, Rv32;
    "c.ldsp", 0x6002, 0xe003, LoadSpD, Ld, Rv64;
    "c.ebreak", 0x9002, 0xffff, Ebreak, Ebreak, Any;
    "c.jr", 0x8002, 0xf07f, Jr, Jalr, Any;
    "c.mv", 0x8002, 0xf003, Mv, Add, Any;
    "c.jalr", 0x9002, 0xf07f, Jalr, Jalr, Any;
    "c.add", 0x9002, 0xf003, Add, Add, Any;
    "c.fsdsp", 0xa002, 0xe003, StoreSpD, Fsd, Any;
    "c.swsp", 0xc002, 0xe003, StoreSpW, Sw, Any;
    "c.fswsp", 0xe002, 0xe003, StoreSpW, Fsw, Rv32;
    "c.sdsp", 0xe002, 0xe003, StoreSpD, Sd, Rv64;
};

/// Collects runs of bits, given as `(from, to, count)`.
fn gather(half: u16, runs: &[(u32, u32, u32)]) -> i32 {
    let word = u32::from(half);
    runs.iter()
        .map(|&(from, to, count)| (word >> from & ((1 << count) - 1)) << to)
        .sum::<u32>()
        .cast_signed()
}

const fn sext(value: i32, width: u32) -> i32 {
    value << (32 - width) >> (32 - width)
}

fn full(half: u16, low: u32) -> u8 {
    (half >> low & 31).to_le_bytes()[0]
}

/// Decodes a 3-bit register number: `x8` to `x15`, or `f8` to `f15`.
fn popular(half: u16, low: u32) -> u8 {
    (half >> low & 7).to_le_bytes()[0] + 8
}

fn find(half: u16, xlen: Xlen) -> Option<&'static CompressedRow> {
    ROWS.iter().find(|r| half & r.mask == r.matches && r.xlen.has(xlen))
}

/// Expands a 16-bit instruction; `None` if it is illegal or reserved.
#[must_use]
pub fn decode_compressed(half: u16, xlen: Xlen) -> Option<Inst> {
    let row = find(half, xlen)?;
    let mut i = Inst { len: 2, ..Inst::new(row.base) };
    let imm6 = sext(gather(half, &[(12, 5, 1), (2, 0, 5)]), 6);
    let shamt = gather(half, &[(12, 5, 1), (2, 0, 5)]);
    let offset_w = gather(half, &[(10, 3, 3), (6, 2, 1), (5, 6, 1)]);
    let offset_d = gather(half, &[(10, 3, 3), (5, 6, 2)]);
    let mut legal = true;
    match row.encoding {
        Encoding::Nop | Encoding::Ebreak => {}
        Encoding::Addi4spn => {
            (i.rd, i.rs1, i.imm) =
                (popular(half, 2), 2, gather(half, &[(11, 4, 2), (7, 6, 4), (6, 2, 1), (5, 3, 1)]));
            legal = i.imm != 0;
        }
        Encoding::LoadW => (i.rd, i.rs1, i.imm) = (popular(half, 2), popular(half, 7), offset_w),
        Encoding::LoadD => (i.rd, i.rs1, i.imm) = (popular(half, 2), popular(half, 7), offset_d),
        Encoding::StoreW => (i.rs2, i.rs1, i.imm) = (popular(half, 2), popular(half, 7), offset_w),
        Encoding::StoreD => (i.rs2, i.rs1, i.imm) = (popular(half, 2), popular(half, 7), offset_d),
        Encoding::Imm => {
            (i.rd, i.rs1, i.imm) = (full(half, 7), full(half, 7), imm6);
            legal = i.op == Op::Addi || i.rd != 0;
        }
        Encoding::LoadImm => (i.rd, i.imm) = (full(half, 7), imm6),
        Encoding::Addi16sp => {
            let imm = gather(half, &[(12, 9, 1), (6, 4, 1), (5, 6, 1), (3, 7, 2), (2, 5, 1)]);
            (i.rd, i.rs1, i.imm) = (2, 2, sext(imm, 10));
            legal = i.imm != 0;
        }
        Encoding::Lui => {
            (i.rd, i.imm) = (full(half, 7), imm6 << 12);
            legal = i.imm != 0;
        }
        Encoding::ShiftP => (i.rd, i.rs1, i.imm) = (popular(half, 7), popular(half, 7), shamt),
        Encoding::ImmP => (i.rd, i.rs1, i.imm) = (popular(half, 7), popular(half, 7), imm6),
        Encoding::Alu => {
            (i.rd, i.rs1, i.rs2) = (popular(half, 7), popular(half, 7), popular(half, 2))
        }
        Encoding::Jump | Encoding::JumpLink => {
            let runs = [
                (12, 11, 1),
                (11, 4, 1),
                (9, 8, 2),
                (8, 10, 1),
                (7, 6, 1),
                (6, 7, 1),
                (3, 1, 3),
                (2, 5, 1),
            ];
            (i.rd, i.imm) =
                (u8::from(row.encoding == Encoding::JumpLink), sext(gather(half, &runs), 12));
        }
        Encoding::Branch => {
            let imm = gather(half, &[(12, 8, 1), (10, 3, 2), (5, 6, 2), (3, 1, 2), (2, 5, 1)]);
            (i.rs1, i.imm) = (popular(half, 7), sext(imm, 9));
        }
        Encoding::Shift => (i.rd, i.rs1, i.imm) = (full(half, 7), full(half, 7), shamt),
        Encoding::LoadSpW => {
            (i.rd, i.rs1, i.imm) =
                (full(half, 7), 2, gather(half, &[(12, 5, 1), (4, 2, 3), (2, 6, 2)]))
        }
        Encoding::LoadSpD => {
            (i.rd, i.rs1, i.imm) =
                (full(half, 7), 2, gather(half, &[(12, 5, 1), (5, 3, 2), (2, 6, 3)]))
        }
        Encoding::StoreSpW => {
            (i.rs2, i.rs1, i.imm) = (full(half, 2), 2, gather(half, &[(9, 2, 4), (7, 6, 2)]))
        }
        Encoding::StoreSpD => {
            (i.rs2, i.rs1, i.imm) = (full(half, 2), 2, gather(half, &[(10, 3, 3), (7, 6, 3)]))
        }
        Encoding::Jr | Encoding::Jalr => {
            (i.rd, i.rs1) = (u8::from(row.encoding == Encoding::Jalr), full(half, 7));
            legal = i.rs1 != 0;
        }
        Encoding::Mv => (i.rd, i.rs2) = (full(half, 7), full(half, 2)),
        Encoding::Add => (i.rd, i.rs1, i.rs2) = (full(half, 7), full(half, 7), full(half, 2)),
    }
    if matches!(row.encoding, Encoding::LoadSpW | Encoding::LoadSpD)
        && matches!(i.op, Op::Lw | Op::Ld)
    {
        legal = i.rd != 0;
    }
    if matches!(row.encoding, Encoding::Shift | Encoding::ShiftP) && xlen == Xlen::Rv32 {
        legal = i.imm < 32;
    }
    legal.then_some(i)
}

/// Disassembles a 16-bit instruction with its own mnemonic; `None` if it is illegal.
#[must_use]
pub fn disassemble_compressed(half: u16, xlen: Xlen) -> Option<String> {
    let row = find(half, xlen)?;
    let i = decode_compressed(half, xlen)?;
    let (name, imm) = (row.mnemonic, i.imm);
    let floating = matches!(i.op, Op::Flw | Op::Fld | Op::Fsw | Op::Fsd);
    let data = |r: u8| if floating { f_name(r) } else { x_name(r) };
    let (rd, rs1, rs2) = (x_name(i.rd), x_name(i.rs1), x_name(i.rs2));
    Some(match row.encoding {
        Encoding::Nop if half >> 2 & 31 | half >> 12 & 1 != 0 => {
            format!("{name} {}", sext(gather(half, &[(12, 5, 1), (2, 0, 5)]), 6))
        }
        Encoding::Nop | Encoding::Ebreak => name.to_owned(),
        Encoding::Addi4spn => format!("{name} {rd}, sp, {imm}"),
        Encoding::LoadW | Encoding::LoadD => format!("{name} {}, {imm}({rs1})", data(i.rd)),
        Encoding::StoreW | Encoding::StoreD => format!("{name} {}, {imm}({rs1})", data(i.rs2)),
        Encoding::Imm | Encoding::LoadImm | Encoding::ShiftP | Encoding::ImmP | Encoding::Shift => {
            format!("{name} {rd}, {imm}")
        }
        Encoding::Addi16sp => format!("{name} sp, {imm}"),
        Encoding::Lui => format!("{name} {rd}, {}", imm.cast_unsigned() >> 12),
        Encoding::Alu | Encoding::Mv | Encoding::Add => format!("{name} {rd}, {rs2}"),
        Encoding::Jump | Encoding::JumpLink => format!("{name} {imm}"),
        Encoding::Branch => format!("{name} {rs1}, {imm}"),
        Encoding::LoadSpW | Encoding::LoadSpD => format!("{name} {}, {imm}(sp)", data(i.rd)),
        Encoding::StoreSpW | Encoding::StoreSpD => format!("{name} {}, {imm}(sp)", data(i.rs2)),
        Encoding::Jr | Encoding::Jalr => format!("{name} {rs1}"),
    })
}
