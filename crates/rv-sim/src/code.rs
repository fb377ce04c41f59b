//! Decoded code, which the loop in `run` executes. The first execution of a basic block decodes
//! it into a row of 16-byte cells. The last cell is a terminator, and two links to the successor
//! blocks follow it.
//!
//! Invariants: cells never move, and only [`CodeCache::flush`] frees them; every block ends with a
//! terminator, and each terminator has its two links; the k-th cell of a block is the slot of its
//! k-th instruction. Not here: the table of codes (`codes.rs`), their semantics (`run`).

use crate::codes::with_codes;
use crate::memory::Memory;
use muxcl_rv_isa::{Extension, Format, Inst, Op, Xlen, decode, decode_compressed};
use std::collections::{BTreeMap, BTreeSet};

/// Destination of writes to `x0`. Instructions never read registers past the 31st.
pub(crate) const SINK: u8 = 32;
/// Maximum number of instructions in a block, so that offsets fit a byte.
pub(crate) const MAX_BLOCK: usize = 126;
const CHUNK: usize = 16 * 1024;
const JUMPS: usize = 4096;

macro_rules! code {
    (
        branches: $($branch:ident)*; terminators: $($terminator:ident)*;
        frequent: $($frequent:ident)*; general: $($general:ident)*;
        pairs: $($pair:ident = $first:ident + $second:ident),*;
        branch_pairs: $($branch_pair:ident = $before:ident + $last:ident),*;
    ) => {
        /// The operation of a cell. The codes that end a block come first.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
        #[repr(u16)]
        pub(crate) enum Code {
            $($branch,)* $($terminator,)* $($frequent,)* $($general,)* $($pair,)* $($branch_pair,)*
        }

        /// The code that executes `first`, then the next cell's `second`, if they can be fused.
        const fn fuse(first: Code, second: Code) -> Option<Code> {
            Some(match (first, second) {
                $((Code::$first, Code::$second) => Code::$pair,)*
                $((Code::$before, Code::$last) => Code::$branch_pair,)*
                _ => return None,
            })
        }
    };
}
with_codes!(code);

impl Code {
    pub(crate) fn terminates(self) -> bool {
        self <= Self::FenceI
    }
}

/// A decoded instruction.
#[derive(Debug, Clone, Copy)]
#[repr(C)]
pub(crate) struct DecodedInst {
    pub(crate) code: Code,
    /// For terminators: the number of instructions in the block. For others: the offset from the
    /// block's start in halfwords.
    pub(crate) n: u16,
    pub(crate) rd: u8,
    pub(crate) rs1: u8,
    pub(crate) rs2: u8,
    /// The third source register; for terminators the offset from the block's start in halfwords.
    pub(crate) rs3: u8,
    /// The immediate; for the general codes the operands in [`pack`]ed form.
    pub(crate) imm: i64,
}

/// A link to a successor block.
#[derive(Debug, Clone, Copy)]
#[repr(C)]
pub(crate) struct BlockLink {
    /// The successor's first cell; null until the first jump along this link.
    pub(crate) target: *mut Cell,
    /// The successor's address.
    pub(crate) pc: u64,
}

/// One cell.
#[derive(Clone, Copy)]
#[repr(C)]
pub(crate) union Cell {
    pub(crate) slot: DecodedInst,
    pub(crate) link: BlockLink,
}

/// Packs the fields of an instruction that general codes need in addition to the registers.
fn pack(i: &Inst) -> i64 {
    let imm = u64::from(i.imm.cast_unsigned());
    (imm | (i.op as u64) << 32 | u64::from(i.aux) << 48 | u64::from(i.unmasked) << 56).cast_signed()
}

/// Rebuilds the instruction that the slot of a general code encodes.
#[inline(always)]
pub(crate) fn unpack(slot: &DecodedInst) -> Inst {
    let bits = slot.imm.cast_unsigned();
    Inst {
        op: Op::ALL[(bits >> 32 & 0xffff) as usize],
        rd: slot.rd,
        rs1: slot.rs1,
        rs2: slot.rs2,
        rs3: slot.rs3,
        aux: (bits >> 48 & 0xff) as u8,
        unmasked: bits >> 56 != 0,
        len: 4,
        imm: bits as i32,
    }
}

