//! The program's output for OpenCL C, IR and bitcode, and its messages.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use anyhow::{Result, ensure};
use muxcl_llvm::{Context, Module};
use muxcl_passes::codegen::catalogue;
use tempfile::TempDir;

const SOURCE: &str = "kernel void scale(global float *v, float by) {
  v[get_global_id(0)] *= by;
}
kernel void total(global int *sum, local int *part) {
  part[get_local_id(0)] = get_global_id(0);
  barrier(CLK_LOCAL_MEM_FENCE);
  if (get_local_id(0) == 0) atomic_add(sum, part[get_local_size(0) - 1]);
}
";

const IR: &str = "target triple = \"spir64-unknown-unknown\"
define spir_kernel void @k(ptr addrspace(1) %a, i32 %n) {
  %x = udiv i32 7, %n
  store i32 %x, ptr addrspace(1) %a
  ret void
}
";

struct Folder(TempDir);

impl Folder {
    fn new() -> Result<Self> {
        let folder = tempfile::tempdir()?;
        fs::write(folder.path().join("k.cl"), SOURCE)?;
        fs::write(folder.path().join("k.ll"), IR)?;
        Ok(Self(folder))
    }

    fn write(&self, name: &str, content: impl AsRef<[u8]>) -> Result<()> {
        Ok(fs::write(self.0.path().join(name), content)?)
    }

    fn run(&self, arguments: &[&str]) -> Result<Output> {
        let mut command = Command::new(env!("CARGO_BIN_EXE_muxc"));
        Ok(command.current_dir(self.0.path()).args(arguments).output()?)
    }

    fn prints(&self, arguments: &[&str]) -> Result<String> {
        let output = self.run(arguments)?;
        let error = String::from_utf8_lossy(&output.stderr);
        ensure!(output.status.success() && error.is_empty(), "{arguments:?}: {error}");
        Ok(String::from_utf8(output.stdout)?)
    }

    fn refuses(&self, arguments: &[&str]) -> Result<String> {
        let output = self.run(arguments)?;
        ensure!(!output.status.success() && output.stdout.is_empty(), "{arguments:?}: {output:?}");
        Ok(String::from_utf8(output.stderr)?)
    }
}

#[test]
fn a_list_of_passes_runs_on_every_kind_of_input() -> Result<()> {
    let folder = Folder::new()?;
    let passes = ["--passes", "guard-divisions,llvm(instcombine)"];
    let context = Context::new();
    folder.write("k.bc", Module::parse_text(&context, IR)?.to_bitcode())?;
    for file in ["k.ll", "k.bc"] {
        let text = folder.prints(&[&[file][..], &passes].concat())?;
        assert!(text.contains("umax") && text.contains("udiv i32 7, %"), "{text}");
        let text = folder.prints(&[file, "--passes", "llvm(instcombine)"])?;
        assert!(text.contains("udiv i32 7, %n"), "{text}");
    }
    let clean = "prepare,link-builtins,retarget,lower-opaque,internalise,inline-barriers,clean";
    let text = folder.prints(&["k.cl", "--passes", clean, "--function", "scale"])?;
    assert!(text.contains("fmul float") && !text.contains("alloca"), "{text}");
    assert!(!text.contains("@total") && !text.contains("!dbg"), "{text}");
    let text = folder.prints(&["k.cl", "--passes", "prepare", "--", "-g"])?;
    assert!(text.contains("!dbg"), "{text}");
    Ok(())
}

