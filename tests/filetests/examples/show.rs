//! `show FILE PASS`: what a pass leaves of a test file. `show FILE time`: how long each step takes, five times.
#![expect(clippy::print_stdout, reason = "a tool for people")]

use muxcl_filetests::case::Case;
use muxcl_filetests::{compile, passes};
use muxcl_passes::Options;
use muxcl_target_host::{Settings, Target};
use muxcl_types::variant::Facts;
use std::path::Path;

fn main() -> anyhow::Result<()> {
    let args: Vec<String> = std::env::args().collect();
    let [_, file, pass] = args.as_slice() else { anyhow::bail!("show FILE PASS|time") };
    let mut case = Case::read(Path::new(file))?;
    if pass == "time" {
        return std::thread::Builder::new().stack_size(256 << 20).spawn(move || time(&case))?.join().unwrap_or(Ok(()));
    }
    pass.clone_into(&mut case.header.test);
    case.header.functions.clear();
    println!("{}", passes::output(&case)?);
    Ok(())
}

fn time(case: &Case) -> anyhow::Result<()> {
    for _ in 0..40 {
        let start = std::time::Instant::now();
        let context = muxcl_llvm::Context::new();
        let module = compile::module(&context, case)?;
        println!("clang {:?}", start.elapsed());
        let target = Target::native();
        println!("target {:?}", start.elapsed());
        let options = Options { time: true, ..Options::default() };
        let settings = Settings::default();
        let (info, bitcode) = target.finalise(&context, &module, &compile::Library, &settings, &options)?;
        let kernel = case.header.kernel.clone().unwrap_or_else(|| info.kernels[0].name.clone());
        let local_size =
            (!case.header.local.is_empty()).then(|| [0, 1, 2].map(|d| case.header.local.get(d).copied().unwrap_or(1)));
        let facts = Facts { local_size, uniform: true, zero_offset: true };
        target.specialise(&bitcode, &info, &kernel, &facts, &settings, &options)?;
        println!("all {:?}", start.elapsed());
    }
    Ok(())
}
