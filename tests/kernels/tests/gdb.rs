//! Debugs OpenCL kernels on RefSi G1 with `gdb-multiarch` (Debian package `gdb-multiarch`), as
//! docs/howto/debug-refsi.md says: this program starts itself as the application, and gdb in batch
//! mode. Not here: the protocol's details (crate hal-refsi).

use std::io::{BufRead as _, BufReader, Read as _};
use std::process::{Child, ChildStderr, Command, ExitCode, Stdio};

use anyhow::{Context as _, Result, ensure};
use muxcl_client::{Context, Platform};
use muxcl_test_kernels::driver;

/// The argument that makes this program the application.
const APPLICATION: &str = "--application";
/// A test on a device with these variables.
type Test = fn(&[(&str, &str)]) -> Result<()>;

/// Number of work-items of the application's launches.
const ITEMS: usize = 8;

/// The kernels. `#line` gives the source the name that gdb shows.
const SOURCE: &str = "\
#line 1 \"kernel.cl\"
int twice(int value) {
  return 2 * value;
}

kernel void scale(global const int *in, global int *out, int factor) {
  size_t i = get_global_id(0);
  int v = in[i];
  int scaled = v * factor;
  out[i] = scaled + twice(v);
}

kernel void other(global int *out) {
  out[get_global_id(0)] += 1;
}

kernel void wild(global int *out, ulong at) {
  *(global int *)at = out[0];
}
";

/// Runs the kernels on the HAL device, and says what they compute.
fn application(options: &str, wild: bool) -> Result<()> {
    // SAFETY: no thread has been started yet.
    unsafe { driver::choose() }?;
    let platforms = Platform::all()?;
    let device = *platforms.first().context("a platform")?.devices()?.first().context("RefSi")?;
    let context = Context::new(device)?;
    let queue = context.queue(device, 0)?;
    let program = context.build(device, SOURCE, options)?;
    let input: Vec<i32> = (0..ITEMS).map(|k| 10 + i32::try_from(k).unwrap_or(0)).collect();
    let (from, to) = (context.buffer_with(&input)?, context.buffer_with(&[0; ITEMS])?);
    if wild {
        let mut kernel = program.kernel("wild")?;
        kernel.set_buffer(0, &to)?;
        kernel.set(1, 0x30_0000_0000_u64)?;
        let failed = queue.run(&kernel, &[1], None, None).and_then(|()| queue.finish()).is_err();
        ensure!(failed, "the kernel is refused");
        return Ok(());
    }
    let mut kernel = program.kernel("scale")?;
    kernel.set_buffer(0, &from)?;
    kernel.set_buffer(1, &to)?;
    kernel.set(2, 3)?;
    queue.run(&kernel, &[ITEMS], None, None)?;
    // A debugger sees the next kernel's program as a new one.
    queue.finish()?;
    let mut other = program.kernel("other")?;
    other.set_buffer(0, &to)?;
    queue.run(&other, &[ITEMS], None, None)?;
    let mut found = [0; ITEMS];
    queue.read(&to, &mut found)?;
    let expected: Vec<i32> = input.iter().map(|v| 5 * v + 1).collect();
    ensure!(found[..] == expected[..], "{found:?}");
    Ok(())
}

/// A started application, and the port on which its device waits for gdb.
struct Started {
    child: Child,
    stderr: BufReader<ChildStderr>,
    port: String,
}

