//! Semantic ids, and the table's rows as constants. Invariant: the values of [`Op`] are dense from
//! 0 in the table's order, so `Op::row` is an array access. Not here: fields of the instruction
//! word (`format.rs`).

use crate::for_each_instruction;
use crate::format::Format;

/// Width of the integer registers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Xlen {
    /// 32 bits.
    Rv32,
    /// 64 bits.
    Rv64,
}

/// The register widths for which a row exists.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum XlenSet {
    /// 32 and 64 bits.
    Any,
    /// 32 bits only.
    Rv32,
    /// 64 bits only.
    Rv64,
}

impl XlenSet {
    /// Whether the row exists for width `xlen`.
    #[must_use]
    pub const fn has(self, xlen: Xlen) -> bool {
        matches!((self, xlen), (Self::Any, _) | (Self::Rv32, Xlen::Rv32) | (Self::Rv64, Xlen::Rv64))
    }
}

/// The extension of an instruction. Half-precision vector arithmetic (`Zvfh`) has the encodings of
/// `V` and depends on `vtype`, so no row of the table has it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[expect(missing_docs, reason = "the names are the specification's")]
pub enum Extension {
    I,
    Zifencei,
    Zicsr,
    M,
    A,
    F,
    D,
    C,
    Zfh,
    Zba,
    Zbb,
    Zbc,
    Zbs,
    V,
    Zvfh,
}

/// A row of the instruction table.
#[derive(Debug, Clone, Copy)]
pub struct Row {
    /// Semantic id.
    pub op: Op,
    /// Mnemonic; `%` stands for the number of fields of a segment.
    pub mnemonic: &'static str,
    /// Values of the fixed bits.
    pub matches: u32,
    /// Mask of the fixed bits.
    pub mask: u32,
    /// Format, which determines the operands.
    pub format: Format,
    /// Extension of the instruction.
    pub extension: Extension,
    /// Register widths that have the instruction.
    pub xlen: XlenSet,
}

macro_rules! make_ops {
    ($(($op:ident, $name:literal, $match:literal, $mask:literal, $format:ident, $ext:ident,
        $xlen:ident))*) => {
        /// The meaning of an instruction: one semantic id per row of the table.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[repr(u16)]
        #[expect(missing_docs, reason = "the rows of the table describe the ids")]
        pub enum Op { $($op),* }

        impl Op {
            /// All ids in the table's order.
            pub const ALL: &'static [Self] = &[$(Self::$op),*];
        }

        const ROWS: &[Row] = &[$(Row {
            op: Op::$op, mnemonic: $name, matches: $match, mask: $mask, format: Format::$format,
            extension: Extension::$ext, xlen: XlenSet::$xlen,
        }),*];
    };
}
for_each_instruction!(make_ops);

/// Number of rows of the table.
pub const OP_COUNT: usize = ROWS.len();

impl Op {
    /// For an instruction of RV64 on the low 32 bits, the register instruction with the same
    /// operation on all 64 bits: `add` for `addw` and `addiw`. `None` for other instructions.
    #[must_use]
    pub const fn full_width(self) -> Option<Self> {
        Some(match self {
            Self::Addw | Self::Addiw => Self::Add,
            Self::Subw => Self::Sub,
            Self::Sllw | Self::Slliw => Self::Sll,
            Self::Srlw | Self::Srliw => Self::Srl,
            Self::Sraw | Self::Sraiw => Self::Sra,
            Self::Mulw => Self::Mul,
            Self::Divw => Self::Div,
            Self::Divuw => Self::Divu,
            Self::Remw => Self::Rem,
            Self::Remuw => Self::Remu,
            Self::Rolw => Self::Rol,
            Self::Rorw | Self::Roriw => Self::Ror,
            Self::Clzw => Self::Clz,
            Self::Ctzw => Self::Ctz,
            Self::Cpopw => Self::Cpop,
            _ => return None,
        })
    }

    /// The table row of this id.
    #[must_use]
    pub const fn row(self) -> &'static Row {
        &ROWS[self as usize]
    }
}
