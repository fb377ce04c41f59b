//! A region: the basic blocks of guest code that are translated together, found from one address
//! along direct jumps and calls of small functions, which return within the region. Invariant: a
//! block ends where the interpreter's block at its address ends, or earlier at an instruction that
//! only the interpreter executes. Not here: their translation (`lower`).

use crate::cache::Choices;
use crate::lower::vector::{self, Config, Unit, most_elements};
use crate::ranges::{Areas, Groups, Loop, loops};
use muxcl_rv_isa::{Extension, Format, Inst, Op, Operand, Xlen, csr};
use muxcl_rv_sim::Hart;
use muxcl_rv_sim::native::{Fetched, LONGEST_BLOCK, Shape};
use std::collections::{BTreeMap, BTreeSet};

/// The last valid rounding mode.
const LAST_ROUNDING: u8 = 4;
/// The most instructions of a region.
const MOST_INSTS: usize = 400;
/// The most blocks of a region.
const MOST_BLOCKS: usize = 100;

/// The most instructions of a function that the regions of its callers contain.
const MOST_CALLED: usize = 60;
/// The most places to which functions of a region return: each is a comparison.
pub(crate) const MOST_RETURNS: usize = 4;
/// The register with the return address.
const RA: u8 = 1;

/// The most stores of registers on the rare paths of a region. With more, they are stored earlier,
/// on the frequent path.
const MOST_STORES: usize = 1600;

/// The end of a block.
#[derive(Debug, Clone, Copy)]
pub(crate) enum End {
    /// A conditional branch.
    Branch { inst: Inst, taken: u64, next: u64 },
    /// A direct jump, with the value of `x[rd]`.
    Jump { rd: u8, value: u64, target: u64 },
    /// An indirect jump, with the value of `x[rd]`.
    Indirect { inst: Inst, value: u64 },
    /// The longest block ends, and its successor follows.
    Next { target: u64 },
    /// The interpreter continues at the address.
    Interpret { at: u64 },
}

/// A basic block.
#[derive(Debug, Clone)]
pub(crate) struct Block {
    /// Its first address.
    pub(crate) pc: u64,
    /// The instructions before the end, with their addresses.
    pub(crate) insts: Vec<(u64, Inst)>,
    /// What is known of the vector unit before each instruction, and at the end.
    pub(crate) configs: Vec<Option<Config>>,
    pub(crate) end: End,
    /// The number of instructions that the block retires.
    pub(crate) retires: u64,
    /// The address after its last instruction.
    pub(crate) past: u64,
    /// The address of the instruction at the end.
    last: u64,
}

/// The registers that an instruction reads and writes, a bit each.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Registers {
    pub(crate) x_read: u32,
    pub(crate) x_written: u32,
    pub(crate) f_read: u32,
    pub(crate) f_written: u32,
}

/// The registers of an instruction.
pub(crate) fn registers(i: &Inst) -> Registers {
    let mut all = Registers::default();
    for operand in i.op.row().format.operands() {
        match operand {
            Operand::Xd => all.x_written |= 1 << i.rd,
            Operand::X1 | Operand::Base | Operand::MemI => all.x_read |= 1 << i.rs1,
            Operand::MemS => all.x_read |= 1 << i.rs1,
            Operand::X2 => all.x_read |= 1 << i.rs2,
            Operand::Fd => all.f_written |= 1 << i.rd,
            Operand::F1 => all.f_read |= 1 << i.rs1,
            Operand::F2 => all.f_read |= 1 << i.rs2,
            Operand::F3 => all.f_read |= 1 << i.rs3,
            _ => {}
        }
    }
    (all.x_read, all.x_written) = (all.x_read & !1, all.x_written & !1);
    all
}

/// How a region keeps a floating-point register.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kept {
    /// In the hart only.
    Memory,
    /// As a boxed half-precision number.
    Half,
    /// As a boxed single-precision number.
    Single,
    /// As a double-precision number.
    Double,
}

/// The registers whose values the hart may lack at a point of the region, a bit each.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Pending {
    pub(crate) x: u32,
    pub(crate) f: u32,
}

