//! Builds hostile sources (`sources.rs`) for `MUXCL_TEST_SECONDS` seconds on each device. Whatever
//! the source is, `clBuildProgram` and a launch return, within the bounds of a build, and the
//! process lives and builds good programs.
//!
//! `MUXCL_TEST_SEED=N` begins with source N. A long run: `cargo xtask nightly hostile`.

#![expect(clippy::unwrap_used, reason = "a test may fail anywhere")]

mod sources;

use std::path::Path;
use std::ptr::{null, null_mut};
use std::time::{Duration, Instant};

use libtest_mimic::{Arguments, Failed, Trial};
use muxcl_cl_sys::{
    CL_BUILD_PROGRAM_FAILURE, CL_INVALID_KERNEL_ARGS, CL_INVALID_VALUE, CL_INVALID_WORK_GROUP_SIZE,
    CL_OUT_OF_HOST_MEMORY, CL_OUT_OF_RESOURCES, CL_PROGRAM_BUILD_LOG, CL_SUCCESS, cl_context,
    cl_int, cl_mem,
};
use muxcl_config::{
    MUXCL_BUILD_MB, MUXCL_BUILD_SECONDS, MUXCL_CACHE, MUXCL_TEST_SECONDS, MUXCL_TEST_SEED,
};
use muxcl_test_api::drivers::{DEVICES, OnlyDevice, alone};
use muxcl_test_api::{buffer, cl, code, context, info, make, setup};

/// Bounds of a build here: processor time in seconds, and memory in MiB.
const SECONDS: u64 = 10;
const MEGABYTES: &str = "2048";
/// Elapsed time that a build may take: this machine may do other work.
const PATIENCE: Duration = Duration::from_secs(12 * SECONDS);

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    if let [_, child, folder] = arguments.as_slice()
        && child == "--child"
    {
        muxcl_test_api::use_loader();
        builds(Path::new(folder));
        return;
    }
    let mut arguments = Arguments::from_args();
    arguments.test_threads = Some(1);
    let trials = DEVICES.iter().map(|device| Trial::test(device.0, || run(device))).collect();
    libtest_mimic::run(&arguments, trials).exit();
}

fn run(device: &OnlyDevice) -> Result<(), Failed> {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!(
        "hostile-{}-{}",
        device.0,
        std::process::id()
    ));
    let mut command = alone(device, &folder)?;
    command
        .env(MUXCL_CACHE.name, "0")
        .env(MUXCL_BUILD_SECONDS.name, SECONDS.to_string())
        .env(MUXCL_BUILD_MB.name, MEGABYTES)
        .env_remove("MUXCL_LOG")
        .arg("--child")
        .arg(&folder);
    let output = command.output()?;
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    if output.status.success() {
        return Ok(());
    }
    let at = std::fs::read_to_string(folder.join("seed")).unwrap_or_default();
    let words = format!("{}{}", text(&output.stdout), text(&output.stderr));
    Err(format!("{}, MUXCL_TEST_SEED={at}\n{words}", output.status).into())
}

/// The result of a build, with its log.
fn build(c: cl_context, source: &[u8]) -> (cl_int, String) {
    let (terminated, length) = ([source, b"\0"].concat(), source.len());
    // A length of 0 means that the text ends at its NUL.
    let mut text = terminated.as_ptr().cast();
    let mut code = 0;
    let p = cl!(clCreateProgramWithSource(c, 1, &raw mut text, &raw const length, &raw mut code));
    if code != CL_SUCCESS {
        return (code, String::new());
    }
    let code = cl!(clBuildProgram(p, 0, null(), null(), None, null_mut()));
    let log = info!(clGetProgramBuildInfo(p, setup().device()), CL_PROGRAM_BUILD_LOG);
    if code == CL_SUCCESS {
        launch(c, p);
    }
    code!(CL_SUCCESS, clReleaseProgram(p));
    (code, String::from_utf8_lossy(&log).into_owned())
}

