//! Replaces calls of functions that have vector variants ([`crate::VARIANTS`]) by calls of these
//! variants.

use muxcl_llvm::{Function, Type, TypeKind, Value};

use super::{Lanes, Widen};
use crate::shapes::elements_of;
use crate::{VariantLanes, variant_name, variants_of};

impl<'m> Widen<'_, 'm, '_> {
    /// Computes the call `i` for all lanes by calls of a vector variant: one for each component of
    /// the result, or several if the widest variant has fewer lanes than the loop.
    pub(super) fn variant(&mut self, i: Value<'m>) -> Lanes<'m> {
        let Some((most, name)) = i.callee().and_then(variants_of) else {
            return self.each_lane(i);
        };
        // With a vector length, the elements behind it may be poison, and functions branch on them.
        if self.whole.contains(i) && self.length.is_none() {
            return self.whole_variant(i, most, &name);
        }
        let scalable = self.width.scale.is_some();
        let lanes = if scalable { self.width.count } else { self.width.count.min(most) };
        let kind =
            if scalable { VariantLanes::Scalable(lanes) } else { VariantLanes::Fixed(lanes) };
        let all: Vec<Vec<Value<'m>>> = i.args().into_iter().map(|v| self.argument(v)).collect();
        let (element, count) = elements_of(i.ty()).unwrap_or((i.ty(), 1));
        let vector = |t: Type<'m>| match kind {
            VariantLanes::Scalable(_) => self.wide(t),
            VariantLanes::Fixed(lanes) => t.cx().vector(t, lanes),
        };
        let types: Vec<Type<'m>> =
            all.iter().map(|parts| vector(parts[0].ty().element())).collect();
        let f = self.declare(&variant_name(&name, kind), vector(element), &types);
        let part = |c: usize| {
            let list: Vec<Value<'m>> = all.iter().map(|parts| parts[c]).collect();
            self.call_in_parts(f, &list, lanes)
        };
        Lanes::Vector((0..count as usize).map(part).collect())
    }

    /// Computes the call `i` on whole OpenCL vectors: each element is a lane of the variant.
    fn whole_variant(&mut self, i: Value<'m>, most: u32, name: &str) -> Lanes<'m> {
        let count = i.ty().vector_len();
        let element = i.ty().element();
        let bits = u32::try_from(self.module.size_of(element) * 8).unwrap_or(u32::MAX);
        let fill = (self.register_bits / bits).max(1);
        let lanes = most.min(fill.max(self.width.count)).min(self.width.count * count);
        let mask = self.element_mask(self.mask, count);
        let mut args = Vec::new();
        for v in i.args() {
            let found = self.lookup(v);
            let all = self.whole(&found, v.ty());
            let one = self.one(v.ty().element());
            args.push(match (mask, one) {
                (Some(mask), Some(one)) => {
                    self.b().select(mask, all, self.b().splat(one, self.width.count * count))
                }
                _ => all,
            });
        }
        let vector = |t: Type<'m>| t.cx().vector(t, lanes);
        let types: Vec<Type<'m>> = args.iter().map(|arg| vector(arg.ty().element())).collect();
        let f =
            self.declare(&variant_name(name, VariantLanes::Fixed(lanes)), vector(element), &types);
        Lanes::Whole(self.call_in_parts(f, &args, lanes))
    }

    /// Calls `f`, which takes vectors of `lanes` lanes, as often as all elements of `args` need it,
    /// and concatenates the results.
    fn call_in_parts(&self, f: Function<'m>, args: &[Value<'m>], lanes: u32) -> Value<'m> {
        let b = self.b();
        let elements = args[0].ty().vector_len();
        let indices =
            |from: u32, to: u32| -> Vec<i32> { (from..to).map(u32::cast_signed).collect() };
        let mut parts: Vec<Value<'m>> = (0..elements / lanes)
            .map(|n| {
                let slice = |v: &Value<'m>| match elements == lanes {
                    true => *v,
                    false => b.shuffle(*v, *v, &indices(n * lanes, (n + 1) * lanes)),
                };
                b.call(f, &args.iter().map(slice).collect::<Vec<_>>())
            })
            .collect();
        // The results are joined in pairs: their number is a power of two.
        let mut length = lanes;
        while parts.len() > 1 {
            let join = |pair: &[Value<'m>]| b.shuffle(pair[0], pair[1], &indices(0, 2 * length));
            parts = parts.chunks_exact(2).map(join).collect();
            length *= 2;
        }
        parts[0]
    }

    /// The vectors of an argument, one for each component. Floating-point arguments of lanes
    /// outside the mask are set to 1, so that their values never make the function take its slow
    /// path for rare arguments.
    fn argument(&mut self, v: Value<'m>) -> Vec<Value<'m>> {
        let lanes = self.lookup(v);
        let parts = self.components(&lanes, v.ty());
        let all = self.mask.is_none() && self.length.is_none();
        let Some(one) = self.one(parts[0].ty().element()).filter(|_| !all) else { return parts };
        parts.into_iter().map(|part| self.or_else(part, one)).collect()
    }

    /// The constant 1 of a floating-point type; `None` for other types.
    fn one(&self, ty: Type<'m>) -> Option<Value<'m>> {
        let cx = self.module.cx();
        let bits = match ty.kind() {
            TypeKind::Half => cx.int(16).constant(0x3c00),
            TypeKind::Float => cx.i32().constant(0x3f80_0000),
            TypeKind::Double => cx.i64().constant(0x3ff0_0000_0000_0000),
            _ => return None,
        };
        Some(self.b().bitcast(bits, ty))
    }

    /// The declaration of the vector variant `name`, added to the module if it is missing.
    fn declare(&self, name: &str, result: Type<'m>, types: &[Type<'m>]) -> Function<'m> {
        if let Some(f) = self.module.function(name) {
            return f;
        }
        self.module.add_function(name, self.module.cx().function(result, types))
    }
}
