//! How many vectors of work-items one iteration of the new loop computes.
//!
//! A loop in which each instruction waits for the one before leaves most of the processor idle.
//! Independent work-items fill the gaps, as long as their values fit the vector registers. Several
//! vectors are one vector with more lanes, which LLVM splits into registers.
//!
//! The model is that of current x86 cores: two vector instructions in each cycle, and a window of
//! [`WINDOW`] instructions in which the processor finds independent ones by itself. Not here:
//! whether vectors pay at all (`cost`).

use std::collections::{BTreeMap, BTreeSet};

use muxcl_llvm::{Function, Module, Opcode, TypeKind, Value};

use crate::Options;
use crate::graph::Graph;
use crate::jam::Rows;
use crate::shapes::{Lowering, Shape, Shapes, elements_of, lowering};
use crate::widen::regular::usual_stride;

/// The largest number of vectors.
const MOST: u32 = 4;
/// The largest number of instructions of all rows together.
const MOST_COPIES: usize = 400;
/// Registers that constants and temporary values need.
const RESERVED: u64 = 4;
/// Instructions that the processor looks ahead, if half of them are not vector instructions.
const WINDOW: u64 = 120;
/// Issue slots of an access that may read a line of the second cache or of memory.
const LINE: u64 = 8;
/// Vector instructions in each cycle.
const WIDTH: u64 = 2;

/// The number of vectors of `lanes` lanes, a power of two.
pub(crate) fn vectors<'m>(
    module: &Module<'_>,
    graph: &Graph<'m>,
    shapes: &Shapes<'m>,
    lanes: u32,
    options: Options,
) -> u32 {
    let register = u64::from(options.lanes) * 4;
    let model = Model { module, graph, shapes, lanes, register, rows: None };
    let (Some(start), Some(bound)) = (graph.counter.start.as_u64(), graph.counter.bound.as_u64())
    else {
        return 1;
    };
    let count = bound.saturating_sub(start);
    let Some(speed) = model.speed().filter(|s| *s > 1) else { return 1 };
    let room = u64::from(options.registers).saturating_sub(RESERVED);
    let live = model.live(|_| 1);
    let mut vectors = 1;
    while vectors < MOST
        && u64::from(vectors) * 2 <= speed
        && count.is_multiple_of(u64::from(lanes * vectors * 2))
        && live * u64::from(vectors) * 2 <= room
    {
        vectors *= 2;
    }
    vectors
}

/// The number of rows of work-items that run side by side, a power of two.
pub(crate) fn rows<'m>(
    module: &Module<'_>,
    graph: &Graph<'m>,
    shapes: &Shapes<'m>,
    rows: &Rows<'m>,
    (lanes, options): (u32, Options),
) -> u32 {
    if !options.only_if_faster {
        return if rows.count.is_multiple_of(2) { 2 } else { 1 };
    }
    let register = u64::from(options.lanes) * 4;
    let model = Model { module, graph, shapes, lanes, register, rows: Some(rows) };
    let Some(speed) = model.speed().filter(|s| *s > 1) else { return 1 };
    let room = u64::from(options.registers).saturating_sub(RESERVED);
    let mut number = 1;
    while u64::from(number) * 2 <= speed
        && rows.count.is_multiple_of(u64::from(number * 2))
        && rows.size() * number as usize * 2 <= MOST_COPIES
        && model.live(|v| if rows.differs(v) { u64::from(number) * 2 } else { 1 }) <= room
    {
        number *= 2;
    }
    number
}

struct Model<'a, 'm, 'c> {
    module: &'a Module<'c>,
    graph: &'a Graph<'m>,
    shapes: &'a Shapes<'m>,
    lanes: u32,
    /// Bytes of a vector register.
    register: u64,
    /// The rows that may run side by side: one access serves all rows with the same address.
    rows: Option<&'a Rows<'m>>,
}

