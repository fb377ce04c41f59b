//! How each value of the loop differs between lanes, and which blocks only some lanes reach.
//!
//! Shapes are ordered: uniform, strided, varying. The analysis assigns shapes from the first block
//! on and only ever raises them, until nothing changes. A varying branch makes the blocks up to its
//! post-dominator masked, and the PHIs at which its paths meet varying. A loop that lanes leave at
//! different iterations is divergent, and its values vary outside it.
//!
//! The work list is ordered by the position of instructions, so that the result depends on the
//! input alone.

use std::collections::{BTreeMap, BTreeSet};

use muxcl_llvm::{Function, IntPredicate, Module, Opcode, Type, TypeKind, Value};

use crate::alignment::{self, Alignment};
use crate::cross_lane::{self, Operation};
use crate::graph::Graph;
use crate::{Refusal, Width, notes, private_arrays, progress};

/// How a value differs between lanes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Shape {
    /// The same in all lanes.
    Uniform,
    /// An integer or address that grows by this much from lane to lane.
    Strided(i64),
    /// Any value in each lane.
    Varying,
}

/// The largest size of the private variables of all lanes together, in bytes. Threads of
/// applications run work-items too, and their stacks may be small.
const MAX_PRIVATE: u64 = 256 << 10;

/// The result of the analysis.
#[derive(Debug)]
pub(crate) struct Shapes<'m> {
    shapes: BTreeMap<Value<'m>, Shape>,
    /// By block: only some lanes may reach it.
    pub(crate) masked: Vec<bool>,
    /// By loop: lanes leave it at different iterations.
    pub(crate) divergent: Vec<bool>,
    /// Private variables, and addresses in them that are computed before the loop: the distance
    /// from lane to lane in bytes, which is the size of one lane's copy or of an element.
    pub(crate) privates: BTreeMap<Value<'m>, u64>,
    /// By private variable: the bytes that it has in each lane.
    pub(crate) copies: BTreeMap<Value<'m>, u64>,
    /// The private variables that are interleaved by lane: the size of an element.
    interleaved: BTreeMap<Value<'m>, u64>,
    /// The private variables, in the order of their first use.
    pub(crate) variables: Vec<Value<'m>>,
    alignment: Alignment<'m>,
    /// The power of two of which the loop over vectors adds a multiple to the counter.
    multiple: u32,
    /// The number of lanes; with scalable vectors, that with the largest `vscale`.
    lanes: u32,
}

/// The scalar type and the number of scalars of which a value consists. The result of a `cmpxchg`
/// consists of the old value and a second integer, 1 if the exchange took place. `None` for other
/// aggregates.
pub(crate) fn elements_of(ty: Type<'_>) -> Option<(Type<'_>, u32)> {
    if let [old, done] = ty.members()[..] {
        let fits = old.is_int() && old.int_width() <= 64 && done == done.cx().i1();
        return fits.then_some((old, 2));
    }
    let (element, count) = if ty.is_vector() { (ty.element(), ty.vector_len()) } else { (ty, 1) };
    let fits = match element.kind() {
        TypeKind::Int => element.int_width() <= 64,
        TypeKind::Half | TypeKind::Float | TypeKind::Double | TypeKind::Pointer => true,
        _ => false,
    };
    fits.then_some((element, count))
}

/// The address from which an address is computed.
pub(crate) fn base_of(mut v: Value<'_>) -> Value<'_> {
    while v.is_instruction() && matches!(v.opcode(), Opcode::GetElementPtr | Opcode::AddrSpaceCast)
    {
        v = v.operand(0);
    }
    v
}

/// How an instruction is executed for all lanes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Lowering {
    /// Each lane by itself, as one vector instruction.
    LaneWise,
    Load,
    Store,
    /// Rearranges the elements of OpenCL vectors.
    Elements,
    /// Has no effect on the result: a hint.
    Hint,
    /// Has one effect for all lanes: a fence.
    Once,
    /// A call of a function that has vector variants. A call of a variant computes all lanes; a
    /// function on OpenCL vectors needs one such call for each component.
    Variant,
    /// Runs for one lane after another.
    EachLane,
    /// An operation between lanes ([`Operation`]).
    CrossLane,
}

