//! Random programs give the same results in the interpreter and in translated code: registers,
//! memory, exit, and number of retired instructions. One test runs further
//! seeds for `MUXCL_TEST_SECONDS` seconds.

#![expect(
    clippy::unwrap_used,
    clippy::cast_possible_truncation,
    clippy::cast_possible_wrap,
    clippy::cast_sign_loss,
    reason = "a test: an unexpected value fails it"
)]

mod ops;

use fastrand::Rng;
use muxcl_rv_isa::{Extension, Format, Inst, Op, Operand, Xlen, encode};
use muxcl_rv_jit::{Executor, Translator};
use muxcl_rv_sim::native::LONGEST_BLOCK;
use muxcl_rv_sim::{CodeCounts, Exit, Hart, HartConfig, Memory, Stretch};
use ops::{OFTEN, ROUNDING};
use std::collections::BTreeMap;
use std::sync::Arc;

const CODE: u64 = 0x1000;
const DATA: u64 = 0x8000_0000;
const DATA_SIZE: u64 = 0x2000;
const OWN: u64 = 0x4000_0000;
const OWN_SIZE: u64 = 0x1000;
/// A second region of memory that all harts share.
const NEAR: u64 = 0x2000_0000;
const NEAR_SIZE: u64 = 0x200;

/// Instructions of the programs.
fn choices(xlen: Xlen) -> Vec<Op> {
    let skipped =
        |op: &Op| matches!(op, Op::Ecall | Op::Ebreak | Op::Wfi | Op::FenceI | Op::Mret | Op::Jalr);
    Op::ALL.iter().copied().filter(|op| op.row().xlen.has(xlen) && !skipped(op)).collect()
}

/// One of the values.
fn pick<T: Copy>(random: &mut Rng, from: &[T]) -> T {
    from[random.usize(..from.len())]
}

/// A register of the data: programs change the others.
fn source(random: &mut Rng) -> u8 {
    random.u8(0..16)
}

fn instruction(random: &mut Rng, ops: &[Op], at: i32, length: i32) -> Inst {
    let op = pick(random, ops);
    let mut i = Inst::new(op);
    // x2, x8 and x9 are addresses.
    i.rd = pick(random, &[0, 1, 3, 4, 5, 6, 7, 10, 11, 12, 13, 14, 15]);
    (i.rs1, i.rs2, i.rs3) = (source(random), source(random), source(random));
    i.unmasked = random.bool();
    for operand in op.row().format.operands() {
        match operand {
            Operand::ImmI => i.imm = random.i32(-2048..2048),
            Operand::MemI | Operand::MemS => {
                i.rs1 = pick(random, &[2, 8, 8, 8, 9, 5]);
                i.imm = random.i32(-256..256);
                if random.u8(..4) != 0 {
                    i.imm &= !7;
                }
            }
            Operand::Base => i.rs1 = pick(random, &[8, 8, 8, 9]),
            Operand::BOff | Operand::JOff => {
                // Most jumps are forward.
                let low = if random.u8(..4) == 0 { (at - 6).max(0) } else { at + 1 };
                i.imm = 4 * (random.i32(low..=(at + 8).min(length)) - at);
                if i.imm == 0 {
                    i.imm = 4;
                }
                if *operand == Operand::JOff && i.imm < 0 {
                    i.imm = 4;
                }
            }
            Operand::UImm => i.imm = random.i32(..) & !0xfff,
            Operand::Shamt => i.imm = random.i32(0..32),
            Operand::Shamt5 => i.imm = random.i32(0..32),
            Operand::Csr => i.imm = pick(random, &[1, 2, 2, 3, 8, 9, 10, 0xc20, 0xc21, 0xc22]),
            Operand::Zimm => i.rs1 = random.u8(..8),
            Operand::FenceSets => i.imm = 0xff,
            Operand::Rm => i.aux = pick(random, &[0, 7, 7, 7, 1, 2, 3, 4]),
            Operand::AqRl => i.aux = random.u8(..4),
            Operand::Nf => i.aux = random.u8(1..4),
            Operand::SImm5 => i.imm = random.i32(-16..16),
            Operand::UImm5 => i.imm = random.i32(0..32),
            Operand::VType11 | Operand::VType10 => {
                i.imm = random.i32(0..4) << 3 | pick(random, &[0, 0, 0, 1, 2, 7]);
                i.rd = 5;
            }
            _ => {}
        }
    }
    if op.row().extension == Extension::V {
        // Register groups of up to four.
        let mask = |r: u8| r & !3;
        (i.rd, i.rs2) = (
            if op.row().format.operands().contains(&Operand::Xd) { 5 } else { mask(i.rd) + 4 },
            if op.row().format.operands().contains(&Operand::V2) { mask(i.rs2) } else { i.rs2 },
        );
        if op.row().format.operands().contains(&Operand::V1) {
            i.rs1 = mask(i.rs1);
        }
        // Sometimes the mask register changes.
        if op.row().format.operands().contains(&Operand::Vd) && random.u8(..6) == 0 {
            (i.rd, i.unmasked) = (0, true);
        }
    }
    i
}

