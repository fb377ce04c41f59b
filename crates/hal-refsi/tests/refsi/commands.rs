//! The command processor of M1: one test for each packet, and tests of invalid ones.

use crate::common::{Linking, buffer, build, device, words};
use hal_refsi::command::{Buffer, Header, cache, opcode, register};
use hal_refsi::dma::{ctrl, reg};
use hal_refsi::{Options, RefsiDevice, Soc, map};
use muxcl_hal::elf::RiscvElf;
use muxcl_hal::{Device, HalError};

fn submit(d: &RefsiDevice, bytes: &[u8]) -> Result<(), HalError> {
    let at = d.alloc(bytes.len() as u64, 8).expect("memory");
    d.write(at, bytes).expect("write");
    let done = d.execute_commands(at, bytes.len() as u64);
    d.free(at).expect("free");
    done
}

fn fine(d: &RefsiDevice, buffer: &mut Buffer) {
    submit(d, &buffer.finish()).expect("it is done");
}

fn refused(d: &RefsiDevice, buffer: &mut Buffer) -> String {
    match submit(d, &buffer.finish()) {
        Err(HalError::Fault(text)) => text,
        other => panic!("{other:?}"),
    }
}

#[test]
fn nop_and_finish() {
    let d = device(Soc::M1);
    let out = buffer(&d, 2);
    // Packets after the end are ignored.
    let mut bytes =
        Buffer::new().packet(opcode::NOP, 7, &[]).packet(opcode::NOP, 0, &[1, 2, 3]).finish();
    bytes.extend([0xff; 16]);
    submit(&d, &bytes).expect("it is done");
    fine(&d, &mut Buffer::new());
    assert_eq!(words(&d, out, 1), [0]);
}

#[test]
fn registers_and_memory() {
    let d = device(Soc::M1);
    let out = buffer(&d, 4);
    let low = u32::try_from(out).expect("below 4 GiB");
    fine(
        &d,
        Buffer::new()
            .packet(opcode::WRITE_REG64, register::SCRATCH, &[0x1122_3344_5566_7788])
            .packet(opcode::STORE_REG64, register::SCRATCH, &[out])
            .packet(opcode::STORE_IMM64, low + 8, &[42])
            .packet(opcode::LOAD_REG64, register::KUB_DESC, &[out + 8])
            .packet(opcode::STORE_REG64, register::KUB_DESC, &[out + 16]),
    );
    assert_eq!(words(&d, out, 4), [0x1122_3344_5566_7788, 42, 42, 0]);
    for (what, inline, payload) in [
        (opcode::WRITE_REG64, register::COUNT, 1),
        (opcode::STORE_REG64, register::COUNT, out),
        (opcode::LOAD_REG64, 0, 8),
        (opcode::STORE_REG64, 0, map::DRAM - 8),
        (opcode::STORE_IMM64, 16, 1),
    ] {
        refused(&d, Buffer::new().packet(what, inline, &[payload]));
    }
}

#[test]
fn memory_is_copied_and_counters_are_read() {
    let d = device(Soc::M1);
    let (from, to) = (buffer(&d, 8), buffer(&d, 8));
    let bytes: Vec<u8> = (1..=64).collect();
    d.write(from, &bytes).expect("write");
    fine(&d, Buffer::new().packet(opcode::COPY_MEM64, 5, &[from, to + 8, 0]));
    let mut back = [0; 64];
    d.read(to, &mut back).expect("read");
    assert_eq!((&back[8..48], back[0], back[48]), (&bytes[..40], 0, 0));
    let elf = build("dma.c", 64, Linking::Pie);
    let (program, parsed) =
        (d.load(&elf).expect("a program"), RiscvElf::parse(&elf).expect("a program"));
    let (instance, base) =
        (parsed.symbol("instance").expect("the symbol"), program_base(&d, program, &parsed));
    fine(
        &d,
        call(&mut Buffer::new(), &d, base + instance).packet(
            opcode::RUN_INSTANCES,
            2 << 8 | 1,
            &[3, from, 1],
        ),
    );
    // Hart 0 ran the function; register 2 is its counter of retired instructions.
    fine(&d, Buffer::new().packet(opcode::COPY_MEM64, 3, &[map::PERF, to, 3 << 24]));
    let counted = words(&d, to, 3);
    assert!(counted[2] > 10 && counted[0] == counted[2], "{counted:?}");
    refused(&d, Buffer::new().packet(opcode::COPY_MEM64, 1, &[3, to, 0]));
}

