//! The launches with their arguments, and their execution on a device.

use std::collections::BTreeMap;
use std::time::Instant;

use anyhow::{Context as _, Result, bail, ensure};
use muxcl_client::{Area, Buffer, Context, Image, ImageDesc, Kernel, Program, Queue, Sampler, sys};
use muxcl_values::{Number, Scope};

use crate::argument::{Argument, Format};
use crate::cli::{Cli, Launch};
use crate::devices::Named;
use crate::numbers::Numbers;
use crate::program::Source;
use crate::signature::{Role, describe, value};

/// A device with the program built for it.
pub(crate) struct Machine<'d> {
    pub(crate) device: &'d Named,
    context: Context,
    program: Program,
}

/// What is to be run, on any device.
pub(crate) struct Job<'c> {
    /// The launches, with the kernels' names.
    pub(crate) launches: Vec<(&'c Launch, String)>,
    /// The arguments of all launches, by number.
    pub(crate) objects: Vec<Object>,
    /// What expressions know: initial contents, and the sizes of the last launch.
    pub(crate) scope: Scope,
    repetitions: u32,
    warmup: u32,
}

/// An argument with its initial contents.
pub(crate) enum Object {
    Buffer(Numbers),
    Image {
        numbers: Numbers,
        format: Format,
        size: Vec<usize>,
    },
    Sampler {
        filter: u32,
        addressing: u32,
        normalized: bool,
    },
    Local(usize),
    Bytes(Vec<u8>),
    Null,
    /// The memory of another argument.
    Same(usize),
}

/// The results of a job on a device.
pub(crate) struct Outcome {
    /// The contents of buffers and images after the launches, by number of the argument.
    pub(crate) contents: BTreeMap<usize, Numbers>,
    /// Times of each launch.
    pub(crate) times: Vec<Times>,
}

/// The times of a launch in nanoseconds, one for each repetition.
#[derive(Default)]
pub(crate) struct Times {
    /// From the kernel's start to its end, as the device says.
    pub(crate) device: Vec<u64>,
    /// From the call that enqueues the kernel to the end of the wait for it.
    pub(crate) wall: Vec<u64>,
}

impl<'d> Machine<'d> {
    /// Builds the program for a device.
    pub(crate) fn new(cli: &Cli, device: &'d Named, source: &Source) -> Result<Self> {
        let options = cli.build_options();
        let (context, program) = source.build(device.device, &options, cli.log)?;
        Ok(Self { device, context, program })
    }

    /// The program's binary.
    pub(crate) fn binary(&self) -> Result<Vec<u8>> {
        Ok(self.program.binary()?)
    }

    fn kernel(&self, name: Option<&str>) -> Result<(Kernel, String)> {
        let names = self.program.kernel_names()?;
        let name = match (name, &names[..]) {
            (Some(name), _) if names.iter().any(|known| known == name) => name.to_owned(),
            (Some(name), _) => {
                bail!("no kernel is named {name}; the program has {}", names.join(", "))
            }
            (None, [only]) => only.clone(),
            (None, []) => bail!("the program has no kernel"),
            (None, _) => {
                bail!("the program has several kernels; choose one by -k: {}", names.join(", "))
            }
        };
        Ok((self.program.kernel(&name)?, name))
    }
}

impl<'c> Job<'c> {
    /// Makes the arguments, whose types are those of the kernels of `machine`. No buffer has more
    /// than `limit` bytes.
    pub(crate) fn new(cli: &'c Cli, machine: &Machine<'_>, limit: u64) -> Result<Self> {
        let mut job = Job {
            launches: Vec::new(),
            objects: Vec::new(),
            scope: Scope::default(),
            repetitions: cli.repeat.unwrap_or(1),
            warmup: cli.warmup,
        };
        for launch in &cli.launches {
            let (kernel, name) = machine.kernel(launch.kernel.as_deref())?;
            let count = kernel.argument_count()?;
            let parameters = (0..count).map(|index| Ok(kernel.parameter(index)?));
            let parameters = parameters.collect::<Result<Vec<_>>>()?;
            let described: Vec<_> = parameters.iter().flatten().map(describe).collect();
            ensure!(
                launch.arguments.len() == parameters.len(),
                "the kernel {name} has {count} parameter(s) ({}), and {} are given by -a",
                described.join(", "),
                launch.arguments.len()
            );
            job.sizes(launch);
            for ((number, argument), parameter) in launch.arguments.iter().zip(&parameters) {
                let text = parameter.as_ref().map(|p| format!(" ({})", describe(p)));
                let object = parameter
                    .as_ref()
                    .map(Role::of)
                    .transpose()
                    .and_then(|role| job.object(launch, (*number, argument), role, limit))
                    .with_context(|| format!("argument {number}{}", text.unwrap_or_default()))?;
                job.objects.push(object);
            }
            job.launches.push((launch, name));
        }
        Ok(job)
    }

