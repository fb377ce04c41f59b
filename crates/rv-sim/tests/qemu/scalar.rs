//! The scalar instructions: each case loads registers from its record, executes one instruction,
//! and stores the possible destinations.

use crate::Random;
use crate::image::{Machine, Program};
use muxcl_rv_isa::{Extension, Format, Inst, Op, Xlen, csr, disassemble};

/// Layout of a record: x10, x11, x12, f10 to f13, fcsr, then memory for loads and stores.
const F: usize = 24;
const FCSR: usize = 56;
const MEMORY: usize = 64;
const RECORD: usize = 128;

fn store_word(xlen: Xlen) -> (Op, Op) {
    if xlen == Xlen::Rv64 { (Op::Ld, Op::Sd) } else { (Op::Lw, Op::Sw) }
}

/// A random instruction of the row, with the template's registers; `None` for rows that need a
/// template of their own.
fn instance(op: Op, xlen: Xlen, random: &mut Random) -> Option<Inst> {
    let mut i = Inst { rd: 10, rs1: 11, rs2: 12, rs3: 13, unmasked: true, ..Inst::new(op) };
    let shift = if xlen == Xlen::Rv64 { 64 } else { 32 };
    match op.row().format {
        Format::R | Format::R1 | Format::FR | Format::FCmp | Format::XF | Format::FX => {}
        Format::I => i.imm = (random.integer() as i32) << 20 >> 20,
        Format::Shift => i.imm = random.below(shift) as i32,
        Format::ShiftW => i.imm = random.below(32) as i32,
        Format::U => i.imm = (random.next() as i32) & !0xfff,
        Format::Load | Format::FLoad | Format::Store | Format::FStore => {
            i.imm = random.below(40) as i32 - 16;
        }
        Format::Lr | Format::Amo => i.aux = random.below(4) as u8,
        Format::Fma | Format::FRm | Format::F1Rm | Format::XFRm | Format::FXRm => {
            i.aux = [0, 0, 1, 2, 3, 4, 7][random.below(7) as usize]
        }
        Format::B => i.imm = 8,
        Format::Csr | Format::CsrI => {
            let numbers =
                [csr::FFLAGS, csr::FRM, csr::FCSR, csr::VXRM, csr::VXSAT, csr::VCSR, csr::VSTART];
            i.imm = numbers[random.below(numbers.len() as u64) as usize].into();
            i.rs1 = if op.row().format == Format::CsrI {
                random.below(
                    if matches!(numbers.iter().position(|n| i32::from(*n) == i.imm), Some(3..)) {
                        4
                    } else {
                        32
                    },
                ) as u8
            } else {
                [0, 11][random.below(2) as usize]
            };
        }
        Format::Fence => i.imm = random.below(256) as i32,
        _ => return None,
    }
    Some(i)
}

fn float_operand(op: Op, random: &mut Random) -> u64 {
    let name = op.row().mnemonic;
    // For most mnemonics the last letter is the source's width.
    let width = match name.rsplit('.').find(|p| ["h", "s", "d"].contains(p)) {
        Some("h") => 16,
        Some("s") => 32,
        _ => 64,
    };
    match random.below(12) {
        // Values that are not NaN-boxed, or have another width.
        0 => random.next(),
        1 => random.float(64),
        _ if width == 64 => random.float(64),
        _ => random.float(width) | u64::MAX << width,
    }
}