/// A hart's decoded code.
pub(crate) struct CodeCache {
    chunks: Vec<Box<[Cell]>>,
    /// Number of used cells in the last chunk.
    used: usize,
    blocks: BTreeMap<u64, *mut Cell>,
    /// Maps the address of a block's first cell to the block's pc.
    starts: BTreeMap<usize, u64>,
    jumps: Box<[(u64, *mut Cell)]>,
}

// SAFETY: the pointers refer to the cache's own chunks, and only the hart that owns the cache
// dereferences them.
unsafe impl Send for CodeCache {}

const NO_JUMP: (u64, *mut Cell) = (u64::MAX, std::ptr::null_mut());

/// The properties of a hart that translation depends on.
pub(crate) struct Context<'a> {
    pub(crate) memory: &'a Memory,
    pub(crate) hart: u32,
    pub(crate) xlen: Xlen,
    pub(crate) extensions: u32,
    pub(crate) return_address: Option<u64>,
    /// Blocks end in front of these addresses, with [`Code::Break`].
    pub(crate) breakpoints: &'a BTreeSet<u64>,
    /// Maximum number of instructions of a block, at most [`MAX_BLOCK`].
    pub(crate) longest: usize,
}

impl CodeCache {
    pub(crate) fn new() -> Self {
        Self {
            chunks: Vec::new(),
            used: CHUNK,
            blocks: BTreeMap::new(),
            starts: BTreeMap::new(),
            jumps: vec![NO_JUMP; JUMPS].into_boxed_slice(),
        }
    }

    /// Frees all decoded code.
    pub(crate) fn flush(&mut self) {
        *self = Self::new();
    }

    /// The block at `pc`, if the cache of recent jump targets has it.
    #[inline(always)]
    pub(crate) fn recent(&self, pc: u64) -> Option<*mut Cell> {
        let (at, cell) = self.jumps[(pc >> 1) as usize & (JUMPS - 1)];
        (at == pc).then_some(cell)
    }

    /// The block at `pc`. Decodes it if it is new.
    pub(crate) fn block(&mut self, pc: u64, context: &Context<'_>) -> *mut Cell {
        let cell = match self.blocks.get(&pc) {
            Some(cell) => *cell,
            None => self.translate(pc, context),
        };
        self.jumps[(pc >> 1) as usize & (JUMPS - 1)] = (pc, cell);
        cell
    }

    /// The first cell and the pc of the block that contains the cell.
    pub(crate) fn owner(&self, cell: *mut Cell) -> Option<(usize, u64)> {
        self.starts.range(..=cell.addr()).next_back().map(|(a, p)| (*a, *p))
    }

    fn translate(&mut self, pc: u64, context: &Context<'_>) -> *mut Cell {
        let cells = decode_block(pc, context);
        if self.used + cells.len() > CHUNK {
            let empty = Cell { link: BlockLink { target: std::ptr::null_mut(), pc: 0 } };
            self.chunks.push(vec![empty; CHUNK].into_boxed_slice());
            self.used = 0;
        }
        let Some(chunk) = self.chunks.last_mut() else { return std::ptr::null_mut() };
        chunk[self.used..self.used + cells.len()].copy_from_slice(&cells);
        let first = chunk[self.used..].as_mut_ptr();
        self.used += cells.len();
        self.blocks.insert(pc, first);
        self.starts.insert(first.addr(), pc);
        first
    }
}

fn fetch(pc: u64, context: &Context<'_>) -> Option<u32> {
    let mut half = [0; 2];
    context.memory.read(context.hart, pc, &mut half).ok()?;
    let low = u16::from_le_bytes(half);
    if low & 3 != 3 {
        return Some(low.into());
    }
    let mut word = [0; 4];
    context.memory.read(context.hart, pc, &mut word).ok()?;
    Some(u32::from_le_bytes(word))
}

/// Decodes `word`; `None` if this machine lacks the instruction.
pub(crate) fn decode_for(word: u32, xlen: Xlen, extensions: u32) -> Option<Inst> {
    let has = |e: Extension| extensions & 1 << e as u32 != 0;
    let compressed = word & 3 != 3;
    let inst = if compressed { decode_compressed(word as u16, xlen) } else { decode(word, xlen) }?;
    (has(inst.op.row().extension) && (!compressed || has(Extension::C))).then_some(inst)
}

