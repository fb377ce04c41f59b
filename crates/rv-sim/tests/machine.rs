//! The machine: faults, limits, devices, windows, and harts in parallel. Not here: the results of
//! single instructions (`qemu`).

use muxcl_rv_isa::{Inst, Op, encode};
use muxcl_rv_sim::{Device, Exit, FaultKind, Hart, HartConfig, Machine, Memory, Next, Xlen};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

const CODE: u64 = 0x1_0000;
const RAM: u64 = 0x8000_0000;
const RAM_SIZE: u64 = 0x1_0008;

fn op(op: Op, rd: u8, rs1: u8, rs2: u8, imm: i32) -> u32 {
    encode(&Inst { rd, rs1, rs2, imm, unmasked: true, ..Inst::new(op) }, Xlen::Rv64)
        .expect("a word")
}

fn memory(code: &[u32]) -> Memory {
    let mut memory = Memory::new();
    let bytes: Vec<u8> = code.iter().flat_map(|w| w.to_le_bytes()).collect();
    memory.add_rom(CODE, 0x1000, &bytes).expect("code");
    memory.add_ram(RAM, RAM_SIZE).expect("memory");
    memory
}

fn machine(code: &[u32], harts: u32) -> Machine {
    let mut machine =
        Machine::new(&HartConfig::full(Xlen::Rv64, 128), harts, memory(code)).expect("a machine");
    for hart in machine.harts_mut() {
        hart.set_pc(CODE);
        hart.set_x(10, RAM);
    }
    machine
}

fn run(code: &[u32], setup: impl FnOnce(&mut Hart)) -> (Exit, Hart) {
    let mut hart =
        Hart::new(0, &HartConfig::full(Xlen::Rv64, 128), Arc::new(memory(code))).expect("a hart");
    hart.set_pc(CODE);
    hart.set_x(10, RAM);
    setup(&mut hart);
    (hart.run(1_000_000), hart)
}

fn fault(code: &[u32], setup: impl FnOnce(&mut Hart)) -> (FaultKind, u64, u64, u64) {
    let (exit, hart) = run(code, setup);
    let Exit::Fault(fault) = exit else { panic!("{exit:?}") };
    assert_eq!(hart.pc(), fault.pc);
    (fault.kind, fault.pc, fault.address, hart.retired())
}

#[test]
fn wild_accesses_are_faults() {
    let nop = op(Op::Addi, 0, 0, 0, 0);
    let wild = |h: &mut Hart| h.set_x(11, 0xdead_beef_0000);
    assert_eq!(
        fault(&[nop, op(Op::Ld, 5, 11, 0, 8)], wild),
        (FaultKind::Load, CODE + 4, 0xdead_beef_0008, 1)
    );
    assert_eq!(
        fault(&[nop, nop, op(Op::Sb, 0, 11, 5, 0)], wild),
        (FaultKind::Store, CODE + 8, 0xdead_beef_0000, 2)
    );
    assert_eq!(
        fault(&[op(Op::Fld, 5, 11, 0, 0)], wild),
        (FaultKind::Load, CODE, 0xdead_beef_0000, 0)
    );
    assert_eq!(
        fault(&[op(Op::AmoaddW, 5, 11, 6, 0)], wild),
        (FaultKind::Store, CODE, 0xdead_beef_0000, 0)
    );
    assert_eq!(
        fault(&[op(Op::Jalr, 0, 11, 0, 0)], wild),
        (FaultKind::Fetch, 0xdead_beef_0000, 0xdead_beef_0000, 1)
    );
    // Code is in ROM.
    assert_eq!(
        fault(&[op(Op::Sd, 0, 11, 5, 0)], |h| h.set_x(11, CODE)),
        (FaultKind::Store, CODE, CODE, 0)
    );
    // A fault in a fused pair names the right instruction.
    assert_eq!(
        fault(
            &[op(Op::Addi, 12, 11, 0, 0), op(Op::Addi, 5, 5, 0, 1), op(Op::Ld, 5, 11, 0, 0)],
            wild
        )
        .1,
        CODE + 8
    );
}

#[test]
fn the_last_bytes_of_a_region_are_the_last() {
    let load = |size: Op, offset: u64| {
        run(&[op(size, 5, 11, 0, 0), op(Op::Ebreak, 0, 0, 0, 0)], |h| h.set_x(11, RAM + offset)).0
    };
    assert_eq!(load(Op::Ld, RAM_SIZE - 8), Exit::Ebreak);
    assert_eq!(load(Op::Lb, RAM_SIZE - 1), Exit::Ebreak);
    for (size, offset) in
        [(Op::Ld, RAM_SIZE - 7), (Op::Lw, RAM_SIZE - 2), (Op::Lb, RAM_SIZE), (Op::Ld, RAM_SIZE)]
    {
        assert!(
            matches!(load(size, offset), Exit::Fault(f) if f.kind == FaultKind::Load),
            "{size:?} at {offset:#x}"
        );
    }
    // A store that crosses the end of memory writes nothing.
    let (exit, hart) = run(&[op(Op::Sd, 0, 11, 12, 0)], |h| {
        h.set_x(11, RAM + RAM_SIZE - 4);
        h.set_x(12, u64::MAX);
    });
    assert!(matches!(exit, Exit::Fault(_)));
    let mut last = [9; 4];
    hart.memory().read(0, RAM + RAM_SIZE - 4, &mut last).expect("memory");
    assert_eq!(last, [0; 4]);
}

