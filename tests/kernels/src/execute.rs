//! Runs a kernel file on a device in one variant.

use anyhow::{Context as _, Result, bail, ensure};
use muxcl_client::sys::{CL_DEVICE_ADDRESS_BITS, CL_DEVICE_OPENCL_C_VERSION, CL_DEVICE_VERSION};
use muxcl_client::{Buffer, Context, Device, Kernel, Program, Queue};
use muxcl_values::{Number, Scope, Tolerance, fill};

use crate::directive::{Argument, Expected, File, Run};
use crate::spirv;

/// The way the program is created.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Variant {
    /// Built from source.
    Source,
    /// Built from source with `-cl-opt-disable`.
    NoOpt,
    /// Built from source, saved as a binary, and loaded again.
    Binary,
    /// Built from SPIR-V that clang generates from the source.
    Il,
}

impl Variant {
    /// All variants.
    pub const ALL: [Self; 4] = [Self::Source, Self::NoOpt, Self::Binary, Self::Il];

    /// The variant's name in the `variants:` directive and in test names.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Source => "source",
            Self::NoOpt => "noopt",
            Self::Binary => "binary",
            Self::Il => "il",
        }
    }
}

/// The features of a file's `needs:` directive that a device lacks.
pub fn lacking(device: Device, file: &File) -> Result<Vec<String>> {
    let features = device.features()?;
    let version = device.text(CL_DEVICE_VERSION)?;
    let c_version = device.text(CL_DEVICE_OPENCL_C_VERSION)?;
    Ok(file
        .needs
        .iter()
        .filter(|need| match need.strip_prefix("CL") {
            Some(wanted) => {
                !(newer(&version, "OpenCL ", wanted) || newer(&c_version, "OpenCL C ", wanted))
            }
            None => !features.contains(need),
        })
        .cloned()
        .collect())
}

/// Whether `version`, which starts with `prefix`, is at least `wanted` (`X.Y`).
fn newer(version: &str, prefix: &str, wanted: &str) -> bool {
    version
        .strip_prefix(prefix)
        .and_then(|rest| rest.get(..3))
        .is_some_and(|number| number >= wanted)
}

/// Builds the file and executes all its run directives.
pub fn execute(device: Device, file: &File, variant: Variant) -> Result<()> {
    let context = Context::new(device)?;
    let queue = context.queue(device, 0)?;
    let mut options = file.options.clone();
    if variant == Variant::NoOpt {
        options.push_str(" -cl-opt-disable");
    }
    let mut program = match variant {
        Variant::Il => context.build_il(device, &spirv::module(file, device)?, &options)?,
        _ => context.build(device, &file.source, &options)?,
    };
    if variant == Variant::Binary {
        let binary = program.binary()?;
        ensure!(!binary.is_empty(), "an empty binary");
        program = context.build_binary(device, &binary, "")?;
    }
    let _default_queue =
        file.queue.map(|size| context.device_queue(device, Some(size), true)).transpose()?;
    let word = i128::from(device.number(CL_DEVICE_ADDRESS_BITS)? / 8);
    for run in &file.runs {
        for local in &run.locals {
            one_run((&context, device), &queue, &program, word, run, local.as_deref())
                .with_context(|| {
                    format!(
                        "line {}: {} global {:?} local {local:?} offset {:?}",
                        run.line, run.kernel, run.global, run.offset
                    )
                })?;
        }
    }
    Ok(())
}