/// The address of a load or store of [`Lowering::Load`] or [`Lowering::Store`], and the type of its
/// value; `None` for other instructions.
pub(crate) fn access_of(i: Value<'_>) -> Option<(Value<'_>, Type<'_>)> {
    match lowering(i) {
        Lowering::Load => Some((i.operand(0), i.ty())),
        Lowering::Store => Some((i.operand(1), i.operand(0).ty())),
        _ => None,
    }
}

pub(crate) fn lowering(i: Value<'_>) -> Lowering {
    use Opcode as O;
    match i.opcode() {
        O::Load if !i.is_volatile() && !i.is_atomic() => Lowering::Load,
        O::Store if !i.is_volatile() && !i.is_atomic() => Lowering::Store,
        O::ExtractElement | O::InsertElement | O::ShuffleVector | O::ExtractValue => {
            Lowering::Elements
        }
        O::Fence => Lowering::Once,
        O::Call => match i.callee().map(Function::name) {
            Some(name)
                if ["llvm.lifetime.", "llvm.assume", "llvm.experimental.noalias", "llvm.dbg."]
                    .iter()
                    .any(|hint| name.starts_with(hint)) =>
            {
                Lowering::Hint
            }
            Some(name) if name.starts_with(cross_lane::PREFIX) => Lowering::CrossLane,
            _ if i.is_lane_wise() => Lowering::LaneWise,
            _ if i.callee().is_some_and(|f| crate::variants_of(f).is_some()) => Lowering::Variant,
            _ => Lowering::EachLane,
        },
        O::Load | O::Store | O::AtomicRmw | O::AtomicCmpXchg | O::Other | O::Alloca => {
            Lowering::EachLane
        }
        O::InsertValue => Lowering::EachLane,
        _ => Lowering::LaneWise,
    }
}

/// True if the instruction only selects the vectors of lanes that hold the components of an OpenCL
/// vector, and so needs no instruction in lanes.
pub(crate) fn renames(i: Value<'_>) -> bool {
    match i.opcode() {
        Opcode::ShuffleVector => true,
        Opcode::ExtractElement => i.operand(1).as_u64().is_some(),
        Opcode::InsertElement => i.operand(2).as_u64().is_some(),
        Opcode::ExtractValue => i.member() == Some(0),
        _ => false,
    }
}

impl<'m> Shapes<'m> {
    pub(crate) fn of_value(&self, graph: &Graph<'m>, v: Value<'m>) -> Shape {
        if let Some(size) = self.privates.get(&v) {
            return Shape::Strided(i64::try_from(*size).unwrap_or(i64::MAX));
        }
        if graph.block_of(v).is_none() {
            return Shape::Uniform;
        }
        self.shapes.get(&v).copied().unwrap_or(Shape::Uniform)
    }

    /// The size of an element if `address` is in a private variable that is interleaved by lane.
    pub(crate) fn interleaved(&self, address: Value<'m>) -> Option<u64> {
        if self.interleaved.is_empty() {
            return None;
        }
        self.interleaved.get(&base_of(address)).copied()
    }

    /// True if all values have the same shapes as in `other`, and the same blocks and loops are
    /// masked or divergent. The two analyses may assume different numbers of lanes.
    pub(crate) fn are_like(&self, other: &Self) -> bool {
        (&self.shapes, &self.masked, &self.divergent)
            == (&other.shapes, &other.masked, &other.divergent)
    }

    /// True if the addresses of loads and stores, and the conditions of branches, have the same
    /// shapes as in `other`, and the same blocks and loops are masked or divergent. Other values
    /// may have other shapes.
    pub(crate) fn accesses_are_like(&self, other: &Self, graph: &Graph<'m>) -> bool {
        let same = |v: Value<'m>| self.of_value(graph, v) == other.of_value(graph, v);
        let all = || graph.blocks.iter().flat_map(|b| b.instructions());
        (&self.masked, &self.divergent) == (&other.masked, &other.divergent)
            && all().filter_map(access_of).all(|(pointer, _)| same(pointer))
            && all().filter(|i| i.is_conditional_branch()).all(|i| same(i.operand(0)))
    }

    /// The power of two of which the loop over vectors must add a multiple to the counter.
    pub(crate) fn counter_multiple(&self) -> u32 {
        self.multiple
    }

