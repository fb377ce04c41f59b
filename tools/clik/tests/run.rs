//! clik on this repository's HALs that need no hardware: all examples pass, and errors have a
//! reason. Needs clang-22, as clik does.
#![expect(clippy::unwrap_used, reason = "a test may fail anywhere")]

use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use tempfile::{NamedTempFile, TempPath};

/// A HAL library that cargo builds beside this test, because it is a dependency.
fn hal(name: &str) -> PathBuf {
    let program = std::env::current_exe().unwrap();
    let path = program.parent().unwrap().join(format!("libhal_{name}.so"));
    assert!(path.exists(), "{}", path.display());
    path
}

fn clik(arguments: &[&str], hal: &Path) -> (bool, String) {
    let Output { status, stdout, stderr } = Command::new(env!("CARGO_BIN_EXE_clik"))
        .args(arguments)
        .arg("--hal")
        .arg(hal)
        .output()
        .unwrap();
    (
        status.success(),
        String::from_utf8_lossy(&stdout).into_owned() + &String::from_utf8_lossy(&stderr),
    )
}

/// A description with this text. The file is removed on drop.
fn description(text: &str) -> TempPath {
    let path = NamedTempFile::new().unwrap().into_temp_path();
    std::fs::write(&path, text).unwrap();
    path
}

#[test]
fn every_example_passes_on_the_cpu_in_both_modes() {
    let (good, text) = clik(&["run", "--all"], &hal("cpu"));
    assert!(good && text.matches("14 passed, 0 failed, 0 not supported").count() == 2, "{text}");
}

#[test]
fn every_example_passes_on_refsi() {
    let (good, text) = clik(&["run", "--all"], &hal("refsi"));
    let modes = ["M1", "G1 (RV64", "G1 RV32"].iter().all(|m| text.contains(&format!("RefSi {m}")));
    assert!(
        good && modes && text.matches("14 passed, 0 failed, 0 not supported").count() == 4,
        "{text}"
    );
}

/// RefSi and the CPU pass the execution state of the oneAPI Construction Kit, with its older
/// schedule structure, to programs that do not declare the newer one; on RefSi only to programs
/// that a linker script places. The modes cover a call for each group and for each work-item.
#[test]
fn kernels_read_the_older_schedule_structure() {
    let undeclared = "-Dhal_kernels_take_sched_info=undeclared";
    let script = description("SECTIONS { . = 0x10000; .text : { *(.text .text.*) } }\n");
    let refsi = format!(
        "cflags = ['{undeclared}']\nlinker_script = '{}'\n\
         [modes.m1.env]\nHAL_REFSI_SOC = 'm1'\n\
         [modes.g1.env]\nHAL_REFSI_SOC = 'g1'\nHAL_REFSI_THREAD_MODE = 'wg'\n\
         [modes.g1-wi.env]\nHAL_REFSI_SOC = 'g1'\nHAL_REFSI_THREAD_MODE = 'wi'\n",
        script.display()
    );
    let cpu = format!(
        "target = 'native'\ncflags = ['-fPIC', '{undeclared}']\nldflags = ['-shared']\n\
         [modes.wi.env]\nMUXCL_HAL_CPU_MODE = 'wi'\n"
    );
    for (name, settings, modes) in [("refsi", refsi, 3), ("cpu", cpu, 1)] {
        let path = description(&settings);
        let (good, text) =
            clik(&["run", "--all", "--description", path.to_str().unwrap()], &hal(name));
        let passed = text.matches("14 passed, 0 failed, 0 not supported").count();
        assert!(good && passed == modes, "{text}");
    }
}

#[test]
fn the_dma_registers_are_used_on_m1() {
    // The same program on a device without a DMA engine, where it must fail: it is not a plain
    // copy.
    let folder =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../../crates/hal-refsi/device/hal_refsi.h");
    let path = description(&format!("header = '{}'\ncflags = ['-DREFSI_M1']\n", folder.display()));
    let (good, text) =
        clik(&["run", "concatenate_dma", "--description", path.to_str().unwrap()], &hal("null"));
    assert!(
        !good && text.contains("FAIL") && text.contains("Store") && text.contains("536879128"),
        "{text}"
    );
}

