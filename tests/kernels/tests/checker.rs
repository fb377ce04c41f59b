//! The checker (`MUXCL_CHECK`): each planted error is reported with its source line, on the host
//! and on RefSi, and the correct kernels of `cl/` give no report.
//!
//! A test starts this program again as the application, because the driver reads the variable, and
//! compares what that application writes to stderr.

use std::process::{Command, ExitCode};

use anyhow::{Context as _, Result, ensure};
use libtest_mimic::Trial;
use muxcl_client::{Context, Platform};
use muxcl_config::MUXCL_CHECK;
use muxcl_test_kernels::driver;
use muxcl_test_kernels::execute::Variant;
use muxcl_test_kernels::suite::{self, Target};

/// The argument that makes this program the application with the planted errors.
const PLANTED: &str = "--planted";
/// Number of work-items.
const ITEMS: usize = 64;
/// Number of work-items of a group.
const GROUP: usize = 16;

/// The correct kernels on the host: all files of these folders. The other folders have images and
/// atomics that order accesses, which the checker does not follow.
const CORRECT: Target = Target {
    name: "checked",
    device: "",
    environment: &[],
    without: &[],
    only: &["barriers/", "memory/", "sub_groups/"],
    il: false,
    variants: &[Variant::ALL[0]],
    images: false,
    with_host: false,
};

/// The correct kernels on RefSi: one folder, because the simulator is slower.
const CORRECT_ON_HAL: Target = Target { only: &["barriers/"], ..CORRECT };

/// The kernels, one line each, so that a report's line is that of the kernel. All have the
/// arguments `a`, a buffer of 64 numbers with content, and `b`, one without.
const SOURCE: &str = "\
#define KERNEL(name, ...) kernel void name(global int *a, global int *b, ## __VA_ARGS__)
#define I get_global_id(0)
#define L get_local_id(0)
#define LOCAL CLK_LOCAL_MEM_FENCE
#line 1 \"planted.cl\"
KERNEL(past_the_end) { b[I] = a[I + 1]; }
KERNEL(before_the_start) { b[(int)I - 1] = 1; }
KERNEL(null) { b[I] = 1; }
KERNEL(released) { b[I] = a[0]; }
KERNEL(unwritten) { a[I] = b[I] + 1; }
KERNEL(misaligned) { *(global int *)((global char *)b + I % 4) = 1; }
KERNEL(array) { int x[4] = {1, 2, 3, 4}; x[a[I] & 7] = 2; b[I] = x[a[0] & 3]; }
KERNEL(shared_array) { local int x[16]; x[L + a[63] / 4] = 1; barrier(LOCAL); b[I] = x[0]; }
KERNEL(in_group) { b[L / 2 + get_group_id(0) * 16] = (int)I; }
KERNEL(between_groups) { if (L == 0) a[0] += 1; }
KERNEL(no_barrier) { b[I] = 1; a[I] = b[I ^ 1]; }
KERNEL(correct) { b[I] = a[I]; barrier(CLK_GLOBAL_MEM_FENCE); a[I] = b[I ^ 1]; }
KERNEL(atomics) { atomic_inc(&a[0]); atomic_max(&a[0], (int)I); }
KERNEL(half_waits) { if (L < 8) barrier(LOCAL); b[I] = 1; }
KERNEL(two_barriers) { if (L < 8) barrier(LOCAL);
  else barrier(CLK_GLOBAL_MEM_FENCE); }
KERNEL(rounds) { for (int i = 0; i < a[L] % 3 + 1; ++i) barrier(LOCAL); }
KERNEL(returns) { if (L == 0) return; barrier(LOCAL); b[I] = 1; barrier(LOCAL); }
KERNEL(votes) { if (L != 3) b[I] = work_group_any(a[I] == 5); }
KERNEL(local_race) { local int x[16]; x[L] = 1; b[I] = x[L ^ 1]; }
KERNEL(argument_race, local int *x) { x[L / 2] = L; barrier(LOCAL); b[I] = x[L / 2]; }
KERNEL(local_unwritten) { local int x[16]; if (L < 8) x[L] = 1; barrier(LOCAL); b[I] = x[L] + 1; }
KERNEL(argument_unwritten, local int *x) { x[L & 7] = 1; barrier(LOCAL); b[I] = x[L] + 1; }
KERNEL(past_argument, local int *x) { x[L] = 1; x[L + 1] = 2; b[I] = x[L]; }
KERNEL(array_unwritten) { int x[8]; for (int i = 0; i < a[7]; ++i) x[i] = i; \
  b[I] = x[a[L & 7]] + 1; }
