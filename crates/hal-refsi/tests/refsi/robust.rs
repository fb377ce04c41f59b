//! F6: wild stores of a kernel must not make later kernels fail. The loader of M1 was in DRAM,
//! within reach of stores and DMA transfers: after one wild kernel every launch failed until the
//! process ended. Code and constants of the programs were in reach, too.

use crate::common::{Linking, buffer, build, device, global, range, run, words};
use hal_refsi::dma::ctrl;
use hal_refsi::{RefsiDevice, Soc, map};
use muxcl_hal::{Argument, Device, HalError, Program};

#[test]
fn stores_below_the_first_program_damage_nothing_lasting() {
    let elf = build("kernels.c", 64, Linking::Pie);
    for soc in [Soc::M1, Soc::G1] {
        let d = device(soc);
        // The device's own allocations, 68 KiB, come first in DRAM; the loader of M1 used to follow
        // them.
        let _spare = d.alloc(4096, 4096).expect("a page");
        let program = d.load(&elf).expect("a program");
        let out = buffer(&d, 1);
        let check = || {
            run(&d, program, "globals", &range(1, 1), &[global(out)]).expect("it runs");
            assert_ne!(words(&d, out, 1)[0], 0);
        };
        check();
        let count = ((72 << 10) / 8_u64).to_le_bytes();
        let wild = [global(map::DRAM), Argument::Value(&count)];
        run(&d, program, "wild", &range(1, 1), &wild).expect("the address is valid");
        check();
    }
}

/// The addresses of pages in which a store of the kernel `wild` faults.
fn protected_pages(d: &RefsiDevice, wild: Program, pages: impl Iterator<Item = u64>) -> Vec<u64> {
    let one = 1_u64.to_le_bytes();
    let faults = |page: &u64| {
        let arguments = [global(*page), Argument::Value(&one)];
        let result = run(d, wild, "wild", &range(1, 1), &arguments);
        if let Err(error) = &result {
            let text = error.to_string();
            assert!(text.contains(&format!("store to {page:#x} at pc 0x")), "{text}");
            assert!(text.contains(" in wild+0x"), "{text}");
        }
        result.is_err()
    };
    pages.filter(faults).collect()
}

#[test]
fn code_and_constants_of_every_program_are_protected() {
    for soc in [Soc::M1, Soc::G1] {
        for linking in [Linking::Pie, Linking::At(0x10000)] {
            let d = device(soc);
            let out = buffer(&d, 32);
            let victim = d.load(&build("kernels.c", 64, linking)).expect("a program");
            let wild = d.load(&build("kernels.c", 64, Linking::Pie)).expect("a program");
            let check = || {
                for program in [victim, wild] {
                    run(&d, program, "empty", &range(4, 1), &[]).expect("the code is undamaged");
                    run(&d, program, "globals", &range(1, 1), &[global(out)]).expect("it runs");
                    run(&d, program, "fields", &range(1, 1), &[global(out)]).expect("it runs");
                }
            };
            check();
            // The programs: at the end of memory, or at their fixed addresses.
            run(&d, victim, "empty", &range(4, 1), &[]).expect("the program is in place");
            let end = map::DRAM + map::DRAM_SIZE;
            let pages = (end - (64 << 10)..end).chain(map::ELF..map::ELF + (32 << 10));
            let found = protected_pages(&d, wild, pages.step_by(4096));
            assert!(found.len() >= 4, "{soc:?} {linking:?}: {found:x?}");
            check();
            // An atomic operation.
            let once = 1_u64.to_le_bytes();
            let add = [global(found[0]), Argument::Value(&once)];
            let Err(HalError::Fault(text)) = run(&d, wild, "sum", &range(1, 1), &add) else {
                panic!("the addition is done")
            };
            assert!(text.contains(&format!("store to {:#x} at pc ", found[0])), "{text}");
            check();
            // The host may write.
            let mut page = [0; 4096];
            d.read(found[0], &mut page).expect("memory");
            d.write(found[0], &page).expect("the host");
            // A freed program's pages are memory again.
            d.unload(victim).expect("a program");
            assert!(protected_pages(&d, wild, found.iter().copied()).len() < found.len());
            run(&d, wild, "empty", &range(4, 1), &[]).expect("the code is undamaged");
        }
    }
}

#[test]
fn dma_transfers_cannot_write_code() {
    let d = device(Soc::M1);
    let program = d.load(&build("dma.c", 64, Linking::Pie)).expect("a program");
    let source = d.alloc(64 << 10, 128).expect("memory");
    let out = buffer(&d, 8);
    // The program is at the end of memory, and its last pages are variables.
    let end = map::DRAM + map::DRAM_SIZE;
    let mut refused = 0;
    for (to, size) in (0..16).map(|page| (end - (page << 12) - 16, 16)).chain([
        (end - (16 << 10), 16 << 10),
        (map::M1_ROM, 16),
        (map::M1_ROM - 8, 4096),
    ]) {
        let values = [to, source, size, 0, 0, 0, 0, 0, 0, ctrl::ONE, out].map(u64::to_le_bytes);
        let arguments: Vec<Argument<'_>> = values.iter().map(|v| Argument::Value(v)).collect();
        if let Err(error) = run(&d, program, "copy", &range(1, 1), &arguments) {
            let text = error.to_string();
            assert!(text.contains(&format!(" to {to:#x} writes memory that is not")), "{text}");
            refused += 1;
        }
        let fine = [source + 64, source, 64, 0, 0, 0, 0, 0, 0, ctrl::ONE, out];
        let values = fine.map(u64::to_le_bytes);
        let arguments: Vec<Argument<'_>> = values.iter().map(|v| Argument::Value(v)).collect();
        run(&d, program, "copy", &range(1, 1), &arguments).expect("the code is undamaged");
    }
    assert!(refused > 3, "{refused}");
}

/// Wild stores and transfers to random addresses, in every region and everywhere else.
#[test]
fn random_stores_make_no_later_launch_fail() {
    let mut random = fastrand::Rng::with_seed(77);
    for soc in [Soc::M1, Soc::G1] {
        let d = device(soc);
        let wild = d.load(&build("kernels.c", 64, Linking::Pie)).expect("a program");
        let victim = d.load(&build("dma.c", 64, Linking::Pie)).expect("a program");
        let fixed = d.load(&build("kernels.c", 64, Linking::At(0x10000))).expect("a program");
        let end = map::DRAM + map::DRAM_SIZE;
        let mut failed = 0;
        for round in 0..1000 {
            let at = match round % 5 {
                0 => random.u64(end - (32 << 10)..end),
                1 => random.u64(map::ELF..map::ELF + (32 << 10)),
                2 => random.u64(map::DRAM..map::DRAM + (128 << 10)),
                3 => random.u64(0..end),
                _ => random.u64(..),
            };
            let count = random.u64(1..64).to_le_bytes();
            let arguments = [global(at & !7), Argument::Value(&count)];
            failed += u32::from(run(&d, wild, "wild", &range(1, 1), &arguments).is_err());
            let touch = 4_u64.to_le_bytes();
            if soc == Soc::M1 {
                run(&d, victim, "touch", &range(1, 1), &[Argument::Value(&touch)])
                    .expect("it runs");
            }
            run(&d, fixed, "empty", &range(4, 1), &[]).expect("it runs");
        }
        assert!((200..1000).contains(&failed), "{failed}");
    }
}
