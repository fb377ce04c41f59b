//! Measures RISC-V code side by side: the interpreter, translated code, `qemu-riscv64` if it is
//! installed, and the same C source compiled for the host. Builds `tests/programs/bench.c` of crate
//! `rv-sim` with clang-22. `cargo xtask bench --riscv` runs it; the arguments are names of
//! functions.
#![expect(clippy::print_stdout, reason = "a program for people")]

#[path = "../../rv-sim/tests/common/mod.rs"]
mod common;

use muxcl_rv_jit::{Executor, Translator};
use muxcl_rv_sim::{Exit, Hart, HartConfig, Xlen};
use std::error::Error;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;
use std::time::Instant;

type Result<T> = std::result::Result<T, Box<dyn Error>>;

const DATA: u64 = 0x9000_0000;
const DATA_SIZE: usize = 64 << 20;
const BACK: u64 = 0x1000;
/// Number of measurements, of which the median counts.
const ROUNDS: usize = 5;

/// One way to compile the functions.
struct Kind {
    name: &'static str,
    march: &'static str,
    /// Options of clang for the machine and for the host.
    guest: &'static [&'static str],
    host: &'static [&'static str],
    vlen: u32,
    /// Whether both compute the same result: vectorized sums of floating-point numbers have another
    /// order.
    same: bool,
}

const SCALAR: &[&str] = &["-fno-vectorize", "-fno-slp-vectorize", "-fno-unroll-loops"];
const VECTOR: Kind = Kind {
    name: "V, VLEN 128",
    march: "rv64gcv",
    guest: &["-ffast-math"],
    host: &["-ffast-math", "-march=native"],
    vlen: 128,
    same: false,
};
const KINDS: [Kind; 3] = [
    Kind {
        name: "scalar",
        march: "rv64gc_zba_zbb_zbs",
        guest: SCALAR,
        host: SCALAR,
        same: true,
        ..VECTOR
    },
    VECTOR,
    Kind { name: "V, VLEN 512", vlen: 512, ..VECTOR },
];

/// The functions with their sizes, and whether they have loops for vectors.
const FUNCTIONS: [(&str, usize, bool); 9] = [
    ("crc", 1 << 22, false),
    ("sieve", 8 << 20, true),
    ("matmul", 300, true),
    ("sort", 1 << 18, false),
    ("xorshift", 1 << 24, false),
    ("fib", 34, false),
    ("saxpy", 1 << 20, true),
    ("bytes", 1 << 24, true),
    ("doubles", 1 << 22, true),
];

/// The entry point of the program for qemu.
const START: &str = "
typedef unsigned long size_t;
size_t FUNCTION(void *, size_t);
static char data[64 << 20];
void _start(void) {
    volatile size_t result = FUNCTION(data, SIZE);
    register size_t a0 __asm__(\"a0\") = result & 127, a7 __asm__(\"a7\") = 93;
    __asm__ volatile(\"ecall\" : : \"r\"(a0), \"r\"(a7));
}";

fn clang(folder: &Path, output: &str, options: &[&str], more: &[&Path]) -> Result<PathBuf> {
    let output = folder.join(output);
    let status = Command::new("/usr/lib/llvm-22/bin/clang")
        .args(["-O2", "-fno-math-errno"])
        .args(options)
        .arg(concat!(env!("CARGO_MANIFEST_DIR"), "/../rv-sim/tests/programs/bench.c"))
        .args(more)
        .arg("-o")
        .arg(&output)
        .status()?;
    if status.success() { Ok(output) } else { Err("clang failed".into()) }
}

fn guest(folder: &Path, kind: &Kind, options: &[&str], more: &[&Path]) -> Result<PathBuf> {
    let march = format!("-march={}", kind.march);
    let fixed = [
        "--target=riscv64",
        "-ffreestanding",
        "-nostdlib",
        "-static",
        "-fuse-ld=lld",
        "-mcmodel=medany",
        "-mabi=lp64d",
        &march,
    ];
    clang(folder, "guest.elf", &[&fixed, kind.guest, options].concat(), more)
}

fn median(mut measure: impl FnMut() -> Result<f64>) -> Result<f64> {
    let mut times = (0..ROUNDS).map(|_| measure()).collect::<Result<Vec<f64>>>()?;
    times.sort_by(f64::total_cmp);
    Ok(times[ROUNDS / 2])
}

/// Processor time of this process in seconds: Cranelift has a thread of its own.
fn now() -> f64 {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ProcessCPUTime);
    time.tv_sec as f64 + time.tv_nsec as f64 / 1e9
}

/// How code is executed.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Way {
    Interpreted,
    Translated,
    /// Translated, and its executions are counted.
    Counted,
}

