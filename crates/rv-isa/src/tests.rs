//! Tests the table for consistency and against LLVM's assembler and disassembler.

use crate::{
    Inst, Op, Operand, Xlen, decode, decode_compressed, disassemble, disassemble_compressed, encode,
};
use fastrand::Rng;
use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Stdio};

/// A random word of `op`'s row that decodes to `op`.
fn sample(op: Op, xlen: Xlen, random: &mut Rng) -> Option<(u32, Inst)> {
    let row = op.row();
    (0..200).find_map(|_| {
        let mut word = row.matches | (random.u32(..)) & !row.mask;
        if row.format.operands().contains(&Operand::Csr) {
            // Only RV32 has names for the upper halves of counters.
            let csrs: Vec<u16> = crate::csr::ALL
                .iter()
                .copied()
                .filter(|n| xlen == Xlen::Rv32 || !matches!(n, 0xb80..0xb90 | 0xc80..0xc90))
                .collect();
            word = word & 0xf_ffff | u32::from(csrs[random.usize(..csrs.len())]) << 20;
        }
        decode(word, xlen).filter(|inst| inst.op == op).map(|inst| (word, inst))
    })
}

/// As [`sample`], with vector registers that LLVM always accepts: aligned for every LMUL, without
/// overlap.
fn tame(op: Op, xlen: Xlen, random: &mut Rng) -> Option<(u32, Inst)> {
    let (_, mut inst) = sample(op, xlen, random)?;
    let groups = [[8, 16, 24], [24, 8, 16], [16, 24, 8]][random.usize(..3)];
    for operand in op.row().format.operands() {
        match operand {
            Operand::Vd => inst.rd = groups[0],
            Operand::V2 => inst.rs2 = groups[1],
            Operand::V1 => inst.rs1 = groups[2],
            _ => {}
        }
    }
    Some((encode(&inst, xlen)?, inst))
}

#[test]
fn rows_are_consistent() {
    for &op in Op::ALL {
        let row = op.row();
        assert_eq!(row.matches & !row.mask, 0, "{op:?}: match outside mask");
        for &other in Op::ALL {
            let o = other.row();
            let both = row.mask & o.mask;
            let clash = op != other && row.matches & both == o.matches & both;
            let widths =
                [Xlen::Rv32, Xlen::Rv64].into_iter().any(|x| row.xlen.has(x) && o.xlen.has(x));
            if clash && widths {
                assert!(both == row.mask || both == o.mask, "{op:?} and {other:?} overlap");
                assert_ne!(row.mask, o.mask, "{op:?} and {other:?} are the same row");
            }
        }
    }
}

#[test]
fn every_row_round_trips() {
    let mut random = Rng::with_seed(1);
    for xlen in [Xlen::Rv32, Xlen::Rv64] {
        for &op in Op::ALL {
            if !op.row().xlen.has(xlen) {
                assert!(encode(&Inst::new(op), xlen).is_none());
                continue;
            }
            for _ in 0..200 {
                let (word, inst) = sample(op, xlen, &mut random).expect("a word that decodes");
                assert_eq!(encode(&inst, xlen), Some(word), "{inst:?}");
            }
        }
    }
}

#[test]
fn any_word_that_decodes_encodes_back() {
    let mut random = Rng::with_seed(2);
    for _ in 0..300_000 {
        let word = random.u32(..) | 3;
        if let Some(inst) = decode(word, Xlen::Rv64) {
            assert_eq!(encode(&inst, Xlen::Rv64), Some(word), "{inst:?}");
        }
    }
}

#[test]
fn operands_that_do_not_fit_are_refused() {
    let addi = |imm| encode(&Inst { imm, ..Inst::new(Op::Addi) }, Xlen::Rv64);
    assert!(
        addi(2047).is_some()
            && addi(-2048).is_some()
            && addi(2048).is_none()
            && addi(-2049).is_none()
    );
    assert!(encode(&Inst { imm: 3, ..Inst::new(Op::Beq) }, Xlen::Rv64).is_none());
    assert!(encode(&Inst { rd: 32, ..Inst::new(Op::Add) }, Xlen::Rv64).is_none());
    assert!(encode(&Inst { imm: 32, ..Inst::new(Op::Slli) }, Xlen::Rv32).is_none());
    assert!(encode(&Inst { imm: 32, ..Inst::new(Op::Slli) }, Xlen::Rv64).is_some());
}

#[test]
fn compressed_expansions_are_base_instructions() {
    for xlen in [Xlen::Rv32, Xlen::Rv64] {
        for half in 0..=u16::MAX {
            let Some(inst) = decode_compressed(half, xlen).filter(|_| half & 3 != 3) else {
                continue;
            };
            let word =
                encode(&inst, xlen).unwrap_or_else(|| panic!("{half:#06x}: {inst:?} has no word"));
            assert_eq!(decode(word, xlen), Some(Inst { len: 4, ..inst }), "{half:#06x}");
        }
    }
}

/// LLVM's assembler. The tests that compare with it fail if it is missing.
fn llvm_mc() -> PathBuf {
    let found =
        [PathBuf::from("/usr/lib/llvm-22/bin/llvm-mc"), PathBuf::from("/usr/bin/llvm-mc-22")];
    found
        .into_iter()
        .find(|p| p.exists())
        .expect("llvm-mc of LLVM 22 is installed (Debian: llvm-22)")
}

