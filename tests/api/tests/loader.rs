//! The driver through the system's loader, on its real device: each scenario is a process of its own, started by this
//! program with `OCL_ICD_VENDORS` naming the driver that cargo built beside it.
//!
//! Needs `cargo build -p muxcl-icd -p muxcl-compiler-lib` (which `cargo xtask test` does first).

use std::path::{Path, PathBuf};
use std::process::Command;
use std::ptr::{null, null_mut};

use libtest_mimic::{Arguments, Failed, Trial};
use muxcl_cl_sys::*;
use muxcl_test_api::{buffer, cl, code, context, info, kernel, make, number, setup};

const SOURCE: &std::ffi::CStr =
    c"kernel void twice(global uint *out) { out[get_global_id(0)] = 2 * get_global_id(0) + OFFSET; }
kernel void spin(global uint *out) { uint x = 1; for (uint i = 0; i < 400000000u; ++i) x = x * 1664525u + i; out[0] = x; }";
const ITEMS: usize = 1000;

const SCENARIOS: &[(&str, fn(&Path))] = &[
    ("enumerate", enumerate),
    ("source", source),
    ("cached", cached),
    ("binary", binary),
    ("released", released),
    ("threads", threads),
    ("forked", forked),
    ("exit_while_busy", exit_while_busy),
];

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    if let [_, child, name, folder] = arguments.as_slice()
        && child == "--child"
    {
        let scenario = SCENARIOS.iter().find(|(n, _)| n == name).map(|(_, f)| f).expect("a known scenario");
        muxcl_test_api::use_loader();
        scenario(Path::new(folder));
        return;
    }
    // In this order: `cached` and `binary` use what `source` leaves.
    let mut arguments = Arguments::from_args();
    arguments.test_threads = Some(1);
    let trials = SCENARIOS.iter().map(|&(name, _)| Trial::test(name, move || run(name))).collect();
    libtest_mimic::run(&arguments, trials).exit();
}

/// The folder cargo builds libraries into: this program lies in its `deps`.
fn libraries() -> Result<PathBuf, Failed> {
    let program = std::env::current_exe()?;
    let folder = program.ancestors().nth(2).ok_or("no target folder")?.to_path_buf();
    for name in ["libmuxcl.so", "libmuxcl_compiler.so"] {
        if !folder.join(name).exists() {
            return Err(format!("{name}: run `cargo build -p muxcl-icd -p muxcl-compiler-lib` first").into());
        }
    }
    Ok(folder)
}

fn run(name: &str) -> Result<(), Failed> {
    let libraries = libraries()?;
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("loader-{}", std::process::id()));
    let vendors = folder.join("vendors");
    std::fs::create_dir_all(&vendors)?;
    std::fs::write(vendors.join("muxcl.icd"), format!("{}\n", libraries.join("libmuxcl.so").display()))?;
    let child = |name: &str| {
        Command::new(std::env::current_exe()?)
            .args(["--child", name])
            .arg(&folder)
            .env("OCL_ICD_VENDORS", format!("{}/", vendors.display()))
            .env("MUXCL_CACHE_DIR", folder.join("cache"))
            .env("MUXCL_LOG", "warn")
            .output()
    };
    if matches!(name, "cached" | "binary" | "forked") && !folder.join("binary").exists() {
        child("source")?;
    }
    let output = child(name)?;
    if output.status.success() {
        return Ok(());
    }
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    Err(format!("{}\n{}{}", output.status, text(&output.stdout), text(&output.stderr)).into())
}

/// Libraries of this process whose name has `part` in it.
fn mapped(part: &str) -> bool {
    std::fs::read_to_string("/proc/self/maps").unwrap_or_default().contains(part)
}

fn no_compiler() {
    assert!(mapped("libmuxcl.so"), "the driver is this process's");
    assert!(!mapped("libmuxcl_compiler") && !mapped("libLLVM") && !mapped("libclang"), "no compiler is mapped");
}

fn queue(c: cl_context) -> cl_command_queue {
    make!(clCreateCommandQueueWithProperties(c, setup().device(), null()))
}

fn from_source(c: cl_context) -> cl_program {
    let mut text = SOURCE.as_ptr();
    let p = make!(clCreateProgramWithSource(c, 1, &raw mut text, null()));
    let code = cl!(clBuildProgram(p, 0, null(), c"-DOFFSET=5".as_ptr(), None, null_mut()));
    let log = info!(clGetProgramBuildInfo(p, setup().device()), CL_PROGRAM_BUILD_LOG);
    assert_eq!(code, CL_SUCCESS, "{}", String::from_utf8_lossy(&log));
    p
}

fn from_binary(c: cl_context, folder: &Path) -> cl_program {
    let bytes = std::fs::read(folder.join("binary")).expect("scenario `source` wrote it");
    let p = muxcl_test_api::program_from(c, &[setup().device()], &bytes);
    code!(CL_SUCCESS, clBuildProgram(p, 0, null(), null(), None, null_mut()));
    p
}

