//! Small programs of our own, built with the headers for riscv-tests and riscv-arch-test, whose
//! verdicts are known: the runner must neither lose a failure nor invent one. Needs clang-22.

#[path = "common/verdict.rs"]
mod verdict;

use muxcl_rv_sim::{Exit, FaultKind, Hart};
use std::path::Path;
use std::process::Command;
use verdict::Failure;

const CLANG: &str = "/usr/lib/llvm-22/bin/clang";

/// Builds an assembly program and runs it, with its signature if it has one.
fn run(xlen: u32, source: &str, signature: Option<&str>) -> Result<Option<Failure>, String> {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let (input, elf) = (folder.path().join("a.S"), folder.path().join("a.elf"));
    std::fs::write(&input, source).expect("a file");
    let status = Command::new(CLANG)
        .arg(format!("--target=riscv{xlen}"))
        .arg(format!("-march=rv{xlen}imafd_zicsr"))
        .arg(if xlen == 64 { "-mabi=lp64d" } else { "-mabi=ilp32d" })
        .args(["-nostdlib", "-static", "-fuse-ld=lld", "-mno-relax", "-Wl,-Ttext=0x80000000"])
        .arg("-I")
        .arg(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/riscv-tests"))
        .args([&input, Path::new("-o"), &elf])
        .status()
        .expect("it starts");
    assert!(status.success(), "clang: {status}");
    if let Some(signature) = signature {
        std::fs::write(folder.path().join("a.reference_output"), signature).expect("a file");
    }
    let program = verdict::read(&elf).map_err(|e| e.to_string())?;
    verdict::judge(&program, 128, |hart: &mut Hart| hart.run(10_000)).map_err(|e| e.to_string())
}

/// A program in the form of riscv-tests.
fn case(body: &str) -> String {
    format!(
        "#include \"riscv_test.h\"\nRVTEST_RV64U\nRVTEST_CODE_BEGIN\n{body}\nRVTEST_PASS\n\
         fail:\nRVTEST_FAIL\nRVTEST_CODE_END\n.data\nRVTEST_DATA_BEGIN\nword: .word 42\n\
         RVTEST_DATA_END\n"
    )
}

/// A program in the form of riscv-arch-test, which writes `value` as its second word.
fn arch(value: u32) -> String {
    format!(
        "#include \"model_test.h\"\n.section .text.init\n.globl _start\n_start:\nRVMODEL_BOOT\n\
         la t0, begin_signature\nli t1, {value}\nsw t1, 4(t0)\nRVMODEL_HALT\n\
         .data\nRVMODEL_DATA_BEGIN\n.word 1, 2, 0, 0\nRVMODEL_DATA_END\n"
    )
}

#[test]
fn cases() {
    for xlen in [32, 64] {
        let passes = case("li TESTNUM, 2\nlw a0, word\nli a1, 42\nbne a0, a1, fail");
        assert_eq!(run(xlen, &passes, None), Ok(None));
        let fails = case("li TESTNUM, 3\nlw a0, word\nli a1, 43\nbne a0, a1, fail");
        assert_eq!(run(xlen, &fails, None), Ok(Some(Failure::Case(3))));
    }
    // A failure before the first case.
    assert_eq!(run(64, &case("j fail"), None), Ok(Some(Failure::Case(u64::MAX))));
}

#[test]
fn other_ends() {
    let ended = |body: &str| match run(64, &case(body), None) {
        Ok(Some(Failure::Ended(exit))) => exit,
        other => panic!("{other:?}"),
    };
    assert_eq!(ended("1: j 1b"), Exit::Limit);
    assert_eq!(ended("ebreak"), Exit::Ebreak);
    let Exit::Fault(fault) = ended("lw a0, 8(zero)") else { panic!("no fault") };
    assert_eq!((fault.kind, fault.address), (FaultKind::Load, 8));
    assert_eq!(run(64, &case("li a7, 93\nli a0, 0\necall"), None), Ok(Some(Failure::Call(93))));
}

#[test]
fn signatures() {
    for xlen in [32, 64] {
        assert_eq!(run(xlen, &arch(0x77), Some("00000001\n00000077\n")), Ok(None));
        assert_eq!(
            run(xlen, &arch(0x77), Some("00000001\n00000078\n")),
            Ok(Some(Failure::Word { index: 1, found: 0x77, wanted: 0x78 }))
        );
        // The signature is longer than the results.
        assert_eq!(
            run(xlen, &arch(0x77), Some("1\n77\n0\n0\n9\n")),
            Ok(Some(Failure::Word { index: 4, found: 0, wanted: 9 }))
        );
    }
    let missing = run(64, &arch(0x77), None).expect_err("no signature");
    assert!(missing.starts_with("no reference signature"), "{missing}");
}
