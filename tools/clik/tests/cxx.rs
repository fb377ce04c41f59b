//! HALs across languages: the C++ HAL and the C++ host of `crates/hal-abi/examples`, built from our
//! headers as HAL authors would. Needs g++ and clang-22, which `cargo xtask test` ensures.
#![expect(clippy::unwrap_used, reason = "a test may fail anywhere")]

use std::path::{Path, PathBuf};
use std::process::Command;

fn compile(source: &str, out: &Path, flags: &[&str]) {
    let abi = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../crates/hal-abi");
    let mut command = Command::new("g++");
    command
        .args(["-std=c++17", "-O2", "-Wall", "-Wextra", "-Werror", "-I"])
        .arg(abi.join("include"));
    command.args(flags).arg(abi.join("examples").join(source)).arg("-o").arg(out).arg("-ldl");
    let output = command.output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

fn run(command: &mut Command) -> (bool, String) {
    let output = command.output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout).into_owned()
        + &String::from_utf8_lossy(&output.stderr);
    (output.status.success(), text)
}

fn clik() -> Command {
    Command::new(env!("CARGO_BIN_EXE_clik"))
}

/// A library that cargo builds beside this test, because it is a dependency.
fn ours(name: &str) -> PathBuf {
    std::env::current_exe().unwrap().parent().unwrap().join(format!("libhal_{name}.so"))
}

#[test]
fn a_hal_in_cxx_runs_the_examples() {
    let folder = tempfile::tempdir().unwrap();
    let library = folder.path().join("libhal_tiny.so");
    compile("hal_tiny.cpp", &library, &["-shared", "-fPIC"]);
    let (good, text) = run(clik().args(["run", "--all", "--hal"]).arg(&library));
    // The device is an RV64IM: examples that need floating point report so.
    assert!(good && text.contains("12 passed, 0 failed, 2 not supported"), "{text}");
}

#[test]
fn hals_in_rust_are_driven_by_cxx() {
    let folder = tempfile::tempdir().unwrap();
    let host = folder.path().join("hal_host");
    compile("hal_host.cpp", &host, &[]);
    for (name, modes) in
        [("cpu", &["--mode", "wg"][..]), ("null", &[]), ("refsi", &["--mode", "g1"])]
    {
        let programs = folder.path().join(name);
        let (good, text) = run(clik()
            .args(["build", "vector_add", "--out"])
            .arg(&programs)
            .arg("--hal")
            .arg(ours(name))
            .args(modes));
        assert!(good, "{text}");
        let program = modes
            .get(1)
            .map_or_else(|| programs.clone(), |mode| programs.join(mode))
            .join("vector_add.elf");
        let (good, text) = run(Command::new(&host).arg(ours(name)).arg(&program));
        assert!(good && text.contains("verified"), "{name}: {text}");
    }
    // The HAL refuses an invalid program and reports an error.
    let (good, text) = run(Command::new(&host).arg(ours("null")).arg(&host));
    assert!(!good && text.contains("failed: program_load"), "{text}");
}
