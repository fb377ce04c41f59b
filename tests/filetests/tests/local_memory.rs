//! Local memory of kernels that call functions with local variables, and the order of the functions
//! that such kernels call. Neither may depend on addresses in the compiler's memory.
#![expect(clippy::unwrap_used, reason = "a test")]

use std::fmt::Write as _;

use muxcl_compiler::Library;
use muxcl_filetests::compile;
use muxcl_llvm::{Context, Function, Module};
use muxcl_passes::{Finalised, Options, Runner};
use muxcl_target_host::{CodeTarget as _, Settings, Target};
use muxcl_types::variant::{ElfMeta, NOTE_SECTION, SpecializationKey};

const HEADER: &str = "target triple = \"spir64-unknown-unknown\"
declare spir_func i64 @_Z13get_global_idj(i32) nounwind readnone
!0 = !{i32 1}
";

/// A function that is not inlined, and stores to `variable`.
fn user(name: &str, variable: &str) -> String {
    format!(
        "define internal spir_func void @{name}(i64 %n) noinline {{
           store volatile i64 %n, ptr addrspace(3) {variable}
           ret void
         }}\n"
    )
}

fn kernel(name: &str, body: &str) -> String {
    format!(
        "define spir_kernel void @{name}(ptr addrspace(1) %a) !kernel_arg_addr_space !0 {{
           %id = call spir_func i64 @_Z13get_global_idj(i32 0)
           {body}
           ret void
         }}\n"
    )
}

fn finalise(text: &str) -> Finalised {
    let context = Context::new();
    let mut module = Module::parse_text(&context, text).unwrap();
    let (settings, options) = (Settings::default(), Options::default());
    let run = &mut Runner::new(&options);
    target().finalise(&context, &mut module, &library(), &settings, run).unwrap()
}

fn library() -> Library {
    compile::library(&compile::device())
}

fn target() -> Target {
    Target::new("x86-64-v3", "")
}

/// The local memory of each kernel of an object, in bytes.
fn sizes(elf: &[u8]) -> Vec<u64> {
    let note = muxcl_elf_loader::section_of(elf, NOTE_SECTION).unwrap().unwrap();
    ElfMeta::from_note(note).unwrap().variants.iter().map(|v| v.local_bytes).collect()
}

#[test]
fn the_reported_size_is_what_launches_need() {
    let text = HEADER.to_owned()
        + "@x = internal addrspace(3) global [100 x i64] undef
           @y = internal addrspace(3) global [50 x i64] undef
           @z = internal addrspace(3) global [20 x i64] undef
           define internal spir_func void @__muxcl_h(ptr addrspace(1) %a) noinline {
             store volatile i64 1, ptr addrspace(1) %a
             ret void
           }\n"
        + &user("__muxcl_f", "@x")
        + &user("__muxcl_g", "@y")
        + &kernel("calls_f", "call spir_func void @__muxcl_f(i64 %id)")
        + &kernel(
            "calls_g",
            "call spir_func void @__muxcl_g(i64 %id)
             store volatile i64 %id, ptr addrspace(3) @z
             store volatile i64 %id,
                 ptr addrspace(3) getelementptr (i64, ptr addrspace(3) @x, i64 1)",
        )
        + &kernel("calls_h", "call spir_func void @__muxcl_h(ptr addrspace(1) %a)")
        + &kernel("own", "store volatile i64 %id, ptr addrspace(3) @x");
    let (settings, options) = (Settings::default(), Options::default());
    let done = finalise(&text);
    let library = library();
    let (program, info) = (done.program(&library), &done.info);
    let generic = target().generic(&program, &settings, &mut Runner::new(&options)).unwrap();
    let key = SpecializationKey::default();
    let mut found = Vec::new();
    for (kernel, all) in info.kernels.iter().zip(sizes(&generic)) {
        let run = &mut Runner::new(&options);
        let own = target().specialise(&program, &kernel.name, &key, &settings, run).unwrap();
        found.push((kernel.name.as_str(), kernel.local_bytes, all, sizes(&own)[0]));
    }
    // In the object with all kernels, `y` comes behind `x`, which `calls_f` needs. `calls_g` does
    // not use that `x`, because a function's variable must have one place in all kernels; its own
    // variables come last.
    let expected = [
        ("calls_f", 896, 896, 896),
        ("calls_g", 2176, 2176, 1408),
        ("calls_h", 0, 0, 0),
        ("own", 896, 896, 896),
    ];
    assert_eq!(found, expected);
}

/// Leaves holes of many sizes in the heap, so that addresses do not follow the module's order.
fn holes() -> Vec<Vec<u8>> {
    let blocks: Vec<Vec<u8>> = (0..20_000).map(|n| vec![1; 16 + n * 37 % 500]).collect();
    blocks.into_iter().enumerate().filter(|(n, _)| n * n % 7 > 1).map(|(_, b)| b).collect()
}

#[test]
fn offsets_follow_the_module() {
    let mut text = HEADER.to_owned();
    let mut body = String::new();
    for (name, ty) in [("d", "[2 x i64]"), ("s", "[4 x i16]"), ("c", "[3 x i8]")] {
        for n in 0..33 {
            writeln!(text, "@{name}{n} = internal addrspace(3) global {ty} undef").unwrap();
            writeln!(body, "store volatile i8 1, ptr addrspace(3) @{name}{n}").unwrap();
        }
    }
    text += &kernel("k", &body);
    let _holes = holes();
    // 33 times 27 bytes, and no padding between them. Most other orders need more than 896 bytes.
    assert_eq!(finalise(&text).info.kernels[0].local_bytes, 896);
}

#[test]
fn functions_keep_their_order() {
    let mut text = HEADER.to_owned();
    let mut body = String::new();
    for n in 0..20 {
        writeln!(text, "@v{n} = internal addrspace(3) global i64 undef").unwrap();
        text += &user(&format!("__muxcl_f{n}"), &format!("@v{n}"));
        writeln!(body, "call spir_func void @__muxcl_f{n}(i64 %id)").unwrap();
    }
    text += &kernel("k", &body);
    let _holes = holes();
    let done = finalise(&text);
    let mut names = Vec::new();
    let mut observe = |pass: &str, module: &Module<'_>| {
        if pass == "work-item-params" {
            names = module.definitions().into_iter().map(Function::name).collect();
            names.retain(|name| name.starts_with("__muxcl_f"));
        }
    };
    let (settings, options) = (Settings::default(), Options::default());
    let mut run = Runner::with_observer(&options, &mut observe);
    let key = SpecializationKey::default();
    target().specialise(&done.program(&library()), "k", &key, &settings, &mut run).unwrap();
    drop(run);
    let expected: Vec<String> = (0..20).map(|n| format!("__muxcl_f{n}")).collect();
    assert_eq!(names, expected);
}
