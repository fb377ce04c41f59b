//! The table of a program's `printf` calls. Format strings stay with the host; a kernel writes the
//! number of the call and the arguments.
//!
//! Each call writes a *record*, little endian: the size of the whole record in bytes as `u32` (a
//! multiple of 8), the index of the call in [`Table::calls`] as `u32`, then the arguments at their
//! [`Arg::at`]. Behind a HAL, records follow each other in a buffer that begins with a
//! [`BufferHeader`]. Not here: parsing formats and writing text (`muxcl-printf`).

use bytemuck::{Pod, Zeroable};
use serde::{Deserialize, Serialize};

/// The interpretation of an argument's bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Class {
    /// An integer.
    Integer,
    /// A floating-point number of 2, 4 or 8 bytes.
    Float,
    /// A pointer, as 8 bytes.
    Pointer,
    /// The index of a string in [`Table::strings`], as 4 bytes. An index beyond the table is a null
    /// pointer.
    String,
}

/// One argument of a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Arg {
    /// Offset in the record, in bytes.
    pub at: u32,
    /// The interpretation of its bytes.
    pub class: Class,
    /// Size of one element in bytes.
    pub size: u8,
    /// Number of elements of a vector; 1 for a scalar.
    pub count: u8,
}

/// A call of `printf` in the program.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Call {
    /// The format string.
    #[serde(with = "serde_bytes")]
    pub format: Vec<u8>,
    /// The arguments after the format.
    pub args: Vec<Arg>,
    /// Size of the whole record in bytes.
    pub bytes: u32,
}

/// All calls of a program.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Table {
    /// The calls; a record names its call by the index.
    pub calls: Vec<Call>,
    /// String literals that are arguments of `%s`.
    pub strings: Vec<Vec<u8>>,
}

impl Table {
    /// True if the program does not call `printf`.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.calls.is_empty()
    }
}

/// Size of a record before its first argument, in bytes.
pub const RECORD_HEADER: u32 = 8;

/// The header of a device's printf buffer.
///
/// A kernel reserves space by an atomic addition to `reserved` and writes its record only if the
/// record fits, so that the buffer holds complete records.
#[repr(C)]
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Pod, Zeroable)]
pub struct BufferHeader {
    /// Bytes that kernels have reserved so far.
    pub reserved: u32,
    /// Bytes of records that did not fit.
    pub dropped: u32,
    /// Bytes available for records after the header.
    pub capacity: u32,
    /// Padding that aligns the records to 8 bytes.
    pub unused: u32,
}
