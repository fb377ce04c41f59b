//! Protected pages: harts and devices cannot write them, the host can. Not here: ROM and other
//! faults (`machine`).

use muxcl_rv_isa::{Inst, Op, Xlen, csr, encode};
use muxcl_rv_sim::{Exit, Fault, FaultKind, Hart, HartConfig, Memory, Window};
use std::sync::Arc;

const CODE: u64 = 0x1_0000;
/// The largest region. One comparison finds its part without protected pages.
const RAM: u64 = 0x8000_0000;
/// A smaller region, which the table of pages translates.
const SMALL: u64 = 0x2_0000;
/// A window to [`RAM`].
const WINDOW: u64 = 0x4000_0000;
const BYTES: usize = 0x1000;
const PAGE: u64 = BYTES as u64;
const EBREAK: u32 = 0x0010_0073;

fn word(inst: &Inst) -> u32 {
    encode(inst, Xlen::Rv64).expect("a word")
}

fn op(op: Op, rd: u8, rs1: u8, rs2: u8, imm: i32) -> u32 {
    word(&Inst { rd, rs1, rs2, imm, unmasked: true, ..Inst::new(op) })
}

/// Sets `vl` to `x6` elements of eight bits.
fn set_vl() -> u32 {
    op(Op::Vsetvli, 0, 6, 0, 0)
}

fn machine() -> Arc<Memory> {
    let mut memory = Memory::new();
    memory.add_ram(CODE, PAGE).expect("code");
    memory.add_ram(SMALL, 8 * PAGE).expect("memory");
    memory.add_ram(RAM, 64 * PAGE).expect("memory");
    let window = Window { base: WINDOW, size: 64 * PAGE, target: RAM, scale: 0 };
    assert!(memory.set_window(0, window));
    Arc::new(memory)
}

fn hart(memory: &Arc<Memory>) -> Hart {
    Hart::new(0, &HartConfig::full(Xlen::Rv64, 128), memory.clone()).expect("a hart")
}

/// Runs code with `x10 = address`, and returns its fault.
fn run(hart: &mut Hart, code: &[u32], address: u64) -> Option<Fault> {
    let bytes: Vec<u8> = code.iter().chain([&EBREAK]).flat_map(|w| w.to_le_bytes()).collect();
    hart.memory().write(0, CODE, &bytes).expect("code");
    hart.flush_code();
    hart.set_pc(CODE);
    hart.set_x(6, 16);
    hart.set_x(10, address);
    hart.set_x(11, u64::MAX);
    hart.set_f(8, u64::MAX);
    for register in 8..12 {
        hart.set_v(register, &[0xff; 16]);
    }
    match hart.run(100) {
        Exit::Ebreak => None,
        Exit::Fault(fault) => Some(fault),
        other => panic!("{other:?}"),
    }
}

fn bytes(memory: &Memory, address: u64, size: u64) -> Vec<u8> {
    let mut bytes = vec![0; usize::try_from(size).expect("small")];
    memory.read(0, address, &mut bytes).expect("memory");
    bytes
}

/// Every form of store, with the number of bytes from `x10` on that it writes.
fn stores() -> Vec<(&'static str, Vec<u32>, u64)> {
    let segments = |op| word(&Inst { rd: 8, rs1: 10, aux: 1, unmasked: true, ..Inst::new(op) });
    let masked = word(&Inst { rd: 8, rs1: 10, ..Inst::new(Op::Vse8V) });
    // `v0` selects every element; the stride and the indices are one.
    let mask = op(Op::VmxnorMm, 0, 0, 0, 0);
    vec![
        ("sb", vec![op(Op::Sb, 0, 10, 11, 0)], 1),
        ("sh", vec![op(Op::Sh, 0, 10, 11, 0)], 2),
        ("sw", vec![op(Op::Sw, 0, 10, 11, 0)], 4),
        ("sd", vec![op(Op::Sd, 0, 10, 11, 0)], 8),
        ("fsd", vec![op(Op::Fsd, 0, 10, 8, 0)], 8),
        ("vse8", vec![set_vl(), op(Op::Vse8V, 8, 10, 0, 0)], 16),
        ("vse8 masked", vec![set_vl(), mask, masked], 16),
        ("vs2r", vec![op(Op::Vs2rV, 8, 10, 0, 0)], 32),
        ("vsse8", vec![set_vl(), op(Op::Addi, 5, 0, 0, 1), op(Op::Vsse8V, 8, 10, 5, 0)], 16),
        ("vsoxei8", vec![set_vl(), op(Op::VidV, 4, 0, 0, 0), op(Op::Vsoxei8V, 8, 10, 4, 0)], 16),
        ("vsseg2e8", vec![set_vl(), segments(Op::Vssege8V)], 32),
    ]
}

