//! HAL libraries across languages: a C++ library used from Rust, a Rust library used from Rust and
//! from C++, and files that are no HAL library. Needs `g++`.

use muxcl_hal::profiler::{Call, Profiler, read};
use muxcl_hal::search::{Options, load};
use muxcl_hal::target::Target;
use muxcl_hal::{Argument, Hal, HalError, NdRange, Properties, load_library};
use std::path::{Path, PathBuf};
use std::process::Command;
use tempfile::TempDir;

fn folder() -> TempDir {
    tempfile::tempdir().expect("a temporary folder")
}

/// Compiles a file of `tests/cxx`.
fn compile(source: &str, out: &Path, flags: &[&str]) {
    compile_with(&include(), source, out, flags)
}

fn include() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../hal-abi/include")
}

fn compile_with(include: &Path, source: &str, out: &Path, flags: &[&str]) {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let output = Command::new("g++")
        .args(["-std=c++17", "-O1", "-Wall", "-Wextra", "-fPIC", "-I"])
        .arg(include)
        .arg(here.join("tests/cxx").join(source))
        .args(flags)
        .arg("-o")
        .arg(out)
        .arg("-ldl")
        .output()
        .expect("g++ starts");
    assert!(
        output.status.success() && output.stderr.is_empty(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
}

fn open(path: &Path) -> Result<Box<dyn Hal>, HalError> {
    // SAFETY: the tests build these libraries.
    unsafe { load_library(path) }
}

fn cxx(folder: &TempDir, name: &str, flags: &[&str]) -> PathBuf {
    let out = folder.path().join(format!("libhal_{name}.so"));
    compile("host.cpp", &out, &[&["-shared"], flags].concat());
    out
}

/// The Rust HAL of `examples/`, which `cargo test` builds beside the tests.
fn echo() -> PathBuf {
    let program = std::env::current_exe().expect("this program");
    let folder = program.parent().and_then(Path::parent).expect("target folder");
    let path = folder.join("examples/libhal_echo.so");
    assert!(path.exists(), "{} is built by a `cargo test` of the whole package", path.display());
    path
}

fn drive(hal: &dyn Hal, local: bool) {
    let device = hal.create_device(0).expect("a device");
    device.enable_counters(true);
    let buffers = [0; 3].map(|_| device.alloc(400, 64).expect("memory"));
    let words: Vec<u8> = (0..100u32).flat_map(|i| (i * 3).to_le_bytes()).collect();
    device.write(buffers[0], &words).expect("write");
    device.fill(buffers[1], &9u32.to_le_bytes(), 400).expect("fill");
    assert!(device.fill(buffers[1], &[], 400).is_err());
    let program = device.load(b"\x7fELF and so on").expect("a program");
    assert_eq!(device.find(program, c"none"), Err(HalError::NoKernel("none".to_owned())));
    let kernel = device.find(program, c"add").expect("a kernel");
    let mut args = buffers.map(|address| Argument::Global { address, size: 400 }).to_vec();
    if local {
        args.push(Argument::Local { size: 32 });
    }
    let bias = 1000u32.to_le_bytes();
    args.push(Argument::Value(&bias));
    let range = NdRange { offset: [0; 3], global: [100, 1, 1], local: [10, 1, 1] };
    device.execute(program, kernel, &range, &args, 1).expect("it runs");
    assert!(device.execute(program, kernel, &range, &args[1..], 1).is_err());
    assert!(device.execute(program, kernel, &range, &args, 4).is_err());
    device.copy(buffers[0], buffers[2], 400).expect("copy");
    let mut result = vec![0; 400];
    device.read(buffers[0], &mut result).expect("read");
    let expected: Vec<u8> = (0..100u32).flat_map(|i| (i * 3 + 9 + 1000).to_le_bytes()).collect();
    assert_eq!(result, expected);
    assert!(matches!(device.alloc(1 << 40, 1), Err(HalError::OutOfMemory { .. })));
    let info = hal.device_info(0).expect("a description");
    let mut profiler = Profiler::new(Vec::new(), 3).expect("a table");
    for (name, detail) in [("kernel_exec", "add, or so"), ("mem_read", "")] {
        let values = read(&*device, &info.counters);
        let call = Call { device: "board", name, detail };
        profiler.record(call, &info.counters, &values).expect("rows, then nothing new");
    }
    let table = String::from_utf8(profiler.into_inner()).expect("text");
    let expected = if local {
        "1,kernel_exec,\"add, or so\",words,core 0,50,generic,board\n\
         1,kernel_exec,\"add, or so\",words,core 1,50,generic,board\n\
         1,kernel_exec,\"add, or so\",words,total,100,generic,board\n"
    } else {
        "1,kernel_exec,\"add, or so\",calls,total,1,generic,board\n"
    };
    assert_eq!(table, format!("event,call,detail,counter,of,value,unit,device\n{expected}"));
    for buffer in buffers {
        device.free(buffer).expect("free");
    }
    device.unload(program).expect("unload");
}

#[test]
fn a_hal_in_cxx_is_driven_by_rust() {
    let folder = folder();
    let path = cxx(&folder, "host", &[]);
    let hal = open(&path).expect("a HAL");
    assert_eq!((hal.name(), hal.device_count()), ("host memory", 1));
    let info = hal.device_info(0).expect("a description");
    assert_eq!(
        (info.target_name.as_str(), info.word_size, info.fp64, info.fp16, info.should_vectorize),
        ("C++ RV64", 64, true, false, false)
    );
    assert_eq!(
        info.linker_script.as_deref(),
        Some("a script that is longer than fifteen characters")
    );
    assert!(hal.device_info(1).is_err() && hal.create_device(1).is_err());
    drive(&*hal, false);
}

#[test]
fn the_shorter_description_of_older_headers_is_understood() {
    let folder = folder();
    for name in ["hal.h", "hal_types.h", "hal_riscv.h"] {
        let text = std::fs::read_to_string(include().join(name)).expect("a header");
        let older: String =
            text.lines().filter(|l| !l.contains("link_shared")).map(|l| format!("{l}\n")).collect();
        std::fs::write(folder.path().join(name), older).expect("a file");
    }
    let (short, long) = (folder.path().join("short.so"), folder.path().join("long.so"));
    compile_with(folder.path(), "host.cpp", &short, &["-shared"]);
    compile("host.cpp", &long, &["-shared"]);
    let [short, long] =
        [short, long].map(|p| open(&p).expect("a HAL").device_info(0).expect("a description"));
    assert_eq!(short, long);
    assert_eq!(
        (short.extensions, short.abi.name()),
        ("RV64GC".parse::<Target>().expect("a target").extensions, "lp64d")
    );
    compile("host.cpp", &folder.path().join("shared.so"), &["-shared", "-DSHARED"]);
    let shared = open(&folder.path().join("shared.so"))
        .expect("a HAL")
        .device_info(0)
        .expect("a description");
    assert_eq!((shared.linker_script, shared.extensions), (None, long.extensions));
}

#[test]
fn a_hal_in_rust_is_driven_by_rust() {
    let hal = open(&echo()).expect("a HAL");
    let info = hal.device_info(0).expect("a description");
    assert_eq!(
        (hal.name(), info.vlen, info.abi.name(), info.counters[0].values),
        ("echo", 128, "lp64d", 2)
    );
    drive(&*hal, true);
}

#[test]
fn a_hal_in_rust_is_driven_by_cxx() {
    let folder = folder();
    let program = folder.path().join("user");
    compile("user.cpp", &program, &[]);
    let output = Command::new(&program).arg(echo()).output().expect("it runs");
    assert!(
        output.status.success(),
        "{}{}",
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr)
    );
}

#[test]
fn what_is_no_hal_is_refused() {
    let folder = folder();
    assert!(matches!(open(&folder.path().join("missing.so")), Err(HalError::Library { .. })));
    let corrupt = folder.path().join("corrupt.so");
    std::fs::write(&corrupt, b"\x7fELF is what it is not").expect("a file");
    assert!(matches!(open(&corrupt), Err(HalError::Library { .. })));
    let none = cxx(&folder, "none", &["-DNO_ENTRY", "-Wno-unused"]);
    assert!(matches!(open(&none), Err(HalError::NoEntry(_))));
    let build = |name: &str, flag: &str| cxx(&folder, name, &[flag]);
    assert!(matches!(
        open(&build("old", "-DVERSION=5")),
        Err(HalError::Version { found: 5, wanted: 6, .. })
    ));
    assert!(matches!(open(&build("null", "-DNO_HAL")), Err(HalError::Nonsense(_))));
    assert!(matches!(open(&build("many", "-DDEVICES=4000000000u")), Err(HalError::Nonsense(_))));
    let odd = open(&build("odd", "-DWORDS=48")).expect("the HAL loads");
    assert!(matches!(odd.device_info(0), Err(HalError::Nonsense(_))));
    // More devices than described: the second one has no description.
    let two = open(&build("two", "-DDEVICES=2")).expect("the HAL loads");
    assert!(
        matches!(two.device_info(1), Err(HalError::Nonsense(_)))
            && two.create_device(1).is_err()
            && two.device_info(0).is_ok()
    );
}

/// H3: a device requested by name that could not be loaded used to be replaced by the default one.
#[test]
fn a_device_asked_for_by_name_has_no_substitute() {
    let folder = folder();
    cxx(&folder, "second", &[]);
    std::fs::write(folder.path().join("libhal_first.so"), b"garbage").expect("a file");
    let options = |device: &str, default: &str| Options {
        device: Some(device.to_owned()),
        default_device: Some(default.to_owned()),
        folder: Some(folder.path().to_owned()),
        ..Options::default()
    };
    // SAFETY: the tests build these libraries.
    let search = |o: &Options| unsafe { load(o) };
    for named in ["first", "/nowhere/libhal_x.so", "muxcl-no-such"] {
        let Err(HalError::NotFound(reasons)) = search(&options(named, "second")) else {
            panic!("`{named}` cannot be loaded")
        };
        assert!(reasons.contains(named) && !reasons.contains("second"), "{reasons}");
    }
    assert_eq!(search(&options("second", "first")).expect("by name").name(), "host memory");
    let default = Options { device: None, ..options("", "second") };
    assert_eq!(search(&default).expect("the default").name(), "host memory");
    let locked = Options { locked: true, ..options("second", "first") };
    assert!(search(&locked).is_err());
}

/// H10: loading a truncated file raised SIGBUS.
#[test]
fn a_truncated_library_is_an_error() {
    let folder = folder();
    let whole = std::fs::read(echo()).expect("a library");
    let path = folder.path().join("libhal_cut.so");
    for part in [whole.len() / 8, whole.len() / 2, whole.len() - 100] {
        std::fs::write(&path, &whole[..part]).expect("a file");
        let Err(HalError::Library { reason, .. }) = open(&path) else {
            panic!("{part} of {} bytes load", whole.len())
        };
        assert!(reason.contains("outside the file") || reason.contains("truncated"), "{reason}");
    }
}

/// H10: exceptions ended the process, and misaligned addresses were accepted.
#[test]
fn exceptions_and_misaligned_addresses_of_a_hal_are_errors() {
    let folder = folder();
    let path = cxx(&folder, "throws", &["-DTHROWS"]);
    let hal = open(&path).expect("a HAL");
    let device = hal.create_device(0).expect("a device");
    let thrown = |call, text: &str| Err(HalError::Exception { call, text: text.to_owned() });
    let program = device.load(b"\x7fELF and so on").expect("a program");
    let kernel = device.find(program, c"add").expect("a kernel");
    let range = NdRange { offset: [0; 3], global: [1; 3], local: [1; 3] };
    for _ in 0..3 {
        let ran = device.execute(program, kernel, &range, &[], 1);
        assert_eq!(ran, thrown("kernel_exec", "no such register"));
        let odd = "an exception that is no std::exception";
        assert_eq!(device.unload(program), thrown("program_free", odd));
    }
    let memory = device.alloc(64, 16).expect("memory");
    device.write(memory, &[1; 64]).expect("write");
    let Err(HalError::Nonsense(text)) = device.alloc(64, 1 << 20) else {
        panic!("a misaligned address is believed")
    };
    assert!(text.contains("not aligned to 1048576"), "{text}");
}

/// H11: a pattern that does not divide the range was refused.
#[test]
fn a_fill_of_a_partial_pattern_fills_whole_ones() {
    let fill = |hal: &dyn Hal| {
        let device = hal.create_device(0).expect("a device");
        let at = device.alloc(16, 16).expect("memory");
        device.write(at, &[9; 16]).expect("write");
        device.fill(at, &[1, 2, 3], 11).expect("fill");
        let mut found = [0; 16];
        device.read(at, &mut found).expect("read");
        assert_eq!(found, [1, 2, 3, 1, 2, 3, 1, 2, 3, 9, 9, 9, 9, 9, 9, 9]);
        assert!(device.fill(at, &[], 11).is_err());
    };
    fill(&*open(&echo()).expect("a HAL"));
    let folder = folder();
    fill(&*open(&cxx(&folder, "fill", &[])).expect("a HAL"));
}

/// R9: an optional function returns the properties that the structs of version 6 lack. Older
/// libraries do not export it.
#[test]
fn properties_are_optional_and_checked() {
    let echo = open(&echo()).expect("a HAL").device_info(0).expect("a description").properties;
    let expected = Properties {
        compute_units: Some(2),
        clock_mhz: Some(50),
        keeps_variables: true,
        ..Properties::riscv()
    };
    assert_eq!(echo, expected);
    let folder = folder();
    let none = cxx(&folder, "none", &[]);
    let info = |path: &Path| open(path).expect("a HAL").device_info(0);
    assert_eq!(info(&none).expect("a description").properties, Properties::default());
    let said = |name: &str, text: &str| {
        let path = cxx(&folder, name, &[&format!("-DPROPERTIES=\"{text}\"")]);
        info(&path)
    };
    let good = said("good", "machine = riscv\\ndma = 0x1000\\nconcurrent_calls = yes");
    let expected = Properties { dma: Some(0x1000), concurrent_calls: true, ..Properties::riscv() };
    assert_eq!(good.expect("a description").properties, expected);
    assert!(matches!(said("bad", "compute_units = none"), Err(HalError::Nonsense(_))));
}

/// A RISC-V program with a relocation. The target names Linux, because clang ignores `-shared` for
/// a machine without a system.
fn riscv_program(folder: &TempDir) -> PathBuf {
    let (source, out) = (folder.path().join("p.c"), folder.path().join("p.elf"));
    let text =
        "int target = 5; int *volatile pointer = &target; void kernel(void) { *pointer = 6; }";
    std::fs::write(&source, text).expect("a file");
    let mut clang = Command::new("/usr/lib/llvm-22/bin/clang");
    clang.args(["--target=riscv64-linux-gnu", "-fuse-ld=lld", "-O1", "-fPIC", "-shared"]);
    clang.args(["-nostdlib", "-Wl,-Bsymbolic"]).arg(&source).arg("-o").arg(&out);
    let output = clang.output().expect("clang 22 is installed");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    out
}

/// H11: the utilities for authors of HALs in C++ (`hal_util.h`) behave as documented.
#[test]
fn the_cxx_utilities_do_what_they_say() {
    let folder = folder();
    let program = folder.path().join("util");
    compile("util.cpp", &program, &["-fsanitize=undefined"]);
    let output = Command::new(&program).arg(riscv_program(&folder)).output().expect("it runs");
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success() && output.stderr.is_empty(), "{text}{output:?}");
}
