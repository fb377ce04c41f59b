//! Chooses how many vectors of work-items one iteration of the vectorized loop computes.
//!
//! If each instruction of a loop depends on the previous one, such as the rounds of a hash, most
//! execution units of the processor are idle. The instructions of further vectors are independent
//! and can use these units, as long as all values fit the vector registers. Several vectors are
//! represented as one vector with more lanes, which LLVM splits into registers. Further vectors
//! also help a loop that loads from another page in each iteration: it then reads more of each.
//!
//! The model ([`Core`]) describes a processor by the number of vector instructions that it issues
//! per cycle, by the size of its out-of-order window, and by the latencies of LLVM's scheduling
//! model. Not here: whether vectorization is
//! profitable at all (`cost`, which asks [`Model`] for the latency of dependent instructions).

use std::collections::{BTreeMap, BTreeSet};

use muxcl_llvm::{Function, Module, Opcode, Type, TypeKind, Value};

use crate::cost;
use crate::graph::Graph;
use crate::jam::Rows;
use crate::shapes::{Lowering, Shape, Shapes, access_of, elements_of, lowering, renames};
use crate::steps::Steps;
use crate::whole::Whole;
use crate::widen::regular::usual_stride;
use crate::{Core, Options};

/// The largest number of registers that one iteration uses for each value. Sixteen chains keep two
/// units busy if the latency of an instruction is five cycles or more, as for multiply-adds of
/// `half` values and products of 32-bit integers on Intel's processors.
const MOST: u32 = 16;
/// The largest number of instructions that all rows of an iteration have together. It limits the
/// size of the code and the time to compile it.
const MOST_COPIES: usize = 400;
/// Depth of the search in users.
const DEPTH: u32 = 8;
/// Vector registers kept free for constants and temporary values.
const RESERVED: u64 = 4;
/// Issue slots counted for a memory access, because it may miss the first-level cache.
const LINE: u64 = 8;
/// Issue slots of a call of a function with vector variants, such as `exp`.
const FUNCTION: u64 = 40;
/// Cycles from the arguments of such a function to its result.
const FUNCTION_LATENCY: u64 = 50;
/// Bytes of a page. If consecutive iterations load from different pages, the processor looks up an
/// address translation for each load and cannot prefetch the next one.
pub(crate) const PAGE: u64 = 4096;
/// The bytes that an iteration should load from other pages than the last one. On Zen 4, a sum of
/// such loads reads 9 GB/s with 64 bytes in each iteration, 13 with 128, 16 with 256, 9 with 512.
const BYTES_OF_PAGES: u64 = 256;

/// The number of vectors of `lanes` lanes that one iteration computes, a power of two.
pub(crate) fn vectors<'m>(
    module: &Module<'_>,
    graph: &Graph<'m>,
    shapes: &Shapes<'m>,
    (lanes, options): (u32, Options),
) -> u32 {
    let (Some(core), Some(count)) = (options.core, cost::iterations(graph)) else { return 1 };
    let fits = |vectors: u32| count.is_multiple_of(u64::from(lanes * vectors));
    let whole = Whole::with(module, graph, shapes, options);
    let mut model = Model::new(module, graph, (shapes, &whole), (lanes, options), core);
    if model.times().is_none() {
        return 1;
    }
    // `lanes` values of 32 bits fill a register. Narrower values leave a part of it unused.
    let mut filled = model.to_fill();
    while filled > 1 && !fits(filled) {
        filled /= 2;
    }
    model.lanes *= filled;
    let Some((waits, work)) = model.times() else { return filled };
    let room = u64::from(core.registers).saturating_sub(RESERVED);
    // Half of the invariant operands of a loop may stay in memory, where an instruction reads one
    // at little cost.
    let halves = |v: Value<'m>, block: usize| if model.is_invariant(v, block) { 1 } else { 2 };
    let live = model.live(halves);
    let mut vectors = 1;
    // The processor starts the instructions of a chain later than the model assumes, so up to twice
    // the number of vectors that would fill the gaps is still faster. But the more lanes a
    // divergent loop has, the longer they wait for the last one. And the body of a function needs
    // registers, which the model does not count.
    let mut all = graph.blocks.iter().flat_map(|b| b.instructions());
    let calls = all.any(|i| lowering(i) == Lowering::Variant);
    let mut loops = graph.loops.iter().zip(&shapes.divergent);
    let waits_for_last = loops.any(|(l, divergent)| *divergent && !l.rare);
    let spare = if calls || waits_for_last { 1 } else { 2 };
    let pages = model.bytes_of_pages();
    let covers = |n: u64| pages.is_some_and(|bytes| n * bytes <= BYTES_OF_PAGES);
    while vectors < MOST
        && (u64::from(vectors) * work < waits * spare || covers(u64::from(vectors) * 2))
        && fits(filled * vectors * 2)
        && live * u64::from(vectors) * 2 <= room * 2
    {
        vectors *= 2;
    }
    filled * vectors
}