impl<'m> Model<'_, 'm, '_> {
    /// By how much independent work may speed up the loop: the time that the hottest blocks take
    /// because of dependencies, divided by that of their instructions alone, rounded to the next
    /// integer. `None` if lanes do not run side by side.
    fn speed(&self) -> Option<u64> {
        let innermost: Vec<&BTreeSet<usize>> = (0..self.graph.loops.len())
            .filter(|l| self.graph.loops.iter().all(|other| other.parent != Some(*l)))
            .map(|l| &self.graph.loops[l].blocks)
            .collect();
        for (n, b) in self.graph.blocks.iter().enumerate() {
            for i in b.instructions() {
                if !self.is_cold(n) && self.runs_apart(i) {
                    return None;
                }
            }
        }
        if innermost.is_empty() {
            let all: BTreeSet<usize> = (0..self.graph.blocks.len()).collect();
            let work = self.work(&all);
            let waits = self.longest(&all, |_| true, |_| true);
            return (work >= WINDOW).then(|| ratio(waits, work));
        }
        innermost.into_iter().map(|blocks| self.speed_of(blocks)).min()
    }

    /// As [`Self::speed`] for an inner loop: an iteration waits for values of the one before.
    fn speed_of(&self, blocks: &BTreeSet<usize>) -> u64 {
        let Some(header) = blocks.first().map(|h| self.graph.blocks[*h]) else { return 1 };
        let phis: BTreeSet<Value<'m>> =
            header.phis().into_iter().filter(|phi| self.is_varying(*phi)).collect();
        let next: BTreeSet<Value<'m>> = phis
            .iter()
            .flat_map(|phi| phi.incoming())
            .filter(|(_, from)| self.graph.index_of(*from).is_some_and(|b| blocks.contains(&b)))
            .map(|(v, _)| v)
            .collect();
        let waits = self.longest(blocks, |v| phis.contains(&v), |v| next.contains(&v));
        ratio(waits, self.work(blocks))
    }

    /// True if a block is not in an inner loop although the graph has some.
    fn is_cold(&self, block: usize) -> bool {
        !self.graph.loops.is_empty() && self.graph.innermost[block].is_none()
    }

    fn is_varying(&self, v: Value<'m>) -> bool {
        self.shapes.of_value(self.graph, v) == Shape::Varying
    }

    /// True for an instruction that runs for one lane after another, for a load or store of lanes
    /// with unrelated addresses, and for a call of a function, which has independent instructions
    /// itself.
    fn runs_apart(&self, i: Value<'m>) -> bool {
        let (pointer, ty) = match lowering(i) {
            Lowering::EachLane | Lowering::Variant => return true,
            Lowering::Load => (i.operand(0), i.ty()),
            Lowering::Store => (i.operand(1), i.operand(0).ty()),
            _ => return false,
        };
        if self.shapes.of_value(self.graph, pointer) == Shape::Uniform {
            return false;
        }
        let size = i64::try_from(self.module.size_of(ty)).ok();
        size.is_none() || usual_stride(self.module, self.graph, self.shapes, pointer) != size
    }

    /// The registers that a value needs.
    fn registers(&self, v: Value<'m>) -> u64 {
        let Some((element, count)) = elements_of(v.ty()) else { return 0 };
        // Masks have registers of their own, or belong to comparisons.
        if element.is_int() && element.int_width() == 1 {
            return 0;
        }
        let bytes = self.module.size_of(element) * u64::from(self.lanes);
        bytes.div_ceil(self.register) * u64::from(count)
    }

