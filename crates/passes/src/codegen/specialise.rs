//! Specialisation: compiles one kernel or all kernels of a finalised program for a specialization
//! key, to an ELF object with a metadata note.

use std::collections::BTreeSet;

use muxcl_llvm::{
    Context, Function, Linkage, Module, OptLevel, PipelineOptions, TargetMachine, Value,
    run_pipeline,
};
use muxcl_types::program::{KernelInfo, ProgramInfo};
use muxcl_types::variant::{Counted, ElfMeta, NOTE_SECTION, SpecializationKey, Variant};

use super::catalogue::Environment;
use super::{CodeTarget, Program, Settings, TextForm, finalise};
use crate::kernel_abi::{self, Abi, Assume};
use crate::work_item_loops::{self, Config};
use crate::{
    PassError, Runner, blocks, cancellation_points, combine_atomics, count_operations, cross_lane,
    defined_phis, gather_addresses, interior_groups, interior_iterations, invariant_divisions,
    join_groups, known_words, library_calls, local_memory, local_registers, long_reductions,
    masked_accesses, masked_parts, narrow_indices, one_lane_stores, program_info, reciprocal_roots,
    scheduling_boundaries, select_kernel, splat_phis, vectorize, wide_indices, work_items,
    zero_private,
};

/// The function passes of `default<O3>` before the loop vectorizer, except [`vectorize::CLEAN`],
/// which precede them, and those that kernels never need (exceptions, tail recursion, profiles,
/// inter-procedural passes on code that is inlined already) and run-time unrolling. They take half
/// the time of `default<O3>`. The text lacks the last `)`.
const LATE_BEFORE_LOOPS: &str = "\
    function(loop-mssa(loop-instsimplify,loop-simplifycfg,licm<no-allowspeculation>,\
    loop-rotate<header-duplication;no-prepare-for-lto>,licm<allowspeculation>,\
    simple-loop-unswitch<nontrivial;trivial>),simplifycfg,instcombine<no-verify-fixpoint>,\
    loop(loop-idiom,indvars,loop-deletion,loop-unroll-full),sroa<modify-cfg>,gvn,\
    instcombine<no-verify-fixpoint>,jump-threading,adce,dse,loop-mssa(licm<allowspeculation>),\
    simplifycfg),globaldce,\
    function(loop(loop-rotate<header-duplication;no-prepare-for-lto>)";
/// The loop vectorizer and the passes behind it in `default<O3>`, before the SLP vectorizer. The
/// text continues a `function(`.
const LATE_LOOPS: &str = "\
    loop-vectorize,loop-load-elim,instcombine<no-verify-fixpoint>,\
    simplifycfg<forward-switch-cond;switch-range-to-icmp;switch-to-lookup;no-keep-loops;\
    hoist-common-insts;sink-common-insts>)";
/// The SLP vectorizer and the passes behind it in `default<O3>`.
const LATE_SLP: &str = "function(slp-vectorizer,vector-combine,\
    instcombine<no-verify-fixpoint>,loop-unroll<O3;no-runtime>,sroa<modify-cfg>,\
    instcombine<no-verify-fixpoint>,loop-mssa(licm<allowspeculation>),loop-sink,div-rem-pairs,\
    simplifycfg)";
/// The vectorization passes of both parts.
const VECTORIZERS: [&str; 2] = ["loop-vectorize,", "slp-vectorizer,"];
/// All of the late passes for a module with more than [`MANY_LOOPS`] loops. It leaves out the
/// passes that compute trip counts: for each loop they visit the conditions of all loops before it,
/// which takes quadratic time.
const LATE_MANY_LOOPS: &str = "\
    function(loop-mssa(licm<allowspeculation>),simplifycfg,instcombine<no-verify-fixpoint>,\
    sroa<modify-cfg>,gvn,instcombine<no-verify-fixpoint>,adce,dse,simplifycfg),globaldce";
