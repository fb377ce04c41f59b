//! Programs for the devices, which clang-22 compiles while the tests run. Without clang the tests
//! fail.

use hal_refsi::{Options, RefsiDevice, Soc};
use muxcl_hal::{Argument, Device, HalError, NdRange, Program};
use std::ffi::CString;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicU32, Ordering};

pub(crate) const CLANG: &str = "/usr/lib/llvm-22/bin/clang";

/// The link mode of a program.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Linking {
    /// Position-independent.
    Pie,
    /// At a fixed address.
    At(u64),
    /// At fixed addresses, with variables in local memory.
    WithLocal,
}

fn folder() -> PathBuf {
    static NUMBER: AtomicU32 = AtomicU32::new(0);
    let number = NUMBER.fetch_add(1, Ordering::Relaxed);
    std::env::temp_dir().join(format!("muxcl-refsi-{}-{number}", std::process::id()))
}

/// Compiles a C file in `tests/programs` to ELF.
pub(crate) fn build(source: &str, bits: u32, link: Linking) -> Vec<u8> {
    build_with(source, bits, link, &[])
}

/// [`build`] with more options.
pub(crate) fn build_with(source: &str, bits: u32, link: Linking, flags: &[&str]) -> Vec<u8> {
    let folder = folder();
    std::fs::create_dir_all(&folder).expect("a temporary folder");
    let out = folder.join("program.elf");
    let mut command = Command::new(CLANG);
    let (target, march, mabi) = if bits == 64 {
        ("--target=riscv64", "-march=rv64gc", "-mabi=lp64d")
    } else {
        ("--target=riscv32", "-march=rv32gc", "-mabi=ilp32d")
    };
    command.args([
        target,
        march,
        mabi,
        "-O2",
        "-ffreestanding",
        "-nostdlib",
        "-fuse-ld=lld",
        "-fno-builtin",
        "-mno-relax",
    ]);
    command.args(flags);
    match link {
        Linking::Pie => command.args(["-fPIE", "-Wl,-pie,--no-dynamic-linker", "-Wl,-e,0"]),
        Linking::At(address) => command
            .args(["-static", "-mcmodel=medany", "-Wl,-e,0"])
            .arg(format!("-Wl,--image-base={address:#x}")),
        Linking::WithLocal => command.args([
            "-static",
            "-mcmodel=medany",
            "-Wl,-e,0",
            "-Wl,--image-base=0x10000",
            "-Wl,-Ttext=0x11000",
            "-Wl,--section-start=.local=0x10000000",
        ]),
    };
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/programs").join(source);
    let output = command.arg("-o").arg(&out).arg(&source).output().expect("clang-22 is installed");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let bytes = std::fs::read(&out).expect("an ELF file");
    // A failure to remove the folder is harmless.
    let _ = std::fs::remove_dir_all(&folder);
    bytes
}

/// The standard configuration of a device.
pub(crate) fn device(soc: Soc) -> RefsiDevice {
    RefsiDevice::new(&Options::new(soc)).expect("a device")
}

/// A one-dimensional range.
pub(crate) fn range(global: u64, local: u64) -> NdRange {
    NdRange { offset: [0; 3], global: [global, 1, 1], local: [local, 1, 1] }
}

/// Finds a kernel and runs it over a one-dimensional range.
pub(crate) fn run(
    device: &dyn Device,
    program: Program,
    kernel: &str,
    range: &NdRange,
    args: &[Argument<'_>],
) -> Result<(), HalError> {
    let kernel = device.find(program, &CString::new(kernel).expect("a name"))?;
    device.execute(program, kernel, range, args, 1)
}

/// A buffer of `count` zero words of eight bytes.
pub(crate) fn buffer(device: &dyn Device, count: u64) -> u64 {
    let at = device.alloc(count * 8, 128).expect("memory");
    device.fill(at, &[0], count * 8).expect("filled");
    at
}

/// Reads the words of a buffer.
pub(crate) fn words(device: &dyn Device, at: u64, count: usize) -> Vec<u64> {
    let mut bytes = vec![0; count * 8];
    device.read(at, &mut bytes).expect("read");
    bytes.chunks(8).map(|c| u64::from_le_bytes(c.try_into().expect("eight"))).collect()
}

pub(crate) fn global(address: u64) -> Argument<'static> {
    Argument::Global { address, size: 8 }
}
