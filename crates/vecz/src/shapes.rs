//! How each value of the loop differs between lanes, and which blocks only some lanes reach.
//!
//! The analysis starts with everything uniform, and moves values up until nothing changes.
//! A varying branch makes the blocks up to its post-dominator masked, and the PHIs where its paths
//! meet varying. A loop that lanes leave at different iterations is divergent: what it passes to
//! blocks behind it varies.

use std::collections::{BTreeMap, BTreeSet};

use muxcl_llvm::{Module, Opcode, Type, TypeKind, Value};

use crate::Refusal;
use crate::graph::Graph;

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

/// See the module.
#[derive(Debug)]
pub(crate) struct Shapes<'m> {
    shapes: BTreeMap<Value<'m>, Shape>,
    /// By block: only some lanes may reach it.
    pub(crate) masked: Vec<bool>,
    /// By loop: lanes leave it at different times.
    pub(crate) divergent: Vec<bool>,
    /// Private variables of a work-item, and the size of one lane's copy in bytes.
    pub(crate) privates: BTreeMap<Value<'m>, u64>,
}

/// The scalars that a value consists of; `None` for aggregates.
pub(crate) fn leaves(ty: Type<'_>) -> Option<(Type<'_>, u32)> {
    let (leaf, count) = if ty.is_vector() { (ty.element(), ty.vector_len()) } else { (ty, 1) };
    let fits = match leaf.kind() {
        TypeKind::Int => leaf.int_width() <= 64,
        TypeKind::Half | TypeKind::Float | TypeKind::Double | TypeKind::Pointer => true,
        _ => false,
    };
    fits.then_some((leaf, count))
}

/// How an instruction is executed for all lanes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
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
    /// One lane after the other.
    EachLane,
}

