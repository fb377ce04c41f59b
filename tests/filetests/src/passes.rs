//! Runs the pipeline up to one pass and prints its output.

use anyhow::{Result, bail};
use muxcl_llvm::{Context, Module};
use muxcl_muxc::{Machine, functions};
use muxcl_passes::{Finalised, Options, Program, Runner, local_memory};
use muxcl_target_host::{Rest, Settings, Target, Vectors};
use muxcl_types::device::ContextRequirements;
use muxcl_types::program::KernelInfo;
use muxcl_types::variant::{KnownWords, SpecializationKey};
use std::fmt::Write as _;

use crate::case::Case;
use crate::compile;

/// The output of the pass that the case names.
///
/// # Errors
/// The pass fails, or no pass has this name.
pub fn output(case: &Case) -> Result<String> {
    let context = Context::new();
    context.discard_value_names(false);
    let vectors = match case.header.lanes {
        Some(lanes) => Vectors::Always(lanes),
        None if case.header.cost_model => Vectors::Faster,
        None => Vectors::Llvm,
    };
    // The output must not depend on this machine's CPU.
    let machine = match &case.header.isa {
        Some(isa) => Machine::riscv(compile::device(), isa, case.header.vlen, vectors)?,
        None => {
            let cpu = case.header.cpu.as_deref().unwrap_or("x86-64-v3");
            let rest = if case.header.masked_rest { Rest::Masked } else { Rest::Scalar };
            let target = Target::new(cpu, cpu_features(cpu)).with_vectors(vectors).with_rest(rest);
            Machine::host(compile::device(), target)
        }
    };
    let target = &machine.target;
    let mut module = compile::module_for(&context, case, &machine.device)?;
    let options = Options { verify: true, ..Options::default() };
    let settings = Settings {
        requirements: requirements(case)?,
        uniform_work_groups: case.header.uniform,
        ..Settings::default()
    };
    let name = case.header.test.as_str();
    if name == "program-info" {
        muxcl_passes::prepare::run(&module)?;
        return Ok(format!("{:#?}\n", muxcl_passes::program_info::collect(&module)));
    }
    let shown = std::cell::RefCell::new(None);
    let mut observe = |pass: &str, m: &Module<'_>| {
        if name == "local-memory" && pass == "select-kernel" {
            *shown.borrow_mut() = Some(local_layout(m));
        } else if pass == name {
            *shown.borrow_mut() = Some(functions(m, &case.header.functions));
        }
    };
    let library = machine.library();
    let Finalised { info, bitcode, .. } = {
        let mut run = Runner::with_observer(&options, &mut observe);
        target.finalise(&context, &mut module, &library, &settings, &mut run)?
    };
    if name == "group-shape" {
        let name = |d: u8| ["x", "y", "z"].get(usize::from(d)).copied().unwrap_or("?");
        let shape = |k: &KernelInfo| {
            format!("{}: long in {}, wide in {}\n", k.name, name(k.along), name(k.across))
        };
        return Ok(info.kernels.iter().map(shape).collect());
    }
    if shown.borrow().is_none() {
        let kernel = match &case.header.kernel {
            Some(k) => k.clone(),
            None => info.kernels.first().map(|k| k.name.clone()).unwrap_or_default(),
        };
        let mut run = Runner::with_observer(&options, &mut observe);
        // Global ids without an offset, below 2^31, keep their stride as `int`.
        let vectors = case.header.lanes.is_some() || case.header.cost_model;
        let key = SpecializationKey {
            local_size: size(&case.header.local),
            seen_local_size: size(&case.header.seen),
            zero_offset: vectors,
            small_ids: vectors,
            uniform: case.header.cost_model || case.header.uniform,
            words: words(case),
        };
        let program = Program { bitcode: &bitcode, info: &info, library: &library };
        target.specialise(&program, &kernel, &key, &settings, &mut run)?;
    }
    match shown.take() {
        Some(text) => Ok(text),
        None => bail!("no pass is named '{name}'"),
    }
}

/// The image formats and samplers for which the kernel of a case is compiled.
fn words(case: &Case) -> KnownWords {
    let mut words = KnownWords::default();
    case.header.words.iter().for_each(|(offset, value)| words.add(*offset, *value));
    words
}

/// Processor features that the choice of passes depends on; the processor's name does not imply
/// them.
fn cpu_features(cpu: &str) -> &'static str {
    match cpu {
        "x86-64-v4" | "znver4" => "+avx512f,+avx512dq,+avx512vl,+avx512bw,+avx512cd",
        "sapphirerapids" => "+avx512f,+avx512dq,+avx512vl,+avx512bw,+avx512cd,+avx512fp16",
        _ => "",
    }
}

fn requirements(case: &Case) -> Result<ContextRequirements> {
    let mut out = ContextRequirements::default();
    for name in &case.header.requirements {
        match name.as_str() {
            "zero-private" => out.zero_private = true,
            "stoppable" => out.stoppable = true,
            other => bail!("no requirement is named '{other}'"),
        }
    }
    Ok(out)
}

/// The local variables of each kernel, with their offsets in the work-group's local memory.
fn local_layout(module: &Module<'_>) -> String {
    let mut out = String::new();
    let kernels = muxcl_passes::prepare::kernels(module);
    let kernels: Vec<_> = kernels.into_iter().filter(|k| !k.is_declaration()).collect();
    let layouts = local_memory::layouts(module, &kernels);
    for (kernel, layout) in kernels.iter().zip(&layouts.kernels) {
        let _ = writeln!(out, "kernel {}: {} bytes", kernel.name(), layout.bytes);
        for (variable, offset) in layout.variables.iter().zip(&layout.offsets) {
            let size = module.size_of(variable.global_type());
            let _ = writeln!(out, "{offset:6}: {} ({size} bytes)", variable.name());
        }
    }
    out
}

fn size(list: &[u32]) -> Option<[u32; 3]> {
    (!list.is_empty()).then(|| [0, 1, 2].map(|d| list.get(d).copied().unwrap_or(1)))
}
