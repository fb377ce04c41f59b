//! Runs a case's kernels on bare RISC-V machines, and compares the results with those of a
//! reference kernel or of scalar code.

use anyhow::{Result, anyhow};
use muxcl_llvm::Context;
use muxcl_passes::{Finalised, Options, Program, Runner};
use muxcl_target_riscv::{CodeTarget as _, Settings, Target, Vectors};
use muxcl_types::device::DeviceDesc;
use muxcl_types::program::{ArgKind, ProgramInfo};

use crate::case::Case;
use crate::compile;
use crate::extent::Extent;
use crate::riscv::{self, Arg, Machine, Range};
use crate::run::{RunParameters, compare};

/// The numbers of work-items in a vector. The vector is shorter than one register on some machines,
/// and longer than two registers on others.
const LANES: [u32; 2] = [4, 16];

/// The number of work-items in a scalable vector on the machine with the shortest registers.
const SCALABLE: u32 = 8;

/// Compiles the case for `device` in several variants, runs each on a simulated machine with the
/// device's instruction set, and compares the results with those of the kernel `expect`.
///
/// # Errors
/// The case does not compile, or the result of a variant differs from the reference.
pub fn run(case: &Case, device: &DeviceDesc, extent: Extent) -> Result<()> {
    for opt_disable in [false, true] {
        let settings = Settings { opt_disable, ..Settings::default() };
        run_with(case, device, &settings, extent)?;
    }
    Ok(())
}

fn run_with(case: &Case, device: &DeviceDesc, settings: &Settings, extent: Extent) -> Result<()> {
    let context = Context::new();
    let mut module = compile::module_for(&context, case, device)?;
    let target = target(device)?;
    let options = Options { verify: true, ..Options::default() };
    let run = &mut Runner::new(&options);
    let library = compile::library(device);
    // A target with vectors keeps calls of mathematical functions until `vecz` has run. The same
    // bitcode also gives the scalar variants.
    let wide = target.clone().with_vectors(Vectors::Faster);
    let Finalised { info, bitcode, .. } =
        wide.finalise(&context, &mut module, &library, settings, run)?;
    let program = Program { bitcode: &bitcode, info: &info, library: &library };
    let parameters = RunParameters::of(case)?;
    let execute = |elf: &[u8], kernel: &str, range: Range| {
        execute((case, device), &parameters, &info, elf, (kernel, range))
    };
    let generic = target.generic(&program, settings, run)?;
    let one = Range { global: [1; 3], local: [1; 3], offset: [0; 3] };
    let all = range(&parameters);
    let expected = execute(&generic, "expect", one)?;
    compare(&expected, &execute(&generic, "test", all)?, "generic")?;
    if info.global_variable_bytes != 0 {
        let wide = target.with_vectors(Vectors::Always(LANES[0]));
        let elf = wide.generic(&program, settings, run)?;
        return compare(&expected, &execute(&elf, "test", all)?, "generic in lanes");
    }
    // The generic image is valid for every key.
    let special = &parameters.variants()[1..];
    let mut each = |target: &Target, keys: &[_], how: &str| -> Result<()> {
        for (name, key) in keys {
            let elf = target.specialise(&program, "test", key, settings, run)?;
            compare(&expected, &execute(&elf, "test", all)?, &format!("{name}{how}"))?;
        }
        Ok(())
    };
    each(&target, extent.last(special), "")?;
    if settings.opt_disable {
        return Ok(());
    }
    for (n, lanes) in LANES.into_iter().enumerate() {
        let target = target.clone().with_vectors(Vectors::Always(lanes));
        if target.lanes().is_some() {
            each(&target, &extent.keys(special, n), &format!(" in {lanes} lanes"))?;
        }
    }
    Ok(())
}

/// Compiles the case with scalable vectors, runs it on a machine with each of [`riscv::LENGTHS`],
/// and compares the results with those of the kernel `expect`.
///
/// # Errors
/// As [`run`].
pub fn run_scalable(case: &Case, isa: &str, extent: Extent) -> Result<()> {
    let device = &riscv::device(isa, 0);
    let context = Context::new();
    let mut module = compile::module_for(&context, case, device)?;
    let target = target(device)?.with_vectors(Vectors::Always(SCALABLE));
    let options = Options { verify: true, ..Options::default() };
    let settings = &Settings::default();
    let run = &mut Runner::new(&options);
    let library = compile::library(device);
    let Finalised { info, bitcode, .. } =
        target.finalise(&context, &mut module, &library, settings, run)?;
    let program = Program { bitcode: &bitcode, info: &info, library: &library };
    let parameters = RunParameters::of(case)?;
    let execute = |elf: &[u8], vlen: u32, kernel: &str, range: Range| {
        let machine = riscv::device(isa, vlen);
        execute((case, &machine), &parameters, &info, elf, (kernel, range))
    };
    let generic = target.generic(&program, settings, run)?;
    let one = Range { global: [1; 3], local: [1; 3], offset: [0; 3] };
    let expected = execute(&generic, riscv::LENGTHS[0], "expect", one)?;
    let mut images = vec![("generic", generic)];
    if info.global_variable_bytes == 0 {
        for (name, key) in extent.last(&parameters.variants()[1..]) {
            images.push((name, target.specialise(&program, "test", key, settings, run)?));
        }
    }
    for (name, elf) in images {
        for vlen in riscv::LENGTHS {
            let found = execute(&elf, vlen, "test", range(&parameters))?;
            compare(&expected, &found, &format!("{name}, scalable, VLEN {vlen}"))?;
        }
    }
    Ok(())
}