KERNEL(local_correct, local int *y) { local int x[16]; int z[4]; x[L] = (int)L; y[15 - L] = 1; \
  barrier(LOCAL); z[L & 3] = x[15 - L]; if (L & 1) z[a[1]] = 1; \
  b[I] = z[L & 3] + y[L] + (L & 1 ? z[1] : 0); }
KERNEL(svm_past_the_end) { b[I + 1] = a[I]; }
KERNEL(svm_freed) { b[I] = a[I]; }
KERNEL(svm_of_another_context) { b[I] = a[I]; }
KERNEL(svm_correct) { b[I] = a[I]; }
KERNEL(one_group) { if (get_group_id(0) == 1) barrier(LOCAL); b[I] = 1; }
";

/// Each kernel, and what its report says.
const REPORTS: [(&str, &[&str]); 28] = [
    (
        "past_the_end",
        &["planted.cl:1: read of 4 bytes out of bounds", "(63, 0, 0)", "byte 256 of 256"],
    ),
    (
        "before_the_start",
        &["planted.cl:2: write of 4 bytes out of bounds", "(0, 0, 0)", "byte -4 of"],
    ),
    ("null", &["planted.cl:3: write of 4 bytes through a null pointer", "`b`"]),
    ("released", &["planted.cl:4: read of 4 bytes of released memory", "`a`", "buffer "]),
    ("unwritten", &["planted.cl:5: read of 4 bytes, which nothing has written", "`b`"]),
    ("misaligned", &["planted.cl:6: write of 4 bytes at", "no multiple of 4"]),
    ("array", &["planted.cl:7: write of 4 bytes out of bounds", "of 16"]),
    ("shared_array", &["planted.cl:8: write of 4 bytes out of bounds", "of 64"]),
    (
        "in_group",
        &[
            "planted.cl:9: data race: write of 4 bytes",
            "(1, 0, 0)",
            "write by work-item (0, 0, 0), planted.cl:9",
        ],
    ),
    ("between_groups", &["planted.cl:10: data race:", "`a`", "by work-item (", "planted.cl:10"]),
    ("no_barrier", &["planted.cl:11: data race:", "`b`", "planted.cl:11"]),
    ("correct", &[]),
    ("atomics", &[]),
    (
        "half_waits",
        &[
            "planted.cl:14: barrier that not all work-items of the group reach",
            "(0, 0, 0) waits here",
            "(8, 0, 0) is at the end of the kernel",
        ],
    ),
    (
        "two_barriers",
        &[
            "planted.cl:16: barrier",
            "(8, 0, 0) waits",
            "(0, 0, 0) is at the barrier in planted.cl:15",
        ],
    ),
    ("rounds", &["planted.cl:17: barrier", "(1, 0, 0) waits", "(0, 0, 0) is at the end"]),
    ("returns", &["planted.cl:18: barrier", "(1, 0, 0) waits", "(0, 0, 0) is at the end"]),
    ("votes", &["planted.cl:19: barrier", "(0, 0, 0) waits", "(3, 0, 0) is at the end"]),
    ("local_race", &["planted.cl:20: data race: ", "x`, byte ", "planted.cl:20"]),
    (
        "argument_race",
        &[
            "planted.cl:21: data race: write of 4 bytes",
            "(1, 0, 0)",
            "`x`, byte 0 of 64",
            "(0, 0, 0)",
        ],
    ),
    (
        "local_unwritten",
        &[
            "planted.cl:22: read of 4 bytes, which nothing has written",
            "(8, 0, 0)",
            "byte 32 of 64",
        ],
    ),
    (
        "argument_unwritten",
        &["planted.cl:23: read of 4 bytes, which nothing has written", "(8, 0, 0)", "`x`, byte 32"],
    ),
    ("past_argument", &["planted.cl:24: write of 4 bytes out of bounds", "`x`, byte 64 of 64"]),
    (
        "array_unwritten",
        &[
            "planted.cl:25: read of 4 bytes, which nothing has written",
            "(7, 0, 0)",
            "byte 28 of 32",
        ],
    ),
    ("local_correct", &[]),
    (
        "svm_past_the_end",
        &[
            "write of 4 bytes out of bounds",
            "(63, 0, 0)",
            "byte 256 of 256 of shared virtual memory",
        ],
    ),
    ("svm_correct", &[]),
    ("one_group", &[]),
];

