//! The loop over vectors, and the remaining iterations, which are too few to fill a vector.
//!
//! The loop over vectors runs as many iterations as fill whole vectors. Either the old loop runs
//! the remaining iterations, or one more vector under a mask does. Or vectors have a length, and
//! the loop over vectors runs all iterations. The old loop becomes unreachable except in the first
//! case.

use std::cell::RefCell;
use std::collections::BTreeMap;

use muxcl_llvm::{Block, Builder, Function, IntPredicate, LoopHints, Module, Type, Value};

use super::Widen;
use crate::cost::iterations;
use crate::graph::{Counter, Graph};
use crate::notes::Notes;
use crate::shapes::Shapes;
use crate::whole::Whole;
use crate::{Options, Rest, Width};

/// Writes the loop over vectors of `width` in front of the loop of `graph`, and the code for the
/// remaining iterations. Returns what runs for one lane after another.
pub(crate) fn run<'m>(
    module: &'m Module<'_>,
    f: Function<'m>,
    graph: &Graph<'m>,
    shapes: &Shapes<'m>,
    (width, options): (Width, Options),
) -> Notes {
    if has_length(graph, (width, options)) {
        return run_with_length(module, f, graph, shapes, (width, options));
    }
    let ty = graph.counter.phi.ty();
    let (header, start) = (graph.blocks[0], graph.counter.start);
    let check = f.append_block("vector.check");
    let enter = f.append_block("vector.enter");
    let starts = new_blocks(f, graph, "v");
    let leave = f.append_block("vector.leave");
    // `full` is the number of iterations that fill whole vectors.
    let b = Builder::at_end(check);
    let count = b.sub(graph.counter.bound, start);
    let lanes = number(&b, ty, width);
    let full = b.and(count, b.sub(ty.null(), lanes));
    let none = b.icmp(IntPredicate::Eq, full, ty.constant(0));
    // True if one vector runs all iterations, so that no loop over vectors is needed.
    let once = width.scale.is_none() && count.as_u64() == Some(width.count.into());
    Builder::at_end(enter).br(starts[0]);
    let counter = if once {
        start
    } else {
        let counter = Builder::at_end(starts[0]).phi(ty, "vector");
        counter.add_incoming(start, enter);
        counter
    };
    let sizes = (width, options.lanes * 32, options.interleave && width.scale.is_none());
    shapes.variables.iter().for_each(|v| v.localise_declarations());
    let mut w = Widen::new((module, f), graph, shapes, sizes, (starts, counter));
    w.privates = w.new_privates();
    w.masks = w.new_masks(&shapes.masked);
    w.blocks();
    // `w.at` is the end of the last block, which becomes the latch of the loop over vectors.
    let b = Builder::at_end(w.at);
    if once {
        b.br(leave);
    } else {
        let next = b.add(counter, lanes);
        counter.add_incoming(next, w.at);
        let done = b.sub(next, start);
        b.cond_br(b.icmp(IntPredicate::Ult, done, full), w.starts[0], leave)
            .set_work_item_loop(LoopHints::default());
    }
    let last = w.last_lane(&Builder::at_end(leave));
    w.pass_on(leave, last);
    let b = Builder::at_end(leave);
    let first = b.add(start, full);
    let more = b.icmp(IntPredicate::Ne, full, count);
    header.remove_predecessor(graph.before);
    let next = if once {
        None
    } else if options.rest == Rest::Scalar || fills_vectors(graph, width) {
        // The old loop starts at the first iteration that no vector has run.
        graph.counter.phi.add_incoming(start, check);
        graph.counter.phi.add_incoming(first, leave);
        Some(header)
    } else {
        Some(w.masked((full, count)))
    };
    match next {
        Some(next) => {
            Builder::at_end(check).cond_br(none, next, enter);
            Builder::at_end(leave).cond_br(more, next, graph.after);
        }
        None => {
            Builder::at_end(check).br(enter);
            Builder::at_end(leave).br(graph.after);
        }
    }
    begin_at(graph, check);
    w.notes.into_inner()
}

/// Lets the code before the loop continue at `first`.
fn begin_at<'m>(graph: &Graph<'m>, first: Block<'m>) {
    if let Some(t) = graph.before.terminator() {
        for (n, s) in (0u32..).zip(t.successors()) {
            if s == graph.blocks[0] {
                t.set_successor(n, first);
            }
        }
    }
}

