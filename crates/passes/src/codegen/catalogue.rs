//! The passes that run on their own, by name, for tools that run any list of them.
//!
//! Invariant: an entry calls the function that the pipeline calls under the same name. Passes that
//! need what earlier ones have found (the layout of local memory, the group functions) are in
//! groups: `lower`, `lanes`, `optimise`. Not here: the driver's order of passes (`finalise`,
//! `specialise`).

use muxcl_llvm::{Context, Module, OptLevel, run_pipeline};
use muxcl_types::variant::SpecializationKey;

use super::{CodeTarget, Settings, finalise, specialise};
use crate::link_builtins::BuiltinLibrary;
use crate::{
    PassError, Runner, address_spaces, blocks, cancellation_points, check_recursion, check_types,
    combine_atomics, constructors, defined_phis, divisions, fence_selects, fuse_halves,
    gather_addresses, inline_barriers, invariant_divisions, join_groups, library_calls,
    link_builtins, local_memory, local_registers, masked_accesses, masked_parts, narrow_indices,
    one_lane_stores, printf, reciprocal_roots, scalable_variants, scheduling_boundaries,
    splat_phis, split_vectors, vectorize, wide_indices, zero_private,
};

/// What passes need besides the module.
pub struct Environment<'e, 'c> {
    /// The module's context.
    pub context: &'c Context,
    /// The target of code generation.
    pub target: &'e dyn CodeTarget,
    /// The OpenCL C library.
    pub library: &'e dyn BuiltinLibrary,
    /// Build options.
    pub settings: &'e Settings,
    /// The kernel for `lower`; `None`: all.
    pub kernel: Option<&'e str>,
    /// What is known of the launch.
    pub key: &'e SpecializationKey,
}

impl std::fmt::Debug for Environment<'_, '_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Environment").field("target", &self.target).finish_non_exhaustive()
    }
}

/// How a pass runs.
#[derive(Clone, Copy)]
enum Run {
    /// On the module.
    Plain(fn(&Module<'_>) -> Result<(), PassError>),
    /// On the module, and it cannot fail.
    Sure(fn(&Module<'_>)),
    /// With the environment; it may delete any part of the module.
    Whole(for<'c> fn(&Environment<'_, 'c>, &mut Module<'c>) -> Result<(), PassError>),
    /// Several passes of the pipeline, each run by the runner.
    Group(
        for<'c> fn(&Environment<'_, 'c>, &mut Module<'c>, &mut Runner<'_>) -> Result<(), PassError>,
    ),
}

/// A pass that runs on its own.
#[derive(Clone, Copy)]
pub struct Pass {
    /// The name, as in the pipeline and for `MUXCL_DUMP`.
    pub name: &'static str,
    /// What it does.
    pub about: &'static str,
    run: Run,
}

impl std::fmt::Debug for Pass {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Pass").field("name", &self.name).finish_non_exhaustive()
    }
}

impl Pass {
    /// The pass with this name.
    #[must_use]
    pub fn named(name: &str) -> Option<&'static Self> {
        ALL.iter().find(|pass| pass.name == name)
    }

    /// Runs the pass.
    ///
    /// # Errors
    /// Those of the pass; [`PassError::Internal`] if it left malformed IR and the runner verifies.
    pub fn run<'c>(
        &self,
        environment: &Environment<'_, 'c>,
        module: &mut Module<'c>,
        runner: &mut Runner<'_>,
    ) -> Result<(), PassError> {
        match self.run {
            Run::Plain(pass) => runner.run(self.name, module, || pass(module)),
            Run::Sure(pass) => runner.run(self.name, module, || {
                pass(module);
                Ok(())
            }),
            Run::Whole(pass) => {
                runner.run_whole(self.name, module, |module| pass(environment, module))
            }
            Run::Group(pass) => pass(environment, module, runner),
        }
    }
}

/// Runs passes of LLVM, in the text form of `opt -passes`.
///
/// # Errors
/// The text names no pipeline.
pub fn llvm<'c>(
    pipeline: &str,
    environment: &Environment<'_, 'c>,
    module: &mut Module<'c>,
    runner: &mut Runner<'_>,
) -> Result<(), PassError> {
    runner.run_whole("llvm", module, |module| {
        let machine = environment.target.machine(OptLevel::Aggressive)?;
        Ok(run_pipeline(module, pipeline, Some(&machine), Default::default())?)
    })
}

