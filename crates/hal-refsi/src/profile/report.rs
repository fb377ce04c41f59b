//! The text of a device's profile. For each kernel: its totals, then its basic blocks by their
//! cycles, with disassembly and source lines.
//!
//! Invariant: the text depends on how often each instruction was executed, not on how the
//! interpreter or translated code divides code into blocks.

use super::Executions;
use super::kernels::{Image, Totals};
use super::lines::{self, Line, Lines};
use crate::instruction_trace::Fetched;
use crate::options::Options;
use muxcl_hal::elf::RiscvElf;
use muxcl_rv_isa::{Inst, Op, Xlen, decode, decode_compressed};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

/// The least share of a line or block that is listed, in percent of the kernel's cycles.
const LEAST: f64 = 1.0;
/// The most source lines of a kernel that are listed.
const MOST_LINES: usize = 10;
/// The most blocks of a kernel that are listed.
const MOST_BLOCKS: usize = 20;
/// The most instructions of a block that are listed.
const MOST_INSTRUCTIONS: usize = 100;
/// Column of the source line of an instruction.
const LINE_COLUMN: usize = 56;

/// Consecutive instructions that were executed equally often.
struct Block {
    start: u64,
    end: u64,
    /// Number of instructions.
    length: u64,
    /// Number of executions.
    times: u64,
}

impl Block {
    /// A hart needs one cycle for an instruction.
    const fn cycles(&self) -> u64 {
        self.length * self.times
    }
}

/// Where an instruction may jump.
enum Jump {
    To(u64),
    Indirect,
}

impl Jump {
    /// The jump of the instruction at an address, if it is one.
    fn of(inst: &Inst, at: u64) -> Option<Self> {
        match inst.op {
            Op::Beq | Op::Bne | Op::Blt | Op::Bge | Op::Bltu | Op::Bgeu | Op::Jal => {
                Some(Self::To(at.wrapping_add(i64::from(inst.imm).cast_unsigned())))
            }
            Op::Jalr => Some(Self::Indirect),
            _ => None,
        }
    }
}

/// Reads instructions from a program's file.
struct Code<'a> {
    elf: RiscvElf<'a>,
    xlen: Xlen,
}

impl Code<'_> {
    /// The four bytes at an address, fewer at the end of a segment and zeros then.
    fn word(&self, address: u64) -> Option<u32> {
        let bytes = self.elf.segments.iter().find_map(|segment| {
            let from = usize::try_from(address.checked_sub(segment.address)?).ok()?;
            segment.bytes.get(from..).filter(|bytes| bytes.len() >= 2)
        })?;
        let mut word = [0; 4];
        let length = bytes.len().min(4);
        word[..length].copy_from_slice(&bytes[..length]);
        Some(u32::from_le_bytes(word))
    }

    /// Size in bytes of the instruction at an address.
    fn size(&self, address: u64) -> u64 {
        if self.word(address).is_some_and(|word| word & 3 != 3) { 2 } else { 4 }
    }

    fn jump(&self, address: u64) -> Option<Jump> {
        let word = self.word(address)?;
        let [low, high, ..] = word.to_le_bytes();
        let inst = if word & 3 == 3 {
            decode(word, self.xlen)
        } else {
            decode_compressed(u16::from_le_bytes([low, high]), self.xlen)
        };
        Jump::of(&inst?, address)
    }

    /// How often each instruction was executed.
    fn executions(&self, code: &Executions) -> BTreeMap<u64, u64> {
        let mut all = BTreeMap::new();
        for (stretch, times) in code {
            let mut at = stretch.pc;
            for _ in 0..stretch.length {
                *all.entry(at).or_default() += *times;
                at = at.wrapping_add(self.size(at));
            }
        }
        all
    }

    /// The blocks of the executed instructions.
    fn blocks(&self, executions: &BTreeMap<u64, u64>) -> Vec<Block> {
        let target = |at: &u64| match self.jump(*at)? {
            Jump::To(target) => Some(target),
            Jump::Indirect => None,
        };
        let targets: BTreeSet<u64> = executions.keys().filter_map(target).collect();
        let mut blocks: Vec<Block> = Vec::new();
        let mut ended = true;
        for (&at, &times) in executions {
            let size = self.size(at);
            match blocks.last_mut() {
                Some(last)
                    if !ended
                        && last.end == at
                        && last.times == times
                        && !targets.contains(&at) =>
                {
                    last.end = at + size;
                    last.length += 1;
                }
                _ => blocks.push(Block { start: at, end: at + size, length: 1, times }),
            }
            ended = self.jump(at).is_some();
        }
        blocks.sort_by_key(|b| (std::cmp::Reverse(b.cycles()), b.start));
        blocks
    }

    /// The function that contains an address, and the offset in it.
    fn function(&self, address: u64) -> Option<String> {
        let name = self.elf.symbol_at(address)?;
        let start = self.elf.symbol(name)?;
        Some(format!("{name}+{:#x}", address.wrapping_sub(start)))
    }
}

