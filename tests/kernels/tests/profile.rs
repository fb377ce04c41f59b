//! The profile of kernels (`MUXCL_PROFILE`), as docs/howto/profile-kernels.md says: this program
//! starts itself as the application, which ends without releasing anything, and reads its report.
//! Not here: the report's details (crates mux and hal-refsi).

use std::process::{Command, ExitCode};

use anyhow::{Context as _, Result, ensure};
use muxcl_client::{Context, Platform};
use muxcl_test_kernels::driver;

/// The argument that makes this program the application.
const APPLICATION: &str = "--application";
/// The argument behind the options that makes the application release its objects.
const RELEASES: &str = "release";
/// Number of work-items of a launch, and of a group.
const ITEMS: usize = 256;
const GROUP: usize = 16;
/// Number of launches of each kernel.
const LAUNCHES: usize = 3;

/// The kernels. `#line` gives the source the name that the report shows. With a barrier, a device
/// runs the groups that the application asks for, and does not join small ones.
const SOURCE: &str = "\
#line 1 \"kernel.cl\"
kernel void hot(global int *out, int times) {
  int x = get_global_id(0); barrier(CLK_LOCAL_MEM_FENCE);
  for (int k = 0; k < times; ++k)
    x = x * 1664525 + (x >> 3);
  out[get_global_id(0)] = x;
}

kernel void copy(global const int *in, global int *out) { barrier(CLK_LOCAL_MEM_FENCE);
  out[get_global_id(0)] = in[get_global_id(0)];
}
";

/// Runs the kernels, and ends without releasing anything, unless `end` is [`RELEASES`].
fn application(options: &str, end: &str) -> Result<()> {
    // SAFETY: no thread has been started yet.
    unsafe { driver::choose() }?;
    let platforms = Platform::all()?;
    let device = *platforms.first().context("a platform")?.devices()?.first().context("one")?;
    let context = Context::new(device)?;
    let queue = context.queue(device, 0)?;
    let program = context.build(device, SOURCE, options)?;
    let (one, two) = (context.buffer_with(&[0; ITEMS])?, context.buffer_with(&[0; ITEMS])?);
    let mut hot = program.kernel("hot")?;
    hot.set_buffer(0, &one)?;
    hot.set(1, 200)?;
    let mut copy = program.kernel("copy")?;
    copy.set_buffer(0, &one)?;
    copy.set_buffer(1, &two)?;
    for _ in 0..LAUNCHES {
        queue.run(&hot, &[ITEMS], Some(&[GROUP]), None)?;
        queue.run(&copy, &[ITEMS], Some(&[GROUP]), None)?;
    }
    let (mut first, mut second) = ([0; ITEMS], [0; ITEMS]);
    queue.read(&one, &mut first)?;
    queue.read(&two, &mut second)?;
    ensure!(first == second && first[1] != 0, "{second:?}");
    if end == RELEASES {
        return Ok(());
    }
    std::mem::forget((hot, copy, one, two, program, queue, context));
    Ok(())
}

/// The report of an application with these variables.
fn report(options: &str, environment: &[(&str, &str)]) -> Result<String> {
    let folder = tempfile::tempdir()?;
    let path = folder.path().join("profile");
    let output = Command::new(std::env::current_exe()?)
        .args([APPLICATION, options])
        .envs([("MUXCL_DEVICES", "hal"), ("CA_HAL_DEVICE", "refsi")])
        .envs(environment.iter().copied())
        .env("MUXCL_PROFILE", &path)
        .output()?;
    ensure!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    // Nothing but the report remains.
    ensure!(std::fs::read_dir(folder.path())?.count() == 1, "one file");
    Ok(std::fs::read_to_string(&path)?)
}

/// The part that the device has written, without times.
fn exact(text: &str) -> Result<String> {
    // The heading, the table, and the device's part have an empty line between them.
    let device = text.splitn(3, "\n\n").nth(2).context("details")?;
    let lines = device.lines().map(|l| l.split(", time on the host").next().unwrap_or(l));
    Ok(lines.map(|line| format!("{line}\n")).collect())
}

/// The row of a kernel in the table.
fn row<'a>(text: &'a str, kernel: &str) -> Result<Vec<&'a str>> {
    let line = text.lines().find(|line| line.split(' ').next() == Some(kernel));
    Ok(line.with_context(|| format!("no row of `{kernel}` in:\n{text}"))?.split("  ").collect())
}

fn has(row: &[&str], cells: &[String]) -> Result<()> {
    let mut found = row.iter().map(|cell| cell.trim());
    ensure!(cells.iter().all(|cell| found.any(|f| f == cell)), "no {cells:?} in {row:?}");
    Ok(())
}

/// Launches, failed launches, work-groups.
fn launches() -> [String; 3] {
    [LAUNCHES.to_string(), "0".to_owned(), (LAUNCHES * ITEMS / GROUP).to_string()]
}