/// Compares the results of the kernel `test` of a case as scalar code and in vectors. The code is
/// compiled for `device` and runs with vector registers of `vlen` bits. Returns a text about the
/// first difference; `None` if all results are equal.
///
/// # Errors
/// The case does not compile or cannot run.
pub fn differs(case: &Case, device: &DeviceDesc, vlen: u32) -> Result<Option<String>> {
    let isa = &device.hal.as_ref().ok_or_else(|| anyhow!("no HAL device"))?.isa;
    let machine = &riscv::device(isa, vlen);
    let context = Context::new();
    let mut module = compile::module_for(&context, case, device)?;
    let scalar = target(device)?;
    let wide = scalar.clone().with_vectors(Vectors::Faster);
    let library = compile::library(device);
    let options = Options { verify: true, ..Options::default() };
    let settings = Settings::default();
    let run = &mut Runner::new(&options);
    let Finalised { info, bitcode, .. } =
        wide.finalise(&context, &mut module, &library, &settings, run)?;
    let program = Program { bitcode: &bitcode, info: &info, library: &library };
    let parameters = RunParameters::of(case)?;
    let variants = parameters.variants();
    let (general, special) = (&variants[0], &variants[variants.len() - 1]);
    let mut results = |target: &Target, key, settings: &Settings| {
        let elf = target.specialise(&program, "test", key, settings, run)?;
        execute((case, machine), &parameters, &info, &elf, ("test", range(&parameters)))
    };
    let plain = Settings { opt_disable: true, ..settings.clone() };
    let expected = results(&scalar, &general.1, &plain)?;
    let always = |lanes: u32| scalar.clone().with_vectors(Vectors::Always(lanes));
    let [few, many] = LANES;
    for (target, (name, key), how) in [
        (&scalar, special, "scalar".to_owned()),
        (&always(many), special, format!("{many} lanes")),
        (&always(few), general, format!("{few} lanes")),
    ] {
        let found = results(target, key, &settings)?;
        if let Err(difference) = compare(&expected, &found, &format!("{name}, {how}")) {
            return Ok(Some(difference.to_string()));
        }
    }
    Ok(None)
}

/// The code generator for a device.
fn target(device: &DeviceDesc) -> Result<Target> {
    let hal = device.hal.as_ref().ok_or_else(|| anyhow!("no HAL device"))?;
    Ok(Target::new(hal)?)
}

/// The sizes of the case's launch.
fn range(parameters: &RunParameters) -> Range {
    Range { global: parameters.global, local: parameters.local, offset: parameters.offset }
}

/// Runs `kernel` of the image `elf` on a simulated machine, and returns the content of its output
/// buffer, the first argument.
fn execute(
    (case, device): (&Case, &DeviceDesc),
    parameters: &RunParameters,
    info: &ProgramInfo,
    elf: &[u8],
    (kernel, range): (&str, Range),
) -> Result<Vec<u32>> {
    let mut machine = Machine::new(device, elf, |_| Ok(()))?;
    let mut out = vec![0u8; 16 * parameters.n];
    let mut input: Vec<u8> = bytemuck::cast_slice(&parameters.input).to_vec();
    let n = u32::try_from(parameters.n)?;
    let kernel_args = &info.kernel(kernel).ok_or_else(|| anyhow!("no such kernel"))?.args;
    let mut args =
        vec![Arg::Buffer(&mut out), Arg::Buffer(&mut input), Arg::Value(n.to_le_bytes().to_vec())];
    for arg in kernel_args.iter().skip(3) {
        args.push(if arg.kind == ArgKind::LocalPointer {
            Arg::Local(case.header.local_bytes)
        } else {
            Arg::Value((1..=arg.size / 4).flat_map(u32::to_le_bytes).collect())
        });
    }
    machine.run(info, kernel, &mut args, &range)?;
    Ok(out.chunks_exact(4).map(|c| u32::from_le_bytes([c[0], c[1], c[2], c[3]])).collect())
}