/// True if the iterations are known to fill whole vectors.
fn fills_vectors(graph: &Graph<'_>, width: Width) -> bool {
    let whole = |n: u64| n.is_multiple_of(width.min().into());
    width.min() == width.max() && iterations(graph).is_some_and(whole)
}

/// True if [`run`] makes vectors with a length.
pub(crate) fn has_length(graph: &Graph<'_>, (width, options): (Width, Options)) -> bool {
    options.rest == Rest::VectorLength && !fills_vectors(graph, width)
}

/// Writes a loop over vectors of at most `width` lanes, each with a length, instead of the loop of
/// `graph`.
fn run_with_length<'m>(
    module: &'m Module<'_>,
    f: Function<'m>,
    graph: &Graph<'m>,
    shapes: &Shapes<'m>,
    (width, options): (Width, Options),
) -> Notes {
    let cx = module.cx();
    let Counter { phi, start, bound } = graph.counter;
    let ty = phi.ty();
    let enter = f.append_block("vector.enter");
    let starts = new_blocks(f, graph, "v");
    let leave = f.append_block("vector.leave");
    shapes.variables.iter().for_each(|v| v.localise_declarations());
    let sizes = (width, options.lanes * 32, false);
    let mut w = Widen::new((module, f), graph, shapes, sizes, (starts, start));
    let fits = |n: &u64| width.scale.is_none() && *n <= width.count.into();
    // One vector runs all iterations, so that no loop is needed.
    let once = iterations(graph).filter(fits);
    let b = Builder::at_end(w.starts[0]);
    let (length, step) = if let Some(count) = once {
        let length = cx.u32(u32::try_from(count).unwrap_or(width.count));
        (length, None)
    } else {
        w.counter = b.phi(ty, "vector");
        w.counter.add_incoming(start, enter);
        let left = b.sub(bound, w.counter);
        if width.scale.is_some() && shapes.counter_multiple() == 1 {
            // The processor may divide the last iterations evenly between two vectors.
            let left = b.zext_or_trunc(left, w.address_int());
            let length = b.vector_length(left, width.count, w.usual_bits());
            (length, Some(b.zext_or_trunc(length, ty)))
        } else {
            let lanes = number(&Builder::at_end(enter), ty, width);
            (b.zext_or_trunc(b.umin(left, lanes), cx.i32()), Some(lanes))
        }
    };
    Builder::at_end(enter).br(w.starts[0]);
    w.length = Some(length);
    w.privates = w.new_privates();
    w.masks = w.new_masks(&shapes.masked);
    w.blocks();
    let b = Builder::at_end(w.at);
    match step {
        None => drop(b.br(leave)),
        Some(step) => {
            let next = b.add(w.counter, step);
            w.counter.add_incoming(next, w.at);
            b.cond_br(b.icmp(IntPredicate::Ult, next, bound), w.starts[0], leave)
                .set_work_item_loop(LoopHints::default());
        }
    }
    let last = Builder::at_end(leave).sub(length, cx.u32(1));
    w.pass_on(leave, last);
    Builder::at_end(leave).br(graph.after);
    graph.blocks[0].remove_predecessor(graph.before);
    begin_at(graph, enter);
    w.notes.into_inner()
}

/// The number of lanes as a value of the integer type `ty`; with scalable vectors, it is computed
/// at run time.
pub(super) fn number<'m>(b: &Builder<'m>, ty: Type<'m>, width: Width) -> Value<'m> {
    let count = ty.constant(width.count.into());
    if width.scale.is_some() { b.mul(b.vscale(ty), count) } else { count }
}

/// Adds a new block to `f` for each block of the old loop, named after it with `suffix`.
fn new_blocks<'m>(f: Function<'m>, graph: &Graph<'m>, suffix: &str) -> Vec<Block<'m>> {
    let name = |b: &Block<'m>| format!("{}.{suffix}", b.name());
    graph.blocks.iter().map(|b| f.append_block(&name(b))).collect()
}

