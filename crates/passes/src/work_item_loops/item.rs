//! What one work-item sees at the start of a region: its slots, the group's variables, values
//! computed again.
//!
//! Not here: which value is kept how ([`crate::slots`]); cloning the region ([`super`]).

use std::collections::BTreeMap;

use muxcl_llvm::{Builder, Value, ValueMap};

use super::{Nest, Work};
use crate::PassError;
use crate::slots::{Plan, Slot};

/// The two variables of a value that is the same for the whole group; LLVM turns both into
/// registers.
#[derive(Clone, Copy)]
pub(super) struct GroupVariable {
    /// Between regions.
    pub(super) between: Value,
    /// While a work-item is in a region that computes it.
    pub(super) within: Value,
}

/// Access to slots and recomputed values from one nest.
pub(super) struct Item<'w, 'm, 'c> {
    pub(super) work: &'w Work<'m, 'c>,
    pub(super) plan: &'w Plan,
    pub(super) bases: &'w [Value],
    pub(super) variables: &'w BTreeMap<Value, GroupVariable>,
    /// The group's variables at the start of the region.
    pub(super) entry: BTreeMap<Value, Value>,
    pub(super) nest: &'w Nest,
    pub(super) index: Option<Value>,
    pub(super) addresses: BTreeMap<Value, Value>,
    pub(super) outers: BTreeMap<Value, Value>,
}

impl Item<'_, '_, '_> {
    pub(super) fn builder(&self) -> Builder {
        Builder::at_end(self.nest.item)
    }

    /// A group variable as it is in front of the region's loops: what one work-item computes for
    /// the next region must not be seen by the others in this one.
    pub(super) fn entry(&mut self, value: Value, variable: GroupVariable) -> Value {
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

    /// A value that is there without computing: a group variable, or one made before.
    pub(super) fn ready(&mut self, value: Value) -> Option<Value> {
        match self.variables.get(&value) {
            Some(variable) => Some(self.entry(value, *variable)),
            None => self.outers.get(&value).copied(),
        }
    }

    /// The number of the work-item, counted in full groups; of the sub-group, or within it, where
    /// the loop is over those.
    pub(super) fn index(&mut self) -> Value {
        if let Some(v) = self.index.or(self.nest.number) {
            return v;
        }
        let b = self.builder();
        let [x, y, z] = self.nest.local;
        let row = b.add_nuw(b.mul_nuw(z, self.work.enqueued(1)), y);
        let v = b.add_nuw(b.mul_nuw(row, self.work.enqueued(0)), x);
        self.index = Some(v);
        v
    }

    pub(super) fn array(&mut self, slot: Slot, base: Value) -> Value {
        let index = self.index();
        let b = self.builder();
        b.byte_offset(base, b.mul_nuw(index, index.cx().u64(slot.stride)))
    }

    pub(super) fn slot(&mut self, value: Value) -> Result<(Slot, Value), PassError> {
        let found = self.plan.slots.iter().zip(self.bases).find(|(s, _)| s.value == value);
        let (slot, base) = found.ok_or_else(|| Work::bug("a value has no slot"))?;
        let (slot, base) = (*slot, *base);
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

    pub(super) fn load(&mut self, value: Value, b: &Builder) -> Result<Value, PassError> {
        let (slot, address) = self.slot(value)?;
        let v = b.load(slot.ty, address, u32::try_from(slot.align).unwrap_or(1));
        self.tag(v);
        Ok(if slot.ty == value.ty() { v } else { b.trunc(v, value.ty()) })
    }

    pub(super) fn store(&mut self, value: Value, now: Value, b: &Builder) -> Result<(), PassError> {
        let (slot, address) = self.slot(value)?;
        let v = if slot.ty == now.ty() { now } else { b.zext(now, slot.ty) };
        let s = b.store(v, address, u32::try_from(slot.align).unwrap_or(1));
        self.tag(s);
        Ok(())
    }

    pub(super) fn tag(&self, access: Value) {
        if let Some(group) = self.work.access {
            access.add_access_group(group);
        }
    }

    /// The value of another region, once per work-item at the start.
    pub(super) fn outer(&mut self, value: Value, map: &ValueMap) -> Result<Value, PassError> {
        if let Some(v) = self.ready(value) {
            return Ok(v);
        }
        let v = if self.plan.again.contains(&value) {
            self.again(value, map)?
        } else {
            let b = self.builder();
            self.load(value, &b)?
        };
        self.outers.insert(value, v);
        Ok(v)
    }

    /// Computes a cheap value again at the start.
    pub(super) fn again(&mut self, value: Value, map: &ValueMap) -> Result<Value, PassError> {
        if !value.is_instruction() {
            return Ok(value);
        }
        if value.is_alloca() {
            return Ok(map.get(value).unwrap_or(value));
        }
        if let Some(v) = self.ready(value) {
            return Ok(v);
        }
        let operands: Vec<Value> = value.operands();
        let copy = value.duplicate();
        for (n, o) in (0u32..).zip(operands) {
            if o.is_instruction() {
                let v = self.again(o, map)?;
                copy.set_operand(n, v);
            }
        }
        self.builder().insert(copy);
        self.outers.insert(value, copy);
        Ok(copy)
    }
}
