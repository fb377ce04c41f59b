//! Measures the interpreter's speed by its own counter of retired instructions: builds
//! `tests/programs/bench.c` with clang-22 and runs each function. Not here: comparison with other
//! simulators.
#![expect(clippy::print_stdout, reason = "a program for people")]

#[path = "../tests/common/mod.rs"]
mod common;

use muxcl_rv_sim::{Exit, Hart, HartConfig, Xlen};
use std::error::Error;
use std::process::Command;
use std::sync::Arc;
use std::time::Instant;

const DATA: u64 = 0x9000_0000;
const BACK: u64 = 0x1000;

/// A program whose entry point is the function.
fn build(function: &str, march: &str, flags: &[&str]) -> Result<Vec<u8>, Box<dyn Error>> {
    let folder = tempfile::tempdir()?;
    let elf = folder.path().join("guest.elf");
    let status = Command::new("/usr/lib/llvm-22/bin/clang")
        .args([
            "--target=riscv64",
            "-O2",
            "-ffreestanding",
            "-nostdlib",
            "-static",
            "-fuse-ld=lld",
            "-mcmodel=medany",
        ])
        .args([
            &format!("-march={march}"),
            "-mabi=lp64d",
            "-fno-math-errno",
            &format!("-Wl,-e,{function}"),
        ])
        .args(flags)
        .arg(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/programs/bench.c"))
        .arg("-o")
        .arg(&elf)
        .status()?;
    if !status.success() {
        return Err("clang failed".into());
    }
    Ok(std::fs::read(&elf)?)
}

/// Processor time of this thread in seconds, if the system reports it.
fn processor_time() -> Option<f64> {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    Some(text.split(' ').next()?.parse::<f64>().ok()? / 1e9)
}

fn run(
    function: &str,
    march: &str,
    flags: &[&str],
    n: u64,
    vlen: u32,
) -> Result<(), Box<dyn Error>> {
    let (memory, entry) = common::load(&build(function, march, flags)?, &[(DATA, 64 << 20)]);
    let mut hart = Hart::new(0, &HartConfig::full(Xlen::Rv64, vlen), Arc::new(memory))?;
    hart.set_return_address(Some(BACK));
    hart.set_pc(entry);
    hart.set_x(1, BACK);
    hart.set_x(2, DATA + (64 << 20) - 16);
    hart.set_x(10, DATA);
    hart.set_x(11, n);
    let (start, cpu) = (Instant::now(), processor_time());
    let exit = hart.run(u64::MAX);
    let wall = start.elapsed().as_secs_f64();
    // Processor time, because wall-clock time is unreliable on a busy machine.
    let time = cpu.zip(processor_time()).map_or(wall, |(from, to)| to - from);
    if exit != Exit::Returned {
        return Err(format!("{function}: {exit:?}").into());
    }
    let rate = hart.retired() as f64 / time / 1e6;
    println!(
        "{function:10} {:22} {:>12} instructions {time:8.3} s {rate:8.0} MIPS   result {:#x}",
        march,
        hart.retired(),
        hart.x(10)
    );
    Ok(())
}

fn main() -> Result<(), Box<dyn Error>> {
    for march in ["rv64imafd", "rv64gc_zba_zbb_zbs"] {
        for (function, n) in [
            ("crc", 1 << 20),
            ("sieve", 4 << 20),
            ("matmul", 200),
            ("sort", 1 << 18),
            ("xorshift", 1 << 24),
            ("fib", 30),
            ("saxpy", 1 << 18),
        ] {
            run(
                function,
                march,
                &["-fno-vectorize", "-fno-slp-vectorize", "-fno-unroll-loops"],
                n,
                128,
            )?;
        }
    }
    for vlen in [128, 512] {
        println!("vectors of {vlen} bits:");
        for (function, n) in [("saxpy", 1 << 18), ("matmul", 200)] {
            run(function, "rv64gcv", &["-ffast-math"], n, vlen)?;
        }
    }
    Ok(())
}
