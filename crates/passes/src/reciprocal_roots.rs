//! `reciprocal-roots`: computes `1 / sqrt(x)` of `float` values from AVX-512's estimate.
//!
//! The instruction `vrsqrt14ps` gives the reciprocal square root with a relative error below 2^-14.
//! One step of Newton's method reduces the error to 1.1 ULP, in a fifth of the time of a square
//! root and a division. OpenCL allows 2 ULP for `rsqrt`, and more for a division by a square root.
//! The metadata of the division says that its result may be inexact.
//!
//! The pass runs after all optimisations, so that scalar code and vectors give the same results.
//! Not here: `double`, and estimates of other processors, which are less accurate.

use muxcl_llvm::{Builder, FloatPredicate, Function, Module, Opcode, Type, TypeKind, Value};

/// The smallest permitted error of the division, in ULP, for which the pass replaces it.
const ALLOWED: f32 = 2.0;
/// The largest number of lanes of the estimate.
const LANES: u32 = 16;

/// Runs the pass.
pub fn run(module: &Module<'_>) {
    for i in module.definitions().into_iter().flat_map(Function::instructions) {
        if let Some((root, lanes)) = root_below(i) {
            let (b, x) = (Builder::before(i), root.args()[0]);
            let x = lanes.map_or(x, |lanes| b.shuffle(x, x, &lanes));
            let below = i.operand(1);
            i.replace_all_uses(reciprocal_root(module, &b, x));
            i.erase();
            for unused in [below, root] {
                if unused.is_placed() && !unused.has_uses() {
                    unused.erase();
                }
            }
        }
    }
}

/// The call of `sqrt` if `i` divides 1 by it, and the choice of lanes between the two. LLVM
/// computes the root of three floats as one of four.
fn root_below(i: Value<'_>) -> Option<(Value<'_>, Option<Vec<i32>>)> {
    let divides = i.is_placed() && i.opcode() == Opcode::FDiv && i.accuracy() >= ALLOWED;
    if !divides || !is_float(i.ty()) || !has_estimate(i.ty()) {
        return None;
    }
    if i.operand(0) != constant(&Builder::before(i), i.ty(), 1.0) {
        return None;
    }
    let named = |f: Function<'_>| f.is_intrinsic() && f.name().starts_with("llvm.sqrt.");
    let is_root = |v: &Value<'_>| v.is_instruction() && v.callee().is_some_and(named);
    let below = i.operand(1);
    if is_root(&below) {
        return Some((below, None));
    }
    if !below.is_instruction() || below.opcode() != Opcode::ShuffleVector {
        return None;
    }
    let (root, lanes) = (below.operand(0), below.shuffle_mask());
    let count = root.ty().vector_len().cast_signed();
    (is_root(&root) && lanes.iter().all(|lane| *lane < count)).then_some((root, Some(lanes)))
}

/// True for `float` and vectors of it with a fixed number of elements.
fn is_float(ty: Type<'_>) -> bool {
    let element = if ty.is_vector() { ty.element() } else { ty };
    element.kind() == TypeKind::Float
}

/// True if the estimate of the vector, or of a scalar, can be put together from instructions.
fn has_estimate(ty: Type<'_>) -> bool {
    let count = if ty.is_vector() { ty.vector_len() } else { 1 };
    count <= LANES || (count.is_multiple_of(LANES) && (count / LANES).is_power_of_two())
}

/// `value` as a scalar or a vector of type `ty`.
fn constant<'m>(b: &Builder<'m>, ty: Type<'m>, value: f32) -> Value<'m> {
    let one = b.bitcast(ty.cx().u32(value.to_bits()), ty.cx().float());
    if ty.is_vector() { b.splat(one, ty.vector_len()) } else { one }
}

/// 1 / sqrt(x).
fn reciprocal_root<'m>(module: &'m Module<'_>, b: &Builder<'m>, x: Value<'m>) -> Value<'m> {
    let ty = x.ty();
    let suffix = if ty.is_vector() { format!("v{}f32", ty.vector_len()) } else { "f32".into() };
    let kind = module.cx().function(ty, &[ty; 3]);
    let fma = module.get_or_add_function(&format!("llvm.fma.{suffix}"), kind);
    let r = estimate(module, b, x);
    // With e = x r^2 - 1, the next approximation is r - r e / 2.
    let e = b.call(fma, &[b.fmul(x, r), r, constant(b, ty, -1.0)]);
    let better = b.call(fma, &[e, b.fmul(r, constant(b, ty, -0.5)), r]);
    // For 0 and infinity, e is no number and the estimate is exact. No number has no root.
    b.select(b.fcmp(FloatPredicate::Oeq, e, e), better, r)
}

