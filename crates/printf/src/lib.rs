//! OpenCL C's `printf` (6.15.14 of the language specification): format strings, and records of
//! arguments as text.
//!
//! The compiler checks formats with [`parse`]; the runtime turns the records kernels leave into
//! text with [`render`]. Invariant: any bytes are accepted as format and as record: what makes no
//! sense is an error or is left out, never a panic, and nothing is read beyond the record. Not
//! here: how records get from a kernel to the host (`passes::printf`, the Mux targets).

mod format;
mod number;
mod text;

pub use format::{Conversion, Count, FormatError, Piece, parse};
pub use text::{render, render_all};