fn number(random: &mut Rng) -> u64 {
    match random.u8(..7) {
        6 => halves(random),
        0 => random.u64(..),
        1 => u64::from(random.u32(..)) | 0xffff_ffff_0000_0000,
        2 => random.u64(0..16),
        3 => pick(random, &[0, u64::MAX, 1 << 63, i32::MAX as u64, 0x8000_0000]),
        4 => f64::from(random.i32(-8..8)).to_bits(),
        _ => u64::from((random.f32() * 100.0 - 50.0).to_bits()) | 0xffff_ffff_0000_0000,
    }
}

/// Four half-precision numbers, or one that a register holds.
fn halves(random: &mut Rng) -> u64 {
    let half = |random: &mut Rng| match random.u8(..8) {
        0 => u64::from(random.u16(..)),
        1 => pick(random, &[0, 0x8000, 1, 0x3ff, 0x400, 0x7bff, 0x7c00, 0xfc00, 0x7e00, 0x7d00]),
        2 => u64::from(random.u16(..) & 0x83ff),
        // Numbers near 1.
        _ => u64::from(random.u16(..) & 0x8fff) | 0x3000,
    };
    if random.bool() {
        half(random) | 0xffff_ffff_ffff_0000
    } else {
        (0..4).fold(0, |all, _| all << 16 | half(random))
    }
}

struct Program {
    xlen: Xlen,
    words: Vec<u32>,
    x: [u64; 32],
    f: [u64; 32],
    data: Vec<u8>,
    vlen: u32,
    strict: bool,
    vxrm: u64,
}

fn program(seed: u64, wanted: impl Fn(&Op) -> bool) -> Program {
    let random = &mut Rng::with_seed(seed);
    let xlen = if random.u8(..4) == 0 { Xlen::Rv32 } else { Xlen::Rv64 };
    let ops: Vec<Op> = choices(xlen).into_iter().filter(wanted).collect();
    let length = random.i32(3..60);
    let mut words = Vec::new();
    while (words.len() as i32) < length {
        let i = instruction(random, &ops, words.len() as i32, length);
        words.extend(encode(&i, xlen));
    }
    words.push(0x0000_0073);
    let mut x: [u64; 32] = std::array::from_fn(|_| number(random));
    let sign = |v: u64| if xlen == Xlen::Rv32 { v as i32 as i64 as u64 } else { v };
    x[0] = 0;
    (x[2], x[8], x[9]) = (OWN + OWN_SIZE / 2, DATA + 512, DATA + DATA_SIZE - 64);
    // Some programs access other memory than translated code expects, near its ends.
    match random.u8(..4) {
        0 => (x[8], x[9]) = (NEAR + 256, NEAR + NEAR_SIZE - 64),
        1 => (x[2], x[9]) = (OWN + OWN_SIZE - 64, OWN + OWN_SIZE - 128),
        _ => {}
    }
    let x = x.map(sign);
    let f = std::array::from_fn(|_| number(random));
    let data = std::iter::repeat_with(|| number(random).to_le_bytes()).take(DATA_SIZE as usize / 8);
    Program {
        xlen,
        words,
        x,
        f,
        data: data.flatten().collect(),
        vlen: pick(random, &[128, 256, 512, 1024]),
        strict: random.u8(..4) == 0,
        vxrm: random.u64(..4),
    }
}

fn hart(p: &Program) -> Hart {
    let mut memory = Memory::new();
    memory.add_ram(CODE, 0x1000).unwrap();
    memory.add_ram(DATA, DATA_SIZE).unwrap();
    memory.add_hart_local(OWN, OWN_SIZE, 1).unwrap();
    memory.add_ram(NEAR, NEAR_SIZE).unwrap();
    let code: Vec<u8> = p.words.iter().flat_map(|w| w.to_le_bytes()).collect();
    memory.write(0, CODE, &code).unwrap();
    // Without `fence.i`, whether a change of code is seen is not defined.
    assert!(memory.protect(CODE, 0x1000));
    memory.write(0, DATA, &p.data).unwrap();
    let config = HartConfig { strict_alignment: p.strict, ..HartConfig::full(p.xlen, p.vlen) };
    let mut hart = Hart::new(0, &config, Arc::new(memory)).unwrap();
    for k in 0..32 {
        hart.set_x(k, p.x[usize::from(k)]);
        hart.set_f(k, p.f[usize::from(k)]);
        hart.set_v(k, &p.data[usize::from(k) * 128..][..128]);
    }
    assert!(hart.set_csr(0xa, p.vxrm));
    hart.set_pc(CODE);
    hart
}

/// Runs to the exit or to `count` retired instructions.
fn interpret(hart: &mut Hart, count: u64) -> Exit {
    interpret_and_count(hart, count, &mut CodeCounts::default())
}

