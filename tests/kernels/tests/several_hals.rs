//! Several HAL libraries in one process: RefSi with three devices, the template `hal-null`, and a
//! HAL in C++. All devices are listed under names and UUIDs of their own, one context has them all,
//! buffers and shared virtual memory move between them, and their kernels run at the same time.

use std::io::Write as _;
use std::process::{Command, ExitCode};

use anyhow::{Context as _, Result, ensure};
use libtest_mimic::{Arguments, Failed, Trial};
use muxcl_client::sys::{
    CL_DEVICE_MAX_COMPUTE_UNITS, CL_DEVICE_UUID_KHR, CL_MAP_READ, CL_MAP_WRITE, CL_MEM_READ_WRITE,
    CL_QUEUE_PROFILING_ENABLE,
};
use muxcl_client::{Context, Device, Platform, Program, Queue};
use muxcl_test_kernels::{driver, hals};

const SOURCE: &str = "
kernel void add(global int *data, int n) { data[get_global_id(0)] += n; }
/* Ends after the host, or another kernel, has written to `flag`, or after a minute or so. */
kernel void waits(volatile global uint *flag, volatile global uint *state) {
  state[0] = 1;
  for (ulong n = 0; *flag == 0 && n < 1ul << 35; n++) { }
  state[1] = *flag;
}
kernel void spins(global uint *out, uint rounds) {
  uint x = 1;
  for (uint n = 0; n < rounds; n++) x = x * 1664525u + 1013904223u;
  out[0] = x;
}";

/// The devices behind the host, by the beginnings of their names.
const NAMES: [&str; 5] = ["RefSi G1", "RefSi M1", "RefSi G1 #2", "Null RV64", "Tiny RV64IM"];
const N: usize = 500;
/// The argument that makes this program list devices.
const NAMES_ONLY: &str = "--names-only";

struct All {
    devices: Vec<Device>,
    context: Context,
    program: Program,
    queues: Vec<Queue>,
}

fn listed() -> Result<Vec<Device>> {
    Ok(Platform::all()?.first().context("no platform")?.devices()?)
}

impl All {
    /// All devices, the host first.
    fn new() -> Result<Self> {
        let devices = listed()?;
        ensure!(devices.len() == 1 + NAMES.len(), "{} devices", devices.len());
        let context = Context::of(&devices)?;
        let program = context.build_for(&devices, SOURCE, "")?;
        let queue = |device: &Device| context.queue(*device, CL_QUEUE_PROFILING_ENABLE);
        let queues = devices.iter().map(queue).collect::<Result<_, _>>()?;
        Ok(Self { devices, context, program, queues })
    }
}

/// Each device has its own name, UUID, and of RefSi's lists of settings its own item.
fn all_are_listed() -> Result<()> {
    let devices = listed()?;
    let names = devices.iter().map(|d| Ok(d.name()?)).collect::<Result<Vec<_>>>()?;
    ensure!(names.len() == 1 + NAMES.len(), "{names:?}");
    for (name, start) in names[1..].iter().zip(NAMES) {
        ensure!(name.starts_with(start), "{names:?}");
    }
    let uuids = devices.iter().map(|d| Ok(d.info(CL_DEVICE_UUID_KHR)?));
    let uuids = uuids.collect::<Result<Vec<_>>>()?;
    for (i, (name, uuid)) in names.iter().zip(&uuids).enumerate() {
        ensure!(uuid.len() == 16, "{uuid:?}");
        ensure!(!names[..i].contains(name) && !uuids[..i].contains(uuid), "{names:?} {uuids:?}");
    }
    let half = |d: &Device| Ok(d.features()?.iter().any(|name| name == "cl_khr_fp16"));
    let half = devices[1..4].iter().map(half).collect::<Result<Vec<bool>>>()?;
    ensure!(half == [false, false, true], "HAL_DESCRIPTION has one item for each: {half:?}");
    Ok(())
}

/// A buffer goes around all devices twice.
fn buffers_move() -> Result<()> {
    let all = All::new()?;
    let buffer = all.context.buffer_with(&vec![0_i32; N])?;
    let mut add = all.program.kernel("add")?;
    add.set_buffer(0, &buffer)?;
    let mut last = None;
    for round in 0..2 {
        for (n, queue) in (1..).zip(&all.queues) {
            add.set(1, n * (round * 99 + 1))?;
            let waits: Vec<_> = last.iter().collect();
            let event = queue.run_after(&add, &[N], &waits)?;
            last = Some(event);
        }
    }
    last.context("an event")?.wait()?;
    for queue in &all.queues {
        let mut found = [0_i32; N];
        queue.read(&buffer, &mut found)?;
        ensure!(found == [21 * 101; N], "{:?}", &found[..4]);
    }
    Ok(())
}

