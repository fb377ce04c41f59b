//! A kernel that recurses built, and deep recursion ended the process by SIGSEGV.
//!
//! OpenCL C forbids recursion (section 6.11). Recursion that remains after optimisation is now a
//! build error that shows the cycle; tail calls have become loops by then.

use anyhow::{Result, ensure};
use muxcl_client::sys::CL_BUILD_PROGRAM_FAILURE;
use muxcl_client::{Context, Device};

use crate::{Devices, Test, build_log};

pub(crate) const TESTS: &[Test] =
    &[("s5_recursion", Devices::All, recursion), ("s5_tail_calls", Devices::All, tail_calls)];

fn recursion(device: Device) -> Result<()> {
    let direct = "
        int f(global int *o, int n) {
            if (n == 0) return 0;
            o[n & 7] += n;
            int r = f(o, n - 1) * 3 + o[n & 7];
            return r ^ n;
        }
        kernel void k(global int *o) { o[0] = f(o, o[1]); }";
    let through = "
        int g(global int *o, int n);
        int f(global int *o, int n) { o[n] += 1; int r = g(o, n - 1) * o[n]; return r ^ o[n + 1]; }
        int g(global int *o, int n) { return n ? f(o, n / 2) + f(o, n - 3) * 7 : o[n]; }
        kernel void k(global int *o) { o[0] = f(o, o[1]); }";
    for (source, cycles) in [(direct, &["f calls f"][..]), (through, &["f calls", "calls f"])] {
        for options in ["", "-cl-opt-disable"] {
            let (code, log) = build_log::failure(device, source, options)?;
            ensure!(code == CL_BUILD_PROGRAM_FAILURE, "{code}, {log}");
            ensure!(log.contains("error: kernel 'k' is recursive: "), "{log}");
            ensure!(cycles.iter().all(|cycle| log.contains(cycle)), "{log}");
        }
    }
    Ok(())
}

fn tail_calls(device: Device) -> Result<()> {
    let source = "
        ulong f(ulong n, ulong sum) { return n == 0 ? sum : f(n - 1, sum + n); }
        ulong g(ulong n) { return n < 2 ? 1 : n * g(n - 1); }
        kernel void k(global ulong *p) { p[0] = f(p[0], 0); p[1] = g(p[1]); }";
    let context = Context::new(device)?;
    for options in ["", "-cl-opt-disable"] {
        let buffer = context.buffer_with(&[10_000_u64, 10])?;
        let mut kernel = context.build(device, source, options)?.kernel("k")?;
        kernel.set_buffer(0, &buffer)?;
        let queue = context.queue(device, 0)?;
        queue.run(&kernel, &[1], None, None)?;
        let mut back = [0_u64; 2];
        queue.read(&buffer, &mut back)?;
        ensure!(back == [50_005_000, 3_628_800], "{back:?}");
    }
    Ok(())
}