#[test]
fn misaligned_accesses_work_but_for_atomics() {
    let (exit, hart) = run(
        &[op(Op::Sd, 0, 12, 11, 0), op(Op::Ld, 13, 12, 0, 0), op(Op::Ebreak, 0, 0, 0, 0)],
        |h| {
            h.set_x(11, 0x0102_0304_0506_0708);
            h.set_x(12, RAM + 0xffd);
        },
    );
    assert_eq!((exit, hart.x(13)), (Exit::Ebreak, 0x0102_0304_0506_0708));
    assert_eq!(
        fault(&[op(Op::AmoaddD, 5, 11, 6, 0)], |h| h.set_x(11, RAM + 4)).0,
        FaultKind::Misaligned
    );
}

#[test]
fn illegal_words_are_faults_with_their_word() {
    assert_eq!(
        fault(&[0xffff_ffff], |_| {}),
        (FaultKind::IllegalInstruction, CODE, 0xffff_ffff, 0)
    );
    assert_eq!(fault(&[0], |_| {}), (FaultKind::IllegalInstruction, CODE, 0, 0));
    // A vector instruction before any `vsetvli`, a nonexistent CSR, and a write to a read-only CSR.
    assert_eq!(fault(&[op(Op::VaddVv, 8, 9, 10, 0)], |_| {}).0, FaultKind::IllegalInstruction);
    assert_eq!(fault(&[op(Op::Csrrs, 5, 0, 0, 0x7c0)], |_| {}).0, FaultKind::IllegalInstruction);
    assert_eq!(fault(&[op(Op::Csrrw, 0, 5, 0, 0xc20)], |_| {}).0, FaultKind::IllegalInstruction);
    // An extension that the hart lacks.
    let config = HartConfig { extensions: vec![], ..HartConfig::full(Xlen::Rv64, 128) };
    let mut hart =
        Hart::new(0, &config, Arc::new(memory(&[op(Op::Mul, 5, 6, 7, 0)]))).expect("a hart");
    hart.set_pc(CODE);
    assert!(matches!(hart.run(10), Exit::Fault(f) if f.kind == FaultKind::IllegalInstruction));
}

#[test]
fn impossible_harts_are_refused() {
    for vlen in [0, 32, 100, 8192] {
        assert!(
            Hart::new(0, &HartConfig::full(Xlen::Rv64, vlen), Arc::new(Memory::new())).is_err()
        );
    }
    let mut memory = Memory::new();
    memory.add_ram(0x1000, 0x1000).expect("first");
    assert!(
        memory.add_ram(0x1fff, 1).is_err()
            && memory.add_ram(0, 0x1001).is_err()
            && memory.add_ram(5, 0).is_err()
    );
    assert!(memory.add_ram(u64::MAX, 2).is_err());
    assert!(memory.add_ram(0x2000, 1).is_ok());
}

#[test]
fn endless_loops_end_at_the_limit() {
    let (exit, hart) = run(&[op(Op::Addi, 5, 5, 0, 1), op(Op::Jal, 0, 0, 0, -4)], |_| {});
    assert_eq!(exit, Exit::Limit);
    assert_eq!((hart.retired(), hart.x(5)), (1_000_000, 500_000));
    let (exit, hart) = run(&[op(Op::Jal, 0, 0, 0, 0)], |_| {});
    assert_eq!((exit, hart.retired()), (Exit::Limit, 1_000_000));
}

#[test]
fn counters_count_exactly() {
    let code = [
        op(Op::Addi, 5, 0, 0, 3),
        op(Op::Addi, 5, 5, 0, -1),
        op(Op::Bne, 0, 5, 0, -4),
        op(Op::Csrrs, 6, 0, 0, 0xc02),
        op(Op::Ecall, 0, 0, 0, 0),
    ];
    let (exit, hart) = run(&code, |_| {});
    assert_eq!((exit, hart.x(6), hart.retired(), hart.pc()), (Exit::Ecall, 7, 9, CODE + 20));
}