/// Runs kernel `twice` and looks at every item.
fn check(c: cl_context, p: cl_program) {
    let (q, k, out) = (queue(c), kernel(p, c"twice"), buffer(c, ITEMS * 4));
    code!(CL_SUCCESS, clSetKernelArg(k, 0, size_of::<cl_mem>(), (&raw const out).cast()));
    let global = ITEMS;
    code!(CL_SUCCESS, clEnqueueNDRangeKernel(q, k, 1, null(), &raw const global, null(), 0, null(), null_mut()));
    let mut result = vec![0_u32; ITEMS];
    let to = result.as_mut_ptr().cast();
    code!(CL_SUCCESS, clEnqueueReadBuffer(q, out, CL_TRUE, 0, ITEMS * 4, to, 0, null(), null_mut()));
    assert!(result.iter().enumerate().all(|(i, &x)| x as usize == 2 * i + 5), "{:?}", &result[..4]);
    code!(CL_SUCCESS, clReleaseMemObject(out));
    code!(CL_SUCCESS, clReleaseKernel(k));
    code!(CL_SUCCESS, clReleaseCommandQueue(q));
}

fn enumerate(_: &Path) {
    let d = setup().device();
    assert!(number(&info!(clGetDeviceInfo(d), CL_DEVICE_MAX_COMPUTE_UNITS)) > 0);
    assert_eq!(number(&info!(clGetDeviceInfo(d), CL_DEVICE_COMPILER_AVAILABLE)), 1);
    let c = context();
    code!(CL_SUCCESS, clReleaseContext(c));
    no_compiler();
}

fn source(folder: &Path) {
    let c = context();
    let p = from_source(c);
    assert!(mapped("libmuxcl_compiler"), "the cache was empty");
    check(c, p);
    let sizes = info!(clGetProgramInfo(p), CL_PROGRAM_BINARY_SIZES);
    let mut bytes = vec![0_u8; usize::try_from(number(&sizes)).unwrap()];
    let mut list = [bytes.as_mut_ptr()];
    code!(CL_SUCCESS, clGetProgramInfo(p, CL_PROGRAM_BINARIES, 8, list.as_mut_ptr().cast(), null_mut()));
    std::fs::write(folder.join("binary"), &bytes).unwrap();
    code!(CL_SUCCESS, clReleaseProgram(p));
    code!(CL_SUCCESS, clReleaseContext(c));
}

/// What `source` built comes from the disk now, variant of the kernel included.
fn cached(_: &Path) {
    let c = context();
    let p = from_source(c);
    check(c, p);
    no_compiler();
}

fn binary(folder: &Path) {
    let c = context();
    check(c, from_binary(c, folder));
    no_compiler();
}

/// The loader reads the table from the handle it is given, released or not.
fn released(_: &Path) {
    let c = context();
    let mem = buffer(c, 64);
    let q = queue(c);
    code!(CL_SUCCESS, clReleaseMemObject(mem));
    code!(CL_SUCCESS, clReleaseCommandQueue(q));
    code!(CL_SUCCESS, clReleaseContext(c));
    code!(CL_INVALID_MEM_OBJECT, clReleaseMemObject(mem));
    code!(CL_INVALID_COMMAND_QUEUE, clFinish(q));
    code!(CL_INVALID_CONTEXT, clRetainContext(c));
    code!(CL_INVALID_CONTEXT, clRetainContext(mem.cast()));
    code!(CL_INVALID_PLATFORM, clGetPlatformInfo(c.cast(), CL_PLATFORM_NAME, 0, null_mut(), null_mut()));
}

fn threads(_: &Path) {
    let c = context();
    let p = from_source(c);
    let (c, p) = (c.expose_provenance(), p.expose_provenance());
    let threads: Vec<_> = (0..8)
        .map(|_| {
            std::thread::spawn(move || {
                let (c, p) = (std::ptr::with_exposed_provenance_mut(c), std::ptr::with_exposed_provenance_mut(p));
                for _ in 0..20 {
                    check(c, p);
                }
            })
        })
        .collect();
    for thread in threads {
        thread.join().unwrap();
    }
}

/// The child of a fork may use the driver although the parent did: with objects of its own.
fn forked(folder: &Path) {
    let c = context();
    check(c, from_binary(c, folder));
    // SAFETY: this thread is the only one of the program's; the driver's own threads are what is being tested.
    let child = unsafe { libc::fork() };
    assert!(child >= 0);
    if child == 0 {
        let c = context();
        check(c, from_binary(c, folder));
        // SAFETY: ends the child at once, with no handlers of the parent's.
        unsafe { libc::_exit(0) };
    }
    let mut status = -1;
    // SAFETY: the child is ours; the status is written.
    let waited = unsafe { libc::waitpid(child, &raw mut status, 0) };
    assert_eq!((waited, status), (child, 0));
    check(c, from_binary(c, folder));
}

/// Leaving `main` with a kernel running must neither crash nor wait for it.
fn exit_while_busy(_: &Path) {
    let c = context();
    let p = from_source(c);
    let (q, k, out) = (queue(c), kernel(p, c"spin"), buffer(c, 64));
    code!(CL_SUCCESS, clSetKernelArg(k, 0, size_of::<cl_mem>(), (&raw const out).cast()));
    let global = 64;
    code!(CL_SUCCESS, clEnqueueNDRangeKernel(q, k, 1, null(), &raw const global, null(), 0, null(), null_mut()));
    code!(CL_SUCCESS, clFlush(q));
}