/// A region.
#[derive(Debug)]
pub(crate) struct Region {
    /// The blocks; the first one is the entry.
    pub(crate) blocks: Vec<Block>,
    /// The index of the block at an address.
    pub(crate) index: BTreeMap<u64, usize>,
    /// The blocks to which functions of the region may return.
    pub(crate) returns: Vec<u64>,
    /// The registers of all instructions together.
    pub(crate) touched: Registers,
    /// What the hart may lack when each block begins.
    pub(crate) pending: Vec<Pending>,
    /// What each block, or what follows in the region, reads before it writes it.
    pub(crate) live: Vec<Pending>,
    /// The registers that must have their values when the region begins.
    pub(crate) needed: Pending,
    /// How each floating-point register is kept.
    pub(crate) kept: [Kept; 32],
    /// Whether there are vector instructions.
    pub(crate) vectors: bool,
    /// What code expects of the vector unit when the region begins.
    pub(crate) config: Option<Config>,
    /// The region is for any `vl` after `vsetvli` with a register.
    pub(crate) any_length: bool,
    /// Whether registers are stored before an access only on its rare path.
    pub(crate) late: bool,
    /// The innermost loops that have a second copy, without checks.
    pub(crate) loops: Vec<Loop>,
    /// The accesses of each block that are checked together.
    pub(crate) groups: Vec<Groups>,
    /// Where its accesses are expected.
    pub(crate) areas: Areas,
}

impl Region {
    /// Finds the region at `pc`. `None` if its first instruction is the interpreter's.
    /// The code expects that the vector unit is as `config` says when the region begins. Without
    /// `config`, it expects what the hart has now.
    pub(crate) fn find(
        hart: &Hart,
        pc: u64,
        choices: Choices,
        areas: Areas,
        config: Option<Option<Config>>,
    ) -> Option<Self> {
        let unit = Unit::of(hart);
        let vlenb = unit.vlenb;
        let mut blocks: Vec<Block> = Vec::new();
        let mut index = BTreeMap::new();
        let (mut todo, mut count, mut returns) = (vec![pc], 0, Vec::new());
        while let Some(at) = todo.pop() {
            if index.contains_key(&at) || blocks.len() >= MOST_BLOCKS || count >= MOST_INSTS {
                continue;
            }
            let block = block(hart, at);
            if matches!(block.end, End::Interpret { .. }) && block.insts.is_empty() {
                if blocks.is_empty() {
                    return None;
                }
                continue;
            }
            count += block.insts.len() + 1 + more_code(&block, vlenb);
            // The block that follows is found first.
            match block.end {
                End::Branch { taken, next, .. } => todo.extend([taken, next]),
                End::Jump { rd: 0, target, .. } | End::Next { target } => todo.push(target),
                End::Jump { rd: RA, target, .. }
                    if (returns.len() < MOST_RETURNS || returns.contains(&block.past))
                        && is_small(hart, target) =>
                {
                    if !returns.contains(&block.past) {
                        returns.push(block.past);
                    }
                    todo.extend([target, block.past]);
                }
                _ => {}
            }
            index.insert(at, blocks.len());
            blocks.push(block);
        }
        cut(&mut blocks, &index);
        returns.retain(|at| index.contains_key(at));
        let mut region = Self {
            blocks,
            index,
            returns,
            touched: Registers::default(),
            pending: Vec::new(),
            live: Vec::new(),
            needed: Pending::default(),
            kept: [Kept::Memory; 32],
            vectors: false,
            config: None,
            any_length: choices.any_length,
            late: true,
            loops: Vec::new(),
            groups: Vec::new(),
            areas,
        };
        let config = config.unwrap_or_else(|| {
            hart.shape().map(|shape| {
                let most = most_elements(shape, vlenb);
                Config { shape, elements: (hart.vl() == most).then_some(most) }
            })
        });
        region.find_configs(config.filter(|_| !choices.any_shape), vlenb);
        if region.analyse(unit) > MOST_STORES {
            region.late = false;
            region.analyse(unit);
        }
        region.choose(choices);
        region.find_ranges(hart, choices.each_access);
        Some(region)
    }

    /// Finds the accesses that one check covers. Without them if `each`.
    fn find_ranges(&mut self, hart: &Hart, each: bool) {
        let areas = &self.areas;
        // Sums of addresses are modulo 2^64, and alignment is checked for each access.
        let possible = hart.xlen() == Xlen::Rv64 && !hart.strict_alignment();
        let groups = |b| if possible && !each { Groups::of(b, areas) } else { Groups::default() };
        self.groups = self.blocks.iter().map(groups).collect();
        // The code of a second copy is a function of its own, without the variables of vectors.
        if possible && !self.vectors {
            let next: Vec<Vec<usize>> =
                self.blocks.iter().map(|b| self.successors(b).collect()).collect();
            self.loops = loops(&self.blocks, &next, areas);
        }
    }

