//! Parses format strings.

use std::fmt;

/// A part of a format string.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Piece {
    /// Text that is printed as it is.
    Text(Vec<u8>),
    /// A conversion, which prints an argument.
    Conversion(Conversion),
}

/// A width or a precision.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Count {
    /// Absent.
    #[default]
    None,
    /// A number.
    Fixed(u32),
    /// `*`: the value of an argument before the printed one.
    Argument,
}

/// `%[flags][width][.precision][vector][length]conversion`
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[expect(clippy::struct_excessive_bools, reason = "C defines five flags")]
pub struct Conversion {
    /// `-`
    pub left: bool,
    /// `+`
    pub plus: bool,
    /// A space.
    pub space: bool,
    /// `#`
    pub alternate: bool,
    /// `0`
    pub zero: bool,
    /// Minimum width in characters.
    pub width: Count,
    /// Precision.
    pub precision: Count,
    /// Number of elements by the vector specifier `v2` to `v16`; 0 for a scalar.
    pub vector: u8,
    /// Size of an element in bytes by the length modifier: `hh` 1, `h` 2, `hl` 4, `l` 8; 0 without
    /// a modifier, and with `z` or `t`.
    pub length: u8,
    /// `z` or `t`: the size of `size_t` and `ptrdiff_t`, which is the size of the argument.
    pub address_size: bool,
    /// The conversion specifier, such as `d`.
    pub letter: u8,
}

impl Conversion {
    /// True for a conversion of integers.
    #[must_use]
    pub fn is_integer(&self) -> bool {
        b"diouxXc".contains(&self.letter)
    }

    /// True for a conversion of floating-point numbers.
    #[must_use]
    pub fn is_float(&self) -> bool {
        b"fFeEgGaA".contains(&self.letter)
    }
}

/// The reason why a format is invalid, and the position.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FormatError {
    /// Offset in the format, in bytes.
    pub at: usize,
    /// The reason.
    pub what: &'static str,
}

impl fmt::Display for FormatError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} at byte {} of the format", self.what, self.at)
    }
}

impl std::error::Error for FormatError {}

/// The largest width and precision, in characters. It bounds the memory that one conversion takes.
const MOST: u32 = 1 << 16;

/// Parses a format string up to its first NUL.
///
/// # Errors
/// A conversion is incomplete or not one of the specification, or a width or precision is above
/// 65536.
pub fn parse(format: &[u8]) -> Result<Vec<Piece>, FormatError> {
    let end = format.iter().position(|&b| b == 0).unwrap_or(format.len());
    let mut scan = Scan { bytes: format.get(..end).unwrap_or_default(), at: 0 };
    let mut pieces = Vec::new();
    let mut text = Vec::new();
    while let Some(byte) = scan.next() {
        if byte != b'%' {
            text.push(byte);
        } else if scan.take(b'%') {
            text.push(b'%');
        } else {
            if !text.is_empty() {
                pieces.push(Piece::Text(std::mem::take(&mut text)));
            }
            pieces.push(Piece::Conversion(conversion(&mut scan)?));
        }
    }
    if !text.is_empty() {
        pieces.push(Piece::Text(text));
    }
    Ok(pieces)
}

struct Scan<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl Scan<'_> {
    fn peek(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }

    fn next(&mut self) -> Option<u8> {
        let byte = self.peek()?;
        self.at += 1;
        Some(byte)
    }

    fn take(&mut self, byte: u8) -> bool {
        let is = self.peek() == Some(byte);
        self.at += usize::from(is);
        is
    }

    fn error<T>(&self, what: &'static str) -> Result<T, FormatError> {
        Err(FormatError { at: self.at, what })
    }

    fn number(&mut self) -> Result<Option<u32>, FormatError> {
        let mut value = None;
        while let Some(digit) = self.peek().filter(u8::is_ascii_digit) {
            let next =
                value.unwrap_or(0u32).saturating_mul(10).saturating_add(u32::from(digit - b'0'));
            if next > MOST {
                return self.error("a number this large");
            }
            value = Some(next);
            self.at += 1;
        }
        Ok(value)
    }
}

