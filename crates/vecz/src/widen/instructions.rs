//! The instructions of a block for all lanes, except loads and stores (`access`).

use muxcl_llvm::{FirstLanes, IntPredicate, Opcode, Type, TypeKind, Value};

use super::atomics::combines;
use super::{Lanes, Widen};
use crate::cross_lane::Operation;
use crate::shapes::{Lowering, Shape, elements_of, lowering};

impl<'m> Widen<'_, 'm, '_> {
    pub(super) fn instruction(&mut self, i: Value<'m>) {
        let kind = lowering(i);
        match kind {
            Lowering::Hint => return,
            Lowering::Once => {
                self.b().insert_copy(i);
                return;
            }
            Lowering::Store => return self.store(i),
            Lowering::CrossLane => {
                let operation = Operation::of(i);
                if let Some(lanes) = operation.and_then(|o| self.cross_lane(i, o)) {
                    self.define(i, lanes);
                }
                return;
            }
            _ => {}
        }
        if self.fill_interleaved(i) {
            return;
        }
        if let Some(lanes) = self.interleaved_address(i) {
            self.define(i, lanes);
            return;
        }
        let varying = i.ty().is_void() || self.shapes.of_value(self.graph, i) == Shape::Varying;
        let lanes = match kind {
            _ if !varying => {
                let v = match self.shapes.of_value(self.graph, i) {
                    Shape::Strided(_) => self.first_lane(i),
                    _ => self.same_in_all(i),
                };
                match self.shapes.of_value(self.graph, i) {
                    Shape::Strided(step) => Lanes::Strided(v, step),
                    _ => Lanes::Scalar(v),
                }
            }
            Lowering::Load => self.load(i),
            Lowering::Elements => self.rearrange(i),
            Lowering::LaneWise if self.divides_by_float(i) => self.division(i),
            Lowering::EachLane if combines(self.shapes, self.graph, i) => self.combine(i),
            Lowering::LaneWise if self.whole.contains(i) => self.whole_lane_wise(i),
            Lowering::LaneWise if self.is_by_component(i) => self.lane_wise(i),
            Lowering::LaneWise => match self.regrouped(i) {
                Some(lanes) => lanes,
                None => self.each_lane(i),
            },
            Lowering::Variant => self.variant(i),
            _ => self.each_lane(i),
        };
        if !i.ty().is_void() {
            self.define(i, lanes);
        }
    }