/// Two devices of one kind use the same addresses in memories of their own.
fn twins_share_pointers() -> Result<()> {
    let devices = listed()?;
    let twins = [devices[1], devices[3]];
    let context = Context::of(&twins)?;
    let program = context.build_for(&twins, SOURCE, "")?;
    let queues = [context.queue(twins[0], 0)?, context.queue(twins[1], 0)?];
    let shared = context.share(4 * N)?;
    queues[0].with_shared(&shared, CL_MAP_WRITE, |bytes| bytes.fill(0))?;
    queues[0].finish()?;
    let mut add = program.kernel("add")?;
    add.set_address(0, shared.at())?;
    for n in 1..8 {
        add.set(1, n)?;
        let queue = &queues[usize::try_from(n)? % 2];
        queue.run(&add, &[N], None, None)?;
        queue.finish()?;
    }
    let right = queues[0].with_shared(&shared, CL_MAP_READ, |bytes| {
        bytes.chunks(4).all(|word| word == 28_i32.to_le_bytes())
    })?;
    ensure!(right, "the sum of all kernels");
    Ok(())
}

/// A kernel that waits on each RefSi device, all at the same time: none ends before the host has
/// seen all of them begin. Meanwhile the other HALs' devices and the host run kernels.
fn kernels_overlap() -> Result<()> {
    let all = All::new()?;
    let mut running = Vec::new();
    for queue in &all.queues[1..4] {
        let flag = all.context.buffer_with(&[0_u32])?;
        let state = all.context.buffer_with(&[0_u32; 2])?;
        let mut kernel = all.program.kernel("waits")?;
        kernel.set_buffer(0, &flag)?;
        kernel.set_buffer(1, &state)?;
        let event = queue.run_event(&kernel, &[1], Some(&[1]))?;
        queue.flush()?;
        running.push((event, flag, state));
    }
    // A second queue of each device, for transfers beside the kernels.
    let second = |device: &Device| all.context.queue(*device, 0);
    let beside = all.devices[1..4].iter().map(second).collect::<Result<Vec<_>, _>>()?;
    for ((event, _, state), queue) in running.iter().zip(&beside) {
        let mut states = [0_u32; 2];
        while states[0] == 0 {
            queue.read(state, &mut states)?;
        }
        ensure!(event.status()? > 0, "the kernel waits for the host");
    }
    for queue in [&all.queues[0], &all.queues[4], &all.queues[5]] {
        let buffer = all.context.buffer_with(&vec![1_i32; N])?;
        let mut add = all.program.kernel("add")?;
        add.set_buffer(0, &buffer)?;
        add.set(1, 6)?;
        queue.run(&add, &[N], None, None)?;
        let mut found = [0_i32; N];
        queue.read(&buffer, &mut found)?;
        ensure!(found == [7; N], "{:?}", &found[..4]);
    }
    for ((event, flag, _), queue) in running.iter().zip(&beside) {
        ensure!(event.status()? > 0, "the kernel still waits for the host");
        queue.write(flag, &[9_u32])?;
    }
    for ((event, _, state), queue) in running.iter().zip(&beside) {
        event.wait()?;
        let mut states = [0_u32; 2];
        queue.read(state, &mut states)?;
        ensure!(states == [1, 9], "{states:?}");
    }
    Ok(())
}

/// Kernels of two HALs that make one call at a time: the later one begins before the earlier one
/// ends.
fn slow_kernels_overlap() -> Result<()> {
    let all = All::new()?;
    let mut events = Vec::new();
    let mut rounds = 2_000_000_u32;
    // Kernels that are too short end before the other device's thread begins.
    for _ in 0..6 {
        events.clear();
        for queue in &all.queues[4..6] {
            let out = all.context.buffer(CL_MEM_READ_WRITE, 4)?;
            let mut kernel = all.program.kernel("spins")?;
            kernel.set_buffer(0, &out)?;
            kernel.set(1, rounds)?;
            events.push(queue.run_event(&kernel, &[1], Some(&[1]))?);
            queue.flush()?;
        }
        for event in &events {
            event.wait()?;
        }
        let [null, tiny] = [events[0].times()?, events[1].times()?];
        if null[0].max(tiny[0]) < null[1].min(tiny[1]) {
            return Ok(());
        }
        rounds *= 2;
    }
    anyhow::bail!("the kernels never overlap")
}