/// Lets the driver compile the program's first kernel for a launch that never runs, because the
/// kernel may do anything: it waits for an event that fails. A launch without all arguments is
/// refused.
fn launch(c: cl_context, p: muxcl_cl_sys::cl_program) {
    let mut count = 0;
    code!(CL_SUCCESS, clCreateKernelsInProgram(p, 0, null_mut(), &raw mut count));
    let mut kernels = vec![null_mut(); count as usize];
    if count == 0 {
        return;
    }
    code!(CL_SUCCESS, clCreateKernelsInProgram(p, count, kernels.as_mut_ptr(), null_mut()));
    let q = make!(clCreateCommandQueueWithProperties(c, setup().device(), null()));
    let (mem, gate) = (buffer(c, 4096), make!(clCreateUserEvent(c)));
    let (first, global) = (kernels[0], 64_usize);
    // Fails if the first argument is no buffer.
    let _ = cl!(clSetKernelArg(first, 0, size_of::<cl_mem>(), (&raw const mem).cast()));
    let code = cl!(clEnqueueNDRangeKernel(
        q,
        first,
        1,
        null(),
        &raw const global,
        null(),
        1,
        &raw const gate,
        null_mut()
    ));
    let refusals =
        [CL_SUCCESS, CL_INVALID_KERNEL_ARGS, CL_INVALID_WORK_GROUP_SIZE, CL_OUT_OF_RESOURCES];
    assert!(refusals.contains(&code), "the launch: {code}");
    code!(CL_SUCCESS, clSetUserEventStatus(gate, -1));
    // The failed launch is an error of the queue's next wait.
    let _ = cl!(clFinish(q));
    code!(CL_SUCCESS, clReleaseEvent(gate));
    code!(CL_SUCCESS, clReleaseMemObject(mem));
    for k in kernels {
        code!(CL_SUCCESS, clReleaseKernel(k));
    }
    code!(CL_SUCCESS, clReleaseCommandQueue(q));
}

fn builds(folder: &Path) {
    let c = context();
    let length = Duration::from_secs(MUXCL_TEST_SECONDS.parse::<u64>().unwrap_or(2));
    let (start, mut seed) = (Instant::now(), MUXCL_TEST_SEED.parse::<u64>().unwrap_or(1));
    let mut done = 0;
    while start.elapsed() < length || done < 10 {
        // The file tells the seed after a crash.
        std::fs::write(folder.join("seed"), seed.to_string()).unwrap();
        let source = sources::source(seed);
        let about = format!("seed {seed}: {} of size {}", source.kind, source.size);
        let began = Instant::now();
        let (code, log) = build(c, &source.text);
        let time = began.elapsed();
        assert!(
            [CL_SUCCESS, CL_BUILD_PROGRAM_FAILURE, CL_OUT_OF_HOST_MEMORY, CL_INVALID_VALUE]
                .contains(&code),
            "{about}: {code}"
        );
        assert!(code == CL_SUCCESS || log.len() > 1 || source.text.is_empty(), "{about}: no log");
        assert!(time < PATIENCE, "{about}: {time:?}");
        if log.contains("the compiler crashed") || time > Duration::from_secs(SECONDS / 2) {
            let first = log.lines().take(4).collect::<Vec<_>>().join("; ");
            note(folder, &format!("{about}: {code} after {time:.1?}: {first}\n"));
        }
        seed += 1;
        done += 1;
    }
    let good = build(c, b"kernel void k(global int *p) { *p = 1; }");
    assert_eq!(good.0, CL_SUCCESS, "{}", good.1);
    note(folder, &format!("{done} sources\n"));
}

/// Adds a line to the list of crashes and slow builds.
fn note(folder: &Path, line: &str) {
    use std::io::Write as _;
    let mut file =
        std::fs::OpenOptions::new().create(true).append(true).open(folder.join("notes")).unwrap();
    file.write_all(line.as_bytes()).unwrap();
}