#[test]
fn a_return_address_ends_a_call() {
    let (exit, hart) = run(&[op(Op::Addi, 10, 0, 0, 7), op(Op::Jalr, 0, 1, 0, 0)], |h| {
        h.set_return_address(Some(0x10));
        h.set_x(1, 0x10);
    });
    assert_eq!((exit, hart.x(10), hart.pc(), hart.retired()), (Exit::Returned, 7, 0x10, 2));
}

#[test]
fn new_code_is_seen_after_fence_i() {
    // Writes `addi x5, x0, 42` over an instruction that has already executed.
    let mut memory = Memory::new();
    memory.add_ram(CODE, 0x1000).expect("memory");
    let code = [
        op(Op::Addi, 5, 0, 0, 1),
        op(Op::Bne, 0, 6, 0, 20),
        op(Op::Sw, 0, 10, 11, 0),
        op(Op::Addi, 6, 0, 0, 1),
        op(Op::FenceI, 0, 0, 0, 0),
        op(Op::Jal, 0, 0, 0, -20),
        op(Op::Ebreak, 0, 0, 0, 0),
    ];
    let bytes: Vec<u8> = code.iter().flat_map(|w| w.to_le_bytes()).collect();
    memory.write(0, CODE, &bytes).expect("code");
    let mut hart =
        Hart::new(0, &HartConfig::full(Xlen::Rv64, 128), Arc::new(memory)).expect("a hart");
    hart.set_pc(CODE);
    hart.set_x(10, CODE);
    hart.set_x(11, op(Op::Addi, 5, 0, 0, 42).into());
    assert_eq!((hart.run(100), hart.x(5)), (Exit::Ebreak, 42));
}

/// Records the last store; refuses offset 8.
#[derive(Debug, Default)]
struct Latch(AtomicU64);

impl Device for Latch {
    fn load(&self, hart: u32, offset: u64, size: u32) -> Option<u64> {
        (offset != 8).then(|| self.0.load(Ordering::SeqCst) + u64::from(hart) + u64::from(size))
    }
    fn store(&self, _hart: u32, offset: u64, _size: u32, value: u64) -> bool {
        self.0.store(value, Ordering::SeqCst);
        offset != 8
    }
}

#[test]
fn devices_answer_and_refuse() {
    let setup = |code: &[u32]| {
        let mut memory = memory(code);
        memory.add_device(0x2000_0000, 0x100, Arc::new(Latch::default())).expect("a device");
        let mut hart =
            Hart::new(0, &HartConfig::full(Xlen::Rv64, 128), Arc::new(memory)).expect("a hart");
        hart.set_pc(CODE);
        hart.set_x(11, 0x2000_0000);
        hart.set_x(12, 40);
        (hart.run(100), hart)
    };
    let (exit, hart) =
        setup(&[op(Op::Sw, 0, 11, 12, 0), op(Op::Lhu, 13, 11, 0, 4), op(Op::Ebreak, 0, 0, 0, 0)]);
    assert_eq!((exit, hart.x(13)), (Exit::Ebreak, 42));
    assert!(matches!(setup(&[op(Op::Ld, 13, 11, 0, 8)]).0,
            Exit::Fault(f) if f.kind == FaultKind::Device && f.address == 0x2000_0008));
    assert!(matches!(setup(&[op(Op::Sd, 0, 11, 12, 8)]).0,
            Exit::Fault(f) if f.kind == FaultKind::Device));
    // Devices support neither atomics nor instruction fetch.
    assert!(matches!(setup(&[op(Op::AmoaddW, 5, 11, 12, 0)]).0,
            Exit::Fault(f) if f.kind == FaultKind::Store));
    assert!(matches!(setup(&[op(Op::Jalr, 0, 11, 0, 0)]).0,
            Exit::Fault(f) if f.kind == FaultKind::Fetch));
}

#[test]
fn each_hart_has_its_own_window() {
    let mut memory = memory(&[
        op(Op::Csrrs, 5, 0, 0, 0xf14),
        op(Op::Addi, 5, 5, 0, 100),
        op(Op::Sw, 0, 11, 5, 0),
        op(Op::Ebreak, 0, 0, 0, 0),
    ]);
    memory.add_hart_local(0x3000_0000, 0x1000, 4).expect("a window");
    let mut machine =
        Machine::new(&HartConfig::full(Xlen::Rv64, 128), 4, memory).expect("a machine");
    for hart in machine.harts_mut() {
        hart.set_pc(CODE);
        hart.set_x(11, 0x3000_0000);
    }
    assert_eq!(machine.run(1000, |_, _| Next::Stop), vec![Exit::Ebreak; 4]);
    for id in 0..4u32 {
        let mut bytes = [0; 4];
        machine.memory().read(id, 0x3000_0000, &mut bytes).expect("a window");
        assert_eq!(u32::from_le_bytes(bytes), 100 + id);
    }
}