    /// Analyses the loop of `graph` for vectors of `width`.
    ///
    /// # Errors
    /// The reason why the loop cannot be vectorized with this width.
    pub(crate) fn of(
        module: &Module<'_>,
        graph: &Graph<'m>,
        width: Width,
    ) -> Result<Self, Refusal> {
        Self::with_multiple(module, graph, width, width.min())
    }

    /// Analyses the loop for vectors of at most `width`. The loop over vectors adds multiples of
    /// `multiple`, a power of two, to the counter.
    ///
    /// # Errors
    /// As [`Shapes::of`].
    pub(crate) fn with_multiple(
        module: &Module<'_>,
        graph: &Graph<'m>,
        width: Width,
        multiple: u32,
    ) -> Result<Self, Refusal> {
        let mut out = Self {
            shapes: BTreeMap::new(),
            masked: vec![false; graph.blocks.len()],
            divergent: vec![false; graph.loops.len()],
            privates: BTreeMap::new(),
            copies: BTreeMap::new(),
            interleaved: BTreeMap::new(),
            variables: Vec::new(),
            alignment: Alignment::of_loop(graph, multiple),
            multiple,
            lanes: width.max(),
        };
        out.check(module, graph)?;
        let private: u64 = out.copies.values().sum();
        if private.saturating_mul(out.lanes.into()) > MAX_PRIVATE {
            return Err(Refusal::Stack);
        }
        let mut work = WorkList::of(graph);
        let mut joins = BTreeSet::new();
        let mut branched = BTreeSet::new();
        while let Some(v) = work.next() {
            let Some(block) = graph.block_of(v) else { continue };
            if v.is_terminator() {
                let varies = v.is_conditional_branch()
                    && block != graph.last()
                    && out.of_value(graph, v.operand(0)) != Shape::Uniform;
                if varies && branched.insert(block) {
                    out.diverge(graph, block, &mut joins, &mut work);
                }
                continue;
            }
            if v.ty().is_void() {
                continue;
            }
            let new = if v == graph.counter.phi {
                Shape::Strided(1)
            } else {
                out.transfer(module, graph, v, &joins)
            };
            let raised = match out.shapes.get(&v) {
                None | Some(Shape::Uniform) => new,
                Some(old) if *old == new => new,
                Some(_) => Shape::Varying,
            };
            if out.shapes.insert(v, raised) != Some(raised) {
                work.add(v.users());
            }
        }
        out.check_progress(graph)?;
        out.check_shared(graph)?;
        Ok(out)
    }

