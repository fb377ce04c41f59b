//! `scalable-variants`: defines the scalable vector variants of library functions that a module
//! declares and calls, from their fixed-length variants.
//!
//! The name of a declared variant follows the vector function ABI
//! ([`BuiltinLibrary::scalable_variant`], `builtins/README.md`), with `<vscale x n x T>` for each
//! vector. Its body is that of the fixed-length variant with another number of lanes: lane-wise
//! operations and splats stay as they are, "any" and "all" become reductions, and loops over the
//! lanes run to `vscale * n`. The pass refuses everything else. It runs before `link-builtins`,
//! which links the functions that the bodies call. Without a declared variant, the cost is one scan
//! of the functions' names. Not here: the choice of variants (the library) and of their callers.

use std::collections::BTreeSet;

use muxcl_llvm::{Builder, Context, Function, IntPredicate, LinkMode, Module, Opcode, Type, Value};

use crate::PassError;
use crate::link_builtins::{self, BuiltinLibrary, VariantSource};

/// Prefix of the names of scalable variants: RISC-V vector functions.
pub const PREFIX: &str = "_ZGVr";

/// Inlining stops in a function with more calls than this.
const MOST_CALLS: usize = 64;

/// Runs the pass.
///
/// # Errors
/// A declared variant has the wrong types, or cannot be made.
pub fn run<'c>(
    context: &'c Context,
    module: &mut Module<'c>,
    library: &dyn BuiltinLibrary,
) -> Result<(), PassError> {
    let mut declared = Vec::new();
    for f in module.functions() {
        if f.is_declaration() && f.name().starts_with(PREFIX) {
            // `link-builtins` reports names that the library does not know.
            declared.extend(library.scalable_variant(&f.name()).map(|source| (f.name(), source)));
        }
    }
    if declared.is_empty() {
        return Ok(());
    }
    let mut linked = BTreeSet::new();
    for (_, source) in &declared {
        if module.function(&source.symbol).is_none_or(Function::is_declaration) {
            link_source(context, module, library, source)?;
            linked.insert(source.symbol.clone());
        }
    }
    link_builtins::link(context, module, library)?;
    let module = &*module;
    for (name, source) in &declared {
        let Some(variant) = module.function(name) else { continue };
        make(module, variant, source)
            .map_err(|why| PassError::Unsupported(format!("'{name}': {why}")))?;
    }
    for symbol in linked {
        if let Some(f) = module.function(&symbol).filter(|f| !f.value().has_uses()) {
            f.erase();
        }
    }
    Ok(())
}

/// Links the fixed-length variant, which nothing uses yet.
fn link_source<'c>(
    context: &'c Context,
    module: &mut Module<'c>,
    library: &dyn BuiltinLibrary,
    source: &VariantSource,
) -> Result<(), PassError> {
    let part = Module::parse_lazy(context, library.bitcode(source.member))?;
    if let Some(f) = part.function(&source.symbol) {
        module.get_or_add_function(&source.symbol, f.ty());
    }
    Ok(module.link(part, LinkMode::OnlyNeeded)?)
}

/// Defines the declared variant.
fn make(module: &Module<'_>, variant: Function<'_>, source: &VariantSource) -> Result<(), String> {
    let fixed = module.function(&source.symbol).filter(|f| !f.is_declaration());
    let fixed = fixed.ok_or_else(|| format!("the library lacks {}", source.symbol))?;
    let wide = scalable(fixed.ty(), source);
    if variant.ty() != wide {
        return Err(format!("declared as {}, but its type is {wide}", variant.ty()));
    }
    let copy = fixed.duplicate(&format!("{}.widened", source.symbol));
    let done = prepare(module, copy, source)
        .map(|()| variant.clone_scalable(copy, source.lanes, source.count));
    copy.erase();
    for n in (0u32..).zip(variant.ty().params()).filter(|(_, t)| t.is_pointer()).map(|(n, _)| n) {
        // The attribute holds for the fixed vector at the pointer only.
        for attribute in ["initializes", "dereferenceable", "dereferenceable_or_null", "align"] {
            variant.remove_param_attribute(n, attribute);
        }
    }
    done
}

/// The function type with scalable vectors in place of the source's vectors.
fn scalable<'m>(ty: Type<'m>, source: &VariantSource) -> Type<'m> {
    let cx = ty.cx();
    let one = |t: Type<'m>| {
        if is_lanes(t, source) { cx.scalable_vector(t.element(), source.count) } else { t }
    };
    let params: Vec<Type<'m>> = ty.params().into_iter().map(one).collect();
    cx.function(one(ty.ret()), &params)
}

