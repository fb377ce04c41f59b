//! `keep-calls` and `settle-calls`: calls of mathematical functions stay calls until work-items are
//! lanes, so that `vecz` can call vector variants instead.
//!
//! [`keep`] runs at finalisation and marks functions of the library that work lane by lane, so that
//! they are not inlined. `vecz` replaces calls of marked functions by calls of functions that only
//! have a name ([`muxcl_vecz::variant_name`]). [`settle`] runs behind it: it links the library's
//! variants in their place, and inlines all calls that are short enough.
//!
//! Invariant: [`settle`] leaves no function that is only a name. Not here: the choice of the calls
//! (`muxcl-vecz`) and how the library names its variants ([`BuiltinLibrary::lanes`]).

use std::collections::BTreeSet;

use muxcl_llvm::{
    Builder, Context, Function, Linkage, Module, PipelineOptions, TargetMachine, Type, TypeKind,
    Value, run_pipeline,
};
use muxcl_vecz::{VARIANT_PREFIX, VARIANTS, variants_of};
pub use muxcl_vecz::{VariantLanes, parse_variant_name};

use crate::link_builtins::{self, BuiltinLibrary};
use crate::{PassError, prepare, scalable_variants};

/// Functions with fewer instructions are always inlined: a vectorizer handles them well, and other
/// passes see what they compute.
const SHORT: usize = 16;
/// Functions with at most this many instructions are inlined behind `vecz`.
const INLINED: usize = 160;
/// Inlining adds at most this many instructions for all calls of a function.
const GROWTH: usize = 2000;
/// Attribute of marked functions that the library wants inlined, whatever their length.
const ALWAYS: &str = "muxcl.always-inline";

/// Marks the library's functions that stay calls until `vecz` has run. Runs behind `link-builtins`;
/// `own` has the names of the program's own functions.
pub fn keep(module: &Module<'_>, library: &dyn BuiltinLibrary, own: &dyn Fn(&str) -> bool) {
    for f in module.definitions() {
        let name = f.name();
        let Some((scalar, lanes)) = library.lanes(&name).filter(|_| !own(&name)) else { continue };
        if f.ty().params().iter().any(|t| t.is_pointer()) {
            // The second result is a vector only where the pointers of all lanes are consecutive.
            f.add_attribute("alwaysinline");
        }
        if !is_arithmetic(f) || f.instructions().len() < SHORT {
            continue;
        }
        f.add_string_attribute(VARIANTS, &format!("{lanes} {scalar}"));
        if f.has_attribute("alwaysinline") {
            f.remove_attribute("alwaysinline");
            f.add_string_attribute(ALWAYS, "");
        }
        f.add_attribute("noinline");
    }
}

/// True for a function from numbers to a number, some of them floating-point. Vectorizers need no
/// help with integers.
fn is_arithmetic(f: Function<'_>) -> bool {
    let ty = f.ty();
    let kind = |t: Type<'_>| if t.is_vector() { t.element().kind() } else { t.kind() };
    let kinds: Vec<TypeKind> = ty.params().into_iter().chain([ty.ret()]).map(kind).collect();
    let floating = |k: &TypeKind| matches!(k, TypeKind::Half | TypeKind::Float | TypeKind::Double);
    kinds.iter().all(|k| floating(k) || *k == TypeKind::Int) && kinds.iter().any(floating)
}

/// Links the variants that `vecz` has called, and inlines calls of marked functions. True if the
/// module has changed.
///
/// # Errors
/// The library is damaged, or lacks a variant that it promised.
pub fn settle<'c>(
    context: &'c Context,
    module: &mut Module<'c>,
    library: &dyn BuiltinLibrary,
    machine: &TargetMachine,
) -> Result<bool, PassError> {
    let known = |module: &Module<'_>| -> BTreeSet<String> {
        let functions = module.definitions().into_iter().map(Function::name);
        let globals = module.globals().into_iter().filter(|g| !g.is_declaration());
        functions.chain(globals.map(Value::name)).collect()
    };
    let before = known(module);
    let mut called = Vec::new();
    for f in module.functions() {
        let name = f.name();
        if !name.starts_with(VARIANT_PREFIX) {
            continue;
        }
        let symbol = library.variant(&name).ok_or_else(|| PassError::Internal {
            pass: "settle-calls",
            what: format!("the library has no {name}"),
        })?;
        // Vectors of the program may be as long as those of lanes.
        match module.function(&symbol) {
            Some(known) => {
                for call in f.direct_calls() {
                    call.replace_all_uses(Builder::before(call).call(known, &call.args()));
                    call.erase();
                }
                f.erase();
            }
            None => f.value().set_name(&symbol),
        }
        called.push(symbol);
    }
    if !called.is_empty() {
        scalable_variants::run(context, module, library)?;
        link_builtins::link(context, module, library)?;
        prepare::run(module)?;
        let new = |v: &Value<'_>| !v.is_declaration() && !before.contains(&v.name());
        let functions = module.definitions().into_iter().map(Function::value);
        for v in functions.chain(module.globals()).filter(new) {
            v.set_linkage(Linkage::Internal);
        }
    }
    let mut any = !called.is_empty();
    for f in module.definitions() {
        let variant = called.contains(&f.name());
        if !variant && variants_of(f).is_none() {
            continue;
        }
        any = true;
        let (length, calls) = (f.instructions().len(), f.direct_calls().len());
        let always = f.string_attribute(ALWAYS).is_some();
        if always || (length <= INLINED && length * calls <= GROWTH) {
            f.remove_attribute("noinline");
            f.add_attribute("alwaysinline");
        }
    }
    if any {
        let options = PipelineOptions { loop_vectorize: false, slp_vectorize: false };
        run_pipeline(module, "always-inline,globaldce", Some(machine), options)?;
    }
    Ok(any)
}