/// The number of rows of work-items that run side by side in one iteration, a power of two.
/// `columns`: the accesses along columns, which then access that many elements at a time.
pub(crate) fn rows<'m>(
    module: &Module<'_>,
    graph: &Graph<'m>,
    shapes: &Shapes<'m>,
    (rows, columns): (&Rows<'m>, &BTreeSet<Value<'m>>),
    (lanes, options): (u32, Options),
) -> u32 {
    if !options.only_if_faster {
        return if rows.count.is_multiple_of(2) { 2 } else { 1 };
    }
    let Some(core) = options.core else { return 1 };
    let whole = Whole::default();
    let model = Model::new(module, graph, (shapes, &whole), (lanes, options), core);
    let model = Model { rows: Some(rows), ..model };
    let most = match columns.is_empty() {
        true => model.speed().unwrap_or(1),
        false => columns_of_line(module, columns).min(lanes.into()),
    };
    if most <= 1 {
        return 1;
    }
    let room = u64::from(core.registers).saturating_sub(RESERVED);
    // An access along a column needs only the address of the first row.
    let shared = |v| !rows.differs(v) || (!columns.is_empty() && is_part_of_address(v, DEPTH));
    let mut number = 1;
    while u64::from(number) * 2 <= most
        && rows.count.is_multiple_of(u64::from(number * 2))
        && rows.size() * number as usize * 2 <= MOST_COPIES
        && model.live(|v, _| if shared(v) { 1 } else { u64::from(number) * 2 }) <= room
    {
        number *= 2;
    }
    number
}

/// True if `v` serves only to compute addresses.
fn is_part_of_address(v: Value<'_>, depth: u32) -> bool {
    use Opcode as O;
    let Some(depth) = depth.checked_sub(1) else { return false };
    v.users().into_iter().all(|user| match user.opcode() {
        O::Load => true,
        O::Store => user.operand(1) == v,
        O::GetElementPtr | O::SExt | O::ZExt | O::Trunc | O::Add | O::Or | O::Mul | O::Shl => {
            is_part_of_address(user, depth)
        }
        _ => false,
    })
}

/// The number of elements of a cache line, for the smallest element of accesses along columns.
fn columns_of_line<'m>(module: &Module<'_>, columns: &BTreeSet<Value<'m>>) -> u64 {
    let sizes = columns.iter().filter_map(|i| access_of(*i)).map(|(_, ty)| module.size_of(ty));
    cost::LINE / sizes.min().unwrap_or(cost::LINE).max(1)
}

/// The times that a processor needs for the instructions of a loop, with `lanes` lanes.
pub(crate) struct Model<'a, 'm, 'c> {
    module: &'a Module<'c>,
    graph: &'a Graph<'m>,
    shapes: &'a Shapes<'m>,
    whole: &'a Whole<'m>,
    lanes: u32,
    /// The size of a vector register in bytes.
    register: u64,
    core: Core,
    /// The rows that may run side by side. An access whose address is the same in all rows is made
    /// once for all of them.
    rows: Option<&'a Rows<'m>>,
}

