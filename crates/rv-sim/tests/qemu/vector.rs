//! The vector instructions: each case loads four register groups from its record, sets type and
//! length, executes one instruction and stores the destination. Covers all LMUL, all SEW, masked
//! and unmasked. Cases that the simulator finds illegal are left out (QEMU would end there), but
//! every instruction must have some legal cases.

use crate::Random;
use crate::image::{Machine, Program};
use muxcl_rv_isa::{Extension, Format, Inst, Op, Operand, Xlen, csr, disassemble};
use muxcl_rv_sim::Exit;

/// Layout of a record after four groups of eight registers: scalars, then memory.
struct Layout {
    group: usize,
    scalars: usize,
    memory: usize,
    record: usize,
}

const X: usize = 0;
const X2: usize = 8;
const F: usize = 16;
const FCSR: usize = 24;
const VCSR: usize = 32;
const VTYPE: usize = 48;
const VSTART: usize = 56;
const XD: usize = 64;
const FD: usize = 72;
const VL: usize = 80;
const SCALARS: usize = 96;
const MEMORY: usize = 4096;

impl Layout {
    fn new(vlen: u32) -> Self {
        let group = vlen as usize;
        let scalars = 4 * group;
        Self { group, scalars, memory: scalars + SCALARS, record: scalars + SCALARS + MEMORY }
    }
}

/// True for a floating-point vector instruction.
fn is_float(op: Op) -> bool {
    matches!(op.row().matches & 0x7f, 0x57) && matches!(op.row().matches >> 12 & 7, 1 | 5)
}

struct Case {
    inst: Inst,
    /// The instruction for QEMU. Version 7.2 fails at every `rtz` form, so QEMU gets the plain form
    /// with that mode in `frm`.
    theirs: Inst,
    vtype: u64,
    avl: u64,
    vstart: u64,
    record: Vec<u8>,
}

fn fill(bytes: &mut [u8], random: &mut Random, float_width: Option<u32>) {
    match float_width {
        Some(width) => {
            for chunk in bytes.chunks_mut(width as usize / 8) {
                let value = random.float(width).to_le_bytes();
                chunk.copy_from_slice(&value[..chunk.len()]);
            }
        }
        None => {
            for chunk in bytes.chunks_mut(8) {
                let mut value = random.integer();
                // Sometimes many small elements.
                if random.below(2) == 0 {
                    value = random.next() & random.next();
                }
                chunk.copy_from_slice(&value.to_le_bytes());
            }
        }
    }
}

