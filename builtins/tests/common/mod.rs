//! Runs library functions on the machine of the test: OpenCL C in, a loaded shared object out.
//!
//! The source is compiled as user code is (clang's own declarations, spir64), linked with the members its symbols ask
//! for by the rule of the crate's documentation, retargeted as text to x86-64 and compiled to a shared object.
//! Not the product's path: that one has no text in it.

#![expect(clippy::unwrap_used, clippy::disallowed_methods, reason = "a test")]
#![allow(dead_code, reason = "each test uses its part")]

use std::collections::{BTreeSet, VecDeque};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

pub const LLVM: &str = match option_env!("LLVM_SYS_221_PREFIX") {
    Some(prefix) => prefix,
    None => "/usr/lib/llvm-22",
};

pub fn scratch(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("run");
    fs::create_dir_all(&folder).unwrap();
    folder.join(name)
}

pub fn run(command: &mut Command) -> Output {
    let output = command.output().unwrap();
    assert!(output.status.success(), "{command:?}\n{}", String::from_utf8_lossy(&output.stderr));
    output
}

fn undefined(bitcode: &Path) -> Vec<String> {
    let output = run(Command::new(format!("{LLVM}/bin/llvm-nm")).args(["--undefined-only", "-j"]).arg(bitcode));
    String::from_utf8(output.stdout).unwrap().lines().map(str::to_owned).collect()
}

/// Compiles `source`, links what it calls, and loads the result.
pub fn load(name: &str, source: &str) -> libloading::Library {
    let file = |extension: &str| scratch(&format!("{name}.{extension}"));
    fs::write(file("cl"), source).unwrap();
    run(Command::new(format!("{LLVM}/bin/clang-22"))
        .args(["-cc1", "-triple", "spir64-unknown-unknown", "-x", "cl", "-cl-std=CL3.0", "-cl-ext=+all"])
        .args(["-internal-isystem", &format!("{LLVM}/lib/clang/22/include"), "-finclude-default-header"])
        .args(["-fdeclare-opencl-builtins", "-O1", "-disable-llvm-passes", "-w", "-emit-llvm-bc", "-o"])
        .args([file("bc"), file("cl")]));
    let mut files = Vec::new();
    let mut known = BTreeSet::new();
    let mut work: VecDeque<String> = undefined(&file("bc")).into();
    while let Some(symbol) = work.pop_front() {
        let Some(member) = muxcl_builtins::find(&symbol) else { continue };
        if known.insert(member) {
            let path = scratch(&format!("{name}.{}.bc", muxcl_builtins::member_name(member)));
            fs::write(&path, muxcl_builtins::member(member)).unwrap();
            work.extend(undefined(&path));
            files.push(path);
        }
    }
    run(Command::new(format!("{LLVM}/bin/llvm-link")).arg(file("bc")).arg("--only-needed").args(&files).arg("-o").arg(file("all.bc")));
    for file in files {
        fs::remove_file(file).unwrap();
    }
    let text = run(Command::new(format!("{LLVM}/bin/llvm-dis")).arg(file("all.bc")).args(["-o", "-"])).stdout;
    let text = String::from_utf8(text).unwrap().replace("spir_func ", "").replace("spir64-unknown-unknown", "x86_64-unknown-linux-gnu");
    let text: Vec<&str> = text.lines().filter(|line| !line.starts_with("target datalayout")).collect();
    fs::write(file("ll"), text.join("\n")).unwrap();
    run(Command::new(format!("{LLVM}/bin/clang-22"))
        .args(["-x", "ir", "-O1", "-march=native", "-fPIC", "-shared", "-Wno-override-module", "-Wl,-z,defs", "-o"])
        .args([file("so"), file("ll")]));
    // SAFETY: the object has no initialisers, and its functions are only called with the types they were written for.
    unsafe { libloading::Library::new(file("so")) }.unwrap()
}

/// A small deterministic generator (xorshift64*).
pub struct Random(pub u64);

impl Random {
    pub fn next(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d)
    }
}

/// The value of a half.
pub fn half_to_f64(bits: u16) -> f64 {
    let sign = if bits >> 15 == 0 { 1.0 } else { -1.0 };
    let (exponent, mantissa) = (i32::from(bits >> 10 & 31), f64::from(bits & 1023));
    match exponent {
        0 => sign * mantissa * 2f64.powi(-24),
        31 if mantissa == 0.0 => sign * f64::INFINITY,
        31 => f64::NAN.copysign(sign),
        _ => sign * (1024.0 + mantissa) * 2f64.powi(exponent - 25),
    }
}