/// Load address of a program, derived from a kernel's address.
fn program_base(d: &RefsiDevice, program: muxcl_hal::Program, elf: &RiscvElf<'_>) -> u64 {
    // The error of a launch of a wild kernel contains the address.
    let kernel = d.find(program, c"touch").expect("a kernel");
    let zero = 0u64.to_le_bytes();
    let args = [muxcl_hal::Argument::Value(&zero)];
    let result = d.execute(program, kernel, &crate::common::range(1, 1), &args, 1);
    let Err(HalError::Fault(text)) = result else { panic!("{result:?}") };
    let pc = text.split("pc 0x").nth(1).and_then(|t| t.split(' ').next()).expect("a pc");
    let offset = text.split("touch+0x").nth(1).expect("an offset");
    let hex = |t: &str| u64::from_str_radix(t, 16).expect("a number");
    hex(pc) - hex(offset) - elf.symbol("touch").expect("the symbol")
}

fn call<'a>(buffer: &'a mut Buffer, d: &RefsiDevice, entry: u64) -> &'a mut Buffer {
    buffer
        .write(register::ENTRY_PT_FN, entry)
        .write(register::STACK_TOP, d.stack_top())
        .write(register::RETURN_ADDR, d.return_address())
}

#[test]
fn instances_run_with_arguments_in_registers() {
    let d = device(Soc::M1);
    let elf = build("dma.c", 64, Linking::Pie);
    let (program, parsed) =
        (d.load(&elf).expect("a program"), RiscvElf::parse(&elf).expect("a program"));
    let base = program_base(&d, program, &parsed);
    let at = |name: &str| base + parsed.symbol(name).expect("a function");
    let out = buffer(&d, 200);
    fine(
        &d,
        call(&mut Buffer::new(), &d, at("instance")).packet(
            opcode::RUN_INSTANCES,
            3 << 8,
            &[100, out, 7, 5],
        ),
    );
    let values = words(&d, out, 101);
    assert_eq!(values[0], 100);
    assert!((0..100).all(|k| values[1 + k] == 7050 + k as u64));
    // The argument count must match the number of words; the maximum is seven.
    refused(&d, Buffer::new().packet(opcode::RUN_INSTANCES, 2 << 8, &[1, 2]));
    // A fault ends the buffer: the store after it does not execute.
    let text = refused(
        &d,
        call(&mut Buffer::new(), &d, at("instance"))
            .packet(opcode::RUN_INSTANCES, 3 << 8, &[1, 8, 7, 5])
            .packet(opcode::STORE_IMM64, u32::try_from(out).expect("below 4 GiB"), &[1]),
    );
    assert!(text.contains("store to 0x8 ") || text.contains("access to 0x8 "), "{text}");
    assert_eq!(words(&d, out, 1), [100]);
    // An unmapped return address.
    let text =
        refused(
            &d,
            call(&mut Buffer::new(), &d, at("instance"))
                .write(register::RETURN_ADDR, 0x100)
                .packet(opcode::RUN_INSTANCES, 3 << 8, &[1, out, 7, 5]),
        );
    assert!(text.contains("instruction fetch from 0x100 "), "{text}");
    let limited =
        RefsiDevice::new(&Options { max_instructions: 1_000_000, ..Options::new(Soc::M1) })
            .expect("a device");
    let program = limited.load(&elf).expect("a program");
    let base = program_base(&limited, program, &parsed);
    let forever = base + parsed.symbol("forever").expect("the symbol");
    let text = refused(
        &limited,
        call(&mut Buffer::new(), &limited, forever).packet(opcode::RUN_INSTANCES, 0, &[8]),
    );
    assert!(text.contains("limit of 1000000"), "{text}");
}