fn interpret_and_count(hart: &mut Hart, count: u64, counts: &mut CodeCounts) -> Exit {
    while hart.retired() < count {
        // Translated code may stop where the interpreter's block goes on.
        let far = count - hart.retired() > LONGEST_BLOCK as u64;
        let exit = if far { counts.run(hart, 1) } else { counts.step(hart, Hart::step) };
        if exit != Exit::Limit {
            return exit;
        }
    }
    Exit::Limit
}

/// How often each instruction was executed, which does not depend on how code was divided.
fn executions(p: &Program, stretches: BTreeMap<Stretch, u64>) -> BTreeMap<u64, u64> {
    let code: Vec<u8> = p.words.iter().flat_map(|w| w.to_le_bytes()).collect();
    let mut all = BTreeMap::new();
    for (stretch, times) in stretches {
        let mut pc = stretch.pc;
        for _ in 0..stretch.length {
            *all.entry(pc).or_default() += times;
            let first = code.get((pc - CODE) as usize).copied().unwrap_or(0);
            pc += if first & 3 == 3 { 4 } else { 2 };
        }
    }
    all
}

fn memory(hart: &Hart) -> Vec<u8> {
    let regions = [(DATA, DATA_SIZE), (OWN, OWN_SIZE), (NEAR, NEAR_SIZE)];
    let read = |(at, size): (u64, u64)| {
        let mut bytes = vec![0; size as usize];
        hart.memory().read(0, at, &mut bytes).unwrap();
        bytes
    };
    regions.into_iter().flat_map(read).collect()
}

/// The differences of translations for any `vl`, or if there are none, of the others. Every second
/// program is executed by code that counts.
fn differences(p: &Program, flags: bool) -> Vec<String> {
    let counting = p.x[3] & 1 == 0;
    let found = differences_with(p, flags, true, counting);
    if found.is_empty() { differences_with(p, flags, false, counting) } else { found }
}

fn differences_with(p: &Program, flags: bool, any_length: bool, counting: bool) -> Vec<String> {
    let (mut one, mut two) = (hart(p), hart(p));
    let translator = Arc::new(Translator::verified(any_length).unwrap());
    translator.set_flags(flags);
    translator.set_counting(counting);
    let mut executor = Executor::eager(Arc::clone(&translator));
    let mut counts = CodeCounts::default();
    // Between parts, regions are translated again for the memory that they have accessed.
    let run = |executor: &mut Executor, hart: &mut Hart| loop {
        let exit = executor.run(hart, 100);
        if exit != Exit::Limit || hart.retired() >= 2000 {
            break exit;
        }
    };
    let exit = run(&mut executor, &mut one);
    // A fault comes after the last retired instruction.
    let more = u64::from(matches!(exit, Exit::Fault(_)));
    let expected = interpret_and_count(&mut two, one.retired() + more, &mut counts);
    let mut found = Vec::new();
    let mut compare = |name: String, a: u64, b: u64| {
        if a != b {
            found.push(format!("{name}: {a:#x}, not {b:#x}"));
        }
    };
    compare("retired".to_owned(), one.retired(), two.retired());
    compare("pc".to_owned(), one.pc(), two.pc());
    compare("failures".to_owned(), translator.statistics().failures, 0);
    if counting {
        compare("bytes loaded".to_owned(), one.moved()[0], two.moved()[0]);
        compare("bytes stored".to_owned(), one.moved()[1], two.moved()[1]);
        let (a, b) = (executions(p, executor.take_counts()), executions(p, counts.take()));
        for pc in (CODE..CODE + 4 * p.words.len() as u64).step_by(2) {
            let of = |all: &BTreeMap<u64, u64>| all.get(&pc).copied().unwrap_or(0);
            compare(format!("executions of {pc:#x}"), of(&a), of(&b));
        }
        compare("instructions".to_owned(), a.values().sum(), one.retired());
    }
    for k in 0..32 {
        compare(format!("x{k}"), one.x(k), two.x(k));
        compare(format!("f{k}"), one.f(k), two.f(k));
        for (byte, (a, b)) in one.v(k).iter().zip(two.v(k)).enumerate() {
            compare(format!("v{k}[{byte}]"), (*a).into(), (*b).into());
        }
    }
    for csr in [1, 2, 3, 8, 9, 10, 0xc20, 0xc21] {
        if flags || !matches!(csr, 1 | 3) {
            compare(format!("csr {csr}"), one.csr(csr).unwrap(), two.csr(csr).unwrap());
        }
    }
    for (at, (a, b)) in memory(&one).iter().zip(memory(&two)).enumerate() {
        compare(format!("memory[{at:#x}]"), (*a).into(), b.into());
    }
    if exit != expected {
        found.push(format!("exit: {exit:?}, not {expected:?}"));
    }
    if !found.is_empty() {
        for (k, word) in p.words.iter().enumerate() {
            let inst = muxcl_rv_isa::decode(*word, p.xlen);
            let text = inst.map_or_else(String::new, |i| muxcl_rv_isa::disassemble(&i));
            found.push(format!("{:#x}: {text}", CODE + 4 * k as u64));
        }
        found.push(format!("{:?} strict {}, any vl {any_length}", p.xlen, p.strict));
    }
    found
}