fn decode_block(start: u64, context: &Context<'_>) -> Vec<Cell> {
    let mut slots: Vec<DecodedInst> = Vec::new();
    let mut pc = start;
    let wrap = |a: u64| if context.xlen == Xlen::Rv32 { u64::from(a as u32) } else { a };
    // RV32 keeps register values sign-extended.
    let value =
        |a: u64| if context.xlen == Xlen::Rv32 { i64::from(a as i32) } else { a.cast_signed() };
    let (taken, next) = loop {
        let offset = (pc.wrapping_sub(start) >> 1) as u8;
        let mut slot = DecodedInst {
            code: Code::Illegal,
            n: offset.into(),
            rd: 0,
            rs1: 0,
            rs2: 0,
            rs3: offset,
            imm: 0,
        };
        if context.return_address == Some(pc) {
            slots.push(DecodedInst { code: Code::Return, ..slot });
            break (pc, pc);
        }
        if context.breakpoints.contains(&pc) {
            slots.push(DecodedInst { code: Code::Break, ..slot });
            break (pc, pc);
        }
        if slots.len() == context.longest {
            // `Goto` is not an instruction of the program, so `n` does not count it.
            slots.push(DecodedInst { code: Code::Goto, ..slot });
            break (pc, pc);
        }
        let Some(word) = fetch(pc, context) else {
            slots.push(DecodedInst { code: Code::FetchFault, ..slot });
            break (pc, pc);
        };
        let Some(inst) = decode_for(word, context.xlen, context.extensions) else {
            slot.imm = word.into();
            slots.push(slot);
            break (pc, pc);
        };
        let next = wrap(pc.wrapping_add(inst.len.into()));
        let target = wrap(pc.wrapping_add(i64::from(inst.imm).cast_unsigned()));
        (slot.rd, slot.rs1, slot.rs2) =
            (if inst.rd == 0 { SINK } else { inst.rd }, inst.rs1, inst.rs2);
        slot.imm = inst.imm.into();
        let end = match inst.op {
            Op::Beq => Some(Code::Beq),
            Op::Bne => Some(Code::Bne),
            Op::Blt => Some(Code::Blt),
            Op::Bge => Some(Code::Bge),
            Op::Bltu => Some(Code::Bltu),
            Op::Bgeu => Some(Code::Bgeu),
            Op::Jal => Some(Code::Jal),
            Op::Jalr => Some(Code::Jalr),
            Op::Ecall => Some(Code::Ecall),
            Op::Ebreak => Some(Code::Ebreak),
            Op::Wfi => Some(Code::Wfi),
            Op::FenceI => Some(Code::FenceI),
            Op::Mret => Some(Code::Illegal),
            Op::Csrrw | Op::Csrrs | Op::Csrrc | Op::Csrrwi | Op::Csrrsi | Op::Csrrci => {
                Some(Code::Csr)
            }
            _ => None,
        };
        if let Some(code) = end {
            slot.code = code;
            match code {
                Code::Jal => slot.imm = value(next),
                Code::Csr => {
                    slot.rd = inst.rd;
                    slot.imm = pack(&inst);
                }
                Code::Illegal => slot.imm = word.into(),
                _ => {}
            }
            slots.push(slot);
            // For a terminator without a taken branch, the first link holds the pc itself (for an
            // indirect call: its return address).
            let taken = match code {
                Code::Jal
                | Code::Beq
                | Code::Bne
                | Code::Blt
                | Code::Bge
                | Code::Bltu
                | Code::Bgeu => target,
                Code::Jalr => value(next).cast_unsigned(),
                _ => pc,
            };
            break (taken, if code == Code::Jalr { u64::MAX } else { next });
        }
        ordinary(&mut slot, &inst, pc, context.xlen);
        slots.push(slot);
        pc = next;
    };
    if let Some(last) = slots.len().checked_sub(1) {
        let counts = !matches!(
            slots[last].code,
            Code::Goto | Code::Return | Code::Break | Code::FetchFault | Code::Illegal
        );
        slots[last].n = (last + usize::from(counts)) as u16;
    }
    fuse_pairs(&mut slots);
    let link = |pc| Cell { link: BlockLink { target: std::ptr::null_mut(), pc } };
    slots.into_iter().map(|slot| Cell { slot }).chain([link(taken), link(next)]).collect()
}