#[test]
fn slices_run_with_blocks_of_their_own() {
    let d = device(Soc::M1);
    let elf = build("dma.c", 64, Linking::Pie);
    let (program, parsed) =
        (d.load(&elf).expect("a program"), RiscvElf::parse(&elf).expect("a program"));
    let entry = program_base(&d, program, &parsed) + parsed.symbol("slice").expect("the symbol");
    let (block, out) = (buffer(&d, 64), buffer(&d, 300));
    // Arguments at 256; the block copied for each hart, a counter that begins at 1000, at 128.
    d.write(block + 256, &out.to_le_bytes()).expect("write");
    d.write(block + 128, &1000u64.to_le_bytes()).expect("write");
    let mut b = Buffer::new();
    let set = |b: &mut Buffer| {
        call(b, &d, entry)
            .write(register::KUB_DESC, block | 2 << 48)
            .write(register::KARGS_INFO, 256 << 16 | 8 << 40)
            .write(register::TSD_INFO, 128 << 16 | 8 << 40);
    };
    set(&mut b);
    fine(&d, b.run_slice(0, 100, 77));
    let values = words(&d, out, 300);
    let mut counts = [0u64; 4];
    for v in values.chunks(3) {
        assert_eq!(v[0], 77);
        let hart = usize::try_from(v[1]).expect("a hart");
        counts[hart] += 1;
        assert_eq!(v[2], 1000 + counts[hart], "instances of a hart count one after the other");
    }
    assert_eq!(counts.iter().sum::<u64>(), 100);
    // One hart only.
    let mut b = Buffer::new();
    set(&mut b);
    fine(&d, b.run_slice(1, 10, 0));
    assert!(words(&d, out, 30).chunks(3).all(|v| v[1] == 0));
    // A range outside the uniform block.
    let mut b = Buffer::new();
    set(&mut b);
    let text = refused(&d, b.write(register::TSD_INFO, 500 << 16 | 100 << 40).run_slice(1, 1, 0));
    assert!(text.contains("outside the uniform block"), "{text}");
}

#[test]
fn windows_lead_each_hart_elsewhere() {
    let d = device(Soc::M1);
    let elf = build("dma.c", 64, Linking::Pie);
    let (program, parsed) =
        (d.load(&elf).expect("a program"), RiscvElf::parse(&elf).expect("a program"));
    let entry = program_base(&d, program, &parsed) + parsed.symbol("through").expect("the symbol");
    let out = buffer(&d, 64);
    let base = 0x3000_0000;
    let window = |mode: u64| {
        let mut b = Buffer::new();
        b.write(register::WINDOW_BASE + 3, base)
            .write(register::WINDOW_TARGET + 3, out)
            // 2^4 * 3 bytes between the memory of consecutive harts.
            .write(register::WINDOW_SCALE + 3, 3 << 32 | 4)
            .write(register::WINDOW_MODE + 3, mode);
        b
    };
    let run = |b: &mut Buffer| {
        let b = call(b, &d, entry).packet(opcode::RUN_INSTANCES, 1 << 8, &[4000, base]);
        submit(&d, &b.finish())
    };
    run(&mut window(1 | 2 | 63 << 32)).expect("it runs");
    let values = words(&d, out, 24);
    let harts = (0..4).filter(|h| values[6 * h] == 100 + *h as u64).count();
    assert!(harts >= 1 && values.iter().filter(|v| **v != 0).count() == harts, "{values:?}");
    // Shared mode: all harts see the same memory.
    d.fill(out, &[0], 512).expect("fill");
    run(&mut window(1 | 63 << 32)).expect("it runs");
    let values = words(&d, out, 24);
    assert!(values[0] >= 100 && values[1..].iter().all(|v| *v == 0));
    // A window that is too small, and an inactive one.
    assert!(run(&mut window(1 | 3 << 32)).is_err());
    let text = match run(&mut window(0)) {
        Err(HalError::Fault(text)) => text,
        other => panic!("{other:?}"),
    };
    assert!(text.contains("store to 0x30000000 "), "{text}");
}

#[test]
fn dma_by_packets() {
    let d = device(Soc::M1);
    let (from, to) = (buffer(&d, 8), buffer(&d, 8));
    d.write(from, &[7; 64]).expect("write");
    let io = |r: u64| u32::try_from(map::DMA + 8 * r).expect("below 4 GiB");
    let mut b = Buffer::new();
    b.packet(opcode::STORE_IMM64, io(reg::SRC), &[from])
        .packet(opcode::STORE_IMM64, io(reg::DST), &[to])
        .packet(opcode::STORE_IMM64, io(reg::SIZE), &[40])
        .packet(opcode::STORE_IMM64, io(reg::CTRL), &[ctrl::ONE | ctrl::START])
        .packet(opcode::LOAD_REG64, register::SCRATCH, &[io(reg::START_SEQ).into()])
        .packet(opcode::STORE_REG64, register::SCRATCH, &[io(reg::DONE_SEQ).into()])
        .packet(opcode::STORE_REG64, register::SCRATCH, &[to + 56]);
    fine(&d, &mut b);
    assert_eq!(
        words(&d, to, 8),
        [0x0707_0707_0707_0707; 5].into_iter().chain([0, 0, 1]).collect::<Vec<_>>()
    );
    let mut b = Buffer::new();
    b.packet(opcode::STORE_IMM64, io(reg::SRC), &[8])
        .packet(opcode::STORE_IMM64, io(reg::CTRL), &[ctrl::ONE | ctrl::START])
        .packet(opcode::STORE_IMM64, io(reg::DONE_SEQ), &[u64::MAX]);
    let text = refused(&d, &mut b);
    assert!(text.contains("DMA transfer"), "{text}");
}

