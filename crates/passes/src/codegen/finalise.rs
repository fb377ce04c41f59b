//! Finalisation, once per program: turns linked IR into metadata and optimised IR without
//! unresolved functions.

use std::collections::BTreeSet;

use muxcl_llvm::{Context, Function, Linkage, Module, OptLevel, PipelineOptions, run_pipeline};

use super::{CodeTarget, Finalised, Settings};
use crate::link_builtins::BuiltinLibrary;
use crate::{
    PassError, Runner, address_spaces, blocks, check, check_recursion, check_types, constructors,
    divisions, fuse_halves, inline_barriers, join_groups, library_calls, link_builtins, prepare,
    printf, program_info, scalable_variants, split_vectors, zero_private,
};

/// Cheap clean-up for the benefit of later passes. It neither unrolls nor vectorizes.
const CLEAN: &str = "always-inline,function(sroa<modify-cfg>,early-cse,simplifycfg,instcombine<no-verify-fixpoint>),\
    cgscc(inline,function(sroa<modify-cfg>,early-cse<memssa>,simplifycfg,instcombine<no-verify-fixpoint>,adce)),globaldce";
const CLEAN_LITTLE: &str = "always-inline,function(sroa<modify-cfg>,simplifycfg),globaldce";
/// The clean-up behind the pass `check`, which inlines the checks.
const CHECKED: &str = "always-inline,function(sroa<modify-cfg>,early-cse<memssa>,simplifycfg,\
    instcombine<no-verify-fixpoint>),globaldce";

pub(super) fn run<'c, T: CodeTarget + ?Sized>(
    target: &T,
    context: &'c Context,
    module: &mut Module<'c>,
    library: &dyn BuiltinLibrary,
    settings: &Settings,
    run: &mut Runner<'_>,
) -> Result<Finalised, PassError> {
    target.check_linking()?;
    run.run("constructors", module, || constructors::run(module))?;
    run.run("prepare", module, || prepare(module))?;
    run.run("lower-blocks", module, || blocks::run(module))?;
    run.run("guard-divisions", module, || divisions::run(module))?;
    if settings.requirements.zero_private {
        run.run("zero-private", module, || zero_private::run(module, zero_private::Stage::Source))?;
    }
    let mut info = run.step("program-info", || program_info::collect(module));
    program_info::check(&info)?;
    if target.fuses_halves() {
        run.run("fuse-halves", module, || fuse_halves::run(module))?;
    }
    run.run_whole("scalable-variants", module, |module| {
        scalable_variants::run(context, module, library)
    })?;
    let keeps = target.lanes().is_some() && !settings.opt_disable;
    let checks = settings.requirements.checks;
    let own: BTreeSet<String> = match keeps || checks.any() {
        true => module.definitions().into_iter().map(Function::name).collect(),
        false => BTreeSet::new(),
    };
    run.run_whole("link-builtins", module, |module| link_builtins::run(context, module, library))?;
    run.run("retarget", module, || retarget(target, module))?;
    run.run_whole("lower-opaque", module, address_spaces::run)?;
    run.run("internalise", module, || {
        internalise(module);
        Ok(())
    })?;
    if keeps {
        run.run("keep-calls", module, || {
            library_calls::keep(module, library, &|name| own.contains(name));
            Ok(())
        })?;
    }
    if checks.any() {
        check::prepare(module, &own);
    }
    run.run("inline-barriers", module, || inline_barriers::run(module))?;
    run.run_whole("clean", module, |module| clean(target, module, settings))?;
    if checks.any() {
        run.run_whole("check", module, |module| {
            let word = target.abi().word();
            check::run(context, module, library, settings.requirements, word, &mut info)?;
            retarget(target, module)?;
            prepare::internalise(module);
            let machine = target.machine(OptLevel::Aggressive)?;
            Ok(run_pipeline(module, CHECKED, Some(&machine), PipelineOptions::default())?)
        })?;
    }
    run.run_whole("check-recursion", module, check_recursion::run)?;
    run.run("check-types", module, || check_types::run(module, target.has_bfloat()))?;
    if !settings.opt_disable {
        run.run("split-vectors", module, || split_vectors::run(module))?;
    }
    let printf::Lowered { table, warnings } =
        run.run("printf", module, || printf::run(module, target.abi()))?;
    info.printf = table;
    if !settings.opt_disable {
        run.run("global-ids", module, || {
            join_groups::global_ids(module, settings.uniform_work_groups);
            Ok(())
        })?;
    }
    program_info::measure(module, &mut info);
    program_info::check_private(&info)?;
    info.opt_disable = settings.opt_disable;
    info.denorms_are_zero = settings.denorms_are_zero;
    info.uniform_work_groups = settings.uniform_work_groups;
    info.requirements = settings.requirements;
    let bitcode = run.step("write", || module.to_bitcode());
    Ok(Finalised { info, bitcode, warnings })
}

/// The pass `prepare` on a program of the front end: [`prepare::run`], and variables of the debug
/// information have no address space.
pub(super) fn prepare(module: &Module<'_>) -> Result<(), PassError> {
    module.flatten_debug_addresses();
    prepare::run(module)
}

/// The pass `internalise`: only kernels and program-scope variables stay visible.
pub(super) fn internalise(module: &Module<'_>) {
    prepare::internalise(module);
    name_program_variables(module);
}

/// The pass `clean`: inlining and LLVM's simplest optimisations.
pub(super) fn clean<T: CodeTarget + ?Sized>(
    target: &T,
    module: &mut Module<'_>,
    settings: &Settings,
) -> Result<(), PassError> {
    let mut pipeline = if settings.opt_disable { CLEAN_LITTLE } else { CLEAN }.to_owned();
    if settings.requirements.checks.any() {
        // A load that the source makes under a condition must stay under it: unconditional, it may
        // read what nothing has written, or race with a write.
        pipeline = pipeline.replace("simplifycfg", "simplifycfg<no-speculate-blocks>");
    }
    let machine = target.machine(OptLevel::Aggressive)?;
    let options = PipelineOptions { loop_vectorize: false, slp_vectorize: false };
    Ok(run_pipeline(module, &pipeline, Some(&machine), options)?)
}

/// Retargets the module from spir or spir64. The target lays out every OpenCL C type in the same
/// way.
pub(super) fn retarget<T: CodeTarget + ?Sized>(
    target: &T,
    module: &Module<'_>,
) -> Result<(), PassError> {
    let machine = target.machine(OptLevel::Aggressive)?;
    module.set_triple(target.triple());
    module.set_layout(&machine.layout());
    // The library added functions.
    prepare::run(module)?;
    target.tune(module);
    for name in
        ["opencl.ocl.version", "opencl.spir.version", "llvm.ident", "opencl.used.extensions"]
    {
        module.erase_named_metadata(name);
    }
    Ok(())
}

/// Renames program-scope variables. They are symbols that the objects of a program share, so no
/// name may match a C function's.
fn name_program_variables(module: &Module<'_>) {
    for g in module.globals() {
        if prepare::is_program_variable(g) && !g.is_declaration() {
            let name = g.name();
            if !name.starts_with("muxcl.var.") {
                g.set_name(&format!("muxcl.var.{name}"));
            }
            g.set_linkage(Linkage::External);
            g.set_hidden(false);
        }
    }
}