    /// The blocks of the region that can follow.
    pub(crate) fn successors(&self, block: &Block) -> impl Iterator<Item = usize> {
        let (mut targets, mut returns) = ([None; 2], [].as_slice());
        match block.end {
            End::Branch { taken, next, .. } => targets = [Some(taken), Some(next)],
            End::Jump { target, .. } | End::Next { target } => targets[0] = Some(target),
            End::Indirect { inst, .. } if is_return(&inst) => returns = &self.returns,
            End::Indirect { .. } | End::Interpret { .. } => {}
        }
        let targets = targets.into_iter().flatten().chain(returns.iter().copied());
        targets.filter_map(|pc| self.index.get(&pc).copied())
    }

    /// Finds what is known of the vector unit before each instruction, if the region begins with
    /// `first`.
    fn find_configs(&mut self, first: Option<Config>, vlenb: u64) {
        self.vectors = self.blocks.iter().any(|b| b.insts.iter().any(|(_, i)| is_vector(i)));
        if !self.vectors {
            return;
        }
        let any_length = self.any_length;
        let after = |i: &Inst, config| vector::after(i, config, vlenb, any_length);
        // `None` before the block is reached, `Some(None)` if nothing is known.
        let mut before: Vec<Option<Option<Config>>> = vec![None; self.blocks.len()];
        before[0] = Some(first);
        let mut todo = vec![0];
        while let Some(k) = todo.pop() {
            let mut config = before[k].flatten();
            for (_, i) in &self.blocks[k].insts {
                config = after(i, config);
            }
            for next in self.successors(&self.blocks[k]) {
                let joined = match (before[next], config) {
                    (None, now) => now,
                    (Some(Some(one)), Some(other)) if one.shape == other.shape => {
                        let same = one.elements == other.elements;
                        Some(Config { elements: one.elements.filter(|_| same), ..one })
                    }
                    _ => None,
                };
                if before[next] != Some(joined) {
                    before[next] = Some(joined);
                    todo.push(next);
                }
            }
        }
        for (block, before) in self.blocks.iter_mut().zip(&before) {
            let mut config = before.flatten();
            for (_, i) in &block.insts {
                block.configs.push(config);
                config = after(i, config);
            }
            block.configs.push(config);
        }
        self.config = before[0].flatten();
    }

