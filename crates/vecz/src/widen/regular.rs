//! Accesses whose addresses are consecutive in most vectors, but not in all. Examples are an index
//! that wraps at an edge (`(x + 1) % width`), one that stops at an edge (`min(x + 1, width - 1)`),
//! and one with a part that depends on an argument (`x & (p - 1)`). A test at run time selects one
//! access of a whole vector, or a gather or scatter.

use muxcl_llvm::{Builder, Function, IntPredicate, Module, Opcode, Value};

use super::{Lanes, Widen};
use crate::graph::Graph;
use crate::shapes::{Shape, Shapes, access_of};

/// Depth of the search in operands.
const DEPTH: u32 = 9;

/// The distance from lane to lane that `v` has if no operation on its way wraps or meets a bound;
/// `None` if it depends on memory, or may have any distance. Bytes for addresses.
pub(crate) fn usual_stride<'m>(
    module: &Module<'_>,
    graph: &Graph<'m>,
    shapes: &Shapes<'m>,
    v: Value<'m>,
) -> Option<i64> {
    if shapes.interleaved(v).is_some() {
        return match shapes.of_value(graph, v) {
            Shape::Strided(s) => Some(s),
            _ => None,
        };
    }
    stride(&|v| shapes.of_value(graph, v), &|v| module.size_of(v.gep_type()), v, DEPTH)
}

/// True for a load or store whose addresses are consecutive in most vectors, but not in all,
/// because the index stops or wraps at an edge.
pub(crate) fn is_usually_consecutive<'m>(
    module: &Module<'_>,
    graph: &Graph<'m>,
    shapes: &Shapes<'m>,
    i: Value<'m>,
) -> bool {
    let Some((pointer, ty)) = access_of(i) else { return false };
    meets_edge(&|v| shapes.of_value(graph, v), pointer, DEPTH)
        && usual_stride(module, graph, shapes, pointer)
            == Some(module.size_of(ty).cast_signed()).filter(|step| *step > 0)
}

/// Quick test: false if [`is_usually_consecutive`] cannot be true for `i`.
pub(crate) fn may_meet_edge(i: Value<'_>) -> bool {
    access_of(i).is_some_and(|(pointer, _)| meets_edge(&|_| Shape::Varying, pointer, DEPTH))
}

/// True if the computation of the varying value `v` stops or wraps it at an edge, as
/// `min(x + 1, width - 1)` and `(x + 1) % width` do.
fn meets_edge<'m>(shape: &dyn Fn(Value<'m>) -> Shape, v: Value<'m>, depth: u32) -> bool {
    use Opcode as O;
    let Some(depth) = depth.checked_sub(1) else { return false };
    if shape(v) != Shape::Varying || !v.is_instruction() {
        return false;
    }
    match v.opcode() {
        // An extension from 32 bits, which is no edge.
        O::And if v.operand(1).as_u64().is_some_and(|mask| mask >= u32::MAX.into()) => {
            meets_edge(shape, v.operand(0), depth)
        }
        O::And | O::URem | O::SRem | O::Select | O::Call => true,
        O::Add
        | O::Or
        | O::Sub
        | O::Mul
        | O::Shl
        | O::SExt
        | O::ZExt
        | O::Trunc
        | O::Freeze
        | O::GetElementPtr => v.operands().into_iter().any(|v| meets_edge(shape, v, depth)),
        _ => false,
    }
}