fn conversion(scan: &mut Scan<'_>) -> Result<Conversion, FormatError> {
    let mut c = Conversion::default();
    loop {
        let flag = match scan.peek() {
            Some(b'-') => &mut c.left,
            Some(b'+') => &mut c.plus,
            Some(b' ') => &mut c.space,
            Some(b'#') => &mut c.alternate,
            Some(b'0') => &mut c.zero,
            _ => break,
        };
        *flag = true;
        scan.at += 1;
    }
    c.width = if scan.take(b'*') {
        Count::Argument
    } else {
        scan.number()?.map_or(Count::None, Count::Fixed)
    };
    if scan.take(b'.') {
        let fixed = |n: Option<u32>| Count::Fixed(n.unwrap_or(0));
        c.precision = if scan.take(b'*') { Count::Argument } else { fixed(scan.number()?) };
    }
    if scan.take(b'v') {
        c.vector = match scan.number()? {
            Some(n @ (2 | 3 | 4 | 8 | 16)) => u8::try_from(n).unwrap_or(0),
            _ => return scan.error("a vector of a size that OpenCL C lacks"),
        };
    }
    c.length = if scan.take(b'h') {
        if scan.take(b'h') {
            1
        } else if scan.take(b'l') {
            4
        } else {
            2
        }
    } else if scan.take(b'l') {
        8
    } else {
        c.address_size = scan.take(b'z') || scan.take(b't');
        0
    };
    if c.length == 4 && c.vector == 0 {
        return scan.error("length 'hl' without a vector");
    }
    c.letter = match scan.next() {
        Some(letter) if b"diouxXfFeEgGaAcsp".contains(&letter) => letter,
        Some(_) => {
            scan.at -= 1;
            return scan.error("no conversion of OpenCL C");
        }
        None => return scan.error("a conversion that is not complete"),
    };
    if c.address_size && (c.vector != 0 || !b"diouxX".contains(&c.letter)) {
        return scan.error("length 'z' or 't' without a conversion of a scalar integer");
    }
    let plain = matches!(c.letter, b'c' | b's' | b'p');
    if plain && (c.vector != 0 || c.length != 0) {
        return scan.error("a vector or length with 'c', 's' or 'p'");
    }
    if c.is_float() && c.length == 1 {
        return scan.error("length 'hh' with a floating-point conversion");
    }
    Ok(c)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn one(format: &str) -> Conversion {
        match parse(format.as_bytes()).unwrap().as_slice() {
            [Piece::Conversion(c)] => *c,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn conversions_are_read_in_full() {
        let c = one("%-+ #012.34v4hlx");
        assert!(c.left && c.plus && c.space && c.alternate && c.zero);
        assert_eq!((c.width, c.precision), (Count::Fixed(12), Count::Fixed(34)));
        assert_eq!((c.vector, c.length, c.letter), (4, 4, b'x'));
        assert_eq!((one("%.f").precision, one("%*.*d").width), (Count::Fixed(0), Count::Argument));
        assert_eq!(
            [one("%hhd").length, one("%hd").length, one("%ld").length, one("%d").length],
            [1, 2, 8, 0]
        );
        for format in ["%zd", "%zi", "%zu", "%-20zx", "%to", "%tX"] {
            assert_eq!((one(format).address_size, one(format).length), (true, 0), "{format}");
        }
        assert!(!one("%ld").address_size);
    }

    #[test]
    fn text_includes_escaped_percent_signs() {
        assert_eq!(parse(b"100%% of\0hidden %k"), Ok(vec![Piece::Text(b"100% of".to_vec())]));
        assert_eq!(parse(b""), Ok(vec![]));
    }

    #[test]
    fn conversions_outside_the_specification_are_errors() {
        for format in [
            "%",
            "%5",
            "%n",
            "%k",
            "%hlf",
            "%v5f",
            "%vd",
            "%v2c",
            "%ls",
            "%lp",
            "%hhf",
            "%zf",
            "%tc",
            "%zs",
            "%tp",
            "%v2zd",
            "%zhd",
            "%ztd",
            "%99999999d",
            "%.99999999f",
            "a%v",
        ] {
            assert!(parse(format.as_bytes()).is_err(), "{format}");
        }
        assert_eq!(parse(b"ab%k").unwrap_err().at, 3);
    }
}