/// The processor's estimate of 1 / sqrt(x).
fn estimate<'m>(module: &'m Module<'_>, b: &Builder<'m>, x: Value<'m>) -> Value<'m> {
    let cx = module.cx();
    if !x.ty().is_vector() {
        let vector = cx.vector(cx.float(), 4).poison();
        let vector = b.insert_element(vector, x, cx.u32(0));
        return b.extract_element(instruction(module, b, vector), cx.u32(0));
    }
    let count = x.ty().vector_len();
    let width = count.next_power_of_two().clamp(4, LANES);
    let mut parts: Vec<Value<'m>> = (0..count.div_ceil(width))
        .map(|part| {
            let lane = |n: u32| if n < count { n.cast_signed() } else { -1 };
            let lanes: Vec<i32> = (part * width..(part + 1) * width).map(lane).collect();
            instruction(module, b, b.shuffle(x, x, &lanes))
        })
        .collect();
    while let &[first, _, ..] = parts.as_slice() {
        let lanes: Vec<i32> = (0..2 * first.ty().vector_len().cast_signed()).collect();
        parts = parts.chunks(2).map(|pair| b.shuffle(pair[0], pair[1], &lanes)).collect();
    }
    let lanes: Vec<i32> = (0..count.cast_signed()).collect();
    b.shuffle(parts[0], parts[0], &lanes)
}

/// The estimate of a vector of 4, 8 or 16 elements.
fn instruction<'m>(module: &'m Module<'_>, b: &Builder<'m>, x: Value<'m>) -> Value<'m> {
    let (cx, ty) = (module.cx(), x.ty());
    let count = ty.vector_len();
    let mask = cx.int(count.max(8));
    let name = format!("llvm.x86.avx512.rsqrt14.ps.{}", count * 32);
    let f = module.get_or_add_function(&name, cx.function(ty, &[ty, ty, mask]));
    b.call(f, &[x, x, mask.constant(u64::MAX)])
}

#[cfg(test)]
mod tests {
    use muxcl_llvm::{Context, Module};

    /// The number of estimates in the function after the pass.
    fn estimates(ty: &str, division: &str) -> usize {
        let context = Context::new();
        let suffix = ty.strip_prefix('<').map_or("f32".to_owned(), |t| {
            format!("v{}f32", t.split(' ').next().unwrap_or_default())
        });
        let ir = format!(
            "declare {ty} @llvm.sqrt.{suffix}({ty})\n\
             define {ty} @f({ty} %x, {ty} %one) {{\n  \
             %root = call {ty} @llvm.sqrt.{suffix}({ty} %x)\n  \
             %r = fdiv {ty} {division}\n  ret {ty} %r\n}}\n\
             !0 = !{{float 2.5}}\n!1 = !{{float 1.0}}"
        );
        let module = Module::parse_text(&context, &ir).unwrap();
        super::run(&module);
        module.verify().unwrap();
        let text = module.to_string();
        let count =
            |what: &str| text.lines().filter(|l| l.contains(" call ") && l.contains(what)).count();
        // The root goes with the division.
        assert_eq!(count("@llvm.sqrt.") > 0, text.contains(" fdiv "));
        count(".rsqrt14.ps.")
    }

    #[test]
    fn inexact_divisions_of_one_by_a_root_use_the_estimate() {
        assert_eq!(estimates("float", "1.0, %root, !fpmath !0"), 1);
        for (lanes, count) in [(2, 1), (3, 1), (4, 1), (8, 1), (16, 1), (32, 2), (64, 4)] {
            let found =
                estimates(&format!("<{lanes} x float>"), "splat (float 1.0), %root, !fpmath !0");
            assert_eq!(found, count, "{lanes}");
        }
    }

    #[test]
    fn exact_divisions_and_other_quotients_stay() {
        for division in ["1.0, %root", "1.0, %root, !fpmath !1", "2.0, %root, !fpmath !0"] {
            assert_eq!(estimates("float", division), 0, "{division}");
        }
        assert_eq!(estimates("float", "%one, %root, !fpmath !0"), 0);
        assert_eq!(estimates("<24 x float>", "splat (float 1.0), %root, !fpmath !0"), 0);
    }
}