#[test]
fn the_groups_do_what_the_pipeline_does() -> Result<()> {
    let folder = Folder::new()?;
    let list = "constructors,prepare,lower-blocks,guard-divisions,scalable-variants,link-builtins,\
        retarget,lower-opaque,internalise,keep-calls,inline-barriers,clean,check-recursion,\
        check-types,split-vectors,printf,global-ids,unroll-private,lower,lanes";
    for device in ["host", "refsi-g1", "refsi-m1", "RV32GCV"] {
        let scale = ["k.cl", "--device", device, "--kernel", "scale", "--local", "64"];
        let function =
            ["--function", "muxcl.kernel.scale", "--function", "muxcl.kernel.scale.groups"];
        let with = |more: &[&'static str]| [&scale[..], &function, more].concat();
        let pipeline = folder.prints(&with(&["--print-after", "vecz"]))?;
        let (_, pipeline) = pipeline.split_once('\n').unwrap_or_default();
        let listed = folder.prints(&with(&["--passes", list]))?;
        // Numbers of attributes and metadata depend on the rest of the module.
        let plain = |text: &str| -> Vec<String> {
            let words =
                text.split([' ', '\n']).filter(|w| !w.is_empty() && !w.starts_with(['#', '!']));
            words.map(|word| word.trim_end_matches(',').to_owned()).collect()
        };
        assert!(listed.contains("define"), "{listed}");
        assert_eq!(plain(&listed), plain(pipeline), "{device}:\n{listed}\n{pipeline}");
    }
    Ok(())
}

/// Passes that run within groups only, or that are no passes.
const INSIDE: [&str; 14] = [
    "select-kernel",
    "join-groups",
    "cross-lane",
    "work-item-params",
    "work-item-loops",
    "interior-groups",
    "interior-iterations",
    "kernel-abi",
    "tune",
    "canonical-loops",
    "vecz",
    "simplify",
    "loops",
    "emit",
];

#[test]
fn the_catalogue_has_the_names_of_the_pipeline() -> Result<()> {
    let folder = Folder::new()?;
    let known: BTreeSet<&str> = catalogue::ALL.iter().map(|pass| pass.name).chain(INSIDE).collect();
    let local = ["--local", "64", "--seen", "16", "--uniform", "--trace"];
    for device in ["host", "refsi-m1"] {
        let text = folder.prints(&[&["k.cl", "--device", device][..], &local].concat())?;
        let unknown: Vec<_> = text.lines().filter(|name| !known.contains(name)).collect();
        assert!(unknown.is_empty() && text.contains("join-groups\n"), "{unknown:?} in {text}");
    }
    let listed = folder.prints(&["--list-passes"])?;
    assert_eq!(listed.lines().count(), catalogue::ALL.len() + 1);
    Ok(())
}

/// Every pass of the catalogue takes the module that it gets in the pipeline, and one that it has
/// changed already.
#[test]
fn every_pass_runs_alone() -> Result<()> {
    let folder = Folder::new()?;
    let all: Vec<&str> = catalogue::ALL.iter().map(|pass| pass.name).collect();
    let text = folder.prints(&["k.cl", "--passes", &all.join(","), "--trace"])?;
    assert!(text.ends_with("scheduling-boundaries\n"), "{text}");
    for name in all.iter().filter(|name| !["lower", "link-builtins"].contains(name)) {
        let twice = format!("prepare,{name},{name}");
        folder.prints(&["k.cl", "--passes", &twice, "--trace"])?;
    }
    Ok(())
}

#[test]
fn stages_are_printed() -> Result<()> {
    let folder = Folder::new()?;
    let text = folder.prints(&["k.cl"])?;
    assert_eq!(text.matches("; ==== after scheduling-boundaries ====\n").count(), 2, "{text}");
    let list = ["k.ll", "--passes", "prepare,guard-divisions,llvm(sroa)"];
    let all = folder.prints(&[&list[..], &["--print-after-all"]].concat())?;
    let stages: Vec<_> = all.lines().filter(|line| line.starts_with("; ====")).collect();
    assert_eq!(
        stages,
        [
            "; ==== after prepare ====",
            "; ==== after guard-divisions ====",
            "; ==== after llvm ===="
        ]
    );
    let some = folder.prints(&[&list[..], &["--print-after", "guard-*,llvm"]].concat())?;
    assert!(!some.contains("prepare ===="), "{some}");
    folder.prints(&[&list[..], &["-o", "out.ll"]].concat())?;
    let written = fs::read_to_string(folder.0.path().join("out.ll"))?;
    assert_eq!(written, folder.prints(&list)?);
    folder.prints(&["out.ll", "--passes", "guard-divisions"])?;
    Ok(())
}

#[test]
fn every_mistake_has_a_sentence() -> Result<()> {
    let folder = Folder::new()?;
    folder.write("bad.ll", IR.replace("%x, ptr", "%y, ptr"))?;
    folder.write("bad.cl", "kernel void k() {\n  x = 1;\n}\n")?;
    folder.write("damaged.bc", b"BC\xc0\xde rest")?;
    folder.write("bytes.ll", [0xff, 0xfe])?;
    let recursive = "int f(int n) { return n < 2 ? 1 : f(n - 1) + f(n - 2); }
        kernel void k(global int *a) { *a = f(*a); }";
    folder.write("recursive.cl", recursive)?;
    let cases: &[(&[&str], &str)] = &[
        (&["absent.cl"], "absent.cl: No such file"),
        (&["bad.ll"], "bad.ll does not compile: cannot read the module: text:4:13: error: use of"),
        (&["bad.cl"], ":2:3: error: use of undeclared identifier 'x'"),
        (&["damaged.bc"], "damaged.bc does not compile: cannot read the module"),
        (&["bytes.ll"], "bytes.ll: it is not text"),
        (&["recursive.cl"], "kernel 'k' is recursive: f calls f"),
        (&["k.cl", "--passes", "prepare,sroa"], "no pass is named `sroa`; --list-passes shows"),
        (&["k.cl", "--passes", "llvm(sroa"], "a `(` without a `)` in the passes"),
        (&["k.cl", "--passes", "llvm(soar)"], "in llvm(soar): unknown pass name 'soar'"),
        (&["k.cl", "--passes", "lower"], "in the pass lower: the module has no kernel; the pass"),
        (&["k.cl", "--passes", "lanes", "--scalar"], "the target has no lanes of vectors"),
        (&["k.cl", "--kernel", "x"], "no kernel is named x; the program has scale, total"),
        (&["k.cl", "--print-after", "x"], "no pass that ran is named x; --trace shows"),
        (&["k.cl", "--device", "gpu"], "--device gpu: host, refsi-g1, refsi-m1 or an instruction"),
        (&["k.cl", "--device", "refsi-g1", "--cpu", "znver3"], "--cpu is of the device host"),
        (&["k.cl", "--vlen", "128"], "--vlen is of RISC-V devices"),
        (&["k.cl", "--lanes", "3"], "not a power of two"),
        (&["k.cl", "--", "-cl-std=CL9"], "CL9"),
        (&[], "required arguments were not provided"),
    ];
    for (arguments, part) in cases {
        let text = folder.refuses(arguments)?;
        assert!(text.starts_with("error: ") && text.contains(part), "{arguments:?}: {text}");
    }
    Ok(())
}

#[test]
fn the_page_shows_what_the_program_prints() -> Result<()> {
    let program = Path::new(env!("CARGO_BIN_EXE_muxc"));
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/tools/muxc.md");
    let folders: Vec<_> = program.parent().map(Path::to_owned).into_iter().collect();
    muxcl_test_doc_sessions::check(&page, &folders, &[])
}