/// Only kernels with hundreds of barriers have more loops: each barrier ends a loop over the
/// work-items.
const MANY_LOOPS: usize = 768;
/// If a function has more blocks, loop-invariant code motion is left out. For each instruction it
/// may visit every block of the loop, which takes quadratic time. Switches of thousands of cases
/// have that many blocks.
const MANY_BLOCKS: usize = 8192;
/// Loop-invariant code motion, in each form in which the pipelines contain it.
const MOTIONS: [&str; 3] =
    ["loop-mssa(licm<allowspeculation>),", "licm<no-allowspeculation>,", "licm<allowspeculation>,"];
const LATE_LITTLE: &str = "function(sroa,simplifycfg,early-cse),globaldce";

/// Stack that the entry point needs besides its private variables, in bytes: spills, saved
/// registers, callees' frames.
const STACK_MARGIN: u64 = 16 << 10;

/// Compiles the object with the program-scope variables.
pub(super) fn globals<T: CodeTarget + ?Sized>(
    target: &T,
    bitcode: &[u8],
    run: &mut Runner<'_>,
) -> Result<Vec<u8>, PassError> {
    let context = Context::new();
    let mut module = Module::parse_lazy(&context, bitcode)?;
    let ours = |g: &Value<'_>| crate::prepare::is_program_variable(*g);
    if !module.globals().iter().any(|g| ours(g) && !g.is_declaration()) {
        return Ok(Vec::new());
    }
    for f in module.functions() {
        if f.is_materializable() || !f.is_declaration() {
            f.delete_body();
            f.set_linkage(Linkage::External);
        }
    }
    let machine = target.machine(OptLevel::Default)?;
    run_pipeline(&mut module, "globaldce", Some(&machine), PipelineOptions::default())?;
    add_note(&module, &ElfMeta::default())?;
    Ok(run.step("emit globals", || machine.emit_object(&mut module))?)
}

/// Compiles a module of library functions, without any kernel pass.
pub(super) fn object<T: CodeTarget + ?Sized>(
    target: &T,
    module: &mut Module<'_>,
    settings: &Settings,
) -> Result<Vec<u8>, PassError> {
    finalise::retarget(target, module)?;
    crate::address_spaces::run(module)?;
    let machine =
        target.machine(if settings.opt_disable { OptLevel::Less } else { OptLevel::Aggressive })?;
    Ok(machine.emit_object(module)?)
}

/// Compiles kernels of a finalised program to the final object.
pub(super) fn compile<T: CodeTarget + ?Sized>(
    target: &T,
    program: &Program<'_>,
    infos: &[&KernelInfo],
    key: &SpecializationKey,
    settings: &Settings,
    run: &mut Runner<'_>,
) -> Result<Vec<u8>, PassError> {
    compile_to(target, program, infos, key, settings, run, |module, machine, meta, run| {
        let quick = loops(module) > target.quick_above();
        let object = run.run_whole("emit", module, |module| {
            Ok(if quick {
                machine.emit_object_quickly(module)?
            } else {
                machine.emit_object(module)?
            })
        })?;
        let symbols: Vec<&str> =
            meta.variants.iter().chain(&meta.blocks).map(|v| v.symbol.as_str()).collect();
        run.step("link", || target.finish(object, &symbols))
    })
}

