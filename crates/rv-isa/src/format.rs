//! Operands of the instruction word: their bit positions, and the operands of each format in
//! assembly order. Invariant: [`Operand::extract`] and [`Operand::insert`] are inverse on the bits
//! of the operand. Not here: text (`disasm.rs`).

use crate::op::{Op, Xlen};

/// A decoded instruction.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Inst {
    /// Semantic id.
    pub op: Op,
    /// Destination register; for vector stores `vs3`, the data.
    pub rd: u8,
    /// First source register.
    pub rs1: u8,
    /// Second source register.
    pub rs2: u8,
    /// Third source register.
    pub rs3: u8,
    /// Rounding mode; for atomics `aq << 1 | rl`; for vector segments the number of fields - 1.
    pub aux: u8,
    /// For vector instructions: true if unmasked (bit 25).
    pub unmasked: bool,
    /// Length in bytes: 2 or 4.
    pub len: u8,
    /// The immediate, sign-extended and scaled (for `lui` already shifted); a CSR number; `vtype`;
    /// or the two sets of `fence`.
    pub imm: i32,
}

impl Inst {
    /// An instruction with every operand zero.
    #[must_use]
    pub const fn new(op: Op) -> Self {
        Self { op, rd: 0, rs1: 0, rs2: 0, rs3: 0, aux: 0, unmasked: false, len: 4, imm: 0 }
    }
}

/// An operand in assembly syntax.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Operand {
    /// Integer destination.
    Xd,
    /// Integer source in bits 19:15.
    X1,
    /// Integer source in bits 24:20.
    X2,
    /// Floating-point destination.
    Fd,
    /// Floating-point source in bits 19:15.
    F1,
    /// Floating-point source in bits 24:20.
    F2,
    /// Floating-point source in bits 31:27.
    F3,
    /// Vector destination, or the data of a store.
    Vd,
    /// Vector source in bits 19:15.
    V1,
    /// Vector source in bits 24:20.
    V2,
    /// Signed 12-bit immediate in 31:20.
    ImmI,
    /// `imm(rs1)` with the immediate format of loads.
    MemI,
    /// `imm(rs1)` with the immediate format of stores.
    MemS,
    /// `(rs1)`.
    Base,
    /// Branch offset.
    BOff,
    /// Upper 20 bits of the immediate.
    UImm,
    /// Jump offset.
    JOff,
    /// Shift amount from 0 to XLEN-1.
    Shamt,
    /// Shift amount from 0 to 31.
    Shamt5,
    /// CSR number.
    Csr,
    /// Unsigned 5-bit immediate in 19:15, decoded to `rs1`.
    Zimm,
    /// The two sets of `fence`.
    FenceSets,
    /// Rounding mode.
    Rm,
    /// The acquire and release bits.
    AqRl,
    /// Number of fields of a segment - 1.
    Nf,
    /// Signed 5-bit immediate in 19:15.
    SImm5,
    /// Unsigned 5-bit immediate in 19:15, decoded to `imm`.
    UImm5,
    /// `vtype` in 11 bits.
    VType11,
    /// `vtype` in 10 bits.
    VType10,
    /// The mask `v0.t`, present if bit 25 is clear.
    VMask,
    /// `v0`, always present: the carry or the selector.
    V0,
}