fn one_run(
    (context, device): (&Context, Device),
    queue: &Queue,
    program: &Program,
    word: i128,
    run: &Run,
    local: Option<&[usize]>,
) -> Result<()> {
    let mut kernel = program.kernel(&run.kernel)?;
    let mut scope = Scope::default();
    scope.names.insert("word".to_owned(), Number::Int(word));
    for (prefix, sizes, missing) in
        [("g", Some(&run.global[..]), 1), ("l", local, 1), ("o", run.offset.as_deref(), 0)]
    {
        for (axis, index) in [("x", 0), ("y", 1), ("z", 2)] {
            let size = sizes.and_then(|sizes| sizes.get(index)).copied().unwrap_or(missing);
            scope.names.insert(format!("{prefix}{axis}"), Number::Int(i128::try_from(size)?));
        }
    }
    let (buffers, _queues) = set_arguments((context, device), &mut kernel, run, &mut scope)?;
    // Runs twice, so that the second run may use the driver's caches.
    for round in 1..=2 {
        for (index, buffer) in &buffers {
            queue.write(buffer, &scope.buffers[index].1)?;
        }
        queue.run(&kernel, &run.global, local, run.offset.as_deref())?;
        queue.finish()?;
        for (index, buffer) in &buffers {
            let mut bytes = vec![0_u8; scope.buffers[index].1.len()];
            queue.read(buffer, &mut bytes)?;
            compare(*index, &run.arguments[*index], &bytes, &mut scope)
                .with_context(|| format!("run {round}"))?;
        }
    }
    Ok(())
}

/// Buffers with their argument index, and queues.
type Objects = (Vec<(usize, Buffer)>, Vec<Queue>);

/// Sets every argument. Returns the memory objects, and adds the buffers' contents to `scope`.
fn set_arguments(
    (context, device): (&Context, Device),
    kernel: &mut Kernel,
    run: &Run,
    scope: &mut Scope,
) -> Result<Objects> {
    let (mut buffers, mut queues) = (Vec::new(), Vec::new());
    for (index, argument) in run.arguments.iter().enumerate() {
        let position = u32::try_from(index)?;
        match argument {
            Argument::Local(size) => kernel.set_local(position, *size)?,
            Argument::Queue(size) => {
                let queue = context.device_queue(device, Some(*size), false)?;
                kernel.set_queue(position, &queue)?;
                queues.push(queue);
            }
            Argument::Value(members) => {
                let mut bytes = Vec::new();
                for (element, value) in members {
                    bytes.resize(bytes.len().next_multiple_of(element.size()), 0);
                    element.put(value.value(scope)?, &mut bytes);
                }
                let alignment =
                    members.iter().map(|(element, _)| element.size()).max().unwrap_or(1);
                bytes.resize(bytes.len().next_multiple_of(alignment), 0);
                kernel.set_bytes(position, &bytes)?;
            }
            Argument::Buffer { element, length, initial, .. } => {
                let bytes = fill(*element, *length, initial, scope)?;
                let buffer = context.buffer_with(&bytes)?;
                kernel.set_buffer(position, &buffer)?;
                scope.buffers.insert(index, (*element, bytes));
                buffers.push((index, buffer));
            }
        }
    }
    Ok((buffers, queues))
}

fn compare(index: usize, argument: &Argument, bytes: &[u8], scope: &mut Scope) -> Result<()> {
    let Argument::Buffer { element, length, expected, .. } = argument else { return Ok(()) };
    scope.names.insert("n".to_owned(), Number::Int(i128::try_from(*length)?));
    let (mut wrong, mut shown) = (0, String::new());
    for i in 0..*length {
        scope.names.insert("i".to_owned(), Number::Int(i128::try_from(i)?));
        let (wanted, tolerance) = match expected {
            Expected::Any => return Ok(()),
            Expected::Unchanged => {
                let initial = element.get(&scope.buffers[&index].1, i).context("too short")?;
                (initial, Tolerance::default())
            }
            Expected::Value(value, tolerance) => (element.convert(value.value(scope)?), *tolerance),
        };
        let found = element.get(bytes, i).context("too short")?;
        if !tolerance.accepts(*element, wanted, found) {
            wrong += 1;
            if wrong <= 4 {
                shown.push_str(&format!("\n  a{index}[{i}] is {found:?}, should be {wanted:?}"));
            }
        }
    }
    if wrong > 0 {
        bail!("{wrong} of {length} elements differ:{shown}");
    }
    Ok(())
}