    /// The cycles that the vector instructions of the blocks take without dependencies, times
    /// [`WIDTH`].
    fn work(&self, blocks: &BTreeSet<usize>) -> u64 {
        let instructions = blocks.iter().flat_map(|b| self.graph.blocks[*b].instructions());
        let slots = |i: Value<'m>| {
            let pointer = match lowering(i) {
                Lowering::Load => i.operand(0),
                Lowering::Store => i.operand(1),
                _ if i.is_terminator() || i.opcode() == Opcode::Phi || !self.is_varying(i) => {
                    return 0;
                }
                _ => return self.registers(i).max(1) * effort(i),
            };
            let shape = self.shapes.of_value(self.graph, pointer);
            let shared = self.rows.is_some_and(|rows| !rows.differs(pointer));
            if shape == Shape::Uniform || shared { 0 } else { LINE }
        };
        instructions.map(slots).sum()
    }

    /// The cycles of the longest chain of varying values in the blocks that begins with a value of
    /// `from` and ends with one of `to`.
    fn longest(
        &self,
        blocks: &BTreeSet<usize>,
        from: impl Fn(Value<'m>) -> bool,
        to: impl Fn(Value<'m>) -> bool,
    ) -> u64 {
        let mut at: BTreeMap<Value<'m>, u64> = BTreeMap::new();
        let mut longest = 0;
        // The order of blocks puts operands before users, except for PHIs of headers.
        for i in blocks.iter().flat_map(|b| self.graph.blocks[*b].instructions()) {
            if i.is_terminator() || !self.is_varying(i) {
                continue;
            }
            let operands = if i.is_call() { i.args() } else { i.operands() };
            let before = operands.iter().filter_map(|o| at.get(o)).max().copied();
            let first = from(i).then_some(0);
            if let Some(before) = before.max(first) {
                let time = before + latency(i);
                at.insert(i, time);
                if to(i) {
                    longest = longest.max(time);
                }
            }
        }
        longest
    }

    /// The largest number of registers that hold varying values at one place. `copies`: the number
    /// of copies of each value.
    fn live(&self, copies: impl Fn(Value<'m>) -> u64) -> u64 {
        let blocks = &self.graph.blocks;
        let mut live_in: Vec<BTreeSet<Value<'m>>> = vec![BTreeSet::new(); blocks.len()];
        let mut most = 0;
        let mut changed = true;
        while changed {
            changed = false;
            for n in (0..blocks.len()).rev() {
                let mut live = BTreeSet::new();
                for s in &self.graph.successors[n] {
                    let phis = blocks[*s].phis();
                    live.extend(live_in[*s].iter().copied().filter(|v| !phis.contains(v)));
                    let values = phis.iter().flat_map(|phi| phi.incoming());
                    live.extend(values.filter(|p| p.1 == blocks[n]).map(|p| p.0));
                }
                live.retain(|v| self.is_varying(*v));
                let size = |live: &BTreeSet<Value<'m>>| -> u64 {
                    live.iter().map(|v| self.registers(*v) * copies(*v)).sum()
                };
                most = most.max(size(&live));
                for i in blocks[n].instructions().into_iter().rev() {
                    if i.opcode() == Opcode::Phi {
                        live.insert(i);
                        continue;
                    }
                    live.remove(&i);
                    let operands = if i.is_call() { i.args() } else { i.operands() };
                    live.extend(operands.into_iter().filter(|o| self.is_varying(*o)));
                    most = most.max(size(&live));
                }
                most = most.max(size(&live));
                if live_in[n] != live {
                    live_in[n] = live;
                    changed = true;
                }
            }
        }
        most
    }
}

/// The factor by which waiting for `waits` cycles exceeds the `work` of instructions.
fn ratio(waits: u64, work: u64) -> u64 {
    (waits * WIDTH).div_ceil(work.max(1))
}

/// Cycles from the operands of an instruction to its result.
fn latency(i: Value<'_>) -> u64 {
    use Opcode as O;
    match i.opcode() {
        O::Phi | O::BitCast | O::Freeze | O::AddrSpaceCast => 0,
        O::Mul => 10,
        O::FAdd | O::FSub | O::FMul | O::FPToUI | O::FPToSI | O::UIToFP | O::SIToFP => 4,
        O::FPTrunc | O::FPExt | O::FCmp | O::ICmp | O::Trunc | O::ZExt | O::SExt => 3,
        O::FDiv | O::FRem | O::UDiv | O::SDiv | O::URem | O::SRem => 16,
        O::Load => 7,
        O::Call => match i.callee().map(Function::name) {
            Some(name) if name.starts_with("llvm.sqrt.") => 18,
            Some(name) if ["llvm.fma.", "llvm.fmuladd."].iter().any(|f| name.starts_with(f)) => 4,
            _ if is_float(i) => 4,
            _ => 1,
        },
        _ => 1,
    }
}

/// Issue slots of an instruction.
fn effort(i: Value<'_>) -> u64 {
    use Opcode as O;
    match i.opcode() {
        O::BitCast | O::Freeze | O::AddrSpaceCast => 0,
        O::Mul => 2,
        O::FDiv | O::FRem | O::UDiv | O::SDiv | O::URem | O::SRem => 20,
        O::Call => match i.callee().map(Function::name) {
            Some(name) if name.starts_with("llvm.sqrt.") => 20,
            _ => 1,
        },
        _ => 1,
    }
}

fn is_float(i: Value<'_>) -> bool {
    let element = elements_of(i.ty()).map(|l| l.0.kind());
    matches!(element, Some(TypeKind::Half | TypeKind::Float | TypeKind::Double))
}