impl<'a, 'm, 'c> Model<'a, 'm, 'c> {
    pub(crate) fn new(
        module: &'a Module<'c>,
        graph: &'a Graph<'m>,
        (shapes, whole): (&'a Shapes<'m>, &'a Whole<'m>),
        (lanes, options): (u32, Options),
        core: Core,
    ) -> Self {
        let register = u64::from(options.lanes) * 4;
        Self { module, graph, shapes, whole, lanes, register, core, rows: None }
    }

    /// The factor by which the number of lanes has to grow so that a value fills a register, a
    /// power of two. It is 1 if most values of the hottest blocks have 32 or 64 bits.
    fn to_fill(&self) -> u32 {
        let hot = (0..self.graph.blocks.len()).filter(|n| !self.is_cold(*n));
        let instructions = hot.flat_map(|n| self.graph.blocks[n].instructions());
        let elements = instructions.filter(|i| self.is_varying(*i)).filter_map(|i| {
            let (element, count) = elements_of(i.ty())?;
            let (bytes, count) = (self.element_bytes(element)?, u64::from(count));
            Some(if self.whole.contains(i) { (bytes * count, 1) } else { (bytes, count) })
        });
        let mut by_size: BTreeMap<u64, u64> = BTreeMap::new();
        for (bytes, count) in elements {
            *by_size.entry(bytes).or_default() += count;
        }
        let all: u64 = by_size.values().sum();
        let up_to = |bytes: u64| by_size.range(..=bytes).map(|e| e.1).sum::<u64>();
        let usual = by_size.keys().copied().find(|bytes| up_to(*bytes) * 2 > all).unwrap_or(8);
        let lanes = (self.register / usual).max(1) / u64::from(self.lanes).max(1);
        u32::try_from(lanes).unwrap_or(1).max(1)
    }

    /// The size in bytes that an element has in a vector register. `None` for masks, which AVX-512
    /// keeps in other registers, and for pointers, because accesses use offsets of several sizes.
    fn element_bytes(&self, element: Type<'_>) -> Option<u64> {
        match element.kind() {
            TypeKind::Int if element.int_width() == 1 => None,
            TypeKind::Pointer => None,
            // Processors without half-precision arithmetic convert the operands to `float`.
            TypeKind::Half if !self.core.half => Some(4),
            _ => Some(self.module.size_of(element)),
        }
    }

    /// The factor by which independent vectors may speed up the loop, rounded up. `None` as for
    /// [`Self::times`].
    fn speed(&self) -> Option<u64> {
        self.times().map(|(waits, work)| waits.div_ceil(work))
    }

    /// Two times of the hottest blocks, in issue slots: the latency of the longest chain of
    /// dependent instructions, and the time to issue all instructions. For example, a chain of 40
    /// cycles has 80 slots on a processor that issues two instructions per cycle. If the blocks
    /// have 20 instructions, four independent vectors would fill the slots.
    ///
    /// The hottest blocks are the innermost loops, or all blocks if no inner loop exists. With
    /// several innermost loops, the one with the smallest ratio counts. `None` if a hot block has
    /// an instruction for which [`Self::runs_apart`] holds.
    fn times(&self) -> Option<(u64, u64)> {
        let innermost = self.innermost();
        for (n, b) in self.graph.blocks.iter().enumerate() {
            for i in b.instructions() {
                if !self.is_cold(n) && self.runs_apart(i) {
                    return None;
                }
            }
        }
        let slots = |cycles: u64| cycles * u64::from(self.core.per_cycle);
        if innermost.is_empty() {
            let all: BTreeSet<usize> = (0..self.graph.blocks.len()).collect();
            let work = self.work(&all);
            let waits = self.longest(&all, |i| self.latency(i), |_| true, |_| true);
            return (work >= u64::from(self.core.window)).then(|| (slots(waits), work.max(1)));
        }
        let of_loop = |blocks| (slots(self.waits_of(blocks)), self.work(blocks).max(1));
        let ratio = |(waits, work): (u64, u64)| waits * 1000 / work;
        innermost.into_iter().map(of_loop).min_by_key(|times| ratio(*times))
    }