/// Runs the first seeds; an error lists the differences of the first one that has any.
fn check(flags: bool, wanted: impl Fn(&Op) -> bool + Copy) {
    (0..300).for_each(|seed| check_seed(seed, flags, wanted));
}

fn check_seed(seed: u64, flags: bool, wanted: impl Fn(&Op) -> bool) {
    check_program(seed, program(seed, wanted), flags);
}

fn check_program(seed: u64, mut p: Program, flags: bool) {
    let mut found = differences(&p, flags);
    if found.is_empty() {
        return;
    }
    // Instructions that do not matter become `nop`.
    for k in 0..p.words.len() - 1 {
        let word = std::mem::replace(&mut p.words[k], 0x13);
        match differences(&p, flags) {
            none if none.is_empty() => p.words[k] = word,
            some => found = some,
        }
    }
    panic!("seed {seed}: {}", found.join("\n"));
}

fn scalar(op: &Op) -> bool {
    matches!(
        op.row().extension,
        Extension::I
            | Extension::M
            | Extension::Zba
            | Extension::Zbb
            | Extension::Zbc
            | Extension::Zbs
    )
}

#[test]
fn integers() {
    check(false, scalar);
}

#[test]
fn memory_and_branches() {
    check(false, |op| {
        matches!(op.row().format, Format::Load | Format::Store | Format::B | Format::J | Format::I)
            && op.row().extension == Extension::I
            || op.row().extension == Extension::A
    });
}

#[test]
fn floats() {
    check(false, |op| {
        matches!(op.row().extension, Extension::F | Extension::D | Extension::Zfh)
            || op.row().format == Format::B
            || *op == Op::Addi
    });
}

#[test]
fn floats_of_one_width() {
    check(false, |op| {
        op.row().extension == Extension::F && op.row().format != Format::FXRm
            || op.row().format == Format::B
    });
    check(false, |op| op.row().extension == Extension::D && !op.row().mnemonic.contains(".s"));
}

#[test]
fn floats_with_flags() {
    check(true, |op| {
        matches!(
            op.row().extension,
            Extension::F | Extension::D | Extension::Zicsr | Extension::Zfh
        ) || scalar(op)
    });
}

#[test]
fn vectors() {
    check(false, |op| {
        op.row().extension == Extension::V || scalar(op) && !matches!(op.row().format, Format::J)
    });
}

/// A program of vector instructions that do not trap: after a branch, the first one, and each
/// fourth, sets the type.
fn with_types(seed: u64) -> Program {
    let mut p = typed(seed);
    without_faults(&mut p);
    p
}

/// As [`with_types`], with one loop in another.
fn with_vector_loops(seed: u64) -> Program {
    let mut p = typed(seed);
    let random = &mut Rng::with_seed(seed);
    let last = p.words.len() - 1;
    if last < 12 {
        return with_types(seed);
    }
    let inst = |op: Op, rd: u8, rs1: u8, imm: i32| {
        let mut i = Inst::new(op);
        (i.rd, i.rs1, i.imm) = (rd, rs1, imm);
        i
    };
    // The words of the inner loop, then those of the outer one. Programs do not change x16 and x17.
    let (first, end) = (random.usize(3..last - 7), last - 3);
    let (outer, outer_end) = (random.usize(1..first - 1), last - 1);
    let mut put = |at: usize, i: Inst| p.words[at] = encode(&i, p.xlen).unwrap();
    let back = |from: usize, to: usize| (to as i32 - from as i32) * 4;
    put(first - 1, inst(Op::Addi, 16, 0, random.i32(1..8)));
    put(end - 1, inst(Op::Addi, 16, 16, -1));
    put(end, inst(Op::Bne, 0, 16, back(end, first)));
    put(outer_end - 1, inst(Op::Addi, 17, 17, -1));
    put(outer_end, inst(Op::Bne, 0, 17, back(outer_end, outer)));
    p.x[17] = random.u64(1..5);
    if random.bool() {
        // As in a loop over an array: `vl` is the largest one until the last iteration.
        let mut i = inst(Op::Vsetvli, 5, 15, random.i32(0..4) << 3 | pick(random, &[0, 1, 7]));
        p.words[first] = encode(&i, p.xlen).unwrap();
        i = Inst::new(Op::Sub);
        (i.rd, i.rs1, i.rs2) = (15, 15, 5);
        p.words[end - 2] = encode(&i, p.xlen).unwrap();
        p.x[15] = random.u64(0..200);
    }
    without_faults(&mut p);
    p
}