fn fuse_pairs(slots: &mut [DecodedInst]) {
    let mut i = 0;
    while i + 1 < slots.len() {
        match fuse(slots[i].code, slots[i + 1].code) {
            Some(code) => {
                slots[i].code = code;
                i += 2;
            }
            None => i += 1,
        }
    }
}

/// Fills in the slot of an instruction that does not end a block.
fn ordinary(slot: &mut DecodedInst, inst: &Inst, pc: u64, xlen: Xlen) {
    if let Some(code) = frequent(inst, xlen) {
        slot.code = code;
        let fused = |op| {
            use Op::{FmaddD, FmaddS, FmsubD, FmsubS, FnmaddD, FnmaddS, FnmsubD, FnmsubS};
            matches!(op, FmaddS | FmsubS | FnmaddS | FnmsubS | FmaddD | FmsubD | FnmaddD | FnmsubD)
        };
        if fused(inst.op) {
            slot.rs3 = inst.rs3;
        }
        let to_integer = matches!(
            inst.op,
            Op::FleS | Op::FltS | Op::FeqS | Op::FleD | Op::FltD | Op::FeqD | Op::FmvXW
        );
        let floating = matches!(inst.op.row().extension, Extension::F | Extension::D);
        if floating && !to_integer {
            slot.rd = inst.rd;
        }
        if inst.op == Op::Auipc {
            let sum = pc.wrapping_add(i64::from(inst.imm).cast_unsigned());
            slot.imm = if xlen == Xlen::Rv32 { i64::from(sum as i32) } else { sum.cast_signed() };
        }
        return;
    }
    slot.code = match inst.op.row().extension {
        Extension::A => Code::Atomic,
        Extension::F | Extension::D | Extension::Zfh => Code::Float,
        Extension::V => Code::Vector,
        _ => match inst.op.row().format {
            Format::Fence | Format::None => Code::Fence,
            Format::R => Code::IntR,
            _ => Code::IntI,
        },
    };
    (slot.rd, slot.rs3) = (inst.rd, inst.rs3);
    slot.imm = pack(inst);
}

