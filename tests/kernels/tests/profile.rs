//! The profile of kernels (`MUXCL_PROFILE`), as docs/howto/profile-kernels.md says: this program
//! starts itself as the application, which ends without releasing anything, and reads its report.
//! Not here: the report's details (crates mux and hal-refsi).

use std::io::{BufRead as _, BufReader, Read as _};
use std::process::{Command, ExitCode, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, bail, ensure};
use muxcl_client::{Context, Platform};
use muxcl_test_kernels::driver;

/// The argument that makes this program the application.
const APPLICATION: &str = "--application";
/// The argument behind the options says how the application ends: it releases its objects, exits
/// without doing so, kills itself, or leaves the work to a child, which stays for a second.
const RELEASES: &str = "release";
const EXITS: &str = "exit";
const KILLED: &str = "kill";
const FORKS: &str = "fork";
/// How long the child of an application stays.
const STAYS: Duration = Duration::from_secs(2);
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

/// Runs the kernels, and ends as `end` says.
fn application(options: &str, end: &str) -> Result<()> {
    // SAFETY: no thread has been started yet.
    unsafe { driver::choose() }?;
    run_kernels(options, end == RELEASES)?;
    if end == KILLED {
        let own = std::process::id().cast_signed();
        // SAFETY: ends this process by a signal.
        unsafe { libc::kill(own, libc::SIGKILL) };
    }
    // SAFETY: the child sleeps and ends.
    if end == FORKS && unsafe { libc::fork() } == 0 {
        std::thread::sleep(STAYS);
        muxcl_os::end_process(0);
    }
    Ok(())
}

/// Builds and launches the kernels.
fn run_kernels(options: &str, release: bool) -> Result<()> {
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
    if release {
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

/// Rates and lanes are known on the host: the kernels copy bytes and compute on integers.
fn host() -> Result<()> {
    let text = report("", &[("MUXCL_DEVICES", "host")])?;
    for kernel in ["hot", "copy"] {
        let row = row(&text, kernel)?;
        has(&row, &[&["host".to_owned()][..], &launches()].concat())?;
        let cells: Vec<&str> =
            row.iter().map(|cell| cell.trim()).filter(|c| !c.is_empty()).collect();
        let [operations, _, bytes, share, lanes] = cells[8..] else { bail!("{text}") };
        ensure!(operations == "0.00" && bytes.parse::<f64>()? > 0.0, "{text}");
        ensure!(share.parse::<f64>()? > 0.0 && !lanes.is_empty(), "{text}");
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

/// `MUXCL_PROFILE=1`: one report on stderr, however the application ends. Its stderr is closed soon
/// after its end, unless a child holds it.
fn on_stderr(devices: &str, end: &str) -> Result<()> {
    let begin = Instant::now();
    let mut child = Command::new(std::env::current_exe()?)
        .args([APPLICATION, "", end])
        .envs([("MUXCL_DEVICES", devices), ("CA_HAL_DEVICE", "refsi"), ("MUXCL_PROFILE", "1")])
        .stderr(Stdio::piped())
        .stdout(Stdio::null())
        .spawn()?;
    let mut stderr = BufReader::new(child.stderr.take().context("a pipe")?);
    let mut text = String::new();
    // A child of the application, which still holds the pipe, does not delay the report.
    let last = if devices == "hal" { "kernel muxcl.kernel.copy" } else { "\ncopy " };
    while !text.contains(last) {
        ensure!(stderr.read_line(&mut text)? != 0, "no report after {end}: {text}");
    }
    let status = child.wait()?;
    let ended = Instant::now();
    stderr.read_to_string(&mut text)?;
    let late = ended.elapsed();
    ensure!(status.success() == (end != KILLED), "{status}: {text}");
    let least = if end == FORKS { STAYS / 2 } else { Duration::ZERO };
    let most = if end == FORKS { STAYS * 4 } else { STAYS / 2 };
    ensure!((least..most).contains(&late), "stderr was open for {late:?} of {:?}", begin.elapsed());
    ensure!(text.matches("Kernels\n").count() == 1, "one report: {text}");
    has(&row(&text, "hot")?, &launches())?;
    ensure!(text.contains("cycles ") == (devices == "hal"), "the device's counters: {text}");
    Ok(())
}

fn main() -> ExitCode {
    let mut arguments = std::env::args().skip(1);
    if arguments.next().as_deref() == Some(APPLICATION) {
        let mut next = || arguments.next().unwrap_or_default();
        return driver::exit(application(&next(), &next()));
    }
    let rv32 = [("HAL_REFSI_SOC", "g1"), ("HAL_DESCRIPTION", "RV32GCV")];
    let mut trials = vec![
        driver::trial("g1", || refsi(&[("HAL_REFSI_SOC", "g1")])),
        driver::trial("rv32", move || refsi(&rv32)),
        driver::trial("m1", || refsi(&[("HAL_REFSI_SOC", "m1")])),
        driver::trial("host", host),
        driver::trial("another_hal", another_hal),
    ];
    for devices in ["host", "hal"] {
        for end in [RELEASES, EXITS, KILLED, FORKS] {
            trials.push(driver::trial(&format!("{devices}/{end}"), || on_stderr(devices, end)));
        }
    }
    driver::run_ours(trials)
}