/// Compiles kernels like [`compile`], to text.
pub(super) fn text<T: CodeTarget + ?Sized>(
    target: &T,
    program: &Program<'_>,
    infos: &[&KernelInfo],
    key: &SpecializationKey,
    settings: &Settings,
    (form, run): (TextForm, &mut Runner<'_>),
) -> Result<String, PassError> {
    compile_to(target, program, infos, key, settings, run, |module, machine, _, run| match form {
        TextForm::Ir => Ok(module.to_string()),
        TextForm::Assembly => {
            run.run_whole("emit", module, |module| Ok(machine.emit_assembly(module)?))
        }
    })
}

/// Compiles kernels of a finalised program up to code generation. `output` makes the result of the
/// optimised module and of its metadata.
fn compile_to<T: CodeTarget + ?Sized, R>(
    target: &T,
    program: &Program<'_>,
    infos: &[&KernelInfo],
    key: &SpecializationKey,
    settings: &Settings,
    run: &mut Runner<'_>,
    output: impl FnOnce(
        &mut Module<'_>,
        &TargetMachine,
        &ElfMeta,
        &mut Runner<'_>,
    ) -> Result<R, PassError>,
) -> Result<R, PassError> {
    let Program { bitcode, info: program, library } = *program;
    // Only vectorized work-items benefit from small ids.
    let key = &SpecializationKey { small_ids: key.small_ids && target.lanes().is_some(), ..*key };
    let context = Context::new();
    context.discard_value_names(!run.wants_names());
    // A context that does not require zeroed memory may have built this program.
    let zero = settings.requirements.zero_private && !program.requirements.zero_private;
    let level = if settings.opt_disable { OptLevel::Less } else { OptLevel::Aggressive };
    let machine = run.step("machine", || target.machine(level))?;
    let vectors = target.lanes().filter(|_| !settings.opt_disable);
    let mut ways = Ways { zero_private: zero, lanes: vectors.is_some(), loops: BTreeSet::new() };
    let (mut module, mut meta, mut cleaned, made) = loop {
        let mut module = run.step("read", || Module::parse_lazy(&context, bitcode))?;
        let of_target = (target.abi(), &machine, vectors);
        let meta = lower(&module, (infos, program), key, (settings, &ways), of_target, run)?;
        run.run("tune", &module, || {
            // Functions that the passes have added need the target's attributes, too.
            target.tune(&module);
            Ok(())
        })?;
        let Some(options) = vectors else { break (module, meta, false, Vec::new()) };
        let report = run.options().report;
        let prepared = run.run("canonical-loops", &module, || {
            vectorize::prepare(&module, &machine, options, report)
        })?;
        let made =
            run.run("vecz", &module, || Ok(vectorize::run(&module, &prepared, options, report)))?;
        let left = cross_lane::left(&module);
        if !left.is_empty() {
            // `vecz` refused loops with operations between lanes. The kernels of these loops are
            // lowered again, with sub-groups as loops.
            ways.add_loops(&left, infos, program);
            continue;
        }
        let mut cleaned = false;
        if made.is_empty() {
            // No loop was vectorized, so the module from before the preparation is used. Scalar
            // code is faster without the loops that the preparation unrolled.
            cleaned = prepared.cleaned;
            module = prepared.before.unwrap_or(module);
        }
        break (module, meta, cleaned, made);
    };
    if vectors.is_some() {
        run.run_whole("plain-local-atomics", &mut module, |module| {
            // One thread runs all work-items of a group, and no other sees its local memory. Only
            // lanes of a vector need these accesses to be atomic, and they run one by one now.
            module.plain_atomics(local_memory::SPACE);
            Ok(())
        })?;
    }
    if combine_atomics::any(&module) {
        run.run_whole("combine-atomics", &mut module, |module| {
            combine_atomics::run(&context, module)?;
            target.tune(module);
            Ok(())
        })?;
    }
    let settled = run.run_whole("settle-calls", &mut module, |module| {
        library_calls::settle(&context, module, library, &machine)
    })?;
    if settled {
        target.tune(&module);
        cleaned = false;
    }
    if settings.opt_disable {
        run.run_whole("optimise", &mut module, |module| {
            let options = PipelineOptions::default();
            Ok(run_pipeline(module, LATE_LITTLE, Some(&machine), options)?)
        })?;
    } else {
        optimise(target, &mut module, &machine, cleaned, run)?;
    }
    if target.mends_phis() {
        run.run("splat-phis", &module, || {
            splat_phis::run(&module);
            Ok(())
        })?;
        run.run("defined-phis", &module, || {
            defined_phis::run(&module);
            Ok(())
        })?;
    }
    run.run("one-lane-stores", &module, || {
        one_lane_stores::run(&module);
        Ok(())
    })?;
    if target.estimates_roots() {
        run.run("reciprocal-roots", &module, || {
            reciprocal_roots::run(&module);
            Ok(())
        })?;
    }
    if target.fence_selects() {
        run.run("fence-selects", &module, || crate::fence_selects::run(&module))?;
    }
    if target.masked_accesses() {
        run.run("masked-accesses", &module, || masked_accesses::run(&module))?;
    }
    run.run("wide-indices", &module, || wide_indices::run(&module))?;
    run.run("gather-addresses", &module, || gather_addresses::run(&module))?;
    run.run("masked-parts", &module, || masked_parts::run(&module))?;
    if settings.requirements.stoppable {
        run.run("cancellation-points", &module, || cancellation_points::run(&module))?;
    }
    run.run("scheduling-boundaries", &module, || {
        scheduling_boundaries::run(&module);
        Ok(())
    })?;
    for v in &mut meta.variants {
        v.lanes = vectorize::all_lanes(&module, &made, &v.symbol);
    }
    let hosted = target.abi() == Abi::Host;
    // Code for any local size goes into binaries, which other processes run.
    if hosted && settings.requirements.counts && key.local_size.is_some() {
        run.run("count-operations", &module, || {
            for v in meta.variants.iter_mut().take(infos.len()) {
                v.counts = count_operations::run(&module, &v.symbol);
            }
            Ok(())
        })?;
    }
    let most = target.lanes().and_then(|o| o.scalable).map_or(1, |s| s.max);
    let mut meta = with_stack(&module, meta, target.abi(), most);
    // A kernel that enqueues a block finds the block's kernel through its constant. The runtime
    // finds the kernel by name.
    for (place, child) in (0u64..).zip(meta.variants.split_off(infos.len())) {
        blocks::define(&module, &child, (!hosted).then_some(place))?;
        if !hosted {
            meta.blocks.push(child);
        }
    }
    add_note(&module, &meta)?;
    output(&mut module, &machine, &meta, run)
}

/// Runs the final pipeline. `cleaned`: its first passes have run.
pub(super) fn optimise<T: CodeTarget + ?Sized>(
    target: &T,
    module: &mut Module<'_>,
    machine: &TargetMachine,
    cleaned: bool,
    run: &mut Runner<'_>,
) -> Result<(), PassError> {
    let many_blocks = module.definitions().iter().any(|f| f.blocks().len() > MANY_BLOCKS);
    let passes = |module: &mut Module<'_>, pipeline: &str| {
        let mut left_out: Vec<&str> = Vec::new();
        if !target.vectorizes() {
            left_out.extend(VECTORIZERS);
        }
        if many_blocks {
            left_out.extend(MOTIONS);
        }
        let pipeline = left_out.iter().fold(pipeline.to_owned(), |p, out| p.replace(out, ""));
        run_pipeline(module, &pipeline, Some(machine), PipelineOptions::default())
    };
    if loops(module) > MANY_LOOPS {
        return run.run_whole("optimise", module, |module| Ok(passes(module, LATE_MANY_LOOPS)?));
    }
    // All function passes share one `function(...)`, so that each function goes through all of them
    // before the next function starts.
    let before = match cleaned {
        true => LATE_BEFORE_LOOPS.to_owned(),
        false => {
            let first = format!("function({},", vectorize::CLEAN);
            LATE_BEFORE_LOOPS.replacen("function(", &first, 1)
        }
    };
    let mut loops = format!("function({LATE_LOOPS}");
    let needed = narrow_indices::any(module) || invariant_divisions::any(module);
    if target.vectorizes() && needed {
        run.run_whole("simplify", module, |module| Ok(passes(module, &format!("{before})"))?))?;
        run.run("invariant-divisions", module, || {
            invariant_divisions::run(module);
            Ok(())
        })?;
        run.run("narrow-indices", module, || {
            narrow_indices::run(module);
            Ok(())
        })?;
    } else {
        // One pipeline keeps the results of analyses.
        loops = format!("{before},{LATE_LOOPS}");
    }
    // Without lanes, LLVM's loops over work-items are the fastest form.
    let straighten = target.lanes().is_some() && local_registers::any(module);
    if straighten {
        run.run_whole("loops", module, |module| Ok(passes(module, &loops)?))?;
        run.run("local-registers", module, || {
            local_registers::run(module);
            Ok(())
        })?;
    }
    run.run_whole("optimise", module, |module| {
        let Some(bits) = target.widest_reduction() else {
            let rest = if straighten { LATE_SLP.to_owned() } else { format!("{loops},{LATE_SLP}") };
            return Ok(passes(module, &rest)?);
        };
        if !straighten {
            passes(module, &loops)?;
        }
        let kept = long_reductions::keep_scalar(module, bits);
        passes(module, LATE_SLP)?;
        long_reductions::release(module, &kept);
        Ok(())
    })
}