    /// Tells expressions the sizes of a launch.
    fn sizes(&mut self, launch: &Launch) {
        let all = [
            ("g", Some(&launch.global), 1),
            ("l", launch.local.as_ref(), 1),
            ("o", launch.offset.as_ref(), 0),
        ];
        for (prefix, sizes, missing) in all {
            for (index, axis) in ["x", "y", "z"].into_iter().enumerate() {
                let size = sizes.and_then(|sizes| sizes.get(index)).copied().unwrap_or(missing);
                self.scope.names.insert(format!("{prefix}{axis}"), Number::Int(size as i128));
            }
        }
    }

    fn object(
        &mut self,
        launch: &Launch,
        (number, argument): (usize, &Argument),
        role: Option<Role>,
        limit: u64,
    ) -> Result<Object> {
        if let Some(role) = role {
            role.takes(argument)?;
        }
        let items = launch.global.iter().try_fold(1, |all: usize, size| all.checked_mul(*size));
        let items = items.context("-g is too large")?;
        let scope = &mut self.scope;
        let object = match argument {
            Argument::Buffer { fill, kind, count } => {
                let kind = Role::kind(role, *kind)?;
                Object::Buffer(Numbers::new(fill, kind, (*count, items), number, scope, limit)?)
            }
            Argument::Image { fill, format, size } => {
                let size = size.as_ref().unwrap_or(&launch.global).clone();
                let pixels = size.iter().try_fold(1, |all: usize, size| all.checked_mul(*size));
                let count = Some(pixels.context("the image is too large")?);
                let numbers =
                    Numbers::new(fill, format.pixel, (count, items), number, scope, limit)?;
                Object::Image { numbers, format: *format, size }
            }
            Argument::Sampler { filter, addressing, normalized } => Object::Sampler {
                filter: *filter,
                addressing: *addressing,
                normalized: *normalized,
            },
            Argument::Local(bytes) => Object::Local(*bytes),
            Argument::Null => Object::Null,
            Argument::Bytes(bytes) => Object::Bytes(bytes.clone()),
            Argument::Value(kind, values) => {
                let kind = Role::kind(role, *kind)?;
                let bytes = value(kind, values, scope)?;
                if let Some(scalar) = kind.element.get(&bytes, 0).filter(|_| kind.lanes == 1) {
                    scope.names.insert(format!("a{number}"), scalar);
                }
                Object::Bytes(bytes)
            }
            Argument::Same(other) => match self.objects.get(*other) {
                Some(Object::Buffer(_) | Object::Image { .. }) => Object::Same(*other),
                Some(Object::Same(first)) => Object::Same(*first),
                Some(_) => bail!("argument {other} is no buffer or image"),
                None => bail!("no argument before this one has the number {other}"),
            },
        };
        if let Object::Buffer(numbers) | Object::Image { numbers, .. } = &object {
            scope.buffers.insert(number, numbers.for_expressions());
        }
        Ok(object)
    }

    /// The number of the argument that has the memory of argument `number`, and its initial
    /// contents.
    pub(crate) fn memory(&self, number: usize) -> Result<(usize, &Numbers)> {
        match self.objects.get(number) {
            Some(Object::Buffer(numbers) | Object::Image { numbers, .. }) => Ok((number, numbers)),
            Some(Object::Same(first)) => self.memory(*first),
            Some(_) => bail!("argument {number} is no buffer or image"),
            None => bail!("there is no argument {number}; the first one is 0"),
        }
    }

