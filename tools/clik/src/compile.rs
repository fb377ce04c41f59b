//! Builds an example's device side: one run of clang with lld compiles its files, clik's own and
//! the HAL's. Invariant: the sources are embedded in this program; only the requested program
//! remains on disk.

use crate::description::Description;
use anyhow::{Context as _, Result, bail};
use muxcl_hal::DeviceInfo;
use muxcl_hal::target::{Extensions, Target};
use std::path::{Path, PathBuf};
use std::process::Command;

/// The folder of Debian's LLVM 22.
const LLVM: &str = "/usr/lib/llvm-22/bin";

macro_rules! sources {
    ($($name:literal)*) => {
        /// Device files common to all examples.
        const COMMON: &[(&str, &str)] = &[
            ("kernel_if.h", include_str!("../device/kernel_if.h")),
            ("clik_entry.h", include_str!("../device/clik_entry.h")),
            ("clik_rt.c", include_str!("../device/clik_rt.c")),
        ];
        /// Name, header, kernel and entry of each example.
        const EXAMPLES: &[(&str, [&str; 3])] = &[$((
            $name,
            [
                include_str!(concat!("../device/examples/", $name, "/device_", $name, ".h")),
                include_str!(concat!("../device/examples/", $name, "/device_", $name, ".c")),
                include_str!(concat!("../device/examples/", $name, "/device_", $name, "_entry.c")),
            ],
        )),*];
    };
}

sources! {
    "hello" "copy_buffer" "vector_add" "vector_add_wfv" "blur" "ternary" "concatenate_dma" "matrix_multiply" "matrix_multiply_tiled"
    "barrier_print" "barrier_sum"
}

/// The HAL's entry file for `example`; `None` for clik's own.
pub(crate) fn own_entry(description: &Description, example: &str) -> Option<PathBuf> {
    description.entries.as_ref().map(|folder| folder.join(format!("device_{example}_entry.c")))
}

/// Builds `example` for a device, with source lines if `lines`.
pub(crate) fn build(
    description: &Description,
    info: &DeviceInfo,
    example: &str,
    lines: bool,
) -> Result<Vec<u8>> {
    let (_, [header, kernel, entry]) = EXAMPLES
        .iter()
        .find(|(name, _)| *name == example)
        .with_context(|| format!("no example `{example}`"))?;
    let scratch = tempfile::tempdir()?;
    let folder = scratch.path();
    // Separate from the example's own folder, so that a folder of the description comes before it.
    let common = folder.join("common");
    std::fs::create_dir_all(&common).with_context(|| common.display().to_string())?;
    for (name, text) in COMMON {
        std::fs::write(common.join(name), text)?;
    }
    std::fs::write(folder.join(format!("device_{example}.h")), header)?;
    let (kernel_file, entry_file) = (
        folder.join(format!("device_{example}.c")),
        folder.join(format!("device_{example}_entry.c")),
    );
    std::fs::write(&kernel_file, kernel)?;
    match own_entry(description, example) {
        Some(own) => {
            std::fs::copy(&own, &entry_file).with_context(|| own.display().to_string())?;
        }
        None => std::fs::write(&entry_file, entry)?,
    }
    let program = folder.join("program.elf");
    let mut command = Command::new(compiler(description));
    command.args([
        "-std=c11",
        "-O2",
        "-Wall",
        "-ffreestanding",
        "-nostdlib",
        "-fvisibility=hidden",
        "-fno-stack-protector",
    ]);
    command.args([
        "-fuse-ld=lld",
        &format!("--ld-path={LLVM}/ld.lld"),
        "-Wl,-e,kernel_main",
        "-Wl,--build-id=none",
    ]);
    if lines {
        command.arg("-g");
    }
    for include in &description.include {
        command.arg("-I").arg(include);
    }
    command.arg("-I").arg(folder).arg("-I").arg(&common);
    if let Some(header) = &description.header {
        command.arg(format!("-DHAL_CLIK_HEADER=\"{}\"", header.display()));
    }
    target(&mut command, description, info, folder)?;
    command.args(&description.cflags).args(&description.ldflags);
    command.arg(kernel_file).arg(entry_file).arg(common.join("clik_rt.c")).arg("-o").arg(&program);
    let output =
        command.output().with_context(|| format!("cannot start {:?}", command.get_program()))?;
    if !output.status.success() {
        bail!("the compiler failed\n{command:?}\n{}", String::from_utf8_lossy(&output.stderr));
    }
    std::fs::read(&program).with_context(|| program.display().to_string())
}

fn compiler(description: &Description) -> String {
    let own = Path::new(LLVM).join("clang");
    let default = if own.exists() { own.display().to_string() } else { "clang".to_owned() };
    description.compiler.clone().unwrap_or(default)
}

/// The options that select the machine and the link mode.
fn target(
    command: &mut Command,
    description: &Description,
    info: &DeviceInfo,
    folder: &Path,
) -> Result<()> {
    let mut script = description.linker_script.clone();
    match description.target.as_deref() {
        Some("native") => return Ok(()),
        Some(triple) => {
            command.arg(format!("--target={triple}"));
        }
        None => {
            let march = march(info);
            command.arg(format!("--target=riscv{}", info.word_size)).arg(format!("-march={march}"));
            command.arg(format!("-mabi={}", info.abi.name())).arg("-mcmodel=medany");
        }
    }
    if let (None, Some(text)) = (&script, &info.linker_script) {
        let path = folder.join("device.lds");
        std::fs::write(&path, text)?;
        script = Some(path);
    }
    match script {
        Some(script) => {
            command.arg("-static").arg("-T").arg(script);
        }
        None if description.target.is_none() => {
            command.args(["-fPIE", "-Wl,-pie,--no-dynamic-linker"]);
        }
        None => {}
    }
    Ok(())
}

/// clang's name of the device's instruction set.
fn march(info: &DeviceInfo) -> String {
    // Letters without a corresponding compiler extension.
    let unknown = Extensions::L
        | Extensions::B
        | Extensions::J
        | Extensions::T
        | Extensions::P
        | Extensions::N
        | Extensions::H;
    let target = Target { xlen: info.word_size, extensions: info.extensions - unknown };
    let mut march = target.to_string().to_ascii_lowercase();
    if info.extensions.contains(Extensions::V) && info.vlen.is_power_of_two() && info.vlen >= 128 {
        march.push_str(&format!("_zvl{}b", info.vlen));
    }
    march
}