fn case(op: Op, machine: &Machine, layout: &Layout, random: &mut Random) -> Case {
    let row = op.row();
    let operands = row.format.operands();
    let mut inst =
        Inst { rd: 8, rs1: 11, rs2: 16, unmasked: random.below(2) == 0, ..Inst::new(op) };
    if operands.contains(&Operand::V1) {
        inst.rs1 = 24;
    }
    if operands.contains(&Operand::X2) {
        inst.rs2 = 12;
    }
    if operands.contains(&Operand::Nf) {
        inst.aux = random.below(7) as u8 + 1;
    }
    if operands.contains(&Operand::Xd) || operands.contains(&Operand::Fd) {
        inst.rd = 10;
    }
    if operands.contains(&Operand::SImm5) {
        inst.imm = random.below(32) as i32 - 16;
    }
    if operands.contains(&Operand::UImm5) {
        inst.imm = random.below(32) as i32;
    }
    if !operands.contains(&Operand::VMask) {
        inst.unmasked = false;
    }
    let sew = if is_float(op) { random.below(8).clamp(1, 3) } else { random.below(4) };
    let vtype = sew << 3 | [0, 1, 2, 3, 5, 6, 7][random.below(7) as usize] | random.below(4) << 6;
    let avl = random.below(u64::from(machine.vlen) + 2) >> random.below(6);
    let mut record = vec![0; layout.record];
    let float_width = is_float(op).then_some(8u32 << sew);
    fill(&mut record[..layout.group], random, None);
    for k in 1..4 {
        let width = match (float_width, random.below(6)) {
            // Double-width sources and accumulators of widening and narrowing instructions.
            (Some(w), 0 | 1) if w < 64 => Some(w * 2),
            (Some(w), 2) if w > 16 => Some(w / 2),
            (w, _) => w,
        };
        let width = width.filter(|_| random.below(10) != 0);
        fill(&mut record[k * layout.group..(k + 1) * layout.group], random, width);
    }
    let name = row.mnemonic;
    if matches!(row.format, Format::VMemIndex | Format::VMemIndexSeg) {
        // Indices that stay inside the record's memory.
        let bytes = name
            .trim_end_matches(".v")
            .rsplit("ei")
            .next()
            .and_then(|w| w.parse::<usize>().ok())
            .expect("a width")
            / 8;
        for chunk in record[2 * layout.group..3 * layout.group].chunks_mut(bytes) {
            let value = random.below(if bytes == 1 { 256 } else { 1900 });
            chunk.copy_from_slice(&value.to_le_bytes()[..bytes]);
        }
    }
    if name.starts_with("vrgather") && random.below(3) != 0 {
        let bytes = if name.contains("ei16") { 2 } else { 1usize << sew };
        for chunk in record[3 * layout.group..].chunks_mut(bytes).take(layout.group / bytes) {
            chunk.copy_from_slice(&random.below(1 + (avl + 4)).to_le_bytes()[..bytes]);
        }
    }
    let scalars = &mut record[layout.scalars..];
    let mut put = |at: usize, value: u64| scalars[at..at + 8].copy_from_slice(&value.to_le_bytes());
    let slides = name.contains("slide") || name.starts_with("vrgather.vx");
    put(X, if slides { random.below(40) } else { random.integer() });
    put(
        X2,
        [0, 1, 2, 4, 8, 16, 3, (-8i64).cast_unsigned(), (-1i64).cast_unsigned()]
            [random.below(9) as usize],
    );
    let f = match float_width {
        Some(w) if w < 64 && random.below(10) != 0 => random.float(w) | u64::MAX << w,
        _ => random.float(64),
    };
    put(F, f);
    put(FCSR, random.below(5) << 5);
    put(VCSR, random.below(4) << 1);
    put(XD, random.next());
    put(FD, random.next());
    for at in (SCALARS..SCALARS + MEMORY).step_by(8) {
        put(at, random.next());
    }
    // QEMU 7.2 does not clear `vstart` when it is not below `vl`; the specification requires every
    // instruction to clear it.
    let lmul = (vtype & 7).cast_signed() as i32;
    let lmul = if lmul > 3 { lmul - 8 } else { lmul };
    let most = if lmul < 0 { machine.vlen >> -lmul } else { machine.vlen << lmul } >> (3 + sew);
    let vstart = if random.below(6) == 0 { random.below(4) } else { 0 };
    let vstart = if vstart < avl.min(u64::from(most)) { vstart } else { 0 };
    let mut theirs = inst;
    if let Some((head, tail)) = name.split_once("rtz.") {
        let plain = format!("{head}{tail}");
        theirs.op = *Op::ALL.iter().find(|op| op.row().mnemonic == plain).expect("a plain form");
        record[layout.scalars + FCSR] = 1 << 5;
    }
    Case { inst, theirs, vtype, avl, vstart, record }
}

