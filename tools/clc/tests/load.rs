//! Program binaries of `clc` in the driver, on the host and on RefSi devices: they are equal to
//! those that the driver makes, and their kernels run.

use std::path::Path;
use std::process::{Command, ExitCode};

use anyhow::{Context as _, Result, ensure};
use libtest_mimic::Trial;
use muxcl_client::{Context, Device, Platform};
use muxcl_test_kernels::driver;

/// Has a macro of the options, a program-scope variable, and a barrier.
const SOURCE: &str = "\
global int total = 7;
kernel void add(global int *a, int b) { a[get_global_id(0)] += b * BY; }
kernel void turn(global int *a, local int *l) {
  size_t i = get_local_id(0), n = get_local_size(0);
  l[i] = a[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  a[get_global_id(0)] = l[n - 1 - i] + total;
}
";
/// [`SOURCE`] without its program-scope variable. A HAL device then gets an ELF file for each
/// kernel; kernels that share variables are in one file.
const PLAIN: &str = "kernel void add(global int *a, int b) { a[get_global_id(0)] += b * BY; }\n";
const OPTIONS: &str = "-cl-std=CL3.0 -DBY=2 -cl-fast-relaxed-math";
/// The RefSi devices of this process.
const VARIABLES: [(&str, &str); 4] = [
    ("MUXCL_DEVICES", "host,hal"),
    ("CA_HAL_DEVICE", "refsi"),
    ("HAL_REFSI_SOC", "g1,m1,g1"),
    ("HAL_DESCRIPTION", "RV64GCV_Zfh_Zvfh,RV64GCV_Zbc_Zfh_Zvfh,RV32GCV_Zfh_Zvfh"),
];

fn main() -> ExitCode {
    for (name, value) in VARIABLES {
        // SAFETY: no thread has been started yet.
        unsafe { muxcl_client::set_variable(name, value) };
    }
    // SAFETY: as above.
    unsafe { driver::run(trials) }
}

fn trials() -> Result<Vec<Trial>> {
    let devices = Platform::all()?.first().context("no platform")?.devices()?;
    let names = ["host", "refsi-g1", "refsi-m1", "refsi-g1-rv32"];
    ensure!(devices.len() == names.len(), "{} devices", devices.len());
    let mut trials = Vec::new();
    for (device, name) in devices.into_iter().zip(names) {
        trials.push(driver::trial(name, move || loads_and_runs(device, name)));
    }
    Ok(trials)
}

/// What `clc` writes to standard output.
fn clc(folder: &Path, arguments: &str) -> Result<Vec<u8>> {
    let mut command = Command::new(env!("CARGO_BIN_EXE_clc"));
    for (name, _) in VARIABLES {
        command.env_remove(name);
    }
    let output = command.args(arguments.split(' ')).current_dir(folder).output()?;
    ensure!(
        output.status.success(),
        "clc {arguments}: {}",
        String::from_utf8_lossy(&output.stderr)
    );
    Ok(output.stdout)
}

fn loads_and_runs(device: Device, name: &str) -> Result<()> {
    let folder = tempfile::tempdir()?;
    let context = Context::new(device)?;
    let mut binary = Vec::new();
    for source in [PLAIN, SOURCE] {
        std::fs::write(folder.path().join("a.cl"), source)?;
        binary = clc(folder.path(), &format!("-d {name} {OPTIONS} a.cl -o -"))?;
        let own = context.build(device, source, OPTIONS)?.binary()?;
        ensure!(own == binary, "the driver's binary differs: {} bytes", own.len());
    }
    let program = context.build_binary(device, &binary, "")?;
    let queue = context.queue(device, 0)?;
    let values: Vec<i32> = (0..64).collect();
    let buffer = context.buffer_with(&values)?;
    let mut add = program.kernel("add")?;
    add.set_buffer(0, &buffer)?;
    add.set(1, 50_i32)?;
    queue.run(&add, &[64], None, None)?;
    let mut turn = program.kernel("turn")?;
    turn.set_buffer(0, &buffer)?;
    turn.set_local(1, 16 * 4)?;
    queue.run(&turn, &[64], Some(&[16]), None)?;
    let mut found = vec![0_i32; 64];
    queue.read(&buffer, &mut found)?;
    let expected: Vec<i32> = (0..64).map(|i| (i / 16 * 16 + 15 - i % 16) + 100 + 7).collect();
    ensure!(found == expected, "{found:?}");
    // Another device refuses the binary.
    let other = if name == "host" { "refsi-g1" } else { "host" };
    let foreign = clc(folder.path(), &format!("-d {other} {OPTIONS} a.cl -o -"))?;
    ensure!(context.build_binary(device, &foreign, "").is_err(), "a binary of {other} loads");
    Ok(())
}
