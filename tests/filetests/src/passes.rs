//! Running the pipeline up to one pass and showing what it left.

use anyhow::{Result, bail};
use muxcl_llvm::{Context, Module};
use muxcl_passes::{Options, Runner};
use muxcl_target_host::{CodeTarget, Settings, Target};
use muxcl_types::variant::SpecializationKey;
use std::fmt::Write as _;

use crate::case::Case;
use crate::compile;

/// The output of the pass the case names.
///
/// # Errors
/// The pass fails, or there is none of this name.
pub fn output(case: &Case) -> Result<String> {
    let context = Context::new();
    context.discard_value_names(false);
    // The output must not depend on this machine's CPU.
    let (device, target): (_, Box<dyn CodeTarget>) = match &case.header.isa {
        Some(isa) => {
            let device = crate::riscv::device(isa, 0);
            let target = muxcl_target_riscv::Target::new(&device.hal.clone().unwrap_or_default())?;
            (device, Box::new(target))
        }
        None => (compile::device(), Box::new(Target::new("x86-64-v3", ""))),
    };
    let module = compile::module_for(&context, case, &device)?;
    let options = Options { verify: true, ..Options::default() };
    let settings = Settings::default();
    let name = case.header.test.as_str();
    if name == "program-info" {
        muxcl_passes::prepare::run(&module)?;
        return Ok(format!("{:#?}\n", muxcl_passes::program_info::collect(&module)));
    }
    let shown = std::cell::RefCell::new(None);
    let mut observe = |pass: &str, m: &Module<'_>| {
        if pass == name {
            *shown.borrow_mut() = Some(show(m, &case.header.functions));
        }
    };
    let (info, bitcode) = {
        let mut run = Runner::with_observer(&options, &mut observe);
        target.finalise_with(&context, &module, &compile::library(&device), &settings, &mut run)?
    };
    if shown.borrow().is_none() {
        let kernel = match &case.header.kernel {
            Some(k) => k.clone(),
            None => info.kernels.first().map(|k| k.name.clone()).unwrap_or_default(),
        };
        let mut run = Runner::with_observer(&options, &mut observe);
        let key =
            SpecializationKey { local_size: local_size(case), ..SpecializationKey::default() };
        target.specialise_with(&bitcode, &info, &kernel, &key, &settings, &mut run)?;
    }
    match shown.take() {
        Some(text) => Ok(text),
        None => bail!("no pass is named '{name}'"),
    }
}

fn local_size(case: &Case) -> Option<[u32; 3]> {
    let l = &case.header.local;
    (!l.is_empty()).then(|| [0, 1, 2].map(|d| l.get(d).copied().unwrap_or(1)))
}

fn show(module: &Module<'_>, functions: &[String]) -> String {
    let mut out = String::new();
    if functions.is_empty() {
        return module.to_string();
    }
    for name in functions {
        match module.function(name) {
            Some(f) => {
                let _ = writeln!(out, "{}", f.value());
            }
            None => {
                let _ = writeln!(out, "no function {name}");
            }
        }
    }
    out
}
