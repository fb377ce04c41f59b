//! The loop over vectors.
//!
//! Blocks are visited in the order of [`Graph`]. A varying branch becomes straight-line code: each
//! lane is entered in the mask of its target block. The first target runs next; the others are
//! *deferred* and run later. A uniform branch stays a branch. Expensive blocks are skipped if their
//! mask is empty.
//!
//! Values that other blocks use, masks and PHIs are kept in variables on the stack, which become
//! registers at the end. So no value needs to dominate its uses while the graph changes.

mod access;
pub(crate) mod atomics;
mod cross_lane;
mod debug;
mod division;
mod each_lane;
mod group_access;
mod in_memory;
mod instructions;
mod interleaved;
mod length;
pub(crate) mod partner;
mod prefetch;
pub(crate) mod regular;
mod rest;
mod scalable;
mod transpose;
mod values;
mod variants;
mod zip;

pub(crate) use rest::{has_length, run};

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};

use muxcl_llvm::{Block, Function, Module, Opcode, Value};

use crate::Width;
use crate::graph::Graph;
use crate::groups::Group;
use crate::notes::{Note, Notes};
use crate::shapes::{Lowering, Shape, Shapes, lowering};
use crate::whole::Whole;

/// A value for all lanes.
#[derive(Debug, Clone)]
pub(crate) enum Lanes<'m> {
    /// The same for all.
    Scalar(Value<'m>),
    /// The value of lane 0, and the distance from lane to lane.
    Strided(Value<'m>, i64),
    /// A vector for each scalar that the value consists of.
    Vector(Vec<Value<'m>>),
    /// One vector with the elements of lane 0, then those of lane 1, and so on.
    Whole(Value<'m>),
}

pub(crate) struct Widen<'a, 'm, 'c> {
    module: &'m Module<'c>,
    f: Function<'m>,
    graph: &'a Graph<'m>,
    shapes: &'a Shapes<'m>,
    width: Width,
    /// The number of lanes that run, an `i32`, of at least one; `None`: all lanes.
    length: Option<Value<'m>>,
    /// The size of a vector register in bits.
    register_bits: u32,
    /// The new block of each old one.
    starts: Vec<Block<'m>>,
    /// By value of the old loop: the block that computes it, and its lanes.
    defined: BTreeMap<Value<'m>, (Block<'m>, Lanes<'m>)>,
    /// Stack variables of values that other blocks use.
    variables: BTreeMap<Value<'m>, Vec<Value<'m>>>,
    /// The stack variables of PHIs.
    phis: BTreeMap<Value<'m>, Vec<Value<'m>>>,
    /// By block: the variable of its mask.
    masks: Vec<Option<Value<'m>>>,
    /// By block: the blocks that are deferred while it runs.
    deferred: Vec<BTreeSet<usize>>,
    /// By private variable: the array with a copy for each lane.
    privates: BTreeMap<Value<'m>, Value<'m>>,
    /// The iteration of lane 0.
    counter: Value<'m>,
    /// The block that is being written.
    at: Block<'m>,
    /// Its mask; `None`: all lanes. It has no meaning for lanes at and beyond the length.
    mask: Option<Value<'m>>,
    /// The scalar instruction whose counterpart is being written. New instructions get its debug
    /// location.
    source: Option<Value<'m>>,
    /// True if groups of accesses with a constant distance become consecutive accesses.
    interleaves: bool,
    /// The OpenCL vectors that stay whole.
    whole: Whole<'m>,
    /// The groups of accesses of the block.
    groups: Vec<Group<'m>>,
    /// By access: the number of its group in `groups`.
    group_of: BTreeMap<Value<'m>, usize>,
    /// By access in a group: the vectors that are loaded already, or that a later store stores.
    ready: BTreeMap<Value<'m>, Vec<Value<'m>>>,
    /// The values that it has computed or read so far.
    local: BTreeMap<Value<'m>, Lanes<'m>>,
    /// By block and whole OpenCL vector: the vectors of lanes of its components.
    split: RefCell<BTreeMap<(Block<'m>, Value<'m>), Vec<Value<'m>>>>,
    /// What runs for one lane after another.
    notes: RefCell<Notes>,
}

/// A block with at most this many instructions is not worth a test of its mask.
const CHEAP: usize = 12;

impl<'m> Widen<'_, 'm, '_> {
    /// Notes that `i` runs for one lane after another, in this way.
    fn note(&self, way: &str, i: Value<'m>) {
        self.notes.borrow_mut().insert(Note::new(way, i));
    }

    fn block(&mut self, n: usize) {
        self.at = self.starts[n];
        self.source = None;
        self.local.clear();
        let cx = self.module.cx();
        let mask = self.wide(cx.i1());
        self.mask = self.masks[n].map(|m| self.b().load(mask, m, 0));
        self.find_groups(n);
        let level = self.graph.innermost[n];
        if n == 0 || level.is_some_and(|l| self.graph.loops[l].header == n) {
            // An iteration begins: no lane has reached its other blocks.
            for (other, place) in self.masks.iter().enumerate() {
                if let Some(place) =
                    place.filter(|_| other != n && self.graph.innermost[other] == level)
                {
                    self.b().store(mask.null(), place, 0);
                }
            }
        }
        if let Some(l) = level.filter(|l| self.graph.loops[*l].header == n)
            && self.shapes.divergent[l]
        {
            // Lanes that left in earlier iterations wait in the exits.
            self.deferred[n].extend(self.graph.loops[l].exits.iter().map(|(_, to)| *to));
        }
        for i in self.graph.blocks[n].instructions() {
            self.source = Some(i);
            self.variables_of_source(i);
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
        let some_leave =
            |l: usize| self.shapes.divergent[l] && targets.iter().any(|s| !self.graph.is_in(*s, l));
        let around = (0..self.graph.loops.len()).filter(|l| self.graph.is_in(n, *l));
        let left: Vec<usize> = around.clone().filter(|l| some_leave(*l)).collect();
        // All lanes of a loop are in its header together. If they leave it there by a uniform
        // branch, no lane remains in the loop.
        let all_leave =
            |l: usize| self.graph.loops[l].header == n && self.graph.loops[l].latch != n;
        let exits = !left.is_empty() && !matches!(left[..], [l] if all_leave(l));
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
            let (b, all) = (self.b(), self.all());
            let taken = mask.map_or(c, |m| b.select(m, c, c.ty().null()));
            // One comparison suffices for both edges.
            let other = b.xor(mask.unwrap_or(all), taken);
            vec![Some(taken), Some(other)]
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
            b.cond_br(self.some(edge), self.starts[header], out);
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
            let count = if self.whole.contains(phi) { phi.ty().vector_len() } else { 1 };
            let edge = self.element_mask(Some(edge), count).unwrap_or(edge);
            let b = self.b();
            for (new, place) in self.parts_of(phi, &lanes).into_iter().zip(&variable) {
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
            let waits = self.some(b.load(self.wide(cx.i1()), place, 0));
            let skip = self.f.append_block("skip");
            b.cond_br(waits, self.starts[*s], skip);
            self.at = skip;
        }
    }

    /// True if a block is worth a test that a lane runs it, or must not run without one. One access
    /// under an empty mask costs less than a test that the processor predicts wrongly.
    fn is_expensive(&self, n: usize) -> bool {
        let list = self.graph.blocks[n].instructions();
        let (accesses, others): (Vec<_>, Vec<_>) =
            list.iter().copied().partition(|i| self.is_consecutive(*i));
        self.graph.innermost[n].is_some_and(|l| self.graph.loops[l].header == n)
            || list.len() > CHEAP
            || accesses.len() > 1
            || others.iter().any(|i| {
                !matches!(lowering(*i), Lowering::LaneWise | Lowering::Elements | Lowering::Hint)
                    || matches!(
                        i.opcode(),
                        Opcode::UDiv | Opcode::SDiv | Opcode::URem | Opcode::SRem
                    )
            })
    }
}