fn typed(seed: u64) -> Program {
    let wanted = |op: &Op| match op.row().extension {
        Extension::V => !matches!(op, Op::Vsetvl),
        Extension::F | Extension::D | Extension::Zfh => true,
        _ => matches!(op, Op::Addi | Op::Add | Op::Bne | Op::Lw | Op::Sw),
    };
    let mut p = program(seed, wanted);
    let random = &mut Rng::with_seed(!seed);
    let last = p.words.len() - 1;
    for k in 1..last {
        if random.u8(..3) == 0 {
            let i = instruction(random, OFTEN, k as i32, last as i32);
            p.words[k] = encode(&i, p.xlen).unwrap();
        }
        if k == 1 || random.u8(..4) == 0 {
            let op = if random.u8(..3) == 0 { Op::Vsetivli } else { Op::Vsetvli };
            let mut i = Inst::new(op);
            i.rd = pick(random, &[0, 5]);
            i.rs1 = if op == Op::Vsetivli { random.u8(1..32) } else { pick(random, &[0, 0, 6, 7]) };
            i.imm = random.i32(0..4) << 3 | pick(random, &[0, 0, 1, 2, 3, 7, 6]);
            if k == 1 {
                (i.rd, i.rs1) = (5, if op == Op::Vsetivli { i.rs1 } else { 0 });
            }
            p.words[k] = encode(&i, p.xlen).unwrap();
        }
    }
    // The interpreter executes the first block, and what follows is translated.
    let mut branch = Inst::new(Op::Bne);
    branch.imm = 4;
    p.words[0] = encode(&branch, p.xlen).unwrap();
    // Strides and indices that mostly stay in the data.
    p.x[6] = random.u64(0..70);
    p.x[7] = random.u64(0..2000);
    for k in 10..16 {
        p.x[k] = pick(random, &[0, 4, 8, 16, 12, u64::MAX - 7, 1 << 40]);
    }
    if p.xlen == Xlen::Rv32 {
        p.x = p.x.map(|v| v as i32 as i64 as u64);
    }
    for k in 0..512 {
        // Small numbers are indices.
        if random.bool() {
            p.data[k * 8..][..8].copy_from_slice(&random.u64(0..64).to_le_bytes());
        }
    }
    p
}

/// Replaces the instructions that fault.
fn without_faults(p: &mut Program) {
    let last = p.words.len() - 1;
    for _ in 0..last {
        let mut hart = hart(p);
        match interpret(&mut hart, 2000) {
            Exit::Fault(fault) if (CODE..CODE + 4 * last as u64).contains(&fault.pc) => {
                p.words[(fault.pc - CODE) as usize / 4] = 0x13;
            }
            _ => break,
        }
    }
}

/// A program that changes the rounding mode for a few instructions, as compilers do.
fn with_rounding(seed: u64) -> Program {
    let mut p = with_types(seed);
    let random = &mut Rng::with_seed(seed ^ 1 << 40);
    let last = p.words.len() - 1;
    let mut k = random.usize(1..5);
    while k + 1 < last {
        let mut set = Inst::new(Op::Csrrwi);
        (set.rd, set.rs1, set.imm) = (4, random.u8(0..6), 2);
        p.words[k] = encode(&set, p.xlen).unwrap();
        for place in k + 1..last.min(k + 4) {
            let i = instruction(random, &ROUNDING, place as i32, last as i32);
            p.words[place] = encode(&i, p.xlen).unwrap();
        }
        k = last.min(k + random.usize(1..6));
        let mut back = Inst::new(Op::Csrrw);
        (back.rd, back.rs1, back.imm) = (pick(random, &[0, 5]), pick(random, &[0, 4, 4]), 2);
        p.words[k.min(last - 1)] = encode(&back, p.xlen).unwrap();
        k += random.usize(1..12);
    }
    p
}

#[test]
fn rounding_modes() {
    (0..600).for_each(|seed| check_program(seed, with_rounding(seed), false));
}

#[test]
fn vectors_of_known_types() {
    (0..600).for_each(|seed| check_program(seed, with_types(seed), false));
}

/// As [`with_types`], with half-precision numbers only.
fn with_halves(seed: u64) -> Program {
    let mut p = typed(seed);
    let random = &mut Rng::with_seed(seed ^ 0x4a1f);
    let last = p.words.len() - 1;
    let ops: Vec<Op> = choices(p.xlen).into_iter().filter(of_halves).collect();
    for k in 1..last {
        let mut i = muxcl_rv_isa::decode(p.words[k], p.xlen).unwrap();
        if matches!(i.op, Op::Vsetvli | Op::Vsetivli) {
            // Some conversions are from and to integers of 8 bits.
            i.imm = pick(random, &[1, 1, 1, 1, 0]) << 3 | i.imm & 7;
        } else if random.u8(..4) != 0 {
            i = instruction(random, &ops, k as i32, last as i32);
        }
        p.words[k] = encode(&i, p.xlen).unwrap();
    }
    for chunk in p.data.chunks_exact_mut(8).skip(32) {
        chunk.copy_from_slice(&halves(random).to_le_bytes());
    }
    p.f = std::array::from_fn(|_| halves(random));
    without_faults(&mut p);
    p
}