/// The result of a function on the machine, and the time.
fn simulate(elf: &[u8], n: usize, vlen: u32, way: Way) -> Result<(u64, f64)> {
    let (memory, entry) = common::load(elf, &[(DATA, DATA_SIZE as u64)]);
    let mut hart = Hart::new(0, &HartConfig::full(Xlen::Rv64, vlen), Arc::new(memory))?;
    hart.set_return_address(Some(BACK));
    hart.set_pc(entry);
    hart.set_x(1, BACK);
    hart.set_x(2, DATA + DATA_SIZE as u64 - 16);
    hart.set_x(10, DATA);
    hart.set_x(11, n as u64);
    let translator = Arc::new(Translator::new()?);
    translator.set_counting(way == Way::Counted);
    let mut executor = Executor::new(Arc::clone(&translator));
    let start = now();
    let exit = match way {
        Way::Interpreted => hart.run(u64::MAX),
        Way::Translated | Way::Counted => executor.run(&mut hart, u64::MAX),
    };
    let time = now() - start;
    if exit == Exit::Returned { Ok((hart.x(10), time)) } else { Err(format!("{exit:?}").into()) }
}

/// The times as multiples of the host's: translated, counted, interpreted, in qemu.
fn measure(kind: &Kind, function: &str, n: usize) -> Result<[Option<f64>; 4]> {
    type Function = unsafe extern "C" fn(*mut u8, usize) -> usize;
    let folder = tempfile::tempdir()?;
    let folder = folder.path();
    let library = clang(folder, "host.so", &[&["-shared", "-fPIC"], kind.host].concat(), &[])?;
    // SAFETY: the library has no initialisers.
    let library = unsafe { muxcl_os::Library::open(&library) }?;
    let name = std::ffi::CString::new(function)?;
    let host = library.symbol(&name).ok_or("no such function")?;
    // SAFETY: the type of every function of bench.c.
    let host = unsafe { std::mem::transmute::<*const std::ffi::c_void, Function>(host) };
    let mut data = vec![0u64; DATA_SIZE / 8];
    let mut result = 0;
    let native = median(|| {
        let start = now();
        // SAFETY: the functions stay within DATA_SIZE bytes for these sizes.
        result = unsafe { host(data.as_mut_ptr().cast(), n) } as u64;
        Ok(now() - start)
    })?;
    let elf = std::fs::read(guest(folder, kind, &[&format!("-Wl,-e,{function}")], &[])?)?;
    let simulated = |way| {
        median(|| {
            let (value, time) = simulate(&elf, n, kind.vlen, way)?;
            if value == result || !kind.same { Ok(time) } else { Err("a wrong result".into()) }
        })
    };
    let jit = simulated(Way::Translated)?;
    let (counted, interpreter) = (simulated(Way::Counted)?, simulated(Way::Interpreted)?);
    let start = folder.join("start.c");
    std::fs::write(&start, START)?;
    let [name, size] = [format!("-DFUNCTION={function}"), format!("-DSIZE={n}")];
    let elf = guest(folder, kind, &[&name, &size], &[&start])?;
    let cpu = format!("rv64,v=true,vlen={}", kind.vlen);
    let qemu = median(|| {
        let start = Instant::now();
        let status = Command::new("qemu-riscv64").args(["-cpu", &cpu]).arg(&elf).status()?;
        let right = status.code() == i32::try_from(result & 127).ok();
        let ended = status.code().is_some() && !kind.same;
        if right || ended { Ok(start.elapsed().as_secs_f64()) } else { Err("wrong".into()) }
    });
    let all =
        [Some(jit), Some(counted), Some(interpreter), qemu.ok()].map(|t| t.map(|t| t / native));
    println!("| {} | {function} | {:.1} | {} |", kind.name, native * 1e3, columns(&all));
    Ok(all)
}

fn columns(ratios: &[Option<f64>]) -> String {
    let text = |r: &Option<f64>| r.map_or_else(|| "-".to_owned(), |r| format!("{r:.2}"));
    ratios.iter().map(text).collect::<Vec<_>>().join(" | ")
}

fn main() -> Result<()> {
    let wanted: Vec<String> = std::env::args().skip(1).collect();
    println!(
        "| code | function | host, ms | translated / host | with counts / host | \
         interpreter / host | qemu / host |"
    );
    println!("|---|---|---:|---:|---:|---:|---:|");
    for kind in &KINDS {
        let mut all: [Vec<f64>; 4] = Default::default();
        for (function, n, vectors) in FUNCTIONS {
            let chosen = wanted.is_empty() || wanted.iter().any(|w| w == function);
            if chosen && (kind.same || vectors) {
                for (list, ratio) in all.iter_mut().zip(measure(kind, function, n)?) {
                    list.extend(ratio);
                }
            }
        }
        let means = all.map(|list| {
            let sum: f64 = list.iter().map(|r| r.ln()).sum();
            (!list.is_empty()).then(|| (sum / list.len() as f64).exp())
        });
        println!("| {} | geometric mean | | {} |", kind.name, columns(&means));
    }
    Ok(())
}
