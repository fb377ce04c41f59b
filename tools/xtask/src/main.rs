//! The project's commands; `cargo xtask help` lists them.
//!
//! Invariant: this crate builds on a machine with only Rust and a C compiler, so it depends on no
//! other crate of the repository and on nothing that needs LLVM or an OpenCL loader. It starts
//! other programs; it never loads the driver itself.
#![expect(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a command line tool talks to its user"
)]

mod apps;
mod book;
mod build;
mod charts;
mod codegen;
mod conformance;
mod deny;
mod dist;
mod elf;
mod expect;
mod fuzz;
mod install;
mod models;
mod new_hal;
mod nightly;
mod order;
mod outcome;
mod package;
mod packages;
mod riscv_tests;
mod run;
mod sanitize;
mod test;
mod tidy;
mod tools;

use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Parser, Subcommand};

#[derive(Parser)]
#[command(name = "cargo xtask", about = "The commands of the muxcl project")]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Install missing system packages, build, and run the demo on every device of the platform.
    Demo(DemoArgs),
    /// Install missing system packages, build, and run every check and every test.
    Test(test::TestArgs),
    /// Build the release tree in target/dist.
    Dist,
    /// Build the release tree, copy it below PREFIX and register the driver with the ICD loader.
    Install(install::InstallArgs),
    /// Build Debian packages, a Python wheel, a conda package and a tarball in target/packages.
    Package(package::PackageArgs),
    /// Remove what `install` put below PREFIX, and its registration.
    Uninstall(install::InstallArgs),
    /// Write a HAL crate from the template, ready for `clik run`.
    NewHal(new_hal::NewHalArgs),
    /// Run the benches, side by side with other installed drivers.
    Bench(BenchArgs),
    /// Measure the accuracy of the OpenCL C library; without functions, write docs/accuracy.md.
    Ulp(UlpArgs),
    /// Run an existing build of the Khronos CTS and compare with conformance/expect.
    Conformance(conformance::Args),
    /// Install applications from PyPI, run their tests and compare with conformance/apps.
    Apps(apps::Args),
    /// Run builds of riscv-tests and riscv-arch-test on the RISC-V simulator.
    RiscvTests(riscv_tests::RiscvTestsArgs),
    /// Run the driver's tests under AddressSanitizer or ThreadSanitizer.
    Sanitize(sanitize::SanitizeArgs),
    /// Check licences, sources and duplicates of dependencies with cargo-deny.
    Deny(deny::DenyArgs),
    /// Build the fuzz targets and run each for a bounded time.
    Fuzz(fuzz::FuzzArgs),
    /// Explore the interleavings of the code with threads (loom).
    Models(models::ModelsArgs),
    /// Run what takes too long for every change: sanitizers, models, long fuzzing, Miri.
    Nightly(nightly::NightlyArgs),
    /// Eight application threads on shared contexts, for a minute.
    Stress {
        /// How long.
        #[arg(long, default_value_t = 60)]
        seconds: u32,
    },
    /// Check layout, crate edges, file headers, documentation of variables, tests of error codes.
    Tidy,
    /// Ask the built driver what each device has, and write docs/extensions.md and the tables of
    /// docs/status.md.
    Status,
    /// Build the documents as a book in target/book.
    Book,
    /// Draw the charts of the pages with measurements again.
    Charts,
    /// Write the generated sources again (cl-sys from the Khronos headers).
    Codegen(CodegenArgs),
}

/// Arguments of `demo`.
#[derive(clap::Args)]
struct DemoArgs {
    /// Run the release tree of target/dist instead of the development build.
    #[arg(long)]
    release: bool,
    /// Passed on to the demo program.
    #[arg(trailing_var_arg = true)]
    rest: Vec<String>,
}

/// Arguments of `codegen`.
#[derive(clap::Args)]
struct CodegenArgs {
    /// Only compare with the committed file.
    #[arg(long)]
    check: bool,
    /// Folder with cl.h.
    #[arg(long, default_value = "/usr/include/CL")]
    headers: PathBuf,
}

/// Arguments of `bench`.
#[derive(clap::Args)]
struct BenchArgs {
    /// Another driver: `[NAME=]LIBRARY.so[:FOLDER_FOR_LD_LIBRARY_PATH]` or the path of an `.icd`
    /// file. May be repeated.
    #[arg(long)]
    vs: Vec<String>,
    /// Leave muxcl out: measure the other drivers only.
    #[arg(long)]
    without_muxcl: bool,
    /// How often every row is measured (the median is shown).
    #[arg(long, default_value_t = 5)]
    rounds: u32,
    /// Also measure the work of some rows written by hand for AVX-512 and all CPUs.
    #[arg(long)]
    by_hand: bool,
    /// Also measure kernels without lanes (`MUXCL_VECZ=0`), and compare the times to compile.
    #[arg(long)]
    scalar: bool,
    /// Measure the RISC-V simulator instead, beside qemu-riscv64 and the host: the interpreter and
    /// translated code. The filter is the name of a function.
    #[arg(long)]
    riscv: bool,
    /// Write a page with the table, as Markdown (`docs/performance.md`).
    #[arg(long)]
    page: Option<PathBuf>,
    /// Only rows whose name contains this. `compute` (or "compute SGEMM"): only the rows about
    /// kernels. `builtins` (or "builtins sin,cos"): the OpenCL C library beside SLEEF.
    filter: Option<String>,
}