/// The specialized code of a frequent instruction. RV32 uses RV64's 32-bit forms, because its
/// registers hold sign-extended values.
fn frequent(inst: &Inst, xlen: Xlen) -> Option<Code> {
    let by_width = |wide, narrow| if xlen == Xlen::Rv64 { wide } else { narrow };
    let rv64 = |code| (xlen == Xlen::Rv64).then_some(code);
    Some(match inst.op {
        Op::Lui | Op::Auipc => Code::Li,
        Op::Addi if inst.rd == 0 => Code::Nop,
        Op::Addi if inst.rs1 == 0 => Code::Li,
        Op::Addi if inst.imm == 0 => Code::Mv,
        Op::Addi => by_width(Code::Addi, Code::Addiw),
        Op::Slti => Code::Slti,
        Op::Sltiu => Code::Sltiu,
        Op::Xori => Code::Xori,
        Op::Ori => Code::Ori,
        Op::Andi => Code::Andi,
        Op::Slli => by_width(Code::Slli, Code::Slliw),
        Op::Srli => by_width(Code::Srli, Code::Srliw),
        Op::Srai => by_width(Code::Srai, Code::Sraiw),
        Op::Add => by_width(Code::Add, Code::Addw),
        Op::Sub => by_width(Code::Sub, Code::Subw),
        Op::Sll => by_width(Code::Sll, Code::Sllw),
        Op::Slt => Code::Slt,
        Op::Sltu => Code::Sltu,
        Op::Xor => Code::Xor,
        Op::Srl => by_width(Code::Srl, Code::Srlw),
        Op::Sra => by_width(Code::Sra, Code::Sraw),
        Op::Or => Code::Or,
        Op::And => Code::And,
        Op::Addiw => Code::Addiw,
        Op::Slliw => Code::Slliw,
        Op::Srliw => Code::Srliw,
        Op::Sraiw => Code::Sraiw,
        Op::Addw => Code::Addw,
        Op::Subw => Code::Subw,
        Op::Sllw => Code::Sllw,
        Op::Srlw => Code::Srlw,
        Op::Sraw => Code::Sraw,
        Op::Mul => by_width(Code::Mul, Code::Mulw),
        Op::Mulw => Code::Mulw,
        Op::Mulhu => return rv64(Code::Mulhu),
        Op::Div => by_width(Code::Div, Code::Divw),
        Op::Divu => by_width(Code::Divu, Code::Divuw),
        Op::Rem => by_width(Code::Rem, Code::Remw),
        Op::Remu => by_width(Code::Remu, Code::Remuw),
        Op::Divw => Code::Divw,
        Op::Divuw => Code::Divuw,
        Op::Remw => Code::Remw,
        Op::Remuw => Code::Remuw,
        Op::Sh1add => return rv64(Code::Sh1add),
        Op::Sh2add => return rv64(Code::Sh2add),
        Op::Sh3add => return rv64(Code::Sh3add),
        Op::AddUw => Code::AddUw,
        Op::Sh1addUw => Code::Sh1addUw,
        Op::Sh2addUw => Code::Sh2addUw,
        Op::Sh3addUw => Code::Sh3addUw,
        Op::SlliUw => Code::SlliUw,
        Op::Andn => Code::Andn,
        Op::Min => Code::Min,
        Op::Minu => Code::Minu,
        Op::Max => Code::Max,
        Op::Maxu => Code::Maxu,
        Op::SextB => Code::SextB,
        Op::SextH => Code::SextH,
        Op::ZextH | Op::ZextHRv32 => Code::ZextH,
        Op::Lb => Code::Lb,
        Op::Lh => Code::Lh,
        Op::Lw => Code::Lw,
        Op::Ld => Code::Ld,
        Op::Lbu => Code::Lbu,
        Op::Lhu => Code::Lhu,
        Op::Lwu => Code::Lwu,
        Op::Sb => Code::Sb,
        Op::Sh => Code::Sh,
        Op::Sw => Code::Sw,
        Op::Sd => Code::Sd,
        Op::Flw => Code::Flw,
        Op::Fld => Code::Fld,
        Op::Fsw => Code::Fsw,
        Op::Fsd => Code::Fsd,
        Op::FaddS if inst.aux == 7 => Code::FaddS,
        Op::FsubS if inst.aux == 7 => Code::FsubS,
        Op::FmulS if inst.aux == 7 => Code::FmulS,
        Op::FmaddS if inst.aux == 7 => Code::FmaddS,
        Op::FaddD if inst.aux == 7 => Code::FaddD,
        Op::FsubD if inst.aux == 7 => Code::FsubD,
        Op::FmulD if inst.aux == 7 => Code::FmulD,
        Op::FmaddD if inst.aux == 7 => Code::FmaddD,
        Op::FdivS if inst.aux == 7 => Code::FdivS,
        Op::FsqrtS if inst.aux == 7 => Code::FsqrtS,
        Op::FmsubS if inst.aux == 7 => Code::FmsubS,
        Op::FnmsubS if inst.aux == 7 => Code::FnmsubS,
        Op::FnmaddS if inst.aux == 7 => Code::FnmaddS,
        Op::FsgnjS => Code::FsgnjS,
        Op::FsgnjnS => Code::FsgnjnS,
        Op::FsgnjxS => Code::FsgnjxS,
        Op::FleS => Code::FleS,
        Op::FltS => Code::FltS,
        Op::FeqS => Code::FeqS,
        Op::FdivD if inst.aux == 7 => Code::FdivD,
        Op::FsqrtD if inst.aux == 7 => Code::FsqrtD,
        Op::FmsubD if inst.aux == 7 => Code::FmsubD,
        Op::FnmsubD if inst.aux == 7 => Code::FnmsubD,
        Op::FnmaddD if inst.aux == 7 => Code::FnmaddD,
        Op::FsgnjD => Code::FsgnjD,
        Op::FsgnjnD => Code::FsgnjnD,
        Op::FsgnjxD => Code::FsgnjxD,
        Op::FleD => Code::FleD,
        Op::FltD => Code::FltD,
        Op::FeqD => Code::FeqD,
        Op::FmvXW => Code::FmvXW,
        Op::FmvWX => Code::FmvWX,
        _ => return None,
    })
}