/// A program of scalar half precision, whose registers hold such numbers but for one, sometimes.
fn with_scalar_halves(seed: u64) -> Program {
    let random = &mut Rng::with_seed(seed ^ 0x5ca1);
    let others = random.bool();
    let mut p = program(seed, |op| match op.row().extension {
        Extension::Zfh => others || !op.row().mnemonic.ends_with('d'),
        Extension::F => others && op.row().format == Format::FRm,
        Extension::V => others && matches!(op, Op::VfmaccVf | Op::VfmvFS | Op::Vsetvli),
        _ => op.row().format == Format::B || *op == Op::Addi,
    });
    p.f = std::array::from_fn(|_| halves(random) | 0xffff_ffff_ffff_0000);
    if random.u8(..4) == 0 {
        p.f[usize::from(source(random))] = number(random);
    }
    p
}

#[test]
fn scalar_half_precision() {
    (0..600).for_each(|seed| check_program(seed, with_scalar_halves(seed), seed % 16 == 0));
}

/// Whether an instruction may have half-precision numbers as operands or results.
fn of_halves(op: &Op) -> bool {
    let row = op.row();
    row.extension == Extension::Zfh
        || row.extension == Extension::V && matches!(row.matches & 0x707f, 0x1057 | 0x5057)
        || matches!(op, Op::Vle16V | Op::Vse16V | Op::Flw | Op::FaddS)
}

#[test]
fn half_precision() {
    (0..1000).for_each(|seed| check_program(seed, with_halves(seed), seed % 4 == 0));
}

/// A program of few vector instructions of a known type, some of which are illegal.
fn with_faults(seed: u64) -> Program {
    let mut p = typed(seed);
    let random = &mut Rng::with_seed(seed ^ 0x5555);
    let vectors: Vec<Op> = choices(p.xlen)
        .into_iter()
        .filter(|op| op.row().extension == Extension::V && !op.row().mnemonic.starts_with("vset"))
        .collect();
    p.words.truncate(2);
    if random.bool() {
        // The type is that of the hart when the region begins.
        p.words.swap(0, 1);
    }
    while p.words.len() < 6 {
        let mut i = instruction(random, &vectors, 0, 1);
        // Any registers.
        let any = |random: &mut Rng| random.u8(..32);
        let operands = i.op.row().format.operands();
        for (operand, register) in
            [(Operand::Vd, &mut i.rd), (Operand::V1, &mut i.rs1), (Operand::V2, &mut i.rs2)]
        {
            if operands.contains(&operand) && random.u8(..3) == 0 {
                *register = any(random);
            }
        }
        p.words.extend(encode(&i, p.xlen));
    }
    p.words.push(0x0000_0073);
    p
}

#[test]
fn illegal_vectors() {
    (0..2000).for_each(|seed| check_program(seed, with_faults(seed), seed % 8 == 0));
}

