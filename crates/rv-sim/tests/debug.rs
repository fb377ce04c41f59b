//! Breakpoints and single steps of a hart. Not here: the debugger's protocol (crate hal-refsi).

use muxcl_rv_sim::{Exit, Hart, HartConfig, Memory, Xlen};
use std::collections::BTreeSet;
use std::sync::Arc;

const CODE: u64 = 0x1000;
const DATA: u64 = 0x2000;
/// `li a0, 5; c.li a1, 0; loop: add a1, a1, a0; addi a0, a0, -1; bnez a0, loop; sw a1, 0(a2);
/// fence.i; ecall`, an instruction a row.
const PROGRAM: [&[u8]; 8] = [
    &[0x13, 0x05, 0x50, 0x00],
    &[0x81, 0x45],
    &[0xb3, 0x85, 0xa5, 0x00],
    &[0x13, 0x05, 0xf5, 0xff],
    &[0xe3, 0x1c, 0x05, 0xfe],
    &[0x23, 0x20, 0xb6, 0x00],
    &[0x0f, 0x10, 0x00, 0x00],
    &[0x73, 0x00, 0x00, 0x00],
];
const LOOP: u64 = CODE + 6;
const STORE: u64 = CODE + 18;
/// Number of instructions that the program above retires.
const RETIRED: u64 = 2 + 3 * 5 + 3;

fn hart(xlen: Xlen) -> Hart {
    let mut memory = Memory::new();
    memory.add_ram(CODE, 0x1000).expect("memory");
    memory.add_ram(DATA, 0x1000).expect("memory");
    memory.write(0, CODE, &PROGRAM.concat()).expect("the program");
    let mut hart = Hart::new(0, &HartConfig::full(xlen, 128), Arc::new(memory)).expect("a hart");
    hart.set_pc(CODE);
    hart.set_x(12, DATA);
    hart
}

fn stored(hart: &Hart) -> u32 {
    let mut word = [0; 4];
    hart.memory().read(0, DATA, &mut word).expect("memory");
    u32::from_le_bytes(word)
}

#[test]
fn a_step_retires_one_instruction() {
    for xlen in [Xlen::Rv32, Xlen::Rv64] {
        let mut hart = hart(xlen);
        let mut pcs = Vec::new();
        // Breakpoints do not stop steps.
        hart.set_breakpoints(&BTreeSet::from([CODE, LOOP]));
        loop {
            pcs.push(hart.pc());
            let before = hart.retired();
            let exit = hart.step();
            assert_eq!(hart.retired(), before + 1);
            if exit != Exit::Limit {
                assert_eq!(exit, Exit::Ecall);
                break;
            }
        }
        assert_eq!(pcs[..6], [CODE, CODE + 4, LOOP, LOOP + 4, LOOP + 8, LOOP]);
        assert_eq!((stored(&hart), hart.retired()), (15, RETIRED));
    }
}

#[test]
fn a_run_stops_in_front_of_each_breakpoint() {
    for xlen in [Xlen::Rv32, Xlen::Rv64] {
        let mut hart = hart(xlen);
        // Decodes the code without breakpoints first.
        assert_eq!(hart.run(1000), Exit::Ecall);
        hart.set_pc(CODE);
        hart.set_breakpoints(&BTreeSet::from([LOOP, STORE]));
        for round in 0..5 {
            assert_eq!((hart.run(1000), hart.pc()), (Exit::Breakpoint, LOOP));
            assert_eq!(hart.x(10), 5 - round);
            // The run has no progress until a step passes the breakpoint.
            let before = hart.retired();
            assert_eq!((hart.run(1000), hart.retired()), (Exit::Breakpoint, before));
            assert_eq!(hart.step(), Exit::Limit);
        }
        assert_eq!((hart.run(1000), hart.pc()), (Exit::Breakpoint, STORE));
        hart.set_breakpoints(&BTreeSet::new());
        assert_eq!(hart.run(1000), Exit::Ecall);
        assert_eq!(hart.retired(), 2 * RETIRED);
    }
}

#[test]
fn a_step_reports_faults_and_sees_changed_code() {
    let mut hart = hart(Xlen::Rv64);
    hart.set_pc(STORE);
    hart.set_x(12, 0xdead_0000);
    assert!(matches!(hart.step(), Exit::Fault(_)));
    assert_eq!(hart.pc(), STORE);
    // li a0, 7
    hart.memory().write(0, STORE, &[0x13, 0x05, 0x70, 0x00]).expect("memory");
    hart.flush_code();
    assert_eq!((hart.step(), hart.x(10)), (Exit::Limit, 7));
}