fn is_lanes(ty: Type<'_>, source: &VariantSource) -> bool {
    ty.is_vector() && ty.vector_len() == source.lanes
}

/// Normalises a copy of the fixed-length variant, so that a clone with scalable types has the same
/// meaning in all lanes.
fn prepare(module: &Module<'_>, f: Function<'_>, source: &VariantSource) -> Result<(), String> {
    inline(f, source)?;
    for i in f.instructions() {
        if i.is_alloca() && is_lanes(i.allocated_type(), source) {
            access_as_allocated(module, i, source);
        }
    }
    // SAFETY: this function alone has handles of the copy's instructions, and none is used below.
    unsafe { f.promote_allocas() };
    for i in f.instructions() {
        if i.opcode() == Opcode::BitCast && is_lanes(i.operand(0).ty(), source) && i.ty().is_int() {
            reduce(module, i, source)?;
        }
    }
    let counters = counters(f, source)?;
    for counter in &counters {
        run_over_all_lanes(module, *counter, source)?;
    }
    f.instructions().into_iter().try_for_each(|i| check(i, &counters, source))
}

/// Inlines calls that take, return or store vectors. All other calls work on single lanes already.
fn inline(f: Function<'_>, source: &VariantSource) -> Result<(), String> {
    let on_vectors = |i: &Value<'_>| {
        let ty = i.called_type();
        is_lanes(ty.ret(), source)
            || ty.params().into_iter().any(|t| is_lanes(t, source))
            || takes_local(*i)
    };
    for _ in 0..MOST_CALLS {
        let calls = f.instructions().into_iter().filter(|i| i.is_call());
        let mut calls =
            calls.filter(|i| i.callee().is_some_and(|c| !c.is_intrinsic()) && on_vectors(i));
        let Some(call) = calls.next() else { return Ok(()) };
        let callee = call.callee().map(Function::name).unwrap_or_default();
        if !call.inline_call() {
            return Err(format!("it calls {callee}, which cannot be inlined"));
        }
    }
    Err("it makes too many calls".into())
}

/// True if a call gets the address of a vector on the stack.
fn takes_local(call: Value<'_>) -> bool {
    call.args().into_iter().any(|a| a.is_alloca() && (a.allocated_type().is_vector()))
}

/// Rewrites accesses to a stack vector by another type of equal lane width to the vector's own
/// type, so that it can become an SSA value.
fn access_as_allocated(module: &Module<'_>, alloca: Value<'_>, source: &VariantSource) {
    let ty = alloca.allocated_type();
    let punned =
        |t: Type<'_>| t != ty && is_lanes(t, source) && module.size_of(t) == module.size_of(ty);
    for user in alloca.users() {
        let b = || Builder::before(user);
        match user.opcode() {
            Opcode::Load if punned(user.ty()) && !user.is_volatile() && !user.is_atomic() => {
                let loaded = b().load(ty, alloca, 0);
                user.replace_all_uses(b().bitcast(loaded, user.ty()));
                user.erase();
            }
            Opcode::Store
                if user.operand(0) != alloca
                    && punned(user.operand(0).ty())
                    && !user.is_volatile()
                    && !user.is_atomic() =>
            {
                let stored = b().bitcast(user.operand(0), ty);
                b().store(stored, alloca, user.align());
                user.erase();
            }
            _ => {}
        }
    }
}

/// Replaces a `bitcast` of `<lanes x i1>` to an integer, and its comparisons with zero or all ones,
/// by "any" or "all" reductions.
fn reduce(module: &Module<'_>, cast: Value<'_>, source: &VariantSource) -> Result<(), String> {
    let mask = cast.operand(0);
    let cx = cast.cx();
    let all = (1u64 << source.lanes) - 1;
    if mask.ty().element() != cx.i1() {
        return Err(format!("it looks at a mask's bits: {cast}"));
    }
    for user in cast.users() {
        let bits = if user.opcode() == Opcode::ICmp { user.operand(1).as_u64() } else { None };
        let (name, over, equal) = match (bits.map(|b| b & all), user.opcode() == Opcode::ICmp) {
            (Some(0), true) => ("or", user.int_predicate(), IntPredicate::Ne),
            (Some(b), true) if b == all => ("and", user.int_predicate(), IntPredicate::Eq),
            _ => return Err(format!("it looks at a mask's bits: {user}")),
        };
        if !matches!(over, IntPredicate::Eq | IntPredicate::Ne) {
            return Err(format!("it compares a mask's bits: {user}"));
        }
        let symbol = format!("llvm.vector.reduce.{name}.v{}i1", source.lanes);
        let reduction = module.get_or_add_function(&symbol, cx.function(cx.i1(), &[mask.ty()]));
        let b = Builder::before(user);
        let holds = b.call(reduction, &[mask]);
        user.replace_all_uses(if over == equal { holds } else { b.xor(holds, cx.bool(true)) });
        user.erase();
    }
    cast.erase();
    Ok(())
}

