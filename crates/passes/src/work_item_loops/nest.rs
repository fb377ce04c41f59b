//! The loop nests of regions, and the ids of the work-item in each iteration.
//!
//! A nest at level [`Level::Items`] has one loop per dimension; the other levels have one loop. Not
//! here: the regions inside ([`super::region`]).

use muxcl_llvm::{Along, Block, Builder, IntPredicate, LoopHints, Opcode, Value};

use super::dimension;
use super::sub_groups::Paths;
use super::{GroupFunctionBuilder, GroupParams, GroupValues};
use crate::PassError;
use crate::names::{SUB_GROUP_INDEX, WorkItem};
use crate::work_items::{self, Field, Values};

/// The kind of iterations of a loop nest.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Level {
    /// The work-items of a group.
    Items,
    /// The work-items of one sub-group.
    Lanes,
    /// The sub-groups of a group, one per iteration.
    SubGroups,
}

impl Level {
    /// True if the function gives different results in different iterations.
    pub(super) fn differs(self, what: WorkItem) -> bool {
        use WorkItem as W;
        match self {
            Self::Items => matches!(
                what,
                W::GlobalId
                    | W::LocalId
                    | W::GlobalLinearId
                    | W::LocalLinearId
                    | W::SubGroupId
                    | W::SubGroupLocalId
                    | W::SubGroupSize
            ),
            Self::Lanes => {
                matches!(
                    what,
                    W::GlobalId
                        | W::LocalId
                        | W::GlobalLinearId
                        | W::LocalLinearId
                        | W::SubGroupLocalId
                )
            }
            Self::SubGroups => what == W::SubGroupIndex,
        }
    }
}

/// A loop nest.
pub(super) struct Nest<'m> {
    /// Entry block: branch here to run the nest.
    pub(super) first: Block<'m>,
    /// Start of each iteration, in front of the region's blocks; has no terminator yet.
    pub(super) item: Block<'m>,
    /// The latch, the last block of each iteration; has its terminator.
    pub(super) latch: Block<'m>,
    /// Exit block, behind the last iteration; has no terminator yet.
    pub(super) after: Block<'m>,
    /// Local ids.
    pub(super) local: [Value<'m>; 3],
    /// The loop's counter, if the nest is one loop.
    pub(super) number: Option<Value<'m>>,
    /// Insertion point for the computation of ids.
    ids: Option<Value<'m>>,
    /// True if one work-item runs the region for all active ones, while they are divergent.
    pub(super) for_all: bool,
}

impl<'m> Nest<'m> {
    /// A nest without loops, for the sub-group `number`.
    pub(super) fn for_sub_group(
        first: Block<'m>,
        item: Block<'m>,
        latch: Block<'m>,
        after: Block<'m>,
        number: Value<'m>,
    ) -> Self {
        let zero = number.cx().u64(0);
        Self {
            first,
            item,
            latch,
            after,
            local: [zero; 3],
            number: Some(number),
            ids: None,
            for_all: false,
        }
    }
}

/// Values that all nests of one sub-group share, computed in the prologue.
#[derive(Clone, Copy)]
pub(super) struct SubGroup<'m> {
    /// The sub-group's number, `i64`.
    pub(super) id: Value<'m>,
    /// The number of its work-items, `i64`.
    pub(super) lanes: Value<'m>,
    /// The local linear id of its first work-item.
    first: Value<'m>,
}

