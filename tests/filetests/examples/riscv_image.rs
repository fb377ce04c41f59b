//! `riscv_image FILE ISA VLEN OUT`: writes the generic image of a test file, for a disassembler,
//! and prints the duration of each step.

use muxcl_filetests::case::Case;
use muxcl_filetests::{compile, riscv};
use muxcl_passes::{Options, Runner};
use muxcl_target_riscv::{CodeTarget as _, Settings, Target};
use std::path::Path;

fn main() -> anyhow::Result<()> {
    let args: Vec<String> = std::env::args().collect();
    let [_, file, isa, vlen, out] = args.as_slice() else {
        anyhow::bail!("riscv_image FILE ISA VLEN OUT")
    };
    let work = || {
        let case = Case::read(Path::new(file))?;
        let device = riscv::device(isa, vlen.parse()?);
        let context = muxcl_llvm::Context::new();
        let mut module = compile::module_for(&context, &case, &device)?;
        let target = Target::new(&device.hal.clone().unwrap_or_default())?;
        let (options, settings) =
            (Options { time: true, ..Options::default() }, Settings::default());
        let run = &mut Runner::new(&options);
        let library = compile::library(&device);
        let done = target.finalise(&context, &mut module, &library, &settings, run)?;
        std::fs::write(out, target.generic(&done.program(&library), &settings, run)?)?;
        Ok(())
    };
    std::thread::scope(|s| {
        let thread = std::thread::Builder::new().stack_size(256 << 20).spawn_scoped(s, work)?;
        thread.join().unwrap_or_else(|_| Err(anyhow::anyhow!("panicked")))
    })
}
