//! Tests that need an environment of their own, or that may end the process, run in a child: this
//! program, started again with the name of the part that the child plays.

use std::process::{Command, Output};

use anyhow::{Context as _, Result};

/// The argument before the name of a part.
const CHILD: &str = "--child";

/// A part that a child plays.
pub type Part = (&'static str, fn() -> Result<()>);

/// Runs `part` in a child with `variables` set beside those of this process.
pub(crate) fn run(part: &Part, variables: &[(&str, &str)]) -> Result<Output> {
    let program = std::env::current_exe().context("this program")?;
    Command::new(program)
        .args([CHILD, part.0])
        .envs(variables.iter().copied())
        .output()
        .with_context(|| format!("the child for {}", part.0))
}

/// In a child: plays the part that the arguments name, one of `parts`. `None` in the test program
/// itself.
pub fn play(parts: &[Part]) -> Option<Result<()>> {
    let mut arguments = std::env::args().skip_while(|argument| argument != CHILD).skip(1);
    let name = arguments.next()?;
    let part = parts.iter().find(|part| part.0 == name);
    Some(part.with_context(|| format!("no part {name}")).and_then(|(_, part)| part()))
}
