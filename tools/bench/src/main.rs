//! Measures OpenCL drivers side by side: medians over several rounds, and ratios.
//!
//! Invariant: drivers never share a process. Within a round the drivers alternate, so that changes
//! of the machine's speed affect all of them. A row whose result is wrong is an error, not a time.
//! Not here: building the driver (see `xtask`).
//!
//! The loops are written here because criterion and divan measure inside one process, and a process
//! can load one driver only (the ICD loader reads its list once). Neither can alternate processes.
#![expect(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a command line tool talks to its user"
)]

mod builtins;
mod compile;
mod compute;
mod driver;
mod hand;
mod images;
mod launch;
mod page;
mod report;
mod rows;
mod sleef;

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context as _, Result, bail};
use clap::Parser;
use indicatif::{ProgressBar, ProgressStyle};

use driver::Driver;
use report::Table;

#[derive(Parser)]
#[command(about = "Measures OpenCL drivers side by side")]
struct Arguments {
    /// `[NAME=]LIBRARY.so[:FOLDER_FOR_LD_LIBRARY_PATH]` or an `.icd` file. The first one is
    /// compared with the others.
    #[arg(long)]
    driver: Vec<String>,
    /// Rounds; each measures every row once in every driver.
    #[arg(long, default_value_t = 5)]
    rounds: u32,
    /// Also measures the work of some rows written by hand for AVX-512 and all CPUs.
    #[arg(long)]
    by_hand: bool,
    /// Also measures the rows about kernels with the first driver and `MUXCL_VECZ=0`, which keeps
    /// work-items out of vector lanes, and compares the time to compile.
    #[arg(long)]
    scalar: bool,
    /// Where a page with the table is written, as Markdown; default: nowhere.
    #[arg(long)]
    page: Option<PathBuf>,
    /// Where all measurements are written, as JSON.
    #[arg(long, default_value = "target/bench/last.json")]
    json: PathBuf,
    /// Measure one row in this process and print the number. The tool starts itself with this.
    #[arg(long, hide = true)]
    child: Option<String>,
    /// Only rows whose name contains this. `compute [PART_OF_A_NAME]`: only the rows about kernels.
    /// `builtins [FUNCTION]`: the section that compares the OpenCL C library with SLEEF.
    filter: Option<String>,
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    let outcome = match &arguments.child {
        Some(row) => child(row, arguments.by_hand),
        None => parent(&arguments),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn child(row: &str, by_hand: bool) -> Result<()> {
    if row == page::ABOUT {
        println!("{}", page::about()?);
        return Ok(());
    }
    if let Some(what) = row.strip_prefix(builtins::SECTION) {
        println!("{}", builtins::child(what.trim())?);
        return Ok(());
    }
    let Some(row) = rows::all().find(|candidate| candidate.name == row) else {
        bail!("there is no row {row}")
    };
    let measure = if by_hand { row.by_hand } else { Some(row.measure) };
    println!("{}", measure.context("nothing is written by hand for this row")?()?);
    Ok(())
}

fn parent(arguments: &Arguments) -> Result<()> {
    let mut drivers =
        arguments.driver.iter().map(|text| Driver::parse(text)).collect::<Result<Vec<_>>>()?;
    if drivers.is_empty() {
        bail!("name at least one driver: --driver LIBRARY.so");
    }
    if let Some(only) =
        arguments.filter.as_ref().and_then(|filter| filter.strip_prefix(builtins::SECTION))
    {
        return builtins::parent(&drivers, only.trim(), arguments.rounds, &arguments.json);
    }
    let filter = arguments.filter.as_deref().unwrap_or_default();
    let rows: Vec<_> = rows::all().filter(|row| row.matches(filter)).collect();
    if rows.is_empty() {
        bail!("no row matches {filter}");
    }
    let progress = ProgressBar::new(rows.len() as u64 * u64::from(arguments.rounds));
    progress.set_style(ProgressStyle::with_template("{bar:30} {pos}/{len} {msg}")?);
    let mut table = Table::new(drivers.iter().map(|driver| driver.name.clone()).collect());
    for row in rows {
        for round in 0..arguments.rounds {
            progress.set_message(row.name);
            for (number, driver) in drivers.iter_mut().enumerate() {
                table.add(row, number, driver.measure(row, round));
            }
            if arguments.by_hand && row.by_hand.is_some() {
                table.add_by_hand(driver::by_hand(row));
            }
            if arguments.scalar && row.kind == rows::Kind::Compute {
                table.add_scalar(drivers[0].scalar(row));
            }
            progress.inc(1);
        }
    }
    progress.finish_and_clear();
    print!("{}", table.text());
    table.save(&arguments.json)?;
    if let Some(path) = &arguments.page {
        page::write(path, &table, &drivers, arguments.rounds)?;
    }
    let failed = table.failures();
    if !failed.is_empty() {
        bail!("not measured:\n  {}", failed.join("\n  "));
    }
    Ok(())
}