fn emit(p: &mut Program, inst: Inst, case: &Case, layout: &Layout, xlen: Xlen, at: u64) {
    let load = if xlen == Xlen::Rv64 { Op::Ld } else { Op::Lw };
    let store = if xlen == Xlen::Rv64 { Op::Sd } else { Op::Sw };
    for k in 0..4u8 {
        p.constant(30, at + u64::from(k) * layout.group as u64);
        p.op(Op::Vl8re8V, k * 8, 30, 0, 0);
    }
    p.constant(31, at + layout.scalars as u64);
    p.op(load, 11, 31, 0, X as i32);
    p.op(load, 12, 31, 0, X2 as i32);
    p.op(load, 10, 31, 0, XD as i32);
    p.op(Op::Fld, 11, 31, 0, F as i32);
    p.op(Op::Fld, 10, 31, 0, FD as i32);
    p.op(load, 5, 31, 0, FCSR as i32);
    p.op(Op::Csrrw, 0, 5, 0, csr::FCSR.into());
    p.op(load, 5, 31, 0, VCSR as i32);
    p.op(Op::Csrrw, 0, 5, 0, csr::VCSR.into());
    let format = case.inst.op.row().format;
    if format.operands().contains(&Operand::Base) {
        p.constant(11, at + layout.memory as u64 + MEMORY as u64 / 2);
        if !matches!(
            format,
            Format::VMemStride | Format::VMemStrideSeg | Format::VMemIndex | Format::VMemIndexSeg
        ) {
            p.constant(11, at + layout.memory as u64 + 64);
        }
    }
    p.constant(6, case.avl);
    p.op(Op::Vsetvli, 0, 6, 0, case.vtype as i32);
    p.op(Op::Csrrwi, 0, case.vstart as u8, 0, csr::VSTART.into());
    p.emit(inst);
    p.op(Op::Csrrs, 5, 0, 0, csr::VSTART.into());
    p.op(store, 0, 31, 5, VSTART as i32);
    p.op(Op::Csrrs, 5, 0, 0, csr::FCSR.into());
    p.op(store, 0, 31, 5, FCSR as i32);
    p.op(Op::Csrrs, 5, 0, 0, csr::VCSR.into());
    p.op(store, 0, 31, 5, VCSR as i32);
    p.op(Op::Csrrs, 5, 0, 0, csr::VL.into());
    p.op(store, 0, 31, 5, VL as i32);
    p.op(Op::Csrrs, 5, 0, 0, csr::VTYPE.into());
    p.op(store, 0, 31, 5, VTYPE as i32);
    p.op(store, 0, 31, 10, XD as i32);
    p.op(Op::Fsd, 0, 31, 10, FD as i32);
    for k in 0..2u8 {
        p.constant(30, at + u64::from(k) * layout.group as u64);
        p.op(Op::Vs8rV, k * 8, 30, 0, 0);
    }
    p.constant(30, at + 2 * layout.group as u64);
    p.op(Op::Vs8rV, 16, 30, 0, 0);
}

/// Whether the simulator executes the case.
fn legal(case: &Case, machine: &Machine, layout: &Layout) -> bool {
    let mut p = Program::new(machine.xlen);
    let at = p.data(&case.record);
    emit(&mut p, case.inst, case, layout, machine.xlen, at);
    p.emit(Inst::new(Op::Ebreak));
    machine.hart(&p).run(u64::MAX) == Exit::Ebreak
}

/// Known deviations of QEMU 7.2 from the specification, and different permitted choices.
fn excused(case: &Case, xlen: Xlen) -> bool {
    // QEMU truncates the scalar to XLEN.
    xlen == Xlen::Rv32
        && case.vtype >> 3 & 7 == 3
        && matches!(case.inst.op, Op::Vfslide1upVf | Op::Vfslide1downVf)
}

