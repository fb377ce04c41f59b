//! A tensor compiler in small: generates a kernel for a contraction, `C[m, n] = sum over k of
//! A[m, k] * B[k, n]`, compiles it and runs it on every device of both modules.
//!
//! `cargo run -p muxcl-executor --example generated_kernel`. Devices come from the system's ICD
//! loader and from the HAL library that `CA_HAL_DEVICE` names.

#![expect(clippy::print_stdout, reason = "a program for the terminal")]

use std::sync::Arc;
use std::time::Instant;

use anyhow::{Result, ensure};
use muxcl_executor::{
    Code, Device, KernelInfo, KernelList, Parameter, Place, SharedBuffer, direct, opencl,
};

/// A contraction to generate code for.
struct Contraction {
    m: usize,
    n: usize,
    k: usize,
    /// Rows and columns of a work-group's tile.
    tile: usize,
}

impl Contraction {
    /// The kernel, with sizes as constants and tiles of the inputs in local memory.
    fn source(&self) -> String {
        let Self { m: _, n, k, tile } = self;
        format!(
            "kernel void contract(global float *c, global const float *a, global const float *b) {{
                local float left[{tile}][{tile}], right[{tile}][{tile}];
                size_t x = get_local_id(0), y = get_local_id(1);
                size_t column = get_global_id(0), row = get_global_id(1);
                float sum = 0;
                for (size_t at = 0; at < {k}; at += {tile}) {{
                    left[y][x] = a[row * {k} + at + x];
                    right[y][x] = b[(at + y) * {n} + column];
                    barrier(CLK_LOCAL_MEM_FENCE);
                    for (size_t i = 0; i < {tile}; i++) sum = mad(left[y][i], right[i][x], sum);
                    barrier(CLK_LOCAL_MEM_FENCE);
                }}
                c[row * {n} + column] = sum;
            }}"
        )
    }

    fn kernels(&self) -> KernelList {
        let info = KernelInfo::new("contract", [self.n, self.m, 1]);
        KernelList {
            code: Code::OpenClC(self.source()),
            options: "-cl-fast-relaxed-math".into(),
            kernels: vec![info.in_groups([self.tile, self.tile, 1])],
        }
    }

    /// The result in double precision on the host.
    fn expected(&self, a: &[f32], b: &[f32]) -> Vec<f64> {
        let at = |row: usize, column: usize| -> f64 {
            (0..self.k)
                .map(|i| f64::from(a[row * self.k + i]) * f64::from(b[i * self.n + column]))
                .sum()
        };
        (0..self.m * self.n).map(|i| at(i / self.n, i % self.n)).collect()
    }
}

/// Values around 0, the same in each run.
fn values(count: usize, seed: usize) -> Vec<f32> {
    let value = |i: usize| ((i * 37 + seed * 11) % 101) as f32 / 50.0 - 1.0;
    (0..count).map(value).collect()
}

fn shared(values: &[f32]) -> Result<Arc<SharedBuffer>> {
    let buffer = SharedBuffer::new(size_of_val(values));
    let mut view = buffer.map_discard(&[])?;
    for (bytes, value) in view.chunks_exact_mut(4).zip(values) {
        bytes.copy_from_slice(&value.to_ne_bytes());
    }
    drop(view);
    Ok(buffer)
}

/// Builds and runs the contraction, and compares the result.
fn run(module: &str, device: &dyn Device) -> Result<()> {
    let work = Contraction { m: 48, n: 32, k: 64, tile: 16 };
    let start = Instant::now();
    let library = device.compiler().build(work.kernels()).wait()?;
    let built = start.elapsed();
    let executor = device.executor();
    let kernel = executor.prepare(&library, 0)?;
    let (a, b) = (values(work.m * work.k, 1), values(work.k * work.n, 2));
    let inputs = [shared(&a)?, shared(&b)?];
    let output = SharedBuffer::new(work.m * work.n * 4);
    let memory = [inputs[0].bytes(), inputs[1].bytes(), output.bytes()]
        .map(|bytes| executor.allocate(bytes));
    let [left, right, result] = memory;
    let (left, right, result) = (left?, right?, result?);

    let start = Instant::now();
    let mut ready = Vec::new();
    for (from, to) in inputs.iter().zip([&left, &right]) {
        ready.push(executor.copy(Place::shared(from), Place::device(to), from.bytes(), &[])?);
    }
    let parameters = [&result, &left, &right].map(Parameter::Buffer);
    let done = kernel.run(&parameters, &ready)?;
    let back =
        executor.copy(Place::device(&result), Place::shared(&output), output.bytes(), &[done])?;
    let view = output.map_current(&[back])?;
    let ran = start.elapsed();

    let found = view
        .chunks_exact(4)
        .map(|bytes| f32::from_ne_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]));
    for (i, (found, expected)) in found.zip(work.expected(&a, &b)).enumerate() {
        let off = (f64::from(found) - expected).abs();
        ensure!(off <= 1e-4, "{module}, {}: element {i} is {found}, not {expected}", device.name());
    }
    println!("{module:8} {:44} built in {built:8.1?}, ran in {ran:8.1?}: right", device.name());
    Ok(())
}

fn main() -> Result<()> {
    run("direct", &*direct::host())?;
    // SAFETY: `CA_HAL_DEVICE` names a HAL library, or is not set.
    match unsafe { direct::hal() } {
        Ok(devices) => devices.iter().try_for_each(|device| run("direct", &**device))?,
        Err(error) => println!("direct   no HAL device: {error}"),
    }
    for device in opencl::devices()? {
        run("OpenCL", &*device)?;
    }
    Ok(())
}