fn stride<'m>(
    shape: &dyn Fn(Value<'m>) -> Shape,
    step: &dyn Fn(Value<'m>) -> u64,
    v: Value<'m>,
    depth: u32,
) -> Option<i64> {
    use Opcode as O;
    match shape(v) {
        Shape::Uniform => return Some(0),
        Shape::Strided(s) => return Some(s),
        Shape::Varying => {}
    }
    let depth = depth.checked_sub(1)?;
    if v.ty().is_vector() {
        return None;
    }
    let of = |v: Value<'m>| stride(shape, step, v, depth);
    let operand = |n: u32| of(v.operand(n));
    // One of two values, mostly the one that differs between lanes.
    let either = |a: Option<i64>, b: Option<i64>| match (a?, b?) {
        (0, s) | (s, 0) => Some(s),
        (a, b) => (a == b).then_some(a),
    };
    match v.opcode() {
        O::Add | O::Or => operand(0)?.checked_add(operand(1)?),
        O::Sub => operand(0)?.checked_sub(operand(1)?),
        O::Mul => operand(0)?.checked_mul(v.operand(1).as_i64()?),
        O::Shl => operand(0)?.checked_mul(1 << v.operand(1).as_u64().filter(|k| *k < 62)?),
        O::And => either(operand(0), operand(1)),
        O::URem | O::SRem if operand(1)? == 0 => operand(0),
        O::SExt | O::ZExt | O::Trunc | O::Freeze => operand(0),
        O::Select => either(operand(1), operand(2)),
        O::Call => {
            let name = v.callee().map(Function::name)?;
            let bounds = ["llvm.smin.", "llvm.smax.", "llvm.umin.", "llvm.umax."];
            let args = v.args();
            let is_bound = bounds.iter().any(|b| name.starts_with(b)) && args.len() == 2;
            is_bound.then(|| either(of(args[0]), of(args[1])))?
        }
        O::GetElementPtr if v.operand_count() == 2 => {
            let size = i64::try_from(step(v)).ok()?;
            operand(0)?.checked_add(operand(1)?.checked_mul(size)?)
        }
        _ => None,
    }
}

/// The index of an access whose addresses are usually consecutive.
struct Index<'m> {
    /// The `getelementptr` with this index.
    gep: Value<'m>,
    /// The varying part of the index: the column in `row * width + column`. It is often the same
    /// for several accesses and for all iterations of an inner loop, so LLVM can merge the tests.
    varying: Value<'m>,
    /// The uniform number that is added to `varying`, if any.
    added: Option<Value<'m>>,
    /// The distance of the index from lane to lane that makes the addresses consecutive.
    unit: i64,
}

impl<'m> Widen<'_, 'm, '_> {
    /// True if the addresses of `pointer` are usually `step` bytes apart.
    pub(super) fn is_regular(&self, pointer: Value<'m>, step: i64) -> bool {
        step > 0 && usual_stride(self.module, self.graph, self.shapes, pointer) == Some(step)
    }