    /// Refuses loops whose iterations use one shared variable one after another: each stores a
    /// value of its own and reads it again.
    fn check_shared(&self, graph: &Graph<'m>) -> Result<(), Refusal> {
        let instructions: Vec<_> = graph.blocks.iter().flat_map(|b| b.instructions()).collect();
        let is_own = |i: &Value<'m>| {
            lowering(*i) == Lowering::Store
                && self.of_value(graph, i.operand(1)) == Shape::Uniform
                && self.of_value(graph, i.operand(0)) != Shape::Uniform
        };
        let written = instructions.iter().filter(|i| is_own(i)).map(|i| base_of(i.operand(1)));
        let shared = |v: &Value<'m>| v.is_alloca() && !v.has_mark(crate::PRIVATE);
        let shared: BTreeSet<Value<'m>> = written.filter(shared).collect();
        for i in &instructions {
            let read = match i.opcode() {
                Opcode::Store => vec![i.operand(0)],
                Opcode::GetElementPtr | Opcode::AddrSpaceCast => Vec::new(),
                _ if i.is_call() => i.args(),
                _ => i.operands(),
            };
            if read.into_iter().any(|v| shared.contains(&base_of(v))) {
                return Err(Refusal::Instruction(notes::named(*i)));
            }
        }
        Ok(())
    }

    /// Refuses loops in which a lane may wait for another.
    fn check_progress(&self, graph: &Graph<'m>) -> Result<(), Refusal> {
        let divergent = graph.loops.iter().zip(&self.divergent).filter(|(_, d)| **d);
        let blocks: BTreeSet<usize> = divergent.flat_map(|(l, _)| l.blocks.clone()).collect();
        let waits = progress::waits(graph, &blocks);
        waits.map_or(Ok(()), |i| Err(Refusal::Progress(notes::named(i))))
    }

    /// Refuses instructions that `widen` cannot handle. Finds the private variables.
    fn check(&mut self, module: &Module<'_>, graph: &Graph<'m>) -> Result<(), Refusal> {
        for i in graph.blocks.iter().flat_map(|b| b.instructions()) {
            let refuse = || Err(Refusal::Instruction(notes::named(i)));
            if !i.ty().is_void() && elements_of(i.ty()).is_none() && !i.is_terminator() {
                return refuse();
            }
            if i.is_alloca() || matches!(i.opcode(), Opcode::Other) {
                return refuse();
            }
            let exchanges =
                |v: Value<'m>| v.is_instruction() && v.opcode() == Opcode::AtomicCmpXchg;
            if i.ty().kind() == TypeKind::Struct && !exchanges(i) {
                return refuse();
            }
            if i.opcode() == Opcode::ExtractValue && !exchanges(i.operand(0)) {
                return refuse();
            }
            let clustered = matches!(Operation::of(i), Some(Operation::Cluster(_)));
            if clustered && !i.args()[1].as_u64().is_some_and(u64::is_power_of_two) {
                return refuse();
            }
            if lowering(i) == Lowering::Store && elements_of(i.operand(0).ty()).is_none() {
                return refuse();
            }
            // In memory, elements of fewer than 8 bits share a byte.
            let accessed = match lowering(i) {
                Lowering::Load => elements_of(i.ty()),
                Lowering::Store => elements_of(i.operand(0).ty()),
                _ => None,
            };
            let packed = |(element, count): (Type<'m>, u32)| {
                count > 1 && element.is_int() && element.int_width() % 8 != 0
            };
            if accessed.is_some_and(packed) || (i.is_call() && i.callee().is_none()) {
                return refuse();
            }
            let operands = if i.is_call() { i.args() } else { i.operands() };
            for o in operands {
                let known = elements_of(o.ty()).is_some() || i.is_terminator();
                if !known && lowering(i) != Lowering::Hint {
                    return refuse();
                }
                if graph.block_of(o).is_none() && !self.find_private(module, o) {
                    return refuse();
                }
            }
        }
        Ok(())
    }

    /// Records a value from outside the loop if it is an address in a private variable. False if
    /// `widen` cannot compute it for each lane.
    fn find_private(&mut self, module: &Module<'_>, v: Value<'m>) -> bool {
        if !v.is_instruction() || self.privates.contains_key(&v) {
            return true;
        }
        if v.is_alloca() {
            if v.has_mark(crate::PRIVATE) {
                let size = module.size_of(v.allocated_type());
                let element = private_arrays::element_size(module, v);
                let unit = element.unwrap_or(v.alloca_align().max(1));
                let size = size.next_multiple_of(unit);
                self.copies.insert(v, size);
                self.privates.insert(v, element.unwrap_or(size));
                self.interleaved.extend(element.map(|element| (v, element)));
                self.variables.push(v);
                return v.operand(0).as_u64() == Some(1);
            }
            return true;
        }
        match v.opcode() {
            Opcode::GetElementPtr | Opcode::AddrSpaceCast | Opcode::PtrToInt => {
                let base = v.operand(0);
                let fine = self.find_private(module, base);
                if let Some(size) = self.privates.get(&base) {
                    self.privates.insert(v, *size);
                }
                fine
            }
            // Values from before the loop are the same for all iterations, unless they depend on
            // such an address.
            Opcode::Load | Opcode::Call | Opcode::Phi => {
                v.operands().into_iter().all(|o| !o.is_alloca() || !o.has_mark(crate::PRIVATE))
            }
            _ => v
                .operands()
                .into_iter()
                .all(|o| self.find_private(module, o) && !self.privates.contains_key(&o)),
        }
    }

    /// Records that the branch at the end of block `from` varies.
    fn diverge(
        &mut self,
        graph: &Graph<'m>,
        from: usize,
        joins: &mut BTreeSet<usize>,
        work: &mut WorkList<'m>,
    ) {
        let (seen, join) = paths(graph, from);
        for &b in &seen {
            self.masked[b] = true;
        }
        for l in 0..graph.loops.len() {
            let some_leave = graph.is_in(from, l) && join.is_none_or(|j| !graph.is_in(j, l));
            if !some_leave {
                continue;
            }
            self.divergent[l] = true;
            for (_, exit) in &graph.loops[l].exits {
                if joins.insert(*exit) {
                    work.add(graph.blocks[*exit].phis());
                }
            }
            for &b in &graph.loops[l].blocks {
                self.masked[b] = true;
            }
        }
        for b in seen.iter().copied().chain(join) {
            // All lanes that stay in a loop reach its header from its latch, so no paths meet.
            let header = graph.innermost[b]
                .is_some_and(|l| graph.loops[l].header == b && graph.is_in(from, l));
            if !header && joins.insert(b) {
                work.add(graph.blocks[b].phis());
            }
        }
    }

    fn transfer(
        &self,
        module: &Module<'_>,
        graph: &Graph<'m>,
        v: Value<'m>,
        joins: &BTreeSet<usize>,
    ) -> Shape {
        let of = |v: Value<'m>| self.of_value(graph, v);
        if v.opcode() == Opcode::Phi {
            let values: Vec<Value<'m>> = v.incoming().iter().map(|p| p.0).collect();
            let block = graph.block_of(v).unwrap_or(0);
            let leaves = graph.loops.iter().zip(&self.divergent).any(|(l, divergent)| {
                let inside = |b: usize| l.blocks.contains(&b);
                *divergent
                    && !inside(block)
                    && values.iter().any(|w| graph.block_of(*w).is_some_and(inside))
            });
            let same = values.iter().all(|w| *w == values[0]);
            if leaves || (joins.contains(&block) && !same) {
                return Shape::Varying;
            }
            // Values that are not computed yet come from later blocks, and do not count yet.
            let known = values
                .iter()
                .filter(|w| graph.block_of(**w).is_none() || self.shapes.contains_key(*w));
            let mut shapes = known.map(|w| of(*w));
            let first = shapes.next().unwrap_or(Shape::Uniform);
            return if shapes.all(|s| s == first) { first } else { Shape::Varying };
        }
        match lowering(v) {
            Lowering::EachLane => return Shape::Varying,
            Lowering::CrossLane => {
                let same = |v: &Value<'m>| of(*v) == Shape::Uniform;
                return match Operation::of(v) {
                    Some(Operation::Votes | Operation::First | Operation::Reduce(_)) => {
                        Shape::Uniform
                    }
                    Some(Operation::Pick) if v.args().iter().any(same) => Shape::Uniform,
                    _ => Shape::Varying,
                };
            }
            Lowering::Load => {
                return if of(v.operand(0)) == Shape::Uniform {
                    Shape::Uniform
                } else {
                    Shape::Varying
                };
            }
            _ => {}
        }
        let operands = if v.is_call() { v.args() } else { v.operands() };
        if operands.iter().all(|o| of(*o) == Shape::Uniform) {
            return Shape::Uniform;
        }
        self.strided(module, graph, v)
            .map_or(Shape::Varying, |s| if s == 0 { Shape::Uniform } else { Shape::Strided(s) })
    }

    /// The stride of a value, if it has one.
    fn strided(&self, module: &Module<'_>, graph: &Graph<'m>, v: Value<'m>) -> Option<i64> {
        use Opcode as O;
        if v.ty().is_vector() {
            return None;
        }
        let stride = |v: Value<'m>| match self.of_value(graph, v) {
            Shape::Uniform => Some(0),
            Shape::Strided(s) => Some(s),
            Shape::Varying => None,
        };
        let two = || Some((stride(v.operand(0))?, stride(v.operand(1))?));
        match v.opcode() {
            O::Add => two().and_then(|(a, b)| a.checked_add(b)),
            O::Or if v.is_disjoint_or() => two().and_then(|(a, b)| a.checked_add(b)),
            O::Sub => two().and_then(|(a, b)| a.checked_sub(b)),
            O::Mul => match (v.operand(0).as_i64(), v.operand(1).as_i64()) {
                (_, Some(k)) => stride(v.operand(0))?.checked_mul(k),
                (Some(k), _) => stride(v.operand(1))?.checked_mul(k),
                _ => None,
            },
            O::Shl => {
                let k = u32::try_from(v.operand(1).as_u64()?).ok().filter(|k| *k < 62)?;
                stride(v.operand(0))?.checked_mul(1 << k)
            }
            O::And => {
                let mask = v.operand(1).as_u64()?;
                let low = mask.trailing_ones();
                // The counter is below 2^31, so such a mask changes nothing.
                if v.operand(0) == graph.counter.phi && low >= 31 && mask.count_ones() == low {
                    return Some(1);
                }
                let (step, span) = self.aligned(graph, v.operand(0))?;
                match mask & (span - 1) {
                    0 => Some(0),
                    lower => (lower == span - 1).then_some(step),
                }
            }
            O::LShr | O::AShr => {
                let k = v.operand(1).as_u64()?;
                if let Some(step) = shifted_back(graph, v.operand(0), k) {
                    return Some(step);
                }
                let (step, span) = self.aligned(graph, v.operand(0))?;
                let unit = 1u64.checked_shl(u32::try_from(k).ok()?)?;
                if unit >= span {
                    return Some(0);
                }
                (step % unit.cast_signed() == 0).then_some(step / unit.cast_signed())
            }
            O::UDiv | O::URem => {
                let (step, span) = self.aligned(graph, v.operand(0))?;
                let divisor = v.operand(1);
                let fits = stride(divisor)? == 0 && self.alignment.of(divisor) >= span;
                fits.then_some(if v.opcode() == O::UDiv { 0 } else { step })
            }
            O::ICmp => self.same_order(graph, v).then_some(0),
            O::Trunc => {
                let s = stride(v.operand(0))?;
                let limit = 1i64.checked_shl(v.ty().int_width() - 1)?;
                (-limit..limit).contains(&s).then_some(s)
            }
            O::SExt | O::ZExt if self.extends(graph, v.operand(0), v.opcode() == O::SExt) => {
                stride(v.operand(0))
            }
            O::PtrToInt if v.ty().int_width() == 64 => stride(v.operand(0)),
            O::IntToPtr if v.operand(0).ty().int_width() == 64 => stride(v.operand(0)),
            O::Freeze | O::AddrSpaceCast => stride(v.operand(0)),
            O::BitCast if v.ty().is_pointer() => stride(v.operand(0)),
            O::Select if self.of_value(graph, v.operand(0)) == Shape::Uniform => {
                let (a, b) = (stride(v.operand(1))?, stride(v.operand(2))?);
                (a == b).then_some(a)
            }
            O::GetElementPtr if self.interleaved(v).is_some() => match stride(v.operand(1))? {
                0 => stride(v.operand(0)),
                _ => None,
            },
            O::GetElementPtr if v.operand_count() == 2 => {
                let size = i64::try_from(module.size_of(v.gep_type())).ok()?;
                let index = v.operand(1);
                if index.ty().int_width() != 64 && !self.extends(graph, index, true) {
                    return None;
                }
                stride(v.operand(0))?.checked_add(stride(index)?.checked_mul(size)?)
            }
            _ => None,
        }
    }

    /// The stride of `v`, and [`alignment::span`] of it, if the value of lane 0 is a multiple of
    /// that: the lanes differ in the lower bits only.
    fn aligned(&self, graph: &Graph<'m>, v: Value<'m>) -> Option<(i64, u64)> {
        let Shape::Strided(step) = self.of_value(graph, v) else { return None };
        if !v.ty().is_int() {
            return None;
        }
        let span = alignment::span(step, self.lanes)?;
        let fits = v.ty().int_width() > 1 && span <= 1 << (v.ty().int_width().min(63) - 1);
        (fits && self.alignment.of(v) >= span).then_some((step, span))
    }

    /// True if `v` is a strided integer whose lanes differ in the lower bits only.
    pub(crate) fn is_aligned(&self, graph: &Graph<'m>, v: Value<'m>) -> bool {
        self.aligned(graph, v).is_some()
    }

    /// True if the comparison of a strided value with a uniform bound is the same in all lanes:
    /// both are multiples of a number above the distance between the lanes.
    fn same_order(&self, graph: &Graph<'m>, v: Value<'m>) -> bool {
        use IntPredicate as P;
        let (a, b) = (v.operand(0), v.operand(1));
        let below = |strided: Value<'m>, bound: Value<'m>| {
            self.of_value(graph, bound) == Shape::Uniform
                && bound.ty().is_int()
                && self
                    .aligned(graph, strided)
                    .is_some_and(|(_, span)| self.alignment.of(bound) >= span)
        };
        match v.int_predicate() {
            P::Ult | P::Uge | P::Slt | P::Sge => below(a, b),
            P::Ugt | P::Ule | P::Sgt | P::Sle => below(b, a),
            _ => false,
        }
    }

    /// True if the extension of `v` to more bits keeps its stride, because it wraps in no lane.
    fn extends(&self, graph: &Graph<'m>, v: Value<'m>, signed: bool) -> bool {
        let shape = self.of_value(graph, v);
        if shape == Shape::Uniform || v == graph.counter.phi || self.is_aligned(graph, v) {
            return true;
        }
        match v.opcode() {
            // The counter is below 2^31.
            Opcode::Trunc => v.operand(0) == graph.counter.phi && v.ty().int_width() >= 32,
            Opcode::Add | Opcode::Sub | Opcode::Mul | Opcode::Shl => {
                (if signed { v.is_nsw() } else { v.is_nuw() })
                    && self.extends(graph, v.operand(0), signed)
                    && self.extends(graph, v.operand(1), signed)
            }
            // The operands have no bit in common, neither before nor after the extension.
            Opcode::Or => {
                v.is_disjoint_or()
                    && self.extends(graph, v.operand(0), signed)
                    && self.extends(graph, v.operand(1), signed)
            }
            Opcode::ZExt => self.extends(graph, v.operand(0), false),
            Opcode::SExt => signed && self.extends(graph, v.operand(0), true),
            _ => false,
        }
    }
}

