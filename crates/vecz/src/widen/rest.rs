//! The loop over vectors, and the remaining iterations, which are too few to fill a vector.
//!
//! The loop over vectors runs as many iterations as fill whole vectors. Either the old loop runs
//! the remaining iterations, or one more vector under a mask does. In the second case the old loop
//! becomes unreachable.

use std::cell::RefCell;
use std::collections::BTreeMap;

use muxcl_llvm::{Block, Builder, Function, IntPredicate, LoopHints, Module, Type, Value};

use super::Widen;
use crate::graph::Graph;
use crate::notes::Notes;
use crate::shapes::Shapes;
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
    let whole = count.as_u64().is_some_and(|n| n.is_multiple_of(width.min().into()));
    let whole = whole && width.scale.is_none();
    let next = if once {
        None
    } else if options.rest == Rest::Scalar || whole {
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
    if let Some(t) = graph.before.terminator() {
        for (n, s) in (0u32..).zip(t.successors()) {
            if s == header {
                t.set_successor(n, check);
            }
        }
    }
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
        Self {
            module,
            f,
            graph,
            shapes,
            width,
            register_bits,
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
            groups: Vec::new(),
            group_of: BTreeMap::new(),
            ready: BTreeMap::new(),
            local: BTreeMap::new(),
            notes: RefCell::default(),
            starts,
        }
    }

    /// Allocates an array for each private variable, with a copy of the variable for each lane.
    fn new_privates(&self) -> BTreeMap<Value<'m>, Value<'m>> {
        let cx = self.module.cx();
        let array = |old: &Value<'m>| {
            let size = self.shapes.privates[old];
            let all = size * u64::from(self.width.count);
            let bytes = match self.width.scale {
                Some(_) => cx.scalable_vector(cx.i8(), u32::try_from(all).unwrap_or(u32::MAX)),
                None => cx.array(cx.i8(), all),
            };
            let lanes = self.allocas().alloca(bytes, "private");
            lanes.set_align(u32::try_from(old.alloca_align()).unwrap_or(1));
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
