//! Applications in narrow places build programs: no `/proc`, limited address space, a container
//! that refuses system calls. Each scenario is a process of its own with the driver that cargo
//! built, without a disk cache.
//!
//! Needs what `loader` needs. `compiler` tests limits on processes, descriptors and stacks.

#![expect(
    clippy::unwrap_used,
    clippy::multiple_unsafe_ops_per_block,
    reason = "a test may fail anywhere"
)]

use std::collections::BTreeMap;
use std::ffi::CString;
use std::fs;
use std::path::Path;
use std::ptr::{null, null_mut};

use libtest_mimic::Failed;
use muxcl_cl_sys::{
    CL_PROGRAM_BUILD_LOG, CL_SUCCESS, CL_TRUE, cl_context, cl_int, cl_mem, cl_program,
};
use muxcl_config::MUXCL_CACHE;
use muxcl_test_api::drivers::{DEVICES, Scenario, alone, scenarios};
use muxcl_test_api::{buffer, cl, code, context, info, make, setup};
use seccompiler::{BpfProgram, SeccompAction, SeccompFilter, SeccompRule, apply_filter};

const SCENARIOS: &[Scenario] = &[
    ("without_proc", without_proc),
    ("soft_address_space", soft_address_space),
    ("hard_address_space", hard_address_space),
    ("old_kernel", old_kernel),
    ("refusing_container", refusing_container),
    ("tiny_stack_and_blocked_signals", tiny_stack_and_blocked_signals),
];

fn main() {
    scenarios(SCENARIOS, &[], run);
}

fn run(name: &str) -> Result<(), Failed> {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"))
        .join(format!("confined-{name}-{}", std::process::id()));
    let mut command = alone(&DEVICES[0], &folder)?;
    let output =
        command.env(MUXCL_CACHE.name, "0").args(["--child", name]).arg(&folder).output()?;
    if output.status.success() {
        let _ = fs::remove_dir_all(folder);
        return Ok(());
    }
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    Err(format!("{}\n{}{}", output.status, text(&output.stdout), text(&output.stderr)).into())
}

/// Builds a program that returns `number`. The result with the program and its log.
fn build(c: cl_context, number: u32) -> (cl_int, cl_program, String) {
    let source = format!("kernel void k(global uint *p) {{ p[get_global_id(0)] = {number}; }}");
    let source = CString::new(source).unwrap();
    let mut text = source.as_ptr();
    let p = make!(clCreateProgramWithSource(c, 1, &raw mut text, null()));
    let code = cl!(clBuildProgram(p, 0, null(), null(), None, null_mut()));
    let log = info!(clGetProgramBuildInfo(p, setup().device()), CL_PROGRAM_BUILD_LOG);
    (code, p, String::from_utf8_lossy(&log).into_owned())
}

/// Builds a program and runs it.
fn builds(c: cl_context, number: u32) {
    let (code, p, log) = build(c, number);
    assert_eq!(code, CL_SUCCESS, "{log}");
    let q = make!(clCreateCommandQueueWithProperties(c, setup().device(), null()));
    let mem = buffer(c, 256);
    let k = make!(clCreateKernel(p, c"k".as_ptr()));
    code!(CL_SUCCESS, clSetKernelArg(k, 0, size_of::<cl_mem>(), (&raw const mem).cast()));
    let (global, mut out) = (64_usize, [0_u32; 64]);
    code!(
        CL_SUCCESS,
        clEnqueueNDRangeKernel(q, k, 1, null(), &raw const global, null(), 0, null(), null_mut())
    );
    let to = out.as_mut_ptr().cast();
    code!(CL_SUCCESS, clEnqueueReadBuffer(q, mem, CL_TRUE, 0, 256, to, 0, null(), null_mut()));
    assert_eq!(out, [number; 64]);
    code!(CL_SUCCESS, clReleaseKernel(k));
    code!(CL_SUCCESS, clReleaseProgram(p));
    code!(CL_SUCCESS, clReleaseMemObject(mem));
    code!(CL_SUCCESS, clReleaseCommandQueue(q));
}

fn compiler_is_inline() -> bool {
    fs::read_to_string("/proc/self/maps").unwrap().contains("libmuxcl_compiler")
}