fn case(p: &mut Program, inst: &Inst, xlen: Xlen, random: &mut Random) {
    let memory_access = matches!(
        inst.op.row().format,
        Format::Load | Format::Store | Format::FLoad | Format::FStore | Format::Lr | Format::Amo
    );
    let mut record = [0u8; RECORD];
    let mut put = |at: usize, value: u64| record[at..at + 8].copy_from_slice(&value.to_le_bytes());
    let value = random.integer();
    put(0, random.next());
    // QEMU 7.2 keeps too many bits of the vector CSRs, and miscounts `ctzw` of zero.
    let value = match inst.op.row().format {
        Format::Csr => value & 3,
        _ if inst.op == Op::Ctzw => value | 1 << 31,
        _ => value,
    };
    put(8, value);
    // Sometimes equal operands, for branches and comparisons.
    put(16, if random.below(4) == 0 { value } else { random.integer() });
    let first = float_operand(inst.op, random);
    put(F, random.next());
    put(F + 8, first);
    put(F + 16, if random.below(8) == 0 { first } else { float_operand(inst.op, random) });
    put(
        F + 24,
        if random.below(8) == 0 { first ^ 1 << 63 } else { float_operand(inst.op, random) },
    );
    put(FCSR, random.below(5) << 5 | random.next() & 31 & random.next());
    for at in (MEMORY..RECORD).step_by(8) {
        put(at, random.next());
    }
    let at = p.data(&record);
    let (load, store) = store_word(xlen);
    p.constant(31, at);
    p.op(load, 5, 31, 0, FCSR as i32);
    p.op(Op::Csrrw, 0, 5, 0, csr::FCSR.into());
    for k in 0..3 {
        p.op(load, 10 + k, 31, 0, i32::from(k) * 8);
    }
    for k in 0..4 {
        p.op(Op::Fld, 10 + k, 31, 0, F as i32 + i32::from(k) * 8);
    }
    if memory_access {
        p.op(Op::Addi, 11, 31, 0, MEMORY as i32 + 16);
    }
    if matches!(inst.op, Op::ScW | Op::ScD) && random.below(2) == 0 {
        p.op(if inst.op == Op::ScW { Op::LrW } else { Op::LrD }, 6, 11, 0, 0);
    }
    p.emit(*inst);
    if inst.op.row().format == Format::B {
        p.op(Op::Addi, 10, 10, 0, 1);
    }
    p.op(store, 0, 31, 10, 0);
    if memory_access {
        // Discards the address, which differs between the machines.
        p.op(store, 0, 31, 0, 8);
    }
    p.op(Op::Fsd, 0, 31, 10, F as i32);
    p.op(Op::Csrrs, 5, 0, 0, csr::FCSR.into());
    p.op(store, 0, 31, 5, FCSR as i32);
    p.op(Op::Csrrs, 5, 0, 0, csr::VCSR.into());
    p.op(store, 0, 31, 5, FCSR as i32 + 4);
    p.op(Op::Csrrwi, 0, 0, 0, csr::VSTART.into());
    p.op(Op::Csrrwi, 0, 0, 0, csr::VCSR.into());
}

pub(crate) fn check(machine: &Machine, seed: u64, repeats: usize) {
    let mut random = Random::new(seed);
    let mut program = Program::new(machine.xlen);
    // 8-byte floating-point loads and `fcsr` need no setup. Vector CSRs need an enabled vector
    // unit, which user mode provides.
    let mut cases = Vec::new();
    for &op in Op::ALL {
        let row = op.row();
        if row.extension == Extension::V || !row.xlen.has(machine.xlen) {
            continue;
        }
        for _ in 0..repeats {
            let Some(inst) = instance(op, machine.xlen, &mut random) else { break };
            // Misaligned addresses are legal for plain loads and stores only.
            case(&mut program, &inst, machine.xlen, &mut random);
            cases.push(inst);
        }
    }
    program.finish();
    let theirs = machine.qemu(&program).expect("QEMU runs the program");
    let ours = machine.ours(&program);
    compare(&cases, &ours, &theirs, RECORD);
}

/// Compares the records and reports each failing instruction once.
pub(crate) fn compare(cases: &[Inst], ours: &[u8], theirs: &[u8], record: usize) {
    assert_eq!(ours.len(), theirs.len());
    let mut wrong = Vec::new();
    for ((inst, a), b) in cases.iter().zip(ours.chunks(record)).zip(theirs.chunks(record)) {
        if a != b && !wrong.iter().any(|(i, _): &(&Inst, String)| i.op == inst.op) {
            let at: Vec<String> = (0..record / 8)
                .filter(|k| a[k * 8..k * 8 + 8] != b[k * 8..k * 8 + 8])
                .take(6)
                .map(|k| {
                    let word = |s: &[u8]| {
                        u64::from_le_bytes(s[k * 8..k * 8 + 8].try_into().expect("eight bytes"))
                    };
                    format!("+{:#x}: ours {:016x}, QEMU's {:016x}", k * 8, word(a), word(b))
                })
                .collect();
            wrong.push((inst, at.join("; ")));
        }
    }
    let text: Vec<String> = wrong.iter().map(|(i, t)| format!("{}: {t}", disassemble(i))).collect();
    assert!(
        wrong.is_empty(),
        "{} of {} instructions differ\n{}",
        wrong.len(),
        cases.len(),
        text.join("\n")
    );
}
