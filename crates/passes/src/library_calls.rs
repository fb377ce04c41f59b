//! `keep-calls` and `settle-calls`: delay the inlining of mathematical functions, so that `vecz`
//! can replace their calls by calls of vector variants.
//!
//! 1. At finalisation, [`keep`] marks the mathematical functions of the library that have vector
//!    variants. They are not inlined.
//! 2. `vecz` replaces calls of marked functions in vectorized loops. It calls functions that it
//!    only declares, such as `muxcl.lanes.16._Z3sinf` ([`muxcl_vecz::variant_name`]).
//! 3. [`settle`] links the library's vector variants for these declarations. It then inlines the
//!    calls of variants and of marked functions, except those of long functions.
//!
//! Invariant: [`settle`] leaves no declaration of a vector variant. Not here: the choice of the
//! calls (`muxcl-vecz`) and the names of variants in the library ([`BuiltinLibrary::lanes`]).

use std::collections::BTreeSet;

use muxcl_llvm::{
    Builder, Context, Function, Linkage, Module, PipelineOptions, TargetMachine, Type, TypeKind,
    Value, run_pipeline,
};
use muxcl_vecz::{VARIANT_PREFIX, VARIANTS, variants_of};
pub use muxcl_vecz::{VariantLanes, parse_variant_name};

use crate::link_builtins::{self, BuiltinLibrary};
use crate::{PassError, prepare, scalable_variants};

/// Functions with fewer instructions are not marked, but inlined at finalisation. Vectorizers
/// handle their instructions well, and other passes can optimise them.
const SHORT: usize = 16;
/// [`settle`] inlines functions with at most this many instructions.
const INLINED: usize = 160;
/// [`settle`] adds at most this many instructions by inlining all calls of one function.
const GROWTH: usize = 2000;
/// As [`GROWTH`], for functions that the library wants inlined ([`ALWAYS`]). More calls than that
/// stay calls: a kernel with hundreds of them would take seconds to compile.
const ALWAYS_GROWTH: usize = 6000;
/// Attribute of marked functions that were `alwaysinline` in the library. [`settle`] inlines them,
/// whatever their length.
const ALWAYS: &str = "muxcl.always-inline";

/// Marks the mathematical functions of the library that stay calls until `vecz` has run. Must run
/// after `link-builtins`. `own` is true for the name of a function that the program defines itself:
/// such a function is not the library's, even if it has the name of one.
pub fn keep(module: &Module<'_>, library: &dyn BuiltinLibrary, own: &dyn Fn(&str) -> bool) {
    for f in module.definitions() {
        let name = f.name();
        let Some((scalar, lanes)) = library.lanes(&name).filter(|_| !own(&name)) else { continue };
        if f.ty().params().iter().any(|t| t.is_pointer()) {
            // The vector variant of a function with a second result, such as `sincos`, stores the
            // results of all lanes to consecutive addresses, which the lanes may not have. So the
            // function is inlined. The functions that it calls, such as `sin`, have variants.
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

/// True if all parameters and the result are numbers or OpenCL vectors of numbers, and at least one
/// is floating-point. Functions on integers need no vector variants, because vectorizers handle
/// their instructions well.
fn is_arithmetic(f: Function<'_>) -> bool {
    let ty = f.ty();
    let kind = |t: Type<'_>| if t.is_vector() { t.element().kind() } else { t.kind() };
    let kinds: Vec<TypeKind> = ty.params().into_iter().chain([ty.ret()]).map(kind).collect();
    let floating = |k: &TypeKind| matches!(k, TypeKind::Half | TypeKind::Float | TypeKind::Double);
    kinds.iter().all(|k| floating(k) || *k == TypeKind::Int) && kinds.iter().any(floating)
}

/// Links the vector variants that `vecz` calls, and inlines calls of variants and marked functions.
/// Returns true if the module has changed.
///
/// # Errors
/// The library is damaged, or lacks a variant that [`BuiltinLibrary::lanes`] promised.
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
        // The module already has this function if the program calls it on OpenCL vectors with as
        // many elements as lanes.
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
        let most = if always { ALWAYS_GROWTH } else { GROWTH };
        let short = always || length <= INLINED;
        if calls == 1 && always || short && length * calls <= most {
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
