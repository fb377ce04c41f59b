//! Compiles the whole builtin library for each kind of target, and checks that the loader or the
//! run-time library provides every undefined symbol.

use muxcl_elf_loader::{LoadOptions, LoadedObject, PerfMode};
use muxcl_llvm::{Context, Module};
use muxcl_passes::names;
use muxcl_target_host::{CodeTarget as _, Settings, Target};
use muxcl_types::device::HalTarget;
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};

/// The relevant part of mux-host's symbol table.
const LOADER: &[&str] = &["memcpy", "memset", "memmove", "fminf", "fmaxf", "__truncdfhf2"];

#[test]
fn the_library_needs_only_the_loaders_functions() {
    // The oldest supported CPU: SSE4.1, FMA and F16C provide rounding, fma and half conversions.
    let target = Target::new("x86-64-v3", "");
    let mut wrong: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for member in 0..muxcl_builtins::member_count() {
        let id = muxcl_builtins::MemberId::from_index(member).unwrap();
        let context = Context::new();
        let mut module = Module::parse(&context, muxcl_builtins::member(id)).unwrap();
        let elf = target
            .object(&mut module, &Settings { opt_disable: true, ..Settings::default() })
            .unwrap();
        let undefined = RefCell::new(BTreeSet::new());
        let resolve = |name: &str| {
            undefined.borrow_mut().insert(name.to_owned());
            Some(0x1000)
        };
        LoadedObject::load(&elf, &resolve, LoadOptions { debugger: false, perf: PerfMode::Off })
            .unwrap();
        for name in undefined.into_inner() {
            let known = LOADER.contains(&name.as_str())
                || names::is_lowered(&name)
                || muxcl_builtins::find(&name).is_some();
            if !known {
                wrong.entry(name).or_default().insert(muxcl_builtins::member_name(id).to_owned());
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// RISC-V with all extensions, with the usual ones, with integers and atomics only, and with the
/// base only. Each instruction set tests every n-th member, because a full run takes minutes.
#[test]
fn the_library_needs_only_the_run_time_library_on_riscv() {
    let mut wrong: BTreeMap<(&str, String), BTreeSet<String>> = BTreeMap::new();
    let mut reached = BTreeSet::new();
    for (isa, every) in [
        ("RV64GCV", 9),
        ("RV64GC", 3),
        ("RV64GC_Zfh", 11),
        ("RV64IMAC", 3),
        ("RV64I", 11),
        ("RV32IMC", 11),
    ] {
        let hal = HalTarget { isa: isa.into(), vlen: 128, ..HalTarget::default() };
        let target = muxcl_target_riscv::Target::new(&hal).unwrap();
        for member in (0..muxcl_builtins::member_count()).step_by(every) {
            let id = muxcl_builtins::MemberId::from_index(member).unwrap();
            let context = Context::new();
            let mut module = Module::parse(&context, muxcl_builtins::member(id)).unwrap();
            let object = target
                .object(&mut module, &Settings { opt_disable: true, ..Settings::default() })
                .unwrap();
            let elf = goblin::elf::Elf::parse(&object).unwrap();
            for name in elf
                .syms
                .iter()
                .filter(|s| s.st_shndx == 0)
                .filter_map(|s| elf.strtab.get_at(s.st_name))
            {
                if muxcl_builtins::runtime::find(target.isa().xlen, name).is_some() {
                    reached.insert(name.to_owned());
                } else if !name.is_empty()
                    && !names::is_lowered(name)
                    && muxcl_builtins::find(name).is_none()
                {
                    wrong
                        .entry((isa, name.into()))
                        .or_default()
                        .insert(muxcl_builtins::member_name(id).to_owned());
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
    for name in ["__adddf3", "__muldf3", "__truncsfhf2", "fmaf"] {
        assert!(reached.contains(name), "{name} is not reached: {reached:?}");
    }
}
