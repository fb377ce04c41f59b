//! The blocks of code in the documents, for the test that compiles, runs or checks each one
//! (`tests/book.rs`).
//!
//! * `c`: OpenCL C. The driver compiles it; with `// run:` lines it is a kernel test, and runs.
//! * `c++`: the headers of the HAL interface and the block compile together.
//! * `console`: a terminal session, which runs with the debug driver (`tests/doc-sessions`).
//! * `python`: the syntax is checked.
//! * `rust`: a documentation test; [`DOCTESTS`] lists the pages.
//! * `sh`: the syntax is checked, and whether the commands of `cargo xtask`, the packages and the
//!   environment variables exist.
//! * `json` and `toml` are parsed. `text` is no code: output, figures, tables.
//!
//! A block with the comment `<!-- file: NAME -->` is a file for the sessions of the page, and for
//! those of the pages beside it. If the page's sessions run, they check it, whatever its language.
//!
//! Above a block, `<!-- not run: REASON -->` says why it is not checked, and `<!-- needs: A, B -->`
//! names what a session needs; it runs if the variable `BOOK_TOOLS` names all of it. Invariant: a
//! block with another language, or without one, is an error, so no block is left out silently.

use anyhow::{Context as _, Result, bail, ensure};

/// The pages with Rust that are documentation tests of this crate.
pub const DOCTESTS: &[(&str, &str)] = &[
    ("crates/img/README.md", include_str!("../../../crates/img/README.md")),
    ("crates/rv-isa/README.md", include_str!("../../../crates/rv-isa/README.md")),
    ("crates/rv-sim/README.md", include_str!("../../../crates/rv-sim/README.md")),
];

#[cfg(doctest)]
mod doctests {
    #[doc = include_str!("../../../crates/img/README.md")]
    struct Img;
    #[doc = include_str!("../../../crates/rv-isa/README.md")]
    struct RvIsa;
    #[doc = include_str!("../../../crates/rv-sim/README.md")]
    struct RvSim;
}

/// A fenced block of a page.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Block {
    /// The line of its fence, from 1.
    pub line: usize,
    /// The language, such as `sh`; empty if the fence names none.
    pub language: String,
    /// What follows the language behind a comma: `ignore` in `rust,ignore`.
    pub attributes: String,
    /// Its lines, without the indentation of the fence.
    pub text: String,
    /// Why the block is not checked.
    pub not_run: Option<String>,
    /// What the block needs to run.
    pub needs: Vec<String>,
    /// The block is a file for sessions.
    pub is_file: bool,
}

/// The blocks of a page.
///
/// # Errors
/// A block has no end, or a comment about a block lacks its reason.
pub fn blocks(page: &str) -> Result<Vec<Block>> {
    let mut blocks = Vec::new();
    let mut above = Block::default();
    let mut lines = (1..).zip(page.lines());
    while let Some((number, line)) = lines.next() {
        let trimmed = line.trim_start();
        let indentation = line.len() - trimmed.len();
        let ticks = trimmed.bytes().take_while(|b| *b == b'`').count();
        if ticks < 3 {
            match comment(trimmed) {
                Some(("not run", reason)) => {
                    ensure!(!reason.is_empty(), "line {number}: `not run` without a reason");
                    above.not_run = Some(reason.to_owned());
                }
                Some(("file", _)) => above.is_file = true,
                Some(("needs", list)) => {
                    above.needs = list.split(',').map(|need| need.trim().to_owned()).collect();
                }
                // Comments for others may stand between a comment and its block.
                Some(_) => {}
                None if trimmed.is_empty() || trimmed.starts_with("<!--") => {}
                None => {
                    let unused = above.not_run.is_some() || !above.needs.is_empty();
                    ensure!(!unused, "line {number}: no block follows the comment");
                }
            }
            continue;
        }
        let (fence, info) = trimmed.split_at(ticks);
        let (language, attributes) = info.split_once(',').unwrap_or((info, ""));
        let mut block = std::mem::take(&mut above);
        block.line = number;
        language.trim().clone_into(&mut block.language);
        attributes.trim().clone_into(&mut block.attributes);
        loop {
            match lines.next() {
                Some((_, line)) if line.trim() == fence => break,
                Some((_, line)) => {
                    let cut = line.len() - line.trim_start().len();
                    block.text += line.get(indentation.min(cut)..).unwrap_or_default();
                    block.text.push('\n');
                }
                None => bail!("line {number}: the block has no end"),
            }
        }
        blocks.push(block);
    }
    Ok(blocks)
}

/// The key and the text of a comment `<!-- key: text -->`.
fn comment(line: &str) -> Option<(&str, &str)> {
    let inside = line.strip_prefix("<!--")?.trim_end().strip_suffix("-->")?;
    let (key, text) = inside.split_once(':')?;
    Some((key.trim(), text.trim()))
}

/// The page without the blocks that `leave_out` names. Lines keep their numbers.
///
/// # Errors
/// As [`blocks`].
pub fn without(page: &str, leave_out: &dyn Fn(&Block) -> bool) -> Result<String> {
    let mut lines: Vec<&str> = page.lines().collect();
    for block in blocks(page)?.iter().filter(|block| leave_out(block)) {
        let end = block.line + block.text.lines().count() + 1;
        lines.get_mut(block.line - 1..end).context("the lines of a block")?.fill("");
    }
    Ok(lines.join("\n") + "\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_have_languages_and_comments() {
        let page = "\
# Page\n```sh\na\n```\n1. item\n   ```rust,ignore\n   fn b() {}\n     c\n   ```\n\
<!-- needs: one, two -->\n<!-- numbers vary -->\n```console\n$ d\n```\n\
<!-- not run: a fragment -->\n\n```c\ne\n```\n````text\n```sh\n```\n````\n```\nf\n```\n";
        let found = blocks(page).unwrap();
        let [a, b, d, e, text, f] = &found[..] else { panic!("{found:#?}") };
        assert_eq!((a.line, a.language.as_str(), a.text.as_str()), (2, "sh", "a\n"));
        assert_eq!((b.attributes.as_str(), b.text.as_str()), ("ignore", "fn b() {}\n  c\n"));
        assert_eq!((d.needs.join("+"), d.not_run.clone()), ("one+two".to_owned(), None));
        assert_eq!(e.not_run.as_deref(), Some("a fragment"));
        assert_eq!((text.text.as_str(), f.language.as_str()), ("```sh\n```\n", ""));
    }

    #[test]
    fn comments_about_no_block_and_open_blocks_are_errors() {
        for page in ["<!-- not run: a -->\ntext\n", "<!-- not run: -->\n```c\n```\n", "```c\na\n"] {
            assert!(blocks(page).is_err(), "{page}");
        }
    }

    #[test]
    fn blocks_are_left_out_and_lines_stay() {
        let page = "a\n```sh\nb\n```\n```c\nd\n```\n";
        assert_eq!(without(page, &|b| b.language == "sh").unwrap(), "a\n\n\n\n```c\nd\n```\n");
    }
}
