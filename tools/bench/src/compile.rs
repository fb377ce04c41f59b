//! Rows about compilation: the time to the first result, from the disk cache, on one thread and on
//! two.

use std::time::Instant;

use anyhow::{Result, ensure};

use crate::rows::{Bench, median};

/// Measures the time from before the program's creation until its result is read.
fn build_and_run(bench: &Bench, source: &str) -> Result<f64> {
    let buffer = bench.context.buffer_with(&[0_i32; 64])?;
    let start = Instant::now();
    let mut kernel = bench.kernel(source, "k")?;
    kernel.set_buffer(0, &buffer)?;
    bench.queue.run(&kernel, &[64], Some(&[64]), None)?;
    let mut back = [0_i32; 64];
    bench.queue.read(&buffer, &mut back)?;
    let time = start.elapsed().as_secs_f64();
    ensure!(back == [42; 64], "wrong result");
    Ok(time)
}

/// A program that no cache contains: the process id is part of its text.
fn fresh(number: u32) -> String {
    let unique = std::process::id();
    format!(
        "kernel void k(global int *out) {{ out[get_global_id(0)] = 42; }} /* {unique} {number} */"
    )
}

pub(crate) fn cold() -> Result<f64> {
    build_and_run(&Bench::new()?, &fresh(0))
}

pub(crate) fn cached() -> Result<f64> {
    build_and_run(&Bench::new()?, "kernel void k(global int *out) { out[get_global_id(0)] = 42; }")
}

pub(crate) fn warm() -> Result<f64> {
    let bench = Bench::new()?;
    let mut number = 0;
    median(2, 9, || {
        number += 1;
        build_and_run(&bench, &fresh(number)).map(|_| ())
    })
}

/// Processor time of all threads of this process so far, in seconds. Other processes do not count.
fn processor_time() -> Result<f64> {
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: writes one timespec.
    let code = unsafe { libc::clock_gettime(libc::CLOCK_PROCESS_CPUTIME_ID, &raw mut time) };
    ensure!(code == 0, "the system does not report processor time");
    #[expect(clippy::cast_precision_loss, reason = "seconds of a short process")]
    Ok(time.tv_sec as f64 + time.tv_nsec as f64 * 1e-9)
}

/// The cost of the OpenCL C library in a build of one line: the median, over pairs of builds, of
/// the additional processor time of a line with a library call compared with the line without.
pub(crate) fn library() -> Result<f64> {
    let bench = Bench::new()?;
    let unique = std::process::id();
    let buffer = bench.context.buffer_with(&[0_i32; 64])?;
    let build = |number: usize, value: &str| -> Result<f64> {
        let source = format!(
            "kernel void k(global int *out, int n) {{ out[get_global_id(0)] = {value}; }} /* {unique} {number} */"
        );
        let start = processor_time()?;
        let mut kernel = bench.kernel(&source, "k")?;
        kernel.set_buffer(0, &buffer)?;
        kernel.set(1, 42_i32)?;
        bench.queue.run(&kernel, &[64], Some(&[64]), None)?;
        let mut back = [0_i32; 64];
        bench.queue.read(&buffer, &mut back)?;
        ensure!(back == [42; 64], "wrong result");
        Ok(processor_time()? - start)
    };
    let mut extra = Vec::new();
    for number in 0..44 {
        let (without, with) =
            (build(number, "(int)(float)n")?, build(number, "(int)fabs((float)n)")?);
        // The first pairs warm up.
        if number >= 4 {
            extra.push(with - without);
        }
    }
    extra.sort_by(f64::total_cmp);
    Ok(extra[extra.len() / 2].max(0.0))
}

/// A program with loops, branches, local memory and math, which is realistic work for the compiler.
fn larger(number: usize) -> String {
    let unique = std::process::id();
    format!(
        "float f(float x, int n) {{ for (int i = 0; i < n; ++i) x = x * 0.99f + (float)(i ^ {unique}) / {number}.5f; return x; }}
kernel void k(global const float *in, global float *out, int n)
{{
    local float tile[256];
    size_t i = get_global_id(0), l = get_local_id(0);
    tile[l] = f(in[i], n);
    barrier(CLK_LOCAL_MEM_FENCE);
    float sum = 0.0f;
    for (size_t k = 0; k < get_local_size(0); ++k) sum += tile[k] * sqrt((float)k + {number});
    out[i] = sum > 1.0f ? exp(-sum) : sin(sum);
}}"
    )
}

fn build_many(bench: &Bench, numbers: impl Iterator<Item = usize>) -> Result<()> {
    for number in numbers {
        bench.context.build(bench.device, &larger(number), "")?.kernel("k")?;
    }
    Ok(())
}

pub(crate) fn one_thread() -> Result<f64> {
    let bench = Bench::new()?;
    build_many(&bench, 100..101)?;
    let start = Instant::now();
    build_many(&bench, 0..16)?;
    Ok(start.elapsed().as_secs_f64())
}

pub(crate) fn two_threads() -> Result<f64> {
    let bench = Bench::new()?;
    build_many(&bench, 100..101)?;
    let start = Instant::now();
    std::thread::scope(|scope| {
        let other = scope.spawn(|| build_many(&bench, (0..16).step_by(2)));
        build_many(&bench, (1..16).step_by(2))?;
        other.join().unwrap_or_else(|_| anyhow::bail!("the second thread panicked"))
    })?;
    Ok(start.elapsed().as_secs_f64())
}

pub(crate) fn math() -> Result<f64> {
    let bench = Bench::new()?;
    let unique = std::process::id();
    let mut source = String::new();
    for (number, function) in
        ["sin", "cos", "exp", "log", "pow", "tan", "atan2", "cbrt"].iter().enumerate()
    {
        let two = matches!(*function, "pow" | "atan2");
        let arguments = if two { "a[i], b[i]" } else { "a[i] + b[i]" };
        source.push_str(&format!(
            "kernel void k{number}(global const float4 *a, global const float4 *b, global float4 *c)
{{ size_t i = get_global_id(0); c[i] = {function}({arguments}); }} /* {unique} */\n"
        ));
    }
    let buffer = bench.context.buffer_with(&[1.0_f32; 256])?;
    let start = Instant::now();
    let program = bench.context.build(bench.device, &source, "")?;
    for number in 0..8 {
        let mut kernel = program.kernel(&format!("k{number}"))?;
        for index in 0..3 {
            kernel.set_buffer(index, &buffer)?;
        }
        bench.queue.run(&kernel, &[64], Some(&[16]), None)?;
    }
    bench.queue.finish()?;
    Ok(start.elapsed().as_secs_f64())
}