    /// The blocks of each innermost loop, except rare ones.
    fn innermost(&self) -> Vec<&'a BTreeSet<usize>> {
        let loops = &self.graph.loops;
        let is_innermost =
            |l: &usize| !loops[*l].rare && loops.iter().all(|other| other.parent != Some(*l));
        (0..loops.len()).filter(is_innermost).map(|l| &loops[l].blocks).collect()
    }

    /// The bytes that one iteration loads from pages other than those of the last iteration. `None`
    /// unless such loads take most of the time of every innermost loop.
    fn bytes_of_pages(&self) -> Option<u64> {
        let mut most = None;
        for blocks in self.innermost() {
            let list = blocks.iter().map(|b| self.graph.blocks[*b]).collect();
            let steps = Steps { module: self.module, blocks: list, rows: None, wraps: false };
            let is_other_page = |i: &Value<'m>| {
                let pointer = i.operand(0);
                self.shapes.of_value(self.graph, pointer) != Shape::Uniform
                    && !cost::stays_in_cache(self.shapes, pointer)
                    && steps.of(pointer).is_none_or(|bytes| bytes.unsigned_abs() >= PAGE)
            };
            let all = blocks.iter().flat_map(|b| self.graph.blocks[*b].instructions());
            let loads = all.filter(|i| lowering(*i) == Lowering::Load).filter(is_other_page);
            let bytes = loads.map(|i| self.module.size_of(i.ty()) * u64::from(self.lanes));
            let (count, sum) = bytes.fold((0, 0), |(count, sum), bytes| (count + 1, sum + bytes));
            if count * LINE * 2 <= self.work(blocks) {
                return None;
            }
            most = most.max(Some(sum));
        }
        most
    }

    /// The cycles of the longest chain in one inner loop. It starts at a value that the header
    /// receives from the previous iteration, and ends at the value for the next iteration.
    fn waits_of(&self, blocks: &BTreeSet<usize>) -> u64 {
        let carried = self.carried(blocks);
        let is_phi = |v| carried.iter().any(|(phi, _)| *phi == v);
        let is_next = |v| carried.iter().any(|(_, next)| *next == v);
        self.longest(blocks, |i| self.latency(i), is_phi, is_next)
    }

    /// The varying PHIs of an inner loop's header, each with its value for the next iteration.
    fn carried(&self, blocks: &BTreeSet<usize>) -> Vec<(Value<'m>, Value<'m>)> {
        let Some(header) = blocks.first().map(|h| self.graph.blocks[*h]) else { return Vec::new() };
        let is_inside = |from| self.graph.index_of(from).is_some_and(|b| blocks.contains(&b));
        let phis = header.phis().into_iter().filter(|phi| self.is_varying(*phi));
        let pairs = phis.flat_map(|phi| phi.incoming().into_iter().map(move |p| (phi, p)));
        pairs.filter(|(_, (_, from))| is_inside(*from)).map(|(phi, (v, _))| (phi, v)).collect()
    }

    /// The issue slots that pass in one iteration of an inner loop while a value waits for its own
    /// value of the previous iteration: in scalar code and in lanes. The scalar code waits less if
    /// all `iterations` of several work-items fit the out-of-order window.
    pub(crate) fn slots_of_waits(&self, blocks: &BTreeSet<usize>, iterations: u64) -> (u64, u64) {
        let carried = self.carried(blocks);
        let waits = |latency: &dyn Fn(Value<'m>) -> u64| {
            let of_pair = |(phi, next): &(Value<'m>, Value<'m>)| {
                self.longest(blocks, latency, |v| v == *phi, |v| v == *next)
            };
            carried.iter().map(of_pair).max().unwrap_or(0) * u64::from(self.core.per_cycle)
        };
        // The window holds as many scalar instructions as vector instructions.
        let all: usize = blocks.iter().map(|b| self.graph.blocks[*b].instructions().len()).sum();
        let seen = 2 * u64::from(self.core.window) / (all as u64 * iterations).max(1);
        (waits(&|i| self.scalar_latency(i)) / seen.max(1), waits(&|i| self.latency(i)))
    }

    /// True if a block runs rarely compared with others: it is outside all inner loops although the
    /// graph has inner loops, or in a rare loop.
    fn is_cold(&self, block: usize) -> bool {
        match self.graph.innermost[block] {
            Some(l) => self.graph.loops[l].rare,
            None => !self.graph.loops.is_empty(),
        }
    }

    /// True if `v` is defined outside the innermost loop that contains the block.
    fn is_invariant(&self, v: Value<'m>, block: usize) -> bool {
        let Some(l) = self.graph.innermost[block] else { return false };
        let inside = |b: &usize| self.graph.loops[l].blocks.contains(b);
        !v.is_placed() || !self.graph.index_of(v.block()).is_some_and(|b| inside(&b))
    }

    fn is_varying(&self, v: Value<'m>) -> bool {
        self.shapes.of_value(self.graph, v) == Shape::Varying
    }

    /// True for an instruction that does not become faster beside other vectors: one that runs for
    /// one lane after another, or a gather or scatter.
    fn runs_apart(&self, i: Value<'m>) -> bool {
        if lowering(i) == Lowering::EachLane {
            return true;
        }
        let Some((pointer, ty)) = access_of(i) else { return false };
        if self.shapes.of_value(self.graph, pointer) == Shape::Uniform {
            return false;
        }
        let size = i64::try_from(self.module.size_of(ty)).ok();
        size.is_none() || usual_stride(self.module, self.graph, self.shapes, pointer) != size
    }

    /// The number of vector registers that a value of all lanes occupies.
    fn registers(&self, v: Value<'m>) -> u64 {
        let Some((element, count)) = elements_of(v.ty()) else { return 0 };
        // Masks (`i1`) use mask registers or are part of comparisons, so they need no vector
        // register.
        if element.is_int() && element.int_width() == 1 {
            return 0;
        }
        let bytes = self.module.size_of(element) * u64::from(self.lanes);
        match self.whole.contains(v) {
            true => (bytes * u64::from(count)).div_ceil(self.register),
            false => bytes.div_ceil(self.register) * u64::from(count),
        }
    }

    /// The issue slots of the vector instructions of the blocks.
    fn work(&self, blocks: &BTreeSet<usize>) -> u64 {
        let instructions = blocks.iter().flat_map(|b| self.graph.blocks[*b].instructions());
        let slots = |i: Value<'m>| {
            let pointer = match lowering(i) {
                Lowering::Load => i.operand(0),
                Lowering::Store => i.operand(1),
                _ if i.is_terminator() || i.opcode() == Opcode::Phi || !self.is_varying(i) => {
                    return 0;
                }
                _ if renames(i) => return 0,
                _ => return self.registers(i).max(1) * self.effort(i),
            };
            let shape = self.shapes.of_value(self.graph, pointer);
            let shared = self.rows.is_some_and(|rows| !rows.differs(pointer));
            if shape == Shape::Uniform || shared { 0 } else { LINE }
        };
        instructions.map(slots).sum()
    }

    /// The latency, in cycles, of the longest chain of dependent varying values in the blocks. The
    /// chain begins at a value for which `from` holds, and ends at one for which `to` holds.
    fn longest(
        &self,
        blocks: &BTreeSet<usize>,
        latency: impl Fn(Value<'m>) -> u64,
        from: impl Fn(Value<'m>) -> bool,
        to: impl Fn(Value<'m>) -> bool,
    ) -> u64 {
        let mut at: BTreeMap<Value<'m>, u64> = BTreeMap::new();
        let mut longest = 0;
        // In the order of the blocks, operands come before their users, except at the PHIs of loop
        // headers.
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

    /// The largest number of registers that hold varying values at one place of the hottest blocks.
    /// `copies`: the number of copies of each value in each block.
    fn live(&self, copies: impl Fn(Value<'m>, usize) -> u64) -> u64 {
        let blocks = &self.graph.blocks;
        // Blocks outside the inner loops run rarely, so that spilling their values costs little.
        let size = |live: &BTreeSet<Value<'m>>, block: usize| -> u64 {
            let count = |v: &Value<'m>| self.registers(*v) * copies(*v, block);
            if self.is_cold(block) { 0 } else { live.iter().map(count).sum() }
        };
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
                most = most.max(size(&live, n));
                for i in blocks[n].instructions().into_iter().rev() {
                    if i.opcode() == Opcode::Phi {
                        live.extend(Some(i).filter(|phi| self.is_varying(*phi)));
                        continue;
                    }
                    live.remove(&i);
                    let operands = if i.is_call() { i.args() } else { i.operands() };
                    live.extend(operands.into_iter().filter(|o| self.is_varying(*o)));
                    most = most.max(size(&live, n));
                }
                most = most.max(size(&live, n));
                if live_in[n] != live {
                    live_in[n] = live;
                    changed = true;
                }
            }
        }
        most
    }

    /// As [`Self::latency`] for an instruction of one work-item.
    fn scalar_latency(&self, i: Value<'m>) -> u64 {
        match i.opcode() {
            Opcode::Mul if !i.ty().is_vector() => 3,
            Opcode::Load => 5,
            _ => self.latency(i),
        }
    }

    /// Cycles from the operands of an instruction to its result in lanes.
    fn latency(&self, i: Value<'m>) -> u64 {
        use Opcode as O;
        let multiply_add = || match self.core.half && is_half(i) {
            true => self.core.half_multiply_add.latency.into(),
            false => self.core.multiply_add.latency.into(),
        };
        match i.opcode() {
            _ if renames(i) => 0,
            O::Phi | O::BitCast | O::Freeze | O::AddrSpaceCast => 0,
            O::Mul => self.core.product.latency.into(),
            O::FAdd | O::FSub | O::FMul => multiply_add(),
            O::FPToUI | O::FPToSI | O::UIToFP | O::SIToFP => 4,
            O::FPTrunc | O::FPExt | O::FCmp | O::ICmp | O::Trunc | O::ZExt | O::SExt => 3,
            O::FDiv | O::FRem | O::UDiv | O::SDiv | O::URem | O::SRem => 16,
            O::Load => 7,
            O::Call if lowering(i) == Lowering::Variant => FUNCTION_LATENCY,
            O::Call => match i.callee().map(Function::name) {
                Some(name) if name.starts_with("llvm.sqrt.") => 18,
                _ if is_float(i) => multiply_add(),
                _ => 1,
            },
            _ => 1,
        }
    }

    /// The number of issue slots that an instruction takes.
    fn effort(&self, i: Value<'m>) -> u64 {
        use Opcode as O;
        match i.opcode() {
            O::BitCast | O::Freeze | O::AddrSpaceCast => 0,
            O::Mul => self.core.product.operations.into(),
            O::FDiv | O::FRem | O::UDiv | O::SDiv | O::URem | O::SRem => 20,
            O::Call if lowering(i) == Lowering::Variant => FUNCTION,
            O::Call => match i.callee().map(Function::name) {
                Some(name) if name.starts_with("llvm.sqrt.") => 20,
                _ => 1,
            },
            _ => 1,
        }
    }
}

fn is_half(i: Value<'_>) -> bool {
    elements_of(i.ty()).is_some_and(|l| l.0.kind() == TypeKind::Half)
}

fn is_float(i: Value<'_>) -> bool {
    let element = elements_of(i.ty()).map(|l| l.0.kind());
    matches!(element, Some(TypeKind::Half | TypeKind::Float | TypeKind::Double))
}