#[test]
fn every_example_passes_on_the_template() {
    let (good, text) = clik(&["run", "--all"], &hal("null"));
    assert!(good && text.contains("14 passed, 0 failed, 0 not supported"), "{text}");
}

#[test]
fn what_is_not_supported_says_why_and_what_fails_fails() {
    let path = description(
        "cflags = ['-Dvector_add=other', '-Dprint(...)=0']\n[unsupported]\nblur = 'no picture'\n",
    );
    let (good, text) = clik(
        &["run", "hello", "blur", "copy_buffer", "--description", path.to_str().unwrap()],
        &hal("null"),
    );
    assert!(!good && text.contains("not supported: no picture"), "{text}");
    assert!(text.contains("FAIL") && text.contains("the compiler failed"), "{text}");
    let (good, text) = clik(&["run", "hullo"], &hal("null"));
    assert!(!good && text.contains("no example `hullo`"), "{text}");
    let (good, text) = clik(&["run", "hello"], Path::new("/nowhere/libhal_x.so"));
    assert!(!good && text.contains("/nowhere/libhal_x.so"), "{text}");
}

#[test]
fn wrong_results_are_found() {
    // A custom device side that supports one dimension only.
    let scratch = tempfile::tempdir().unwrap();
    let folder = scratch.path();
    let header =
        "#include_next <kernel_if.h>\n#define get_global_id(rank, e) ((get_global_id)(0, e))\n";
    std::fs::write(folder.join("kernel_if.h"), header).unwrap();
    let path = folder.join("clik.toml");
    std::fs::write(&path, "include = ['.']\n").unwrap();
    let (good, text) = clik(
        &["run", "matrix_multiply", "vector_add", "--description", path.to_str().unwrap()],
        &hal("null"),
    );
    assert!(!good && text.contains("values are wrong; element"), "{text}");
    assert!(text.contains("2 passed, 1 failed"), "{text}");
}

#[test]
fn programs_are_built_into_a_folder() {
    let scratch = tempfile::tempdir().unwrap();
    let out = scratch.path().join("out");
    let (good, text) = clik(&["build", "vector_add", "--out", out.to_str().unwrap()], &hal("cpu"));
    assert!(good, "{text}");
    for mode in ["wg", "wi"] {
        let elf = std::fs::read(out.join(mode).join("vector_add.elf")).unwrap();
        assert!(elf.starts_with(b"\x7fELF"));
    }
}

#[test]
fn programs_that_are_refused_take_no_memory() {
    let script = description(
        "SECTIONS { . = 0x80000000; .text : { *(.text*) } . += 0x800000; .e : { LONG(1) } }\n",
    );
    let path = description(&format!("linker_script = '{}'\n", script.display()));
    let scratch = tempfile::tempdir().unwrap();
    let out = scratch.path().join("out");
    let arguments = [
        "build",
        "vector_add",
        "--out",
        out.to_str().unwrap(),
        "--description",
        path.to_str().unwrap(),
    ];
    let (good, text) = clik(&arguments, &hal("null"));
    assert!(good, "{text}");
    let elf = std::fs::read(out.join("vector_add.elf")).unwrap();
    // SAFETY: cargo built this library from this workspace.
    let null = unsafe { muxcl_hal::load_library(&hal("null")) }.unwrap();
    let device = null.create_device(0).unwrap();
    for _ in 0..64 {
        // Programs of 8 MiB each on a device of 252 MiB. The template runs position-independent
        // programs only.
        assert!(device.load(&elf).is_err());
    }
    assert!(device.alloc(200 << 20, 64).is_ok());
}

/// A profile names the example's source lines. A HAL without profiles says so.
#[test]
fn a_profile_shows_what_kernels_have_executed() {
    let arguments = ["run", "vector_add", "--profile", "--mode", "g1"];
    let (good, text) = clik(&arguments, &hal("refsi"));
    let parts = ["launches 3, work-groups ", "bytes read ", "device_vector_add.c:"];
    assert!(good && parts.iter().all(|part| text.contains(part)), "{text}");
    let (good, text) = clik(&["run", "vector_add", "--profile"], &hal("cpu"));
    assert!(!good && text.contains("this HAL has no profile of kernels"), "{text}");
}
