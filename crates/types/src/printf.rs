//! What the host must know of a program's `printf` calls: format strings stay here, kernels send
//! numbers.
//!
//! A kernel writes a *record* for each call: `u32` bytes of the whole record (a multiple of 8),
//! `u32` number of the call in [`Table::calls`], then the arguments where [`Arg::at`] says, little
//! endian. Behind a HAL, records lie one behind the other in a buffer that starts with a
//! [`BufferHeader`]. Not here: parsing formats and writing text (`muxcl-printf`).

use bytemuck::{Pod, Zeroable};
use serde::{Deserialize, Serialize};

/// What an argument's bytes are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Class {
    /// An integer.
    Integer,
    /// A floating-point number of 2, 4 or 8 bytes.
    Float,
    /// A pointer, as 8 bytes.
    Pointer,
    /// The number of a string in [`Table::strings`], as 4 bytes; beyond the table: a null pointer.
    String,
}

/// One argument of a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Arg {
    /// Where in the record, in bytes.
    pub at: u32,
    /// What it is.
    pub class: Class,
    /// Bytes of one element.
    pub size: u8,
    /// Elements of a vector, or 1.
    pub count: u8,
}

/// One call in the program's text.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Call {
    /// The format string.
    #[serde(with = "serde_bytes")]
    pub format: Vec<u8>,
    /// Its arguments.
    pub args: Vec<Arg>,
    /// Bytes of the whole record.
    pub bytes: u32,
}

/// All calls of a program.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Table {
    /// By number.
    pub calls: Vec<Call>,
    /// Literals given to `%s`.
    pub strings: Vec<Vec<u8>>,
}

impl Table {
    /// Nothing prints.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.calls.is_empty()
    }
}

/// Bytes of a record before its first argument.
pub const RECORD_HEADER: u32 = 8;

/// The start of a device's printf buffer. Kernels reserve space by an atomic add on `reserved` and
/// write nothing that does not fit, so that what was reserved and fits is whole records.
#[repr(C)]
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Pod, Zeroable)]
pub struct BufferHeader {
    /// Bytes asked for so far.
    pub reserved: u32,
    /// Bytes that did not fit.
    pub dropped: u32,
    /// Bytes for records, behind this header.
    pub capacity: u32,
    /// Keeps records at multiples of 8.
    pub unused: u32,
}