const fn plain(
    name: &'static str,
    about: &'static str,
    pass: fn(&Module<'_>) -> Result<(), PassError>,
) -> Pass {
    Pass { name, about, run: Run::Plain(pass) }
}

const fn sure(name: &'static str, about: &'static str, pass: fn(&Module<'_>)) -> Pass {
    Pass { name, about, run: Run::Sure(pass) }
}

const fn whole(
    name: &'static str,
    about: &'static str,
    pass: for<'c> fn(&Environment<'_, 'c>, &mut Module<'c>) -> Result<(), PassError>,
) -> Pass {
    Pass { name, about, run: Run::Whole(pass) }
}

/// The passes, in the order in which the pipeline runs them.
pub const ALL: &[Pass] = &[
    plain("constructors", "makes a kernel of the constructors of C++ objects", constructors::run),
    plain("prepare", "marks kernels, and gives functions the conventions of C", finalise::prepare),
    plain("lower-blocks", "rewrites blocks and enqueue_kernel for the runtime", blocks::run),
    plain("guard-divisions", "makes integer division by zero harmless", divisions::run),
    plain("zero-private", "zeroes private memory (cl_khr_initialize_memory)", |module| {
        zero_private::run(module, zero_private::Stage::Source)
    }),
    plain("fuse-halves", "makes fma and mad of half instructions", fuse_halves::run),
    whole("scalable-variants", "makes library functions for vectors of any length", |e, module| {
        scalable_variants::run(e.context, module, e.library)
    }),
    whole("link-builtins", "links what the module uses of the OpenCL C library", |e, module| {
        link_builtins::run(e.context, module, e.library)
    }),
    whole(
        "retarget",
        "gives the module the target's triple, layout and attributes",
        |e, module| finalise::retarget(e.target, module),
    ),
    whole("lower-opaque", "replaces the types of images, samplers and events", |_, module| {
        address_spaces::run(module)
    }),
    sure("internalise", "makes everything but kernels internal", finalise::internalise),
    whole(
        "keep-calls",
        "keeps calls of library functions that have vector variants",
        |e, module| {
            library_calls::keep(module, e.library, &|_| false);
            Ok(())
        },
    ),
    plain("inline-barriers", "inlines what can reach a barrier", inline_barriers::run),
    whole("clean", "LLVM's clean-up for the benefit of later passes", |e, module| {
        finalise::clean(e.target, module, e.settings)
    }),
    whole("check-recursion", "refuses kernels that call themselves", |_, module| {
        check_recursion::run(module)
    }),
    whole("check-types", "refuses types that kernels cannot have", |e, module| {
        check_types::run(module, e.target.has_bfloat())
    }),
    plain(
        "split-vectors",
        "makes vector arithmetic scalar if single lanes are used",
        split_vectors::run,
    ),
    whole("printf", "makes records of the calls of printf", |e, module| {
        printf::run(module, e.target.abi()).map(drop)
    }),
    whole("global-ids", "finds the global ids among sums of group and local id", |e, module| {
        join_groups::global_ids(module, e.settings.uniform_work_groups);
        Ok(())
    }),
    plain("unroll-private", "unrolls loops over private arrays", vectorize::unroll::run),
    Pass {
        name: "lower",
        about: "select-kernel to kernel-abi: makes entry points of kernels",
        run: Run::Group(specialise::lower_all),
    },
    Pass {
        name: "lanes",
        about: "canonical-loops and vecz: makes work-items lanes of vectors",
        run: Run::Group(specialise::lanes),
    },
    whole("plain-local-atomics", "makes atomics on local memory plain accesses", |_, module| {
        module.plain_atomics(local_memory::SPACE);
        Ok(())
    }),
    whole("combine-atomics", "combines atomics in a table of the thread", |e, module| {
        combine_atomics::run(e.context, module)?;
        e.target.tune(module);
        Ok(())
    }),
    whole("settle-calls", "inlines or links the calls that keep-calls kept", |e, module| {
        let machine = e.target.machine(OptLevel::Aggressive)?;
        library_calls::settle(e.context, module, e.library, &machine)?;
        e.target.tune(module);
        Ok(())
    }),
    Pass {
        name: "optimise",
        about: "LLVM's optimisation, with passes of muxcl between its parts",
        run: Run::Group(|e, module, runner| {
            let machine = e.target.machine(OptLevel::Aggressive)?;
            specialise::optimise(e.target, module, &machine, false, runner)
        }),
    },
    sure(
        "invariant-divisions",
        "moves divisions that do not change out of loops",
        invariant_divisions::run,
    ),
    sure(
        "narrow-indices",
        "hides counters of few bits from the loop vectorizer",
        narrow_indices::run,
    ),
    sure("local-registers", "keeps local and scratch memory in registers", local_registers::run),
    sure("splat-phis", "makes phis of equal lanes splats of scalar phis", splat_phis::run),
    sure("defined-phis", "replaces undefined values of vector phis by zero", defined_phis::run),
    sure("one-lane-stores", "makes masked stores of one lane scalar stores", one_lane_stores::run),
    sure("reciprocal-roots", "computes 1 / sqrt(x) from AVX-512's estimate", reciprocal_roots::run),
    plain("fence-selects", "keeps vector selects apart from bit operations", fence_selects::run),
    plain("masked-accesses", "makes masked accesses faster without AVX-512", masked_accesses::run),
    plain("wide-indices", "adds loop counters to indices with 64 bits", wide_indices::run),
    plain(
        "gather-addresses",
        "computes addresses in the block of the gather",
        gather_addresses::run,
    ),
    plain("masked-parts", "gives masked loads zeros in other lanes", masked_parts::run),
    plain("cancellation-points", "makes kernels return early on request", cancellation_points::run),
    sure(
        "scheduling-boundaries",
        "parts large blocks for LLVM's schedulers",
        scheduling_boundaries::run,
    ),
];

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn names_are_unique() {
        let names: BTreeSet<&str> = ALL.iter().map(|pass| pass.name).collect();
        assert_eq!(names.len(), ALL.len());
        assert!(Pass::named("prepare").is_some() && Pass::named("nothing").is_none());
    }
}
