//! The program with the driver that cargo builds beside it: on the host and on RefSi.

use std::fs;
use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};

use anyhow::{Context as _, Result, ensure};
use tempfile::TempDir;

const SOURCE: &str = "
kernel void add(global const int *a, global const int *b, global int *c) {
  size_t i = get_global_id(0);
  c[i] = a[i] + b[i];
}
kernel void saxpy(global float *y, global const float *x, float a) {
  size_t i = get_global_id(0);
  y[i] = fma(a, x[i], y[i]);
}
kernel void scale(global float3 *v, float4 w, local int *l) {
  l[get_local_id(0)] = get_global_id(0) - get_global_offset(0);
  barrier(CLK_LOCAL_MEM_FENCE);
  v[get_global_id(0)] = w.xyz * l[get_local_id(0)];
}
kernel void twice(read_only image2d_t from, sampler_t s, write_only image2d_t to) {
  int2 p = (int2)(get_global_id(0), get_global_id(1));
  write_imageui(to, p, 2 * read_imageui(from, s, p));
}
struct pair { int a; float b; };
kernel void take(struct pair p, global struct pair *out) {
  if (out) *out = p;
}
";

/// A temporary folder with the kernels `k.cl`, in which the tests run `oclrun`.
struct Folder(TempDir);

impl Folder {
    fn new() -> Result<Self> {
        let folder = tempfile::tempdir()?;
        fs::write(folder.path().join("k.cl"), SOURCE)?;
        Ok(Self(folder))
    }

    fn path(&self) -> &Path {
        self.0.path()
    }

    fn command(&self, arguments: &[&str]) -> Result<Command> {
        let program = Path::new(env!("CARGO_BIN_EXE_oclrun"));
        let driver = program.with_file_name("libmuxcl.so");
        ensure!(driver.exists(), "`cargo build -p muxcl-icd -p muxcl-compiler-process`");
        let mut command = Command::new(program);
        command.current_dir(self.path()).arg("--driver").arg(driver).args(arguments);
        command.envs([("MUXCL_DEVICES", "host,hal"), ("CA_HAL_DEVICE", "refsi")]);
        Ok(command)
    }

    /// What a run prints that ends with `status`, on either stream.
    fn says(&self, status: i32, arguments: &[&str]) -> Result<String> {
        let output = self.command(arguments)?.output().context("oclrun")?;
        let text = [&output.stdout[..], &output.stderr].concat();
        let text = String::from_utf8_lossy(&text).into_owned();
        ensure!(output.status.code() == Some(status), "{:?}: {text}", output.status);
        Ok(text)
    }
}

/// Both devices, as `--device` names them.
const DEVICES: [&str; 2] = ["0", "RefSi"];

const ADD: [&str; 11] =
    ["k.cl", "-k", "add", "-g", "100", "-a", "buf:iota", "-a", "buf:rand=1,-9,9", "-a", "buf:zero"];

