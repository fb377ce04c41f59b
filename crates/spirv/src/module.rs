//! A module as words and instructions.

use crate::Error;
use crate::operands::operand_layout;
use crate::support;
use spirv::Op;

/// The words of a module, in this machine's byte order.
///
/// Invariant: the header is valid and every instruction is complete.
#[derive(Debug, Clone)]
pub struct Module {
    words: Vec<u32>,
    has_foreign_extension: bool,
}

/// One instruction.
#[derive(Debug, Clone, Copy)]
pub struct Instruction<'m> {
    /// The operation.
    pub op: Op,
    /// The instruction's words without the first.
    pub operands: &'m [u32],
    /// Index of the instruction's first word in the module; the header begins at 0.
    pub at: usize,
}

const HEADER_WORDS: usize = 5;
/// The specification's universal limit of ids (2.17).
const MAX_BOUND: u32 = 0x3f_ffff;
const NEWEST: (u8, u8) = (1, 6);

/// True if the bytes begin with SPIR-V's magic number, in either byte order.
#[must_use]
pub fn is_spirv(bytes: &[u8]) -> bool {
    byte_order(bytes).is_some()
}

fn byte_order(bytes: &[u8]) -> Option<fn([u8; 4]) -> u32> {
    let first: [u8; 4] = *bytes.first_chunk()?;
    if u32::from_le_bytes(first) == spirv::MAGIC_NUMBER {
        Some(u32::from_le_bytes)
    } else if u32::from_be_bytes(first) == spirv::MAGIC_NUMBER {
        Some(u32::from_be_bytes)
    } else {
        None
    }
}

impl Module {
    /// Reads a module and checks its header, its opcodes, and the sizes and result ids of its
    /// instructions.
    ///
    /// # Errors
    /// The bytes are not SPIR-V of version 1.0 to 1.6, or they are damaged.
    pub fn parse(bytes: &[u8]) -> Result<Self, Error> {
        let Some(word) = byte_order(bytes) else {
            return Err(Error::new(
                0,
                "the module does not begin with SPIR-V's magic number 0x07230203",
            ));
        };
        let (chunks, rest) = bytes.as_chunks::<4>();
        if !rest.is_empty() {
            return Err(Error::new(
                chunks.len(),
                format_args!("{} bytes are no multiple of 4", bytes.len()),
            ));
        }
        let words = chunks.iter().map(|&c| word(c)).collect();
        let mut module = Self { words, has_foreign_extension: false };
        module.check_header()?;
        module.check_instructions()?;
        Ok(module)
    }

    fn check_header(&self) -> Result<(), Error> {
        let &[_, version, _, bound, schema, ..] = self.words.as_slice() else {
            return Err(Error::new(
                self.words.len(),
                "the module ends within its header of 5 words",
            ));
        };
        let [zero, major, minor, zero2] = version.to_be_bytes();
        if zero != 0 || zero2 != 0 || major != NEWEST.0 || minor > NEWEST.1 {
            let text = format!(
                "version word {version:#010x} is none of SPIR-V 1.0 to {}.{}",
                NEWEST.0, NEWEST.1
            );
            return Err(Error::new(1, text));
        }
        if bound == 0 || bound > MAX_BOUND {
            return Err(Error::new(
                3,
                format_args!("the bound of ids is {bound}, not between 1 and {MAX_BOUND}"),
            ));
        }
        if schema != 0 {
            return Err(Error::new(4, format_args!("the instruction schema is {schema}, not 0")));
        }
        Ok(())
    }

    fn check_instructions(&mut self) -> Result<(), Error> {
        let mut at = HEADER_WORDS;
        while let Some(&first) = self.words.get(at) {
            let (count, opcode) = ((first >> 16) as usize, first & 0xffff);
            let op = Op::from_u32(opcode);
            let name = || op.map_or_else(|| format!("opcode {opcode}"), |op| format!("Op{op:?}"));
            if op.is_none() && !self.has_foreign_extension {
                return Err(Error::new(at, format_args!("opcode {opcode} is unknown")));
            }
            if count == 0 {
                return Err(Error::new(at, format_args!("{} has a length of 0 words", name())));
            }
            let Some(operands) = self.words.get(at + 1..at + count) else {
                return Err(Error::new(
                    at,
                    format_args!("the module ends within {}, which has {count} words", name()),
                ));
            };
            if let Some(op) = op {
                let i = Instruction { op, operands, at };
                self.check_operands(i)?;
                if op == Op::Extension
                    && let Ok((name, _)) = i.text(0)
                {
                    self.has_foreign_extension |= !support::is_extension_known(&name);
                }
            }
            at += count;
        }
        Ok(())
    }

