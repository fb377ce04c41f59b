//! `clc` and `cl_offline_compiler` as their users start them.
#![expect(clippy::unwrap_used, reason = "a test may fail anywhere")]

use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use muxcl_types::container::{Binary, BinaryKind};
use tempfile::TempDir;

const ADD: &str = "kernel void add(global int *a, int b) { a[get_global_id(0)] += b; }\n";

/// A folder with files, in which the compiler runs.
struct Folder(TempDir);

/// What a program did.
struct Outcome {
    good: bool,
    status: Option<i32>,
    stdout: Vec<u8>,
    stderr: String,
}

impl Folder {
    fn with(files: &[(&str, &str)]) -> Self {
        let folder = tempfile::tempdir().unwrap();
        for (name, text) in files {
            fs::write(folder.path().join(name), text).unwrap();
        }
        Self(folder)
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn start(&self, program: &str, arguments: &str, input: &[u8]) -> Outcome {
        let mut child = Command::new(program)
            .args(arguments.split_whitespace())
            .current_dir(self.0.path())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        child.stdin.take().unwrap().write_all(input).unwrap();
        let output = child.wait_with_output().unwrap();
        Outcome {
            good: output.status.success(),
            status: output.status.code(),
            stdout: output.stdout,
            stderr: String::from_utf8(output.stderr).unwrap(),
        }
    }

    fn clc(&self, arguments: &str) -> Outcome {
        self.start(env!("CARGO_BIN_EXE_clc"), arguments, b"")
    }

    /// The standard output of a compilation that succeeds.
    fn text(&self, arguments: &str) -> String {
        let outcome = self.clc(arguments);
        assert!(outcome.good, "{arguments}: {}", outcome.stderr);
        String::from_utf8(outcome.stdout).unwrap()
    }

    /// The program binary in a file.
    fn binary(&self, name: &str) -> Binary {
        Binary::from_bytes(&fs::read(self.path(name)).unwrap()).unwrap()
    }

    /// The log of a program that is wrong.
    fn error(&self, arguments: &str) -> String {
        let outcome = self.clc(arguments);
        assert_eq!(outcome.status, Some(1), "{arguments}: {}", outcome.stderr);
        outcome.stderr
    }

    /// The message about anything else that is wrong.
    fn refused(&self, arguments: &str) -> String {
        let outcome = self.clc(arguments);
        assert_eq!(outcome.status, Some(2), "{arguments}: {}", outcome.stderr);
        outcome.stderr
    }
}

#[test]
fn a_program_binary_has_kernels_and_code() {
    let folder = Folder::with(&[("add.cl", ADD)]);
    assert!(folder.clc("-cl-std=CL3.0 -DN=3 add.cl").good);
    let binary = folder.binary("add.bin");
    assert_eq!(binary.kind, BinaryKind::Executable);
    assert_eq!(binary.info.kernels[0].name, "add");
    assert!(binary.elf.starts_with(b"\x7fELF"), "code for any local size");
    assert!(binary.options.starts_with("-cl-std=CL3.0 -DN=3"), "{}", binary.options);
    assert!(folder.clc("--strip-binary-header -cl-std=CL3.0 -DN=3 add.cl -o raw").good);
    assert!(fs::read(folder.path("raw")).unwrap() == binary.elf, "the same ELF without a header");
}

#[test]
fn devices_that_this_machine_lacks_get_their_own_code() {
    let folder = Folder::with(&[("add.cl", ADD)]);
    let m1 = folder.text("-d refsi-m1 -S add.cl -o -");
    assert!(m1.contains("vsetvli") || m1.contains("vsetivli"), "{m1}");
    let plain = folder.text("-d refsi-g1 --isa RV64IMAC -S add.cl -o -");
    assert!(!plain.contains("vset") && plain.contains("ret"), "{plain}");
    let local = "-S add.cl --kernel add --local 64 -o -";
    let wide = folder.text(&format!("--cpu x86-64-v4 {local}"));
    let narrow = folder.text(&format!("--cpu x86-64-v2 {local}"));
    assert!(wide.contains("%ymm") || wide.contains("%zmm"), "{wide}");
    assert!(narrow.contains("%xmm") && !narrow.contains("%ymm"), "{narrow}");
    assert!(folder.clc("-d refsi-g1-rv32 add.cl -o rv32").good);
    assert_eq!(folder.binary("rv32").target, "riscv32");
}

/// The driver refuses the binary on a machine without these features.
#[test]
fn a_binary_names_the_features_of_a_named_processor() {
    let folder = Folder::with(&[("add.cl", ADD)]);
    let features = |arguments: &str| {
        let outcome = folder.clc(&format!("{arguments} add.cl -o binary"));
        assert!(outcome.good, "{}", outcome.stderr);
        folder.binary("binary").features
    };
    let has = |list: &str, name: &str| list.split(',').any(|f| f == name);
    let v3 = features("--cpu x86-64-v3");
    assert!(has(&v3, "+avx2") && !has(&v3, "+avx512f"), "{v3}");
    let v4 = features("--cpu x86-64-v4 --features +avx512fp16,-avx512cd");
    assert!(has(&v4, "+avx512f") && has(&v4, "+avx512fp16"), "{v4}");
    assert!(!has(&v4, "+avx512cd"), "{v4}");
    let error = folder.refused("--cpu pentium-9 add.cl");
    assert!(error.contains("no processor `pentium-9`"), "{error}");
}

#[test]
fn each_kind_of_output_is_written() {
    let folder = Folder::with(&[("add.cl", ADD)]);
    let program = folder.text("--emit=llvm add.cl -o -");
    assert!(program.contains("define") && program.contains("@add("), "{program}");
    let kernel = folder.text("--emit=kernel-llvm --kernel add --local 8,4 add.cl -o -");
    assert!(kernel.contains("@muxcl.kernel.add("), "{kernel}");
    assert!(folder.clc("--emit=bitcode add.cl").good);
    assert!(fs::read(folder.path("add.bc")).unwrap().starts_with(b"BC\xc0\xde"));
    assert!(folder.clc("--emit=elf --kernel add --local 64 add.cl").good);
    assert!(fs::read(folder.path("add.elf")).unwrap().starts_with(b"\x7fELF"));
    let error = folder.refused("--emit=asm --kernel sub add.cl");
    assert!(error.contains("no kernel is named `sub`; the program has add"), "{error}");
}

#[test]
fn sources_objects_and_libraries_are_linked() {
    let folder = Folder::with(&[
        ("a.cl", "int twice(int); kernel void k(global int *p) { *p = twice(*p); }"),
        ("b.cl", "int once(int); int twice(int x) { return once(x) + once(x); }"),
        ("c.cl", "int once(int x) { return x; }"),
    ]);
    assert!(folder.clc("a.cl b.cl c.cl -o all.bin").good);
    assert_eq!(folder.binary("all.bin").kind, BinaryKind::Executable);
    assert!(folder.clc("-c a.cl b.cl").good);
    assert_eq!(folder.binary("a.o").kind, BinaryKind::CompiledObject);
    assert!(folder.clc("-create-library c.cl -o c.lib").good);
    assert_eq!(folder.binary("c.lib").kind, BinaryKind::Library);
    assert!(folder.clc("a.o b.o c.lib -o linked.bin").good);
    assert!(folder.binary("linked.bin").info.kernel("k").is_some());
    let error = folder.error("a.o c.cl -o wrong.bin");
    assert!(error.contains("twice"), "{error}");
    assert!(folder.refused("-c a.o").contains("would be replaced"));
    assert!(folder.refused("-c a.o -o again.o").contains("compiled already"));
    assert!(folder.refused("--emit=asm -c a.cl").contains("no machine code"));
    assert!(folder.refused("-c a.cl b.cl -o x").contains("single input"));
}

#[test]
fn standard_input_and_output_are_files_too() {
    let folder = Folder::with(&[]);
    let clc = env!("CARGO_BIN_EXE_clc");
    let outcome = folder.start(clc, "-", ADD.as_bytes());
    assert!(outcome.good, "{}", outcome.stderr);
    assert!(Binary::from_bytes(&outcome.stdout).unwrap().info.kernel("add").is_some());
    let outcome = folder.start(clc, "- -o x.bin", b"kernel void k() { x; }");
    assert!(!outcome.good && outcome.stderr.starts_with("<stdin>:1:19: error:"));
    assert!(!folder.path("x.bin").exists());
}

#[test]
fn diagnostics_show_the_source_and_have_colors_on_request() {
    let wrong = "kernel void k(global int *p) {\n  *p = valu;\n}\n";
    let folder = Folder::with(&[("wrong.cl", wrong), ("warn.cl", "kernel void k() { int x; }")]);
    let plain = folder.error("wrong.cl");
    assert!(plain.contains("wrong.cl:2:8: error: use of undeclared identifier 'valu'"), "{plain}");
    assert!(plain.contains("  *p = valu;") && plain.contains('^'), "{plain}");
    assert!(!plain.contains('\x1b'), "no terminal, no colours: {plain}");
    let colored = folder.error("--color=always wrong.cl");
    assert!(colored.contains("\x1b[91merror: "), "{colored}");
    let warning = folder.clc("-Werror warn.cl");
    assert!(warning.good && warning.stderr.is_empty(), "{}", warning.stderr);
}

#[test]
fn dependencies_are_a_rule_for_make() {
    let folder = Folder::with(&[("a.cl", "#include \"a.h\"\nkernel void k() { F(); }")]);
    fs::create_dir(folder.path("more")).unwrap();
    fs::write(folder.path("a.h"), "#include <b.h>\n").unwrap();
    fs::write(folder.path("more/b.h"), "#define F()\n").unwrap();
    let outcome = folder.clc("-I more -MD a.cl -o out.bin");
    assert!(outcome.good, "{}", outcome.stderr);
    let rule = fs::read_to_string(folder.path("out.d")).unwrap();
    assert!(rule.starts_with("out.bin: \\\n  a.cl"), "{rule}");
    assert!(rule.contains("a.h") && rule.contains("more/b.h"), "{rule}");
    assert!(folder.clc("-I more -MF rule a.cl -o -").good);
    assert!(fs::read_to_string(folder.path("rule")).unwrap().starts_with("-:"));
    // Headers lie beside the source, wherever the compiler runs.
    fs::create_dir(folder.path("elsewhere")).unwrap();
    let outcome = Command::new(env!("CARGO_BIN_EXE_clc"))
        .args(["-I../more", "../a.cl"])
        .current_dir(folder.path("elsewhere"))
        .output()
        .unwrap();
    assert!(outcome.status.success(), "{}", String::from_utf8_lossy(&outcome.stderr));
    assert!(folder.path("elsewhere/a.bin").exists());
}

/// A SPIR-V module of [`ADD`], named `add.spv`.
fn with_spirv() -> Folder {
    let folder = Folder::with(&[("add.cl", ADD)]);
    let status = Command::new("clang-22")
        .args(["--target=spirv64", "-cl-std=CL3.0", "-O1", "-c", "add.cl", "-o", "add.spv"])
        .current_dir(folder.0.path())
        .status()
        .unwrap();
    assert!(status.success());
    folder
}

#[test]
fn spirv_is_compiled() {
    let folder = with_spirv();
    let assembly = folder.text("-S add.spv -o -");
    assert!(assembly.contains("muxcl.kernel.add"), "{assembly}");
    assert!(folder.clc("-c add.spv").good);
    assert!(folder.clc("-d refsi-m1 -c add.spv -o m1.o").good);
    assert_eq!(folder.binary("add.o").kind, BinaryKind::CompiledObject);
    assert!(folder.clc("add.o -o linked.bin").good);
    assert!(folder.binary("linked.bin").info.kernel("add").is_some());
    let error = folder.error("m1.o -o linked.bin");
    assert!(error.contains("riscv64"), "{error}");
}

#[test]
fn wrong_inputs_and_outputs_are_one_sentence() {
    let folder = with_spirv();
    let spirv = fs::read(folder.path("add.spv")).unwrap();
    fs::write(folder.path("cut.spv"), &spirv[..spirv.len() / 2]).unwrap();
    fs::write(folder.path("head.spv"), &spirv[..5]).unwrap();
    for name in ["cut.spv", "head.spv"] {
        let log = folder.error(name);
        assert!(log.starts_with(&format!("{name}: error: ")) && log.lines().count() == 1, "{log}");
    }
    assert!(folder.clc("--emit=bitcode add.cl").good);
    assert!(folder.clc("--emit=elf add.cl").good);
    assert!(folder.clc("add.cl").good);
    let binary = fs::read(folder.path("add.bin")).unwrap();
    fs::write(folder.path("cut.bin"), &binary[..binary.len() - 1]).unwrap();
    fs::create_dir(folder.path("folder")).unwrap();
    for (arguments, message) in [
        ("nothing.cl", "cannot read nothing.cl: No such file or directory"),
        ("folder", "cannot read folder: Is a directory"),
        ("add.bc", "add.bc is LLVM bitcode; clc takes OpenCL C, SPIR-V and what"),
        ("add.elf", "add.elf is an ELF file; clc takes"),
        ("cut.bin", "cut.bin: program binary is damaged"),
        ("add.cl -o folder", "cannot write folder: Is a directory"),
        ("add.cl -o none/x", "cannot write none/x: No such file or directory"),
        ("add.cl -MF none/x", "cannot write none/x: No such file or directory"),
        ("add.cl -MD -o -", "-MD needs -MF FILE"),
        ("add.cl -o add.cl", "add.cl is an input and would be replaced"),
        ("add.bin", "add.bin is an input and would be replaced"),
        ("add.cl -d nothing", "no device is named `nothing`; there are host, refsi-g1"),
        ("add.cl --hal nothing", "the HAL library `nothing` cannot be used: "),
        ("add.cl --hal ./nothing.so", "the HAL library `./nothing.so` cannot be used: "),
        ("add.cl -cl-nothing", "unknown build option '-cl-nothing'"),
        ("-c add.cl -cl-nothing", "unknown compile option '-cl-nothing'"),
        ("add.cl -cl-std=CL9.9", "'-cl-std=CL9.9'"),
        ("add.cl -D", "option '-D' needs a value"),
        ("add.cl -enable-link-options", "needs '-create-library'"),
        ("add.cl --local 4 --emit=asm", "--kernel <NAME>"),
        ("add.cl --kernel add", "--kernel goes with"),
        ("add.cl --kernel add --emit=asm --local 0", "0 is not a number of work-items"),
        ("add.cl --nothing", "unexpected argument '--nothing'"),
        ("add.cl --options '", "a quote without an end"),
        ("add.cl --isa RV64GC", "--isa and --vlen belong to RefSi devices"),
    ] {
        let text = folder.refused(arguments);
        assert!(text.contains(message), "{arguments}: {text}");
        // clap shows the usage below its sentence.
        let ours = text.starts_with("clc: error: ");
        assert!(!ours || text.lines().count() == 1, "{arguments}: {text}");
    }
    // The input is as it was.
    assert_eq!(fs::read_to_string(folder.path("add.cl")).unwrap(), ADD);
}

/// The options of section 5.8.6 of the OpenCL specification.
#[test]
fn every_build_option_reaches_the_compiler() {
    let folder = Folder::with(&[("add.cl", ADD)]);
    for option in [
        "-DA",
        "-D A=1",
        "-U A",
        "-Ifolder",
        "-I folder",
        "-cl-single-precision-constant",
        "-cl-denorms-are-zero",
        "-cl-fp32-correctly-rounded-divide-sqrt",
        "-cl-opt-disable",
        "-cl-mad-enable",
        "-cl-no-signed-zeros",
        "-cl-unsafe-math-optimizations",
        "-cl-finite-math-only",
        "-cl-fast-relaxed-math",
        "-cl-uniform-work-group-size",
        "-cl-no-subgroup-ifp",
        "-w",
        "-Werror",
        "-cl-std=CL1.2",
        "-cl-std=CL3.0",
        "-cl-std=CLC++2021",
        "-cl-kernel-arg-info",
        "-g",
        "-gline-tables-only",
    ] {
        assert!(folder.clc(&format!("-c add.cl {option} -o x.o")).good, "{option}");
        assert_eq!(folder.binary("x.o").options, option);
    }
    assert!(folder.clc("-create-library -enable-link-options add.cl -o x.lib").good);
    assert_eq!(folder.binary("x.lib").options, "-create-library -enable-link-options");
    // The linker takes no options of the compiler, as in the driver.
    let error = folder.refused("x.lib -cl-mad-enable -o y");
    assert!(error.contains("unknown link option '-cl-mad-enable'"), "{error}");
}

#[test]
fn devices_are_listed() {
    let folder = Folder::with(&[("add.cl", ADD)]);
    let list = folder.text("--list-devices");
    let names: Vec<&str> = list.lines().filter_map(|line| line.split(' ').next()).collect();
    assert_eq!(names, ["host", "refsi-g1", "refsi-m1", "refsi-g1-rv32"]);
    assert!(list.contains("RefSi M1 (RV64"), "{list}");
    let more = folder.text("--list-devices --hal refsi");
    assert!(more.contains("refsi-0") && more.lines().count() == 5, "{more}");
    assert!(folder.clc("-d refsi-0 --hal refsi add.cl -o hal.bin").good);
    assert!(folder.clc("-d refsi-g1 add.cl -o described.bin").good);
    let (hal, described) = (folder.binary("hal.bin"), folder.binary("described.bin"));
    assert!(hal == described, "a description is the device's");
}

/// The arguments are those of the CTS's `kernelHelpers.cpp`.
#[test]
fn the_cts_gets_program_binaries() {
    let info = |name: &str, bits: u32| {
        format!(
            "# OpenCL device info affecting binary offline compilation:\n\
             CL_DEVICE_ADDRESS_BITS={bits}\nCL_DEVICE_EXTENSIONS=\"cl_khr_fp64\"\n\
             CL_DEVICE_VERSION=\"OpenCL 3.1 muxcl\"\nCL_DEVICE_IMAGE_SUPPORT=1\n\
             CL_DEVICE_NAME=\"{name}\"\n"
        )
    };
    let folder = Folder::with(&[
        ("add.cl", "kernel void add(global TYPE *a) { a[0] += 1; }"),
        ("m1.txt", &info("RefSi M1", 64)),
        ("bits.txt", &info("RefSi M1", 32)),
        ("other.txt", &info("Some GPU", 64)),
    ]);
    let compile = |mode: &str, info: &str, options: &str| {
        let arguments = format!(
            "--mode={mode} --source=add.cl --output=out --cl-device-info={info} -- {options}"
        );
        folder.start(env!("CARGO_BIN_EXE_cl_offline_compiler"), &arguments, b"")
    };
    let outcome = compile("binary", "m1.txt", "-DTYPE=float -cl-std=CL3.0");
    assert!(outcome.good, "{}", outcome.stderr);
    let binary = folder.binary("out");
    assert_eq!((binary.target.as_str(), binary.kind), ("riscv64", BinaryKind::Executable));
    for (mode, info, options, error) in [
        ("spir-v", "m1.txt", "", "program binaries only"),
        ("binary", "bits.txt", "", "32 bits"),
        ("binary", "other.txt", "", "no device `Some GPU`"),
        ("binary", "m1.txt", "", "add.cl:1:24: error: unknown type name 'TYPE'"),
    ] {
        let outcome = compile(mode, info, options);
        assert!(!outcome.good && outcome.stderr.contains(error), "{}", outcome.stderr);
    }
}

#[test]
fn the_page_shows_real_sessions() {
    let clc = Path::new(env!("CARGO_BIN_EXE_clc")).parent().unwrap().to_owned();
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/tools/clc.md");
    muxcl_test_doc_sessions::check(&page, &[clc], &[]).unwrap();
}