impl<'a, 'm, 'c> Widen<'a, 'm, 'c> {
    fn new(
        (module, f): (&'m Module<'c>, Function<'m>),
        graph: &'a Graph<'m>,
        shapes: &'a Shapes<'m>,
        (width, register_bits, interleaves): (Width, u32, bool),
        (starts, counter): (Vec<Block<'m>>, Value<'m>),
    ) -> Self {
        let whole = match interleaves && width.scale.is_none() {
            true => Whole::of(module, graph, shapes),
            false => Whole::default(),
        };
        Self {
            module,
            f,
            graph,
            shapes,
            width,
            length: None,
            register_bits,
            defined: BTreeMap::new(),
            variables: BTreeMap::new(),
            phis: BTreeMap::new(),
            masks: Vec::new(),
            deferred: vec![Default::default(); graph.blocks.len()],
            privates: BTreeMap::new(),
            counter,
            at: starts[0],
            mask: None,
            source: None,
            interleaves,
            whole,
            groups: Vec::new(),
            group_of: BTreeMap::new(),
            ready: BTreeMap::new(),
            local: BTreeMap::new(),
            split: RefCell::default(),
            notes: RefCell::default(),
            starts,
        }
    }

    /// Allocates an array for each private variable, with the elements or a copy of the variable
    /// for each lane.
    fn new_privates(&self) -> BTreeMap<Value<'m>, Value<'m>> {
        let cx = self.module.cx();
        let array = |old: &Value<'m>| {
            let size = self.shapes.copies[old];
            let all = size * u64::from(self.width.count);
            let bytes = match self.width.scale {
                Some(_) => cx.scalable_vector(cx.i8(), u32::try_from(all).unwrap_or(u32::MAX)),
                None => cx.array(cx.i8(), all),
            };
            let lanes = self.allocas().alloca(bytes, "private");
            lanes.set_align(match self.shapes.interleaved(*old) {
                Some(size) => self.interleaved_align(size),
                None => u32::try_from(old.alloca_align()).unwrap_or(1),
            });
            (*old, lanes)
        };
        self.shapes.variables.iter().map(array).collect()
    }

    /// Allocates a stack variable for the mask of each block for which `masked` is true.
    fn new_masks(&self, masked: &[bool]) -> Vec<Option<Value<'m>>> {
        let mask = self.wide(self.module.cx().i1());
        masked.iter().map(|m| m.then(|| self.allocas().alloca(mask, "mask"))).collect()
    }

    fn blocks(&mut self) {
        for n in 0..self.graph.blocks.len() {
            self.block(n);
        }
        // PHIs do not keep the values of previous vectors. So lanes outside the mask of an edge
        // need no value until another edge gives them one.
        if let Some(first) = self.starts[0].first_insertion_point() {
            let b = Builder::before(first);
            let phis = self.graph.blocks.iter().flat_map(|b| b.phis());
            for place in phis.filter_map(|phi| self.phis.get(&phi)).flatten() {
                b.store(place.allocated_type().poison(), *place, 0);
            }
        }
    }

    /// Adds the values that the block after the loop receives from `leave`. They are those of the
    /// last iteration, which ran in the lane with the number `last`.
    fn pass_on(&mut self, leave: Block<'m>, last: Value<'m>) {
        self.at = leave;
        self.source = None;
        self.local.clear();
        for phi in self.graph.after.phis() {
            let end = self.graph.blocks[self.graph.last()];
            let old = phi.incoming().iter().find(|p| p.1 == end).map(|p| p.0);
            if let Some(old) = old {
                let lanes = self.lookup(old);
                let v = self.lane(&lanes, old.ty(), last);
                phi.add_incoming(v, leave);
            }
        }
    }

    /// Writes one more vector, under a mask, for the iterations from `full` to `count - 1`. Returns
    /// its first block.
    fn masked(&self, (full, count): (Value<'m>, Value<'m>)) -> Block<'m> {
        let cx = self.module.cx();
        let enter = self.f.append_block("rest.enter");
        let starts = new_blocks(self.f, self.graph, "rest");
        let leave = self.f.append_block("rest.leave");
        let b = Builder::at_end(enter);
        let first = b.add(self.graph.counter.start, full);
        let left = b.zext_or_trunc(b.sub(count, full), cx.i32());
        let context = (self.module, self.f);
        let sizes = (self.width, self.register_bits, self.interleaves);
        let mut w = Self::new(context, self.graph, self.shapes, sizes, (starts, first));
        w.privates.clone_from(&self.privates);
        w.masks = w.new_masks(&vec![true; self.graph.blocks.len()]);
        if let Some(Some(place)) = w.masks.first() {
            w.at = enter;
            let steps = w.steps(cx.i32(), 1);
            let mask = b.icmp(IntPredicate::Ult, steps, w.splat(left));
            b.store(mask, *place, 0);
        }
        b.br(w.starts[0]);
        w.blocks();
        Builder::at_end(w.at).br(leave);
        let last = Builder::at_end(leave).sub(left, cx.u32(1));
        w.pass_on(leave, last);
        Builder::at_end(leave).br(self.graph.after);
        enter
    }
}
