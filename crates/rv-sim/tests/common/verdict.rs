//! Programs that judge themselves: they report by `ecall`, `a7` = 0, `a0` = 0 or the number of the
//! failing case, and may leave a signature (`tests/riscv-tests` has the headers). Invariant: a
//! program without a verdict fails.

use goblin::elf::Elf;
use goblin::elf::header::{EM_RISCV, ET_EXEC};
use goblin::elf::program_header::PT_LOAD;
use muxcl_rv_sim::{Exit, Hart, HartConfig, Memory, Xlen};
use std::error::Error;
use std::fmt;
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

/// Numbers of the integer registers with the verdict (`a0`) and the kind of report (`a7`).
const VERDICT: u8 = 10;
const KIND: u8 = 17;

/// A program, and what it must do.
#[derive(Debug)]
pub(crate) struct Program {
    xlen: Xlen,
    entry: u64,
    /// Address and contents of each segment, with the zeros behind them.
    segments: Vec<(u64, Vec<u8>)>,
    /// Addresses of the results, if the program leaves any, and what they must be.
    signature: Option<(Range<u64>, Vec<u32>)>,
}

/// The reason why a program failed.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Failure {
    /// The number of the failing case, as the program reported it.
    Case(u64),
    /// The run ended in another way.
    Ended(Exit),
    /// An `ecall` that is no report.
    Call(u64),
    /// The first word of the signature that differs.
    Word { index: usize, found: u32, wanted: u32 },
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Case(number) => write!(f, "case {number}"),
            Self::Ended(Exit::Fault(fault)) => write!(f, "{fault}"),
            Self::Ended(exit) => write!(f, "ended with {exit:?}"),
            Self::Call(kind) => write!(f, "ecall with a7 = {kind}"),
            Self::Word { index, found, wanted } => {
                write!(f, "word {index} of the signature is {found:08x}, not {wanted:08x}")
            }
        }
    }
}

/// The words of a signature file: hexadecimal, one a line.
fn words(text: &str) -> Result<Vec<u32>, Box<dyn Error>> {
    let parse = |line| u32::from_str_radix(line, 16);
    Ok(text.split_whitespace().map(parse).collect::<Result<_, _>>()?)
}

/// Reads a program, and its signature from the file beside it.
pub(crate) fn read(path: &Path) -> Result<Program, Box<dyn Error>> {
    let bytes = std::fs::read(path)?;
    let elf = Elf::parse(&bytes)?;
    if elf.header.e_machine != EM_RISCV || elf.header.e_type != ET_EXEC {
        return Err("not a RISC-V program".into());
    }
    let mut segments = Vec::new();
    for header in &elf.program_headers {
        if header.p_type == PT_LOAD && header.p_memsz > 0 {
            let file = bytes.get(header.file_range()).ok_or("a segment lies outside the file")?;
            let mut contents = file.to_vec();
            contents.resize(usize::try_from(header.p_memsz)?, 0);
            segments.push((header.p_paddr, contents));
        }
    }
    let symbol = |name| {
        let named = |s: &goblin::elf::Sym| elf.strtab.get_at(s.st_name) == Some(name);
        elf.syms.iter().find(named).map(|s| s.st_value)
    };
    let signature = match (symbol("begin_signature"), symbol("end_signature")) {
        (Some(begin), Some(end)) => {
            let file = path.with_extension("reference_output");
            let text = std::fs::read_to_string(&file)
                .map_err(|e| format!("no reference signature: {}: {e}", file.display()))?;
            Some((begin..end, words(&text)?))
        }
        _ => None,
    };
    let xlen = if elf.is_64 { Xlen::Rv64 } else { Xlen::Rv32 };
    Ok(Program { xlen, entry: elf.entry, segments, signature })
}

/// Runs a program on a new hart.
pub(crate) fn judge(
    program: &Program,
    vlen: u32,
    run: impl FnOnce(&mut Hart) -> Exit,
) -> Result<Option<Failure>, Box<dyn Error>> {
    let mut memory = Memory::new();
    for (address, contents) in &program.segments {
        memory.add_ram(*address, contents.len() as u64)?;
        memory.write(0, *address, contents).map_err(|e| format!("{e:?}"))?;
    }
    let mut hart = Hart::new(0, &HartConfig::full(program.xlen, vlen), Arc::new(memory))?;
    hart.set_pc(program.entry);
    let exit = run(&mut hart);
    if exit != Exit::Ecall {
        return Ok(Some(Failure::Ended(exit)));
    }
    Ok(match (hart.x(KIND), hart.x(VERDICT)) {
        (0, 0) => match &program.signature {
            Some((place, wanted)) => difference(&hart, place, wanted)?,
            None => None,
        },
        (0, case) => Some(Failure::Case(case)),
        (kind, _) => Some(Failure::Call(kind)),
    })
}

/// Compares the results in memory with the signature. One may have more zeros at the end, because
/// targets align the end differently.
fn difference(
    hart: &Hart,
    place: &Range<u64>,
    wanted: &[u32],
) -> Result<Option<Failure>, Box<dyn Error>> {
    let mut bytes = vec![0; usize::try_from(place.end - place.start)?];
    hart.memory().read(0, place.start, &mut bytes).map_err(|e| format!("{e:?}"))?;
    let (found, _) = bytes.as_chunks::<4>();
    let word = |index| found.get(index).map_or(0, |word| u32::from_le_bytes(*word));
    for index in 0..found.len().max(wanted.len()) {
        let (found, wanted) = (word(index), wanted.get(index).copied().unwrap_or(0));
        if found != wanted {
            return Ok(Some(Failure::Word { index, found, wanted }));
        }
    }
    Ok(None)
}