    /// Finds what is pending and needed. Returns a bound for the number of stores on rare paths.
    fn analyse(&mut self, unit: Unit) -> usize {
        let sums: Vec<Sum> = self.blocks.iter().map(|b| Sum::of(b, unit, self.late)).collect();
        for s in &sums {
            self.touched.x_read |= s.all.x_read;
            self.touched.x_written |= s.all.x_written;
            self.touched.f_read |= s.all.f_read;
            self.touched.f_written |= s.all.f_written;
        }
        // What is written on all paths to a block.
        let mut always: Vec<Option<Pending>> = vec![None; self.blocks.len()];
        always[0] = Some(Pending::default());
        let mut todo = vec![0];
        while let Some(k) = todo.pop() {
            let (Some(before), written) = (always[k], sums[k].all) else { continue };
            let after =
                Pending { x: before.x | written.x_written, f: before.f | written.f_written };
            for next in self.successors(&self.blocks[k]) {
                let joined =
                    always[next].map_or(after, |b| Pending { x: b.x & after.x, f: b.f & after.f });
                if always[next] != Some(joined) {
                    always[next] = Some(joined);
                    todo.push(next);
                }
            }
        }
        // What is pending. A loop begins with what the loop itself leaves pending; the rest is
        // stored before the loop.
        let loops: Vec<bool> = (0..self.blocks.len())
            .map(|k| {
                let from = |b: &Block| {
                    self.blocks[k].pc <= b.pc && self.successors(b).any(|next| next == k)
                };
                self.blocks.iter().any(from)
            })
            .collect();
        let mut pending = vec![Pending::default(); self.blocks.len()];
        loop {
            let mut changed = false;
            for k in 0..self.blocks.len() {
                let s = &sums[k];
                let (mut x, mut f) = (s.last.x, s.last.f);
                if !s.flushes {
                    (x, f) = (x | pending[k].x, f | pending[k].f);
                }
                for next in self.successors(&self.blocks[k]) {
                    if loops[next] && self.blocks[next].pc > self.blocks[k].pc {
                        continue;
                    }
                    let now = Pending { x: pending[next].x | x, f: pending[next].f | f };
                    changed |= now != pending[next];
                    pending[next] = now;
                }
            }
            if !changed {
                break;
            }
        }
        // Registers that are read before they are written.
        let mut live: Vec<Pending> = sums.iter().map(|s| s.exposed).collect();
        loop {
            let mut changed = false;
            for k in (0..self.blocks.len()).rev() {
                let after =
                    self.successors(&self.blocks[k]).fold(Pending::default(), |all, next| {
                        Pending { x: all.x | live[next].x, f: all.f | live[next].f }
                    });
                let written = sums[k].all;
                let now = Pending {
                    x: live[k].x | after.x & !written.x_written,
                    f: live[k].f | after.f & !written.f_written,
                };
                changed |= now != live[k];
                live[k] = now;
            }
            if !changed {
                break;
            }
        }
        // What is stored although some path has not written it must be known there, too.
        let always = always.into_iter().map(Option::unwrap_or_default);
        self.needed = pending.iter().zip(always).fold(live[0], |all, (pending, always)| Pending {
            x: all.x | pending.x & !always.x,
            f: all.f | pending.f & !always.f,
        });
        let late = sums.iter().zip(&pending).map(|(s, p)| {
            let (x, f) = (p.x | s.all.x_written, p.f | s.all.f_written);
            s.late * (x.count_ones() + f.count_ones()) as usize
        });
        let late = late.sum();
        (self.pending, self.live) = (pending, live);
        late
    }

    /// Chooses how to keep the floating-point registers: as the only format that the region's
    /// instructions use, if there is one.
    fn choose(&mut self, choices: Choices) {
        let (mut half, mut single, mut double, mut other) = (0_u32, 0_u32, 0_u32, 0_u32);
        for (block, k) in self.blocks.iter().flat_map(|b| (0..b.insts.len()).map(move |k| (b, k))) {
            let (_, i) = &block.insts[k];
            let shape = block.configs.get(k).copied().flatten().map(|c| c.shape);
            let r = registers(i);
            let mut note = |mask: u32, width: Option<u32>| match width {
                Some(16) => half |= mask,
                Some(32) => single |= mask,
                Some(64) => double |= mask,
                _ => other |= mask,
            };
            let (to, from) = formats(i, shape);
            note(r.f_written, to);
            note(r.f_read, from);
        }
        for (k, kept) in self.kept.iter_mut().enumerate() {
            let has = |mask: u32| mask >> k & 1 == 1;
            *kept = match [half, single, double, other].map(has) {
                [true, false, false, false] if !has(choices.no_halves) => Kept::Half,
                [false, true, false, false] if !has(choices.no_singles) => Kept::Single,
                [false, false, true, false] => Kept::Double,
                _ => Kept::Memory,
            };
            // All of them are boxed when the region begins, and stay so.
            if matches!(kept, Kept::Half | Kept::Single) {
                self.needed.f |= 1 << k;
            }
        }
    }
}

/// What a block does to registers.
struct Sum {
    all: Registers,
    /// The registers that it reads before it writes them.
    exposed: Pending,
    /// Whether it stores all registers in the hart.
    flushes: bool,
    /// Number of instructions that do so on a rare path.
    late: usize,
    /// What it writes after it has last done so.
    last: Pending,
}

impl Sum {
    fn of(block: &Block, unit: Unit, late: bool) -> Self {
        let mut sum = Self {
            all: Registers::default(),
            exposed: Pending::default(),
            flushes: false,
            late: 0,
            last: Pending::default(),
        };
        for (k, (_, i)) in block.insts.iter().enumerate() {
            match trap(i, block.configs.get(k).copied().flatten(), unit) {
                Trap::Never => {}
                Trap::Rarely if late => sum.late += 1,
                Trap::Rarely | Trap::Always => {
                    (sum.flushes, sum.last) = (true, Pending::default());
                }
            }
            sum.add(registers(i));
        }
        match &block.end {
            End::Branch { inst, .. } | End::Indirect { inst, .. } => sum.add(registers(inst)),
            End::Jump { rd, .. } => {
                sum.add(Registers { x_written: 1 << rd & !1, ..Registers::default() });
            }
            End::Next { .. } | End::Interpret { .. } => {}
        }
        sum
    }