/// The lane numbers of all lane extractions and insertions.
fn counters<'m>(f: Function<'m>, source: &VariantSource) -> Result<Vec<Value<'m>>, String> {
    // In program order, so that the output is independent of addresses.
    let mut found = Vec::new();
    for i in f.instructions() {
        let index = match i.opcode() {
            Opcode::ExtractElement if is_lanes(i.operand(0).ty(), source) => i.operand(1),
            Opcode::InsertElement if is_lanes(i.ty(), source) => i.operand(2),
            _ => continue,
        };
        let index = match index.opcode() {
            Opcode::ZExt | Opcode::SExt | Opcode::Trunc => index.operand(0),
            _ => index,
        };
        if index.opcode() == Opcode::Phi {
            if !found.contains(&index) {
                found.push(index);
            }
        } else if !index.is_constant() {
            return Err(format!("it computes the number of a lane: {i}"));
        }
    }
    Ok(found)
}

/// Changes the exit of the lane loop to the last lane of the scalable vector.
fn run_over_all_lanes(
    module: &Module<'_>,
    counter: Value<'_>,
    source: &VariantSource,
) -> Result<(), String> {
    let no = |what: Value<'_>| format!("a loop over the lanes is not simple: {what}");
    let next = match counter.incoming().as_slice() {
        [(a, _), (b, _)] if a.as_u64() == Some(0) => *b,
        [(a, _), (b, _)] if b.as_u64() == Some(0) => *a,
        _ => return Err(no(counter)),
    };
    if next.opcode() != Opcode::Add
        || next.operand(0) != counter
        || next.operand(1).as_u64() != Some(1)
    {
        return Err(no(next));
    }
    let mut bounded = false;
    for (value, last) in [(counter, u64::from(source.lanes) - 1), (next, u64::from(source.lanes))] {
        for user in value.users() {
            match user.opcode() {
                Opcode::ICmp
                    if user.operand(0) == value && user.operand(1).as_u64() == Some(last) =>
                {
                    let exact =
                        [IntPredicate::Eq, IntPredicate::Ne, IntPredicate::Ult, IntPredicate::Slt];
                    if !exact.contains(&user.int_predicate()) {
                        return Err(no(user));
                    }
                    user.set_operand(
                        1,
                        lanes(module, counter, u64::from(source.lanes) - last, source),
                    );
                    bounded = true;
                }
                Opcode::ExtractElement
                | Opcode::InsertElement
                | Opcode::ZExt
                | Opcode::SExt
                | Opcode::Trunc
                    if value == counter && only_index(user, counter) => {}
                _ if user == next || user == counter => {}
                _ => return Err(no(user)),
            }
        }
    }
    if bounded { Ok(()) } else { Err(no(counter)) }
}

/// True if `user` takes `counter` as a lane number, or is a cast whose users do.
fn only_index<'m>(user: Value<'m>, counter: Value<'m>) -> bool {
    match user.opcode() {
        Opcode::ExtractElement => user.operand(1) == counter,
        Opcode::InsertElement => user.operand(2) == counter && user.operand(1) != counter,
        _ => user.users().into_iter().all(|u| {
            matches!(u.opcode(), Opcode::ExtractElement | Opcode::InsertElement)
                && only_index(u, user)
        }),
    }
}

/// The number of lanes minus `less`, in the counter's type.
fn lanes<'m>(
    module: &'m Module<'_>,
    counter: Value<'m>,
    less: u64,
    source: &VariantSource,
) -> Value<'m> {
    let ty = counter.ty();
    let symbol = format!("llvm.vscale.i{}", ty.int_width());
    let vscale = module.get_or_add_function(&symbol, ty.cx().function(ty, &[]));
    let entry = counter.block().function().entry();
    let b = match entry.first_insertion_point() {
        Some(first) => Builder::before(first),
        None => Builder::at_end(entry),
    };
    let all = b.mul(b.call(vscale, &[]), ty.constant(source.count.into()));
    if less == 0 { all } else { b.sub(all, ty.constant(less)) }
}