/// True if the bits of an element fill its bytes in memory. Vectors of other elements, such as
/// `i1`, are packed in memory.
pub(crate) fn fills_bytes(module: &Module<'_>, element: Type<'_>) -> bool {
    !element.is_int() || u64::from(element.int_width()) == module.size_of(element) * 8
}

/// The stride of a value that is shifted left and right again, by `right` bits, if it is the
/// counter, which loses no bits by that: it is below 2^31.
fn shifted_back<'m>(graph: &Graph<'m>, shifted: Value<'m>, right: u64) -> Option<i64> {
    let is_shift = shifted.is_instruction() && shifted.opcode() == Opcode::Shl;
    if !is_shift || shifted.operand(0) != graph.counter.phi {
        return None;
    }
    let left = shifted.operand(1).as_u64()?;
    let keeps = left.checked_add(32)? <= shifted.ty().int_width().into();
    1i64.checked_shl(u32::try_from(left.checked_sub(right)?).ok()?).filter(|_| keeps)
}

/// The blocks on the paths from block `from` to the block at which all of them meet, and that
/// block. The paths start in one iteration of each loop around `from`. They cannot meet in such a
/// loop again if one of them leaves it, because it comes back in a later iteration.
fn paths(graph: &Graph<'_>, from: usize) -> (BTreeSet<usize>, Option<usize>) {
    let mut join = graph.post_dominator[from];
    loop {
        let mut seen = BTreeSet::new();
        let mut stack = graph.successors[from].clone();
        while let Some(b) = stack.pop() {
            if Some(b) != join && seen.insert(b) {
                stack.extend(&graph.successors[b]);
            }
        }
        let left = (0..graph.loops.len()).find(|l| {
            graph.is_in(from, *l)
                && join.is_some_and(|j| graph.is_in(j, *l))
                && seen.iter().any(|b| !graph.is_in(*b, *l))
        });
        let Some(left) = left else { return (seen, join) };
        while let Some(j) = join.filter(|j| graph.is_in(*j, left)) {
            join = graph.post_dominator[j];
        }
    }
}

/// The instructions of a loop whose shapes must be computed (again), in order of their position.
struct WorkList<'m> {
    order: Vec<Value<'m>>,
    positions: BTreeMap<Value<'m>, usize>,
    pending: BTreeSet<usize>,
}

impl<'m> WorkList<'m> {
    /// A list with all instructions of the loop.
    fn of(graph: &Graph<'m>) -> Self {
        let order: Vec<_> = graph.blocks.iter().flat_map(|b| b.instructions()).collect();
        let positions = order.iter().enumerate().map(|(at, v)| (*v, at)).collect();
        let pending = (0..order.len()).collect();
        Self { order, positions, pending }
    }

    fn next(&mut self) -> Option<Value<'m>> {
        self.pending.pop_first().map(|at| self.order[at])
    }

    /// Adds those of the values that are instructions of the loop.
    fn add(&mut self, values: Vec<Value<'m>>) {
        self.pending.extend(values.iter().filter_map(|v| self.positions.get(v)));
    }
}
