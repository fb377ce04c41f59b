//! Translates every kernel of the driver's kernel tests from the output of clang's SPIR-V back end.
//! The result is verified IR, and the library has all its builtins.

use muxcl_llvm::Context;
use muxcl_spirv_ll::{Math, Options, translate};
use std::path::{Path, PathBuf};
use std::process::Command;

/// Features that LLVM 22's SPIR-V back end lacks: blocks, and functions that clang's own header
/// does not declare. And C++, because this test compiles OpenCL C.
const CLANG_CANNOT: &[&str] = &[
    "enqueue/",
    "builtins/uniform_arithmetic",
    "basic/cxx",
    "sub_groups/intel",
    "sub_groups/named_barriers",
];

/// Features that the kernels need.
const EXTENSIONS: &str = "--spirv-ext=+SPV_KHR_subgroup_rotate,+SPV_EXT_shader_atomic_float_add,\
    +SPV_EXT_shader_atomic_float_min_max,+SPV_KHR_uniform_group_instructions,\
    +SPV_EXT_shader_atomic_float16_add,+SPV_KHR_bit_instructions,+SPV_KHR_integer_dot_product";

/// Functions that passes lower, and printf.
const LOWERED: &[&str] = &[
    "get_global_id",
    "get_local_id",
    "get_group_id",
    "get_work_dim",
    "get_local_size",
    "get_num_groups",
    "get_global_size",
    "get_global_offset",
    "get_enqueued_local_size",
    "get_local_linear_id",
    "get_sub_group_",
    "get_max_sub_group_size",
    "get_num_sub_groups",
    "get_enqueued_num_sub_groups",
    "sub_group_barrier",
    "get_global_linear_id",
    "work_group_barrier",
    "__to_global",
    "__to_local",
    "__to_private",
    "__translate_sampler_initializer",
    "printf",
];

fn sources(folder: &Path, out: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).expect("the kernel tests") {
        let path = entry.expect("a file").path();
        if path.is_dir() {
            sources(&path, out);
        } else if path.extension().is_some_and(|e| e == "cl") {
            out.push(path);
        }
    }
}

fn compile(source: &Path, target: &str, level: &str, il: &Path) {
    let clang = Command::new("clang-22")
        .args(["-mllvm", EXTENSIONS])
        .args([
            &format!("--target={target}"),
            "-cl-std=CL3.0",
            "-Xclang",
            "-finclude-default-header",
            level,
            "-w",
            "-c",
        ])
        .arg(source)
        .arg("-o")
        .arg(il)
        .output()
        .expect("clang-22, which `cargo xtask setup` installs");
    assert!(
        clang.status.success(),
        "{}: {}",
        source.display(),
        String::from_utf8_lossy(&clang.stderr)
    );
}

#[test]
fn the_kernels_of_the_tests() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/kernels/cl");
    let il = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("kernel.spv");
    let mut all = Vec::new();
    sources(&root, &mut all);
    all.retain(|s| {
        !CLANG_CANNOT.iter().any(|c| {
            s.strip_prefix(&root).unwrap().starts_with(c) || s.display().to_string().contains(c)
        })
    });
    assert!(all.len() > 50, "{}", all.len());
    let mut wrong = Vec::new();
    for (n, source) in all.iter().enumerate() {
        // Each kernel is tested in one of four ways, to bound the time.
        let (target, bits) = if n % 4 == 3 { ("spirv32", 32) } else { ("spirv64", 64) };
        let level = if n % 2 == 0 { "-O2" } else { "-O0" };
        compile(source, target, level, &il);
        let options = Options { constants: &[], address_bits: bits, math: Math::default() };
        let context = Context::new();
        match translate(&context, &std::fs::read(&il).unwrap(), &options) {
            Err(e) => wrong.push(format!("{}: {e}", source.display())),
            Ok(module) => {
                for f in module
                    .functions()
                    .into_iter()
                    .filter(|f| f.is_declaration() && !f.is_intrinsic())
                {
                    let name = f.name();
                    let known = LOWERED.iter().any(|l| name.contains(l))
                        || muxcl_builtins::find(&name).is_some();
                    if !known && bits == 64 {
                        wrong.push(format!("{}: {name} is in no library", source.display()));
                    }
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}
