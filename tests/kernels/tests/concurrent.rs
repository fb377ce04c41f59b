//! Calls beside a running kernel, on both RefSi devices: buffers are created, written, read and
//! released, programs are built and released, while a kernel of another queue runs. The order comes
//! from the memory: the kernel ends after the host has written to a buffer. If the driver made the
//! host wait for the kernel, the kernel would give up after a minute or so and report that.

use std::process::ExitCode;
use std::sync::atomic::{AtomicUsize, Ordering};

use anyhow::{Context as _, Result, ensure};
use libtest_mimic::{Arguments, Failed, Trial};
use muxcl_client::sys::CL_MEM_READ_WRITE;
use muxcl_client::{Buffer, Context, Device, Platform, Queue};
use muxcl_test_kernels::driver;

/// `waits` writes 1 to `state` when it begins, and the flag that it has seen when it ends.
const WAITS: &str = "
kernel void waits(volatile global uint *flag, volatile global uint *state) {
  state[0] = 1;
  for (ulong n = 0; *flag == 0 && n < 1ul << 35; n++) { }
  state[1] = *flag;
}
";

/// A program with an output that depends on `factor`.
fn product(factor: u32) -> String {
    format!(
        "kernel void product(global uint *out) {{ const uint i = get_global_id(0); \
         out[i] = i * {factor}u + 7u; }}"
    )
}

fn check(found: &[u32], factor: u32) -> Result<()> {
    for (i, found) in (0_u32..).zip(found) {
        let expected = i.wrapping_mul(factor).wrapping_add(7);
        ensure!(*found == expected, "element {i} is {found}, not {expected}");
    }
    Ok(())
}

fn transfer(context: &Context, queue: &Queue, seed: u32) -> Result<()> {
    let mut data: Vec<u32> = (0..512).map(|i| i ^ seed).collect();
    let buffer = context.buffer_with(&data)?;
    data.reverse();
    queue.write(&buffer, &data)?;
    let mut back = [0_u32; 512];
    queue.read(&buffer, &mut back)?;
    ensure!(back[..] == data[..], "the read data differs from the written data");
    Ok(())
}

/// A kernel that runs until the host has done everything else.
fn beside(device: Device) -> Result<()> {
    let context = Context::new(device)?;
    let (first, second) = (context.queue(device, 0)?, context.queue(device, 0)?);
    let third = context.queue(device, 0)?;
    let waits = context.build(device, WAITS, "")?;
    for round in 0..3 {
        let (flag, state) = (context.buffer_with(&[0_u32])?, context.buffer_with(&[0_u32; 2])?);
        let mut kernel = waits.kernel("waits")?;
        kernel.set_buffer(0, &flag)?;
        kernel.set_buffer(1, &state)?;
        let running = first.run_event(&kernel, &[1], Some(&[1]))?;
        first.flush()?;
        let mut states = [0_u32; 2];
        while states[0] == 0 {
            second.read(&state, &mut states)?;
        }

        transfer(&context, &second, round)?;
        // Two programs are built and loaded; one is released before it has run.
        drop(context.build(device, &product(3), "")?.kernel("product")?);
        let program = context.build(device, &product(5 + round), "")?;
        let mut product = program.kernel("product")?;
        let out = context.buffer(CL_MEM_READ_WRITE, 4 * 300)?;
        product.set_buffer(0, &out)?;
        third.run(&product, &[300], None, None)?;
        third.flush()?;
        transfer(&context, &second, !round)?;
        ensure!(running.status()? > 0, "the kernel has ended before the host was done");

        second.write(&flag, &[9_u32])?;
        running.wait()?;
        first.read(&state, &mut states)?;
        ensure!(states == [1, 9], "the kernel did not wait for the write: {states:?}");
        let mut found = [0_u32; 300];
        third.read(&out, &mut found)?;
        check(&found, 5 + round)?;
    }
    Ok(())
}

/// Threads that launch, transfer and build at the same time.
fn stress(device: Device) -> Result<()> {
    const THREADS: u32 = 6;
    const ROUNDS: u32 = 40;
    let context = Context::new(device)?;
    let shared = context.build(device, &product(11), "")?;
    let launches = AtomicUsize::new(0);
    let work = |thread: u32| -> Result<()> {
        let queue = context.queue(device, 0)?;
        let launch = |program: &muxcl_client::Program, factor, out: &Buffer| -> Result<()> {
            let mut kernel = program.kernel("product")?;
            kernel.set_buffer(0, out)?;
            queue.run(&kernel, &[256], None, None)?;
            if factor % 2 == 0 {
                queue.flush()?;
            }
            launches.fetch_add(1, Ordering::Relaxed);
            let mut found = [0_u32; 256];
            queue.read(out, &mut found)?;
            check(&found, factor)
        };
        for round in 0..ROUNDS {
            match thread % 3 {
                0 => launch(&shared, 11, &context.buffer_with(&[0_u32; 256])?)?,
                1 => transfer(&context, &queue, round)?,
                _ => {
                    let factor = 20 + round % 4;
                    let program = context.build(device, &product(factor), "")?;
                    launch(&program, factor, &context.buffer_with(&[0_u32; 256])?)?;
                }
            }
        }
        Ok(())
    };
    std::thread::scope(|scope| {
        let threads: Vec<_> = (0..THREADS).map(|k| scope.spawn(move || work(k))).collect();
        threads.into_iter().try_for_each(|thread| thread.join().expect("a thread that returns"))
    })?;
    ensure!(launches.into_inner() == 160, "every launch was made");
    Ok(())
}

fn main() -> ExitCode {
    let mut arguments = Arguments::from_args();
    if muxcl_config::MUXCL_TEST_ICD.get_os().is_some() {
        return ExitCode::SUCCESS; // other drivers have no HALs
    }
    // Tests would wait for each other's kernels.
    arguments.test_threads = Some(1);
    let variables =
        [("MUXCL_DEVICES", "hal"), ("CA_HAL_DEVICE", "refsi"), ("HAL_REFSI_SOC", "g1,m1")];
    for (name, value) in variables {
        // SAFETY: no thread has been started yet.
        unsafe { muxcl_client::set_variable(name, value) };
    }
    // SAFETY: as above.
    if let Err(error) = unsafe { driver::choose() } {
        return libtest_mimic::run(&arguments, vec![failed(error.to_string())]).exit_code();
    }
    let trial = |name: &str, soc: &'static str, run: fn(Device) -> Result<()>| {
        Trial::test(format!("{name}_{soc}"), move || {
            named(soc).and_then(run).map_err(|error| Failed::from(format!("{error:#}")))
        })
    };
    let trials = ["G1", "M1"]
        .into_iter()
        .flat_map(|soc| [trial("beside", soc, beside), trial("stress", soc, stress)])
        .collect();
    libtest_mimic::run(&arguments, trials).exit_code()
}

fn failed(error: String) -> Trial {
    Trial::test("driver", move || Err(Failed::from(error)))
}

/// The RefSi device with `soc` in its name.
fn named(soc: &str) -> Result<Device> {
    let devices = Platform::all()?.first().context("no platform")?.devices()?;
    for device in devices {
        if device.name()?.contains(soc) {
            return Ok(device);
        }
    }
    anyhow::bail!("no RefSi {soc}")
}
