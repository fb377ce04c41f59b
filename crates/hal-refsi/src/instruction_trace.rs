//! A trace of executed instructions (`HAL_REFSI_TRACE`): one line each, with the hart, the pc, the
//! encoding, the disassembly, the address of a memory access, and the registers that changed.
//!
//! Invariants: a line has all effects of its instruction on registers, except the result of a load
//! from a performance counter. Lines of one hart are in order; harts write in blocks of lines. A
//! trace that reaches its limit, or cannot be written, ends, and execution continues at full speed.
//! Not here: traces of packets and calls (`trace.rs`).

use crate::options::TraceOptions;
use muxcl_hal::HalError;
use muxcl_lock::{Mutex, Rank};
use muxcl_rv_isa::{
    Extension, Inst, Operand, Xlen, csr, decode, decode_compressed, disassemble,
    disassemble_compressed, f_name, x_name,
};
use muxcl_rv_sim::{CodeCounts, Exit, FaultKind, Hart};
use std::fmt::{self, Write as _};
use std::fs::File;
use std::io::Write as _;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// Number of bytes that a hart collects before it writes them.
const BLOCK: usize = 64 << 10;

/// The file of a device's trace.
#[derive(Debug)]
pub(crate) struct TraceFile {
    file: Mutex<File>,
    /// Number of instructions that may still be written.
    left: AtomicU64,
}

impl TraceFile {
    /// Opens the file.
    ///
    /// # Errors
    /// The file cannot be written.
    pub(crate) fn open(options: &TraceOptions) -> Result<Self, HalError> {
        let file = File::options().create(true).append(true).open(&options.path);
        let file = file.map_err(|e| {
            HalError::Nonsense(format!("HAL_REFSI_TRACE: {}: {e}", options.path.display()))
        })?;
        Ok(Self { file: Mutex::new(Rank::Leaf, file), left: AtomicU64::new(options.limit) })
    }

    /// Takes the right to write one instruction.
    fn take(&self) -> bool {
        let less = |left: u64| left.checked_sub(1);
        self.left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, less).is_ok()
    }
}

/// The trace of one hart.
pub(crate) struct HartTrace {
    file: Arc<TraceFile>,
    text: String,
}

/// The registers that an instruction may change, besides vector registers.
#[derive(Clone, PartialEq)]
struct State {
    x: [u64; 32],
    f: [u64; 32],
    csrs: [u64; 5],
}

const CSRS: [(u16, &str); 5] = [
    (csr::FCSR, "fcsr"),
    (csr::VL, "vl"),
    (csr::VTYPE, "vtype"),
    (csr::VSTART, "vstart"),
    (csr::VCSR, "vcsr"),
];

impl State {
    fn of(hart: &Hart) -> Self {
        let number = |k: usize| u8::try_from(k).unwrap_or(0);
        Self {
            x: std::array::from_fn(|k| hart.x(number(k))),
            f: std::array::from_fn(|k| hart.f(number(k))),
            csrs: CSRS.map(|(csr, _)| hart.csr(csr).unwrap_or(0)),
        }
    }
}

/// An instruction and its encoding.
pub(crate) struct Fetched {
    /// The encoding, of 16 or 32 bits.
    pub(crate) word: u32,
    inst: Option<Inst>,
    text: Option<String>,
}

impl Fetched {
    /// The instruction with the encoding `word`, whose upper half is ignored if it has 16 bits.
    pub(crate) fn of(word: u32, xlen: Xlen) -> Self {
        if word & 3 == 3 {
            let inst = decode(word, xlen);
            return Self { word, text: inst.as_ref().map(disassemble), inst };
        }
        let [low, high, ..] = word.to_le_bytes();
        let half = u16::from_le_bytes([low, high]);
        let (inst, text) = (decode_compressed(half, xlen), disassemble_compressed(half, xlen));
        Self { word: half.into(), inst, text }
    }

    /// Size in bytes.
    pub(crate) const fn size(&self) -> u64 {
        if self.word & 3 == 3 { 4 } else { 2 }
    }
}

impl fmt::Display for Fetched {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let digits = if self.size() == 4 { 8 } else { 4 };
        let text = self.text.as_deref().unwrap_or("unknown");
        write!(f, "{:0digits$x} {text}", self.word)
    }
}

/// The instruction at `pc` as a hart sees it; `None` without memory there.
pub(crate) fn fetch(hart: &Hart, pc: u64) -> Option<Fetched> {
    let mut word = [0; 4];
    let memory = hart.memory();
    memory.read(hart.id(), pc, &mut word[..2]).ok()?;
    if word[0] & 3 == 3 {
        memory.read(hart.id(), pc, &mut word).ok()?;
    }
    Some(Fetched::of(u32::from_le_bytes(word), hart.xlen()))
}

