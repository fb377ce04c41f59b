//! Any bytes as a program of the RISC-V machine: it ends, and never harms this process. The first
//! byte selects the machine.
#![no_main]

use libfuzzer_sys::fuzz_target;
use muxcl_rv_sim::{Exit, Hart, HartConfig, Memory, Xlen};
use std::sync::Arc;

const CODE: u64 = 0x1_0000;
const RAM: u64 = 0x8000_0000;

fuzz_target!(|bytes: &[u8]| {
    let Some((choice, code)) =
        bytes.split_first().filter(|(_, code)| (2..=4096).contains(&code.len()))
    else {
        return;
    };
    let xlen = if choice & 1 == 0 { Xlen::Rv64 } else { Xlen::Rv32 };
    let vlen = 64 << (choice >> 1 & 3);
    let mut memory = Memory::new();
    memory.add_ram(CODE, 0x2000).unwrap();
    memory.add_ram(RAM, 0x1_0000).unwrap();
    memory.write(0, CODE, code).unwrap();
    let mut hart = Hart::new(0, &HartConfig::full(xlen, vlen), Arc::new(memory)).unwrap();
    for register in 1..32 {
        // Most registers hold valid addresses, some hold small numbers.
        let value = if register % 3 == 0 {
            u64::from(register) * 7
        } else {
            RAM + u64::from(register) * 0x400
        };
        hart.set_x(register, value);
        hart.set_f(register, u64::from(register) * 0x0123_4567_89ab_cdef);
    }
    hart.set_pc(CODE);
    for _ in 0..8 {
        let before = hart.retired();
        match hart.run(2000) {
            Exit::Fault(fault) => {
                assert!(!fault.to_string().is_empty());
                return;
            }
            Exit::Returned => return,
            _ => assert!(hart.retired() - before < 20_000),
        }
    }
});