/// Another file system covers `/proc`, before the driver is loaded.
fn without_proc(_: &Path) {
    // SAFETY: these calls get valid arguments; this process has one thread.
    let covered = unsafe {
        (libc::unshare(libc::CLONE_NEWUSER | libc::CLONE_NEWNS) == 0
            || libc::unshare(libc::CLONE_NEWNS) == 0)
            && libc::mount(
                c"none".as_ptr(),
                c"/".as_ptr(),
                null(),
                libc::MS_REC | libc::MS_PRIVATE,
                null(),
            ) == 0
            && libc::mount(c"none".as_ptr(), c"/proc".as_ptr(), c"tmpfs".as_ptr(), 0, null()) == 0
    };
    if !covered {
        return; // users have no namespaces here
    }
    assert!(!Path::new("/proc/self").exists());
    let c = context();
    (1..4).for_each(|number| builds(c, number));
}

/// Limits the address space to `more` bytes above what the process has.
fn limit_address_space(more: u64, hard: bool) {
    let pages = fs::read_to_string("/proc/self/statm").unwrap();
    let pages: u64 = pages.split(' ').next().unwrap().parse().unwrap();
    let most = pages * 4096 + more;
    let max = if hard { most } else { libc::RLIM_INFINITY };
    let limit = libc::rlimit { rlim_cur: most, rlim_max: max };
    // SAFETY: a readable limit.
    assert_eq!(unsafe { libc::setrlimit(libc::RLIMIT_AS, &raw const limit) }, 0);
}

/// A limit of the application alone: the compiler's process may exceed it.
fn soft_address_space(_: &Path) {
    let c = context();
    limit_address_space(512 << 20, false);
    (1..4).for_each(|number| builds(c, number));
    assert!(!compiler_is_inline());
}

/// A limit that the compiler's process inherits. A build may need more, and then says so.
fn hard_address_space(_: &Path) {
    let c = context();
    limit_address_space(900 << 20, true);
    (1..4).for_each(|number| builds(c, number));
    limit_address_space(0, true);
    for number in 4..7 {
        let (code, p, log) = build(c, number);
        assert!(code == CL_SUCCESS || log.len() > 1, "{code} without a log");
        code!(CL_SUCCESS, clReleaseProgram(p));
    }
}

/// From now on, these system calls fail with `errno`.
fn refuse(calls: &[i64], errno: i32) {
    let rules: BTreeMap<i64, Vec<SeccompRule>> =
        calls.iter().map(|call| (*call, Vec::new())).collect();
    let arch = std::env::consts::ARCH.try_into().unwrap();
    let refusal = SeccompAction::Errno(errno.cast_unsigned());
    let filter = SeccompFilter::new(rules, SeccompAction::Allow, refusal, arch).unwrap();
    let filter: BpfProgram = filter.try_into().unwrap();
    apply_filter(&filter).unwrap();
}

/// A kernel without the system calls of the last years.
fn old_kernel(_: &Path) {
    refuse(
        &[
            libc::SYS_pidfd_open,
            libc::SYS_close_range,
            libc::SYS_clone3,
            libc::SYS_openat2,
            libc::SYS_landlock_create_ruleset,
            libc::SYS_seccomp,
            libc::SYS_memfd_create,
        ],
        libc::ENOSYS,
    );
    let c = context();
    (1..4).for_each(|number| builds(c, number));
}

/// A container that allows no namespaces, no filters and no other priorities.
fn refusing_container(_: &Path) {
    refuse(
        &[
            libc::SYS_unshare,
            libc::SYS_setns,
            libc::SYS_seccomp,
            libc::SYS_landlock_create_ruleset,
            libc::SYS_setsid,
            libc::SYS_setpriority,
            libc::SYS_pidfd_open,
            libc::SYS_sched_setaffinity,
            libc::SYS_mlock,
        ],
        libc::EPERM,
    );
    let c = context();
    (1..4).for_each(|number| builds(c, number));
}

/// All calls come from a thread with 64 KiB of stack that blocks all signals.
fn tiny_stack_and_blocked_signals(_: &Path) {
    let thread = std::thread::Builder::new().stack_size(64 << 10);
    let body = || {
        let mut all = std::mem::MaybeUninit::<libc::sigset_t>::uninit();
        // SAFETY: the set is writable, then filled in.
        unsafe {
            libc::sigfillset(all.as_mut_ptr());
            libc::pthread_sigmask(libc::SIG_BLOCK, all.as_ptr(), null_mut());
        }
        let c = context();
        (1..4).for_each(|number| builds(c, number));
    };
    thread.spawn(body).unwrap().join().unwrap();
}
