//! Arguments of a call, and the text of a sentence.
//!
//! Invariant: a text is written into a buffer of fixed size, so it needs no memory when memory has
//! run out. Handles are looked up, never followed. Not here: who receives the text.

use std::fmt::{self, Write};

use super::conditions;
use crate::error::ClError;
use crate::object;

/// Bytes of the longest sentence; a longer one is cut.
const LONGEST: usize = 2048;

/// The value of an argument.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Value {
    /// A number without sign, or a set of bits.
    Unsigned(u64),
    /// A number with a sign.
    Signed(i64),
    /// A handle or a pointer.
    Address(usize),
    /// A callback: true if there is one.
    Callback(bool),
}

/// A type of an argument.
pub trait ArgumentValue {
    /// The value.
    fn value(self) -> Value;
}

impl ArgumentValue for u32 {
    fn value(self) -> Value {
        Value::Unsigned(self.into())
    }
}

impl ArgumentValue for u64 {
    fn value(self) -> Value {
        Value::Unsigned(self)
    }
}

impl ArgumentValue for usize {
    fn value(self) -> Value {
        Value::Unsigned(self as u64)
    }
}

impl ArgumentValue for i32 {
    fn value(self) -> Value {
        Value::Signed(self.into())
    }
}

impl<T> ArgumentValue for *const T {
    fn value(self) -> Value {
        Value::Address(self.addr())
    }
}

impl<T> ArgumentValue for *mut T {
    fn value(self) -> Value {
        Value::Address(self.addr())
    }
}

impl<F> ArgumentValue for Option<F> {
    fn value(self) -> Value {
        Value::Callback(self.is_some())
    }
}

/// An argument of a call.
#[derive(Clone, Copy, Debug)]
pub struct Argument {
    name: &'static str,
    /// As the entry point declares it, `cl_mem_flags` for example.
    kind: &'static str,
    value: Value,
}

impl Argument {
    /// An argument. The code that `#[cl_entry]` generates calls this.
    pub fn new(name: &'static str, kind: &'static str, value: impl ArgumentValue) -> Self {
        Self { name, kind, value: value.value() }
    }

    /// True for a handle of the type that an error code is about: `cl_mem` for
    /// `CL_INVALID_MEM_OBJECT`.
    fn is_of_code(&self, code: &str) -> bool {
        let kind = self.kind.trim_end_matches("_id").strip_prefix("cl_");
        let about = code.strip_prefix("CL_INVALID_");
        kind.zip(about).is_some_and(|(kind, about)| {
            about.get(..kind.len()).is_some_and(|start| start.eq_ignore_ascii_case(kind))
        })
    }

    /// The value if it is an address, and may be a handle.
    pub(super) fn address(&self) -> Option<usize> {
        match self.value {
            Value::Address(address) => Some(address),
            _ => None,
        }
    }
}

impl fmt::Display for Argument {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} = ", self.name)?;
        match self.value {
            Value::Address(0) | Value::Callback(false) => f.write_str("NULL"),
            Value::Callback(true) => f.write_str("a function"),
            Value::Signed(number) => write!(f, "{number}"),
            // Other types are names and sets of bits, which headers write in hexadecimal.
            Value::Unsigned(number) => match self.kind {
                "usize" | "cl_uint" | "cl_ulong" | "cl_bool" => write!(f, "{number}"),
                _ => write!(f, "{number:#x}"),
            },
            Value::Address(address) if self.kind.starts_with('*') => write!(f, "{address:#x}"),
            Value::Address(address) => match object::type_name(address) {
                Some(name) if name == self.kind => write!(f, "{address:#x}"),
                Some(name) => write!(f, "{address:#x} (a {name})"),
                None => write!(f, "{address:#x} (not a live object)"),
            },
        }
    }
}

/// A text of limited length.
#[derive(Debug)]
pub struct Text {
    bytes: [u8; LONGEST],
    length: usize,
}

impl Text {
    pub(super) const fn new() -> Self {
        Self { bytes: [0; LONGEST], length: 0 }
    }

    /// The text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        str::from_utf8(&self.bytes[..self.length]).unwrap_or("")
    }

    /// The text and a NUL.
    pub(super) fn with_nul(&self) -> &[u8] {
        // `write_str` leaves the last byte free.
        &self.bytes[..=self.length]
    }
}

impl Write for Text {
    fn write_str(&mut self, part: &str) -> fmt::Result {
        for c in part.chars().filter(|&c| c != '\0') {
            if self.length + c.len_utf8() >= LONGEST {
                return Err(fmt::Error);
            }
            self.length += c.encode_utf8(&mut self.bytes[self.length..]).len();
        }
        Ok(())
    }
}

/// True if `word` is a word of `text`.
fn mentions(text: &str, word: &str) -> bool {
    text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_').any(|w| w == word)
}