#[test]
fn caches_are_synchronised() {
    // Replaced code is visible after SYNC_CACHE at the latest.
    let d = device(Soc::M1);
    let code = d.alloc(64, 64).expect("memory");
    let out = buffer(&d, 1);
    // li a2, N; sd a2, 0(a1); ret
    let program =
        |n: u32| [n << 20 | 0x613, 0x00c5_b023, 0x0000_8067].map(u32::to_le_bytes).concat();
    for n in [5, 6, 7] {
        d.write(code, &program(n)).expect("write");
        let mut b = Buffer::new();
        b.packet(opcode::SYNC_CACHE, cache::DATA | cache::INSTRUCTIONS, &[]);
        fine(&d, call(&mut b, &d, code).packet(opcode::RUN_INSTANCES, 1 << 8 | 1, &[1, out]));
        assert_eq!(words(&d, out, 1), [n.into()]);
    }
}

#[test]
fn what_is_no_packet_is_refused() {
    let d = device(Soc::M1);
    assert!(refused(&d, Buffer::new().packet(10, 0, &[])).contains("packet 10"));
    assert!(
        refused(&d, Buffer::new().packet(opcode::WRITE_REG64, 0, &[]))
            .contains("packet 2 with 0 words")
    );
    for words in
        [&[0u64][..], &[u64::MAX], &[Header { opcode: 2, payload: 9, inline: 0 }.word(), 1]]
    {
        let bytes: Vec<u8> = words.iter().flat_map(|w| w.to_le_bytes()).collect();
        assert!(submit(&d, &bytes).is_err());
    }
    // A buffer without FINISH, and an unmapped buffer.
    assert!(
        submit(&d, &Header { opcode: opcode::NOP, payload: 0, inline: 0 }.word().to_le_bytes())
            .is_err()
    );
    assert!(d.execute_commands(0, 64).is_err());
    assert!(
        device(Soc::G1).execute_commands(map::DRAM, 64).is_err(),
        "G1 has no command processor"
    );
    fine(&d, &mut Buffer::new());
}

#[test]
fn random_words_harm_nothing() {
    let d = RefsiDevice::new(&Options { max_instructions: 5000, ..Options::new(Soc::M1) })
        .expect("a device");
    let at = d.alloc(4096, 8).expect("memory");
    let mut random = fastrand::Rng::with_seed(3);
    let mut next = move || random.u64(..);
    let mut done = 0;
    for _ in 0..3000 {
        let mut words = Vec::new();
        for _ in 0..1 + next() % 12 {
            // Well-formed packets with operands that are sometimes valid.
            let code = u8::try_from(next() % 11).expect("small");
            let payload = [0, 0, 1, 1, 1, 1, 3, 2, 1 + next() % 8, 0, 2][usize::from(code)];
            let payload = if next() % 16 == 0 { next() % 5 } else { payload };
            // Copies of gigabytes would succeed but take too long.
            let inline = if next() % 2 == 0 || code == opcode::COPY_MEM64 {
                next() % 44
            } else {
                next() >> 32
            };
            let header = Header {
                opcode: code,
                payload: u32::try_from(payload).expect("small"),
                inline: u32::try_from(inline).expect("32 bits"),
            };
            words.push(header.word());
            for _ in 0..payload {
                words.push(match next() % 6 {
                    0 => next(),
                    1 => at + next() % 4096,
                    2 => map::DMA + next() % 256,
                    3 => map::DRAM + next() % map::DRAM_SIZE,
                    4 => map::TCDM + next() % map::TCDM_SIZE,
                    _ => next() % 100,
                });
            }
        }
        let mut bytes: Vec<u8> = words.iter().flat_map(|w| w.to_le_bytes()).collect();
        bytes.extend(Buffer::new().finish());
        done += u32::from(submit(&d, &bytes).is_ok());
    }
    assert!(done > 100, "some are done: {done}");
    d.free(at).expect("free");
    let fresh = device(Soc::M1);
    let program = fresh.load(&build("kernels.c", 64, Linking::Pie)).expect("a program");
    crate::common::run(&fresh, program, "empty", &crate::common::range(8, 1), &[])
        .expect("it runs");
}
