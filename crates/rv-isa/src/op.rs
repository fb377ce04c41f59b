//! Semantic ids and the rows of the table as constants. Invariant: [`Op`]'s values are dense from
//! 0, in the table's order, so `Op::row` is an index. Not here: fields of the instruction word
//! (`format.rs`).

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

/// For which widths a row exists.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum XlenSet {
    /// Both.
    Any,
    /// 32 bits only.
    Rv32,
    /// 64 bits only.
    Rv64,
}

impl XlenSet {
    /// Whether machines of width `xlen` have the row.
    #[must_use]
    pub const fn has(self, xlen: Xlen) -> bool {
        matches!((self, xlen), (Self::Any, _) | (Self::Rv32, Xlen::Rv32) | (Self::Rv64, Xlen::Rv64))
    }
}

/// The extension an instruction belongs to. Half-precision vector arithmetic (Zvfh) has the
/// encodings of `V` and depends on `vtype`.
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
}

/// A row of the table.
#[derive(Debug, Clone, Copy)]
pub struct Row {
    /// Semantic id.
    pub op: Op,
    /// Mnemonic; `%` is the number of fields of a segment.
    pub mnemonic: &'static str,
    /// The bits that are fixed.
    pub matches: u32,
    /// Where they are fixed.
    pub mask: u32,
    /// Which operands it has.
    pub format: Format,
    /// The extension it belongs to.
    pub extension: Extension,
    /// The widths that have it.
    pub xlen: XlenSet,
}

macro_rules! make_ops {
    ($(($op:ident, $name:literal, $match:literal, $mask:literal, $format:ident, $ext:ident,
        $xlen:ident))*) => {
        /// What an instruction means: one id per row of the table.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[repr(u16)]
        #[expect(missing_docs, reason = "the rows of the table say what they are")]
        pub enum Op { $($op),* }

        impl Op {
            /// Every id in the table's order.
            pub const ALL: &'static [Self] = &[$(Self::$op),*];
        }

        const ROWS: &[Row] = &[$(Row {
            op: Op::$op, mnemonic: $name, matches: $match, mask: $mask, format: Format::$format,
            extension: Extension::$ext, xlen: XlenSet::$xlen,
        }),*];
    };
}
for_each_instruction!(make_ops);

/// How many rows the table has.
pub const OP_COUNT: usize = ROWS.len();

impl Op {
    /// The row of this id.
    #[must_use]
    pub const fn row(self) -> &'static Row {
        &ROWS[self as usize]
    }
}