/// A program of loops with scalar accesses at addresses that change by constants or registers, some
/// of which leave the memory.
fn with_loops(seed: u64) -> Program {
    let wanted = |op: &Op| match op.row().extension {
        Extension::F | Extension::D => true,
        _ => {
            scalar(op)
                && !matches!(op.row().format, Format::J | Format::B)
                && !matches!(op, Op::Fence | Op::Div | Op::Rem)
        }
    };
    let mut p = program(seed, wanted);
    let random = &mut Rng::with_seed(!seed);
    let ops: Vec<Op> = choices(p.xlen).into_iter().filter(wanted).collect();
    let accesses: Vec<Op> = ops
        .iter()
        .copied()
        .filter(|op| {
            let operands = op.row().format.operands();
            operands.contains(&Operand::MemI) || operands.contains(&Operand::MemS)
        })
        .collect();
    p.words.clear();
    let rv64 = p.xlen == Xlen::Rv64;
    for _ in 0..random.usize(1..4) {
        let mut body = Vec::new();
        let length = pick(random, &[0, 1, 2, 4, 8, 12]);
        for _ in 0..length {
            let kind = random.u8(..8);
            let mut i = instruction(random, if kind < 4 { &accesses } else { &ops }, 0, 100);
            if kind == 4 {
                // An address becomes another one.
                i = Inst::new(pick(random, &[Op::Addi, Op::Addi, Op::Addi, Op::Add, Op::Sub]));
                i.rd = pick(random, &[8, 9, 16, 2]);
                i.rs1 = i.rd;
                i.rs2 = pick(random, &[17, 18]);
                i.imm = pick(random, &[1, 2, 4, 8, 16, -1, -4, -8, -64, 100]);
            }
            if kind == 5 {
                let op = pick(random, &[Op::Add, Op::Sub, Op::Sh1add, Op::Sh3add, Op::Slli]);
                i = Inst::new(op);
                (i.rd, i.rs1, i.rs2) = (pick(random, &[16, 19]), 18, pick(random, &[8, 9]));
                i.imm = random.i32(0..4);
            }
            if i.op
                .row()
                .format
                .operands()
                .iter()
                .any(|o| matches!(o, Operand::MemI | Operand::MemS))
            {
                i.rs1 = pick(random, &[2, 8, 8, 8, 9, 9, 16, 16, 19]);
                i.imm = random.i32(-8..24) * pick(random, &[1, 4, 8]);
            } else if kind > 5 {
                // The counters stay.
                i.rd = pick(random, &[1, 3, 4, 5, 6, 7]);
            }
            body.push(i);
        }
        // Sometimes the loop has two blocks, or ends in the middle.
        if random.bool() {
            let mut i = Inst::new(pick(random, &[Op::Beq, Op::Blt, Op::Bgeu]));
            (i.rs1, i.rs2) = (random.u8(1..8), random.u8(10..20));
            let (at, past) = (random.usize(..=length), length + 3);
            let to = if random.bool() { past } else { random.usize(at..=length) };
            i.imm = 4 * (to + 1 - at) as i32;
            body.insert(at, i);
        }
        // Most loops have a pointer, which changes by a constant or by a register.
        let step = pick(random, &[8, 16, -8, 4]);
        let mut changes = vec![(Op::Addi, 20, -1), (Op::Addi, 18, 1)];
        match random.u8(..4) {
            0 => {}
            1 => changes.push((Op::Addi, 8, step)),
            kind => changes.push((if kind == 2 { Op::Add } else { Op::Sub }, 8, 0)),
        }
        if changes.len() > 2 {
            let mut i = Inst::new(pick(random, &accesses));
            (i.rd, i.rs1, i.rs2) = (4, 8, 4);
            body.push(i);
        }
        for (op, register, imm) in changes {
            let mut i = Inst::new(op);
            (i.rd, i.rs1, i.rs2, i.imm) = (register, register, 17, imm);
            body.push(i);
        }
        let mut i = Inst::new(Op::Bne);
        (i.rs1, i.imm) = (20, -4 * body.len() as i32);
        body.push(i);
        let mut first = Inst::new(Op::Addi);
        (first.rd, first.imm) = (20, random.i32(1..1600 / body.len() as i32));
        body.insert(0, first);
        p.words.extend(body.iter().map(|i| encode(i, p.xlen).unwrap_or(0x13)));
    }
    p.words.push(0x0000_0073);
    let sign = |v: u64| if rv64 { v } else { v as i32 as i64 as u64 };
    // Some addresses leave the memory after more iterations than one check covers.
    let ends = [DATA + DATA_SIZE - 200, DATA + DATA_SIZE - 2400, DATA + 2400];
    let places = [&ends[..], &[DATA, DATA + 64, DATA + 512, DATA + DATA_SIZE / 2, OWN]].concat();
    let small = [0, 4, 8, 8, 24, 64, 100, 512, u64::MAX - 7, u64::MAX - 3, u64::MAX - 63];
    let steps = [&small[..], &[1 << 20, 1 << 50, 1 << 63]].concat();
    for k in [8, 9, 16, 19] {
        p.x[k] = sign(pick(random, &places).wrapping_add(random.u64(0..4) * 8));
    }
    p.x[2] = sign(pick(random, &[OWN + OWN_SIZE - 64, OWN + 64, OWN + OWN_SIZE / 2, DATA + 64]));
    p.x[17] = sign(pick(random, &steps));
    p.x[18] = sign(pick(random, &small));
    p
}

#[test]
fn loops() {
    (0..2000).for_each(|seed| check_program(seed, with_loops(seed), false));
}

/// A program of functions that call each other and themselves, with stack frames. Some return
/// elsewhere, or have no stack left.
fn with_calls(seed: u64) -> Program {
    let mut p = program(seed, |op| matches!(op, Op::Add | Op::Xor | Op::Ld | Op::Sd | Op::Addi));
    let random = &mut Rng::with_seed(!seed);
    let rv64 = p.xlen == Xlen::Rv64;
    let (load, store) = if rv64 { (Op::Ld, Op::Sd) } else { (Op::Lw, Op::Sw) };
    let make = |op, rd, rs1, imm| {
        let mut i = Inst::new(op);
        (i.rd, i.rs1, i.imm) = (rd, rs1, imm);
        i
    };
    let save = |register, imm| Inst { rs2: register, ..make(store, 0, 2, imm) };
    let functions = random.usize(1..4);
    // Code, with calls as `jal` to the number of a function.
    let mut code: Vec<Inst> = vec![make(Op::Addi, 20, 0, random.i32(2..9))];
    let mut starts = Vec::new();
    for function in 0..=functions {
        if function > 0 {
            starts.push(code.len());
            code.push(make(Op::Addi, 2, 2, -32));
            code.push(save(1, 24));
            code.push(save(21, 16));
            code.push(make(Op::Addi, 20, 20, -1));
            let mut end = Inst::new(Op::Blt);
            (end.rs1, end.rs2, end.imm) = (20, 0, 4 * random.i32(2..5));
            code.push(end);
        }
        for _ in 0..random.usize(1..5) {
            code.push(match random.u8(..5) {
                0 => Inst { rs2: 20, ..make(Op::Add, 21, 21, 0) },
                1 => save(21, random.i32(0..4) * 8),
                2 => make(load, 21, 8, random.i32(-70..70) * 8),
                _ => make(Op::Jal, 1, 0, random.i32(0..functions as i32)),
            });
        }
        if function > 0 {
            code.push(make(load, 1, 2, 24));
            code.push(make(load, 21, 2, 16));
            let wrong = random.u8(..8) == 0;
            code.push(make(Op::Addi, 2, 2, if wrong { 24 } else { 32 }));
            code.push(make(Op::Jalr, 0, 1, 0));
        } else {
            code.push(Inst::new(Op::Ecall));
        }
    }
    for (at, i) in code.iter_mut().enumerate().filter(|(_, i)| i.op == Op::Jal) {
        i.imm = 4 * (starts[i.imm as usize] as i32 - at as i32);
    }
    p.words = code.iter().map(|i| encode(i, p.xlen).unwrap()).collect();
    p.x[2] = pick(random, &[OWN + OWN_SIZE - 16, OWN + OWN_SIZE - 16, OWN + 64, DATA + 128]);
    if !rv64 {
        p.x[2] = p.x[2] as i32 as i64 as u64;
    }
    p
}