pub(crate) fn check(machine: &Machine, seed: u64, repeats: usize) {
    let layout = Layout::new(machine.vlen);
    let mut random = Random::new(seed);
    let ops: Vec<Op> = Op::ALL
        .iter()
        .copied()
        .filter(|op| op.row().extension == Extension::V && op.row().xlen.has(machine.xlen))
        .collect();
    let (mut never, mut failures) = (Vec::new(), Vec::new());
    // Few instructions at a time, which keeps programs small.
    for some in ops.chunks(24) {
        let mut program = Program::new(machine.xlen);
        let mut twin = Program::new(machine.xlen);
        let mut cases = Vec::new();
        for &op in some {
            if matches!(op, Op::Vsetvli | Op::Vsetivli | Op::Vsetvl) {
                continue;
            }
            let before = cases.len();
            for _ in 0..repeats * 4 {
                let c = case(op, machine, &layout, &mut random);
                if cases.len() < before + repeats
                    && legal(&c, machine, &layout)
                    && !excused(&c, machine.xlen)
                {
                    let at = program.data(&c.record);
                    emit(&mut program, c.inst, &c, &layout, machine.xlen, at);
                    let at = twin.data(&c.record);
                    emit(&mut twin, c.theirs, &c, &layout, machine.xlen, at);
                    cases.push(c);
                }
            }
            if cases.len() < before + repeats / 4 {
                never.push(op.row().mnemonic);
            }
        }
        program.finish();
        twin.finish();
        let ours = machine.ours(&program);
        match machine.qemu(&twin) {
            None => failures.extend(cases.iter().filter_map(|case| stops(case, machine, &layout))),
            Some(theirs) => failures.extend(differences(&cases, &ours, &theirs, &layout)),
        }
    }
    assert!(never.is_empty(), "instructions with too few legal cases: {never:?}");
    assert!(failures.is_empty(), "{} instructions differ\n{}", failures.len(), failures.join("\n"));
}

/// Reports a case that QEMU does not execute.
fn stops(case: &Case, machine: &Machine, layout: &Layout) -> Option<String> {
    let mut program = Program::new(machine.xlen);
    let at = program.data(&case.record);
    emit(&mut program, case.theirs, case, layout, machine.xlen, at);
    program.finish();
    let kind = muxcl_rv_isa::vtype_name(case.vtype as u32);
    machine
        .qemu(&program)
        .is_none()
        .then(|| format!("QEMU stops at {} ({kind})", disassemble(&case.inst)))
}

fn differences(cases: &[Case], ours: &[u8], theirs: &[u8], layout: &Layout) -> Vec<String> {
    let mut wrong: Vec<(Op, String)> = Vec::new();
    for ((case, a), b) in
        cases.iter().zip(ours.chunks(layout.record)).zip(theirs.chunks(layout.record))
    {
        // QEMU 7.2 forgets to clear `vstart` in some instructions; the simulator must clear it.
        let mut b = b.to_vec();
        b[layout.scalars + VSTART..layout.scalars + VSTART + 8].fill(0);
        let b = b.as_slice();
        if a != b && !wrong.iter().any(|(op, _)| *op == case.inst.op) {
            let word = |s: &[u8], k: usize| {
                u64::from_le_bytes(s[k * 8..k * 8 + 8].try_into().expect("eight bytes"))
            };
            let at: Vec<String> = (0..layout.record / 8)
                .filter(|k| word(a, *k) != word(b, *k))
                .take(4)
                .map(|k| {
                    let place = k * 8;
                    let name = if place < layout.scalars {
                        format!("v{}+{}", place * 8 / layout.group, place % (layout.group / 8))
                    } else {
                        format!("scalar+{}", place - layout.scalars)
                    };
                    format!(
                        "{name}: ours {:016x}, QEMU's {:016x}, before {:016x}",
                        word(a, k),
                        word(b, k),
                        word(&case.record, k)
                    )
                })
                .collect();
            let kind = muxcl_rv_isa::vtype_name(case.vtype as u32);
            wrong.push((
                case.inst.op,
                format!(
                    "{} ({kind}, avl {}, vstart {}): {}",
                    disassemble(&case.inst),
                    case.avl,
                    case.vstart,
                    at.join("; ")
                ),
            ));
        }
    }
    wrong.into_iter().map(|(_, text)| text).collect()
}
