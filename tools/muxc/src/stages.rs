//! Runs lists of passes, and prints the IR after them.

use std::fmt::Write as _;

use anyhow::{Context as _, Result, bail};
use muxcl_llvm::Module;
use muxcl_passes::codegen::catalogue::{self, Environment, Pass};
use muxcl_passes::{Finalised, Runner};

/// An element of a list of passes.
#[derive(Clone, Debug)]
pub enum Item {
    /// A pass of the catalogue.
    Pass(&'static Pass),
    /// Passes of LLVM, as `opt -passes` reads them.
    Llvm(String),
}

/// Reads a list such as `prepare,llvm(instcombine,simplifycfg),clean`.
///
/// # Errors
/// A name that is no pass, or parentheses that do not match.
pub fn list(text: &str) -> Result<Vec<Item>> {
    let mut items = Vec::new();
    let (mut depth, mut start) = (0_usize, 0);
    let end = std::iter::once((text.len(), ','));
    for (at, c) in text.char_indices().chain(end) {
        match c {
            '(' => depth += 1,
            ')' => depth = depth.checked_sub(1).context("a `)` without a `(` in the passes")?,
            ',' if depth == 0 => {
                items.push(item(text[start..at].trim())?);
                start = at + 1;
            }
            _ => {}
        }
    }
    if depth > 0 {
        bail!("a `(` without a `)` in the passes");
    }
    Ok(items)
}

fn item(name: &str) -> Result<Item> {
    if let Some(pipeline) = name.strip_prefix("llvm(").and_then(|rest| rest.strip_suffix(')')) {
        return Ok(Item::Llvm(pipeline.to_owned()));
    }
    match Pass::named(name) {
        Some(pass) => Ok(Item::Pass(pass)),
        None => bail!(
            "no pass is named `{name}`; --list-passes shows the names, and passes of LLVM are \
             written llvm({name})"
        ),
    }
}

/// Runs the passes of a list on a module.
///
/// # Errors
/// The first error of a pass, or malformed IR behind it.
pub fn run_list<'c>(
    items: &[Item],
    environment: &Environment<'_, 'c>,
    module: &mut Module<'c>,
    runner: &mut Runner<'_>,
) -> Result<()> {
    for item in items {
        match item {
            Item::Pass(pass) => pass
                .run(environment, module, runner)
                .with_context(|| format!("in the pass {}", pass.name))?,
            Item::Llvm(pipeline) => catalogue::llvm(pipeline, environment, module, runner)
                .with_context(|| format!("in llvm({pipeline})"))?,
        }
    }
    Ok(())
}

/// The kernel of this name in a finalised program, or all kernels.
///
/// # Errors
/// No kernel has the name; the message names the program's.
pub fn kernel_names<'p>(program: &'p Finalised, kernel: Option<&str>) -> Result<Vec<&'p str>> {
    let known: Vec<&str> = program.info.kernels.iter().map(|k| k.name.as_str()).collect();
    match kernel {
        None => Ok(known),
        Some(name) => match known.iter().find(|known| **known == name) {
            Some(found) => Ok(vec![*found]),
            None => bail!("no kernel is named {name}; the program has {}", known.join(", ")),
        },
    }
}

/// The IR of the named functions, or of the module if none is named.
#[must_use]
pub fn functions(module: &Module<'_>, names: &[String]) -> String {
    let mut out = String::new();
    if names.is_empty() {
        return module.to_string();
    }
    for name in names {
        // Writing to a String cannot fail.
        let _ = match module.function(name) {
            Some(function) => writeln!(out, "{}", function.value()),
            None => writeln!(out, "no function {name}"),
        };
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_have_passes_of_llvm_in_parentheses() {
        let items = list("prepare, llvm(function(sroa,gvn),globaldce),clean").unwrap();
        let shown: Vec<String> = items
            .iter()
            .map(|item| match item {
                Item::Pass(pass) => pass.name.to_owned(),
                Item::Llvm(pipeline) => format!("<{pipeline}>"),
            })
            .collect();
        assert_eq!(shown, ["prepare", "<function(sroa,gvn),globaldce>", "clean"]);
        for (text, part) in [
            ("prepare,gvn", "no pass is named `gvn`"),
            ("", "no pass is named ``"),
            ("llvm(gvn", "a `(` without a `)`"),
            ("gvn)", "a `)` without a `(`"),
        ] {
            assert!(list(text).unwrap_err().to_string().contains(part), "{text}");
        }
    }
}
