//! The kernels of the demo, one file each: OpenCL C and the same computation in Rust.

pub(crate) mod black_scholes;
pub(crate) mod histogram;
pub(crate) mod mandelbrot;
pub(crate) mod matrix;
pub(crate) mod nbody;
pub(crate) mod reduction;
pub(crate) mod saxpy;
pub(crate) mod vector_add;

use std::time::{Duration, Instant};

use anyhow::{Result, bail};
use muxcl_client::{Buffer, Context, Kernel as ClKernel, Program, Queue};

/// After this duration a kernel is not repeated: the device is a simulator.
const LONG: Duration = Duration::from_secs(1);

/// A kernel of the demo.
pub(crate) struct Kernel {
    pub(crate) name: &'static str,
    pub(crate) source: &'static str,
    /// Runs the kernel and compares the results; a wrong result is an error.
    pub(crate) run: fn(&mut Job<'_>) -> Result<()>,
}

/// All kernels, in the table's order.
pub(crate) const ALL: &[Kernel] = &[
    vector_add::KERNEL,
    saxpy::KERNEL,
    reduction::KERNEL,
    matrix::KERNEL,
    mandelbrot::KERNEL,
    black_scholes::KERNEL,
    nbody::KERNEL,
    histogram::KERNEL,
];

/// The device and queue of a run, and its measurements.
pub(crate) struct Job<'a> {
    context: &'a Context,
    queue: &'a Queue,
    program: &'a Program,
    pub(crate) items: usize,
    pub(crate) time: Duration,
    pub(crate) pixels: Option<Vec<u32>>,
}

/// An argument of a kernel.
pub(crate) enum Argument<'a> {
    Buffer(&'a Buffer),
    Float(f32),
    Int(u32),
    Local(usize),
}

impl Argument<'_> {
    /// A count, as a kernel's `uint`.
    pub(crate) fn size(count: usize) -> Self {
        Self::Int(u32::try_from(count).unwrap_or(u32::MAX))
    }
}

impl<'a> Job<'a> {
    pub(crate) fn new(context: &'a Context, queue: &'a Queue, program: &'a Program) -> Self {
        Self { context, queue, program, items: 0, time: Duration::ZERO, pixels: None }
    }

    pub(crate) fn buffer<T: Copy>(&self, data: &[T]) -> Result<Buffer> {
        Ok(self.context.buffer_with(data)?)
    }

    /// Runs the kernel `name` once to warm up and three times for timing, or less often if it is
    /// slow; the fastest run counts. Therefore a kernel must give the same result when it runs
    /// again on the same buffers, or `prepare` must restore them.
    pub(crate) fn run(
        &mut self,
        name: &str,
        arguments: &[Argument<'_>],
        global: &[usize],
        local: Option<&[usize]>,
        prepare: impl Fn(&Queue) -> Result<()>,
    ) -> Result<()> {
        let mut kernel: ClKernel = self.program.kernel(name)?;
        for (index, argument) in (0..).zip(arguments) {
            match argument {
                Argument::Buffer(buffer) => kernel.set_buffer(index, buffer)?,
                Argument::Float(value) => kernel.set(index, *value)?,
                Argument::Int(value) => kernel.set(index, *value)?,
                Argument::Local(size) => kernel.set_local(index, *size)?,
            }
        }
        self.items = global.iter().product();
        let (mut fastest, mut spent) = (Duration::MAX, Duration::ZERO);
        for _ in 0..4 {
            prepare(self.queue)?;
            let start = Instant::now();
            self.queue.run(&kernel, global, local, None)?;
            self.queue.finish()?;
            let took = start.elapsed();
            fastest = fastest.min(took);
            spent += took;
            if spent > LONG {
                break;
            }
        }
        self.time = fastest;
        Ok(())
    }

    pub(crate) fn read<T: Copy + Default>(&self, buffer: &Buffer, length: usize) -> Result<Vec<T>> {
        let mut data = vec![T::default(); length];
        self.queue.read(buffer, &mut data)?;
        Ok(data)
    }
}

/// Fails if the two differ by more than `tolerance`, relative to values above 1.
pub(crate) fn close(found: &[f32], wanted: &[f32], tolerance: f32) -> Result<()> {
    for (index, (found, wanted)) in found.iter().zip(wanted).enumerate() {
        let good = (found - wanted).abs() <= tolerance * wanted.abs().max(1.0);
        if !good {
            bail!("element {index} is {found}, should be {wanted}");
        }
    }
    Ok(())
}

/// Fails if the two differ.
pub(crate) fn equal(found: &[u32], wanted: &[u32]) -> Result<()> {
    match found.iter().zip(wanted).position(|(found, wanted)| found != wanted) {
        Some(index) => bail!("element {index} is {}, should be {}", found[index], wanted[index]),
        None => Ok(()),
    }
}

/// `length` random numbers in `from..to`, the same in every run.
pub(crate) fn random(length: usize, from: f32, to: f32) -> Vec<f32> {
    let mut random = fastrand::Rng::with_seed(1);
    (0..length).map(|_| from + (to - from) * random.f32()).collect()
}
