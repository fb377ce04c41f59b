//! Compares scalar code and lanes of the kernel `test` of a case file, as `random_kernels` does.
//!
//! `cargo run -p muxcl-filetests --example differs FILE.cl`

#![expect(clippy::print_stdout, reason = "a command line tool talks to its user")]

use std::path::Path;

use anyhow::{Context as _, Result};
use muxcl_filetests::case::Case;
use muxcl_filetests::run;

fn main() -> Result<()> {
    let file = std::env::args().nth(1).context("no file is given")?;
    let case = Case::read(Path::new(&file))?;
    match run::differs(&case, &run::LANES, true)? {
        Some(text) => println!("{text}"),
        None => println!("all variants agree"),
    }
    Ok(())
}