    /// Checks the number of operands, and that result type and result are ids.
    fn check_operands(&self, i: Instruction<'_>) -> Result<(), Error> {
        let Some(layout) = operand_layout(i.op) else { return Ok(()) };
        if i.operands.len() < layout.least {
            let text = format!(
                "Op{:?} has {} operands; it needs {}",
                i.op,
                i.operands.len(),
                layout.least
            );
            return Err(Error::new(i.at, text));
        }
        let ids = usize::from(layout.typed) + usize::from(layout.result);
        if let Some(&id) = i.operands.iter().take(ids).find(|&&id| id == 0 || id >= self.bound()) {
            return Err(Error::new(
                i.at,
                format_args!("id {id} is not below the bound {}", self.bound()),
            ));
        }
        Ok(())
    }

    /// The version of SPIR-V: `(1, 2)` for 1.2.
    #[must_use]
    pub fn version(&self) -> (u8, u8) {
        let [_, major, minor, _] = self.words.get(1).copied().unwrap_or(0).to_be_bytes();
        (major, minor)
    }

    /// True if the module declares an extension that no device of this driver supports.
    ///
    /// [`support::check`] refuses such a module by the name of its extension. Until then, the
    /// reader skips its unknown instructions in every section.
    #[must_use]
    pub fn has_foreign_extension(&self) -> bool {
        self.has_foreign_extension
    }

    /// The bound of ids: every id is below it.
    #[must_use]
    pub fn bound(&self) -> u32 {
        self.words.get(3).copied().unwrap_or(0)
    }

    /// The instructions, in order; those with unknown opcodes are skipped.
    pub fn instructions(&self) -> impl Iterator<Item = Instruction<'_>> {
        let mut next = HEADER_WORDS;
        std::iter::from_fn(move || {
            loop {
                let at = next;
                let &first = self.words.get(at)?;
                next = at + (first >> 16) as usize;
                let operands = self.words.get(at + 1..next)?;
                if let Some(op) = Op::from_u32(first & 0xffff) {
                    return Some(Instruction { op, operands, at });
                }
            }
        })
    }
}

impl<'m> Instruction<'m> {
    /// An error about this instruction.
    #[must_use]
    pub fn error(&self, text: impl std::fmt::Display) -> Error {
        Error::new(self.at, text)
    }

    /// Operand `i`, counted from 0.
    ///
    /// # Errors
    /// The instruction has fewer operands.
    pub fn operand(&self, i: usize) -> Result<u32, Error> {
        self.operands.get(i).copied().ok_or_else(|| {
            self.error(format_args!("Op{:?} ends before its operand {}", self.op, i + 1))
        })
    }

    /// The operands from `i` on; empty if the instruction has fewer.
    #[must_use]
    pub fn rest(&self, i: usize) -> &'m [u32] {
        self.operands.get(i..).unwrap_or(&[])
    }

    /// The string that begins at operand `i`, and the index of the operand after it.
    ///
    /// # Errors
    /// The string has no terminating zero or is not UTF-8.
    pub fn text(&self, i: usize) -> Result<(String, usize), Error> {
        let mut bytes = Vec::new();
        for (n, word) in self.rest(i).iter().enumerate() {
            for byte in word.to_le_bytes() {
                if byte == 0 {
                    let text = String::from_utf8(bytes);
                    return text.map(|text| (text, i + n + 1)).map_err(|_| {
                        self.error(format_args!("the text of Op{:?} is no UTF-8", self.op))
                    });
                }
                bytes.push(byte);
            }
        }
        Err(self.error(format_args!("the text of Op{:?} does not end", self.op)))
    }

    /// The id of the result type, if the instruction has one.
    #[must_use]
    pub fn result_type(&self) -> Option<u32> {
        operand_layout(self.op).filter(|l| l.typed).and_then(|_| self.operands.first().copied())
    }

    /// The id that the instruction defines, if it defines one.
    #[must_use]
    pub fn result(&self) -> Option<u32> {
        let layout = operand_layout(self.op).filter(|l| l.result)?;
        self.operands.get(usize::from(layout.typed)).copied()
    }
}