/// A RefSi device with an invalid setting is left out with one message, and hides no other device.
fn an_invalid_device_hides_no_other() -> Result<()> {
    let mut command = Command::new(std::env::current_exe()?);
    command.arg(NAMES_ONLY).envs([
        ("MUXCL_DEVICES", "hal"),
        ("CA_HAL_DEVICE", "refsi"),
        ("HAL_REFSI_SOC", "g1,m1,g1"),
        ("HAL_DESCRIPTION", "RV64GCV,RV32GCV"),
        ("HAL_REFSI_HARTS", "2,4,8"),
    ]);
    let output = command.output()?;
    let said = String::from_utf8_lossy(&output.stderr);
    ensure!(output.status.success(), "{said}");
    let names = String::from_utf8_lossy(&output.stdout);
    ensure!(names == "RefSi G1, 2\nRefSi G1 RV32, 8\n", "{names}");
    let messages: Vec<&str> = said.lines().collect();
    ensure!(messages.len() == 1 && messages[0].starts_with("muxcl: "), "{said}");
    ensure!(messages[0].contains("device 1 is left out") && messages[0].contains("M1"), "{said}");
    Ok(())
}

/// Writes the names of all devices, and their compute units.
fn names_only() -> Result<()> {
    // SAFETY: no thread has been started yet.
    unsafe { driver::choose()? };
    for device in listed()? {
        let units = device.number(CL_DEVICE_MAX_COMPUTE_UNITS)?;
        writeln!(std::io::stdout(), "{}, {units}", device.name()?)?;
    }
    Ok(())
}

fn main() -> ExitCode {
    if std::env::args().any(|argument| argument == NAMES_ONLY) {
        return if names_only().is_ok() { ExitCode::SUCCESS } else { ExitCode::FAILURE };
    }
    let mut arguments = Arguments::from_args();
    if muxcl_config::MUXCL_TEST_ICD.get_os().is_some() {
        return ExitCode::SUCCESS; // other drivers have no HALs
    }
    // Kernels that wait for the host keep all devices busy.
    arguments.test_threads = Some(1);
    let folder = match tempfile::tempdir() {
        Ok(folder) => folder,
        Err(error) => return failed(&arguments, error.to_string()),
    };
    let libraries = || Ok::<_, anyhow::Error>((hals::template()?, hals::in_cxx(folder.path())?));
    let list = match libraries() {
        Ok((null, tiny)) => format!("refsi, {}, {}", null.display(), tiny.display()),
        Err(error) => return failed(&arguments, format!("{error:#}")),
    };
    let variables = [
        ("MUXCL_DEVICES", "host,hal"),
        ("CA_HAL_DEVICE", &list),
        ("HAL_REFSI_SOC", "g1,m1,g1"),
        ("HAL_DESCRIPTION", "RV64GCV,RV64GCV_Zbc,RV64GCV_Zfh"),
    ];
    for (name, value) in variables {
        // SAFETY: no thread has been started yet.
        unsafe { muxcl_client::set_variable(name, value) };
    }
    // SAFETY: as above.
    if let Err(error) = unsafe { driver::choose() } {
        return failed(&arguments, error.to_string());
    }
    let trial = |name: &str, run: fn() -> Result<()>| {
        Trial::test(name, move || run().map_err(|error| Failed::from(format!("{error:#}"))))
    };
    let trials = vec![
        trial("all_are_listed", all_are_listed),
        trial("buffers_move", buffers_move),
        trial("twins_share_pointers", twins_share_pointers),
        trial("an_invalid_device_hides_no_other", an_invalid_device_hides_no_other),
        trial("kernels_overlap", kernels_overlap),
        trial("slow_kernels_overlap", slow_kernels_overlap),
    ];
    libtest_mimic::run(&arguments, trials).exit_code()
}

fn failed(arguments: &Arguments, error: String) -> ExitCode {
    let trial = Trial::test("setup", move || Err(Failed::from(error)));
    libtest_mimic::run(arguments, vec![trial]).exit_code()
}
