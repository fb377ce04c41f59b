//! The live-in values of one work-item at the start of a region: loads from slots, group variables,
//! and rematerialized values.
//!
//! Not here: the choice between them ([`crate::slots`]); cloning the region ([`super::region`]).

use std::collections::BTreeMap;

use muxcl_llvm::{Builder, Value, ValueMap};

use super::kept::Kept;
use super::{GroupFunctionBuilder, Nest, dimension};
use crate::PassError;
use crate::slots::{Plan, ScratchSlot};

/// The two variables of a uniform value of the group. LLVM promotes both to registers.
#[derive(Clone, Copy)]
pub(super) struct GroupVariable<'m> {
    /// The value between regions.
    pub(super) between: Value<'m>,
    /// The value inside a region that computes it.
    pub(super) within: Value<'m>,
}

/// Gives a nest access to slots and rematerialized values.
pub(super) struct Item<'w, 'm, 'c> {
    pub(super) work: &'w GroupFunctionBuilder<'m, 'c>,
    pub(super) plan: &'w Plan<'m>,
    pub(super) bases: &'w [Value<'m>],
    pub(super) kept: &'w Kept<'m>,
    pub(super) variables: &'w BTreeMap<Value<'m>, GroupVariable<'m>>,
    /// The values of the group variables at the start of the region.
    pub(super) entry: BTreeMap<Value<'m>, Value<'m>>,
    pub(super) nest: &'w Nest<'m>,
    pub(super) index: Option<Value<'m>>,
    pub(super) addresses: BTreeMap<Value<'m>, Value<'m>>,
    pub(super) live_ins: BTreeMap<Value<'m>, Value<'m>>,
}

impl<'m> Item<'_, 'm, '_> {
    pub(super) fn builder(&self) -> Builder<'m> {
        Builder::at_end(self.nest.item)
    }

    /// The value of a group variable before the region's loops. A work-item's result for the next
    /// region must stay invisible to the other work-items in this region.
    pub(super) fn entry(&mut self, value: Value<'m>, variable: GroupVariable<'m>) -> Value<'m> {
        if let Some(v) = self.entry.get(&value) {
            return *v;
        }
        let b = match self.nest.first.terminator() {
            Some(t) => Builder::before(t),
            None => self.builder(),
        };
        let v = b.load(value.ty(), variable.between, 0);
        self.entry.insert(value, v);
        v
    }

    /// A value that needs no computation: a group variable, or a value that exists already.
    pub(super) fn ready(&mut self, value: Value<'m>) -> Option<Value<'m>> {
        match self.variables.get(&value) {
            Some(variable) => Some(self.entry(value, *variable)),
            None => self.live_ins.get(&value).copied(),
        }
    }

    /// The index of the iteration: the work-item's number, counted in full groups and in the order
    /// of the loops, so that lanes access a slot with stride one; or the sub-group's number, or the
    /// work-item's number in its sub-group, depending on the level.
    pub(super) fn index(&mut self) -> Value<'m> {
        if let Some(v) = self.index.or(self.nest.number) {
            return v;
        }
        let b = self.builder();
        let [outer, middle, inner] = dimension::order(self.work.innermost);
        let local = |d: u32| self.nest.local[d as usize];
        let row = b.add_nuw(b.mul_nuw(local(outer), self.work.enqueued(middle)), local(middle));
        let v = b.add_nuw(b.mul_nuw(row, self.work.enqueued(inner)), local(inner));
        self.index = Some(v);
        v
    }

    pub(super) fn array(&mut self, slot: ScratchSlot<'m>, base: Value<'m>) -> Value<'m> {
        let index = self.index();
        let b = self.builder();
        b.byte_offset(base, b.mul_nuw(index, index.cx().u64(slot.stride)))
    }

    pub(super) fn slot(
        &mut self,
        value: Value<'m>,
    ) -> Result<(ScratchSlot<'m>, Value<'m>), PassError> {
        let number = self.kept.slot_of(value);
        let number = number.ok_or_else(|| GroupFunctionBuilder::bug("a value has no slot"))?;
        let (slot, base) = (self.plan.slots[number], self.bases[number]);
        let address = match self.addresses.get(&value) {
            Some(a) => *a,
            None => {
                let index = self.index();
                let a = self.builder().gep(slot.ty, base, &[index]);
                self.addresses.insert(value, a);
                a
            }
        };
        Ok((slot, address))
    }

    pub(super) fn load(
        &mut self,
        value: Value<'m>,
        b: &Builder<'m>,
    ) -> Result<Value<'m>, PassError> {
        let (slot, address) = self.slot(value)?;
        let v = b.load(slot.ty, address, u32::try_from(slot.align).unwrap_or(1));
        self.tag(v);
        Ok(if slot.ty == value.ty() { v } else { b.trunc(v, value.ty()) })
    }

    pub(super) fn store(
        &mut self,
        value: Value<'m>,
        now: Value<'m>,
        b: &Builder<'m>,
    ) -> Result<(), PassError> {
        let (slot, address) = self.slot(value)?;
        let v = if slot.ty == now.ty() { now } else { b.zext(now, slot.ty) };
        let s = b.store(v, address, u32::try_from(slot.align).unwrap_or(1));
        self.tag(s);
        Ok(())
    }

    pub(super) fn tag(&self, access: Value<'m>) {
        if let Some(group) = self.work.access {
            access.add_access_group(group);
        }
    }

    /// A value of another region; computed or loaded once per work-item, at the region's start.
    pub(super) fn live_in(
        &mut self,
        value: Value<'m>,
        map: &ValueMap<'m>,
    ) -> Result<Value<'m>, PassError> {
        if let Some(v) = self.ready(value) {
            return Ok(v);
        }
        let v = if self.plan.rematerialized.contains(&value) {
            self.rematerialize(value, map)?
        } else {
            let b = self.builder();
            self.load(value, &b)?
        };
        self.live_ins.insert(value, v);
        Ok(v)
    }

    /// Rematerializes a cheap value at the region's start.
    pub(super) fn rematerialize(
        &mut self,
        value: Value<'m>,
        map: &ValueMap<'m>,
    ) -> Result<Value<'m>, PassError> {
        if !value.is_instruction() {
            return Ok(value);
        }
        if value.is_alloca() {
            return Ok(map.get(value).unwrap_or(value));
        }
        if let Some(v) = self.ready(value) {
            return Ok(v);
        }
        let mut operands = Vec::new();
        for (n, o) in (0u32..).zip(value.operands()) {
            if o.is_instruction() {
                operands.push((n, self.rematerialize(o, map)?));
            }
        }
        let copy = self.builder().insert_copy(value);
        for (n, v) in operands {
            copy.set_operand(n, v);
        }
        self.live_ins.insert(value, copy);
        Ok(copy)
    }
}