/// Runs llvm-mc over `input` and returns the lines with instructions, without comments.
fn run(xlen: Xlen, arguments: &[&str], input: &str) -> Vec<String> {
    let triple = if xlen == Xlen::Rv32 { "riscv32" } else { "riscv64" };
    let mut child = Command::new(llvm_mc())
        .arg(format!("--triple={triple}"))
        .arg("--mattr=+m,+a,+f,+d,+c,+zba,+zbb,+zbc,+zbs,+zfh,+v,+zvfh")
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("llvm-mc starts");
    let mut stdin = child.stdin.take().expect("a pipe");
    let text = input.to_owned();
    let writer = std::thread::spawn(move || stdin.write_all(text.as_bytes()));
    let output = child.wait_with_output().expect("llvm-mc ends");
    writer.join().expect("no panic").expect("llvm-mc reads");
    let text = String::from_utf8(output.stdout).expect("text");
    text.lines()
        .map(|l| l.trim().replace('\t', " "))
        .filter(|l| !l.is_empty() && !l.starts_with('.'))
        .collect()
}

fn byte_line(bytes: &[u8]) -> String {
    bytes.iter().map(|b| format!("{b:#04x} ")).collect::<String>() + "\n"
}

#[test]
fn disassembly_is_llvms() {
    let mut random = Rng::with_seed(3);
    for xlen in [Xlen::Rv32, Xlen::Rv64] {
        let mut cases = Vec::new();
        for &op in Op::ALL.iter().filter(|op| op.row().xlen.has(xlen)) {
            cases.extend((0..12).filter_map(|_| tame(op, xlen, &mut random)));
        }
        let input: String = cases.iter().map(|(word, _)| byte_line(&word.to_le_bytes())).collect();
        let lines = run(xlen, &["--disassemble", "-M", "no-aliases"], &input);
        compare(&lines, cases.iter().map(|(word, inst)| (*word, disassemble(inst))));
    }
}

/// Compares line by line. LLVM omits lines for words that it refuses, so a missing line is an error
/// too.
fn compare(lines: &[String], ours: impl Iterator<Item = (u32, String)>) {
    let mut theirs = lines.iter().peekable();
    let mut wrong = Vec::new();
    for (word, text) in ours {
        if theirs.next_if(|line| **line == text).is_none() {
            let line = theirs.next_if(|line| line.split(' ').next() == text.split(' ').next());
            wrong.push(format!("{word:08x}: ours `{text}`, LLVM's {line:?}"));
        }
    }
    assert!(
        wrong.is_empty() && theirs.peek().is_none(),
        "{} differ; left {:?}\n{}",
        wrong.len(),
        theirs.peek(),
        wrong.join("\n")
    );
}

#[test]
fn assembly_of_our_text_is_our_word() {
    let mut random = Rng::with_seed(4);
    for xlen in [Xlen::Rv32, Xlen::Rv64] {
        let mut cases = Vec::new();
        for &op in Op::ALL.iter().filter(|op| op.row().xlen.has(xlen)) {
            cases.extend((0..4).filter_map(|_| tame(op, xlen, &mut random)));
        }
        let text: String = cases.iter().map(|(_, inst)| disassemble(inst) + "\n").collect();
        let text = format!(".option norvc\n{text}");
        let lines = run(xlen, &["--show-encoding", "-M", "no-aliases"], &text);
        let words: Vec<String> = lines
            .iter()
            .filter_map(|l| Some(l.split_once("encoding: [")?.1.split(']').next()?.to_owned()))
            .collect();
        let expect: Vec<String> = cases
            .iter()
            .map(|(word, _)| {
                word.to_le_bytes().iter().map(|b| format!("{b:#04x}")).collect::<Vec<_>>().join(",")
            })
            .collect();
        for ((theirs, ours), (_, inst)) in words.iter().zip(&expect).zip(&cases) {
            assert_eq!(theirs, ours, "{}", disassemble(inst));
        }
        assert_eq!(words.len(), expect.len(), "LLVM refuses some of our text");
    }
}

#[test]
fn every_compressed_word_is_llvms() {
    for xlen in [Xlen::Rv32, Xlen::Rv64] {
        let words = || (0..=u16::MAX).filter(|half| half & 3 != 3);
        // LLVM prints a warning and no line for an illegal word. This run disassembles the words
        // that our decoder accepts.
        let legal: Vec<(u32, String)> = words()
            .filter_map(|half| Some((u32::from(half), disassemble_compressed(half, xlen)?)))
            .collect();
        let input: String = legal.iter().map(|(w, _)| byte_line(&w.to_le_bytes()[..2])).collect();
        let lines = run(xlen, &["--disassemble", "-M", "no-aliases"], &input);
        compare(&lines, legal.into_iter());
        // This run disassembles all other words, for which LLVM must print no line.
        let illegal: String = words()
            .filter(|half| disassemble_compressed(*half, xlen).is_none())
            .map(|half| byte_line(&half.to_le_bytes()))
            .collect();
        let lines = run(xlen, &["--disassemble", "-M", "no-aliases"], &illegal);
        // LLVM has a name for the all-zero word, which is illegal by definition.
        assert_eq!(lines, ["c.unimp"]);
    }
}