/// The choices of the lowering from finalised kernels to entry points.
struct Ways {
    /// Private memory must be zeroed.
    zero_private: bool,
    /// Work-items may become lanes of vectors.
    lanes: bool,
    /// The names of the kernels whose sub-groups must be loops, because `vecz` refused them.
    loops: BTreeSet<String>,
}

impl Ways {
    /// Adds the kernels to which `functions`, group functions or entry points, belong. If this adds
    /// no new kernel, no kernel gets lanes any more, so that the next lowering succeeds.
    fn add_loops(
        &mut self,
        functions: &BTreeSet<String>,
        infos: &[&KernelInfo],
        program: &ProgramInfo,
    ) {
        let before = self.loops.len();
        let all = || infos.iter().copied().chain(&program.blocks).map(|k| &k.name);
        let named = |k: &&String| {
            let symbol = symbol_of(k);
            functions.iter().any(|f| kernel_abi::is_of_kernel(f, &symbol))
        };
        self.loops.extend(all().filter(named).cloned());
        if self.loops.len() == before {
            self.lanes = false;
        }
    }
}

/// The symbol of a kernel's entry point.
fn symbol_of(kernel: &str) -> String {
    format!("{}{kernel}", kernel_abi::SYMBOL_PREFIX)
}

/// Runs the passes between finalised IR and the final pipeline. In the metadata, the variants of
/// the requested kernels precede those of blocks.
fn lower(
    module: &Module<'_>,
    (infos, program): (&[&KernelInfo], &ProgramInfo),
    key: &SpecializationKey,
    (settings, ways): (&Settings, &Ways),
    (abi, machine, options): (Abi, &TargetMachine, Option<vectorize::Options>),
    run: &mut Runner<'_>,
) -> Result<ElfMeta, PassError> {
    let names: Vec<&str> = infos.iter().map(|k| k.name.as_str()).collect();
    let kernels =
        run.run("select-kernel", module, || select_kernel::run(module, &names, abi != Abi::Host))?;
    if !key.words.is_empty() && !settings.opt_disable {
        run.run("known-words", module, || {
            let mut named = kernels.iter().zip(infos);
            named.try_for_each(|(kernel, info)| {
                known_words::run(module, *kernel, info, abi.word(), &key.words, machine)
            })
        })?;
    }
    if let (Some(launch), Some(seen)) = (key.local_size, key.seen_local_size) {
        run.run("join-groups", module, || {
            join_groups::run(module, join_groups::Joined { launch, seen });
            Ok(())
        })?;
    }
    run.run("cross-lane", module, || {
        for kernel in &kernels {
            let lanes = ways.lanes && !ways.loops.contains(&kernel.name());
            cross_lane::run(module, *kernel, lanes)?;
        }
        cross_lane::erase_bodies(module);
        Ok(())
    })?;
    if ways.zero_private {
        run.run("zero-private", module, || {
            zero_private::run(module, zero_private::Stage::Optimised)
        })?;
    }
    if ways.lanes {
        run.run("unroll-private", module, || vectorize::unroll::run(module))?;
    }
    let layouts = run.step("local layout", || {
        local_memory::expand_constants(module);
        local_memory::layouts(module, &kernels)
    });
    run.run("work-item-params", module, || {
        work_items::add_parameters(module, &kernels, &layouts.shared)
    })?;
    let mut meta = ElfMeta { printf: program.printf.clone(), ..ElfMeta::default() };
    let of_blocks =
        SpecializationKey { uniform: settings.uniform_work_groups, ..SpecializationKey::default() };
    for (n, (kernel, locals)) in kernels.iter().zip(&layouts.kernels).enumerate() {
        let (info, key) = match infos.get(n) {
            Some(info) => (*info, key),
            None => (block_info(program, *kernel)?, &of_blocks),
        };
        let reqd = (info.reqd_work_group_size != [0; 3]).then_some(info.reqd_work_group_size);
        let config = Config {
            local_size: key.local_size.or(reqd),
            uniform: key.uniform,
            small_ids: key.small_ids,
            sub_group: info.sub_group_size(),
            lanes: options.filter(|_| ways.lanes),
        };
        let may_wait = work_item_loops::may_wait(*kernel);
        // Groups that may wait for earlier ones start in the order of their numbers.
        let along = if may_wait { 0 } else { info.along.min(2) };
        // A child kernel may start once a group of its parent has ended, so a parent's operations
        // must not wait. The runtime does not know the variants of blocks.
        let may_combine = infos.get(n).is_some() && !info.enqueues && !may_wait;
        let combined = (abi == Abi::Host && !settings.opt_disable && may_combine)
            .then(|| combine_atomics::mark(*kernel))
            .flatten();
        let group = run.run("work-item-loops", module, || {
            work_item_loops::run(module, *kernel, locals, config)
        })?;
        // Scalar code gains nothing from the copies.
        if config.lanes.is_some() {
            run.run("interior-groups", module, || {
                interior_groups::run(group);
                Ok(())
            })?;
            run.run("interior-iterations", module, || {
                interior_iterations::run(group);
                Ok(())
            })?;
        }
        let zero_local = settings.requirements.zero_local;
        let assume = Assume { config, zero_offset: key.zero_offset, zero_local, along, combined };
        let symbol = symbol_of(&info.name);
        let packed_bytes = run.run("kernel-abi", module, || {
            let packed = kernel_abi::run(module, group, info, locals.bytes, assume, &symbol, abi)?;
            kernel_abi::erase_original(*kernel);
            Ok(packed)
        })?;
        meta.variants.push(Variant {
            kernel: info.name.clone(),
            symbol,
            key: *key,
            local_bytes: locals.bytes,
            scratch_bytes_per_item: group.scratch_per_item,
            scratch_bytes_per_group: group.scratch_per_group,
            stack_bytes: 0,
            flush_denormals: settings.denorms_are_zero,
            packed_bytes,
            enqueues: info.enqueues,
            may_wait,
            combines: combined.is_some(),
            along,
            lanes: String::new(),
            counts: Counted::default(),
        });
    }
    Ok(meta)
}