#[test]
fn no_store_reaches_a_protected_page() {
    for base in [RAM, SMALL, WINDOW] {
        let memory = machine();
        let real = if base == WINDOW { RAM } else { base };
        assert!(memory.protect(real + 3 * PAGE, PAGE));
        let mut hart = hart(&memory);
        let (start, end) = (base + 3 * PAGE, base + 4 * PAGE);
        for (name, code, size) in stores() {
            for address in [
                start - size,
                start - size + 1,
                start - 1,
                start,
                start + 8,
                end - size,
                end - 1,
                end,
            ] {
                memory.write(0, real + 2 * PAGE, &[7; 3 * BYTES]).expect("the host");
                let fault = run(&mut hart, &code, address);
                let reaches = address < end && address + size > start;
                let text = format!("{name} at {address:#x}: {fault:?}");
                assert_eq!(fault.is_some(), reaches, "{text}");
                assert_eq!(bytes(&memory, start, PAGE), [7; BYTES], "{text}");
                let written = bytes(&memory, address, size);
                match fault {
                    None => assert_eq!(written, vec![0xff; written.len()], "{text}"),
                    Some(fault) => {
                        assert_eq!(fault.kind, FaultKind::Store, "{text}");
                        assert_eq!(fault.pc, CODE + 4 * (code.len() as u64 - 1), "{text}");
                        // A vector store has written the elements before the faulting one.
                        let first = if size > 8 { address.max(start) } else { address };
                        assert_eq!(fault.address, first, "{text}");
                        let element = (first - address) / if name == "vsseg2e8" { 2 } else { 1 };
                        assert_eq!(hart.csr(csr::VSTART), Some(element), "{text}");
                        assert!(hart.set_csr(csr::VSTART, 0));
                    }
                }
            }
        }
    }
}

#[test]
fn atomics_fault_and_reads_do_not() {
    for base in [RAM, SMALL, WINDOW] {
        let memory = machine();
        let real = if base == WINDOW { RAM } else { base };
        assert!(memory.protect(real + PAGE, 2 * PAGE));
        let mut hart = hart(&memory);
        for (write, atomic) in [
            (true, Op::AmoaddD),
            (true, Op::AmoswapW),
            (true, Op::AmomaxD),
            (true, Op::ScD),
            (false, Op::LrD),
            (false, Op::LrW),
            (false, Op::Ld),
        ] {
            for (offset, protected) in
                [(PAGE - 8, false), (PAGE, true), (3 * PAGE - 8, true), (3 * PAGE, false)]
            {
                let rs2 = if write { 11 } else { 0 };
                let fault = run(&mut hart, &[op(atomic, 5, 10, rs2, 0)], base + offset);
                let expected = (write && protected).then_some(Fault {
                    kind: FaultKind::Store,
                    pc: CODE,
                    address: base + offset,
                    hart: 0,
                });
                assert_eq!(fault, expected, "{atomic:?} at {offset:#x}");
            }
        }
        assert_eq!(bytes(&memory, base + PAGE, 2 * PAGE), vec![0; 2 * BYTES]);
    }
}