    /// Runs the launches, as often as the command line says.
    pub(crate) fn run(&self, machine: &Machine<'_>) -> Result<Outcome> {
        let device = machine.device.device;
        let queue = machine.context.queue(device, sys::CL_QUEUE_PROFILING_ENABLE)?;
        let memory = self.objects.iter().map(|object| Memory::new(&machine.context, object));
        let memory = memory.collect::<Result<Vec<_>>>()?;
        let mut kernels = Vec::new();
        for (launch, name) in &self.launches {
            let mut kernel = machine.program.kernel(name)?;
            for (index, (number, _)) in (0..).zip(&launch.arguments) {
                let set = self.set(&mut kernel, index, *number, &memory);
                set.with_context(|| format!("argument {number} of {name}"))?;
            }
            kernels.push(kernel);
        }
        let mut times: Vec<Times> = kernels.iter().map(|_| Times::default()).collect();
        for repetition in 0..self.warmup + self.repetitions {
            for (memory, object) in memory.iter().zip(&self.objects) {
                memory.write(&queue, object)?;
            }
            for (((launch, name), kernel), times) in
                self.launches.iter().zip(&kernels).zip(&mut times)
            {
                let start = Instant::now();
                let (local, offset) = (launch.local.as_deref(), launch.offset.as_deref());
                let event = queue
                    .run_event_at(kernel, &launch.global, local, offset)
                    .and_then(|event| event.wait().map(|()| event))
                    .with_context(|| format!("the kernel {name}"))?;
                let wall = start.elapsed();
                if repetition >= self.warmup {
                    times.device.push(event.duration()?);
                    times.wall.push(u64::try_from(wall.as_nanos())?);
                }
            }
        }
        queue.finish()?;
        let mut contents = BTreeMap::new();
        for (number, (memory, object)) in memory.iter().zip(&self.objects).enumerate() {
            if let Some(numbers) = memory.read(&queue, object)? {
                contents.insert(number, numbers);
            }
        }
        Ok(Outcome { contents, times })
    }

    fn set(&self, kernel: &mut Kernel, index: u32, number: usize, memory: &[Memory]) -> Result<()> {
        match (&self.objects[number], &memory[number]) {
            (Object::Same(first), _) => return self.set(kernel, index, *first, memory),
            (_, Memory::Buffer(buffer)) => kernel.set_buffer(index, buffer)?,
            (_, Memory::Image(image)) => kernel.set_image(index, image)?,
            (_, Memory::Sampler(sampler)) => kernel.set_sampler(index, sampler)?,
            (Object::Local(bytes), _) => kernel.set_local(index, *bytes)?,
            (Object::Bytes(bytes), _) => kernel.set_bytes(index, bytes)?,
            (_, Memory::None) => kernel.set(index, std::ptr::null::<u8>())?,
        }
        Ok(())
    }
}

/// An argument's memory on a device.
enum Memory {
    Buffer(Buffer),
    Image(Image),
    Sampler(Sampler),
    None,
}

impl Memory {
    fn new(context: &Context, object: &Object) -> Result<Self> {
        Ok(match object {
            Object::Buffer(numbers) => Self::Buffer(context.buffer_with(&numbers.to_device())?),
            Object::Image { format, size, .. } => {
                let description = description(*format, size);
                Self::Image(context.image(sys::CL_MEM_READ_WRITE, &description, None)?)
            }
            Object::Sampler { filter, addressing, normalized } => {
                Self::Sampler(context.sampler(*normalized, *addressing, *filter)?)
            }
            _ => Self::None,
        })
    }

    /// Writes the initial contents.
    fn write(&self, queue: &Queue, object: &Object) -> Result<()> {
        match (self, object) {
            (Self::Buffer(buffer), Object::Buffer(numbers)) => {
                queue.write(buffer, &numbers.to_device())?;
            }
            (Self::Image(image), Object::Image { numbers, size, .. }) => {
                queue.write_image(image, area(size), &numbers.to_device())?;
            }
            _ => {}
        }
        Ok(())
    }

    /// The contents; `None` for what has none.
    fn read(&self, queue: &Queue, object: &Object) -> Result<Option<Numbers>> {
        Ok(match (self, object) {
            (Self::Buffer(buffer), Object::Buffer(numbers)) => {
                let mut bytes = numbers.to_device();
                queue.read(buffer, &mut bytes)?;
                Some(Numbers::from_device(numbers.kind, &bytes))
            }
            (Self::Image(image), Object::Image { numbers, size, .. }) => {
                let mut bytes = numbers.to_device();
                queue.read_image(image, area(size), &mut bytes)?;
                Some(Numbers::from_device(numbers.kind, &bytes))
            }
            _ => None,
        })
    }
}

/// The whole of an image.
fn area(size: &[usize]) -> Area {
    let mut region = [1; 3];
    region[..size.len()].copy_from_slice(size);
    ([0; 4], region)
}

fn description(format: Format, size: &[usize]) -> ImageDesc {
    let kind = match size.len() {
        1 => sys::CL_MEM_OBJECT_IMAGE1D,
        2 => sys::CL_MEM_OBJECT_IMAGE2D,
        _ => sys::CL_MEM_OBJECT_IMAGE3D,
    };
    let (_, region) = area(size);
    ImageDesc { kind, format: (format.order, format.channel), size: region, layers: 0, levels: 0 }
}