macro_rules! formats {
    ($($(#[$doc:meta])* $name:ident: [$($operand:ident),*];)*) => {
        /// The formats: each names the operands of an instruction.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        #[expect(missing_docs, reason = "each name lists the operands below")]
        pub enum Format { $($(#[$doc])* $name),* }

        impl Format {
            /// The operands in assembly order.
            #[must_use]
            pub const fn operands(self) -> &'static [Operand] {
                match self { $(Self::$name => &[$(Operand::$operand),*]),* }
            }
        }
    };
}

formats! {
    None: [];
    R: [Xd, X1, X2];
    R1: [Xd, X1];
    I: [Xd, X1, ImmI];
    Jalr: [Xd, MemI];
    Load: [Xd, MemI];
    Store: [X2, MemS];
    B: [X1, X2, BOff];
    U: [Xd, UImm];
    J: [Xd, JOff];
    Shift: [Xd, X1, Shamt];
    ShiftW: [Xd, X1, Shamt5];
    Fence: [FenceSets];
    Csr: [Xd, Csr, X1];
    CsrI: [Xd, Csr, Zimm];
    Lr: [AqRl, Xd, Base];
    Amo: [AqRl, Xd, X2, Base];
    FLoad: [Fd, MemI];
    FStore: [F2, MemS];
    Fma: [Fd, F1, F2, F3, Rm];
    FRm: [Fd, F1, F2, Rm];
    F1Rm: [Fd, F1, Rm];
    FR: [Fd, F1, F2];
    FCmp: [Xd, F1, F2];
    XF: [Xd, F1];
    FX: [Fd, X1];
    XFRm: [Xd, F1, Rm];
    FXRm: [Fd, X1, Rm];
    VSetVli: [Xd, X1, VType11];
    VSetIVli: [Xd, Zimm, VType10];
    VMem: [Vd, Base, VMask];
    VMemSeg: [Nf, Vd, Base, VMask];
    VMemStride: [Vd, Base, X2, VMask];
    VMemStrideSeg: [Nf, Vd, Base, X2, VMask];
    VMemIndex: [Vd, Base, V2, VMask];
    VMemIndexSeg: [Nf, Vd, Base, V2, VMask];
    VMemMask: [Vd, Base];
    VMemWhole: [Vd, Base];
    VVV: [Vd, V2, V1, VMask];
    VVX: [Vd, V2, X1, VMask];
    VVF: [Vd, V2, F1, VMask];
    VVI: [Vd, V2, SImm5, VMask];
    VVU: [Vd, V2, UImm5, VMask];
    VVVC: [Vd, V2, V1, V0];
    VVXC: [Vd, V2, X1, V0];
    VVFC: [Vd, V2, F1, V0];
    VVIC: [Vd, V2, SImm5, V0];
    VVVN: [Vd, V2, V1];
    VVXN: [Vd, V2, X1];
    VVIN: [Vd, V2, SImm5];
    VAccV: [Vd, V1, V2, VMask];
    VAccX: [Vd, X1, V2, VMask];
    VAccF: [Vd, F1, V2, VMask];
    VMvV: [Vd, V1];
    VMvX: [Vd, X1];
    VMvF: [Vd, F1];
    VMvI: [Vd, SImm5];
    VMvWhole: [Vd, V2];
    VXS: [Xd, V2];
    VFS: [Fd, V2];
    VXM: [Xd, V2, VMask];
    VV1: [Vd, V2, VMask];
    VId: [Vd, VMask];
}

const fn bits(word: u32, low: u32, count: u32) -> u32 {
    (word >> low) & ((1 << count) - 1)
}

const fn reg(word: u32, low: u32) -> u8 {
    bits(word, low, 5).to_le_bytes()[0]
}

const fn sext(value: u32, from: u32) -> i32 {
    (value << (32 - from)).cast_signed() >> (32 - from)
}

impl Operand {
    /// Extracts the operand from `word` into `inst`; false if its value is reserved.
    #[must_use]
    pub const fn extract(self, word: u32, xlen: Xlen, inst: &mut Inst) -> bool {
        match self {
            Self::Xd | Self::Fd | Self::Vd => inst.rd = reg(word, 7),
            Self::X1 | Self::F1 | Self::V1 | Self::Base | Self::Zimm => inst.rs1 = reg(word, 15),
            Self::X2 | Self::F2 | Self::V2 => inst.rs2 = reg(word, 20),
            Self::F3 => inst.rs3 = reg(word, 27),
            Self::ImmI => inst.imm = word.cast_signed() >> 20,
            Self::MemI => {
                inst.rs1 = reg(word, 15);
                inst.imm = word.cast_signed() >> 20;
            }
            Self::MemS => {
                inst.rs1 = reg(word, 15);
                inst.imm = sext(bits(word, 25, 7) << 5 | bits(word, 7, 5), 12);
            }
            Self::BOff => {
                let raw = bits(word, 31, 1) << 12
                    | bits(word, 7, 1) << 11
                    | bits(word, 25, 6) << 5
                    | bits(word, 8, 4) << 1;
                inst.imm = sext(raw, 13);
            }
            Self::UImm => inst.imm = (word & 0xffff_f000).cast_signed(),
            Self::JOff => {
                let raw = bits(word, 31, 1) << 20
                    | bits(word, 12, 8) << 12
                    | bits(word, 20, 1) << 11
                    | bits(word, 21, 10) << 1;
                inst.imm = sext(raw, 21);
            }
            Self::Shamt => {
                inst.imm = bits(word, 20, 6).cast_signed();
                if matches!(xlen, Xlen::Rv32) && inst.imm > 31 {
                    return false;
                }
            }
            Self::Shamt5 => inst.imm = bits(word, 20, 5).cast_signed(),
            Self::Csr => inst.imm = bits(word, 20, 12).cast_signed(),
            Self::FenceSets => inst.imm = bits(word, 20, 8).cast_signed(),
            Self::Rm => {
                inst.aux = bits(word, 12, 3).to_le_bytes()[0];
                if inst.aux == 5 || inst.aux == 6 {
                    return false;
                }
            }
            Self::AqRl => inst.aux = bits(word, 25, 2).to_le_bytes()[0],
            Self::Nf => inst.aux = bits(word, 29, 3).to_le_bytes()[0],
            Self::SImm5 => inst.imm = sext(bits(word, 15, 5), 5),
            Self::UImm5 => inst.imm = bits(word, 15, 5).cast_signed(),
            Self::VType11 => inst.imm = bits(word, 20, 11).cast_signed(),
            Self::VType10 => inst.imm = bits(word, 20, 10).cast_signed(),
            Self::VMask => inst.unmasked = bits(word, 25, 1) == 1,
            Self::V0 => {}
        }
        true
    }

    /// Encodes the operand of `inst` as bits of the word; `None` if the value does not fit.
    #[must_use]
    pub const fn insert(self, inst: &Inst, xlen: Xlen) -> Option<u32> {
        if inst.rd > 31 || inst.rs1 > 31 || inst.rs2 > 31 || inst.rs3 > 31 {
            return None;
        }
        let (rd, rs1, rs2, rs3) = (
            (inst.rd as u32) << 7,
            (inst.rs1 as u32) << 15,
            (inst.rs2 as u32) << 20,
            (inst.rs3 as u32) << 27,
        );
        let imm = inst.imm.cast_unsigned();
        let aux = inst.aux as u32;
        let (fits, word) = match self {
            Self::Xd | Self::Fd | Self::Vd => (true, rd),
            Self::X1 | Self::F1 | Self::V1 | Self::Base | Self::Zimm => (true, rs1),
            Self::X2 | Self::F2 | Self::V2 => (true, rs2),
            Self::F3 => (true, rs3),
            Self::ImmI => (fits(inst.imm, 12), imm << 20),
            Self::MemI => (fits(inst.imm, 12), imm << 20 | rs1),
            Self::MemS => (fits(inst.imm, 12), bits(imm, 5, 7) << 25 | bits(imm, 0, 5) << 7 | rs1),
            Self::BOff => (
                fits(inst.imm, 13) && imm & 1 == 0,
                bits(imm, 12, 1) << 31
                    | bits(imm, 5, 6) << 25
                    | bits(imm, 1, 4) << 8
                    | bits(imm, 11, 1) << 7,
            ),
            Self::UImm => (imm & 0xfff == 0, imm),
            Self::JOff => (
                fits(inst.imm, 21) && imm & 1 == 0,
                bits(imm, 20, 1) << 31
                    | bits(imm, 1, 10) << 21
                    | bits(imm, 11, 1) << 20
                    | bits(imm, 12, 8) << 12,
            ),
            Self::Shamt => (imm < if matches!(xlen, Xlen::Rv32) { 32 } else { 64 }, imm << 20),
            Self::Shamt5 => (imm < 32, imm << 20),
            Self::Csr => (imm < 4096, imm << 20),
            Self::FenceSets => (imm < 256, imm << 20),
            Self::Rm => (aux < 8 && aux != 5 && aux != 6, aux << 12),
            Self::AqRl => (aux < 4, aux << 25),
            Self::Nf => (aux > 0 && aux < 8, aux << 29),
            Self::SImm5 => (fits(inst.imm, 5), bits(imm, 0, 5) << 15),
            Self::UImm5 => (imm < 32, imm << 15),
            Self::VType11 => (imm < 1 << 11, imm << 20),
            Self::VType10 => (imm < 1 << 10, imm << 20),
            Self::VMask => (true, (inst.unmasked as u32) << 25),
            Self::V0 => (true, 0),
        };
        if fits { Some(word) } else { None }
    }
}

const fn fits(value: i32, width: u32) -> bool {
    sext(value.cast_unsigned() & ((1 << width) - 1), width) == value
}