/// The address of a memory access; the first one of a vector.
fn address(hart: &Hart, inst: &Inst) -> Option<u64> {
    let offset = inst.op.row().format.operands().iter().find_map(|operand| match operand {
        Operand::MemI | Operand::MemS => Some(i64::from(inst.imm).cast_unsigned()),
        Operand::Base => Some(0),
        _ => None,
    })?;
    // The operand of an indirect jump looks like that of a load, but is no data address.
    if inst.op == muxcl_rv_isa::Op::Jalr {
        return None;
    }
    let address = hart.x(inst.rs1).wrapping_add(offset);
    Some(if hart.xlen() == Xlen::Rv32 { address & 0xffff_ffff } else { address })
}

fn vectors(hart: &Hart) -> Vec<u8> {
    (0..32).flat_map(|n| hart.v(n).iter().copied()).collect()
}

impl HartTrace {
    pub(crate) fn new(file: Arc<TraceFile>) -> Self {
        Self { file, text: String::new() }
    }

    /// The trace has not reached its limit.
    pub(crate) fn is_on(&self) -> bool {
        self.file.left.load(Ordering::Relaxed) != 0
    }

    /// Executes about `limit` instructions, writes them, and counts them in `counts`.
    pub(crate) fn run(
        &mut self,
        hart: &mut Hart,
        limit: u64,
        mut counts: Option<&mut CodeCounts>,
    ) -> Exit {
        let mut exit = Exit::Limit;
        for _ in 0..limit {
            exit = match &mut counts {
                Some(counts) => counts.step(hart, |hart| self.step_quietly(hart)),
                None => self.step_quietly(hart),
            };
            if exit != Exit::Limit || !self.is_on() {
                break;
            }
        }
        self.flush();
        exit
    }

    /// Executes one instruction, and writes it.
    pub(crate) fn step(&mut self, hart: &mut Hart) -> Exit {
        let exit = self.step_quietly(hart);
        self.flush();
        exit
    }

    fn step_quietly(&mut self, hart: &mut Hart) -> Exit {
        if !self.file.take() {
            return hart.step();
        }
        let (pc, fetched, before) = (hart.pc(), fetch(hart, hart.pc()), State::of(hart));
        let inst = fetched.as_ref().and_then(|f| f.inst);
        let vector = inst.is_some_and(|i| i.op.row().extension == Extension::V);
        let old_vectors = if vector { vectors(hart) } else { Vec::new() };
        let address = inst.and_then(|i| address(hart, &i));
        let exit = hart.step();
        let digits = if hart.xlen() == Xlen::Rv32 { 8 } else { 16 };
        let line = &mut self.text;
        // Writing into a String cannot fail.
        let _ = write!(line, "hart {} 0x{pc:0digits$x}", hart.id());
        let _ = match fetched {
            Some(fetched) => write!(line, " {fetched}"),
            None => write!(line, " no memory"),
        };
        if let Some(address) = address {
            let _ = write!(line, " [{address:#x}]");
        }
        let after = State::of(hart);
        let short = |value: u64| if digits == 8 { value & 0xffff_ffff } else { value };
        for (n, (_, new)) in (0..).zip(before.x.iter().zip(&after.x)).filter(|(_, (a, b))| a != b) {
            let _ = write!(line, " {}={:#x}", x_name(n), short(*new));
        }
        for (n, (_, new)) in (0..).zip(before.f.iter().zip(&after.f)).filter(|(_, (a, b))| a != b) {
            let _ = write!(line, " {}={new:#x}", f_name(n));
        }
        let csrs = CSRS.iter().zip(before.csrs.iter().zip(&after.csrs));
        for ((_, name), (_, new)) in csrs.filter(|(_, (a, b))| a != b) {
            let _ = write!(line, " {name}={:#x}", short(*new));
        }
        if vector {
            let length = old_vectors.len() / 32;
            for (n, old) in (0..).zip(old_vectors.chunks(length.max(1))) {
                let new = hart.v(n);
                if old != new {
                    let _ = write!(line, " v{n}=0x");
                    // The highest element comes first, as in a number.
                    new.iter().rev().for_each(|byte| {
                        let _ = write!(line, "{byte:02x}");
                    });
                }
            }
        }
        // The machine completes a load of a performance counter after its fault.
        if let Exit::Fault(fault) = exit
            && fault.kind != FaultKind::Device
        {
            let _ = write!(line, " ! {fault}");
        }
        line.push('\n');
        if line.len() >= BLOCK {
            self.flush();
        }
        exit
    }

    /// Writes the collected lines. The trace ends if that fails.
    fn flush(&mut self) {
        if self.text.is_empty() {
            return;
        }
        if self.file.file.lock().write_all(self.text.as_bytes()).is_err() {
            self.file.left.store(0, Ordering::Relaxed);
        }
        self.text.clear();
    }
}