    fn add(&mut self, r: Registers) {
        self.exposed.x |= r.x_read & !self.all.x_written;
        self.exposed.f |= r.f_read & !self.all.f_written;
        self.all.x_read |= r.x_read;
        self.all.x_written |= r.x_written;
        self.all.f_read |= r.f_read;
        self.all.f_written |= r.f_written;
        self.last.x |= r.x_written;
        self.last.f |= r.f_written;
    }
}

fn is_vector(i: &Inst) -> bool {
    i.op.row().extension == Extension::V
}

/// Whether an indirect jump is a function's return.
pub(crate) fn is_return(i: &Inst) -> bool {
    i.rd == 0 && i.rs1 == RA && i.imm == 0
}

/// Whether a function is so small that the regions of its callers contain it.
fn is_small(hart: &Hart, start: u64) -> bool {
    let (mut found, mut todo, mut count) = (BTreeSet::new(), vec![start], 0);
    while let Some(at) = todo.pop() {
        if !found.insert(at) {
            continue;
        }
        let block = block(hart, at);
        count += block.insts.len() + 1;
        if count > MOST_CALLED {
            return false;
        }
        match block.end {
            End::Branch { taken, next, .. } => todo.extend([taken, next]),
            End::Jump { rd: 0, target, .. } | End::Next { target } => todo.push(target),
            End::Jump { .. } => todo.push(block.past),
            End::Indirect { .. } | End::Interpret { .. } => {}
        }
    }
    true
}

/// By how much a block's vector instructions count more than one instruction each, in the limit of
/// a region's size: they become several of the host's.
fn more_code(block: &Block, vlenb: u64) -> usize {
    let (mut config, mut more) = (None, 0);
    for (_, i) in block.insts.iter().filter(|(_, i)| is_vector(i)) {
        config = vector::after(i, config, vlenb, true);
        more += (vector::weight(config, vlenb) - 1) / 2;
    }
    more
}

/// Where an instruction may trap.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Trap {
    /// Nowhere.
    Never,
    /// On a rare path.
    Rarely,
    /// On its only path, in the interpreter.
    Always,
}

/// Where an instruction may trap. Before it does, all registers are stored in the hart.
pub(crate) fn trap(i: &Inst, config: Option<Config>, unit: Unit) -> Trap {
    let row = i.op.row();
    match row.extension {
        Extension::A => Trap::Always,
        Extension::V => vector::trap(i, config, unit),
        _ if matches!(
            row.format,
            Format::Load | Format::Store | Format::FLoad | Format::FStore
        ) =>
        {
            Trap::Rarely
        }
        _ => Trap::Never,
    }
}

/// The CSR that a CSR instruction accesses.
pub(crate) const fn csr_number(i: &Inst) -> u16 {
    i.imm.cast_unsigned() as u16
}

/// Whether the instruction is translated although it accesses a CSR: it changes the rounding mode
/// (`frm`) to a valid one or back, or its CSR does not depend on how the code runs.
fn plain_csr(i: &Inst) -> bool {
    let number = csr_number(i);
    let reads = matches!(i.op, Op::Csrrs | Op::Csrrc | Op::Csrrsi | Op::Csrrci) && i.rs1 == 0;
    match number {
        csr::FRM => reads || i.op == Op::Csrrw || i.op == Op::Csrrwi && i.rs1 <= LAST_ROUNDING,
        csr::VXSAT => true,
        csr::VL | csr::VLENB | csr::VTYPE | csr::VXRM | csr::MHARTID => reads,
        _ => false,
    }
}

/// The rounding mode after `i`, if it was `before`; 0 is to nearest even. If the new mode is the
/// value of a register, translated code goes on only if that is 0.
pub(crate) fn rounding_after(i: &Inst, before: u8) -> u8 {
    match i.op {
        Op::Csrrwi if csr_number(i) == csr::FRM => i.rs1,
        Op::Csrrw if csr_number(i) == csr::FRM => 0,
        _ => before,
    }
}

