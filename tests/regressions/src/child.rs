//! Child processes for tests that need their own environment, or that may end the process. A child
//! is this program, started again with the name of the child's function.

use std::process::{Command, Output};

use anyhow::{Context as _, Result};

/// The argument in front of the name.
const CHILD: &str = "--child";

/// The name and the body of a child process.
pub type Part = (&'static str, fn() -> Result<()>);

/// Runs `part` in a child with `variables` added to this process's environment.
pub(crate) fn run(part: &Part, variables: &[(&str, &str)]) -> Result<Output> {
    let program = std::env::current_exe().context("this program")?;
    Command::new(program)
        .args([CHILD, part.0])
        .envs(variables.iter().copied())
        .output()
        .with_context(|| format!("the child for {}", part.0))
}

/// In a child, runs the function in `parts` that the arguments name. `None` in the test program
/// itself.
pub fn play(parts: &[Part]) -> Option<Result<()>> {
    let mut arguments = std::env::args().skip_while(|argument| argument != CHILD).skip(1);
    let name = arguments.next()?;
    let part = parts.iter().find(|part| part.0 == name);
    Some(part.with_context(|| format!("no part {name}")).and_then(|(_, part)| part()))
}