/// Writes the sentence for an error of an entry point. `seen` has the values that the check
/// compared; without it, the sentence has the arguments that the error is about.
///
/// # Errors
/// If the text is too long; it is cut.
pub fn write(
    text: &mut Text,
    entry_point: &str,
    error: ClError,
    seen: Option<&str>,
    arguments: &[Argument],
) -> fmt::Result {
    // A call without error codes returns NULL.
    let null = conditions::of_null(entry_point);
    let result = if null.is_some() { "NULL" } else { error.name() };
    write!(text, "{entry_point} returned {result}")?;
    let listed = null.or_else(|| conditions::of(entry_point, error.name()));
    let condition = match error.condition() {
        "" => listed.map_or("", |found| found.text),
        own => own,
    };
    let mut separator = ": ";
    if let Some(seen) = seen {
        write!(text, "{separator}{seen}")?;
    } else {
        // Those that the condition names; else those of the type that the code names; else all.
        let named = |a: &&Argument| mentions(condition, a.name);
        let of_type = |a: &&Argument| a.is_of_code(error.name());
        let (by_name, by_type) =
            (arguments.iter().any(|a| named(&a)), arguments.iter().any(|a| of_type(&a)));
        let shown = |a: &&Argument| match (by_name, by_type) {
            (true, _) => named(a),
            (false, true) => of_type(a),
            (false, false) => !condition.is_empty(),
        };
        for argument in arguments.iter().filter(shown) {
            write!(text, "{separator}{argument}")?;
            separator = ", ";
        }
    }
    if condition.is_empty() {
        return text.write_char('.');
    }
    match listed.map(|found| found.section) {
        Some(section) if section.starts_with("cl_") => {
            write!(text, ". The extension {section} has this error ")?;
        }
        Some(section) => {
            write!(text, ". The specification (\"{section}\") has this error ")?;
        }
        None => text.write_str(". It has this error ")?,
    }
    for (index, part) in condition.split(';').enumerate() {
        if index != 0 {
            text.write_str(", or")?;
        }
        for (index, word) in part.split_whitespace().enumerate() {
            if index != 0 || !text.as_str().ends_with(' ') {
                text.write_char(' ')?;
            }
            text.write_str(word)?;
        }
    }
    text.write_char('.')
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::explain::violated;

    fn sentence(
        entry_point: &str,
        error: ClError,
        seen: Option<&str>,
        arguments: &[Argument],
    ) -> String {
        let mut text = Text::new();
        write(&mut text, entry_point, error, seen, arguments).unwrap();
        text.as_str().to_owned()
    }

    #[test]
    fn sentences() {
        let arguments = [
            Argument::new("context", "cl_context", std::ptr::without_provenance_mut::<u8>(0x40)),
            Argument::new("flags", "cl_mem_flags", 0x100_u64),
            Argument::new("size", "usize", 0_usize),
            Argument::new("host_ptr", "* mut c_void", std::ptr::null_mut::<u8>()),
        ];
        assert_eq!(
            sentence("clCreateBuffer", ClError::INVALID_CONTEXT, None, &arguments),
            "clCreateBuffer returned CL_INVALID_CONTEXT: context = 0x40 (not a live object). The \
             specification (\"Creating Buffer Objects\") has this error if the context is not \
             live, or if two objects of the call belong to different contexts."
        );
        let size = violated!(INVALID_BUFFER_SIZE, "if size is 0");
        assert_eq!(
            sentence("clCreateBuffer", size, None, &arguments),
            "clCreateBuffer returned CL_INVALID_BUFFER_SIZE: size = 0. The specification \
             (\"Creating Buffer Objects\") has this error if size is 0."
        );
        assert_eq!(
            sentence("clCreateBuffer", size, Some("size is nothing"), &arguments),
            "clCreateBuffer returned CL_INVALID_BUFFER_SIZE: size is nothing. The specification \
             (\"Creating Buffer Objects\") has this error if size is 0."
        );
        let memory = Argument::new("memobj", "cl_mem", std::ptr::null_mut::<u8>());
        let released = sentence("clReleaseMemObject", ClError::INVALID_MEM_OBJECT, None, &[memory]);
        assert!(
            released
                .starts_with("clReleaseMemObject returned CL_INVALID_MEM_OBJECT: memobj = NULL")
        );
        assert_eq!(
            sentence("clUnknown", ClError::BUILD_PROGRAM_FAILURE, None, &[]),
            "clUnknown returned CL_BUILD_PROGRAM_FAILURE."
        );
    }

    #[test]
    fn values() {
        let show = |kind, value: Value| Argument { name: "x", kind, value }.to_string();
        assert_eq!(show("cl_bool", Value::Unsigned(1)), "x = 1");
        assert_eq!(show("cl_mem_info", Value::Unsigned(0x1100)), "x = 0x1100");
        assert_eq!(show("cl_int", Value::Signed(-3)), "x = -3");
        assert_eq!(show("Option", Value::Callback(false)), "x = NULL");
        assert_eq!(show("Option", Value::Callback(true)), "x = a function");
        assert_eq!(show("* const cl_event", Value::Address(16)), "x = 0x10");
    }

    #[test]
    fn long_texts_are_cut() {
        let mut text = Text::new();
        let long = "ä".repeat(LONGEST);
        assert!(text.write_str(&long).is_err());
        assert_eq!(text.as_str().len(), LONGEST - 2, "whole characters, and a byte for the NUL");
        assert_eq!(text.with_nul().last(), Some(&0));
    }
}
