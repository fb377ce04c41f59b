//! OpenCL C's `printf` (6.15.14 of the language specification): parses format strings and writes
//! records of arguments as text.
//!
//! The compiler checks formats with [`parse`]. The runtime writes the records of kernels as text
//! with [`render`]. Invariant: format and record may be any bytes. Invalid ones give an error or no
//! text, never a panic, and nothing is read beyond the record. Not here: the way of a record from a
//! kernel to the host (`passes::printf`, the Mux targets).
//!
//! # Examples
//! ```
//! use muxcl_printf::{Piece, parse, render};
//! use muxcl_types::printf::{Arg, Call, Class, Table};
//!
//! assert!(matches!(parse(b"x = %d")?.as_slice(), [Piece::Text(_), Piece::Conversion(_)]));
//! // The record of that call with the argument 7: size, number of the call, argument, padding.
//! let record: Vec<u8> = [16_u32, 0, 7, 0].into_iter().flat_map(u32::to_le_bytes).collect();
//! let arg = Arg { at: 8, class: Class::Integer, size: 4, count: 1 };
//! let call = Call { format: b"x = %d".to_vec(), args: vec![arg], bytes: 16 };
//! let table = Table { calls: vec![call], strings: Vec::new() };
//! let mut text = Vec::new();
//! render(&table, &record, &mut text);
//! assert_eq!(text, b"x = 7");
//! # Ok::<(), muxcl_printf::FormatError>(())
//! ```

mod format;
mod number;
mod text;

pub use format::{Conversion, Count, FormatError, Piece, parse};
pub use text::{render, render_all};
