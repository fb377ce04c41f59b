//! Kernel files in SPIR-V: clang compiles them to modules with LLVM's SPIR-V back end, once for
//! each content.
//!
//! Not here: modules written by hand (`tests/api`), and instructions that the back end never emits
//! (`crates/spirv-ll`).

use std::fs;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context as _, Result, bail};

use muxcl_client::Device;
use muxcl_client::sys::CL_DEVICE_ADDRESS_BITS;

use crate::directive::File;

/// Files that clang 22 cannot compile to a module, with the reason. `MUXCL_TEST_SPIRV` names a
/// folder of modules of another producer.
pub const NOT_IN_SPIRV: &[(&str, &str)] = &[
    (
        "builtins/uniform_arithmetic",
        "clang does not declare work_group_reduce_mul and the like; the driver does",
    ),
    ("enqueue/children", "the back end does not know enqueue_kernel, and crashes"),
    ("enqueue/errors", "the back end does not know clk_event_t"),
    ("enqueue/errors_g", "the back end does not know clk_event_t"),
    ("enqueue/events", "the back end does not know clk_event_t"),
    ("enqueue/nested", "the back end does not know enqueue_kernel, and crashes"),
    ("enqueue/nulls", "the back end does not know enqueue_kernel, and crashes"),
    ("enqueue/queues", "the back end does not know enqueue_kernel, and crashes"),
    ("enqueue/uniform", "the back end does not know enqueue_kernel, and crashes"),
    ("enqueue/without_default", "the back end does not know enqueue_kernel, and crashes"),
    ("sub_groups/intel", "clang does not declare the functions; the driver does"),
];

/// Files that clang 22 compiles with a different meaning, with the difference. Another driver that
/// runs all other modules agrees.
pub const WRONG_IN_SPIRV: &[(&str, &str)] = &[
    ("basic/cxx", "the back end does not say that the constructors' kernel is an Initializer"),
    ("control/division", "what is divided by zero means nothing to clang's optimiser, and is gone"),
    ("memory/half_storage", "the back end writes vload_half3 for vloada_half3"),
    (
        "memory/program_scope",
        "in an initialiser the back end counts the bytes of &table[2] as elements",
    ),
];

/// Whether the file is available in SPIR-V, from another producer's folder or from clang.
#[must_use]
pub fn can_be_had(name: &str) -> bool {
    match others(name) {
        Some(module) => module.exists(),
        None => NOT_IN_SPIRV.iter().chain(WRONG_IN_SPIRV).all(|(listed, _)| *listed != name),
    }
}

/// The other producer's module, if `MUXCL_TEST_SPIRV` is set.
fn others(name: &str) -> Option<PathBuf> {
    Some(Path::new(&muxcl_config::MUXCL_TEST_SPIRV.get_os()?).join(name).with_extension("spv"))
}

const CLANG: &str = "clang-22";
/// Options before a file's own. The back end cannot express some features without these extensions.
const ARGUMENTS: &[&str] = &[
    "-fno-crash-diagnostics",
    "-Xclang",
    "-mllvm",
    "-Xclang",
    concat!(
        "-spirv-ext=+SPV_EXT_shader_atomic_float_add,+SPV_EXT_shader_atomic_float16_add,",
        "+SPV_EXT_shader_atomic_float_min_max,+SPV_KHR_subgroup_rotate,",
        "+SPV_KHR_bit_instructions,+SPV_KHR_integer_dot_product"
    ),
    "-x",
    "cl",
];

/// Compiles the file to a module for a device.
///
/// # Errors
/// clang is missing or rejects the file.
pub fn module(file: &File, device: Device) -> Result<Vec<u8>> {
    let source = without(&file.source, &device.features()?) + &file.source;
    compiled(file, &source, device.number(CL_DEVICE_ADDRESS_BITS)?)
}

/// Undefines the macros of features that the device lacks, because clang's SPIR-V target defines
/// all of them.
fn without(source: &str, features: &[String]) -> String {
    let asked = source.lines().filter(|line| line.starts_with("#if"));
    asked
        .flat_map(|line| line.split(|c: char| !c.is_alphanumeric() && c != '_'))
        .filter(|word| word.starts_with("cl_") || word.starts_with("__opencl_c_"))
        .filter(|word| features.iter().all(|feature| feature != word))
        .map(|word| format!("#undef {word}\n"))
        .collect()
}

fn compiled(file: &File, source: &str, address_bits: u64) -> Result<Vec<u8>> {
    if let Some(module) = others(&file.name) {
        return fs::read(&module).with_context(|| module.display().to_string());
    }
    // clang has no OpenCL C 3.1; its SPIR-V target declares the functions in any version.
    let options = file.options.replace("-cl-std=CL3.1", "-cl-std=CL3.0");
    let options: Vec<&str> = options.split_whitespace().collect();
    let target = format!("--target=spirv{address_bits}");
    let mut hasher = DefaultHasher::new();
    (&target, ARGUMENTS, &options, source, clang_identity()).hash(&mut hasher);
    let folder = folder()?;
    let kept = folder.join(format!("{:016x}.spv", hasher.finish()));
    if let Ok(module) = fs::read(&kept) {
        return Ok(module);
    }
    // Tests run in several threads and processes, so each writes its own file and renames it.
    let own = folder.join(format!(
        "{:016x}-{}-{:?}",
        hasher.finish(),
        std::process::id(),
        std::thread::current().id()
    ));
    let text = own.with_extension("cl");
    fs::write(&text, source)?;
    let made = own.with_extension("part");
    let mut command = Command::new(CLANG);
    command.arg(target).args(ARGUMENTS).args(&options).arg("-c").arg(&text).arg("-o").arg(&made);
    let output =
        command.output().with_context(|| format!("{CLANG}: `cargo xtask test` installs it"))?;
    fs::remove_file(&text)?;
    if !output.status.success() {
        bail!(
            "{CLANG} makes no SPIR-V of it: {}\n{}",
            output.status,
            String::from_utf8_lossy(&output.stderr)
        );
    }
    fs::rename(&made, &kept)?;
    Ok(fs::read(&kept)?)
}

/// Identifies the compiler build. A different build invalidates the cached modules.
fn clang_identity() -> (Option<PathBuf>, u64) {
    let path = fs::canonicalize(Path::new("/usr/bin").join(CLANG)).ok();
    let size = path.as_ref().and_then(|path| fs::metadata(path).ok()).map_or(0, |meta| meta.len());
    (path, size)
}

/// Creates `target/spirv` if necessary. The program is `target/debug/deps/...`.
fn folder() -> Result<PathBuf> {
    let program = std::env::current_exe()?;
    let folder = program.ancestors().nth(3).context("no target folder")?.join("spirv");
    fs::create_dir_all(&folder).with_context(|| folder.display().to_string())?;
    Ok(folder)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_a_device_lacks_are_taken_back() {
        let source = "#ifdef cl_khr_fp64\n#if defined(__opencl_c_x) && defined(MINE)\nint cl_y;\n";
        assert_eq!(without(source, &["cl_khr_fp64".to_owned()]), "#undef __opencl_c_x\n");
    }

    #[test]
    fn what_is_listed_cannot_be_had() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("cl");
        for (name, why) in NOT_IN_SPIRV {
            let source = fs::read_to_string(root.join(name).with_extension("cl")).unwrap();
            assert!(
                compiled(&File::parse(&source).unwrap(), &source, 64).is_err(),
                "{name} can be had now: {why}"
            );
        }
    }
}
