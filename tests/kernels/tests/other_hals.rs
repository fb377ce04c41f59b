//! HALs other than RefSi, behind OpenCL: the C++ HAL of `crates/hal-abi/examples`, an RV64IM that
//! g++ builds here from muxcl's headers, and the template `hal-null`. The device appears by its
//! name. Kernels with local memory, barriers and floats (in software on the first one) return the
//! same results as Rust. Each HAL has its own process, in which it is the only one.

use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use anyhow::{Context as _, Result, ensure};
use libtest_mimic::{Arguments, Failed, Trial};
use muxcl_client::{Context, Platform};
use muxcl_test_kernels::{driver, hals};

const SOURCE: &str = "
kernel void sums(global const uint *a, global const uint *b, global uint *c, uint bias, local uint *scratch) {
  const size_t i = get_global_id(0), l = get_local_id(0), n = get_local_size(0);
  scratch[l] = a[i] * b[i] + bias;
  barrier(CLK_LOCAL_MEM_FENCE);
  uint sum = 0;
  for (size_t k = 0; k <= l; k++) sum += scratch[k];
  barrier(CLK_LOCAL_MEM_FENCE);
  c[i] = sum ^ (uint)(get_group_id(0) * n);
}
kernel void floats(global const uint *a, global float *x) {
  const size_t i = get_global_id(0);
  x[i] = (float)(a[i] & 1023u) * 0.25f + 1.0f / (float)(1 << (i & 7));
}
kernel void say(void) { printf(\"item %u of %s\\n\", (uint)get_global_id(0), \"a HAL\"); }
";

/// Finds or makes a HAL library in the given folder.
type Library = fn(&Path) -> Result<PathBuf>;

/// The argument that selects the child's role. The library's path follows.
const CHILD: &str = "--hal-child";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().collect();
    if let [_, child, device] = arguments.as_slice()
        && child == CHILD
    {
        return match run(device) {
            Ok(()) => ExitCode::SUCCESS,
            Err(error) => {
                #[expect(clippy::print_stderr, reason = "the parent shows it")]
                {
                    eprintln!("{error:#}");
                }
                ExitCode::FAILURE
            }
        };
    }
    let trial = |name: &'static str, device: &'static str, library: Library| {
        Trial::test(name, move || {
            child(device, library).map_err(|e| Failed::from(format!("{e:#}")))
        })
    };
    let trials = vec![
        trial("a_hal_in_cxx", "Tiny RV64IM", hals::in_cxx),
        trial("the_template", "Null RV64", |_| hals::template()),
    ];
    libtest_mimic::run(&Arguments::from_args(), trials).exit_code()
}

fn child(device: &str, library: Library) -> Result<()> {
    if muxcl_config::MUXCL_TEST_ICD.get_os().is_some() {
        return Ok(()); // other drivers have no HALs
    }
    let folder = tempfile::tempdir()?;
    let library = library(folder.path())?;
    let mut command = Command::new(std::env::current_exe()?);
    command.args([CHILD, device]).env("CA_HAL_DEVICE", &library).env("MUXCL_DEVICES", "host,hal");
    let output = command.output()?;
    ensure!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    for item in 0..8 {
        let line = format!("item {item} of a HAL");
        ensure!(said.lines().filter(|l| *l == line).count() == 2, "`{line}` twice, in {said}");
    }
    Ok(())
}

fn run(name: &str) -> Result<()> {
    // SAFETY: no thread has been started yet.
    unsafe { driver::choose()? };
    let platforms = Platform::all()?;
    let devices = platforms.first().context("no platform")?.devices()?;
    let names: Vec<String> =
        devices.iter().map(|d| d.name().map_err(Into::into)).collect::<Result<_>>()?;
    let at = names
        .iter()
        .position(|n| n.starts_with(name))
        .with_context(|| format!("only {names:?}"))?;
    let device = devices[at];
    let context = Context::new(device)?;
    let queue = context.queue(device, 0)?;
    let program = context.build(device, SOURCE, "")?;
    // From source, and from the binary.
    for program in [&program, &context.build_binary(device, &program.binary()?, "")?] {
        let a: Vec<u32> = (0..200).map(|i: u32| i.wrapping_mul(2_654_435_761) % 100_003).collect();
        let b: Vec<u32> = (0..200).map(|i: u32| !i).collect();
        let (buffer_a, buffer_b, buffer_c) = (
            context.buffer_with(&a)?,
            context.buffer_with(&b)?,
            context.buffer_with(&[0_u32; 200])?,
        );
        let mut kernel = program.kernel("sums")?;
        kernel.set_buffer(0, &buffer_a)?;
        kernel.set_buffer(1, &buffer_b)?;
        kernel.set_buffer(2, &buffer_c)?;
        kernel.set(3, 77_u32)?;
        kernel.set_local(4, 20 * 4)?;
        queue.run(&kernel, &[200], Some(&[20]), None)?;
        let mut found = [0_u32; 200];
        queue.read(&buffer_c, &mut found)?;
        for (i, found) in found.iter().enumerate() {
            let group = i / 20 * 20;
            let sum = (group..=i)
                .fold(0_u32, |s, k| s.wrapping_add(a[k].wrapping_mul(b[k]).wrapping_add(77)));
            let expected = sum ^ u32::try_from(group)?;
            ensure!(*found == expected, "sums: element {i} is {found}, not {expected}");
        }
        let floats = context.buffer_with(&[0_f32; 200])?;
        let mut kernel = program.kernel("floats")?;
        kernel.set_buffer(0, &buffer_a)?;
        kernel.set_buffer(1, &floats)?;
        queue.run(&kernel, &[200], None, None)?;
        let mut found = [0_f32; 200];
        queue.read(&floats, &mut found)?;
        for (i, found) in found.iter().enumerate() {
            let expected =
                f32::from(u16::try_from(a[i] & 1023)?) * 0.25 + 1.0 / f32::from(1_u8 << (i & 7));
            ensure!(*found == expected, "floats: element {i} is {found}, not {expected}");
        }
        queue.run(&program.kernel("say")?, &[8], Some(&[2]), None)?;
        queue.finish()?;
    }
    Ok(())
}