    /// Generates a test at run time: all lanes of the mask have consecutive addresses, `step` bytes
    /// apart from the address of lane 0, which need not be in the mask. Returns the result of the
    /// test and the address of lane 0.
    pub(super) fn are_consecutive(
        &mut self,
        pointer: Value<'m>,
        addresses: Value<'m>,
        step: i64,
    ) -> (Value<'m>, Value<'m>) {
        let cx = self.module.cx();
        let base = match pointer.is_instruction() && pointer.opcode() == Opcode::GetElementPtr {
            true => match self.lookup(pointer.operand(0)) {
                Lanes::Scalar(base) => Some(base),
                _ => None,
            },
            false => None,
        };
        let index = self.index_of(pointer, step);
        let b = self.b();
        let follow = |v: Value<'m>, unit: i64| {
            let ty = v.ty().element();
            let first = b.extract_element(v, cx.u32(0));
            let wanted = b.add(self.splat(first), self.steps(ty, unit));
            (first, b.icmp(IntPredicate::Eq, v, wanted))
        };
        // A lane outside the mask may have no defined address, so lane 0 gets one value for all
        // uses.
        let addresses = b.freeze(addresses);
        let (mut address, mut outside, mut wraps) = (None, false, None);
        let is_next = match index {
            // Most indices are narrower than the address, so fewer instructions compare them.
            Some(Index { gep, varying, added, unit }) => {
                let ty = varying.ty().element();
                let (first, next) = follow(b.freeze(varying), unit);
                let first = added.map_or(first, |added| b.add(first, added));
                if gep == pointer {
                    // Computes the address of lane 0 from its index, so that the vector of all
                    // addresses is needed only if the test fails. A narrow index that fits is not
                    // negative, so it is zero-extended.
                    let size = cx.u64(self.module.size_of(gep.gep_type()));
                    let offset = b.mul(b.zext_or_trunc(first, cx.i64()), size);
                    address = base.map(|base| b.byte_offsets(base, offset));
                }
                // The test and the address do not use the same value of lane 0.
                outside = address.is_none();
                if ty.int_width() < 64 {
                    // The sums must not wrap, because their extensions would not be consecutive.
                    let limit = 1u64 << (ty.int_width() - 1);
                    let reach = unit.unsigned_abs().saturating_mul(self.width.max().into());
                    let low = ty.constant(limit.saturating_sub(reach));
                    wraps = Some(b.icmp(IntPredicate::Uge, first, low));
                }
                next
            }
            None => follow(b.ptr_to_int(addresses, self.wide(cx.i64())), step).1,
        };
        let not_next = b.xor(is_next, self.all());
        let other = match self.mask {
            Some(mask) => {
                let some = self.some(b.select(mask, not_next, mask.ty().null()));
                if outside {
                    let first = b.extract_element(mask, cx.u32(0));
                    b.or(some, b.xor(first, cx.bool(true)))
                } else {
                    some
                }
            }
            None => self.some(not_next),
        };
        let other = wraps.map_or(other, |wraps| b.or(other, wraps));
        let address = address.unwrap_or_else(|| b.extract_element(addresses, cx.u32(0)));
        (b.xor(other, cx.bool(true)), address)
    }

    /// The varying index from which `pointer` is computed, before its extension to 64 bits, if this
    /// block has computed the index.
    fn index_of(&mut self, pointer: Value<'m>, step: i64) -> Option<Index<'m>> {
        let uniform = |v: Value<'m>| self.shapes.of_value(self.graph, v) == Shape::Uniform;
        let mut v = pointer;
        while v.is_instruction() && v.opcode() == Opcode::GetElementPtr && v.operand_count() == 2 {
            let index = v.operand(1);
            if uniform(index) {
                v = v.operand(0);
                continue;
            }
            let size = i64::try_from(self.module.size_of(v.gep_type())).ok()?;
            let usable = index.is_instruction() && uniform(v.operand(0));
            if !usable || size == 0 || step % size != 0 {
                return None;
            }
            let narrow = match index.opcode() {
                Opcode::SExt | Opcode::ZExt => index.operand(0),
                // An index that is narrower than an address is sign-extended, too.
                _ if index.ty().int_width() == 64 => index,
                _ => return None,
            };
            let Lanes::Vector(parts) = self.lookup(narrow) else { return None };
            if narrow.ty().int_width() < 16 {
                return None;
            }
            let index = Index { gep: v, varying: parts[0], added: None, unit: step / size };
            return Some(self.without_uniform(narrow, index));
        }
        None
    }

    /// `index`, the vector of `v`, without the uniform number that `v` adds or subtracts.
    fn without_uniform(&mut self, v: Value<'m>, index: Index<'m>) -> Index<'m> {
        if !v.is_instruction() || !matches!(v.opcode(), Opcode::Add | Opcode::Sub) {
            return index;
        }
        let [left, right] = [0, 1].map(|n| self.lookup(v.operand(n)));
        let (varying, number) = match (left, right) {
            (Lanes::Vector(parts), Lanes::Scalar(number)) => (parts, number),
            (Lanes::Scalar(number), Lanes::Vector(parts)) if v.opcode() == Opcode::Add => {
                (parts, number)
            }
            _ => return index,
        };
        let b = self.b();
        let number = b.freeze(number);
        let added = match v.opcode() {
            Opcode::Sub => b.sub(number.ty().null(), number),
            _ => number,
        };
        Index { varying: varying[0], added: Some(added), ..index }
    }

    /// Runs `near` if `condition` holds, else `far`, and joins the vectors that they return.
    pub(super) fn either(
        &mut self,
        condition: Value<'m>,
        near: impl FnOnce(&mut Self) -> Vec<Value<'m>>,
        far: impl FnOnce(&mut Self) -> Vec<Value<'m>>,
    ) -> Vec<Value<'m>> {
        let [then, otherwise, join] =
            ["consecutive", "scattered", "accessed"].map(|name| self.f.append_block(name));
        self.b().cond_br(condition, then, otherwise);
        self.at = then;
        let a = near(self);
        let from_near = self.at;
        self.b().br(join);
        self.at = otherwise;
        let c = far(self);
        let from_far = self.at;
        self.b().br(join);
        self.at = join;
        let b: Builder<'m> = self.b();
        let joined = a.into_iter().zip(c).map(|(x, y)| {
            let phi = b.phi(x.ty(), "accessed");
            phi.add_incoming(x, from_near);
            phi.add_incoming(y, from_far);
            phi
        });
        joined.collect()
    }
}