#[test]
fn a_page_is_memory_again_after_unprotect() {
    let memory = machine();
    let mut hart = hart(&memory);
    let store = [op(Op::Sd, 0, 10, 11, 0)];
    for base in [RAM, SMALL] {
        // The hart has the page in its caches.
        assert_eq!(run(&mut hart, &store, base + PAGE), None);
        assert!(memory.protect(base + PAGE + 8, 1));
        hart.flush_pages();
        assert!(run(&mut hart, &store, base + PAGE).is_some());
        assert_eq!(run(&mut hart, &store, base + 2 * PAGE), None);
        assert!(memory.unprotect(base, 8 * PAGE));
        hart.flush_pages();
        assert_eq!(run(&mut hart, &store, base + PAGE), None);
    }
}

#[test]
fn protected_code_runs() {
    let memory = machine();
    let mut hart = hart(&memory);
    assert!(memory.protect(CODE, PAGE));
    hart.flush_pages();
    // The host writes the code, and the hart executes it.
    assert_eq!(run(&mut hart, &[op(Op::Addi, 5, 0, 0, 42)], 0), None);
    assert_eq!(hart.x(5), 42);
    assert_eq!(run(&mut hart, &[op(Op::Sw, 0, 10, 11, 0)], CODE).expect("a fault").address, CODE);
}

#[test]
fn devices_cannot_write_protected_pages() {
    let memory = machine();
    assert!(memory.protect(RAM + PAGE, PAGE));
    memory.write(0, RAM, &[7; 4 * BYTES]).expect("the host");
    for base in [RAM, WINDOW] {
        for (to, len, fine) in [
            (base + PAGE - 16, 16, true),
            (base + PAGE - 16, 17, false),
            (base + PAGE, 1, false),
            (base + 2 * PAGE - 1, 1, false),
            (base + 2 * PAGE - 1, 0x2000, false),
            (base, 3 * PAGE, false),
            (base + 2 * PAGE, 2 * PAGE, true),
            (base + PAGE, 0, true),
            (base, u64::MAX, false),
        ] {
            let copied = memory.bus_copy(0, to, SMALL, len);
            assert_eq!(
                copied,
                if fine { Ok(()) } else { Err(FaultKind::Store) },
                "{to:#x}+{len:#x}"
            );
        }
        assert_eq!(memory.bus_store(0, base + PAGE - 4, 1), Err(FaultKind::Store));
        assert_eq!(memory.bus_store(0, base + 2 * PAGE, 1), Ok(()));
        assert_eq!(memory.bus_load(0, base + PAGE), Ok(0x0707_0707_0707_0707));
    }
    // A wrong transfer has written nothing.
    assert_eq!(bytes(&memory, RAM, 2 * PAGE - 16), {
        let mut expected = vec![7; 2 * BYTES - 16];
        expected[BYTES - 16..BYTES].fill(0);
        expected
    });
    // The host may write.
    assert_eq!(memory.copy(0, RAM + PAGE, SMALL, PAGE), Ok(()));
    assert_eq!(bytes(&memory, RAM + PAGE, PAGE), [0; BYTES]);
}

#[test]
fn only_shared_ram_is_protected() {
    let mut memory = Memory::new();
    memory.add_rom(CODE, PAGE, &[]).expect("code");
    memory.add_ram(RAM, 4 * PAGE).expect("memory");
    memory.add_hart_local(SMALL, PAGE, 2).expect("memory");
    assert!(memory.protect(RAM, 4 * PAGE) && memory.protect(RAM + PAGE, 0));
    for (address, size) in [
        (CODE, 1),
        (SMALL, 1),
        (RAM - 1, 2),
        (RAM + 4 * PAGE, 0),
        (RAM, 4 * PAGE + 1),
        (RAM + 1, u64::MAX),
    ] {
        assert!(!memory.protect(address, size), "{address:#x}+{size:#x}");
    }
    // No writable memory is left.
    let mut hart = hart(&Arc::new(memory));
    hart.set_pc(CODE);
    assert!(matches!(hart.run(10), Exit::Fault(_)));
}
