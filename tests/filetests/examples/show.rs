//! `show FILE PASS`: prints the output of a pass for a test file. `show FILE time`: prints the
//! duration of each step, five times.
#![expect(clippy::print_stdout, reason = "a tool for people")]

use muxcl_filetests::case::Case;
use muxcl_filetests::{compile, passes};
use muxcl_passes::{Options, Runner};
use muxcl_target_host::{CodeTarget as _, Settings, Target};
use muxcl_types::variant::SpecializationKey;
use std::path::Path;

fn main() -> anyhow::Result<()> {
    let args: Vec<String> = std::env::args().collect();
    let [_, file, pass] = args.as_slice() else { anyhow::bail!("show FILE PASS|time") };
    let mut case = Case::read(Path::new(file))?;
    if pass == "time" {
        return std::thread::Builder::new()
            .stack_size(256 << 20)
            .spawn(move || time(&case))?
            .join()
            .unwrap_or(Ok(()));
    }
    pass.clone_into(&mut case.header.test);
    case.header.functions.clear();
    println!("{}", passes::output(&case)?);
    Ok(())
}

/// CPU time of this thread, because the machine may be busy.
fn cpu() -> f64 {
    let mut t = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: writes one timespec.
    unsafe { libc::clock_gettime(libc::CLOCK_THREAD_CPUTIME_ID, &raw mut t) };
    t.tv_sec as f64 * 1e3 + t.tv_nsec as f64 / 1e6
}

fn time(case: &Case) -> anyhow::Result<()> {
    let mut best = [f64::MAX; 3];
    let mut first = [0.0; 3];
    for round in 0..10 {
        let mut at = [cpu(), 0.0, 0.0, 0.0];
        let context = muxcl_llvm::Context::new();
        let mut module = compile::module(&context, case)?;
        at[1] = cpu();
        let target = Target::native();
        let options = Options::default();
        let settings = Settings::default();
        let library = compile::library(&compile::device());
        let done = target.finalise(
            &context,
            &mut module,
            &library,
            &settings,
            &mut Runner::new(&options),
        )?;
        at[2] = cpu();
        let kernel =
            case.header.kernel.clone().unwrap_or_else(|| done.info.kernels[0].name.clone());
        let local_size = (!case.header.local.is_empty())
            .then(|| [0, 1, 2].map(|d| case.header.local.get(d).copied().unwrap_or(1)));
        let key = SpecializationKey {
            local_size,
            uniform: true,
            zero_offset: true,
            small_ids: true,
            ..SpecializationKey::default()
        };
        let mut steps = Vec::new();
        let mut observe =
            |pass: &str, _: &muxcl_llvm::Module<'_>| steps.push((pass.to_owned(), cpu()));
        let mut run = Runner::with_observer(&options, &mut observe);
        let elf = target.specialise(&done.program(&library), &kernel, &key, &settings, &mut run)?;
        drop(run);
        at[3] = cpu();
        if round == 9 {
            let mut last = at[2];
            for (pass, time) in &steps {
                println!("{:8.3} ms {pass}", time - last);
                last = *time;
            }
        }
        for n in 0..3 {
            best[n] = f64::min(best[n], at[n + 1] - at[n]);
            if round == 0 {
                first[n] = at[n + 1] - at[n];
            }
        }
        if round == 9 {
            println!("elf {} bytes", elf.len());
        }
    }
    println!("CPU ms: clang, finalise, specialise: first {first:.2?}, best {best:.2?}");
    Ok(())
}