    /// A uniform value. Its operands may be strided, and lane 0 outside the mask, where the flags
    /// of the instruction do not hold.
    fn same_in_all(&mut self, i: Value<'m>) -> Value<'m> {
        let uniform = |o: &Value<'m>| self.shapes.of_value(self.graph, *o) == Shape::Uniform;
        let strided = !i.is_call() && !i.operands().iter().all(uniform);
        let v = self.copy_first(i);
        if strided && self.mask.is_some() {
            v.drop_poison_flags();
        }
        v
    }

    /// A copy of the instruction for lane 0.
    pub(super) fn copy_first(&mut self, i: Value<'m>) -> Value<'m> {
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
            // Lane 0 may be outside the mask, where its operands may have bits in common.
            Opcode::Or => {
                let (x, y) = (self.lookup(i.operand(0)), self.lookup(i.operand(1)));
                let (x, y) = (self.first(&x), self.first(&y));
                self.b().add(x, y)
            }
            _ => {
                let v = self.copy_first(i);
                if self.mask.is_some() {
                    // The flags hold for lanes of the mask only, and lane 0 may be outside it.
                    v.drop_poison_flags();
                }
                v
            }
        }
    }

    /// The extension to `ty` of an integer whose stride the extension keeps. Lane 0 may be outside
    /// the mask, where the narrow value may have wrapped; so all of it is computed in `ty`.
    fn extended(&mut self, v: Value<'m>, ty: Type<'m>, signed: bool) -> Value<'m> {
        if self.shapes.of_value(self.graph, v) == Shape::Uniform {
            let lanes = self.lookup(v);
            let scalar = self.first(&lanes);
            let b = self.b();
            return if signed { b.sext(scalar, ty) } else { b.zext(scalar, ty) };
        }
        if self.shapes.is_aligned(self.graph, v) {
            // The lanes differ in the lower bits only, whatever the mask.
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
                    Opcode::Add | Opcode::Or => b.add(x, y),
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
        let count = |t| elements_of(t).map(|l| l.1);
        count(i.ty()) == count(i.operand(0).ty())
    }

    /// A `bitcast` that makes one component of several, or several of one: by shifts, in all lanes
    /// at once. `None` if neither number of components is a multiple of the other.
    fn regrouped(&mut self, i: Value<'m>) -> Option<Lanes<'m>> {
        if i.opcode() != Opcode::BitCast {
            return None;
        }
        let source = i.operand(0);
        let ((from, before), (to, after)) = (elements_of(source.ty())?, elements_of(i.ty())?);
        let (from_bits, to_bits) = (bits_of(from)?, bits_of(to)?);
        let lanes = self.lookup(source);
        let parts = self.components(&lanes, source.ty());
        let (cx, b) = (self.module.cx(), self.b());
        let (narrow, wide) = (self.wide(cx.int(from_bits)), self.wide(cx.int(to_bits)));
        let parts = parts.into_iter().map(|part| b.bitcast(part, narrow));
        // The lowest bits are those of the first component.
        let new: Vec<Value<'m>> = if before.is_multiple_of(after) {
            let at =
                |n: usize| self.splat(cx.int(to_bits).constant(n as u64 * u64::from(from_bits)));
            let parts: Vec<_> = parts.map(|part| b.zext(part, wide)).collect();
            let join = |parts: &[Value<'m>]| {
                let moved = (0..).zip(&parts[1..]).map(|(n, part)| b.shl(*part, at(n + 1)));
                moved.fold(parts[0], |all, part| b.or(all, part))
            };
            parts.chunks((before / after) as usize).map(join).collect()
        } else if after.is_multiple_of(before) {
            let at = |n: u32| self.splat(cx.int(from_bits).constant(u64::from(n * to_bits)));
            let split = |part| (0..after / before).map(move |n| (part, n));
            parts.flat_map(split).map(|(part, n)| b.trunc(b.lshr(part, at(n)), wide)).collect()
        } else {
            return None;
        };
        let result = self.wide(to);
        Some(Lanes::Vector(new.into_iter().map(|v| b.bitcast(v, result)).collect()))
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
        let count = elements_of(i.ty()).map_or(1, |l| l.1) as usize;
        let division =
            matches!(i.opcode(), Opcode::UDiv | Opcode::SDiv | Opcode::URem | Opcode::SRem);
        // No lane of such a division traps, whatever the dividend.
        let constant = division && i.operand(1).as_i64().is_some_and(|n| n != 0 && n != -1);
        let b = self.b();
        let parts = (0..count).map(|c| {
            let mut list: Vec<Value<'m>> =
                all.iter().map(|parts| parts.get(c).copied().unwrap_or(parts[0])).collect();
            if let (true, Some(length)) = (division && !constant, self.length) {
                let lanes = FirstLanes { length, mask: self.mask };
                return b.divide_first(i, (list[0], list[1]), lanes);
            }
            if let (true, Some(mask)) = (division && self.length.is_none(), self.mask) {
                // Lanes outside the mask must not divide by zero.
                let one = self.splat(list[1].ty().element().constant(1));
                list[1] = b.select(mask, list[1], one);
            }
            b.in_lanes(i, &list, self.width.count)
        });
        Lanes::Vector(parts.collect())
    }

    /// An instruction that does the same with each component, on whole OpenCL vectors.
    fn whole_lane_wise(&mut self, i: Value<'m>) -> Lanes<'m> {
        let count = i.ty().vector_len();
        let operands = if i.is_call() { i.args() } else { i.operands() };
        let list: Vec<Value<'m>> = operands
            .into_iter()
            .map(|o| match self.lookup(o) {
                lanes if o.ty().is_vector() => self.whole(&lanes, o.ty()),
                // A condition for all components.
                Lanes::Scalar(v) => v,
                lanes => {
                    let mask = self.components(&lanes, o.ty())[0];
                    self.element_mask(Some(mask), count).unwrap_or(mask)
                }
            })
            .collect();
        Lanes::Whole(self.b().in_lanes(i, &list, self.width.count * count))
    }

    /// `extractelement`, `insertelement`, `shufflevector` on OpenCL vectors, and `extractvalue` of
    /// a `cmpxchg`.
    fn rearrange(&mut self, i: Value<'m>) -> Lanes<'m> {
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
            Opcode::ExtractValue => Lanes::Vector(vec![match i.member() {
                Some(0) => parts[0],
                _ => self.b().icmp(IntPredicate::Ne, parts[1], parts[1].ty().null()),
            }]),
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

    /// A mask for each of the indices 0 to `count - 1`: the lanes in which `index` has that value.
    fn is_index(&self, index: &Lanes<'m>, ty: Type<'m>, count: usize) -> Vec<Value<'m>> {
        let v = self.components(index, ty)[0];
        let b = self.b();
        (0..count as u64).map(|n| b.icmp(IntPredicate::Eq, v, self.splat(ty.constant(n)))).collect()
    }
}

/// The width of a number in bits; `None` for pointers.
fn bits_of(element: Type<'_>) -> Option<u32> {
    match element.kind() {
        TypeKind::Int => Some(element.int_width()),
        TypeKind::Half => Some(16),
        TypeKind::Float => Some(32),
        TypeKind::Double => Some(64),
        _ => None,
    }
}
