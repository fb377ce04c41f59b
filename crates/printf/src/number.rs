//! Writes numbers as text by the C library's `snprintf`, which supports every flag, rounds
//! correctly, and gives the text that a host program would print.

use crate::format::Conversion;
use std::ffi::{c_char, c_int};

/// Width and precision in characters, with the values of `*` filled in.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Room {
    pub(crate) width: Option<c_int>,
    pub(crate) precision: Option<c_int>,
}

/// A value for the C library.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Value {
    Signed(i64),
    Unsigned(u64),
    Float(f64),
    Char(u8),
    Pointer(u64),
}

/// Appends `value` as text.
pub(crate) fn write(c: &Conversion, room: Room, value: Value, out: &mut Vec<u8>) {
    let mut format = vec![b'%'];
    for (set, flag) in
        [(c.left, b'-'), (c.plus, b'+'), (c.space, b' '), (c.alternate, b'#'), (c.zero, b'0')]
    {
        if set {
            format.push(flag);
        }
    }
    format.extend(b"*.*");
    if matches!(value, Value::Signed(_) | Value::Unsigned(_)) {
        format.extend(b"ll");
    }
    format.extend([c.letter, 0]);
    // C ignores a negative precision.
    let (width, precision) = (room.width.unwrap_or(0), room.precision.unwrap_or(-1));
    let mut small = [0u8; 128];
    let needed = print(&format, width, precision, value, &mut small);
    if let Some(text) = small.get(..needed)
        && needed < small.len()
    {
        out.extend_from_slice(text);
        return;
    }
    let mut large = vec![0u8; needed + 1];
    print(&format, width, precision, value, &mut large);
    out.extend_from_slice(large.get(..needed).unwrap_or_default());
}

/// Calls `snprintf`; returns the length of the whole text in bytes.
fn print(format: &[u8], width: c_int, precision: c_int, value: Value, into: &mut [u8]) -> usize {
    let (to, room) = (into.as_mut_ptr().cast::<c_char>(), into.len());
    let format = format.as_ptr().cast::<c_char>();
    macro_rules! print {
        ($value:expr) => {
            // SAFETY: `write` made the format: it ends with NUL, has a `*` each for width and
            // precision, and a conversion that takes the value's type. At most `room` bytes are
            // written to `into`.
            unsafe { libc::snprintf(to, room, format, width, precision, $value) }
        };
    }
    let n = match value {
        Value::Signed(v) => print!(v),
        Value::Unsigned(v) | Value::Pointer(v) => print!(v),
        Value::Float(v) => print!(v),
        Value::Char(v) => print!(c_int::from(v)),
    };
    usize::try_from(n).unwrap_or(0)
}