/// The passes from `select-kernel` to `kernel-abi` on a module after `clean`, for the catalogue.
pub(super) fn lower_all<'c>(
    environment: &Environment<'_, 'c>,
    module: &mut Module<'c>,
    run: &mut Runner<'_>,
) -> Result<(), PassError> {
    let Environment { target, settings, key, kernel, .. } = *environment;
    let program = program_info::collect(module);
    program_info::check(&program)?;
    if program.kernels.is_empty() {
        let what = "the module has no kernel; the pass prepare marks kernels";
        return Err(PassError::Unsupported(what.to_owned()));
    }
    let infos: Vec<_> = match kernel {
        Some(name) => {
            vec![program.kernel(name).ok_or_else(|| PassError::NoKernel(name.to_owned()))?]
        }
        None => program.kernels.iter().collect(),
    };
    let machine = target.machine(OptLevel::Aggressive)?;
    let options = target.lanes();
    let zero_private = settings.requirements.zero_private;
    let ways = Ways { zero_private, lanes: options.is_some(), loops: BTreeSet::new() };
    let of_target = (target.abi(), &machine, options);
    lower(module, (&infos, &program), key, (settings, &ways), of_target, run)?;
    target.tune(module);
    Ok(())
}

/// The passes `canonical-loops` and `vecz` on a module after [`lower_all`], for the catalogue.
pub(super) fn lanes<'c>(
    environment: &Environment<'_, 'c>,
    module: &mut Module<'c>,
    run: &mut Runner<'_>,
) -> Result<(), PassError> {
    let target = environment.target;
    let refused = |what: &str| PassError::Unsupported(what.to_owned());
    let options = target.lanes().ok_or_else(|| refused("the target has no lanes of vectors"))?;
    let machine = target.machine(OptLevel::Aggressive)?;
    let report = run.options().report;
    let prepared = run
        .run("canonical-loops", module, || vectorize::prepare(module, &machine, options, report))?;
    let lanes =
        run.run("vecz", module, || Ok(vectorize::run(module, &prepared, options, report)))?;
    if !cross_lane::left(module).is_empty() {
        return Err(refused(
            "a loop with operations between lanes is not a vector: leave out lanes",
        ));
    }
    if let Some(before) = prepared.before.filter(|_| lanes.is_empty()) {
        *module = before;
    }
    Ok(())
}