#[expect(clippy::cast_precision_loss, reason = "a percentage with one digit")]
fn percent(part: u64, whole: u64) -> f64 {
    if whole == 0 { 0.0 } else { 100.0 * part as f64 / whole as f64 }
}

/// The first lines of a device's report.
pub(super) fn heading(options: &Options) -> String {
    format!(
        "{}: {} harts, {}, VLEN {}; each instruction takes one cycle\n",
        options.name(),
        options.harts,
        options.target,
        options.vlen
    )
}

/// The part of a kernel. Writing into a String cannot fail, so results are ignored.
pub(super) fn kernel(
    (name, program): (&str, usize),
    totals: &Totals,
    image: &mut Image,
    options: &Options,
) -> String {
    let mut text = String::new();
    let instructions = totals.instructions();
    let _ = writeln!(text, "\nkernel {name} of program {program}");
    let _ = write!(text, "  launches {}, work-groups {}", totals.launches, totals.groups);
    let _ = writeln!(text, ", time on the host {:.3} ms", totals.time.as_secs_f64() * 1e3);
    if totals.failed != 0 {
        let _ = writeln!(text, "  failed launches {}", totals.failed);
    }
    let _ = write!(text, "  cycles {instructions}, instructions {instructions}");
    let _ = writeln!(text, ", bytes read {}, bytes written {}", totals.moved[0], totals.moved[1]);
    let xlen = if options.word_size() == 32 { Xlen::Rv32 } else { Xlen::Rv64 };
    let Ok(elf) = RiscvElf::parse(&image.file) else { return text };
    let code = Code { elf, xlen };
    let executions = code.executions(&totals.code);
    image.lines.find(&image.file, executions.keys().copied());
    if !lines::exist(&image.file) {
        text.push_str("  no source lines: build the program with -g\n");
    }
    source_lines(&mut text, &executions, &image.lines, instructions);
    blocks(&mut text, &code, &code.blocks(&executions), &image.lines, instructions);
    if totals.outside != 0 {
        let share = percent(totals.outside, instructions);
        let _ = writeln!(text, "  {share:5.1} % {} cycles, the device's loader", totals.outside);
    }
    text
}

/// Lists the source lines with the most cycles.
fn source_lines(
    text: &mut String,
    executions: &BTreeMap<u64, u64>,
    lines: &Lines,
    instructions: u64,
) {
    let mut cycles: BTreeMap<&Line, u64> = BTreeMap::new();
    for (at, times) in executions {
        if let Some(line) = lines.get(*at) {
            *cycles.entry(line).or_default() += times;
        }
    }
    let mut cycles: Vec<_> = cycles.into_iter().collect();
    cycles.sort_by_key(|(_, cycles)| std::cmp::Reverse(*cycles));
    if !cycles.is_empty() {
        text.push_str("  source lines:\n");
    }
    for (line, cycles) in cycles.into_iter().take(MOST_LINES) {
        let share = percent(cycles, instructions);
        if share >= LEAST {
            let _ = writeln!(text, "  {share:5.1} % {cycles} cycles, {line}");
        }
    }
}

fn blocks(text: &mut String, code: &Code<'_>, blocks: &[Block], lines: &Lines, all: u64) {
    let mut shown = 0;
    text.push_str("  blocks:\n");
    for block in blocks {
        let share = percent(block.cycles(), all);
        if shown == MOST_BLOCKS || share < LEAST {
            break;
        }
        shown += 1;
        let _ = write!(text, "  {share:5.1} % {} cycles, ", block.cycles());
        let _ = writeln!(text, "{} executions of {} instructions", block.times, block.length);
        let _ = write!(text, "          {:#x}..{:#x}", block.start, block.end);
        let _ = match code.function(block.start) {
            Some(function) => writeln!(text, " {function}"),
            None => writeln!(text),
        };
        instructions(text, code, block, lines);
    }
    let rest = blocks.len() - shown;
    if rest != 0 {
        let cycles = blocks[shown..].iter().map(Block::cycles).sum();
        let share = percent(cycles, all);
        let _ = writeln!(text, "  {share:5.1} % {cycles} cycles, other blocks: {rest}");
    }
}

/// Lists the instructions of a block, with a source line where it changes.
fn instructions(text: &mut String, code: &Code<'_>, block: &Block, lines: &Lines) {
    let (mut at, mut last, mut shown) = (block.start, None, 0);
    while at < block.end {
        if shown == MOST_INSTRUCTIONS {
            let _ = writeln!(text, "          ... to {:#x}", block.end);
            return;
        }
        let Some(word) = code.word(at) else { return };
        let fetched = Fetched::of(word, code.xlen);
        let mut row = format!("          {at:#x} {fetched}");
        if let Some(Jump::To(target)) = code.jump(at) {
            let _ = write!(row, " -> {target:#x}");
        }
        let line = lines.get(at);
        let _ = match line.filter(|_| line != last) {
            Some(line) => writeln!(text, "{row:LINE_COLUMN$} {line}"),
            None => writeln!(text, "{row}"),
        };
        (last, shown) = (line, shown + 1);
        at += fetched.size();
    }
}