/// The values of one work-item in a loop nest.
pub(super) struct ItemValues<'m> {
    group: GroupValues<'m>,
    local: [Value<'m>; 3],
    global: [Value<'m>; 3],
    sub_group: Option<Value<'m>>,
    lane: Option<Value<'m>>,
    lanes: Option<Value<'m>>,
}

impl<'m> Values<'m> for ItemValues<'m> {
    fn get(&self, b: &Builder<'m>, field: Field, dimension: u32) -> Value<'m> {
        match field {
            Field::LocalId => self.local[dimension as usize],
            _ => self.group.get(b, field, dimension),
        }
    }
    fn global_id(&self, _b: &Builder<'m>, dimension: u32) -> Value<'m> {
        self.global[dimension as usize]
    }
    fn work_dim(&self, b: &Builder<'m>) -> Value<'m> {
        self.group.work_dim(b)
    }
    fn extra(&self, b: &Builder<'m>) -> Value<'m> {
        self.group.extra(b)
    }
    fn local_base(&self, b: &Builder<'m>) -> Value<'m> {
        self.group.local_base(b)
    }
    fn width(&self) -> u32 {
        self.group.width()
    }
    fn sub_group(&self) -> Option<Value<'m>> {
        self.sub_group
    }
    fn lane(&self) -> Option<Value<'m>> {
        self.lane
    }
    fn lanes(&self) -> Option<Value<'m>> {
        self.lanes
    }
}

impl<'m> GroupFunctionBuilder<'m, '_> {
    /// A size of the full group: a constant if it is known.
    pub(super) fn enqueued(&self, d: u32) -> Value<'m> {
        match self.config.local_size {
            Some(size) => self.module.cx().u64(size[d as usize].into()),
            None => self.group.param(GroupParams::of(Field::Enqueued, d)),
        }
    }

    /// A size of this group: a constant if it is known.
    fn size(&self, d: u32) -> Value<'m> {
        match self.config.local_size {
            Some(size) if self.config.uniform || size[d as usize] == 1 => {
                self.module.cx().u64(size[d as usize].into())
            }
            _ => self.group.param(GroupParams::of(Field::LocalSize, d)),
        }
    }

    /// The number of iterations of a full group, for which scratch memory has room.
    pub(super) fn count_of_full(&self, b: &Builder<'m>) -> Value<'m> {
        let items = b.mul_nuw(b.mul_nuw(self.enqueued(0), self.enqueued(1)), self.enqueued(2));
        match self.level {
            Level::SubGroups => work_items::ceil_div(b, items, self.group.width),
            _ => items,
        }
    }

    /// The number of sub-groups in this group.
    pub(super) fn count(&self, b: &Builder<'m>) -> Value<'m> {
        work_items::ceil_div(b, self.items(b), self.group.width)
    }

    /// The number of work-items in this group.
    fn items(&self, b: &Builder<'m>) -> Value<'m> {
        b.mul_nuw(b.mul_nuw(self.size(0), self.size(1)), self.size(2))
    }

    /// True if every sub-group is known to have the full number of work-items.
    pub(super) fn has_full_sub_groups(&self) -> bool {
        let sizes = [0, 1, 2].map(|d| self.size(d).as_u64());
        let items = sizes.into_iter().try_fold(1, |items: u64, size| items.checked_mul(size?));
        items.is_some_and(|n| n % u64::from(self.group.width) == 0)
    }

    /// Computes the values that the nests of a sub-group share, in the prologue.
    pub(super) fn make_sub_group(&mut self) -> Result<(), PassError> {
        let cx = self.module.cx();
        let index = self.module.get_or_add_function(SUB_GROUP_INDEX, cx.function(cx.i64(), &[]));
        for name in ["nounwind", "willreturn"] {
            index.add_attribute(name);
        }
        index.add_attribute_value("memory", 0);
        let b = Builder::before(self.prologue_end()?);
        let width = cx.u64(self.group.width.into());
        let id = b.call(index, &[]);
        let first = b.mul_nuw(id, width);
        let items = self.items(&b);
        let lanes =
            if self.has_full_sub_groups() { width } else { b.umin(b.sub(items, first), width) };
        self.sub_group = Some(SubGroup { id, lanes, first });
        Ok(())
    }

    /// Makes the loops of one nest. `once`: for the first work-item only.
    pub(super) fn nest(&self, name: &str, once: bool) -> Nest<'m> {
        match self.level {
            Level::Items => self.nest_of_items(name),
            Level::Lanes => {
                // In lockstep, the loop has an iteration for each lane of the vector, even if the
                // sub-group has fewer work-items.
                let all = self.lockstep.then(|| self.module.cx().u64(self.group.width.into()));
                let count = all.or(self.sub_group.map(|s| s.lanes)).filter(|_| !once);
                let mut nest = self.nest_of(name, count);
                self.name_lane(&mut nest);
                nest
            }
            Level::SubGroups => {
                let count = self.prologue.terminator().map(|end| self.count(&Builder::before(end)));
                self.nest_of(name, count)
            }
        }
    }

    /// Makes the loops, [`dimension::order`] outermost first. A dimension of constant size 1 gets
    /// no loop.
    fn nest_of_items(&self, name: &str) -> Nest<'m> {
        let cx = self.module.cx();
        let first = self.f.append_block(&format!("{name}.first"));
        let mut local = [cx.u64(0); 3];
        let mut headers: Vec<(u32, Block<'m>, Value<'m>)> = Vec::new();
        let mut at = first;
        for d in dimension::order(self.innermost) {
            if self.size(d).as_u64() == Some(1) {
                continue;
            }
            let header = self.f.append_block(&format!("{name}.{}", ["x", "y", "z"][d as usize]));
            Builder::at_end(at).br(header);
            let b = Builder::at_end(header);
            let phi = b.phi(cx.i64(), &format!("local.{}", ["x", "y", "z"][d as usize]));
            phi.add_incoming(cx.u64(0), at);
            local[d as usize] = phi;
            headers.push((d, header, phi));
            at = header;
        }
        let latch = self.f.append_block(&format!("{name}.latch"));
        let mut end = latch;
        let along = [Along::X, Along::Y, Along::Z];
        let innermost = headers.last().map(|h| h.0);
        for (d, header, phi) in headers.iter().rev() {
            let branch;
            (branch, end) = self.close(name, end, *header, *phi, self.size(*d));
            if Some(*d) == innermost {
                branch.set_work_item_loop(self.loop_hints(along[*d as usize]));
            }
        }
        let after = self.after(name, latch, end);
        Nest { first, item: at, latch, after, local, number: None, ids: None, for_all: false }
    }

    /// Hints for the innermost loop over work-items. LLVM would unroll a short one before its
    /// vectorizer sees it.
    fn loop_hints(&self, along: Along) -> LoopHints<'m> {
        LoopHints {
            parallel: self.access,
            vectorize: !self.large,
            items: self.record.is_none().then_some(along),
        }
    }

    /// Makes one loop, or none.
    fn nest_of(&self, name: &str, count: Option<Value<'m>>) -> Nest<'m> {
        let cx = self.module.cx();
        let first = self.f.append_block(&format!("{name}.first"));
        let item = self.f.append_block(&format!("{name}.item"));
        let latch = self.f.append_block(&format!("{name}.latch"));
        let Some(count) = count.filter(|n| n.as_u64() != Some(1)) else {
            let ids = Some(Builder::at_end(first).br(item));
            let after = self.after(name, latch, latch);
            return Nest {
                first,
                item,
                latch,
                after,
                local: [cx.u64(0); 3],
                number: Some(cx.u64(0)),
                ids,
                for_all: false,
            };
        };
        let header = self.f.append_block(&format!("{name}.header"));
        header.move_before(item);
        Builder::at_end(first).br(header);
        let b = Builder::at_end(header);
        let phi = b.phi(cx.i64(), if self.level == Level::Lanes { "lane" } else { "sub.group" });
        phi.add_incoming(cx.u64(0), first);
        let ids = Some(b.br(item));
        let (branch, after) = self.close(name, latch, header, phi, count);
        if self.level == Level::Lanes {
            branch.set_work_item_loop(self.loop_hints(Along::SubGroup));
        }
        Nest {
            first,
            item,
            latch,
            after,
            local: [cx.u64(0); 3],
            number: Some(phi),
            ids,
            for_all: false,
        }
    }

    /// Makes a nest in which the first work-item at region `n` runs the region. Afterwards, all
    /// active work-items continue at region `exit`.
    pub(super) fn nest_for_all(
        &self,
        name: &str,
        paths: &Paths<'m>,
        n: usize,
        exit: usize,
    ) -> Nest<'m> {
        let cx = self.module.cx();
        let block = |part: &str| self.f.append_block(&format!("{name}.{part}"));
        let (first, found, item, latch, after) =
            (block("first"), block("found"), block("item"), block("latch"), block("after"));
        let lanes = self.sub_group.map_or_else(|| cx.u64(1), |s| s.lanes);
        let none = cx.u64(u64::MAX);
        let lane = self.fold((first, found), lanes, none, |b, lane, least| {
            b.umin(b.select(self.is_at(b, paths, n, lane), lane, none), least)
        });
        let ids = Some(Builder::at_end(found).br(item));
        let to = cx.u32(paths.ranks.get(exit).copied().unwrap_or(0));
        self.fold((latch, after), lanes, cx.u32(0), |b, lane, all| {
            let place = self.place(b, paths, lane);
            let at = b.load(cx.i32(), place, 4);
            b.store(b.select(self.is_at(b, paths, n, lane), to, at), place, 4);
            all
        });
        let mut nest = Nest {
            first,
            item,
            latch,
            after,
            local: [cx.u64(0); 3],
            number: Some(lane),
            ids,
            for_all: true,
        };
        self.name_lane(&mut nest);
        nest
    }

    /// Closes a loop at `end`. Returns its branch and the block behind the loop.
    fn close(
        &self,
        name: &str,
        end: Block<'m>,
        header: Block<'m>,
        phi: Value<'m>,
        count: Value<'m>,
    ) -> (Value<'m>, Block<'m>) {
        let b = Builder::at_end(end);
        let next = b.add_nuw(phi, self.module.cx().u64(1));
        let more = b.icmp(IntPredicate::Ult, next, count);
        phi.add_incoming(next, end);
        let out = self.f.append_block(&format!("{name}.next"));
        (b.cond_br(more, header, out), out)
    }

    /// The block behind all loops; a new one if no loop exists.
    fn after(&self, name: &str, latch: Block<'m>, end: Block<'m>) -> Block<'m> {
        if end != latch {
            return end;
        }
        let out = self.f.append_block(&format!("{name}.after"));
        Builder::at_end(latch).br(out);
        out
    }

    /// Computes the local ids of a lane from its local linear id in the group.
    fn name_lane(&self, nest: &mut Nest<'m>) {
        let (Some(sub), Some(lane), Some(ids)) = (self.sub_group, nest.number, nest.ids) else {
            return;
        };
        let cx = self.module.cx();
        let one = |d| self.size(d).as_u64() == Some(1);
        let inside = Builder::before(ids);
        let linear = inside.add_nuw(sub.first, lane);
        if one(1) && one(2) {
            nest.local = [linear, cx.u64(0), cx.u64(0)];
            return;
        }
        let rows = self.size(0).as_u64().is_some_and(|n| n % u64::from(self.group.width) == 0);
        let (x, rest, b) = match self.prologue.terminator() {
            // All work-items of the sub-group are in one row.
            Some(end) if rows => {
                let before = Builder::before(end);
                let x = before.urem(sub.first, self.size(0));
                (inside.add_nuw(x, lane), before.udiv(sub.first, self.size(0)), before)
            }
            _ => (
                inside.urem(linear, self.size(0)),
                inside.udiv(linear, self.size(0)),
                Builder::before(ids),
            ),
        };
        nest.local = if one(2) {
            [x, rest, cx.u64(0)]
        } else {
            [x, b.urem(rest, self.size(1)), b.udiv(rest, self.size(1))]
        };
    }

    /// Lowers the calls in a nest's blocks. This step comes last.
    pub(super) fn lower_items(
        &self,
        nest: &Nest<'m>,
        blocks: &[Block<'m>],
    ) -> Result<(), PassError> {
        let calls: Vec<Value<'m>> = blocks
            .iter()
            .chain([&nest.item])
            .flat_map(|b| b.instructions())
            .filter(|i| work_items::is_lowerable(*i))
            .collect();
        if calls.is_empty() {
            return Ok(());
        }
        let before = Builder::before(self.prologue_end()?);
        let at = match nest.ids {
            Some(ids) => Some(ids),
            None => nest.item.first_insertion_point(),
        };
        let inside = Builder::before(at.ok_or_else(|| Self::bug("an empty block of a work-item"))?);
        let mut global = [self.module.cx().u64(0); 3];
        let readers = |d: u32| {
            calls.iter().filter(move |c| {
                c.args().first().and_then(|a| a.as_u64()).is_none_or(|n| n == d.into())
            })
        };
        let is_read = |d: u32| readers(d).next().is_some();
        for d in (0..3u32).filter(|d| self.level != Level::SubGroups && is_read(*d)) {
            let group = self.group.param(GroupParams::of(Field::GroupId, d));
            let offset = self.group.param(GroupParams::of(Field::Offset, d));
            let base = before.add_nuw(before.mul_nuw(group, self.enqueued(d)), offset);
            let local = nest.local[d as usize];
            let narrow = self.config.small_ids && readers(d).any(|c| is_narrowed(*c));
            global[d as usize] = if narrow {
                self.small_id(&before, &inside, base, local)
            } else {
                inside.add_nuw_nsw(base, local)
            };
        }
        let (sub_group, lane) = match self.level {
            Level::Items => (None, None),
            Level::Lanes => (self.sub_group.map(|s| s.id), nest.number),
            Level::SubGroups => (nest.number, None),
        };
        let values = ItemValues {
            group: self.group,
            local: nest.local,
            global,
            sub_group,
            lane,
            lanes: self.sub_group.map(|s| s.lanes),
        };
        for call in calls {
            work_items::lower(call, &values);
        }
        Ok(())
    }

    /// A global id below 2^31. A 32-bit sum suffices, so `(int)get_global_id(0)` and its sign
    /// extension fold away.
    fn small_id(
        &self,
        before: &Builder<'m>,
        inside: &Builder<'m>,
        base: Value<'m>,
        local: Value<'m>,
    ) -> Value<'m> {
        let cx = self.module.cx();
        let base = before.trunc(base, cx.i32());
        let sum = inside.add_nuw_nsw(base, inside.trunc(local, cx.i32()));
        inside.zext(sum, cx.i64())
    }
}

/// True if a use of an id may be a conversion to a type of fewer bits. LLVM also writes these with
/// shifts and masks.
fn is_narrowed(id: Value<'_>) -> bool {
    id.users().into_iter().any(|user| match user.opcode() {
        Opcode::Trunc | Opcode::Shl | Opcode::And => true,
        Opcode::Mul => user.operand(1).as_u64().is_some(),
        _ => false,
    })
}
