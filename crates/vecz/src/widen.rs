//! The loop over vectors.
//!
//! Blocks are visited in the order of [`Graph`]. A varying branch becomes straight code: lanes that
//! go elsewhere are recorded in the mask of their block, which is *deferred*: visited later. A
//! uniform branch stays a branch. So a block runs if lanes may wait for it, and its mask says
//! which. Expensive blocks are skipped when their mask is empty.
//!
//! Values that other blocks use, masks and PHIs are kept in variables on the stack, which become
//! registers at the end: so no value needs to dominate its uses while the graph changes.

use std::collections::{BTreeMap, BTreeSet};

use muxcl_llvm::{Block, Builder, Function, IntPredicate, Module, Opcode, Type, Value};

use crate::graph::Graph;
use crate::shapes::{Kind, Shape, Shapes, kind, leaves};

/// A value for all lanes.
#[derive(Debug, Clone)]
pub(crate) enum Lanes<'m> {
    /// The same for all.
    Scalar(Value<'m>),
    /// The value of lane 0, and the distance from lane to lane.
    Strided(Value<'m>, i64),
    /// A vector for each scalar that the value consists of.
    Vector(Vec<Value<'m>>),
}

pub(crate) struct Widen<'a, 'm, 'c> {
    pub(crate) module: &'m Module<'c>,
    pub(crate) f: Function<'m>,
    graph: &'a Graph<'m>,
    shapes: &'a Shapes<'m>,
    pub(crate) lanes: u32,
    /// The new block of each old one.
    starts: Vec<Block<'m>>,
    /// Stack variables of values that other blocks use.
    variables: BTreeMap<Value<'m>, Vec<Value<'m>>>,
    phis: BTreeMap<Value<'m>, Vec<Value<'m>>>,
    /// By block: the variable of its mask.
    masks: Vec<Option<Value<'m>>>,
    /// By block: blocks for which lanes may wait meanwhile.
    deferred: Vec<BTreeSet<usize>>,
    privates: BTreeMap<Value<'m>, Value<'m>>,
    counter: Value<'m>,
    /// The block that is being written.
    pub(crate) at: Block<'m>,
    /// Its mask; `None`: all lanes.
    pub(crate) mask: Option<Value<'m>>,
    local: BTreeMap<Value<'m>, Lanes<'m>>,
}

/// Instructions in a block that is not worth skipping.
const CHEAP: usize = 12;

/// Writes the loop.
pub(crate) fn run<'m>(
    module: &'m Module<'_>,
    f: Function<'m>,
    graph: &Graph<'m>,
    shapes: &Shapes<'m>,
    lanes: u32,
) {
    let cx = module.cx();
    let ty = graph.counter.phi.ty();
    let check = f.append_block("vector.check");
    let enter = f.append_block("vector.enter");
    let starts: Vec<Block<'m>> =
        graph.blocks.iter().map(|b| f.append_block(&format!("{}.v", b.name()))).collect();
    let leave = f.append_block("vector.leave");
    // Counts: the old loop runs for what does not fill a vector.
    let b = Builder::at_end(check);
    let count = b.sub(graph.counter.bound, graph.counter.start);
    let full = b.and(count, ty.constant(!(u64::from(lanes) - 1)));
    let none = b.icmp(IntPredicate::Eq, full, ty.constant(0));
    let header = graph.blocks[0];
    b.cond_br(none, header, enter);
    Builder::at_end(enter).br(starts[0]);
    let counter = Builder::at_end(starts[0]).phi(ty, "vector");
    counter.add_incoming(graph.counter.start, enter);
    let mut w = Widen {
        module,
        f,
        graph,
        shapes,
        lanes,
        variables: BTreeMap::new(),
        phis: BTreeMap::new(),
        masks: Vec::new(),
        deferred: vec![BTreeSet::new(); graph.blocks.len()],
        privates: BTreeMap::new(),
        counter,
        at: starts[0],
        mask: None,
        local: BTreeMap::new(),
        starts,
    };
    for (old, size) in shapes.privates.iter().filter(|(v, _)| v.is_alloca()) {
        let lanes = w.allocas().alloca(cx.array(cx.i8(), size * u64::from(w.lanes)), "private");
        lanes.set_align(u32::try_from(old.alloca_align()).unwrap_or(1));
        w.privates.insert(*old, lanes);
    }
    let mask = cx.vector(cx.i1(), w.lanes);
    w.masks = shapes
        .masked
        .iter()
        .map(|masked| masked.then(|| w.allocas().alloca(mask, "mask")))
        .collect();
    for n in 0..graph.blocks.len() {
        w.block(n);
    }
    // The latch.
    let b = Builder::at_end(w.at);
    let next = b.add(counter, ty.constant(lanes.into()));
    counter.add_incoming(next, w.at);
    let done = b.sub(next, graph.counter.start);
    b.cond_br(b.icmp(IntPredicate::Ult, done, full), w.starts[0], leave)
        .set_work_item_loop(None, true, true, false);
    // Behind the loop: the last lane's values.
    w.at = leave;
    w.local.clear();
    let last = cx.u32(w.lanes - 1);
    for phi in graph.after.phis() {
        let old = phi.incoming().iter().find(|p| p.1 == graph.blocks[graph.last()]).map(|p| p.0);
        if let Some(old) = old {
            let lanes = w.lookup(old);
            let v = w.lane(&lanes, old.ty(), last);
            phi.add_incoming(v, leave);
        }
    }
    let b = Builder::at_end(leave);
    let rest = b.add(graph.counter.start, full);
    let more = b.icmp(IntPredicate::Ne, full, count);
    b.cond_br(more, header, graph.after);
    // The old loop.
    header.remove_predecessor(graph.before);
    graph.counter.phi.add_incoming(graph.counter.start, check);
    graph.counter.phi.add_incoming(rest, leave);
    if let Some(t) = graph.before.terminator() {
        for (n, s) in (0u32..).zip(t.successors()) {
            if s == header {
                t.set_successor(n, check);
            }
        }
    }
}

