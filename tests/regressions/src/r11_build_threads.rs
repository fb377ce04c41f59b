//! A build with a callback took two threads of the application: one of the driver, which waited,
//! and one of the compiler.
//!
//! With the compiler in a process of its own, only the driver's thread is left (`one_thread`). As a
//! library the compiler still has a thread. If that thread runs out of memory, it stops for ever;
//! the build must fail with a log, and its callback must be called (`no_memory`).

use std::ffi::c_void;
use std::ptr;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, ensure};
use muxcl_client::sys::{self, cl_program};
use muxcl_client::{Context, Device};

use crate::program::Program;
use crate::{Devices, Test, own_process};

pub(crate) const TESTS: &[Test] =
    &[("r11_build_threads/one_thread", Devices::Host, one_thread), NO_MEMORY];

const NO_MEMORY: Test = ("r11_build_threads/no_memory", Devices::Host, no_memory);

/// The test fails if a callback takes longer.
const PATIENCE: Duration = Duration::from_secs(120);

/// A program in the middle of `clCompileProgram` with a callback.
struct Compiling {
    program: Program,
    /// Never freed, because the callback may come late. It is not a channel, because sending
    /// allocates.
    called: &'static AtomicBool,
}

unsafe extern "C" fn compiled(_: cl_program, data: *mut c_void) {
    // SAFETY: `compile` made it, and it is never freed.
    unsafe { &*data.cast_const().cast::<AtomicBool>() }.store(true, Ordering::Release);
}

fn compile(device: Device, text: &str) -> Result<Compiling> {
    let program = Program::create(device, text)?;
    let called: &AtomicBool = Box::leak(Box::new(AtomicBool::new(false)));
    let (data, id) = (ptr::from_ref(called).cast_mut().cast(), device.raw());
    // SAFETY: one device, no headers; the callback's data is never freed.
    let code = unsafe {
        sys::clCompileProgram(
            program.raw(),
            1,
            &raw const id,
            ptr::null(),
            0,
            ptr::null(),
            ptr::null_mut(),
            Some(compiled),
            data,
        )
    };
    ensure!(code == sys::CL_SUCCESS, "clCompileProgram: {code}");
    Ok(Compiling { program, called })
}

impl Compiling {
    /// Waits for the callback, and calls `meanwhile` until then.
    fn wait(&self, mut meanwhile: impl FnMut() -> Result<()>) -> Result<()> {
        let start = Instant::now();
        while !self.called.load(Ordering::Acquire) {
            meanwhile()?;
            ensure!(start.elapsed() < PATIENCE, "the callback was not called");
            std::thread::sleep(Duration::from_millis(1));
        }
        Ok(())
    }

    fn status(&self) -> Result<i32> {
        let mut status = [0; 4];
        self.program.build_info(sys::CL_PROGRAM_BUILD_STATUS, &mut status)?;
        Ok(i32::from_ne_bytes(status))
    }
}

/// A kernel with `count` statements.
fn long_kernel(count: usize) -> String {
    let line = "  x = x * 3 + (x >> 5) - p[x & 1023];\n";
    format!(
        "kernel void k(global int *p) {{\n  int x = p[0];\n{}  p[0] = x;\n}}",
        line.repeat(count)
    )
}

/// Number of this process's threads that build or compile.
fn builders() -> Result<usize> {
    let mut count = 0;
    for thread in std::fs::read_dir("/proc/self/task")? {
        // A thread may end between the two calls.
        let name = std::fs::read_to_string(thread?.path().join("comm")).unwrap_or_default();
        count += usize::from(["muxcl-build", "muxcl-compile"].contains(&name.trim()));
    }
    Ok(count)
}

fn one_thread(device: Device) -> Result<()> {
    own_process::run(TESTS[0].0, device, own_process::PROCESS, |device| {
        let compiling = compile(device, &long_kernel(20_000))?;
        let mut most = 0;
        compiling.wait(|| {
            most = most.max(builders()?);
            Ok(())
        })?;
        ensure!(compiling.status()? == sys::CL_BUILD_SUCCESS);
        ensure!(most == 1, "{most} threads build one program");
        Ok(())
    })
}

/// Limits the process's address space to `more` bytes above its present size; `None` removes the
/// limit.
pub(crate) fn limit_memory(more: Option<u64>) -> Result<()> {
    let sizes = std::fs::read_to_string("/proc/self/statm")?;
    let pages: u64 = sizes.split(' ').next().context("no size")?.parse()?;
    let soft = more.map_or(libc::RLIM_INFINITY, |more| pages * 4096 + more);
    let limit = libc::rlimit { rlim_cur: soft, rlim_max: libc::RLIM_INFINITY };
    // SAFETY: the structure is whole.
    ensure!(unsafe { libc::setrlimit(libc::RLIMIT_AS, &raw const limit) } == 0);
    Ok(())
}

fn no_memory(device: Device) -> Result<()> {
    own_process::run(NO_MEMORY.0, device, own_process::INLINE, |device| {
        // Loads the compiler.
        let first = Context::new(device)?;
        first.build(device, &long_kernel(1), "")?;
        // The limit below leaves room for a thread's stack, but not for this kernel's syntax tree.
        let large = long_kernel(200_000);
        limit_memory(Some((256 << 20) + (96 << 20)))?;
        let compiling = compile(device, &large)?;
        compiling.wait(|| Ok(()))?;
        limit_memory(None)?;
        ensure!(compiling.status()? == sys::CL_BUILD_ERROR, "memory did not end");
        ensure!(builders()? == 1, "the compiler has returned to its thread");
        let next = compile(device, &long_kernel(2))?;
        next.wait(|| Ok(()))?;
        ensure!(next.status()? == sys::CL_BUILD_SUCCESS, "the next program fails");
        compiling.program.context().build(device, &long_kernel(3), "")?;
        Ok(())
    })
}