impl Drop for Started {
    fn drop(&mut self) {
        // It has ended already, unless the test failed.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// What the device says when its port is open, and when a launch waits: by then the device knows
/// the kernel.
const OPEN: &str = "listening on 127.0.0.1:";
const WAITS: &str = "the first launch waits for gdb-multiarch -ex 'target remote 127.0.0.1:";

impl Started {
    /// Starts the application, and waits until the device says `until`, which is [`OPEN`] or
    /// [`WAITS`].
    fn new(until: &str, options: &str, wild: bool, environment: &[(&str, &str)]) -> Result<Self> {
        let mut child = Command::new(std::env::current_exe()?)
            .args([APPLICATION, options, if wild { "wild" } else { "" }])
            .envs([
                ("MUXCL_DEVICES", "hal"),
                ("CA_HAL_DEVICE", "refsi"),
                ("HAL_REFSI_SOC", "g1"),
                ("HAL_REFSI_GDB", "0"),
            ])
            .envs(environment.iter().copied())
            .stderr(Stdio::piped())
            .spawn()?;
        let mut stderr = BufReader::new(child.stderr.take().context("a pipe")?);
        let mut line = String::new();
        let port = loop {
            line.clear();
            ensure!(stderr.read_line(&mut line)? != 0, "the application says no port");
            if let Some((_, port)) = line.split_once(until) {
                break port.trim().trim_end_matches('\'').to_owned();
            }
        };
        Ok(Self { child, stderr, port })
    }

    /// Lets gdb execute commands, and returns what it prints.
    fn gdb(&self, commands: &[&str]) -> Result<String> {
        let mut gdb = Command::new("gdb-multiarch");
        gdb.args(["-nx", "-batch", "-ex", "set width 0", "-ex", "set pagination off"]);
        // gdb reads the text of the kernels from a file with the name that `#line` gives.
        let folder = tempfile::tempdir()?;
        let (_, text) = SOURCE.split_once('\n').context("a first line")?;
        std::fs::write(folder.path().join("kernel.cl"), text)?;
        gdb.current_dir(folder.path());
        gdb.args(["-ex", "set remotetimeout 60", "-ex", "set breakpoint pending on"]);
        gdb.arg("-ex").arg(format!("target remote 127.0.0.1:{}", self.port));
        for command in commands {
            gdb.args(["-ex", command]);
        }
        let output = gdb.stdin(Stdio::null()).output().context("gdb-multiarch is installed")?;
        Ok(format!(
            "{}{}",
            String::from_utf8_lossy(&output.stdout),
            String::from_utf8_lossy(&output.stderr)
        ))
    }

    /// Waits for the end of the application.
    fn finish(mut self, gdb: &str) -> Result<()> {
        let mut text = String::new();
        self.stderr.read_to_string(&mut text)?;
        let status = self.child.wait()?;
        ensure!(status.success(), "the application: {status}: {text}\ngdb: {gdb}");
        Ok(())
    }
}

fn contains(text: &str, parts: &[&str]) -> Result<()> {
    for part in parts {
        ensure!(text.contains(part), "no `{part}` in:\n{text}");
    }
    Ok(())
}

/// Breakpoints by line and by name, variables, steps, a watchpoint, and a kernel that is loaded
/// while gdb is attached.
fn source_lines(environment: &[(&str, &str)]) -> Result<()> {
    let application = Started::new(WAITS, "-g -cl-opt-disable", false, environment)?;
    let text = application.gdb(&[
        "monitor programs",
        "break kernel.cl:8",
        "break other",
        "info breakpoints",
        "continue",
        "list",
        "print v",
        "print factor",
        "print/d $pc == $pc",
        "backtrace",
        "info threads",
        "next",
        "print scaled",
        "delete 1",
        "set $out = out",
        "watch -location out[2]",
        "continue",
        "print out[2]",
        "delete 3",
        "continue",
        "backtrace 1",
        "delete",
        "print $out[0] = 49",
        "x/4dw $out",
        "print $out[0] = 50",
        "monitor harts",
        "detach",
    ])?;
    contains(
        &text,
        &[
            "muxcl.kernel.scale",
            "Breakpoint 2 (other) pending",
            "hit Breakpoint 1, ",
            "kernel.cl:8",
            "8\t  int scaled = v * factor;",
            "6\t  size_t i = get_global_id(0);",
            "$1 = 10",
            "$2 = 3",
            "#1  scale (",
            "work-group (",
            "9\t  out[i] = scaled + twice(v);",
            "$4 = 30",
            "ardware watchpoint 3: -location out[2]",
            "Old value = 0",
            "New value = 60",
            "hit Breakpoint 2, ",
            "kernel.cl:12",
            // The first kernel has computed all its results.
            "49\t55\t60\t65",
            "hart 0, work-group (",
            "detached]",
        ],
    )?;
    application.finish(&text)
}

/// A kernel that faults stops where it does, and its launch fails when gdb continues.
fn fault(environment: &[(&str, &str)]) -> Result<()> {
    let application = Started::new(WAITS, "-g", true, environment)?;
    let text = application.gdb(&["continue", "backtrace", "continue"])?;
    contains(&text, &["SIGSEGV", "kernel.cl:17"])?;
    application.finish(&text)
}

/// gdb attaches while the device has no program yet. It ends a session with the packet `k` when it
/// ends: execution goes on.
fn kill(environment: &[(&str, &str)]) -> Result<()> {
    let application = Started::new(OPEN, "-g", false, environment)?;
    let text = application.gdb(&["break scale", "continue"])?;
    contains(&text, &["hit Breakpoint 1, "])?;
    application.finish(&text)
}

fn main() -> ExitCode {
    let mut arguments = std::env::args().skip(1);
    if arguments.next().as_deref() == Some(APPLICATION) {
        let (options, wild) = (arguments.next().unwrap_or_default(), arguments.next());
        return driver::exit(application(&options, wild.as_deref() == Some("wild")));
    }
    let devices: [(&str, &[(&str, &str)]); 3] = [
        ("g1", &[]),
        ("rv32", &[("HAL_DESCRIPTION", "RV32GCV")]),
        ("m1", &[("HAL_REFSI_SOC", "m1")]),
    ];
    let mut trials = Vec::new();
    for (device, environment) in devices {
        let tests: [(&str, Test); 3] =
            [("source_lines", source_lines), ("fault", fault), ("kill", kill)];
        for (name, test) in tests {
            trials.push(driver::trial(&format!("{device}/{name}"), move || test(environment)));
        }
    }
    driver::run_ours(trials)
}