/// The metadata of a block's kernel.
fn block_info<'p>(
    program: &'p ProgramInfo,
    kernel: Function<'_>,
) -> Result<&'p KernelInfo, PassError> {
    let name = kernel.name();
    program.blocks.iter().find(|b| b.name == name).ok_or(PassError::NoKernel(name))
}

/// An estimate of the number of loops: the number of back edges.
fn loops(module: &Module<'_>) -> usize {
    let mut count = 0;
    for f in module.definitions() {
        let mut seen = BTreeSet::new();
        for b in f.blocks() {
            seen.insert(b);
            count += usize::from(b.successors().iter().any(|s| seen.contains(s)));
        }
    }
    count
}

/// Adds a kernel's use of the stack to the metadata. Entry points for a HAL also hold local and
/// scratch memory on the stack, which the metadata counts separately. `vscale` is the largest
/// factor of scalable vectors on any device that may run the kernel.
fn with_stack(module: &Module<'_>, mut meta: ElfMeta, abi: Abi, vscale: u32) -> ElfMeta {
    let apart =
        |f: &Function<'_>| abi != Abi::Host && meta.variants.iter().any(|v| v.symbol == f.name());
    let private: u64 = module
        .definitions()
        .into_iter()
        .filter(|f| !apart(f))
        .flat_map(Function::instructions)
        .filter(|i| i.is_alloca())
        .map(|i| {
            let ty = i.allocated_type();
            let scale = if ty.is_scalable_vector() { vscale.into() } else { 1 };
            module.size_of(ty) * scale + i.alloca_align()
        })
        .sum();
    for v in &mut meta.variants {
        v.stack_bytes = private + STACK_MARGIN;
    }
    meta
}

