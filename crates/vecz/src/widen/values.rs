//! The values of the old loop for all lanes: where they are kept between blocks, and conversions
//! between their forms.

use muxcl_llvm::{Builder, Type, Value};

use super::rest::number;
use super::{Lanes, Widen};
use crate::shapes::{Shape, elements_of};

impl<'m> Widen<'_, 'm, '_> {
    pub(super) fn b(&self) -> Builder<'m> {
        // A block that is complete gets only stores to variables, see `variable_of`.
        let b = self.at.terminator().map_or_else(|| Builder::at_end(self.at), Builder::before);
        if let Some(source) = self.source {
            b.set_location(source);
        }
        b
    }

    pub(super) fn allocas(&self) -> Builder<'m> {
        let entry = self.f.entry();
        match entry.first_insertion_point() {
            Some(i) => Builder::before(i),
            None => Builder::at_end(entry),
        }
    }

    /// The vector type with an element for each lane.
    pub(super) fn wide(&self, element: Type<'m>) -> Type<'m> {
        self.wide_of(element, 1)
    }

    /// The vector type with `count` elements for each lane.
    pub(super) fn wide_of(&self, element: Type<'m>, count: u32) -> Type<'m> {
        let (cx, count) = (element.cx(), self.width.count * count);
        match self.width.scale {
            Some(_) => cx.scalable_vector(element, count),
            None => cx.vector(element, count),
        }
    }

    /// A vector with the scalar `v` in all lanes.
    pub(super) fn splat(&self, v: Value<'m>) -> Value<'m> {
        match self.width.scale {
            Some(_) => self.b().scalable_splat(v, self.width.count),
            None => self.b().splat(v, self.width.count),
        }
    }

    /// The vector 0, `step`, 2 * `step`, ... of integers of type `ty`.
    pub(super) fn steps(&self, ty: Type<'m>, step: i64) -> Value<'m> {
        if self.width.scale.is_none() {
            return ty.steps(step, self.width.count);
        }
        let b = self.b();
        // Integers of fewer than 16 bits may be too small for the number of a lane, so the lanes
        // are numbered in 16 bits and truncated.
        let cx = ty.cx();
        let narrow = ty.int_width() < 16;
        let numbers = b.step_vector(self.wide(if narrow { cx.int(16) } else { ty }));
        let numbers = if narrow { b.trunc(numbers, self.wide(ty)) } else { numbers };
        if step == 1 {
            return numbers;
        }
        b.mul(numbers, self.splat(ty.constant(step.cast_unsigned())))
    }

    /// The index of the last lane.
    pub(super) fn last_lane(&self, b: &Builder<'m>) -> Value<'m> {
        let ty = self.module.cx().i32();
        b.sub(number(b, ty, self.width), ty.constant(1))
    }

    pub(super) fn all(&self) -> Value<'m> {
        self.splat(self.module.cx().bool(true))
    }

    pub(super) fn new_variable(&self, v: Value<'m>, name: &str) -> Vec<Value<'m>> {
        let b = self.allocas();
        match self.shapes.of_value(self.graph, v) {
            Shape::Varying if self.whole.contains(v) => {
                let ty = self.wide_of(v.ty().element(), v.ty().vector_len());
                vec![b.alloca(ty, name)]
            }
            Shape::Varying => elements_of(v.ty()).map_or_else(Vec::new, |(element, count)| {
                (0..count).map(|_| b.alloca(self.wide(element), name)).collect()
            }),
            _ => vec![b.alloca(v.ty(), name)],
        }
    }

    pub(super) fn read(&self, v: Value<'m>, variable: &[Value<'m>]) -> Lanes<'m> {
        let b = self.b();
        match self.shapes.of_value(self.graph, v) {
            Shape::Uniform => Lanes::Scalar(b.load(v.ty(), variable[0], 0)),
            Shape::Strided(k) => Lanes::Strided(b.load(v.ty(), variable[0], 0), k),
            Shape::Varying if self.whole.contains(v) => {
                let ty = self.wide_of(v.ty().element(), v.ty().vector_len());
                Lanes::Whole(b.load(ty, variable[0], 0))
            }
            Shape::Varying => {
                let element = elements_of(v.ty()).map_or(v.ty(), |l| l.0);
                Lanes::Vector(variable.iter().map(|a| b.load(self.wide(element), *a, 0)).collect())
            }
        }
    }

    pub(super) fn write(&mut self, v: Value<'m>, lanes: &Lanes<'m>, variable: &[Value<'m>]) {
        let list = match self.shapes.of_value(self.graph, v) {
            Shape::Varying => self.parts_of(v, lanes),
            _ => vec![self.first(lanes)],
        };
        for (part, place) in list.into_iter().zip(variable) {
            self.b().store(part, *place, 0);
        }
    }

    /// The vectors in which the varying value `v` is kept.
    pub(super) fn parts_of(&self, v: Value<'m>, lanes: &Lanes<'m>) -> Vec<Value<'m>> {
        match self.whole.contains(v) {
            true => vec![self.whole(lanes, v.ty())],
            false => self.components(lanes, v.ty()),
        }
    }

    /// One vector with the elements of lane 0, then those of lane 1, and so on. `ty` is an OpenCL
    /// vector, and the width is fixed.
    pub(super) fn whole(&self, lanes: &Lanes<'m>, ty: Type<'m>) -> Value<'m> {
        match lanes {
            Lanes::Whole(v) => *v,
            Lanes::Scalar(v) => {
                let count = ty.vector_len();
                let all = 0..self.width.count * count;
                let list: Vec<i32> = all.map(|n| (n % count).cast_signed()).collect();
                self.b().shuffle(*v, ty.poison(), &list)
            }
            other => self.interleaved(&self.components(other, ty)),
        }
    }

    /// A value of the old loop.
    pub(super) fn lookup(&mut self, v: Value<'m>) -> Lanes<'m> {
        if let Some(own) = self.privates.get(&v) {
            let size = self.shapes.privates.get(&v).copied().unwrap_or(0);
            return Lanes::Strided(*own, i64::try_from(size).unwrap_or(0));
        }
        if let Some(size) = self.shapes.privates.get(&v) {
            // An address in a private variable, computed in front of the loop.
            if let Some(address) = self.interleaved_address(v) {
                return address;
            }
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
        let lanes = match self.variable_of(v) {
            Some(variable) => self.read(v, &variable),
            None => {
                debug_assert!(false, "{v:?} is used before it is computed");
                Lanes::Scalar(v.ty().poison())
            }
        };
        self.local.insert(v, lanes.clone());
        lanes
    }

    /// Lane 0.
    pub(super) fn first(&self, lanes: &Lanes<'m>) -> Value<'m> {
        match lanes {
            Lanes::Scalar(v) | Lanes::Strided(v, _) => *v,
            Lanes::Vector(parts) => self.b().extract_element(parts[0], self.module.cx().u32(0)),
            Lanes::Whole(v) => self.b().extract_element(*v, self.module.cx().u32(0)),
        }
    }

    /// A vector for each scalar that a value of type `ty` consists of.
    pub(super) fn components(&self, lanes: &Lanes<'m>, ty: Type<'m>) -> Vec<Value<'m>> {
        let b = self.b();
        let cx = self.module.cx();
        match lanes {
            Lanes::Vector(parts) => parts.clone(),
            Lanes::Whole(v) => {
                let known = self.split.borrow().get(&(self.at, *v)).cloned();
                known.unwrap_or_else(|| {
                    let parts = self.deinterleaved(*v, ty.vector_len());
                    self.split.borrow_mut().insert((self.at, *v), parts.clone());
                    parts
                })
            }
            Lanes::Scalar(v) if ty.is_vector() => {
                (0..ty.vector_len()).map(|n| self.splat(b.extract_element(*v, cx.u32(n)))).collect()
            }
            Lanes::Scalar(v) => vec![self.splat(*v)],
            Lanes::Strided(v, step) if ty.is_pointer() => {
                vec![b.byte_offsets(*v, self.steps(cx.i64(), *step))]
            }
            Lanes::Strided(v, step) => {
                vec![b.add(self.splat(*v), self.steps(ty, *step))]
            }
        }
    }

    /// One lane's value.
    pub(super) fn lane(&self, lanes: &Lanes<'m>, ty: Type<'m>, lane: Value<'m>) -> Value<'m> {
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
            Lanes::Whole(v) => {
                let count = ty.vector_len();
                let first = b.mul(b.zext_or_trunc(lane, cx.i32()), cx.u32(count));
                let element = |n| b.extract_element(*v, b.add(first, cx.u32(n)));
                (0..count).fold(ty.poison(), |out, n| b.insert_element(out, element(n), cx.u32(n)))
            }
        }
    }

    /// The value of the instruction `v` of the old loop.
    pub(super) fn define(&mut self, v: Value<'m>, lanes: Lanes<'m>) {
        self.defined.insert(v, (self.at, lanes.clone()));
        self.local.insert(v, lanes);
    }

    /// The variable that brings `v` from its block to others. It is made, and written in the block
    /// of `v`, when another block first asks for it: often that is not an operand of the
    /// instruction that is being written but an operand of an operand, as the base of an address.
    fn variable_of(&mut self, v: Value<'m>) -> Option<Vec<Value<'m>>> {
        if let Some(known) = self.variables.get(&v) {
            return Some(known.clone());
        }
        let (block, lanes) = self.defined.get(&v)?.clone();
        let variable = self.new_variable(v, "value");
        let here = std::mem::replace(&mut self.at, block);
        self.write(v, &lanes, &variable);
        self.at = here;
        self.variables.insert(v, variable.clone());
        Some(variable)
    }
}
