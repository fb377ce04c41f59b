//! Runs C programs, compiled by clang for the machine and for the host, and compares the results,
//! with and without the vector extension and for several vector lengths. Needs clang-22.

mod common;

use muxcl_rv_sim::{Exit, Hart, HartConfig, Xlen};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;

const DATA: u64 = 0x9000_0000;
const BACK: u64 = 0x1000;
const CLANG: &str = "/usr/lib/llvm-22/bin/clang";

const FUNCTIONS: [(&str, u64); 9] = [
    ("crc", 5000),
    ("sieve", 20_000),
    ("matmul", 40),
    ("sort", 3000),
    ("xorshift", 5000),
    ("fib", 15),
    ("saxpy", 777),
    ("bytes", 1013),
    ("doubles", 500),
];

struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let path =
            std::env::temp_dir().join(format!("muxcl-rv-programs-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&path).expect("a temporary folder");
        Self(path)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        // A failure to remove the folder is harmless.
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

fn source() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/programs/bench.c")
}

fn command(program: &str, arguments: &[&str], paths: &[&Path]) -> Vec<u8> {
    let output = Command::new(program).args(arguments).args(paths).output().expect("it starts");
    assert!(
        output.status.success(),
        "{program} {arguments:?}: {}",
        String::from_utf8_lossy(&output.stderr)
    );
    output.stdout
}

/// The result of each function on the host.
fn host(folder: &Path) -> Vec<u64> {
    let declarations: String = FUNCTIONS
        .iter()
        .map(|(f, _)| format!("unsigned long {f}(void *, unsigned long);\n"))
        .collect();
    let calls: String = FUNCTIONS
        .iter()
        .map(|(f, n)| format!("printf(\"%lu\\n\", {f}(memory, {n}ul));\n"))
        .collect();
    let main = folder.join("main.c");
    std::fs::write(
        &main,
        format!(
            "#include <stdio.h>\n{declarations}static double memory[1 << 20];\nint main(void) {{ {calls} return 0; }}\n"
        ),
    )
    .expect("a file");
    let program = folder.join("host");
    command(
        CLANG,
        &["-O1", "-ffp-contract=off", "-fno-math-errno", "-o"],
        &[&program, &main, &source()],
    );
    let output = command(program.to_str().expect("a path"), &[], &[]);
    String::from_utf8(output).expect("text").lines().map(|l| l.parse().expect("a number")).collect()
}

/// A program whose entry point is the function.
fn guest(folder: &Path, function: &str, march: &str) -> Vec<u8> {
    let elf = folder.join("guest.elf");
    let (march, entry) = (format!("-march={march}"), format!("-Wl,-e,{function}"));
    let flags = [
        "-O2",
        "-ffreestanding",
        "-nostdlib",
        "-static",
        "-fuse-ld=lld",
        "-mcmodel=medany",
        "-mabi=lp64d",
        "-ffp-contract=off",
    ];
    let more = ["--target=riscv64", "-fno-math-errno", &march, &entry, "-o"];
    command(CLANG, &[&flags[..], &more].concat(), &[&elf, &source()]);
    std::fs::read(&elf).expect("an ELF file")
}

fn run(elf: &[u8], n: u64, vlen: u32) -> u64 {
    let (memory, entry) = common::load(elf, &[(DATA, 16 << 20)]);
    let mut hart =
        Hart::new(0, &HartConfig::full(Xlen::Rv64, vlen), Arc::new(memory)).expect("a hart");
    hart.set_return_address(Some(BACK));
    hart.set_pc(entry);
    hart.set_x(1, BACK);
    hart.set_x(2, DATA + (16 << 20) - 64);
    hart.set_x(10, DATA);
    hart.set_x(11, n);
    assert_eq!(hart.run(1 << 32), Exit::Returned);
    hart.x(10)
}

#[test]
fn programs_compute_what_the_host_computes() {
    let folder = Folder::new("all");
    let expected = host(&folder.0);
    for (march, lengths) in [
        ("rv64gc", &[128u32][..]),
        ("rv64g_zba_zbb_zbs", &[128]),
        ("rv64gcv_zba_zbb_zbs", &[128, 256, 512, 1024, 4096]),
    ] {
        for ((function, n), expected) in FUNCTIONS.iter().zip(&expected) {
            let elf = guest(&folder.0, function, march);
            for vlen in lengths {
                assert_eq!(
                    run(&elf, *n, *vlen),
                    *expected,
                    "{function}({n}) on {march}, VLEN {vlen}"
                );
            }
        }
    }
}
