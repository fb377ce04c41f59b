//! Every file under `cases/` is a test; `BLESS=1` rewrites golden outputs. Without
//! `FILETESTS_FULL=1`, the cases under `run/` leave out some variants (`extent`).

use libtest_mimic::{Arguments, Failed, Trial};
use muxcl_filetests::case::Case;
use muxcl_filetests::extent::Extent;
use muxcl_filetests::{passes, riscv, run, run_riscv};
use std::path::{Path, PathBuf};

/// The instruction set with which tests of scalable vectors compile.
const SCALABLE: &str = "RV64GCV";

fn main() {
    let args = Arguments::from_args();
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("cases");
    let mut files = Vec::new();
    collect(&root, &mut files);
    files.sort();
    #[expect(
        clippy::disallowed_methods,
        reason = "the variable to update golden files is not part of the driver"
    )]
    let bless = std::env::var_os("BLESS").is_some();
    let extent = Extent::chosen();
    let mut trials = Vec::new();
    for path in files {
        let name = path.strip_prefix(&root).unwrap_or(&path).display().to_string();
        if name.starts_with("run/") {
            for (n, (isa, vlen)) in riscv::DEVICES.iter().enumerate() {
                if !runs_on(&path, isa) || !extent.runs_on(&name, n, riscv::DEVICES.len()) {
                    continue;
                }
                let path = path.clone();
                trials.push(Trial::test(format!("{name} {isa} {vlen}"), move || {
                    on_riscv(&path, isa, *vlen, extent)
                }));
            }
            let path = path.clone();
            trials.push(Trial::test(format!("{name} {SCALABLE} scalable"), move || {
                let case = Case::read(&path).map_err(|e| Failed::from(format!("{e:#}")))?;
                deep(|| run_riscv::run_scalable(&case, SCALABLE, extent))
                    .map_err(|e| Failed::from(format!("{e:#}")))
            }));
        }
        trials.push(Trial::test(name, move || test(&path, bless, extent)));
    }
    libtest_mimic::run(&args, trials).exit();
}

fn collect(dir: &Path, out: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(dir).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() {
            collect(&path, out);
        } else if path.extension().is_some_and(|e| e == "cl" || e == "ll") {
            out.push(path);
        }
    }
}

/// True if the case runs on this instruction set: IR cases assume 64-bit addresses.
fn runs_on(path: &Path, isa: &str) -> bool {
    path.extension().is_some_and(|e| e != "ll") || !isa.starts_with("RV32")
}

fn on_riscv(path: &Path, isa: &str, vlen: u32, extent: Extent) -> Result<(), Failed> {
    let case = Case::read(path).map_err(|e| Failed::from(format!("{e:#}")))?;
    deep(|| run_riscv::run(&case, &riscv::device(isa, vlen), extent))
        .map_err(|e| Failed::from(format!("{e:#}")))
}

/// Clang needs a large stack.
fn deep(work: impl FnOnce() -> anyhow::Result<()> + Send) -> anyhow::Result<()> {
    std::thread::scope(|s| {
        std::thread::Builder::new()
            .stack_size(256 << 20)
            .spawn_scoped(s, work)
            .map_err(anyhow::Error::from)
            .and_then(|t| t.join().unwrap_or_else(|_| Err(anyhow::anyhow!("panicked"))))
    })
}

fn test(path: &Path, bless: bool, extent: Extent) -> Result<(), Failed> {
    let fail = |e: anyhow::Error| Failed::from(format!("{e:#}"));
    let case = Case::read(path).map_err(fail)?;
    let work = || -> anyhow::Result<()> {
        if case.header.test == "run" {
            run::run(&case, extent)
        } else {
            case.check(&passes::output(&case)?, bless)
        }
    };
    let result = deep(work);
    match (&case.header.error, result) {
        (None, result) => result.map_err(fail),
        (Some(text), Err(e)) if format!("{e:#}").contains(text.as_str()) => Ok(()),
        (Some(text), Err(e)) => Err(format!("the message is not '{text}' but: {e:#}").into()),
        (Some(text), Ok(())) => Err(format!("should fail with '{text}'").into()),
    }
}
