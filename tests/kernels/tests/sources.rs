//! Large sources, invalid sources, and damaged binaries, passed as an application does.

use std::fmt::Write as _;
use std::process::ExitCode;

use anyhow::{Context as _, Result, bail, ensure};
use libtest_mimic::{Failed, Trial};
use muxcl_client::sys::{CL_INVALID_BINARY, CL_INVALID_BUILD_OPTIONS, CL_INVALID_VALUE};
use muxcl_client::{ClientError, Context, Device, Kernel, Platform, Queue};
use muxcl_test_kernels::driver;

type Test = fn(&Setup) -> Result<()>;

const TESTS: &[(&str, Test)] = &[
    ("two_megabytes_of_functions", two_megabytes),
    ("two_megabytes_of_comment", comment),
    ("five_hundred_kernels", five_hundred_kernels),
    ("one_kernel_of_1000_statements", long_kernel),
    ("errors_name_line_and_show_a_caret", error_log),
    ("warnings_are_in_the_log", warning_log),
    ("bytes_that_are_no_text", not_text),
    ("wrong_options", wrong_options),
    ("an_empty_source", empty),
    ("truncated_binaries", truncated),
    ("damaged_binaries", damaged),
    ("the_same_source_gives_the_same_binary", same_binary),
];

struct Setup {
    device: Device,
    context: Context,
    queue: Queue,
}

impl Setup {
    fn new(device: Device) -> Result<Self> {
        let context = Context::new(device)?;
        let queue = context.queue(device, 0)?;
        Ok(Self { device, context, queue })
    }

    /// The first element of the buffer after a kernel with one `global int *` argument.
    fn first(&self, mut kernel: Kernel) -> Result<i32> {
        let buffer = self.context.buffer_with(&[-1_i32; 16])?;
        kernel.set_buffer(0, &buffer)?;
        self.queue.run(&kernel, &[16], None, None)?;
        let mut data = [0_i32; 16];
        self.queue.read(&buffer, &mut data)?;
        Ok(data[0])
    }

    /// The error code and the build log of a source that must not build.
    fn log(&self, source: &str, options: &str) -> Result<(i32, String)> {
        match self.context.build(self.device, source, options) {
            Ok(_) => bail!("it builds"),
            Err(ClientError::Build { code, log }) => Ok((code, log)),
            Err(other) => Err(other.into()),
        }
    }
}

fn main() -> ExitCode {
    // SAFETY: no thread has been started yet.
    unsafe { driver::run(trials) }
}

fn trials() -> Result<Vec<Trial>> {
    let mut trials = Vec::new();
    for (number, device) in
        Platform::all()?.first().context("no platform")?.devices()?.into_iter().enumerate()
    {
        for (name, test) in TESTS {
            trials.push(Trial::test(format!("device{number}/{name}"), move || {
                Setup::new(device)
                    .and_then(|setup| test(&setup))
                    .map_err(|error| Failed::from(format!("{error:#}")))
            }));
        }
    }
    Ok(trials)
}

fn two_megabytes(setup: &Setup) -> Result<()> {
    let mut source = String::new();
    let mut count = 0;
    while source.len() < 2 << 20 {
        writeln!(
            source,
            "int f{count}(int x) {{ int y = x * {count} + 1; if (y > {count}) y -= x; return y ^ {count}; }}"
        )?;
        count += 1;
    }
    writeln!(
        source,
        "kernel void k(global int *out) {{ out[get_global_id(0)] = f3(5) + f{}(1); }}",
        count - 1
    )?;
    let program = setup.context.build(setup.device, &source, "")?;
    let f = |n: i32, x: i32| {
        let y = x * n + 1;
        (if y > n { y - x } else { y }) ^ n
    };
    let wanted = f(3, 5) + f(count - 1, 1);
    let found = setup.first(program.kernel("k")?)?;
    ensure!(found == wanted, "{found}, should be {wanted}");
    Ok(())
}

fn comment(setup: &Setup) -> Result<()> {
    let filler = "// nothing to see here\n".repeat((2 << 20) / 23);
    let source = format!("{filler}kernel void k(global int *out) {{ out[get_global_id(0)] = 7; }}");
    ensure!(
        setup.first(setup.context.build(setup.device, &source, "")?.kernel("k")?)? == 7,
        "wrong result"
    );
    Ok(())
}

fn five_hundred_kernels(setup: &Setup) -> Result<()> {
    let mut source = String::new();
    for k in 0..500 {
        writeln!(
            source,
            "kernel void k{k}(global int *out) {{ size_t i = get_global_id(0); out[i] = {k} * 2 + (int)i; }}"
        )?;
    }
    let program = setup.context.build(setup.device, &source, "")?;
    for k in [0, 1, 250, 498, 499] {
        let found = setup.first(program.kernel(&format!("k{k}"))?)?;
        ensure!(found == k * 2, "kernel {k}: {found}");
    }
    let again = setup.context.build_binary(setup.device, &program.binary()?, "")?;
    ensure!(setup.first(again.kernel("k321")?)? == 642, "from the binary: wrong result");
    Ok(())
}

fn long_kernel(setup: &Setup) -> Result<()> {
    let mut source =
        "kernel void k(global int *out) {\n int x = out[get_global_id(0)];\n".to_owned();
    let mut x = -1_i32;
    for k in 0..1000 {
        writeln!(source, " x = x * 3 + {k}; if (x & 1) x ^= {};", k % 255)?;
        x = x.wrapping_mul(3).wrapping_add(k);
        if x & 1 != 0 {
            x ^= k % 255;
        }
    }
    source.push_str(" out[get_global_id(0)] = x;\n}\n");
    // Unsigned, so that the kernel's arithmetic may wrap.
    let source = source.replace("int x =", "uint x = (uint)").replace("] = x;", "] = (int)x;");
    let found = setup.first(setup.context.build(setup.device, &source, "")?.kernel("k")?)?;
    ensure!(found == x, "{found}, should be {x}");
    Ok(())
}