#[test]
fn calls() {
    (0..2000).for_each(|seed| check_program(seed, with_calls(seed), false));
}

#[test]
fn vectors_in_loops() {
    (0..400).for_each(|seed| check_program(seed, with_vector_loops(seed), false));
}

#[test]
fn everything() {
    check(true, |_| true);
}

/// A program of which every second word is any number.
fn with_any_words(seed: u64) -> Program {
    let mut p = program(seed, |_| true);
    let random = &mut Rng::with_seed(!seed);
    for word in &mut p.words {
        let any = random.u32(..);
        // The clock differs from run to run.
        if random.bool() && any & 0x7f != 0x73 && any >> 16 & 0x7f != 0x73 {
            *word = any;
        }
    }
    p
}

#[test]
fn any_words() {
    for seed in 0..1000 {
        let found = differences(&with_any_words(seed), true);
        assert!(found.is_empty(), "seed {seed}: {}", found.join("\n"));
    }
}

/// Runs a program with checks and returns the difference.
fn checked(p: &Program, flags: bool) -> Option<String> {
    let translator = Arc::new(Translator::verified(false).unwrap());
    translator.set_flags(flags);
    let mut executor = Executor::checked(translator);
    let (mut one, mut two) = (hart(p), hart(p));
    let exit = executor.run(&mut one, 2000);
    let found = executor.take_difference();
    if found.is_none() {
        let more = u64::from(exit != Exit::Limit);
        assert_eq!(exit, interpret(&mut two, one.retired() + more));
        assert_eq!(one.registers().list(flags), two.registers().list(flags));
        assert_eq!(memory(&one), memory(&two));
    }
    found
}

#[test]
fn check_mode_finds_no_difference() {
    for seed in 0..200 {
        assert_eq!(checked(&program(seed, |_| true), true), None, "seed {seed}");
        assert_eq!(checked(&with_types(seed), false), None, "seed {seed}");
    }
}

/// Translated code for programs that read no flags computes none, which this one finds out.
#[test]
fn check_mode_finds_a_difference() {
    let mut p = program(0, |op| *op == Op::Addi);
    let mut divide = Inst::new(Op::FdivD);
    (divide.rd, divide.rs1, divide.rs2, divide.aux) = (1, 2, 3, 7);
    let mut read = Inst::new(Op::Csrrs);
    (read.rd, read.imm) = (5, 1);
    // The interpreter executes the first block, and what follows is translated.
    let mut branch = Inst::new(Op::Bne);
    branch.imm = 4;
    p.words = [branch, divide, read].map(|i| encode(&i, Xlen::Rv64).unwrap()).to_vec();
    p.words.push(0x0000_0073);
    p.xlen = Xlen::Rv64;
    (p.f[2], p.f[3]) = (1f64.to_bits(), 3f64.to_bits());
    let found = checked(&p, false).unwrap();
    assert!(found.contains("x5 0x0, not 0x1"), "{found}");
    assert_eq!(checked(&p, true), None);
}

/// Other seeds, for `MUXCL_TEST_SECONDS` seconds.
#[test]
fn other_seeds() {
    let seconds = muxcl_config::MUXCL_TEST_SECONDS.parse().unwrap_or(2);
    let begin = std::time::Instant::now();
    for seed in (1000..).take_while(|_| begin.elapsed().as_secs() < seconds) {
        match seed % 10 {
            9 if seed % 3 == 0 => check_program(seed, with_scalar_halves(seed), false),
            9 => check_program(seed, with_halves(seed), seed % 20 == 9),
            8 => check_program(seed, with_rounding(seed), seed % 18 == 8),
            7 => check_program(seed, with_faults(seed), false),
            6 => check_program(seed, with_vector_loops(seed), seed % 16 == 6),
            5 => check_program(seed, with_calls(seed), false),
            4 => check_program(seed, with_loops(seed), seed % 16 == 4),
            0 => check_seed(seed, true, |_| true),
            1 => check_program(seed, with_types(seed), seed % 16 == 1),
            2 => check_seed(seed, false, |op| op.row().extension != Extension::Zicsr),
            _ => check_seed(seed, false, scalar),
        }
    }
}