/// Checks that the instruction, with scalable types, does in every lane what it does in each lane
/// of the fixed vector.
fn check<'m>(i: Value<'m>, counters: &[Value<'m>], source: &VariantSource) -> Result<(), String> {
    use Opcode::{
        AShr, Add, And, BitCast, Call, ExtractElement, FAdd, FCmp, FDiv, FMul, FNeg, FPExt, FPToSI,
        FPToUI, FPTrunc, FSub, Freeze, ICmp, InsertElement, LShr, Load, Mul, Or, Phi, Ret, SDiv,
        SExt, SIToFP, SRem, Select, Shl, ShuffleVector, Store, Sub, Trunc, UDiv, UIToFP, URem, Xor,
        ZExt,
    };
    let no = || Err(format!("not lane by lane: {i}"));
    let values: Vec<Value<'m>> = if i.is_call() { i.args() } else { i.operands() };
    let mut types: Vec<Type<'m>> = values.iter().map(|v| v.ty()).collect();
    types.push(if i.is_alloca() { i.allocated_type() } else { i.ty() });
    let on_vectors = types.iter().any(|t| t.is_vector() || t.is_scalable_vector());
    if !on_vectors {
        return Ok(());
    }
    if types.iter().any(|t| t.is_scalable_vector() || (t.is_vector() && !is_lanes(*t, source))) {
        return Err(format!("a vector of other lanes: {i}"));
    }
    let lane = |index: Value<'m>| {
        let cast = matches!(index.opcode(), ZExt | SExt | Trunc);
        counters.contains(&if cast { index.operand(0) } else { index })
    };
    let fine = match i.opcode() {
        FNeg | Add | FAdd | Sub | FSub | Mul | FMul | UDiv | SDiv | FDiv | URem | SRem | Shl
        | LShr | AShr | And | Or | Xor | Trunc | ZExt | SExt | FPToUI | FPToSI | UIToFP
        | SIToFP | FPTrunc | FPExt | ICmp | FCmp | Phi | Select | Freeze | Ret => true,
        BitCast => types.iter().all(|t| is_lanes(*t, source)),
        Load | Store => !i.is_volatile() && !i.is_atomic(),
        ExtractElement => lane(i.operand(1)),
        InsertElement => lane(i.operand(2)) || i.users().into_iter().all(is_splat),
        ShuffleVector => is_splat(i),
        Call => i.callee().is_some_and(|f| LANE_WISE.iter().any(|name| f.name().starts_with(name))),
        _ => false,
    };
    let constant = |v: &Value<'m>| v.is_constant() && v.ty().is_vector() && !v.is_splat_constant();
    if !fine || (i.opcode() != ShuffleVector && values.iter().any(constant)) {
        no()
    } else {
        Ok(())
    }
}

/// A splat: a scalar inserted in lane 0 and shuffled to all lanes.
pub(crate) fn is_splat(i: Value<'_>) -> bool {
    let shuffle =
        i.opcode() == Opcode::ShuffleVector && i.shuffle_mask().iter().all(|lane| *lane == 0);
    let put = shuffle.then(|| i.operand(0)).filter(|v| v.opcode() == Opcode::InsertElement);
    put.is_some_and(|v| v.operand(2).as_u64() == Some(0))
}

/// Lane-wise intrinsics, and the reductions made here.
const LANE_WISE: &[&str] = &[
    "llvm.abs.",
    "llvm.bitreverse.",
    "llvm.bswap.",
    "llvm.ceil.",
    "llvm.copysign.",
    "llvm.ctlz.",
    "llvm.ctpop.",
    "llvm.cttz.",
    "llvm.fabs.",
    "llvm.floor.",
    "llvm.fma.",
    "llvm.fshl.",
    "llvm.fshr.",
    "llvm.is.fpclass.",
    "llvm.maxnum.",
    "llvm.minnum.",
    "llvm.rint.",
    "llvm.round.",
    "llvm.roundeven.",
    "llvm.sadd.sat.",
    "llvm.smax.",
    "llvm.smin.",
    "llvm.sqrt.",
    "llvm.ssub.sat.",
    "llvm.trunc.",
    "llvm.uadd.sat.",
    "llvm.umax.",
    "llvm.umin.",
    "llvm.usub.sat.",
    "llvm.vector.reduce.and.",
    "llvm.vector.reduce.or.",
];