impl<'m> Widen<'_, 'm, '_> {
    pub(crate) fn b(&self) -> Builder<'m> {
        Builder::at_end(self.at)
    }

    fn allocas(&self) -> Builder<'m> {
        let entry = self.f.entry();
        match entry.first_insertion_point() {
            Some(i) => Builder::before(i),
            None => Builder::at_end(entry),
        }
    }

    pub(crate) fn wide(&self, leaf: Type<'m>) -> Type<'m> {
        leaf.cx().vector(leaf, self.lanes)
    }

    fn all(&self) -> Value<'m> {
        let cx = self.module.cx();
        self.b().splat(cx.bool(true), self.lanes)
    }

    // ---- values ----

    fn new_variable(&self, v: Value<'m>, name: &str) -> Vec<Value<'m>> {
        let b = self.allocas();
        match self.shapes.of_value(self.graph, v) {
            Shape::Varying => leaves(v.ty()).map_or_else(Vec::new, |(leaf, count)| {
                (0..count).map(|_| b.alloca(self.wide(leaf), name)).collect()
            }),
            _ => vec![b.alloca(v.ty(), name)],
        }
    }

    fn read(&self, v: Value<'m>, variable: &[Value<'m>]) -> Lanes<'m> {
        let b = self.b();
        match self.shapes.of_value(self.graph, v) {
            Shape::Uniform => Lanes::Scalar(b.load(v.ty(), variable[0], 0)),
            Shape::Strided(k) => Lanes::Strided(b.load(v.ty(), variable[0], 0), k),
            Shape::Varying => {
                let leaf = leaves(v.ty()).map_or(v.ty(), |l| l.0);
                Lanes::Vector(variable.iter().map(|a| b.load(self.wide(leaf), *a, 0)).collect())
            }
        }
    }

    fn write(&mut self, v: Value<'m>, lanes: &Lanes<'m>, variable: &[Value<'m>]) {
        let list = match self.shapes.of_value(self.graph, v) {
            Shape::Varying => self.components(lanes, v.ty()),
            _ => vec![self.first(lanes)],
        };
        for (part, place) in list.into_iter().zip(variable) {
            self.b().store(part, *place, 0);
        }
    }

    /// A value of the old loop.
    pub(crate) fn lookup(&mut self, v: Value<'m>) -> Lanes<'m> {
        if let Some(own) = self.privates.get(&v) {
            let size = self.shapes.privates.get(&v).copied().unwrap_or(0);
            return Lanes::Strided(*own, i64::try_from(size).unwrap_or(0));
        }
        if let Some(size) = self.shapes.privates.get(&v) {
            // An address in a private variable, computed in front of the loop.
            let base = self.lookup(v.operand(0));
            let base = self.first(&base);
            let copy = self.b().insert_copy(v);
            copy.set_operand(0, base);
            return Lanes::Strided(copy, i64::try_from(*size).unwrap_or(0));
        }
        if self.graph.block_of(v).is_none() {
            return Lanes::Scalar(v);
        }
        if v == self.graph.counter.phi {
            return Lanes::Strided(self.counter, 1);
        }
        if let Some(lanes) = self.local.get(&v) {
            return lanes.clone();
        }
        let lanes = match self.variables.get(&v) {
            Some(variable) => self.read(v, variable),
            // Not computed on any path to here.
            None => Lanes::Scalar(v.ty().poison()),
        };
        self.local.insert(v, lanes.clone());
        lanes
    }

    /// Lane 0.
    pub(crate) fn first(&self, lanes: &Lanes<'m>) -> Value<'m> {
        match lanes {
            Lanes::Scalar(v) | Lanes::Strided(v, _) => *v,
            Lanes::Vector(parts) => {
                let cx = self.module.cx();
                self.b().extract_element(parts[0], cx.u32(0))
            }
        }
    }

    /// A vector for each scalar that a value of type `ty` consists of.
    pub(crate) fn components(&self, lanes: &Lanes<'m>, ty: Type<'m>) -> Vec<Value<'m>> {
        let b = self.b();
        let cx = self.module.cx();
        match lanes {
            Lanes::Vector(parts) => parts.clone(),
            Lanes::Scalar(v) if ty.is_vector() => (0..ty.vector_len())
                .map(|n| b.splat(b.extract_element(*v, cx.u32(n)), self.lanes))
                .collect(),
            Lanes::Scalar(v) => vec![b.splat(*v, self.lanes)],
            Lanes::Strided(v, step) if ty.is_pointer() => {
                vec![b.byte_offsets(*v, cx.i64().steps(*step, self.lanes))]
            }
            Lanes::Strided(v, step) => {
                vec![b.add(b.splat(*v, self.lanes), ty.steps(*step, self.lanes))]
            }
        }
    }

    /// One lane's value.
    pub(crate) fn lane(&self, lanes: &Lanes<'m>, ty: Type<'m>, lane: Value<'m>) -> Value<'m> {
        let b = self.b();
        let cx = self.module.cx();
        match lanes {
            Lanes::Scalar(v) => *v,
            Lanes::Strided(v, step) if ty.is_pointer() => {
                let at = b.mul(b.zext(lane, cx.i64()), cx.u64(step.cast_unsigned()));
                b.byte_offsets(*v, at)
            }
            Lanes::Strided(v, step) => {
                let at = b.zext_or_trunc(lane, ty);
                b.add(*v, b.mul(at, ty.constant(step.cast_unsigned())))
            }
            Lanes::Vector(parts) if ty.is_vector() => {
                let mut out = ty.poison();
                for (n, part) in (0u32..).zip(parts) {
                    out = b.insert_element(out, b.extract_element(*part, lane), cx.u32(n));
                }
                out
            }
            Lanes::Vector(parts) => b.extract_element(parts[0], lane),
        }
    }

    /// True if a block other than its own uses the value.
    fn is_used_elsewhere(&self, v: Value<'m>) -> bool {
        let own = self.graph.block_of(v);
        v.users().into_iter().any(|u| {
            let Some(at) = self.graph.block_of(u) else { return true };
            if u.opcode() == Opcode::Phi {
                let from = u.incoming().into_iter().filter(|p| p.0 == v);
                return from.map(|p| self.graph.index_of(p.1)).any(|b| b != own);
            }
            Some(at) != own
        })
    }

    fn define(&mut self, v: Value<'m>, lanes: Lanes<'m>) {
        // `extended` uses operands of operands, in any block.
        let operand = !matches!(lanes, Lanes::Vector(_)) && v.ty().is_int();
        if operand || self.is_used_elsewhere(v) {
            let variable = self.new_variable(v, "value");
            self.write(v, &lanes, &variable);
            self.variables.insert(v, variable);
        }
        self.local.insert(v, lanes);
    }

    // ---- blocks ----

    fn block(&mut self, n: usize) {
        self.at = self.starts[n];
        self.local.clear();
        let cx = self.module.cx();
        let mask = cx.vector(cx.i1(), self.lanes);
        self.mask = self.masks[n].map(|m| self.b().load(mask, m, 0));
        let level = self.graph.innermost[n];
        if n == 0 || level.is_some_and(|l| self.graph.loops[l].header == n) {
            // No lane waits for the blocks of this iteration.
            for (other, place) in self.masks.iter().enumerate() {
                if let Some(place) =
                    place.filter(|_| other != n && self.graph.innermost[other] == level)
                {
                    self.b().store(mask.null(), place, 0);
                }
            }
        }
        for i in self.graph.blocks[n].instructions() {
            if i == self.graph.counter.phi {
                continue;
            }
            if i.opcode() == Opcode::Phi {
                let variable = self.phi_variable(i);
                let lanes = self.read(i, &variable);
                self.define(i, lanes);
            } else if i.is_terminator() {
                if n != self.graph.last() {
                    self.leave(n, i);
                }
            } else {
                self.instruction(i);
            }
        }
    }

    fn phi_variable(&mut self, phi: Value<'m>) -> Vec<Value<'m>> {
        if let Some(known) = self.phis.get(&phi) {
            return known.clone();
        }
        let new = self.new_variable(phi, "phi");
        self.phis.insert(phi, new.clone());
        new
    }

    /// Ends block `n` with its branch `t`.
    fn leave(&mut self, n: usize, t: Value<'m>) {
        let targets = self.graph.successors[n].clone();
        let waiting = std::mem::take(&mut self.deferred[n]);
        let conditional = targets.len() == 2;
        let leaves =
            |l: usize| self.shapes.divergent[l] && targets.iter().any(|s| !self.graph.is_in(*s, l));
        let around = (0..self.graph.loops.len()).filter(|l| self.graph.is_in(n, *l));
        let exits = around.clone().any(leaves);
        let back = around.clone().find(|l| {
            self.graph.loops[*l].latch == n && targets.contains(&self.graph.loops[*l].header)
        });
        let uniform = conditional
            && self.shapes.of_value(self.graph, t.operand(0)) == Shape::Uniform
            && !exits;
        let mask = self.mask;
        let divergent = back.filter(|l| self.shapes.divergent[*l]);
        if uniform || (!conditional && divergent.is_none()) {
            let mut blocks = vec![self.at];
            if conditional {
                let condition = self.lookup(t.operand(0));
                let mut condition = self.first(&condition);
                if mask.is_some() {
                    condition = self.b().freeze(condition);
                }
                blocks = targets.iter().map(|_| self.f.append_block("edge")).collect();
                self.b().cond_br(condition, blocks[0], blocks[1]);
            }
            let known = self.local.clone();
            for (s, from) in targets.into_iter().zip(blocks) {
                self.at = from;
                self.local = known.clone();
                self.arrive(n, s, mask);
                if back.is_some_and(|l| self.graph.loops[l].header == s) {
                    self.b().br(self.starts[s]);
                } else {
                    let mut to = waiting.clone();
                    to.insert(s);
                    self.go(&to);
                }
            }
            return;
        }
        let edges = if conditional {
            let condition = self.lookup(t.operand(0));
            let c = self.components(&condition, t.operand(0).ty())[0];
            let b = self.b();
            let not = b.xor(c, self.all());
            let none = c.ty().null();
            let both = |c| mask.map_or(c, |m| b.select(m, c, none));
            vec![Some(both(c)), Some(both(not))]
        } else {
            vec![mask]
        };
        let mut to = waiting;
        let mut again = None;
        for (s, edge) in targets.into_iter().zip(edges) {
            self.arrive(n, s, edge);
            if back.is_some_and(|l| self.graph.loops[l].header == s) {
                again = Some((s, edge));
            } else {
                to.insert(s);
            }
        }
        if let Some((header, edge)) = again {
            let edge = edge.unwrap_or_else(|| self.all());
            let out = self.f.append_block("loop.done");
            let b = self.b();
            b.cond_br(b.any(edge), self.starts[header], out);
            self.at = out;
        }
        self.go(&to);
    }

    /// Lanes `edge` (`None`: all) go from block `n` to block `s`.
    fn arrive(&mut self, n: usize, s: usize, edge: Option<Value<'m>>) {
        let header = self.graph.innermost[s].is_some_and(|l| self.graph.loops[l].header == s);
        let from = self.graph.blocks[n];
        let mut values = Vec::new();
        for phi in self.graph.blocks[s].phis() {
            if let Some((v, _)) = phi.incoming().into_iter().find(|p| p.1 == from) {
                values.push((phi, self.lookup(v)));
            }
        }
        for (phi, lanes) in values {
            let variable = self.phi_variable(phi);
            let varying = self.shapes.of_value(self.graph, phi) == Shape::Varying;
            let Some(edge) = edge.filter(|_| varying && !header) else {
                self.write(phi, &lanes, &variable);
                continue;
            };
            let b = self.b();
            for (new, place) in self.components(&lanes, phi.ty()).into_iter().zip(&variable) {
                let old = b.load(new.ty(), *place, 0);
                b.store(b.select(edge, new, old), *place, 0);
            }
        }
        if let Some(place) = self.masks[s] {
            let edge = edge.unwrap_or_else(|| self.all());
            let b = self.b();
            let new = if header { edge } else { b.or(b.load(edge.ty(), place, 0), edge) };
            b.store(new, place, 0);
        }
    }

    /// Continues at the first of these blocks for which lanes wait.
    fn go(&mut self, to: &BTreeSet<usize>) {
        let list: Vec<usize> = to.iter().copied().collect();
        for (n, s) in list.iter().enumerate() {
            let rest = &list[n + 1..];
            self.deferred[*s].extend(rest);
            let place = self.masks[*s].filter(|_| !rest.is_empty() && self.is_expensive(*s));
            let b = self.b();
            let Some(place) = place else {
                b.br(self.starts[*s]);
                return;
            };
            let cx = self.module.cx();
            let waits = b.any(b.load(cx.vector(cx.i1(), self.lanes), place, 0));
            let skip = self.f.append_block("skip");
            b.cond_br(waits, self.starts[*s], skip);
            self.at = skip;
        }
    }

    /// True if a block is worth a test that a lane runs it, or must not run without one.
    fn is_expensive(&self, n: usize) -> bool {
        let list = self.graph.blocks[n].instructions();
        self.graph.innermost[n].is_some_and(|l| self.graph.loops[l].header == n)
            || list.len() > CHEAP
            || list.iter().any(|i| {
                !matches!(kind(*i), Kind::LaneWise | Kind::Elements | Kind::Hint)
                    || matches!(
                        i.opcode(),
                        Opcode::UDiv | Opcode::SDiv | Opcode::URem | Opcode::SRem
                    )
            })
    }

    // ---- instructions ----

    fn instruction(&mut self, i: Value<'m>) {
        let kind = kind(i);
        match kind {
            Kind::Hint => return,
            Kind::Once => {
                self.b().insert_copy(i);
                return;
            }
            Kind::Store => return self.store(i),
            _ => {}
        }
        let varying = i.ty().is_void() || self.shapes.of_value(self.graph, i) == Shape::Varying;
        let lanes = match kind {
            _ if !varying => {
                let v = match self.shapes.of_value(self.graph, i) {
                    Shape::Strided(_) => self.first_lane(i),
                    _ => self.copy_first(i),
                };
                match self.shapes.of_value(self.graph, i) {
                    Shape::Strided(step) => Lanes::Strided(v, step),
                    _ => Lanes::Scalar(v),
                }
            }
            Kind::Load => self.load(i),
            Kind::Elements => self.elements(i),
            Kind::LaneWise if self.is_by_component(i) => self.lane_wise(i),
            _ => self.each_lane(i),
        };
        if !i.ty().is_void() {
            self.define(i, lanes);
        }
    }

    /// A copy of the instruction for lane 0.
    pub(crate) fn copy_first(&mut self, i: Value<'m>) -> Value<'m> {
        let operands = i.operands();
        let mut new = Vec::new();
        for (n, o) in (0u32..).zip(operands) {
            let lanes = self.lookup(o);
            let v = self.first(&lanes);
            if v != o {
                new.push((n, v));
            }
        }
        let copy = self.b().insert_copy(i);
        for (n, v) in new {
            copy.set_operand(n, v);
        }
        copy
    }

    /// Lane 0 of a strided value.
    fn first_lane(&mut self, i: Value<'m>) -> Value<'m> {
        match i.opcode() {
            Opcode::SExt | Opcode::ZExt => {
                self.extended(i.operand(0), i.ty(), i.opcode() == Opcode::SExt)
            }
            Opcode::GetElementPtr if i.operand(1).ty().int_width() != 64 => {
                let index = self.extended(i.operand(1), self.module.cx().i64(), true);
                let base = self.lookup(i.operand(0));
                let base = self.first(&base);
                let size = self.module.size_of(i.gep_type());
                let b = self.b();
                b.byte_offsets(base, b.mul(index, index.ty().constant(size)))
            }
            _ => {
                let v = self.copy_first(i);
                if self.mask.is_some() {
                    // They hold for lanes of the mask only.
                    v.drop_poison_flags();
                }
                v
            }
        }
    }

    /// The extension of a value that [`Shapes::extends`]. Lane 0 may be outside the mask, where the
    /// value may have wrapped; so the extension is computed in the wide type.
    fn extended(&mut self, v: Value<'m>, ty: Type<'m>, signed: bool) -> Value<'m> {
        if self.shapes.of_value(self.graph, v) == Shape::Uniform {
            let lanes = self.lookup(v);
            let scalar = self.first(&lanes);
            let b = self.b();
            return if signed { b.sext(scalar, ty) } else { b.zext(scalar, ty) };
        }
        if v == self.graph.counter.phi || v.opcode() == Opcode::Trunc {
            // The counter is below 2^31.
            return self.b().zext_or_trunc(self.counter, ty);
        }
        match v.opcode() {
            Opcode::ZExt => self.extended(v.operand(0), ty, false),
            Opcode::SExt => self.extended(v.operand(0), ty, true),
            opcode => {
                let x = self.extended(v.operand(0), ty, signed);
                let y = self.extended(v.operand(1), ty, signed);
                let b = self.b();
                match opcode {
                    Opcode::Add => b.add(x, y),
                    Opcode::Sub => b.sub(x, y),
                    Opcode::Mul => b.mul(x, y),
                    _ => b.shl(x, y),
                }
            }
        }
    }

    /// True if component `n` of the result depends on component `n` of the operands only.
    fn is_by_component(&self, i: Value<'m>) -> bool {
        if i.opcode() != Opcode::BitCast {
            return true;
        }
        let count = |t| leaves(t).map(|l| l.1);
        count(i.ty()) == count(i.operand(0).ty())
    }

    fn lane_wise(&mut self, i: Value<'m>) -> Lanes<'m> {
        let operands = if i.is_call() { i.args() } else { i.operands() };
        let address = i.opcode() == Opcode::GetElementPtr;
        let mut all: Vec<Vec<Value<'m>>> = Vec::new();
        for (n, o) in (0u32..).zip(operands) {
            let lanes = self.lookup(o);
            let scalar = address
                || (i.is_call() && i.has_scalar_arg(n))
                || (i.opcode() == Opcode::Select && n == 0 && !o.ty().is_vector());
            all.push(match lanes {
                Lanes::Scalar(v) if scalar => vec![v],
                other => self.components(&other, o.ty()),
            });
        }
        let count = leaves(i.ty()).map_or(1, |l| l.1) as usize;
        let division =
            matches!(i.opcode(), Opcode::UDiv | Opcode::SDiv | Opcode::URem | Opcode::SRem);
        let b = self.b();
        let parts = (0..count).map(|c| {
            let mut list: Vec<Value<'m>> =
                all.iter().map(|parts| parts.get(c).copied().unwrap_or(parts[0])).collect();
            if let (true, Some(mask)) = (division, self.mask) {
                // Lanes outside the mask must not divide by zero.
                let one = b.splat(list[1].ty().element().constant(1), self.lanes);
                list[1] = b.select(mask, list[1], one);
            }
            b.in_lanes(i, &list, self.lanes)
        });
        Lanes::Vector(parts.collect())
    }

    /// `extractelement`, `insertelement`, `shufflevector` on OpenCL vectors.
    fn elements(&mut self, i: Value<'m>) -> Lanes<'m> {
        let source = i.operand(0);
        let lanes = self.lookup(source);
        let mut parts = self.components(&lanes, source.ty());
        match i.opcode() {
            Opcode::ShuffleVector => {
                let other = self.lookup(i.operand(1));
                parts.extend(self.components(&other, source.ty()));
                let mask = i.shuffle_mask();
                let poison = parts[0].ty().poison();
                let pick = |n: &i32| usize::try_from(*n).map_or(poison, |n| parts[n]);
                Lanes::Vector(mask.iter().map(pick).collect())
            }
            Opcode::ExtractElement => {
                let index = self.lookup(i.operand(1));
                if let Some(n) = i.operand(1).as_u64() {
                    let n = usize::try_from(n).unwrap_or(usize::MAX);
                    return Lanes::Vector(vec![parts.get(n).copied().unwrap_or(parts[0])]);
                }
                let is = self.is_index(&index, i.operand(1).ty(), parts.len());
                let b = self.b();
                let mut out = parts[0];
                for (part, is) in parts.iter().zip(is).skip(1) {
                    out = b.select(is, *part, out);
                }
                Lanes::Vector(vec![out])
            }
            _ => {
                let new = self.lookup(i.operand(1));
                let new = self.components(&new, i.operand(1).ty())[0];
                let index = self.lookup(i.operand(2));
                if let Some(n) = i.operand(2).as_u64() {
                    if let Some(part) = parts.get_mut(usize::try_from(n).unwrap_or(usize::MAX)) {
                        *part = new;
                    }
                    return Lanes::Vector(parts);
                }
                let is = self.is_index(&index, i.operand(2).ty(), parts.len());
                let b = self.b();
                Lanes::Vector(
                    parts.iter().zip(is).map(|(old, is)| b.select(is, new, *old)).collect(),
                )
            }
        }
    }

    /// By number below `count`: the lanes whose index is that number.
    fn is_index(&self, index: &Lanes<'m>, ty: Type<'m>, count: usize) -> Vec<Value<'m>> {
        let v = self.components(index, ty)[0];
        let b = self.b();
        (0..count as u64)
            .map(|n| b.icmp(IntPredicate::Eq, v, b.splat(ty.constant(n), self.lanes)))
            .collect()
    }

    /// Runs the instruction for one lane after the other, in a loop.
    pub(crate) fn each_lane(&mut self, i: Value<'m>) -> Lanes<'m> {
        let cx = self.module.cx();
        let operands: Vec<(u32, Value<'m>)> = (0u32..).zip(i.operands()).collect();
        let mut all = Vec::new();
        for (n, o) in operands {
            let inside = self.graph.block_of(o).is_some() || self.shapes.privates.contains_key(&o);
            if inside {
                let lanes = self.lookup(o);
                all.push((n, o.ty(), lanes));
            }
        }
        let (leaf, count) = leaves(i.ty()).unwrap_or((cx.i32(), 0));
        let results: Vec<Value<'m>> =
            (0..count).map(|_| self.allocas().alloca(self.wide(leaf), "lanes")).collect();
        for place in &results {
            self.b().store(self.wide(leaf).poison(), *place, 0);
        }
        let head = self.f.append_block("lane");
        let run = self.f.append_block("lane.run");
        let next = self.f.append_block("lane.next");
        let done = self.f.append_block("lanes.done");
        let from = self.at;
        self.b().br(head);
        self.at = head;
        let lane = self.b().phi(cx.i32(), "lane");
        lane.add_incoming(cx.u32(0), from);
        match self.mask {
            Some(mask) => {
                let b = self.b();
                b.cond_br(b.extract_element(mask, lane), run, next);
            }
            None => {
                self.b().br(run);
            }
        }
        self.at = run;
        let new: Vec<(u32, Value<'m>)> =
            all.iter().map(|(n, ty, lanes)| (*n, self.lane(lanes, *ty, lane))).collect();
        let copy = self.b().insert_copy(i);
        for (n, v) in new {
            copy.set_operand(n, v);
        }
        let b = self.b();
        for (n, place) in (0u32..).zip(&results) {
            let part = if i.ty().is_vector() { b.extract_element(copy, cx.u32(n)) } else { copy };
            let old = b.load(self.wide(leaf), *place, 0);
            b.store(b.insert_element(old, part, lane), *place, 0);
        }
        b.br(next);
        self.at = next;
        let b = self.b();
        let following = b.add(lane, cx.u32(1));
        lane.add_incoming(following, next);
        b.cond_br(b.icmp(IntPredicate::Ult, following, cx.u32(self.lanes)), head, done);
        self.at = done;
        let b = self.b();
        Lanes::Vector(results.iter().map(|r| b.load(self.wide(leaf), *r, 0)).collect())
    }
}