/// The loop of the kernel is its hottest code, and the report does not depend on how the device
/// executes code.
fn refsi(environment: &[(&str, &str)]) -> Result<()> {
    let with = |more: &[(&str, &str)], options| report(options, &[environment, more].concat());
    let way = |exec, options| with(&[("HAL_REFSI_EXEC", exec)], options);
    let text = way("jit", "-g")?;
    has(&row(&text, "hot")?, &launches())?;
    has(&row(&text, "copy")?, &launches())?;
    let device = exact(&text)?;
    let (_, hot) = device.split_once("\nkernel ").context("a kernel")?;
    ensure!(hot.lines().next().is_some_and(|name| name.contains("hot")), "{text}");
    // The line with the most cycles, and the block with the most, up to the second one.
    let share = |line: &str| line.trim().split(' ').next().unwrap_or_default().parse::<f64>();
    let line = hot.lines().find(|line| line.ends_with("kernel.cl:4")).context("the line")?;
    ensure!(share(line)? > 25.0, "{text}");
    let mut blocks = hot.split_inclusive('\n').skip_while(|line| !line.contains("executions"));
    ensure!(share(blocks.next().context("a block")?)? > 50.0, "{text}");
    let mut block = blocks.take_while(|line| !line.contains("executions"));
    ensure!(block.any(|line| line.ends_with("kernel.cl:4\n")), "{text}");
    let (_, copy) = hot.split_once("\nkernel ").context("another kernel")?;
    ensure!(copy.contains("kernel.cl:9"), "{text}");
    // A work-item reads and writes one number; other code reads and writes, too.
    let moved = |name| -> Result<u64> {
        let (_, rest) = copy.split_once(name).with_context(|| text.clone())?;
        let digits: String = rest.chars().take_while(char::is_ascii_digit).collect();
        Ok(digits.parse()?)
    };
    let least = (LAUNCHES * ITEMS * 4) as u64;
    ensure!(moved("bytes read ")? >= least && moved("bytes written ")? >= least, "{text}");
    for exec in ["interp", "eager"] {
        let other = way(exec, "-g")?;
        ensure!(exact(&other)? == device, "{exec}:\n{other}\njit:\n{text}");
    }
    // The counters of each launch are recorded as well.
    let folder = tempfile::tempdir()?;
    let table = folder.path().join("counters").display().to_string();
    let levels = [("CA_PROFILE_LEVEL", "3"), ("CA_PROFILE_CSV_PATH", table.as_str())];
    ensure!(exact(&with(&levels, "-g")?)? == device, "the report depends on the counters");
    let counters = std::fs::read_to_string(&table)?;
    let bytes = |name: &str| -> Result<u64> {
        let rows = counters.lines().filter(|row| row.contains(&format!(",copy,{name},total,")));
        rows.map(|row| Ok(row.split(',').nth(5).context("a value")?.parse::<u64>()?)).sum()
    };
    ensure!(bytes("mem_read_bytes")? == moved("bytes read ")?, "{counters}\n{text}");
    ensure!(bytes("mem_write_bytes")? == moved("bytes written ")?, "{counters}\n{text}");
    let without = way("jit", "")?;
    ensure!(without.contains("no source lines: build the program with -g"), "{without}");
    Ok(())
}

fn host() -> Result<()> {
    let text = report("", &[("MUXCL_DEVICES", "host")])?;
    for kernel in ["hot", "copy"] {
        let row = row(&text, kernel)?;
        has(&row, &[&["host".to_owned()][..], &launches()].concat())?;
    }
    Ok(())
}

/// A HAL device without a profile of its own has the rows of the table.
fn another_hal() -> Result<()> {
    let program = std::env::current_exe()?;
    let library = program.ancestors().nth(2).context("no target folder")?.join("libhal_null.so");
    ensure!(library.exists(), "{}: `cargo build -p muxcl-hal-null`", library.display());
    let text = report("", &[("CA_HAL_DEVICE", &library.display().to_string())])?;
    has(&row(&text, "copy")?, &launches())
}

/// `MUXCL_PROFILE=1`: one report on stderr when the application has released its context.
fn at_release() -> Result<()> {
    let run = |end| {
        Command::new(std::env::current_exe()?)
            .args([APPLICATION, "", end])
            .envs([("MUXCL_DEVICES", "hal"), ("CA_HAL_DEVICE", "refsi"), ("MUXCL_PROFILE", "1")])
            .output()
    };
    let output = run(RELEASES)?;
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    ensure!(output.status.success(), "{text}");
    ensure!(text.matches("Kernels\n").count() == 1, "one report: {text}");
    has(&row(&text, "hot")?, &launches())?;
    ensure!(text.contains("cycles "), "the device's counters: {text}");
    let output = run("")?;
    ensure!(output.stderr.is_empty(), "a process that releases nothing has no report");
    Ok(())
}

fn main() -> ExitCode {
    let mut arguments = std::env::args().skip(1);
    if arguments.next().as_deref() == Some(APPLICATION) {
        let mut next = || arguments.next().unwrap_or_default();
        return driver::exit(application(&next(), &next()));
    }
    let rv32 = [("HAL_REFSI_SOC", "g1"), ("HAL_DESCRIPTION", "RV32GCV")];
    driver::run_ours(vec![
        driver::trial("g1", || refsi(&[("HAL_REFSI_SOC", "g1")])),
        driver::trial("rv32", move || refsi(&rv32)),
        driver::trial("m1", || refsi(&[("HAL_REFSI_SOC", "m1")])),
        driver::trial("host", host),
        driver::trial("another_hal", another_hal),
        driver::trial("at_release", at_release),
    ])
}
