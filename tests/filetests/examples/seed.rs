//! `seed N`: prints the kernel that `random` generates from the number N, with a header, so that
//! the examples `show` and `differs` can read it.
#![expect(clippy::print_stdout, reason = "a command line tool talks to its user")]

use anyhow::{Context as _, Result};
use muxcl_filetests::random::Program;

fn main() -> Result<()> {
    let seed = std::env::args().nth(1).context("no seed is given")?.parse()?;
    let case = Program::of(seed).case();
    let (global, local) = (&case.header.global, &case.header.local);
    println!("//! test = \"run\"\n//! global = {global:?}\n//! local = {local:?}");
    print!("{}", case.source);
    Ok(())
}