#[test]
fn harts_count_together() {
    // Increments [x10] by amoadd and [x10 + 8] by lr/sc, 20 000 times each.
    let code = [
        op(Op::Addi, 5, 0, 0, 1),
        op(Op::Lui, 6, 0, 0, 5 << 12),
        op(Op::Addi, 7, 10, 0, 8),
        op(Op::AmoaddD, 0, 10, 5, 0),
        op(Op::LrD, 8, 7, 0, 0),
        op(Op::Addi, 8, 8, 0, 1),
        op(Op::ScD, 9, 7, 8, 0),
        op(Op::Bne, 0, 9, 0, -12),
        op(Op::Addi, 6, 6, 0, -1),
        op(Op::Bne, 0, 6, 0, -24),
        op(Op::Ebreak, 0, 0, 0, 0),
    ];
    let mut machine = machine(&code, 4);
    assert_eq!(
        machine.run(1000, |_, exit| if exit == Exit::Limit { Next::Continue } else { Next::Stop }),
        vec![Exit::Ebreak; 4]
    );
    let mut counts = [0; 16];
    machine.memory().read(0, RAM, &mut counts).expect("memory");
    let word = |k: usize| u64::from_le_bytes(counts[k..k + 8].try_into().expect("eight bytes"));
    assert_eq!((word(0), word(8)), (4 * 5 * 4096, 4 * 5 * 4096));
}

#[test]
fn messages_arrive_in_order() {
    // Hart 0 writes data, fence, flag, over and over; hart 1 spins on the flag and checks the data.
    let write = [op(Op::Sd, 0, 10, 5, 64), op(Op::Fence, 0, 0, 0, 0x33), op(Op::Sd, 0, 10, 5, 0)];
    let code = [
        op(Op::Csrrs, 6, 0, 0, 0xf14),
        op(Op::Lui, 7, 0, 0, 2 << 12),
        op(Op::Addi, 5, 0, 0, 0),
        op(Op::Bne, 0, 6, 0, 24),
        // Hart 0.
        op(Op::Addi, 5, 5, 0, 1),
        write[0],
        write[1],
        write[2],
        op(Op::Beq, 0, 6, 0, 20),
        // Hart 1: wait for a flag of at least x5, then the data must be at least the flag.
        op(Op::Ld, 8, 10, 0, 0),
        op(Op::Fence, 0, 0, 0, 0x33),
        op(Op::Ld, 9, 10, 0, 64),
        op(Op::Bltu, 0, 9, 8, 16),
        // Both harts run until the count is reached.
        op(Op::Addi, 7, 7, 0, -1),
        op(Op::Bne, 0, 7, 0, -44),
        op(Op::Ebreak, 0, 0, 0, 0),
        op(Op::Ecall, 0, 0, 0, 0),
    ];
    let mut machine = machine(&code, 2);
    let exits = machine.run(u64::MAX, |_, _| Next::Stop);
    assert_eq!(exits, vec![Exit::Ebreak; 2], "an ecall says that the data was older than the flag");
}

#[test]
fn random_programs_end_somehow() {
    let mut rng = fastrand::Rng::with_seed(4);
    let mut random = move || rng.u64(..) >> 16;
    let (mut faults, mut retired) = (0, 0);
    for round in 0..6000u32 {
        // A random word is rarely an instruction, so the test prefers words that match a row of the
        // table.
        let word = |r: u64| {
            let known = [
                0x03, 0x13, 0x33, 0x1b, 0x3b, 0x57, 0x07, 0x27, 0x53, 0x43, 0x63, 0x2f, 0x73, 0x23,
                0x0f, 0x37,
            ];
            let noise = u32::try_from(r & 0xffff_ffff).expect("32 bits");
            if r >> 40 & 7 == 0 {
                noise
            } else {
                noise & !0x7f | known[usize::try_from(r >> 36 & 15).expect("small")]
            }
        };
        let code: Vec<u32> = (0..64).map(|_| word(random())).collect();
        let xlen = if round % 2 == 0 { Xlen::Rv64 } else { Xlen::Rv32 };
        let config = HartConfig::full(xlen, 64 << (round % 4));
        let mut hart = Hart::new(0, &config, Arc::new(memory(&code))).expect("a hart");
        for register in 1..32 {
            hart.set_x(
                register,
                if register % 3 == 0 { random() % 64 } else { RAM + random() % RAM_SIZE },
            );
            hart.set_f(register, random().wrapping_mul(0x9e37_79b9_7f4a_7c15));
        }
        hart.set_pc(CODE + 4 * u64::from(round % 60));
        let exit = hart.run(10_000);
        faults += u32::from(matches!(exit, Exit::Fault(_)));
        retired += hart.retired();
    }
    assert!(faults > 1000 && retired > 3000, "{faults} faults, {retired} instructions");
}
