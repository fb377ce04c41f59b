//! The demo: compiles and runs OpenCL C on every device of the ICD loader and compares the results
//! with the same computation in Rust. Writes a table of the results and a Mandelbrot picture per
//! device.
//!
//! Invariant: it is an ordinary OpenCL program. It fails if a result is wrong or if the pictures of
//! two devices differ in a pixel. Not here: measuring (see `tools/bench`).
#![expect(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a command line tool talks to its user"
)]

mod kernels;
mod picture;

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, bail};
use clap::Parser;
use indicatif::{ProgressBar, ProgressStyle};
use muxcl_client::sys::{
    CL_DEVICE_MAX_COMPUTE_UNITS, CL_DEVICE_VERSION, CL_QUEUE_PROFILING_ENABLE,
};
use muxcl_client::{Context, Device, Platform, Queue};

use kernels::{Job, Kernel};

#[derive(Parser)]
#[command(about = "Runs OpenCL kernels on every device, checks them, and draws a picture")]
struct Arguments {
    /// Folder of the pictures.
    #[arg(long, default_value = "target/demo")]
    out: PathBuf,
    /// Only kernels whose name contains this.
    filter: Option<String>,
}

/// One line of the table.
struct Line {
    device: String,
    kernel: &'static str,
    items: usize,
    build: Duration,
    time: Duration,
    verdict: Result<(), String>,
}

fn main() -> ExitCode {
    match demo(&Arguments::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn demo(arguments: &Arguments) -> Result<()> {
    let devices = devices()?;
    let kernels: Vec<_> = kernels::ALL
        .iter()
        .filter(|kernel| {
            arguments.filter.as_ref().is_none_or(|filter| kernel.name.contains(filter.as_str()))
        })
        .collect();
    let progress = ProgressBar::new((devices.len() * kernels.len()) as u64);
    progress.set_style(ProgressStyle::with_template("{bar:30} {pos}/{len} {msg}")?);

    let (mut lines, mut pictures, mut totals) = (Vec::new(), Vec::new(), Vec::new());
    for (number, (name, device)) in devices.iter().enumerate() {
        let start = Instant::now();
        let context = Context::new(*device)?;
        let queue = context.queue(*device, CL_QUEUE_PROFILING_ENABLE)?;
        for kernel in &kernels {
            progress.set_message(format!("{} on {name}", kernel.name));
            let (line, output) = run(name, *device, &context, &queue, kernel);
            progress.println(format!(
                "{:<14} {:<6} {}",
                line.kernel,
                word(&line.verdict),
                line.device
            ));
            lines.push(line);
            if let Some(pixels) = output.filter(|_| kernel.name == "mandelbrot") {
                let path = draw(&arguments.out, number, name, &pixels)?;
                pictures.push(Picture { device: name, path, pixels });
            }
            progress.inc(1);
        }
        totals.push((name, start.elapsed()));
    }
    progress.finish_and_clear();

    table(&lines);
    for (name, total) in &totals {
        println!("{name}: {} kernels built, run and verified in {total:.2?}", kernels.len());
    }
    for picture in &pictures {
        println!("picture: {}", picture.path.display());
    }
    let wrong: Vec<_> =
        lines.iter().filter_map(|line| Some((line, line.verdict.as_ref().err()?))).collect();
    for (line, reason) in &wrong {
        eprintln!("{} on {}: {reason}", line.kernel, line.device);
    }
    if !wrong.is_empty() {
        bail!("{} of {} results are wrong", wrong.len(), lines.len());
    }
    same_pictures(&pictures)
}

/// A device's picture.
struct Picture<'a> {
    device: &'a str,
    path: PathBuf,
    pixels: Vec<u32>,
}

/// Checks that all devices draw the same picture, pixel for pixel.
fn same_pictures(pictures: &[Picture<'_>]) -> Result<()> {
    let Some((first, others)) = pictures.split_first().filter(|(_, others)| !others.is_empty())
    else {
        return Ok(());
    };
    for other in others {
        let differ = first.pixels.iter().zip(&other.pixels).filter(|(a, b)| a != b).count();
        if differ != 0 || first.pixels.len() != other.pixels.len() {
            bail!("{differ} pixels of {} and {} differ", first.device, other.device);
        }
    }
    println!(
        "the {} pictures are identical, pixel for pixel ({} pixels)",
        pictures.len(),
        first.pixels.len()
    );
    Ok(())
}

/// Every device of every platform, with its name.
fn devices() -> Result<Vec<(String, Device)>> {
    let mut devices = Vec::new();
    for platform in Platform::all().context("cannot enumerate platforms")? {
        for device in platform.devices()? {
            let name = device.name()?;
            println!(
                "{}: {name}, {}, {} compute unit(s)",
                platform.name()?,
                device.text(CL_DEVICE_VERSION)?,
                device.number(CL_DEVICE_MAX_COMPUTE_UNITS)?
            );
            devices.push((name, device));
        }
    }
    if devices.is_empty() {
        bail!("the ICD loader reports no device");
    }
    Ok(devices)
}

/// Runs one kernel and records any failure in its table row.
fn run(
    name: &str,
    device: Device,
    context: &Context,
    queue: &Queue,
    kernel: &Kernel,
) -> (Line, Option<Vec<u32>>) {
    let mut line = Line {
        device: name.to_owned(),
        kernel: kernel.name,
        items: 0,
        build: Duration::ZERO,
        time: Duration::ZERO,
        verdict: Ok(()),
    };
    let mut output = None;
    let start = Instant::now();
    let outcome =
        context.build(device, kernel.source, "").map_err(anyhow::Error::from).and_then(|program| {
            line.build = start.elapsed();
            let mut job = Job::new(context, queue, &program);
            let checked = (kernel.run)(&mut job);
            line.items = job.items;
            line.time = job.time;
            output = job.pixels.take();
            checked
        });
    line.verdict = outcome.map_err(|error| format!("{error:#}"));
    (line, output)
}

fn draw(folder: &Path, number: usize, name: &str, pixels: &[u32]) -> Result<PathBuf> {
    let short: String = name
        .chars()
        .map(|c| if c.is_ascii_alphanumeric() { c.to_ascii_lowercase() } else { '-' })
        .take(40)
        .collect();
    let path = folder.join(format!("mandelbrot-{number}-{}.png", short.trim_matches('-')));
    picture::write(&path, kernels::mandelbrot::WIDTH, pixels)?;
    Ok(path)
}

fn word(verdict: &Result<(), String>) -> &'static str {
    if verdict.is_ok() { "yes" } else { "NO" }
}

fn table(lines: &[Line]) {
    let wide = lines.iter().map(|line| line.device.len()).max().unwrap_or(6).max(6);
    println!(
        "\n{:<wide$}  {:<14}{:>12}{:>12}{:>12}  verified",
        "device", "kernel", "work-items", "build", "time"
    );
    for line in lines {
        println!(
            "{:<wide$}  {:<14}{:>12}{:>12}{:>12}  {}",
            line.device,
            line.kernel,
            line.items,
            format!("{:.2?}", line.build),
            format!("{:.2?}", line.time),
            word(&line.verdict)
        );
    }
}