pub(crate) fn kind(i: Value<'_>) -> Kind {
    use Opcode as O;
    match i.opcode() {
        O::Load if !i.is_volatile() && !i.is_atomic() => Kind::Load,
        O::Store if !i.is_volatile() && !i.is_atomic() => Kind::Store,
        O::ExtractElement | O::InsertElement | O::ShuffleVector => Kind::Elements,
        O::Fence => Kind::Once,
        O::Call => match i.callee().map(muxcl_llvm::Function::name) {
            Some(name)
                if ["llvm.lifetime.", "llvm.assume", "llvm.experimental.noalias", "llvm.dbg."]
                    .iter()
                    .any(|hint| name.starts_with(hint)) =>
            {
                Kind::Hint
            }
            _ if i.is_lane_wise() => Kind::LaneWise,
            _ => Kind::EachLane,
        },
        O::Load | O::Store | O::AtomicRmw | O::AtomicCmpXchg | O::Other | O::Alloca => {
            Kind::EachLane
        }
        O::ExtractValue | O::InsertValue => Kind::EachLane,
        _ => Kind::LaneWise,
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

    pub(crate) fn of(module: &Module<'_>, graph: &Graph<'m>) -> Result<Self, Refusal> {
        let mut out = Self {
            shapes: BTreeMap::new(),
            masked: vec![false; graph.blocks.len()],
            divergent: vec![false; graph.loops.len()],
            privates: BTreeMap::new(),
        };
        out.check(module, graph)?;
        out.shapes.insert(graph.counter.phi, Shape::Strided(1));
        let mut work: BTreeSet<Value<'m>> =
            graph.blocks.iter().flat_map(|b| b.instructions()).collect();
        work.remove(&graph.counter.phi);
        let mut joins = BTreeSet::new();
        let mut branched = BTreeSet::new();
        while let Some(v) = work.pop_first() {
            let Some(block) = graph.block_of(v) else { continue };
            if v == graph.counter.phi {
                continue;
            }
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
            let new = out.transfer(module, graph, v, &joins);
            if out.shapes.insert(v, new) != Some(new) {
                work.extend(v.users().into_iter().filter(|u| graph.block_of(*u).is_some()));
            }
        }
        Ok(out)
    }

    /// Refuses what `widen` cannot do; finds the private variables.
    fn check(&mut self, module: &Module<'_>, graph: &Graph<'m>) -> Result<(), Refusal> {
        for i in graph.blocks.iter().flat_map(|b| b.instructions()) {
            let refuse = || Err(Refusal::Instruction(i.to_string()));
            if !i.ty().is_void() && leaves(i.ty()).is_none() && !i.is_terminator() {
                return refuse();
            }
            if i.is_alloca() || matches!(i.opcode(), Opcode::Other) {
                return refuse();
            }
            if kind(i) == Kind::Store && leaves(i.operand(0).ty()).is_none() {
                return refuse();
            }
            if i.is_call() && i.callee().is_none() {
                return refuse();
            }
            let operands = if i.is_call() { i.args() } else { i.operands() };
            for o in operands {
                let known = leaves(o.ty()).is_some() || i.is_terminator();
                if !known && kind(i) != Kind::Hint {
                    return refuse();
                }
                if graph.block_of(o).is_none() && !self.find_private(module, o) {
                    return refuse();
                }
            }
        }
        Ok(())
    }

    /// Enters a value from outside the loop if it is an address in a private variable. False if
    /// `widen` cannot compute it for each lane.
    fn find_private(&mut self, module: &Module<'_>, v: Value<'m>) -> bool {
        if !v.is_instruction() || self.privates.contains_key(&v) {
            return true;
        }
        if v.is_alloca() {
            if v.has_mark(crate::PRIVATE) {
                let size = module.size_of(v.allocated_type());
                let size = size.next_multiple_of(v.alloca_align().max(1));
                self.privates.insert(v, size);
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
            // Other values in front of the loop are the same for all iterations, unless they come
            // from such an address.
            Opcode::Load | Opcode::Call | Opcode::Phi => {
                v.operands().into_iter().all(|o| !o.is_alloca() || !o.has_mark(crate::PRIVATE))
            }
            _ => v
                .operands()
                .into_iter()
                .all(|o| self.find_private(module, o) && !self.privates.contains_key(&o)),
        }
    }

    /// The varying branch at the end of `from`.
    fn diverge(
        &mut self,
        graph: &Graph<'m>,
        from: usize,
        joins: &mut BTreeSet<usize>,
        work: &mut BTreeSet<Value<'m>>,
    ) {
        let join = graph.join[from];
        let mut seen = BTreeSet::new();
        let mut stack = graph.successors[from].clone();
        while let Some(b) = stack.pop() {
            if Some(b) == join || !seen.insert(b) {
                continue;
            }
            stack.extend(&graph.successors[b]);
        }
        for &b in &seen {
            self.masked[b] = true;
        }
        for l in 0..graph.loops.len() {
            // Some lanes leave while others stay.
            let leaves = graph.is_in(from, l) && join.is_none_or(|j| !graph.is_in(j, l));
            if !leaves {
                continue;
            }
            self.divergent[l] = true;
            for (_, exit) in &graph.loops[l].exits {
                if joins.insert(*exit) {
                    work.extend(graph.blocks[*exit].phis());
                }
            }
            for &b in &graph.loops[l].blocks {
                self.masked[b] = true;
            }
        }
        for b in seen.iter().copied().chain(join) {
            // Lanes that stay in a loop all come from its latch.
            let header = graph.innermost[b]
                .is_some_and(|l| graph.loops[l].header == b && graph.is_in(from, l));
            if !header && joins.insert(b) {
                work.extend(graph.blocks[b].phis());
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
            let one = values.iter().all(|w| *w == values[0]);
            let block = graph.block_of(v).unwrap_or(0);
            let mut shapes = values.iter().map(|w| of(*w));
            let first = shapes.next().unwrap_or(Shape::Uniform);
            let divergent = joins.contains(&block);
            // One value from several paths is that value, but not from several iterations.
            let outside = graph.loops.iter().zip(&self.divergent).any(|(l, d)| {
                *d && values
                    .iter()
                    .any(|w| graph.block_of(*w).is_some_and(|b| l.blocks.contains(&b)))
                    && !l.blocks.contains(&block)
            });
            if outside || (divergent && !one) {
                return Shape::Varying;
            }
            return if shapes.all(|s| s == first) { first } else { Shape::Varying };
        }
        match kind(v) {
            Kind::EachLane => return Shape::Varying,
            Kind::Load => {
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
            // The counter is below 2^31, so this mask changes nothing.
            O::And if v.operand(0) == graph.counter.phi => {
                let mask = v.operand(1).as_u64()?;
                let low = mask.trailing_ones();
                (low >= 31 && mask.count_ones() == low).then_some(1)
            }
            O::Trunc => {
                let s = stride(v.operand(0))?;
                let limit = 1i64.checked_shl(v.ty().int_width() - 1)?;
                (-limit..limit).contains(&s).then_some(s)
            }
            O::SExt | O::ZExt if self.extends(graph, v.operand(0), v.opcode() == O::SExt) => {
                stride(v.operand(0))
            }
            O::Freeze | O::PtrToInt | O::IntToPtr | O::AddrSpaceCast => stride(v.operand(0)),
            O::BitCast if v.ty().is_pointer() => stride(v.operand(0)),
            O::Select if self.of_value(graph, v.operand(0)) == Shape::Uniform => {
                let (a, b) = (stride(v.operand(1))?, stride(v.operand(2))?);
                (a == b).then_some(a)
            }
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

    /// True if the extension of `v` to more bits keeps its stride: no lane wraps.
    fn extends(&self, graph: &Graph<'m>, v: Value<'m>, signed: bool) -> bool {
        if self.of_value(graph, v) == Shape::Uniform || v == graph.counter.phi {
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
            Opcode::ZExt => self.extends(graph, v.operand(0), false),
            Opcode::SExt => signed && self.extends(graph, v.operand(0), true),
            _ => false,
        }
    }
}