/// Shortens a block that would end with another rounding mode than to nearest even: it ends before
/// the instruction that sets this mode, and the interpreter continues there.
fn end_before_rounding(block: &mut Block) {
    let (mut rounding, mut since) = (0, None);
    for (k, (_, i)) in block.insts.iter().enumerate() {
        let now = rounding_after(i, rounding);
        since = (now != 0).then(|| since.unwrap_or(k));
        rounding = now;
    }
    if let Some(k) = since {
        let at = block.insts[k].0;
        block.insts.truncate(k);
        (block.retires, block.end) = (k as u64, End::Interpret { at });
        (block.past, block.last) = (at, at);
    }
}

/// Ends blocks where others begin.
fn cut(blocks: &mut [Block], index: &BTreeMap<u64, usize>) {
    for block in blocks {
        let inside = |(pc, _): &(u64, Inst)| *pc != block.pc && index.contains_key(pc);
        if let Some(k) = block.insts.iter().position(inside) {
            let target = block.insts[k].0;
            block.insts.truncate(k);
            block.retires = k as u64;
            (block.end, block.past) = (End::Next { target }, target);
            end_before_rounding(block);
        } else if index.contains_key(&block.last) && block.last != block.pc {
            // The jump at the end is a block of its own.
            (block.retires, block.past) = (block.insts.len() as u64, block.last);
            block.end = End::Next { target: block.last };
        }
    }
}

/// The widths in bits of the floating-point registers that an instruction writes and reads; `None`
/// if they are not 16, 32 or 64, or not known.
fn formats(i: &Inst, shape: Option<Shape>) -> (Option<u32>, Option<u32>) {
    let row = i.op.row();
    let width = |part: &str| match part {
        "h" => Some(16),
        "s" | "w" => Some(32),
        "d" => Some(64),
        _ => None,
    };
    if row.extension == Extension::V {
        let width = shape.map(|s| 8 * s.sew() as u32);
        return (width, width);
    }
    match row.mnemonic {
        "flh" | "fsh" => return (Some(16), Some(16)),
        "flw" | "fsw" => return (Some(32), Some(32)),
        "fld" | "fsd" => return (Some(64), Some(64)),
        _ => {}
    }
    let mut parts = row.mnemonic.split('.').skip(1);
    let first = parts.next().unwrap_or("");
    match (row.mnemonic.starts_with("fcvt") || row.mnemonic.starts_with("fmv"), parts.next()) {
        (true, Some(second)) => (width(first), width(second)),
        _ => (width(first), width(first)),
    }
}

/// The block at `pc`.
fn block(hart: &Hart, start: u64) -> Block {
    let (mut pc, mut last, mut insts) = (start, start, Vec::new());
    let wrap = |a: u64| if hart.xlen() == Xlen::Rv32 { u64::from(a as u32) } else { a };
    let value =
        |a: u64| if hart.xlen() == Xlen::Rv32 { i64::from(a as i32).cast_unsigned() } else { a };
    let (end, counts) = loop {
        if insts.len() == LONGEST_BLOCK {
            break (End::Next { target: pc }, 0);
        }
        let Fetched::Inst(inst) = hart.fetch(pc) else { break (End::Interpret { at: pc }, 0) };
        let next = wrap(pc.wrapping_add(inst.len.into()));
        let target = wrap(pc.wrapping_add(i64::from(inst.imm).cast_unsigned()));
        let end = match inst.op {
            Op::Beq | Op::Bne | Op::Blt | Op::Bge | Op::Bltu | Op::Bgeu => {
                End::Branch { inst, taken: target, next }
            }
            Op::Jal => End::Jump { rd: inst.rd, value: value(next), target },
            Op::Jalr => End::Indirect { inst, value: value(next) },
            Op::Ecall | Op::Ebreak | Op::Wfi | Op::FenceI | Op::Mret => {
                break (End::Interpret { at: pc }, 0);
            }
            _ if inst.op.row().extension == Extension::Zicsr && !plain_csr(&inst) => {
                break (End::Interpret { at: pc }, 0);
            }
            _ => {
                insts.push((pc, inst));
                pc = next;
                continue;
            }
        };
        last = pc;
        pc = next;
        break (end, 1);
    };
    let retires = insts.len() as u64 + counts;
    let mut block = Block { pc: start, insts, configs: Vec::new(), end, retires, past: pc, last };
    end_before_rounding(&mut block);
    block
}