/// Arguments of `ulp`.
#[derive(clap::Args)]
struct UlpArgs {
    /// Functions, and options of the program: `--full`, `--device NAME`, `--samples N`, `--type
    /// NAME`; `--help` lists them.
    #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
    rest: Vec<String>,
}

fn main() -> ExitCode {
    match dispatch(Cli::parse().command) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn dispatch(command: Command) -> anyhow::Result<()> {
    match command {
        Command::Demo(args) => demo(&args),
        Command::Test(args) => test::test(&args),
        Command::Dist => dist::dist().map(|_| ()),
        Command::Install(args) => install::install(&args),
        Command::Package(args) => package::package(&args),
        Command::Uninstall(args) => install::uninstall(&args),
        Command::NewHal(args) => new_hal::new_hal(&args),
        Command::Bench(args) => bench(&args),
        Command::Ulp(args) => ulp(&args),
        Command::Conformance(args) => conformance::conformance(&args),
        Command::Apps(args) => apps::apps(&args),
        Command::RiscvTests(args) => riscv_tests::riscv_tests(&args),
        Command::Sanitize(args) => sanitize::sanitize(&args),
        Command::Deny(args) => deny::deny(&args),
        Command::Fuzz(args) => fuzz::fuzz(&args),
        Command::Models(args) => models::models(&args),
        Command::Nightly(args) => nightly::nightly(&args),
        Command::Stress { seconds } => stress(seconds),
        Command::Tidy => tidy::tidy(),
        Command::Status => status(),
        Command::Book => book::book(),
        Command::Charts => charts::charts(&run::root()),
        Command::Codegen(args) => codegen::run(&run::root(), &args.headers, args.check),
    }
}

fn demo(args: &DemoArgs) -> anyhow::Result<()> {
    let driver = if args.release { dist::dist()? } else { build::development()? };
    let demo = build::tool("muxcl-demo", args.release)?;
    let mut command = driver.command(&demo);
    command.arg("--out").arg(run::root().join("target/demo")).args(&args.rest);
    run::check(&mut command)
}

fn stress(seconds: u32) -> anyhow::Result<()> {
    build::development()?;
    let mut test = run::cargo();
    test.args([
        "test",
        "--package",
        "muxcl-test-kernels",
        "--test",
        "stress",
        "--",
        "--seconds",
        &seconds.to_string(),
    ]);
    run::check(&mut test)
}

fn status() -> anyhow::Result<()> {
    build::development()?;
    let mut test = run::cargo();
    test.args(["test", "--package", "muxcl-test-api", "--test", "status"]).env("BLESS", "1");
    run::check(&mut test)
}

fn bench(args: &BenchArgs) -> anyhow::Result<()> {
    if args.riscv {
        let speed = build::example("muxcl-rv-jit", "riscv_speed")?;
        return run::check(std::process::Command::new(speed).args(&args.filter));
    }
    if args.filter.as_ref().is_some_and(|filter| filter.starts_with("builtins")) {
        packages::ensure_sleef()?;
    }
    let bench = build::tool("muxcl-bench", true)?;
    let mut command = std::process::Command::new(bench);
    if !args.without_muxcl {
        command.arg("--driver").arg(format!("muxcl={}", dist::dist()?.library.display()));
    }
    for other in &args.vs {
        command.arg("--driver").arg(other);
    }
    command.arg("--rounds").arg(args.rounds.to_string());
    if args.by_hand {
        command.arg("--by-hand");
    }
    if args.scalar {
        command.arg("--scalar");
    }
    if let Some(page) = &args.page {
        command.arg("--page").arg(page);
    }
    if let Some(filter) = &args.filter {
        command.arg(filter);
    }
    run::check(&mut command)?;
    if args.page.is_some() {
        charts::charts(&run::root())?;
    }
    Ok(())
}

fn ulp(args: &UlpArgs) -> anyhow::Result<()> {
    let driver = build::development()?;
    let mut command = driver.command(&build::ulp()?);
    command.arg("--write").arg(run::root().join("docs/accuracy.md")).args(&args.rest);
    run::check(&mut command)
}

#[cfg(test)]
mod tests {
    use super::{codegen, run};

    #[test]
    fn codegen_is_fresh() -> anyhow::Result<()> {
        codegen::run(&run::root(), std::path::Path::new("/usr/include/CL"), true)
    }
}
