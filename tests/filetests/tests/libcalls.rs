//! Compiles the whole builtin library and checks that it asks nothing of the loader but what the loader provides.

use muxcl_elf_loader::{LoadOptions, LoadedObject, PerfMode};
use muxcl_llvm::{Context, Module};
use muxcl_passes::names;
use muxcl_target_host::{CodeTarget as _, Settings, Target};
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};

/// A part of mux-host's table.
const LOADER: &[&str] = &["memcpy", "memset", "memmove", "fminf", "fmaxf", "__truncdfhf2"];

#[test]
fn the_library_needs_only_the_loaders_functions() {
    // The least CPU we test for: SSE4.1, FMA and F16C give rounding, fma and half conversions.
    let target = Target::new("x86-64-v3", "");
    let mut wrong: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for member in 0..muxcl_builtins::member_count() {
        let id = muxcl_builtins::MemberId::from_index(member).unwrap();
        let context = Context::new();
        let module = Module::parse(&context, muxcl_builtins::member(id)).unwrap();
        let elf = target.object(&module, &Settings { opt_disable: true, ..Settings::default() }).unwrap();
        let undefined = RefCell::new(BTreeSet::new());
        let resolve = |name: &str| {
            undefined.borrow_mut().insert(name.to_owned());
            Some(0x1000)
        };
        LoadedObject::load(&elf, &resolve, LoadOptions { debugger: false, perf: PerfMode::Off }).unwrap();
        for name in undefined.into_inner() {
            let known =
                LOADER.contains(&name.as_str()) || names::is_lowered(&name) || muxcl_builtins::find(&name).is_some();
            if !known {
                wrong.entry(name).or_default().insert(muxcl_builtins::member_name(id).to_owned());
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}