fn add_note(module: &Module<'_>, meta: &ElfMeta) -> Result<(), PassError> {
    let bytes =
        meta.to_note().map_err(|e| PassError::Internal { pass: "note", what: e.to_string() })?;
    let data = module.bytes(&bytes);
    let g = module.add_global("muxcl.note", data.ty(), 0);
    g.set_initializer(Some(data));
    g.set_constant_global(true);
    g.set_linkage(Linkage::Private);
    g.set_section(NOTE_SECTION);
    g.set_align(4);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_refused_kernel_is_found_by_the_names_of_its_functions() {
        let kernel = |name: &str| KernelInfo { name: name.into(), ..KernelInfo::default() };
        let (a, ab) = (kernel("a"), kernel("ab"));
        let refused = |functions: &[&str]| {
            let mut ways = Ways { zero_private: false, lanes: true, loops: BTreeSet::new() };
            let functions = functions.iter().map(|f| (*f).to_owned()).collect();
            ways.add_loops(&functions, &[&a, &ab], &ProgramInfo::default());
            (ways.loops.into_iter().collect::<Vec<_>>(), ways.lanes)
        };
        for function in ["muxcl.kernel.a", "muxcl.kernel.a.group", "muxcl.kernel.a.groups.group"] {
            assert_eq!(refused(&[function]), (vec!["a".to_owned()], true), "{function}");
        }
        assert_eq!(refused(&["muxcl.kernel.ab.group"]), (vec!["ab".to_owned()], true));
        assert_eq!(refused(&["helper"]), (vec![], false), "no kernel, so none gets lanes");
    }
}