#[test]
fn buffers_are_printed_and_checked() -> Result<()> {
    let folder = Folder::new()?;
    for device in DEVICES {
        let with = |more: &[&'static str]| [&ADD[..], &["-d", device], more].concat();
        let text = folder.says(0, &with(&["--check", "2=a0[i]+a1[i]", "--print", "0:3..5"]))?;
        assert_eq!(
            text,
            "0: 100 elements of i32\n    [3]  3 4\ncheck 2: all 100 numbers are as expected\n"
        );
        let text = folder.says(1, &with(&["--check", "2=a0[i]+a1[i]+(i%50==7)"]))?;
        assert!(text.starts_with("check 2: 2 of 100 numbers differ\n  [7]  expected "), "{text}");
        assert!(text.contains("\n  [57]  expected "), "{text}");
    }
    Ok(())
}

#[test]
fn numbers_have_the_types_of_the_parameters() -> Result<()> {
    let folder = Folder::new()?;
    for device in DEVICES {
        let saxpy = [
            "k.cl",
            "-k",
            "saxpy",
            "-d",
            device,
            "-g",
            "64",
            "-a",
            "buf:iota",
            "-a",
            "buf:rand",
            "-a",
            "3.5f",
            "--check",
            "0=a0[i] + a2 * a1[i]",
            "--ulp",
            "1",
        ];
        folder.says(0, &saxpy)?;
        let scale = [
            "k.cl",
            "-k",
            "scale",
            "-d",
            device,
            "-g",
            "4",
            "-l",
            "2",
            "-o",
            "1",
            "-a",
            "buf:zero:f32x3:5",
            "-a",
            "1,2,3,4",
            "-a",
            "local:8",
            "--print",
            "0",
        ];
        let text = folder.says(0, &scale)?;
        let rows = "(0.0, 0.0, 0.0) (0.0, 0.0, 0.0) (1.0, 2.0, 3.0) (2.0, 4.0, 6.0)";
        assert!(text.contains(rows) && text.contains("(3.0, 6.0, 9.0)"), "{text}");
        let take = ["k.cl", "-k", "take", "-d", device, "-g", "1", "-a", "hex:07000000000000c0"];
        let text =
            folder.says(0, &[&take[..], &["-a", "buf:zero:u8:8", "--print", "1"]].concat())?;
        assert!(text.contains("7 0 0 0 0 0 0 192"), "{text}");
        folder.says(0, &[&take[..], &["-a", "null"]].concat())?;
    }
    Ok(())
}

#[test]
fn images_and_samplers() -> Result<()> {
    let folder = Folder::new()?;
    for device in DEVICES {
        let arguments = [
            "k.cl",
            "-k",
            "twice",
            "-d",
            device,
            "-g",
            "8x4",
            "-a",
            "image:i*3:rgba:u16",
            "-a",
            "sampler:nearest:none",
            "-a",
            "image:zero:rgba:u16",
            "--check",
            "2=i*6",
        ];
        folder.says(0, &arguments)?;
    }
    Ok(())
}

#[test]
fn kernels_run_in_order_on_the_same_memory() -> Result<()> {
    let folder = Folder::new()?;
    let arguments = [
        "k.cl", "-k", "add", "-g", "8", "-a", "buf:iota", "-a", "buf:5", "-a", "buf:zero", "-k",
        "add", "-a", "@2", "-a", "@0", "-a", "buf:zero", "--check", "5=2*i+5", "--repeat", "3",
        "--warmup", "1",
    ];
    let text = folder.says(0, &arguments)?;
    let rows: Vec<_> = text.lines().filter(|line| line.starts_with("add ")).collect();
    assert!(rows.len() == 2 && rows.iter().all(|row| row.contains("    3  ")), "{text}");
    Ok(())
}

#[test]
fn two_devices_are_compared_and_have_counters() -> Result<()> {
    let folder = Folder::new()?;
    let with =
        |more: &[&'static str]| [&ADD[..], &["--compare", "RefSi", "--counters"], more].concat();
    let text = folder.says(0, &with(&[]))?;
    assert!(text.contains("compare 2: all 100 numbers are equal\n"), "{text}");
    let row = text.lines().find(|line| line.starts_with("add") && line.contains("retired_inst"));
    let count = row.and_then(|row| row.split_whitespace().nth(2)?.parse::<u64>().ok());
    assert!(count.is_some_and(|count| count > 100), "{text}");
    // Addresses of the two devices have different sizes.
    let source = "kernel void k(global int *a) { a[2] = sizeof(size_t); }";
    fs::write(folder.path().join("other.cl"), source)?;
    let other = ["other.cl", "-g", "1", "-a", "buf:zero:i32:4", "--compare", "RefSi"];
    let output = folder.command(&other)?.env("HAL_DESCRIPTION", "RV32GCV").output()?;
    let text = String::from_utf8_lossy(&output.stdout);
    assert_eq!(output.status.code(), Some(1), "{text}");
    assert!(text.contains("compare 0: 1 of 4 numbers differ\n  [2]  "), "{text}");
    assert!(text.contains(" 8  RefSi G1 RV32 4\n"), "{text}");
    Ok(())
}

#[test]
fn files_are_read_and_written() -> Result<()> {
    let folder = Folder::new()?;
    fs::write(folder.path().join("in.txt"), "1, 2\n0x10 -4\n")?;
    let base = ["k.cl", "-k", "add", "-g", "4", "-a", "buf:file=in.txt", "-a", "buf:iota", "-a"];
    let write = ["buf:zero", "--dump", "2=out.bin", "--dump", "2=out.csv"];
    folder.says(0, &[&base[..], &write].concat())?;
    assert_eq!(fs::read_to_string(folder.path().join("out.csv"))?, "1\n3\n18\n-1\n");
    let bytes: Vec<u8> = [1_i32, 3, 18, -1].iter().flat_map(|n| n.to_le_bytes()).collect();
    assert_eq!(fs::read(folder.path().join("out.bin"))?, bytes);
    let check = ["buf:zero", "--check", "2=file=out.bin", "--check", "2=file=out.csv"];
    folder.says(0, &[&base[..], &check].concat())?;
    Ok(())
}

/// Build options, a program binary, SPIR-V, and standard input.
#[test]
fn programs_come_from_anywhere() -> Result<()> {
    let folder = Folder::new()?;
    let source = "kernel void k(global int *a, int n) { *a = n + X; }";
    fs::write(folder.path().join("x.cl"), source)?;
    let run = ["-g", "1", "-a", "buf:zero:i32", "-a", "i32:3", "--check", "0=10"];
    let with = |more: &[&'static str]| [&run[..], more].concat();
    folder.says(0, &with(&["x.cl", "--binary", "x.bin", "--", "-D", "X=7"]))?;
    folder.says(0, &with(&["x.bin"]))?;
    let text = folder.says(2, &with(&["x.cl"]))?;
    assert!(text.contains("build failed") && text.contains("undeclared identifier 'X'"), "{text}");
    let mut clang = Command::new("clang-22");
    clang.args(["--target=spirv64", "-cl-std=CL2.0", "-DX=7", "-O1", "-c", "x.cl", "-o", "x.spv"]);
    let output = clang.current_dir(folder.path()).output().context("clang-22")?;
    ensure!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    folder.says(0, &with(&["x.spv"]))?;
    let mut command = folder.command(&with(&["-", "--", "-DX=7"]))?;
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn()?;
    child.stdin.take().context("a pipe")?.write_all(source.as_bytes())?;
    let output = child.wait_with_output()?;
    ensure!(output.status.success(), "{output:?}");
    Ok(())
}

#[test]
fn every_mistake_has_a_sentence() -> Result<()> {
    let folder = Folder::new()?;
    fs::write(folder.path().join("empty.cl"), "")?;
    fs::write(folder.path().join("odd.bin"), [0; 6])?;
    fs::write(folder.path().join("junk"), [0; 64])?;
    let k = ["k.cl", "-k", "saxpy", "-g", "4", "-a"];
    let add = ["k.cl", "-k", "add", "-g", "4", "-a", "buf:iota", "-a", "buf:iota", "-a"];
    let cases: &[(&[&str], &[&str], &str)] = &[
        (&[], &["absent.cl", "-g", "1"], "absent.cl: No such file"),
        (&[], &["empty.cl", "-g", "1"], "empty.cl is empty"),
        (&[], &["junk", "-g", "1"], "clCreateProgramWithBinary: CL_INVALID_BINARY (-42)"),
        (&[], &["k.cl"], "-g is missing"),
        (&[], &[], "required arguments were not provided"),
        (&[], &["k.cl", "-g", "1"], "several kernels; choose one by -k: add, saxpy"),
        (&[], &["k.cl", "-k", "sub", "-g", "1"], "no kernel is named sub; the program has add,"),
        (&[], &["k.cl", "-g", "4y"], "-g 4y: one to three numbers"),
        (&[], &["k.cl", "-g", "0"], "a size is at least 1"),
        (&[], &["k.cl", "-g", "4x4", "-l", "2"], "-l has 1 dimension(s), -g has 2"),
        (&[], &["k.cl", "-g", "4", "-g", "5"], "has a -g already"),
        (&[], &["k.cl", "-g", "4", "-d", "9"], "there is no device 9:\n 0 "),
        (&[], &["k.cl", "-g", "4", "-d", "gpu"], "no device is named `gpu`"),
        (&[], &["k.cl", "-g", "4", "-d", "muxcl"], "several devices are named `muxcl`"),
        (&[], &["--driver", "./absent.so", "--list-devices"], "the driver ./absent.so: No such"),
        (&k, &["buf:zero"], "saxpy has 3 parameter(s) (global float* y, global float* x, float a)"),
        (&k, &["3", "-a", "buf:0", "-a", "1"], "argument 0 (global float* y): it takes a buffer"),
        (&k, &["buf:0", "-a", "buf:0", "-a", "buf:0"], "argument 2 (float a): it takes a number"),
        (&k, &["buf:0", "-a", "buf:0", "-a", "i8:1"], "the parameter is f32, not i8"),
        (&k, &["buf:0", "-a", "buf:0", "-a", "1e99"], "too large for f32"),
        (&k, &["buf:0", "-a", "buf:0", "-a", "1,2"], "f32 has 1 component(s), and 2 numbers"),
        (&k, &["buf:zreo", "-a", "buf:0", "-a", "1"], "`zreo` is not known"),
        (&k, &["buf:file=odd.bin", "-a", "buf:0", "-a", "1"], "not whole elements of f32"),
        (&k, &["buf:file=absent", "-a", "buf:0", "-a", "1"], "absent: No such file"),
        (&k, &["buf:0:f32:99999999999999", "-a", "@0", "-a", "1"], "more than a device allocates"),
        (&k, &["@1", "-a", "buf:0", "-a", "1"], "no argument before this one has the number 1"),
        (&k, &["buf:zero:4096"], "a type precedes the number of elements"),
        (&add, &["buf:0", "--print", "3"], "--print 3: there is no argument 3"),
        (&add, &["buf:0", "--print", "c"], "`c` begins with no argument's number"),
        (&add, &["buf:0", "--print", "2:0..9"], "`0..9` is no range FROM..TO of 4 elements"),
        (&add, &["buf:0", "--check", "2"], "--check 2: N=FILL"),
        (&add, &["buf:0", "--check", "2=a5[i]"], "--check 2=a5[i]: a5 is no buffer"),
        (&add, &["buf:0", "--dump", "2=no/where"], "no/where: No such file"),
        (&add, &["buf:0", "-l", "3"], "CL_INVALID_WORK_GROUP_SIZE"),
    ];
    for (first, rest, part) in cases {
        let text = folder.says(2, &[*first, *rest].concat())?;
        assert!(text.starts_with("error: ") && text.contains(part), "{rest:?}: {text}");
    }
    let k = ["-k", "scale", "-g", "4", "-a", "buf:0:f32x3", "-a"];
    for (rest, part) in [
        (&["1,2", "-a", "local:8"][..], "f32x4 has 4 component(s), and 2 numbers"),
        (&["buf:0", "-a", "local:8"], "it takes 4 numbers with commas between them"),
        (&["1,2,3,4", "-a", "buf:0"], "argument 2 (local int* l): it takes local memory"),
    ] {
        let text = folder.says(2, &[&["k.cl"][..], &k, rest].concat())?;
        assert!(text.contains(part), "{rest:?}: {text}");
    }
    let take = ["k.cl", "-k", "take", "-g", "1", "-a"];
    let text = folder.says(2, &[&take[..], &["1", "-a", "null"]].concat())?;
    assert!(text.contains("its type is no number"), "{text}");
    Ok(())
}

#[test]
fn devices_are_listed() -> Result<()> {
    let text = Folder::new()?.says(0, &["--list-devices"])?;
    let rows: Vec<_> = text.lines().collect();
    assert_eq!(rows.len(), 2, "{text}");
    assert!(rows[0].starts_with(" 0  ") && rows[0].contains("  muxcl  OpenCL 3."), "{text}");
    assert!(rows[1].starts_with(" 1  RefSi G1"), "{text}");
    Ok(())
}
