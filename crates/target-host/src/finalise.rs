//! Finalisation, once per program: linked IR in; optimised IR without unresolved functions, and metadata, out.

use muxcl_llvm::{Context, Linkage, Module, OptLevel, PipelineOptions, run_pipeline};
use muxcl_passes::link_builtins::BuiltinLibrary;
use muxcl_passes::{Options, PassError, Runner, address_spaces, divisions, inline_barriers, link_builtins, prepare, program_info};
use muxcl_types::program::ProgramInfo;

use crate::{Settings, Target};

/// Cheap clean-up: what later passes and the final pipeline profit from, nothing that unrolls or vectorizes.
const CLEAN: &str = "always-inline,function(sroa<modify-cfg>,early-cse,simplifycfg,instcombine<no-verify-fixpoint>),\
    cgscc(inline,function(sroa<modify-cfg>,early-cse<memssa>,simplifycfg,instcombine<no-verify-fixpoint>,adce)),globaldce";
const CLEAN_LITTLE: &str = "always-inline,function(sroa<modify-cfg>,simplifycfg),globaldce";

impl Target {
    /// Finalises a linked program; returns its metadata and the finalised bitcode.
    ///
    /// # Errors
    /// Functions nobody defines, or constructs this compiler lacks.
    pub fn finalise<'c>(
        &self,
        context: &'c Context,
        module: &Module<'c>,
        library: &dyn BuiltinLibrary,
        settings: &Settings,
        options: &Options,
    ) -> Result<(ProgramInfo, Vec<u8>), PassError> {
        self.finalise_with(context, module, library, settings, &mut Runner::new(options))
    }

    /// [`Target::finalise`] with the caller's runner.
    ///
    /// # Errors
    /// As [`Target::finalise`].
    pub fn finalise_with<'c>(
        &self,
        context: &'c Context,
        module: &Module<'c>,
        library: &dyn BuiltinLibrary,
        settings: &Settings,
        run: &mut Runner<'_>,
    ) -> Result<(ProgramInfo, Vec<u8>), PassError> {
        run.run("prepare", module, || prepare::run(module))?;
        run.run("guard-divisions", module, || divisions::run(module))?;
        let mut info = run.step("program-info", || program_info::collect(module));
        run.run("link-builtins", module, || link_builtins::run(context, module, library))?;
        run.run("retarget", module, || self.retarget(module))?;
        run.run("lower-opaque", module, || address_spaces::run(module))?;
        run.run("internalise", module, || {
            prepare::internalise(module);
            name_program_variables(module);
            Ok(())
        })?;
        run.run("inline-barriers", module, || inline_barriers::run(module))?;
        let pipeline = if settings.opt_disable { CLEAN_LITTLE } else { CLEAN };
        run.run("clean", module, || {
            let machine = self.machine(OptLevel::Default)?;
            Ok(run_pipeline(
                module,
                pipeline,
                Some(&machine),
                PipelineOptions { loop_vectorize: false, slp_vectorize: false },
            )?)
        })?;
        program_info::measure(module, &mut info);
        info.denorms_are_zero = settings.denorms_are_zero;
        info.uniform_work_groups = settings.uniform_work_groups;
        let bitcode = run.step("write", || module.to_bitcode());
        Ok((info, bitcode))
    }

    /// From spir64 to this machine. Both lay out every OpenCL C type alike.
    pub(crate) fn retarget(&self, module: &Module<'_>) -> Result<(), PassError> {
        let machine = self.machine(OptLevel::Default)?;
        module.set_triple(self.triple());
        module.set_layout(&machine.layout());
        prepare::run(module)?; // what the library brought
        let bits = self.preferred_vector_bits().to_string();
        for f in module.definitions() {
            f.add_string_attribute("prefer-vector-width", &bits);
        }
        for name in ["opencl.ocl.version", "opencl.spir.version", "llvm.ident", "opencl.used.extensions"] {
            module.erase_named_metadata(name);
        }
        Ok(())
    }
}

/// Program-scope variables are symbols between a program's objects: named so that no C function is meant.
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