fn error_log(setup: &Setup) -> Result<()> {
    let (_, log) =
        setup.log("kernel void k(global int *out)\n{\n    out[0] = undeclared_thing;\n}\n", "")?;
    for part in ["3:", "error", "undeclared_thing", "^"] {
        ensure!(log.contains(part), "`{part}` is not in the log:\n{log}");
    }
    Ok(())
}

fn warning_log(setup: &Setup) -> Result<()> {
    let source = "#warning look here\nkernel void k(global int *out) { out[0] = 1; }";
    let program = setup.context.build(setup.device, source, "")?;
    let log = program.log(setup.device)?;
    ensure!(log.contains("look here"), "the log is: {log}");
    setup.log(source, "-Werror")?;
    Ok(())
}

fn not_text(setup: &Setup) -> Result<()> {
    // Invalid UTF-8 is allowed in a comment. In code it is an error with a log. Neither crashes.
    let bytes = |middle: &[u8]| {
        let parts =
            [b"kernel void k(global int *out) { out[0] = 1; ".as_slice(), middle, b" }".as_slice()];
        parts.concat()
    };
    for middle in [
        b"/* \xff\xfe\x80 */".as_slice(),
        b"int \xff\xc3\x28 = 1;",
        b"char *s = \"\xf0\x28\x8c\x28\";",
        b"\x00\x01",
    ] {
        // SAFETY: only the driver reads the text, as bytes with a length; `build` does not inspect
        // it.
        let source = unsafe { String::from_utf8_unchecked(bytes(middle)) };
        match setup.context.build(setup.device, &source, "") {
            Ok(_) | Err(ClientError::Build { .. }) => {}
            Err(other) => return Err(other.into()),
        }
    }
    let random: Vec<u8> =
        (0..4096_u32).map(|i| i.wrapping_mul(2_654_435_761).to_le_bytes()[3]).collect();
    // SAFETY: as above.
    let source = unsafe { String::from_utf8_unchecked(random) };
    setup.log(&source, "")?;
    Ok(())
}

fn wrong_options(setup: &Setup) -> Result<()> {
    let source = "kernel void k(global int *out) { out[0] = 1; }";
    for options in [
        "-surely-not-an-option",
        "-cl-std=CL9.9",
        "-D",
        "-mllvm -print-after-all",
        "-o /tmp/x",
        "-fplugin=x.so",
    ] {
        let (code, log) = setup.log(source, options).with_context(|| options.to_owned())?;
        ensure!(code == CL_INVALID_BUILD_OPTIONS, "{options}: {code}, {log}");
    }
    for options in
        ["-cl-mad-enable -cl-fast-relaxed-math", "-D A=1 -DB -I /nowhere", "-w -cl-std=CL1.2", "  "]
    {
        setup.context.build(setup.device, source, options).with_context(|| options.to_owned())?;
    }
    Ok(())
}

fn empty(setup: &Setup) -> Result<()> {
    let program = setup.context.build(setup.device, " ", "")?;
    ensure!(program.kernel("k").is_err(), "a kernel out of nothing");
    Ok(())
}

const SMALL: &str = "constant int table[4] = {1, 2, 3, 4};
kernel void k(global int *out) { local int t[4]; t[get_local_id(0) % 4] = table[1]; barrier(CLK_LOCAL_MEM_FENCE); out[get_global_id(0)] = t[0]; }";

/// Loads a damaged binary. It must give the right error, or a program that can be released.
fn load(setup: &Setup, binary: &[u8]) -> Result<bool> {
    match setup.context.build_binary(setup.device, binary, "") {
        Ok(_) => Ok(true),
        Err(
            ClientError::Build { .. }
            | ClientError::Call { code: CL_INVALID_BINARY | CL_INVALID_VALUE, .. },
        ) => Ok(false),
        Err(other) => Err(other.into()),
    }
}

fn truncated(setup: &Setup) -> Result<()> {
    let binary = setup.context.build(setup.device, SMALL, "")?.binary()?;
    for part in 0..200 {
        let length = binary.len() * part / 200;
        ensure!(!load(setup, &binary[..length])?, "{length} of {} bytes load", binary.len());
    }
    ensure!(load(setup, &binary)?, "the whole binary does not load");
    Ok(())
}

fn damaged(setup: &Setup) -> Result<()> {
    let binary = setup.context.build(setup.device, SMALL, "")?.binary()?;
    let mut refused = 0;
    for part in 0..400 {
        let mut copy = binary.clone();
        let position = binary.len() * part / 400;
        copy[position] ^= 1 << (part % 8);
        refused += usize::from(!load(setup, &copy)?);
    }
    ensure!(refused == 400, "{} of 400 damaged binaries load", 400 - refused);
    ensure!(!load(setup, b"\x7fELF")?, "four bytes load");
    ensure!(!load(setup, &vec![0_u8; 100_000])?, "zeros load");
    Ok(())
}

fn same_binary(setup: &Setup) -> Result<()> {
    let build = || -> Result<_> {
        Ok(setup.context.build(setup.device, SMALL, "-D SOMETHING=1")?.binary()?)
    };
    ensure!(build()? == build()?, "two builds differ");
    Ok(())
}
