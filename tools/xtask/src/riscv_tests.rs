//! `cargo xtask riscv-tests`: builds of riscv-tests and riscv-arch-test on the RISC-V simulator.
//! Not here: building the tests (docs/howto/riscv-tests.md), because their sources are not part of
//! the tree.

use std::path::PathBuf;
use std::process::Command;

use anyhow::Result;

use crate::{build, run};

/// Arguments of `riscv-tests`.
#[derive(clap::Args)]
pub(crate) struct RiscvTestsArgs {
    /// Folders with ELF files, `NAME.elf`, or single files. `NAME.reference_output` is the
    /// signature.
    #[arg(long, required = true, num_args = 1..)]
    elves: Vec<PathBuf>,
    /// Bits of a vector register; without it, each program runs with 128 and with 512.
    #[arg(long)]
    vlen: Option<u32>,
}

/// Runs each ELF file; fails if one of them fails.
pub(crate) fn riscv_tests(args: &RiscvTestsArgs) -> Result<()> {
    let runner = build::example("muxcl-rv-jit", "riscv_tests")?;
    let mut command = Command::new(runner);
    if let Some(vlen) = args.vlen {
        command.arg("--vlen").arg(vlen.to_string());
    }
    run::check(command.args(&args.elves))
}