/// Errors that `clEnqueueNDRangeKernel` already reports on a device without system SVM.
const ON_HOST: [(&str, &[&str]); 2] = [
    ("svm_freed", &["write of 4 bytes of freed shared virtual memory", "byte 0 of 256"]),
    (
        "svm_of_another_context",
        &["write of 4 bytes of another context's shared virtual memory", "byte 0 of 256"],
    ),
];

/// True for an application on a HAL device.
fn on_hal() -> bool {
    muxcl_config::MUXCL_DEVICES.get().is_some_and(|devices| devices == "hal")
}

/// Runs one kernel.
fn planted(name: &str) -> Result<()> {
    // SAFETY: no thread has been started yet.
    unsafe { driver::choose() }?;
    let platforms = Platform::all()?;
    let device = *platforms.first().context("a platform")?.devices()?.first().context("one")?;
    let context = Context::new(device)?;
    let queue = context.queue(device, 0)?;
    let program = context.build(device, SOURCE, "-cl-std=CL3.0")?;
    let content: Vec<i32> = (0i32..64).collect();
    let a = context.buffer_with(&content)?;
    let b = context.buffer(0, ITEMS * size_of::<i32>())?;
    let mut kernel = program.kernel(name)?;
    kernel.set_buffer(0, &a)?;
    if name == "null" {
        kernel.set_bytes(1, &0usize.to_ne_bytes())?;
    } else {
        kernel.set_buffer(1, &b)?;
    }
    if name.contains("argument") || name == "local_correct" {
        kernel.set_local(2, GROUP * size_of::<i32>())?;
    }
    if name == "released" {
        drop(a);
    }
    let other = Context::new(device)?;
    let owner = if name == "svm_of_another_context" { &other } else { &context };
    let shared = owner.share(ITEMS * size_of::<i32>())?;
    if name.starts_with("svm_") {
        kernel.set_address(1, shared.at())?;
    }
    let _shared = (name != "svm_freed").then_some(shared);
    queue.run(&kernel, &[ITEMS], Some(&[GROUP]), None)?;
    queue.finish()?;
    Ok(())
}

/// What this program, as an application with these arguments, writes to stderr.
fn stderr(device: &str, arguments: &[&str]) -> Result<String> {
    let output = Command::new(std::env::current_exe()?)
        .args(arguments)
        .envs([("MUXCL_CHECK", "all"), ("MUXCL_DEVICES", device), ("CA_HAL_DEVICE", "refsi")])
        .output()?;
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    let log = String::from_utf8_lossy(&output.stdout);
    ensure!(output.status.success(), "{text}\n{log}");
    Ok(text)
}

fn finds(device: &str, name: &str, expected: &[&str]) -> Result<()> {
    let text = stderr(device, &[PLANTED, name])?;
    if expected.is_empty() {
        ensure!(text.is_empty(), "a correct kernel has a report:\n{text}");
        return Ok(());
    }
    let heading = format!("muxcl: kernel `{name}`, planted.cl:");
    ensure!(text.contains(&heading), "no report `{heading}` in:\n{text}");
    for part in expected {
        ensure!(text.contains(part), "no `{part}` in:\n{text}");
    }
    Ok(())
}

/// The correct kernels run as without checks, and give no report.
fn silent(device: &str) -> Result<()> {
    let text = stderr(device, &[])?;
    ensure!(!text.contains("muxcl: "), "reports about correct kernels:\n{text}");
    Ok(())
}

fn trials() -> Vec<Trial> {
    let mut out = Vec::new();
    for device in ["host", "hal"] {
        let on_host = ON_HOST.into_iter().filter(|_| device == "host");
        for (name, expected) in REPORTS.into_iter().chain(on_host) {
            let test = move || finds(device, name, expected);
            out.push(driver::trial(&format!("{device}/{name}"), test));
        }
        out.push(driver::trial(&format!("{device}/correct_kernels"), move || silent(device)));
    }
    out
}

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().collect();
    if let [_, first, name] = arguments.as_slice()
        && first == PLANTED
    {
        return driver::exit(planted(name));
    }
    if MUXCL_CHECK.get().is_some() {
        return suite::main(if on_hal() { &CORRECT_ON_HAL } else { &CORRECT });
    }
    driver::run_ours(trials())
}
